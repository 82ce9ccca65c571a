// Loops over dense rows that compilers turn into vector instructions. Every element is computed in
// one fixed order, so the instruction set does not change results.
#pragma once

#include <cstdint>

namespace perp {

// out[0 .. n) += sum of coefficient(k) * row(k)[0 .. n) over k = first .. last - 1 in this order;
// rows with a zero coefficient are not touched.
template <class Coefficient, class Row>
void add_rows(double* __restrict__ out, std::int64_t n, std::int64_t first, std::int64_t last,
              Coefficient&& coefficient, Row&& row) {
    double a[4];
    const double* from[4];
    int held = 0;  // four at a time: `out` is loaded and stored once
    for (std::int64_t k = first; k < last; ++k) {
        a[held] = coefficient(k);
        if (a[held] == 0.0) continue;
        from[held] = row(k);
        if (++held < 4) continue;
        held = 0;
        const double* __restrict__ p = from[0], * __restrict__ q = from[1];
        const double* __restrict__ s = from[2], * __restrict__ t = from[3];
        const double b = a[0], c = a[1], d = a[2], e = a[3];
        for (std::int64_t j = 0; j < n; ++j)
            out[j] += (b * p[j] + c * q[j]) + (d * s[j] + e * t[j]);
    }
    for (int m = 0; m < held; ++m) {
        const double* __restrict__ p = from[m];
        const double b = a[m];
        for (std::int64_t j = 0; j < n; ++j) out[j] += b * p[j];
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
