#include "sparse/updated_ldl.hpp"

#include <algorithm>
#include <cmath>

#include "sparse/amd_order.hpp"

namespace perp {

UpdatedLdl::UpdatedLdl(const Csr& k, std::int64_t positive)
    : n_(k.rows),
      positive_(positive),
      permutation_(amd_order(k)),
      inverse_(n_),
      pattern_start_(k.start),
      pattern_index_(k.index),
      pivot_(n_, 1.0),
      inverse_pivot_(n_, 1.0),
      active_(n_, 0),
      filled_(n_),
      work_(n_, 0.0) {
    for (std::int64_t i = 0; i < n_; ++i) inverse_[permutation_[i]] = i;
    take_upper_triangle(k);
    analyze();
    find_runs();
    renew(k);
}

void UpdatedLdl::take_upper_triangle(const Csr& k) {
    upper_start_.assign(n_ + 1, 0);
    lower_start_.assign(n_ + 1, 0);
    for (std::int64_t j = 0; j < n_; ++j) {
        const std::int64_t user = permutation_[j];
        for (std::int64_t q = k.start[user]; q < k.start[user + 1]; ++q) {
            const std::int64_t i = inverse_[k.index[q]];
            if (i == j) continue;
            auto& rows = i < j ? upper_row_ : lower_row_;
            auto& source = i < j ? upper_source_ : lower_source_;
            rows.push_back(static_cast<std::int32_t>(i));
            source.push_back(q);
        }
        upper_start_[j + 1] = static_cast<std::int64_t>(upper_row_.size());
        lower_start_[j + 1] = static_cast<std::int64_t>(lower_row_.size());
    }
    upper_value_.resize(upper_row_.size() + lower_row_.size());
}

// Elimination tree and pattern of L: row k reaches the columns on the paths from its entries to k.
void UpdatedLdl::analyze() {
    parent_.assign(n_, -1);
    std::vector<std::int64_t> mark(n_, -1), count(n_, 0);
    row_start_.assign(n_ + 1, 0);
    for (std::int64_t k = 0; k < n_; ++k) {
        mark[k] = k;
        for (std::int64_t q = upper_start_[k]; q < upper_start_[k + 1]; ++q) {
            for (std::int64_t i = upper_row_[q]; mark[i] != k; i = parent_[i]) {
                if (parent_[i] < 0) parent_[i] = k;
                mark[i] = k;
                ++count[i];
                row_column_.push_back(static_cast<std::int32_t>(i));
            }
        }
        row_start_[k + 1] = static_cast<std::int64_t>(row_column_.size());
        std::sort(row_column_.begin() + row_start_[k], row_column_.end());
    }
    column_start_.assign(n_ + 1, 0);
    for (std::int64_t j = 0; j < n_; ++j) {
        column_start_[j + 1] = column_start_[j] + count[j];
        const auto height = static_cast<double>(count[j]);
        factor_cost_ += 0.5 * height * (height + 3.0);
    }
    row_.resize(column_start_[n_]);
    value_.assign(column_start_[n_], 0.0);
    row_place_.resize(column_start_[n_]);
    std::copy(column_start_.begin(), column_start_.end() - 1, filled_.begin());
    for (std::int64_t k = 0; k < n_; ++k)
        for (std::int64_t q = row_start_[k]; q < row_start_[k + 1]; ++q) {
            const std::int64_t place = filled_[row_column_[q]]++;
            row_[place] = static_cast<std::int32_t>(k);
            row_place_[q] = place;
        }
}

void UpdatedLdl::find_runs() {
    run_end_.resize(n_);
    for (std::int64_t j = n_ - 1; j >= 0; --j) {
        const bool joined = j + 1 < n_ && parent_[j] == j + 1 &&
                            column_start_[j + 1] - column_start_[j] ==
                                column_start_[j + 2] - column_start_[j + 1] + 1;
        run_end_[j] = joined ? run_end_[j + 1] : static_cast<std::int32_t>(j + 1);
    }
}

bool UpdatedLdl::renew(const Csr& k) {
    if (k.start != pattern_start_ || k.index != pattern_index_) return false;
    const std::size_t upper = upper_source_.size();
    for (std::size_t q = 0; q < upper; ++q) upper_value_[q] = k.value[upper_source_[q]];
    for (std::size_t q = 0; q < lower_source_.size(); ++q)
        upper_value_[upper + q] = k.value[lower_source_[q]];
    return true;
}

// Also refuses NaN.
bool UpdatedLdl::right_sign(std::int64_t at) const {
    const double d = pivot_[at];
    return std::isfinite(d) && (permutation_[at] < positive_ || !active_[at] ? d > 0.0 : d < 0.0);
}

// One step of the up-looking factorization for W columns with the same rows: work_ holds the row
// in the making. Returns what its pivot loses.
template <int W>
double UpdatedLdl::eliminate(std::int64_t j) {
    double* const y = work_.data();
    double x[W];
    const double* column[W];  // where the rows that all have begin
    bool nothing = true;
    for (int t = 0; t < W; ++t) {
        x[t] = y[j + t];
        y[j + t] = 0.0;
        column[t] = value_.data() + column_start_[j + t] + (W - 1 - t);
        nothing = nothing && x[t] == 0.0;
    }
    const std::int64_t first = column_start_[j + W - 1];
    const std::int64_t count = filled_[j + W - 1] - first;
    if (!nothing) {
        for (int t = 0; t < W; ++t)
            for (int s = t + 1; s < W; ++s) x[s] -= column[t][s - W] * x[t];
        const std::int32_t* const rows = row_.data() + first;
        for (std::int64_t i = 0; i < count; ++i) {
            double sum = column[0][i] * x[0];
            for (int t = 1; t < W; ++t) sum += column[t][i] * x[t];
            y[rows[i]] -= sum;
        }
    }
    double loss = 0.0;
    for (int t = 0; t < W; ++t) {
        const double l = x[t] * inverse_pivot_[j + t];
        value_[filled_[j + t]++] = l;
        loss += l * x[t];
    }
    return loss;
}

bool UpdatedLdl::factor(std::span<const double> diagonal, std::span<const std::uint8_t> active) {
    for (std::int64_t k = 0; k < n_; ++k) active_[k] = active[permutation_[k]];
    std::copy(column_start_.begin(), column_start_.end() - 1, filled_.begin());
    double* const y = work_.data();
    bool good = true;
    for (std::int64_t k = 0; k < n_; ++k) {
        double d = 1.0;
        if (active_[k]) {
            d = diagonal[permutation_[k]];
            for (std::int64_t q = upper_start_[k]; q < upper_start_[k + 1]; ++q)
                if (active_[upper_row_[q]]) y[upper_row_[q]] = upper_value_[q];
        }
        // Columns of a run all have row k, so they follow each other in its list.
        for (std::int64_t q = row_start_[k]; q < row_start_[k + 1];) {
            const std::int64_t j = row_column_[q];
            const std::int64_t width = std::min<std::int64_t>(run_end_[j], k) - j;
            if (width >= 4) {
                d -= eliminate<4>(j);
                q += 4;
            } else if (width >= 2) {
                d -= eliminate<2>(j);
                q += 2;
            } else {
                d -= eliminate<1>(j);
                q += 1;
            }
        }
        pivot_[k] = d;
        inverse_pivot_[k] = 1.0 / d;
        good = good && right_sign(k);
    }
    return good;
}

// L D L' + alpha w w' from column `first` on, w in work_ (zero afterwards).
bool UpdatedLdl::rank_one(std::int64_t first, double alpha) {
    double* const w = work_.data();
    bool good = true;
    for (std::int64_t j = first; j >= 0; j = parent_[j]) {
        const double wj = w[j];
        w[j] = 0.0;
        if (wj == 0.0) continue;
        const double before = pivot_[j];
        const double after = before + alpha * wj * wj;
        pivot_[j] = after;
        inverse_pivot_[j] = 1.0 / after;
        good = good && right_sign(j);
        const double beta = alpha * wj / after;
        alpha *= before / after;
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p) {
            const double wi = w[row_[p]] - wj * value_[p];
            w[row_[p]] = wi;
            value_[p] += beta * wi;
        }
    }
    return good;
}

