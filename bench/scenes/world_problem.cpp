// The contacts of a world, and the problem of its next step.
#include <algorithm>
#include <cmath>

#include "body_rows.hpp"
#include "neighbours.hpp"
#include "world.hpp"

namespace perp::scenes {
namespace {

// Fields of a contact's id: a below 2^23, partner below 2^24 (bodies, then half spaces), feature
// below 2^16.
constexpr int64_t first_half_space = int64_t{1} << 23;

int64_t id_of(int64_t a, int64_t partner, int64_t feature) {
    return a << 40 | partner << 16 | feature;
}

std::size_t index(int64_t k) { return static_cast<std::size_t>(k); }

}  // namespace

Vec3 World::arm(int64_t body, Vec3 point) const {
    return body == ground ? Vec3{} : point - bodies_[index(body)].position;
}

Vec3 World::velocity_of(int64_t body, Vec3 point) const {
    if (body == ground) return {};
    const RigidBody& of = bodies_[index(body)];
    return of.velocity + cross(of.spin, point - of.position);
}

double World::approach(int64_t a, int64_t b, const TouchPoint& touch) const {
    const Vec3 velocity = velocity_of(a, touch.point) - velocity_of(b, touch.point);
    const double opening = dot(touch.normal, velocity);
    // Under the cone law contacts act that open by less than mu times the sliding speed.
    const bool opens_by_sliding = def_.friction.model == PERP_FRICTION_CONE;
    const double sliding = opens_by_sliding ? length(velocity - opening * touch.normal) : 0.0;
    return std::max(0.0, def_.mu * sliding - opening);
}

void World::append(std::vector<ContactPoint>& contacts, int64_t a, int64_t b, int64_t partner,
                   const TouchPoint& touch) const {
    if (touch.gap >= def_.margin + def_.h * approach(a, b, touch)) return;
    contacts.push_back(
        {a, b, touch.point, frame_of(touch.normal), touch.gap, id_of(a, partner, touch.feature)});
}

std::vector<ContactPoint> World::find_contacts() const {
    std::vector<ContactPoint> contacts;
    std::vector<Vec3> centres;
    std::vector<double> reach, way;  // way: what any point adds to approach() within the step
    for (const RigidBody& body : bodies_) {
        centres.push_back(body.position);
        way.push_back((1.0 + def_.mu) * def_.h *
                      (length(body.velocity) + body.geometry.reach() * length(body.spin)));
        reach.push_back(body.geometry.reach() + way.back());
    }
    std::vector<TouchPoint> points;
    for (const Pair& pair : close_pairs(centres, reach, def_.margin)) {
        points.clear();
        const std::size_t a = index(pair.a), b = index(pair.b);
        touch(bodies_[a], bodies_[b], def_.margin + way[a] + way[b], points);
        for (const TouchPoint& point : points) append(contacts, pair.a, pair.b, pair.b, point);
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        for (std::size_t p = 0; p < half_spaces_.size(); ++p) {
            points.clear();
            touch(bodies_[k], half_spaces_[p], def_.margin + way[k], points);
            const int64_t partner = first_half_space + static_cast<int64_t>(p);
            for (const TouchPoint& point : points)
                append(contacts, static_cast<int64_t>(k), ground, partner, point);
        }
    }
    return contacts;
}

void World::add_bodies(TimeStep& problem) const {
    problem.M.rows = problem.M.cols = problem.n;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const RigidBody& body = bodies_[k];
        const auto first = static_cast<int64_t>(6 * k);
        const std::array<Vec3, 3> inertia{body.inertia_times({1.0, 0.0, 0.0}),
                                          body.inertia_times({0.0, 1.0, 0.0}),
                                          body.inertia_times({0.0, 0.0, 1.0})};
        for (int64_t i = 0; i < 3; ++i) problem.M.add(first + i, first + i, body.mass);
        const std::array<double, 6> lower{inertia[0].x, inertia[0].y, inertia[0].z,
                                          inertia[1].y, inertia[1].z, inertia[2].z};
        std::size_t next = 0;
        for (int64_t j = 3; j < 6; ++j) {
            for (int64_t i = j; i < 6; ++i) {
                const double value = lower[next++];
                if (value == 0.0) continue;  // spheres, boxes along the axes
                problem.M.add(first + i, first + j, value);
                if (i != j) problem.M.add(first + j, first + i, value);
            }
        }
        const Vec3 linear =
            body.mass * body.velocity + def_.h * (body.force + body.mass * def_.gravity);
        const Vec3 angular = body.inertia_times(body.spin) + def_.h * body.torque;
        for (const double x : {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z})
            problem.f.push_back(x);
        for (const Vec3& v : {body.velocity, body.spin}) {
            for (const double x : {v.x, v.y, v.z}) problem.velocity.push_back(x);
        }
    }
}

