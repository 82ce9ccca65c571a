// Rigid bodies and what they are made of. SI units; velocities and forces in world axes.
#pragma once

#include <cstdint>

#include "rotation.hpp"

namespace perp::scenes {

enum class Form { sphere, box };

struct Geometry {
    Form form = Form::sphere;
    double radius = 0.5;                  // of a sphere
    Vec3 half{0.5, 0.5, 0.5};             // of a box: half the edges, along the body's axes
    [[nodiscard]] double reach() const {  // radius of the bounding sphere
        return form == Form::sphere ? radius : length(half);
    }
};

struct RigidBody {
    double mass = 1.0;
    Vec3 inertia{1.0, 1.0, 1.0};  // principal, about the body's axes
    Vec3 position;                // of the centre of mass and of the geometry
    Quaternion orientation;
    Vec3 velocity, spin;
    Vec3 force, torque;  // applied, beside gravity
    Geometry geometry;

    // Inertia times a vector in world axes, and its inverse.
    [[nodiscard]] Vec3 inertia_times(Vec3 w) const;
    [[nodiscard]] Vec3 inertia_solve(Vec3 momentum) const;
};

// What does not move: all points p with normal . p <= offset.
struct HalfSpace {
    Vec3 normal{0.0, 0.0, 1.0};  // outwards, of length 1
    double offset = 0.0;
};

RigidBody solid_sphere(double radius, double density);
RigidBody solid_box(Vec3 half, double density);

}  // namespace perp::scenes
