#include "sparse/ldl_factor.hpp"

#include <SuiteSparse_config.h>
extern "C" {  // ldl.h of SuiteSparse 5 does not say so itself
#include <ldl.h>
}

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "sparse/amd_order.hpp"

namespace perp {
namespace {

// SuiteSparse 6 renamed its 64-bit integer; before, it was `long` behind SuiteSparse_long.
#if SUITESPARSE_MAIN_VERSION >= 6
using Long = std::int64_t;
#else
using Long = SuiteSparse_long;
#endif
static_assert(std::is_same_v<Long, std::int64_t>);

}  // namespace

std::int64_t LdlFactor::factorize(const Csr& m) {
    n_ = m.rows;
    permutation_ = amd_order(m);
    inverse_.resize(n_);
    parent_.resize(n_);
    column_start_.resize(n_ + 1);
    diagonal_.resize(n_);
    // Rows of a symmetric matrix are its columns, so the compressed rows serve as they are.
    const std::vector<std::int64_t> index(m.index.begin(), m.index.end());
    std::vector<std::int64_t> count(n_), flag(n_), pattern(n_);
    std::vector<double> y(n_);
    auto* start =
        const_cast<std::int64_t*>(m.start.data());  // LDL reads these, its prototypes lack const
    auto* rows = const_cast<std::int64_t*>(index.data());
    ldl_l_symbolic(n_, start, rows, column_start_.data(), parent_.data(), count.data(), flag.data(),
                   permutation_.data(), inverse_.data());
    row_.resize(column_start_[n_]);
    value_.resize(column_start_[n_]);
    return ldl_l_numeric(n_, start, rows, const_cast<double*>(m.value.data()), column_start_.data(),
                         parent_.data(), count.data(), row_.data(), value_.data(), diagonal_.data(),
                         y.data(), pattern.data(), flag.data(), permutation_.data(),
                         inverse_.data());
}

LdlFactor::LdlFactor(const Csr& m) {
    const std::int64_t reached = factorize(m);
    inverse_root_.resize(n_);
    for (std::int64_t k = 0; k < n_; ++k) {
        const double given = m.at(permutation_[k], permutation_[k]);
        const double rounding = static_cast<double>(n_) * std::numeric_limits<double>::epsilon();
        const bool positive = k < reached && diagonal_[k] > rounding * given;
        if (!positive)
            fail(Status::not_positive_definite,
                 "M is not positive definite: elimination reaches the pivot %.17g at degree of "
                 "freedom %" PRId64 " (0-based)",
                 diagonal_[k], permutation_[k]);
        inverse_root_[k] = 1.0 / std::sqrt(diagonal_[k]);
    }
}

LdlFactor LdlFactor::quasi_definite(const Csr& k, std::int64_t positive) {
    LdlFactor factor;
    const std::int64_t reached = factor.factorize(k);
    for (std::int64_t i = 0; i < k.rows; ++i) {
        const bool upper = factor.permutation_[i] < positive;
        if (i < reached && (upper ? factor.diagonal_[i] > 0.0 : factor.diagonal_[i] < 0.0))
            continue;
        fail(Status::internal, "elimination reaches the pivot %.3g in row %" PRId64,
             factor.diagonal_[i], factor.permutation_[i]);
    }
    return factor;
}

void LdlFactor::solve(std::span<double> x, std::span<double> work) const {
    for (std::int64_t k = 0; k < n_; ++k) work[k] = x[permutation_[k]];
    for (std::int64_t j = 0; j < n_; ++j)
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            work[row_[p]] -= value_[p] * work[j];
    for (std::int64_t j = n_ - 1; j >= 0; --j) {
        double sum = work[j] / diagonal_[j];
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            sum -= value_[p] * work[row_[p]];
        work[j] = sum;
    }
    for (std::int64_t k = 0; k < n_; ++k) x[permutation_[k]] = work[k];
}

void LdlFactor::half(std::span<const std::int32_t> index, std::span<const double> value,
                     std::vector<std::int32_t>& out_index, std::vector<double>& out_value,
                     std::vector<double>& dense, std::vector<std::int64_t>& mark) const {
    out_index.clear();
    out_value.clear();
    for (std::size_t k = 0; k < index.size(); ++k) {
        const std::int64_t at = inverse_[index[k]];
        dense[at] += value[k];
        for (std::int64_t j = at; j != -1 && mark[j] == -1; j = parent_[j]) {
            mark[j] = 0;
            out_index.push_back(static_cast<std::int32_t>(j));
        }
    }
    std::sort(out_index.begin(), out_index.end());  // ascending positions are a topological order
    for (const std::int32_t j : out_index) {
        const double x = dense[j];
        for (std::int64_t p = column_start_[j]; p < column_start_[j + 1]; ++p)
            dense[row_[p]] -= value_[p] * x;
        out_value.push_back(x * inverse_root_[j]);
    }
    for (const std::int32_t j : out_index) {
        dense[j] = 0.0;
        mark[j] = -1;
    }
}

}  // namespace perp
