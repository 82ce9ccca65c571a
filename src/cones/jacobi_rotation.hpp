// The rotation that makes a symmetric 2 x 2 matrix diagonal (Jacobi).
#pragma once

#include <cmath>

namespace perp {

// Of [a b; b d]: the eigenvalues are a - t b with the eigenvector (c, -s), and d + t b with (s, c).
struct JacobiRotation {
    double c = 1.0, s = 0.0, t = 0.0;
    JacobiRotation(double a, double b, double d) {
        if (b == 0.0) return;
        const double phi = 0.5 * (d - a) / b;
        t = (phi >= 0.0 ? 1.0 : -1.0) / (std::abs(phi) + std::sqrt(phi * phi + 1.0));
        c = 1.0 / std::sqrt(t * t + 1.0);
        s = t * c;
    }
};

}  // namespace perp
