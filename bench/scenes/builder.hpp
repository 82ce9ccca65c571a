// Builds a Scene body by body and contact by contact. Used by the generators only.
#pragma once

#include "scene.hpp"

namespace perp::scenes {

struct Body {
    double mass = 1.0;
    Vec3 inertia{1.0, 1.0, 1.0};  // principal, along the world axes
    Vec3 position;
    Vec3 velocity, spin;  // at the start of the step
};

// A point where `a` rests against `b`. Normal from b to a: positive relative velocity opens.
struct Contact {
    int64_t a = ground, b = ground;
    Vec3 point;  // world
    Vec3 normal;
    double b_N = 0.0;  // m/s: gap / h
    double mu = 0.5;
    double rolling = 0.0;  // m; used when the scene has angular rows
};

class SceneBuilder {
public:
    SceneBuilder(const std::vector<Body>& bodies, double h, bool angular_rows);
    // The point `at` (world) of a and b moves together: three rows.
    void add_ball_joint(int64_t a, int64_t b, Vec3 at);
    void add_contact(const Contact& contact);
    // Fills M and f = M v + h M g. Call last.
    Scene finish();

private:
    void add_point_row(Triplets& J, int64_t a, int64_t b, Vec3 point, Vec3 direction) const;

    const std::vector<Body>& bodies_;
    bool angular_rows_;
    Scene scene_;
};

}  // namespace perp::scenes
