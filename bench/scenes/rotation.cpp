#include "rotation.hpp"

#include <cmath>
#include <cstdint>

namespace perp::scenes {

Quaternion normalized(Quaternion q) {
    const double s = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}

Quaternion exponential(Vec3 angle) {
    // Halved until the series ends early, then squared as often.
    Vec3 half = 0.5 * angle;
    int64_t squarings = 0;
    while (dot(half, half) > 0.0625) {
        half = 0.5 * half;
        ++squarings;
    }
    const double x = -dot(half, half);
    double cosine = 1.0, sine_over_angle = 1.0, term = 1.0;
    for (int64_t k = 1; k <= 8; ++k) {
        const auto even = static_cast<double>(2 * k);
        term *= x / ((even - 1.0) * even);
        cosine += term;
        sine_over_angle += term / (even + 1.0);
    }
    Quaternion q{cosine, sine_over_angle * half.x, sine_over_angle * half.y,
                 sine_over_angle * half.z};
    for (int64_t k = 0; k < squarings; ++k) q = q * q;
    return normalized(q);
}

Axes axes_of(Quaternion q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {Vec3{1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy)},
            Vec3{2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx)},
            Vec3{2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy)}};
}

}  // namespace perp::scenes
