#include "sparse/principal_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perp {
namespace {

// Schur complements relative to the diagonal: below, other candidates come first.
constexpr double nearly_dependent = 1e-2;

}  // namespace

PrincipalInverse::PrincipalInverse(std::int64_t n)
    : rows_(n), inverse_(n), upper_(n), scratch_(n) {}

void PrincipalInverse::clear() {
    count_ = 0;
    inverted_ = true;
}

// Row c of U is gathered, reduced by the rows above and divided by its pivot. Candidates keep
// their order (it may be one of little fill); those nearly dependent on earlier ones wait until
// the others are done, and then come by their Schur complements.
void PrincipalInverse::factorize(const DenseMatrix& s, std::span<const std::int32_t> candidates,
                                 double dependent) {
    const auto n = static_cast<std::int64_t>(candidates.size());
    double* schur = scratch_.data();
    count_ = 0;
    inverted_ = false;
    std::copy(candidates.begin(), candidates.end(), rows_.begin());
    for (std::int64_t j = 0; j < n; ++j) schur[j] = s.row(rows_[j])[rows_[j]];
    const auto share = [&](std::int64_t j) { return schur[j] / s.row(rows_[j])[rows_[j]]; };
    std::int64_t waiting = n;  // from here on
    while (count_ < n) {
        const std::int64_t c = count_;
        if (c < waiting && !(share(c) > nearly_dependent)) {
            swap_candidates(c, --waiting);
            continue;
        }
        if (c >= waiting) {
            std::int64_t best = c;
            for (std::int64_t j = c + 1; j < n; ++j)
                if (share(j) > share(best)) best = j;
            if (!(share(best) > dependent)) break;
            swap_candidates(c, best);
        }
        const double* source = s.row(rows_[c]);
        double* __restrict__ u = upper_.row(c);
        for (std::int64_t j = c; j < n; ++j) u[j] = source[rows_[j]];
        add_rows(
            u + c, n - c, 0, c, [&](std::int64_t k) { return -upper_.row(k)[c]; },
            [&](std::int64_t k) { return upper_.row(k) + c; });
        if (!(u[c] > 0.0)) {  // the running complement hid it
            schur[c] = 0.0;
            if (c >= waiting) break;
            swap_candidates(c, --waiting);
            continue;
        }
        const double root = 1.0 / std::sqrt(u[c]);
        for (std::int64_t j = c + 1; j < n; ++j) {
            u[j] *= root;
            schur[j] -= u[j] * u[j];
        }
        u[c] = root;
        ++count_;
    }
}

void PrincipalInverse::swap_candidates(std::int64_t a, std::int64_t b) {
    std::swap(rows_[a], rows_[b]);
    std::swap(scratch_[a], scratch_[b]);
    for (std::int64_t k = 0; k < count_; ++k) std::swap(upper_.row(k)[a], upper_.row(k)[b]);
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