bool UpdatedLdl::delete_row(std::int64_t row) {
    const std::int64_t k = inverse_[row];
    for (std::int64_t q = row_start_[k]; q < row_start_[k + 1]; ++q) value_[row_place_[q]] = 0.0;
    const double d = pivot_[k];
    for (std::int64_t p = column_start_[k]; p < column_start_[k + 1]; ++p) {
        work_[row_[p]] = value_[p];
        value_[p] = 0.0;
    }
    pivot_[k] = inverse_pivot_[k] = 1.0;
    active_[k] = 0;
    return rank_one(parent_[k], d);
}

// l12 from L11 D11 l12 = a12, d = a22 - l12' D11 l12, l32 = (a32 - L31 D11 l12) / d, and L33 loses
// d l32 l32'.
bool UpdatedLdl::add_row(std::int64_t row, double diagonal) {
    const std::int64_t k = inverse_[row];
    double* const y = work_.data();
    active_[k] = 1;
    for (std::int64_t q = upper_start_[k]; q < upper_start_[k + 1]; ++q)
        if (active_[upper_row_[q]]) y[upper_row_[q]] = upper_value_[q];
    const double* const below = upper_value_.data() + upper_row_.size();
    for (std::int64_t q = lower_start_[k]; q < lower_start_[k + 1]; ++q)
        if (active_[lower_row_[q]]) y[lower_row_[q]] = below[q];
    double d = diagonal;
    for (std::int64_t q = row_start_[k]; q < row_start_[k + 1]; ++q) {
        const std::int32_t j = row_column_[q];
        const double yj = y[j];
        y[j] = 0.0;
        if (yj == 0.0) continue;
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            y[row_[p]] -= value_[p] * yj;
        const double l = yj / pivot_[j];
        value_[row_place_[q]] = l;
        d -= l * yj;
    }
    y[k] = 0.0;
    pivot_[k] = d;
    inverse_pivot_[k] = 1.0 / d;
    const bool good = right_sign(k);
    for (std::int64_t p = column_start_[k]; p < column_start_[k + 1]; ++p) {
        double& w = y[row_[p]];
        w = good ? w / d : 0.0;
        value_[p] = w;
    }
    return good && rank_one(parent_[k], -d);
}

