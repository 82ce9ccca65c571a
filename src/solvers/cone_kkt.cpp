#include "solvers/cone_kkt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perp {
namespace {

constexpr double good_error = 1e-12;  // not worth a refinement

using Entries = std::vector<std::vector<std::pair<std::int32_t, double>>>;

// Sums of equal columns, in ascending order.
void compress(std::vector<std::pair<std::int32_t, double>>& row) {
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t end = 0;
    for (const auto& [column, value] : row) {
        if (end > 0 && row[end - 1].first == column)
            row[end - 1].second += value;
        else
            row[end++] = {column, value};
    }
    row.resize(end);
}

void add_symmetric_part(const Csr& a, std::span<const std::int32_t> place, double sign,
                        Entries& rows) {
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            const double half = 0.5 * sign * a.value[k];
            rows[place[i]].emplace_back(place[a.index[k]], half);
            rows[place[a.index[k]]].emplace_back(place[i], half);
        }
}

// Where one row of a contact has an entry, all its rows have one.
void spread_over_contacts(const ConeFrames& frames, std::int64_t n, Entries& rows) {
    const std::int64_t k = frames.contact_rows();
    const std::int64_t end = n + frames.contacts() * k;
    for (auto& row : rows) {
        const std::size_t given = row.size();
        for (std::size_t e = 0; e < given; ++e) {
            const std::int64_t column = row[e].first;
            if (column < n || column >= end) continue;
            const std::int64_t first = column - (column - n) % k;
            for (std::int64_t j = first; j < first + k; ++j)
                row.emplace_back(static_cast<std::int32_t>(j), 0.0);
        }
        compress(row);
    }
    for (std::int64_t i = n; i < end; i += k) {
        std::vector<std::pair<std::int32_t, double>> all;
        for (std::int64_t j = i; j < i + k; ++j)
            for (const auto& entry : rows[j]) all.emplace_back(entry.first, 0.0);
        for (std::int64_t j = i; j < i + k; ++j) {
            rows[j].insert(rows[j].end(), all.begin(), all.end());
            compress(rows[j]);
        }
    }
}

// [M J'; J -C] with room for what frames and terms add.
Csr kkt_matrix(const MixedForm& form, const ConeFrames& frames) {
    const auto n = static_cast<std::int32_t>(form.n);
    const auto p = static_cast<std::int32_t>(form.p);
    std::vector<std::int32_t> velocity(n), place(p);
    for (std::int32_t i = 0; i < n; ++i) velocity[i] = i;
    for (std::int32_t k = 0; k < p; ++k) place[frames.order()[k]] = n + k;
    Entries rows(form.n + form.p);
    add_symmetric_part(form.M, velocity, 1.0, rows);
    add_symmetric_part(form.C, place, -1.0, rows);
    for (std::int64_t i = 0; i < p; ++i)
        for (std::int64_t k = form.J.start[i]; k < form.J.start[i + 1]; ++k) {
            rows[place[i]].emplace_back(form.J.index[k], form.J.value[k]);
            rows[form.J.index[k]].emplace_back(place[i], form.J.value[k]);
        }
    spread_over_contacts(frames, n, rows);
    Csr k;
    k.rows = k.cols = form.n + form.p;
    for (const auto& row : rows) {
        for (const auto& [column, value] : row) {
            k.index.push_back(column);
            k.value.push_back(value);
        }
        k.start.push_back(static_cast<std::int64_t>(k.index.size()));
    }
    return k;
}

std::int64_t place(const Csr& a, std::int64_t i, std::int64_t j) {
    const auto row = a.row_index(i);
    return a.start[i] + (std::lower_bound(row.begin(), row.end(), j) - row.begin());
}

double largest(std::span<const double> x) {
    double most = 0.0;
    for (const double a : x) most = std::max(most, std::abs(a));
    return most;
}

}  // namespace

ConeKkt::ConeKkt(const MixedForm& form, const ConeFrames& frames)
    : matrix_(kkt_matrix(form, frames)), ldl_(matrix_, form.n) {
    describe(form, frames);
}

void ConeKkt::renew(const MixedForm& form, const ConeFrames& frames) {
    matrix_ = kkt_matrix(form, frames);
    if (!ldl_.renew(matrix_)) ldl_ = UpdatedLdl(matrix_, form.n);
    describe(form, frames);
}

