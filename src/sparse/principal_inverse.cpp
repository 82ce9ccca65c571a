#include "sparse/principal_inverse.hpp"

#include <algorithm>
#include <cmath>

namespace perp {

PrincipalInverse::PrincipalInverse(std::int64_t n)
    : rows_(n), inverse_(n), upper_(n), scratch_(n) {}

void PrincipalInverse::clear() {
    count_ = 0;
    inverted_ = true;
}

// Row c of U is gathered, reduced by the rows above and divided by its pivot. All candidates take
// part as columns; those found dependent never become a row.
void PrincipalInverse::factorize(const DenseMatrix& s, std::span<const std::int32_t> candidates,
                                 double dependent) {
    const auto n = static_cast<std::int64_t>(candidates.size());
    count_ = 0;
    inverted_ = false;
    std::copy(candidates.begin(), candidates.end(), rows_.begin());
    std::int64_t left = n;  // candidates not found dependent so far
    while (count_ < left) {
        const std::int64_t c = count_;
        const double* source = s.row(rows_[c]);
        double* u = upper_.row(c);
        for (std::int64_t j = c; j < left; ++j) u[j] = source[rows_[j]];
        const double diagonal = u[c];
        add_rows(
            u + c, left - c, 0, c, [&](std::int64_t k) { return -upper_.row(k)[c]; },
            [&](std::int64_t k) { return upper_.row(k) + c; });
        if (!(u[c] > dependent * diagonal)) {
            --left;  // close the gap in the columns
            std::copy(rows_.begin() + c + 1, rows_.begin() + left + 1, rows_.begin() + c);
            for (std::int64_t k = 0; k < c; ++k) {
                double* above = upper_.row(k);
                std::copy(above + c + 1, above + left + 1, above + c);
            }
            continue;
        }
        const double root = 1.0 / std::sqrt(u[c]);
        for (std::int64_t j = c + 1; j < left; ++j) u[j] *= root;
        u[c] = root;
        ++count_;
    }
}

// V = U^-T row by row from above, then U^-1 V from below in its place.
void PrincipalInverse::invert() {
    if (inverted_) return;
    const std::int64_t n = count_;
    for (std::int64_t c = 0; c < n; ++c) {
        double* v = inverse_.row(c);
        std::fill(v, v + n, 0.0);
        add_rows(
            v, c, 0, c, [&](std::int64_t k) { return -upper_.row(k)[c]; },
            [&](std::int64_t k) { return inverse_.row(k); });
        v[c] = 1.0;
        const double root = upper_.row(c)[c];
        for (std::int64_t j = 0; j <= c; ++j) v[j] *= root;
    }
    for (std::int64_t c = n - 1; c >= 0; --c) {
        double* v = inverse_.row(c);
        const double* u = upper_.row(c);
        add_rows(
            v, c + 1, c + 1, n, [&](std::int64_t k) { return -u[k]; },
            [&](std::int64_t k) { return inverse_.row(k); });
        for (std::int64_t j = 0; j <= c; ++j) v[j] *= u[c];
    }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i + 1; j < n; ++j) inverse_.row(i)[j] = inverse_.row(j)[i];
    inverted_ = true;
}

void PrincipalInverse::append(std::int32_t i, std::span<const double> g, double d) {
    const std::int64_t n = count_;
    const double over = 1.0 / d;
    const double* __restrict__ from = g.data();
    double* last = inverse_.row(n);
    for (std::int64_t k = 0; k < n; ++k) {
        const double a = from[k] * over;
        double* __restrict__ to = inverse_.row(k);
        to[n] = -a;
        last[k] = -a;
        if (a == 0.0) continue;
        for (std::int64_t j = 0; j < n; ++j) to[j] += a * from[j];
    }
    last[n] = over;
    rows_[n] = i;
    ++count_;
}

void PrincipalInverse::remove(std::int64_t gone) {
    const std::int64_t n = count_;
    double* __restrict__ pivot = scratch_.data();
    std::copy(inverse_.row(gone), inverse_.row(gone) + n, pivot);
    const double over = 1.0 / pivot[gone];
    const std::int64_t last = n - 1;
    if (gone != last) {
        rows_[gone] = rows_[last];
        std::copy(inverse_.row(last), inverse_.row(last) + n, inverse_.row(gone));
        for (std::int64_t k = 0; k < last; ++k) inverse_.row(k)[gone] = inverse_.row(k)[last];
        pivot[gone] = pivot[last];
    }
    for (std::int64_t k = 0; k < last; ++k) {
        const double a = -pivot[k] * over;
        if (a == 0.0) continue;
        double* __restrict__ to = inverse_.row(k);
        for (std::int64_t j = 0; j < last; ++j) to[j] += a * pivot[j];
    }
    count_ = last;
}

void PrincipalInverse::solve(std::span<const double> x, std::span<double> y) const {
    const std::int64_t n = count_;
    if (inverted_) {
        std::fill(y.begin(), y.begin() + n, 0.0);
        add_rows(
            y.data(), n, 0, n, [&](std::int64_t k) { return x[k]; },
            [&](std::int64_t k) { return inverse_.row(k); });
        return;
    }
    std::copy(x.begin(), x.begin() + n, y.begin());
    for (std::int64_t c = 0; c < n; ++c) {
        const double* __restrict__ u = upper_.row(c);
        double* __restrict__ to = y.data();
        to[c] *= u[c];
        for (std::int64_t j = c + 1; j < n; ++j) to[j] -= to[c] * u[j];
    }
    for (std::int64_t c = n - 1; c >= 0; --c) {
        const double* u = upper_.row(c);
        y[c] = (y[c] - dot(u + c + 1, y.data() + c + 1, n - c - 1)) * u[c];
    }
}

}  // namespace perp
