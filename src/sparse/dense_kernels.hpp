// Loops over dense rows that compilers turn into vector instructions. Every element is computed in
// one fixed order, so the instruction set does not change results.
#pragma once

#include <cstdint>

namespace perp {

// out[0 .. n) += sum of coefficient(k) * row(k)[0 .. n) over k = first .. last - 1, in this order.
template <class Coefficient, class Row>
void add_rows(double* __restrict__ out, std::int64_t n, std::int64_t first, std::int64_t last,
              Coefficient&& coefficient, Row&& row) {
    std::int64_t k = first;
    for (; k + 4 <= last; k += 4) {  // four at a time: `out` is loaded and stored once
        const double a = coefficient(k), b = coefficient(k + 1);
        const double c = coefficient(k + 2), d = coefficient(k + 3);
        const double* __restrict__ p = row(k);
        const double* __restrict__ q = row(k + 1);
        const double* __restrict__ s = row(k + 2);
        const double* __restrict__ t = row(k + 3);
        for (std::int64_t j = 0; j < n; ++j)
            out[j] += (a * p[j] + b * q[j]) + (c * s[j] + d * t[j]);
    }
    for (; k < last; ++k) {
        const double a = coefficient(k);
        const double* __restrict__ p = row(k);
        for (std::int64_t j = 0; j < n; ++j) out[j] += a * p[j];
    }
}

inline double dot(const double* __restrict__ x, const double* __restrict__ y, std::int64_t n) {
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    std::int64_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (std::int64_t k = 0; k < 4; ++k) sum[k] += x[j + k] * y[j + k];
    double rest = 0.0;
    for (; j < n; ++j) rest += x[j] * y[j];
    return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + rest;
}

}  // namespace perp
