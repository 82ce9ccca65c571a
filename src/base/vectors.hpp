// Sums over vectors.
#pragma once

#include <cmath>
#include <span>

namespace perp {

inline double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

}  // namespace perp