void World::add_joints(TimeStep& problem) const {
    for (const BallJoint& joint : joints_) {
        const auto arm_of = [&](int64_t body, Vec3 at) {
            return body == ground ? at : to_world(axes_of(bodies_[index(body)].orientation), at);
        };
        const auto centre = [&](int64_t body) {
            return body == ground ? Vec3{} : bodies_[index(body)].position;
        };
        const Vec3 at_a = arm_of(joint.a, joint.at_a), at_b = arm_of(joint.b, joint.at_b);
        const Vec3 error = centre(joint.a) + at_a - centre(joint.b) - at_b;
        for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            add_velocity_row(problem.A, {joint.a, at_a}, {joint.b, at_b}, axis);
            problem.u.push_back(-dot(axis, error) / def_.h);
        }
    }
    for (const VelocityRow& row : rows_) {
        const bool bilateral = std::isinf(row.lo) && std::isinf(row.hi);
        Triplets& J = bilateral ? problem.A : problem.B;
        if (row.angular) {
            add_angular_row(J, row.a, row.b, row.direction);
        } else {
            const Vec3 point = bodies_[index(row.a)].position;
            add_velocity_row(J, {row.a, {}}, {row.b, arm(row.b, point)}, row.direction);
        }
        if (bilateral) {
            problem.u.push_back(row.target);
            continue;
        }
        problem.b_B.push_back(-row.target);
        problem.lo_B.push_back(def_.h * row.lo);
        problem.hi_B.push_back(def_.h * row.hi);
    }
}

void World::add_contact(TimeStep& problem, const ContactPoint& contact) const {
    const Frame& frame = contact.frame;
    const BodyPoint a{contact.a, arm(contact.a, contact.point)};
    const BodyPoint b{contact.b, arm(contact.b, contact.point)};
    add_velocity_row(problem.N, a, b, frame.n);
    for (const Vec3& axis : {frame.t1, frame.t2}) {
        add_velocity_row(problem.D, a, b, axis);
        for (const double x : {axis.x, axis.y, axis.z}) problem.axes.push_back(x);
    }
    problem.b_N.push_back(contact.gap / def_.h);
    if (def_.normal_stiffness > 0.0)
        problem.compliance_N.push_back(1.0 / (def_.h * def_.h * def_.normal_stiffness));
    problem.mu.push_back(def_.mu);
    problem.id.push_back(contact.id);
    if (!(def_.rolling > 0.0 || def_.spinning > 0.0)) return;
    for (const Vec3& axis : {frame.n, frame.t1, frame.t2})
        add_angular_row(problem.S, contact.a, contact.b, axis);
    problem.rho.push_back(def_.rolling);
    problem.sigma.push_back(def_.spinning);
}

TimeStep World::problem(const std::vector<ContactPoint>& contacts) const {
    TimeStep problem;
    problem.title = "a time step";
    problem.h = def_.h;
    problem.n = static_cast<int64_t>(6 * bodies_.size());
    for (Triplets* J : {&problem.A, &problem.N, &problem.D, &problem.S, &problem.B})
        J->cols = problem.n;
    add_bodies(problem);
    add_joints(problem);
    for (const ContactPoint& contact : contacts) add_contact(problem, contact);
    return problem;
}

}  // namespace perp::scenes
