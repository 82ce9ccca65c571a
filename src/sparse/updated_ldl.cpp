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
      active_(n_, 0),
      filled_(n_),
      work_(n_, 0.0) {
    for (std::int64_t i = 0; i < n_; ++i) inverse_[permutation_[i]] = i;
    take_upper_triangle(k);
    analyze();
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
        for (std::int64_t q = row_start_[k]; q < row_start_[k + 1]; ++q) {
            const std::int32_t j = row_column_[q];
            const std::int64_t end = filled_[j]++;
            const double yj = y[j];
            y[j] = 0.0;
            if (yj == 0.0) {
                value_[end] = 0.0;
                continue;
            }
            for (std::int64_t p = column_start_[j]; p < end; ++p) y[row_[p]] -= value_[p] * yj;
            const double l = yj / pivot_[j];
            value_[end] = l;
            d -= l * yj;
        }
        pivot_[k] = d;
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
    pivot_[k] = 1.0;
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
    const bool good = right_sign(k);
    for (std::int64_t p = column_start_[k]; p < column_start_[k + 1]; ++p) {
        double& w = y[row_[p]];
        w = good ? w / d : 0.0;
        value_[p] = w;
    }
    return good && rank_one(parent_[k], -d);
}

void UpdatedLdl::solve(std::span<double> x) {
    double* const y = work_.data();
    for (std::int64_t k = 0; k < n_; ++k) y[k] = x[permutation_[k]];
    for (std::int64_t j = 0; j < n_; ++j) {
        const double yj = y[j];
        if (yj == 0.0) continue;
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            y[row_[p]] -= value_[p] * yj;
    }
    for (std::int64_t j = n_ - 1; j >= 0; --j) {
        double sum = y[j] / pivot_[j];
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            sum -= value_[p] * y[row_[p]];
        y[j] = sum;
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
