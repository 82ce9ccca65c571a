// Orientations as unit quaternions, and the exponential map.
#pragma once

#include <array>

#include "vec3.hpp"

namespace perp::scenes {

struct Quaternion {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
};

constexpr Quaternion operator*(Quaternion p, Quaternion q) {
    return {p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
            p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
            p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

Quaternion normalized(Quaternion q);

// The rotation about `angle` (rad, its length) as a quaternion. Only by +, *, so that it is the
// same on every machine.
Quaternion exponential(Vec3 angle);

// The axes of the body in the world: columns of the rotation matrix.
using Axes = std::array<Vec3, 3>;
Axes axes_of(Quaternion q);

// From the body's frame to the world's, and back.
inline Vec3 to_world(const Axes& axes, Vec3 v) {
    return v.x * axes[0] + v.y * axes[1] + v.z * axes[2];
}
inline Vec3 to_body(const Axes& axes, Vec3 v) {
    return {dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)};
}

}  // namespace perp::scenes