void ConeKkt::describe(const MixedForm& form, const ConeFrames& frames) {
    n_ = form.n;
    p_ = form.p;
    base_ = matrix_.value;
    diagonal_at_.clear();
    stretch_start_.assign(1, 0);
    stretch_.clear();
    const std::int64_t rows = frames.contact_rows();
    for (std::int64_t i = 0; i < n_ + p_; ++i) {
        diagonal_at_.push_back(place(matrix_, i, i));
        for (std::int64_t k = matrix_.start[i]; k < matrix_.start[i + 1]; ++k) {
            const std::int64_t column = matrix_.index[k] - n_;
            if (column >= 0 && column < rows * frames.contacts() && column % rows == 0)
                stretch_.push_back({k, static_cast<std::int32_t>(column / rows)});
        }
        stretch_start_.push_back(static_cast<std::int64_t>(stretch_.size()));
    }
    for (auto* const x : {&diagonal_, &right_, &solution_, &last_, &rest_, &change_})
        x->assign(n_ + p_, 0.0);
    active_.assign(n_ + p_, 1);
    terms_.reserve(4 * p_);  // no frames have more
}

// T'K T, T from the frames to the impulses, and -D.
void ConeKkt::fill(const ConeFrames& frames) {
    std::copy(base_.begin(), base_.end(), matrix_.value.begin());
    double* const value = matrix_.value.data();
    const std::int64_t rows = frames.contact_rows();
    for (std::int64_t i = 0; i < frames.contacts(); ++i) {
        const std::int64_t first = n_ + i * rows;
        const std::int64_t columns = matrix_.start[first + 1] - matrix_.start[first];
        for (std::int64_t k = 0; k < columns; ++k)
            frames.to_frame(i, value + matrix_.start[first] + k, columns);
    }
    for (const Stretch& s : stretch_) frames.to_frame(s.contact, value + s.at, 1);
    frames.terms(terms_);
    for (const ConeFrames::Term& t : terms_) {
        const std::int64_t row = n_ + t.row;
        value[diagonal_at_[row] + t.beside] -= t.value;
        if (t.beside != 0) value[diagonal_at_[row + t.beside] - t.beside] -= t.value;
    }
}

bool ConeKkt::factor(const ConeFrames& frames, double shift, double kept) {
    fill(frames);
    frames.active(std::span(active_).subspan(n_));
    for (std::int64_t i = 0; i < n_ + p_; ++i) {
        double& d = matrix_.value[diagonal_at_[i]];
        diagonal_[i] = i < n_ ? d : d - shift;
        if (i >= n_) d -= kept;
    }
    ldl_.take_values(matrix_.value);
    return ldl_.factor(diagonal_, active_);
}

double ConeKkt::rest() {
    double largest_term = 0.0;
    double worst = 0.0;
    for (std::int64_t i = 0; i < n_ + p_; ++i) {
        if (active_[i] == 0) continue;
        double sum = right_[i];
        for (std::int64_t k = matrix_.start[i]; k < matrix_.start[i + 1]; ++k)
            sum -= matrix_.value[k] * solution_[matrix_.index[k]];
        rest_[i] = sum;
        worst = std::max(worst, std::abs(sum));
        largest_term =
            std::max(largest_term, std::abs(matrix_.value[diagonal_at_[i]] * solution_[i]));
    }
    largest_term = std::max(largest_term, largest(right_));
    return largest_term > 0.0 ? worst / largest_term : 0.0;
}

double ConeKkt::solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                      std::span<double> z, int refinements) {
    for (std::int64_t i = 0; i < n_; ++i) right_[i] = f.empty() ? 0.0 : f[i];
    for (std::int64_t i = 0; i < p_; ++i) right_[n_ + i] = active_[n_ + i] != 0 ? g[i] : 0.0;
    std::copy(right_.begin(), right_.end(), solution_.begin());
    ldl_.solve(solution_);
    double error = rest();
    for (int k = 0; k < refinements && error > good_error; ++k) {
        std::copy(solution_.begin(), solution_.end(), last_.begin());
        std::copy(rest_.begin(), rest_.end(), change_.begin());
        ldl_.solve(change_);
        for (std::int64_t i = 0; i < n_ + p_; ++i)
            if (active_[i] != 0) solution_[i] += change_[i];
        const double next = rest();
        if (!(next < error)) {
            std::swap(solution_, last_);
            break;
        }
        error = next;
    }
    for (std::int64_t i = 0; i < n_; ++i) v[i] = solution_[i];
    for (std::int64_t i = 0; i < p_; ++i) z[i] = -solution_[n_ + i];
    return error;
}

}  // namespace perp
