#include "contact_points.hpp"

#include <algorithm>
#include <cmath>

namespace perp::scenes {
namespace {

void touch_spheres(const RigidBody& a, const RigidBody& b, double margin,
                   std::vector<TouchPoint>& points) {
    const Vec3 apart = a.position - b.position;
    const double distance = length(apart);
    const double gap = distance - a.geometry.radius - b.geometry.radius;
    if (gap >= margin) return;
    const Vec3 normal = distance > 0.0 ? (1.0 / distance) * apart : Vec3{0.0, 0.0, 1.0};
    points.push_back({b.position + (b.geometry.radius + 0.5 * gap) * normal, normal, gap, 0});
}

// From a centre inside a box out through the nearest face, in the box's frame.
Vec3 nearest_face(Vec3 centre, Vec3 half, double& distance) {
    const double to_x = half.x - std::abs(centre.x), to_y = half.y - std::abs(centre.y);
    const double to_z = half.z - std::abs(centre.z);
    distance = -std::min({to_x, to_y, to_z});
    if (to_x <= to_y && to_x <= to_z) return {centre.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0};
    if (to_y <= to_z) return {0.0, centre.y < 0.0 ? -1.0 : 1.0, 0.0};
    return {0.0, 0.0, centre.z < 0.0 ? -1.0 : 1.0};
}

// The normal points from the box to the sphere.
void touch_sphere_box(const RigidBody& sphere, const RigidBody& box, double margin,
                      std::vector<TouchPoint>& points) {
    const Axes axes = axes_of(box.orientation);
    const Vec3 half = box.geometry.half;
    const Vec3 centre = to_body(axes, sphere.position - box.position);
    const Vec3 nearest{std::clamp(centre.x, -half.x, half.x), std::clamp(centre.y, -half.y, half.y),
                       std::clamp(centre.z, -half.z, half.z)};
    Vec3 normal = centre - nearest;
    double distance = length(normal);
    if (distance > 0.0) {
        normal = (1.0 / distance) * normal;
    } else {
        normal = nearest_face(centre, half, distance);
    }
    const double gap = distance - sphere.geometry.radius;
    if (gap >= margin) return;
    const Vec3 world = to_world(axes, normal);
    points.push_back(
        {sphere.position - (sphere.geometry.radius + 0.5 * gap) * world, world, gap, 0});
}

}  // namespace

void touch(const RigidBody& a, const RigidBody& b, double margin, std::vector<TouchPoint>& points) {
    const bool round_a = a.geometry.form == Form::sphere, round_b = b.geometry.form == Form::sphere;
    if (round_a && round_b) {
        touch_spheres(a, b, margin, points);
    } else if (round_a) {
        touch_sphere_box(a, b, margin, points);
    } else if (round_b) {
        const std::size_t first = points.size();
        touch_sphere_box(b, a, margin, points);
        for (std::size_t k = first; k < points.size(); ++k) points[k].normal = -points[k].normal;
    } else {
        touch_boxes(a, b, margin, points);
    }
}

void touch(const RigidBody& a, const HalfSpace& b, double margin, std::vector<TouchPoint>& points) {
    const double height = dot(b.normal, a.position) - b.offset;
    if (a.geometry.form == Form::sphere) {
        const double gap = height - a.geometry.radius;
        if (gap >= margin) return;
        points.push_back(
            {a.position - (a.geometry.radius + 0.5 * gap) * b.normal, b.normal, gap, 0});
        return;
    }
    if (height - a.geometry.reach() >= margin) return;
    const Axes axes = axes_of(a.orientation);
    const Vec3 half = a.geometry.half;
    for (int64_t corner = 0; corner < 8; ++corner) {
        const Vec3 arm = to_world(
            axes, {(corner & 1) != 0 ? half.x : -half.x, (corner & 2) != 0 ? half.y : -half.y,
                   (corner & 4) != 0 ? half.z : -half.z});
        const double gap = height + dot(b.normal, arm);
        if (gap >= margin) continue;
        points.push_back({a.position + arm - 0.5 * gap * b.normal, b.normal, gap, corner});
    }
}

}  // namespace perp::scenes
