// Small dense square matrices by columns, by LAPACK. Sizes fit 32 bits.
#pragma once

#include <cstdint>
#include <span>

namespace perp {

// a <- its LU factors with row exchanges. False: a pivot is exactly zero.
bool dense_factor(std::int64_t n, double* a, std::int32_t* pivots);
// Reciprocal condition in the 1-norm, of factors and the norm of the matrix; work 4 n, integers n.
double dense_reciprocal_condition(std::int64_t n, const double* factors, double norm, double* work,
                                  std::int32_t* integers);
// b <- A^-1 b for `columns` right sides.
void dense_solve(std::int64_t n, const double* factors, const std::int32_t* pivots,
                 std::int64_t columns, double* b);
// A = U diag(values) V': u by columns, vt = V' by columns; a is destroyed. False: no convergence.
bool dense_singular_values(std::int64_t n, double* a, double* values, double* u, double* vt,
                           std::span<double> work);

}  // namespace perp
