#include "builder.hpp"

#include <utility>

#include "body_rows.hpp"

namespace perp::scenes {
namespace {

constexpr double gravity = 9.81;
}  // namespace

SceneBuilder::SceneBuilder(const std::vector<Body>& bodies, double h, bool angular_rows)
    : bodies_(bodies), angular_rows_(angular_rows) {
    scene_.h = h;
    scene_.n = 6 * static_cast<int64_t>(bodies.size());
    for (Triplets* J : {&scene_.A, &scene_.N, &scene_.D, &scene_.S}) J->cols = scene_.n;
}

void SceneBuilder::add_point_row(Triplets& J, int64_t a, int64_t b, Vec3 point,
                                 Vec3 direction) const {
    const auto arm = [&](int64_t body) {
        return body == ground ? Vec3{} : point - bodies_[static_cast<std::size_t>(body)].position;
    };
    add_velocity_row(J, {a, arm(a)}, {b, arm(b)}, direction);
}

void SceneBuilder::add_ball_joint(int64_t a, int64_t b, Vec3 at) {
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        add_point_row(scene_.A, a, b, at, axis);
        scene_.u.push_back(0.0);
    }
}

void SceneBuilder::add_contact(const Contact& c) {
    const Frame frame = frame_of(c.normal);
    add_point_row(scene_.N, c.a, c.b, c.point, frame.n);
    add_point_row(scene_.D, c.a, c.b, c.point, frame.t1);
    add_point_row(scene_.D, c.a, c.b, c.point, frame.t2);
    scene_.b_N.push_back(c.b_N);
    scene_.mu.push_back(c.mu);
    if (!angular_rows_) return;
    for (const Vec3 axis : {frame.n, frame.t1, frame.t2}) add_angular_row(scene_.S, c.a, c.b, axis);
    scene_.rho.push_back(c.rolling);
    scene_.sigma.push_back(c.rolling);
}

Scene SceneBuilder::finish() {
    scene_.M.rows = scene_.M.cols = scene_.n;
    scene_.f.assign(static_cast<std::size_t>(scene_.n), 0.0);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const Body& body = bodies_[i];
        const double diagonal[6] = {body.mass,      body.mass,      body.mass,
                                    body.inertia.x, body.inertia.y, body.inertia.z};
        const double velocity[6] = {body.velocity.x, body.velocity.y, body.velocity.z,
                                    body.spin.x,     body.spin.y,     body.spin.z};
        for (std::size_t k = 0; k < 6; ++k) {
            const auto column = static_cast<int64_t>(6 * i + k);
            scene_.M.add(column, column, diagonal[k]);
            scene_.f[6 * i + k] = diagonal[k] * velocity[k];
        }
        scene_.f[6 * i + 2] -= scene_.h * body.mass * gravity;
    }
    return std::move(scene_);
}

}  // namespace perp::scenes
