#include "rigid_body.hpp"

namespace perp::scenes {
namespace {
constexpr double pi = 3.14159265358979323846;
}

Vec3 RigidBody::inertia_times(Vec3 w) const {
    if (inertia.x == inertia.y && inertia.y == inertia.z) return inertia.x * w;
    const Axes axes = axes_of(orientation);
    const Vec3 v = to_body(axes, w);
    return to_world(axes, {inertia.x * v.x, inertia.y * v.y, inertia.z * v.z});
}

Vec3 RigidBody::inertia_solve(Vec3 momentum) const {
    if (inertia.x == inertia.y && inertia.y == inertia.z) return (1.0 / inertia.x) * momentum;
    const Axes axes = axes_of(orientation);
    const Vec3 v = to_body(axes, momentum);
    return to_world(axes, {v.x / inertia.x, v.y / inertia.y, v.z / inertia.z});
}

RigidBody solid_sphere(double radius, double density) {
    RigidBody body;
    body.geometry.form = Form::sphere;
    body.geometry.radius = radius;
    body.mass = density * (4.0 / 3.0) * pi * radius * radius * radius;
    const double inertia = 0.4 * body.mass * radius * radius;
    body.inertia = {inertia, inertia, inertia};
    return body;
}

RigidBody solid_box(Vec3 half, double density) {
    RigidBody body;
    body.geometry.form = Form::box;
    body.geometry.half = half;
    body.mass = density * 8.0 * half.x * half.y * half.z;
    const double third = body.mass / 3.0;
    body.inertia = {third * (half.y * half.y + half.z * half.z),
                    third * (half.x * half.x + half.z * half.z),
                    third * (half.x * half.x + half.y * half.y)};
    return body;
}

}  // namespace perp::scenes
