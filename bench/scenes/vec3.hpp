// Three-vectors, as much as contact geometry needs.
#pragma once

#include <cmath>

namespace perp::scenes {

struct Vec3 {
    double x = 0.0, y = 0.0, z = 0.0;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }

// Normal and two tangents, right-handed.
struct Frame {
    Vec3 n, t1, t2;
};

// t1 is the part of the axis least aligned with n, so that the frame is well conditioned and the
// same for the same n.
inline Frame frame_of(Vec3 n) {
    const double ax = std::abs(n.x), ay = std::abs(n.y), az = std::abs(n.z);
    Vec3 axis{0.0, 0.0, 1.0};
    if (ax <= ay && ax <= az) {
        axis = {1.0, 0.0, 0.0};
    } else if (ay <= az) {
        axis = {0.0, 1.0, 0.0};
    }
    const Vec3 along = axis - dot(axis, n) * n;
    const Vec3 t1 = (1.0 / length(along)) * along;
    return {n, t1, cross(n, t1)};
}

}  // namespace perp::scenes
