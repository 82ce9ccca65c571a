// Where two bodies, or a body and a half space, are close to each other: the narrow phase.
#pragma once

#include <cstdint>
#include <vector>

#include "rigid_body.hpp"

namespace perp::scenes {

// A point of contact. The normal points from the second body to the first; the point lies halfway
// between the surfaces; the gap is negative where they overlap.
struct TouchPoint {
    Vec3 point, normal;
    double gap = 0.0;
    int64_t feature = 0;  // which corners, edges and faces: below 2^16, the same from step to step
};

// Appends the points whose gap is below `margin`.
void touch(const RigidBody& a, const RigidBody& b, double margin, std::vector<TouchPoint>& points);
void touch(const RigidBody& a, const HalfSpace& b, double margin, std::vector<TouchPoint>& points);

// Two boxes (box_contact.cpp): faces clipped by faces, at most four points, or two edges.
void touch_boxes(const RigidBody& a, const RigidBody& b, double margin,
                 std::vector<TouchPoint>& points);

}  // namespace perp::scenes