// W columns j .. j + W - 1 with the same rows of L y = x, from the top.
template <int W>
void UpdatedLdl::forward(std::int64_t j, double* y) const {
    const double* column[W];
    for (int t = 0; t < W; ++t) column[t] = value_.data() + column_start_[j + t] + (W - 1 - t);
    if (W == 2) y[j + W - 1] -= column[0][-1] * y[j];
    const std::int64_t first = column_start_[j + W - 1];
    const std::int64_t count = column_start_[j + W] - first;
    const std::int32_t* const rows = row_.data() + first;
    if (y[j] == 0.0 && y[j + W - 1] == 0.0) return;
    for (std::int64_t i = 0; i < count; ++i) {
        double sum = column[0][i] * y[j];
        if (W == 2) sum += column[W - 1][i] * y[j + W - 1];
        y[rows[i]] -= sum;
    }
}

// The same of D L' y = x, from the bottom.
template <int W>
void UpdatedLdl::backward(std::int64_t j, double* y) const {
    const double* column[W];
    for (int t = 0; t < W; ++t) column[t] = value_.data() + column_start_[j + t] + (W - 1 - t);
    const std::int64_t first = column_start_[j + W - 1];
    const std::int64_t count = column_start_[j + W] - first;
    const std::int32_t* const rows = row_.data() + first;
    double sum[W] = {};
    for (std::int64_t i = 0; i < count; ++i) {
        const double yi = y[rows[i]];
        for (int t = 0; t < W; ++t) sum[t] += column[t][i] * yi;
    }
    y[j + W - 1] = y[j + W - 1] * inverse_pivot_[j + W - 1] - sum[W - 1];
    if (W == 1) return;
    y[j] = y[j] * inverse_pivot_[j] - sum[0] - column[0][-1] * y[j + W - 1];
}

void UpdatedLdl::solve(std::span<double> x) {
    double* const y = work_.data();
    for (std::int64_t k = 0; k < n_; ++k) y[k] = x[permutation_[k]];
    for (std::int64_t j = 0; j < n_;) {
        if (run_end_[j] - j >= 2) {
            forward<2>(j, y);
            j += 2;
        } else {
            forward<1>(j, y);
            j += 1;
        }
    }
    for (std::int64_t j = n_ - 1; j >= 0;) {
        if (j > 0 && run_end_[j - 1] > j) {
            backward<2>(j - 1, y);
            j -= 2;
        } else {
            backward<1>(j, y);
            j -= 1;
        }
    }
    for (std::int64_t k = 0; k < n_; ++k) x[permutation_[k]] = y[k];
    std::fill(work_.begin(), work_.end(), 0.0);
}

double UpdatedLdl::update_cost(std::int64_t row) const {
    double cost = 0.0;
    for (std::int64_t j = inverse_[row]; j >= 0; j = parent_[j])
        cost += 2.0 * static_cast<double>(column_start_[j + 1] - column_start_[j] + 1);
    return cost;
}

}  // namespace perp
