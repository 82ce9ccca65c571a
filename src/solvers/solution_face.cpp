#include "solvers/solution_face.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perp {
namespace {

// Of the rows of a group.
double length(const FrictionGroup& group, const std::int32_t* row, std::span<const double> x) {
    double square = 0.0;
    for (int j = group.first; j < group.first + group.rows; ++j) square += x[row[j]] * x[row[j]];
    return std::sqrt(square);
}

// [J C], where C is a matrix of its own kind (n = 0); of a diagonal C, its root.
Csr momentum_rows(const MixedForm& form) {
    Csr a;
    a.rows = form.p;
    a.cols = form.n + form.p;
    for (std::int64_t i = 0; i < form.p; ++i) {
        for (std::int64_t k = form.J.start[i]; k < form.J.start[i + 1]; ++k) {
            a.index.push_back(form.J.index[k]);
            a.value.push_back(form.J.value[k]);
        }
        for (std::int64_t k = form.C.start[i]; k < form.C.start[i + 1]; ++k) {
            if (form.C.value[k] == 0.0) continue;
            a.index.push_back(static_cast<std::int32_t>(form.n + form.C.index[k]));
            a.value.push_back(form.n > 0 ? std::sqrt(form.C.value[k]) : form.C.value[k]);
        }
        a.start.push_back(static_cast<std::int64_t>(a.index.size()));
    }
    return a;
}

// The same with columns of all rows of a contact in each of them.
Csr with_contact_columns(const Csr& a, const ConstraintSet& set) {
    std::vector<std::vector<std::int32_t>> columns(a.rows);
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < a.rows; ++i) {
        const auto index = a.row_index(i);
        columns[i].assign(index.begin(), index.end());
    }
    for (std::int64_t c = 0; c < set.contacts; ++c) {
        const std::int32_t* const row = set.contact_row.data() + c * k;
        std::vector<std::int32_t> all;
        for (int j = 0; j < k; ++j)
            all.insert(all.end(), columns[row[j]].begin(), columns[row[j]].end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        for (int j = 0; j < k; ++j) columns[row[j]] = all;
    }
    Csr out;
    out.rows = a.rows;
    out.cols = a.cols;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        for (const std::int32_t j : columns[i]) {
            out.index.push_back(j);
            out.value.push_back(a.at(i, j));
        }
        out.start.push_back(static_cast<std::int64_t>(out.index.size()));
    }
    return out;
}

}  // namespace

SolutionFace::SolutionFace(const Problem& problem)
    : problem_(&problem),
      scaled_(problem, energy_scale(problem)),
      form_(scaled_),
      set_(problem.set()),
      whole_(with_contact_columns(momentum_rows(scaled_), problem.set())),
      fixed_(scaled_.p),
      along_(scaled_.p),
      free_(scaled_.p) {
    form_.n = whole_.cols;
    form_.M = diagonal_matrix(std::vector<double>(form_.n, 1.0));
    form_.C = diagonal_matrix(std::vector<double>(form_.p, 0.0));
    form_.J = whole_;
    form_.cones = true;
    std::fill(form_.r.begin(), form_.r.end(), 0.0);
}

void SolutionFace::choose_interval(std::int64_t scalar, double w, double z, double threshold) {
    const std::int32_t row = set_.scalar_row[scalar];
    const double lo = scaled_.lo[row], hi = scaled_.hi[row];
    const bool at_lo = lo == hi || (w > threshold && std::isfinite(lo));
    const bool at_hi = w < -threshold && std::isfinite(hi);
    if (at_lo || at_hi) {
        fixed_[row] = at_lo ? lo : hi;
        free_[row] = 0;
        form_.lo[row] = form_.hi[row] = 0.0;
    } else {
        // Bounds are exact at the solution that is known.
        fixed_[row] = 0.0;
        free_[row] = 1;
        form_.lo[row] = std::min(lo, z);
        form_.hi[row] = std::max(hi, z);
    }
}

// Friction at its limit. Slow velocities tell their direction less well than the friction that
// opposes them.
void SolutionFace::oppose(const FrictionGroup& group, const std::int32_t* row,
                          std::span<const double> w, std::span<const double> z) {
    const double friction = length(group, row, z);
    const bool at_limit = friction > 0.5 * group.coefficient * z[row[0]];
    const double factor = group.coefficient / (at_limit ? friction : -length(group, row, w));
    for (int j = group.first; j < group.first + group.rows; ++j)
        along_[row[j]] = factor * (at_limit ? z : w)[row[j]];
}

