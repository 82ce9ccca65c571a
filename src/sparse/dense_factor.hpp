// Small dense matrices by columns: LU factors with row pivoting and their condition, and the
// singular value decomposition for those that are nearly singular (LAPACK).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

class DenseFactor {
public:
    // Matrices of at most `order` rows need no memory later; larger ones grow it.
    explicit DenseFactor(std::int64_t order);

    // A copy of `a` (order x order) is factorized. The reciprocal condition in the 1-norm is
    // returned, 0 where A is singular.
    double factor(std::span<const double> a, std::int64_t order);
    // X <- A^-1 X for all columns of X, with the factors of a regular A.
    void solve(std::span<double> x) const;

    // A = U diag(s) V', s descending. False: it did not converge.
    bool decompose(std::span<const double> a, std::int64_t order);
    [[nodiscard]] double singular_value(std::int64_t k) const { return singular_[k]; }
    [[nodiscard]] double left(std::int64_t i, std::int64_t k) const { return u_[k * n_ + i]; }
    [[nodiscard]] double right(std::int64_t i, std::int64_t k) const { return vt_[i * n_ + k]; }

private:
    void reserve(std::int64_t order);

    std::int64_t n_ = 0, capacity_ = 0;
    std::vector<double> factors_, u_, vt_, singular_, work_;
    std::vector<std::int32_t> pivots_, integers_;
};

}  // namespace perp
