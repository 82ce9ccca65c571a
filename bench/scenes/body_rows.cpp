#include "body_rows.hpp"

namespace perp::scenes {
namespace {

// Directions through a body's centre exert no torque: what is computed for them is rounding.
constexpr double rounding = 1e-12;

// Zeros are left out: they are structural (an axis-aligned direction), not accidental.
void add_vector(Triplets& J, int64_t row, int64_t column, Vec3 x) {
    if (x.x != 0.0) J.add(row, column, x.x);
    if (x.y != 0.0) J.add(row, column + 1, x.y);
    if (x.z != 0.0) J.add(row, column + 2, x.z);
}

void add_point(Triplets& J, int64_t row, const BodyPoint& point, double sign, Vec3 direction) {
    if (point.body == ground) return;
    add_vector(J, row, 6 * point.body, sign * direction);
    const Vec3 torque = cross(point.arm, direction);
    if (length(torque) <= rounding * length(point.arm)) return;
    add_vector(J, row, 6 * point.body + 3, sign * torque);
}

}  // namespace

void add_velocity_row(Triplets& J, const BodyPoint& a, const BodyPoint& b, Vec3 direction) {
    const int64_t row = J.rows++;
    add_point(J, row, a, 1.0, direction);
    add_point(J, row, b, -1.0, direction);
}

void add_angular_row(Triplets& J, int64_t a, int64_t b, Vec3 direction) {
    const int64_t row = J.rows++;
    if (a != ground) add_vector(J, row, 6 * a + 3, direction);
    if (b != ground) add_vector(J, row, 6 * b + 3, -direction);
}

}  // namespace perp::scenes