void SolutionFace::choose_contact(std::int64_t contact, std::span<const double> w,
                                  std::span<const double> z, double threshold) {
    const ContactShape& shape = set_.shape;
    const std::int32_t* const row = set_.contact_row.data() + contact * shape.rows();
    const ConstraintSet& given = problem_->set();
    const auto groups = friction_groups(shape, scaled_coefficients(given, contact, scaled_.scale));
    double distance = w[row[0]];  // from the boundary of the dual cone
    for (const FrictionGroup& g : groups) distance -= g.coefficient * length(g, row, w);
    for (int j = 0; j < shape.rows(); ++j) {
        fixed_[row[j]] = along_[row[j]] = 0.0;
        free_[row[j]] = 0;
    }
    std::array<double, 3> left{};  // of the coefficients
    if (distance <= threshold) {
        double square = 1.0;
        along_[row[0]] = 1.0;
        free_[row[0]] = 1;
        for (std::size_t q = 0; q < groups.size(); ++q) {
            const FrictionGroup& g = groups[q];
            if (g.rows == 0 || !(g.coefficient > 0.0)) continue;
            if (length(g, row, w) > threshold) {
                oppose(g, row, w, z);
                square += g.coefficient * g.coefficient;
                continue;
            }
            left[q] = 1.0;
            for (int j = g.first; j < g.first + g.rows; ++j) free_[row[j]] = 1;
        }
        const double root = std::sqrt(square);
        for (int j = 0; j < shape.rows(); ++j) along_[row[j]] /= root;
        for (double& x : left) x /= root;
    }
    set_.mu[contact] = left[0] * given.mu[contact];
    set_.sigma[contact] = left[1] * given.sigma[contact];
    set_.rho[contact] = left[2] * given.rho[contact];
}

// J of y: T'[J C].
void SolutionFace::transform_rows() {
    const int k = set_.shape.rows();
    const auto fill = [&](std::int64_t row, bool moves) {
        for (std::int64_t e = whole_.start[row]; e < whole_.start[row + 1]; ++e)
            form_.J.value[e] = moves ? whole_.value[e] : 0.0;
    };
    for (const std::int32_t row : set_.scalar_row) fill(row, free_[row] != 0);
    for (std::int64_t c = 0; c < set_.contacts; ++c) {
        const std::int32_t* const row = set_.contact_row.data() + c * k;
        for (int j = 1; j < k; ++j) fill(row[j], free_[row[j]] != 0);
        const std::int64_t columns = whole_.start[row[0] + 1] - whole_.start[row[0]];
        for (std::int64_t e = 0; e < columns; ++e) {
            double sum = 0.0;
            for (int j = 0; j < k; ++j)
                sum += along_[row[j]] * whole_.value[whole_.start[row[j]] + e];
            form_.J.value[form_.J.start[row[0]] + e] = sum;
        }
    }
    form_.Jt = transpose(form_.J);
    form_.panels = RowPanels(form_.J);
}

void SolutionFace::choose(std::span<const double> w, std::span<const double> z, double threshold) {
    for (std::int64_t s = 0; s < set_.scalars(); ++s)
        choose_interval(s, w[set_.scalar_row[s]], z[set_.scalar_row[s]], threshold);
    for (std::int64_t c = 0; c < set_.contacts; ++c) choose_contact(c, w, z, threshold);
    transform_rows();
    std::vector<double> moving(z.begin(), z.end());
    for (std::int64_t i = 0; i < scaled_.p; ++i) moving[i] -= fixed_[i];
    momentum_.assign(form_.n, 0.0);
    multiply_transposed_add(whole_, moving, momentum_);
}

void SolutionFace::to_face(std::span<const double> z, std::span<double> y) const {
    const int k = set_.shape.rows();
    for (std::int64_t i = 0; i < scaled_.p; ++i) y[i] = free_[i] != 0 ? z[i] - fixed_[i] : 0.0;
    for (std::int64_t c = 0; c < set_.contacts; ++c) {
        const std::int32_t* const row = set_.contact_row.data() + c * k;
        if (along_[row[0]] > 0.0) y[row[0]] = z[row[0]] / along_[row[0]];
    }
}

void SolutionFace::from_face(std::span<const double> y, std::span<double> z) const {
    const int k = set_.shape.rows();
    for (std::int64_t i = 0; i < scaled_.p; ++i)
        z[i] = free_[i] != 0 ? fixed_[i] + y[i] : fixed_[i];
    for (std::int64_t c = 0; c < set_.contacts; ++c) {
        const std::int32_t* const row = set_.contact_row.data() + c * k;
        for (int j = 0; j < k; ++j)
            if (free_[row[j]] == 0 || j == 0) z[row[j]] = along_[row[j]] * y[row[0]];
    }
}

}  // namespace perp
