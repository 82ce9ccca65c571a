#include "sparse/dense_matrix.hpp"

#include <lapacke.h>

#include "base/error.hpp"

namespace perp {
namespace {

void check(lapack_int info, const char* routine) {
    if (info < 0)
        fail(Status::internal, "%s refuses argument %d", routine, static_cast<int>(-info));
}

}  // namespace

bool dense_factor(std::int64_t n, double* a, std::int32_t* pivots) {
    const auto size = static_cast<lapack_int>(n);
    const lapack_int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, a, size, pivots);
    check(info, "dgetrf");
    return info == 0;
}

double dense_reciprocal_condition(std::int64_t n, const double* factors, double norm, double* work,
                                  std::int32_t* integers) {
    const auto size = static_cast<lapack_int>(n);
    double condition = 0.0;
    check(LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', size, factors, size, norm, &condition, work,
                              integers),
          "dgecon");
    return condition;
}

void dense_solve(std::int64_t n, const double* factors, const std::int32_t* pivots,
                 std::int64_t columns, double* b) {
    const auto size = static_cast<lapack_int>(n);
    check(LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, static_cast<lapack_int>(columns),
                              factors, size, pivots, b, size),
          "dgetrs");
}

bool dense_singular_values(std::int64_t n, double* a, double* values, double* u, double* vt,
                           std::span<double> work) {
    const auto size = static_cast<lapack_int>(n);
    const lapack_int info =
        LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', size, size, a, size, values, u, size, vt,
                            size, work.data(), static_cast<lapack_int>(work.size()));
    check(info, "dgesvd");
    return info == 0;
}

}  // namespace perp
