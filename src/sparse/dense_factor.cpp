#include "sparse/dense_factor.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace perp {
namespace {

void check(lapack_int info, const char* routine) {
    if (info < 0)
        fail(Status::internal, "%s refuses argument %d", routine, static_cast<int>(-info));
}

}  // namespace

DenseFactor::DenseFactor(std::int64_t order) {
    reserve(order);
    u_.resize(order * order);
    vt_.resize(order * order);
}

void DenseFactor::reserve(std::int64_t order) {
    if (order <= capacity_) return;
    capacity_ = order;
    factors_.resize(order * order);
    singular_.resize(order);
    work_.resize(64 * order);
    pivots_.resize(order);
    integers_.resize(order);
}

double DenseFactor::factor(std::span<const double> a, std::int64_t order) {
    reserve(order);
    n_ = order;
    if (n_ == 0) return 1.0;
    std::copy_n(a.begin(), n_ * n_, factors_.begin());
    double norm = 0.0;
    for (std::int64_t j = 0; j < n_; ++j) {
        double sum = 0.0;
        for (std::int64_t i = 0; i < n_; ++i) sum += std::abs(a[j * n_ + i]);
        norm = std::max(norm, sum);
    }
    const auto size = static_cast<lapack_int>(n_);
    lapack_int info =
        LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, factors_.data(), size, pivots_.data());
    check(info, "dgetrf");
    if (info > 0) return 0.0;
    double condition = 0.0;
    info = LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', size, factors_.data(), size, norm, &condition,
                               work_.data(), integers_.data());
    check(info, "dgecon");
    return condition > 0.0 ? condition : 0.0;  // a NaN is singular
}

void DenseFactor::solve(std::span<double> x) const {
    if (n_ == 0) return;
    const auto size = static_cast<lapack_int>(n_);
    const auto columns = static_cast<lapack_int>(static_cast<std::int64_t>(x.size()) / n_);
    check(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, columns, factors_.data(), size,
                              pivots_.data(), x.data(), size),
          "dgetrs");
}

bool DenseFactor::decompose(std::span<const double> a, std::int64_t order) {
    reserve(order);
    n_ = order;
    if (static_cast<std::int64_t>(u_.size()) < n_ * n_) {
        u_.resize(n_ * n_);
        vt_.resize(n_ * n_);
    }
    std::copy_n(a.begin(), n_ * n_, factors_.begin());
    const auto size = static_cast<lapack_int>(n_);
    const lapack_int info = LAPACKE_dgesvd_work(
        LAPACK_COL_MAJOR, 'A', 'A', size, size, factors_.data(), size, singular_.data(), u_.data(),
        size, vt_.data(), size, work_.data(), static_cast<lapack_int>(work_.size()));
    check(info, "dgesvd");
    return info == 0;
}

}  // namespace perp
