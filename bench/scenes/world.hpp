// A small world of rigid bodies for experiments: finds contacts, makes the problem of a time step,
// has perp_step solve it, and moves the bodies. It sees nothing of perp but perp.h.
//
// Semi-implicit: v+ from the step's problem, then x+ = x + h v+, and orientations by the
// exponential map of h w+. The angular momentum of a body stays while its axes turn: that is the
// gyroscopic term, and free bodies keep their momenta to rounding. Gaps are b_N = gap / h.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "contact_points.hpp"
#include "time_step.hpp"

namespace perp::scenes {

// A point where `a` touches `b`, which may be the ground. frame.n points from b to a.
struct ContactPoint {
    int64_t a = ground, b = ground;
    Vec3 point;
    Frame frame;
    double gap = 0.0;
    int64_t id = 0;  // of the pair and its corners, edges, faces: the same from step to step
};

// Holds a point of a to a point of b, each in its body's frame (of the ground: world).
struct BallJoint {
    int64_t a = ground, b = ground;
    Vec3 at_a, at_b;
};

// A component of the velocity of a against b (linear: of a's centre) is `target`, as far as a force
// (or torque) between lo and hi achieves it: motors, drives, dry friction. Infinite bounds: always,
// as for guides, which are bilateral rows.
struct VelocityRow {
    int64_t a = ground, b = ground;
    Vec3 direction{1.0, 0.0, 0.0};  // world
    bool angular = false;
    double target = 0.0;  // m/s, rad/s
    double lo = -std::numeric_limits<double>::infinity();
    double hi = std::numeric_limits<double>::infinity();  // N, N m
};

struct WorldDef {
    double h = 1e-3;  // s
    Vec3 gravity{0.0, 0.0, -9.81};
    // m: contacts are made where the gap is below the margin, or the law can act within the step.
    double margin = 1e-3;
    double mu = 0.5;
    // N/m, of a contact: implicit springs in the normals, so that redundant contacts share the load
    // and do not jump between answers. 0: rigid.
    double normal_stiffness = 0.0;
    double rolling = 0.0, spinning = 0.0;  // m; rows S where one is positive
    perp_friction_def friction = initialized(perp_friction_def_init);
    perp_settings settings = initialized(perp_settings_init);
    WorldDef() { settings.method = PERP_AUTO; }
};

struct StepTimes {  // s
    double search = 0.0, build = 0.0, system = 0.0, step = 0.0, solver = 0.0;
};

struct StepReport {
    int64_t contacts = 0;
    perp_step_info info = sized<perp_step_info>();
    StepTimes times;
};

class World {
public:
    explicit World(const WorldDef& def);

    int64_t add(const RigidBody& body);  // its number
    void add(const HalfSpace& half_space);
    void add(const BallJoint& joint);
    int64_t add(const VelocityRow& row);  // its number
    [[nodiscard]] const std::vector<RigidBody>& bodies() const { return bodies_; }
    [[nodiscard]] const std::vector<HalfSpace>& half_spaces() const { return half_spaces_; }
    RigidBody& body(int64_t k) { return bodies_[static_cast<std::size_t>(k)]; }
    VelocityRow& row(int64_t k) { return rows_[static_cast<std::size_t>(k)]; }
    WorldDef& def() { return def_; }

    // A whole step. Throws CallFailed, and std::runtime_error where the step has no answer.
    StepReport step();
    // The same with contacts of the caller's.
    StepReport step(std::vector<ContactPoint> contacts);

    // Its parts.
    [[nodiscard]] std::vector<ContactPoint> find_contacts() const;
    [[nodiscard]] TimeStep problem(const std::vector<ContactPoint>& contacts) const;
    // v+; the friction handle then knows this step.
    std::vector<double> solve(const TimeStep& problem, StepReport& report);
    void move(const std::vector<double>& velocity);

    // Of the last step.
    [[nodiscard]] const std::vector<ContactPoint>& contacts() const { return contacts_; }
    [[nodiscard]] const std::vector<double>& impulses() const { return impulses_; }  // rows A ... B
    [[nodiscard]] const std::vector<int8_t>& states() const { return states_; }

    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] double kinetic_energy() const;
    [[nodiscard]] double potential_energy() const;
    // Kinetic energy of all bodies after a step of free fall from rest: the scale at rest.
    [[nodiscard]] double free_fall_energy() const;
    [[nodiscard]] Vec3 linear_momentum() const;
    [[nodiscard]] Vec3 angular_momentum() const;  // about the origin

    // The next step under the cone law, as an instance file. Throws CallFailed.
    void write_instance(const std::string& path, const std::string& title) const;

private:
    void add_bodies(TimeStep& problem) const;
    void add_joints(TimeStep& step) const;
    void add_contact(TimeStep& problem, const ContactPoint& contact) const;
    // m/s: a gap below h times this is one that the contact acts on.
    [[nodiscard]] double approach(int64_t a, int64_t b, const TouchPoint& touch) const;
    void append(std::vector<ContactPoint>& contacts, int64_t a, int64_t b, int64_t partner,
                const TouchPoint& point) const;
    [[nodiscard]] Vec3 velocity_of(int64_t body, Vec3 point) const;
    [[nodiscard]] Vec3 arm(int64_t body, Vec3 point) const;

    WorldDef def_;
    FrictionHandle friction_;
    std::vector<RigidBody> bodies_;
    std::vector<HalfSpace> half_spaces_;
    std::vector<BallJoint> joints_;
    std::vector<VelocityRow> rows_;
    std::vector<ContactPoint> contacts_;
    std::vector<double> impulses_;
    std::vector<int8_t> states_;
    double time_ = 0.0;
};

}  // namespace perp::scenes
