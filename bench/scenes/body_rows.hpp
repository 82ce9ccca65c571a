// Rows of Jacobians: relative velocities of two bodies, each with six velocities in world axes,
// linear, then angular.
#pragma once

#include <cstdint>

#include "scene.hpp"

namespace perp::scenes {

// A point of a body, or of the ground: where it is from the body's centre, in world axes.
struct BodyPoint {
    int64_t body = ground;
    Vec3 arm;
};

// direction . (velocity of the point of a - that of b)
void add_velocity_row(Triplets& J, const BodyPoint& a, const BodyPoint& b, Vec3 direction);
// direction . (angular velocity of a - that of b)
void add_angular_row(Triplets& J, int64_t a, int64_t b, Vec3 direction);

}  // namespace perp::scenes
