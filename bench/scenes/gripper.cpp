// What is held must not creep: a box between two fingers for a long time, and three feet on a slope
// (bristle model), also where the tangent axes turn from step to step.
#include <algorithm>
#include <cmath>
#include <utility>

#include "body_experiments.hpp"
#include "random.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

constexpr double gravity = 9.81;

// Turns the tangents of contacts about the normal, at random; the law must not notice.
class TurningAxes {
public:
    explicit TurningAxes(std::uint64_t seed) : random_(seed, 11) {}
    StepReport step(World& world, std::vector<ContactPoint> contacts) {
        for (ContactPoint& contact : contacts) {
            const double t = random_.between(-1.0, 1.0);  // tangent of half the angle
            const double cosine = (1.0 - t * t) / (1.0 + t * t), sine = 2.0 * t / (1.0 + t * t);
            Frame& frame = contact.frame;
            const Vec3 t1 = cosine * frame.t1 + sine * frame.t2;
            frame.t2 = cosine * frame.t2 - sine * frame.t1;
            frame.t1 = t1;
        }
        return world.step(std::move(contacts));
    }

private:
    Random random_;
};

struct Held {
    double slip = 0.0;           // m: against the load, at the end
    double creep = 0.0;          // m: after the start
    double largest_speed = 0.0;  // m/s: after the start
    Vec3 place;                  // at the end
};

// ---------------------------------------------------------------- gripper

constexpr double half_box = 0.05, half_finger = 0.02;
constexpr double mu = 0.5, stiffness = 1e6;  // N/m
constexpr double reserve = 20.0;             // capacity over load

RigidBody finger_at(double x) {
    RigidBody finger = solid_box({0.01, half_finger, half_finger}, 5000.0);
    finger.position = {x, 0.0, 0.0};
    return finger;
}

// The box is body 0. One finger stays where it is, the other presses.
void add_gripper(World& world) {
    const RigidBody box = solid_box({half_box, half_box, half_box}, 1000.0);
    world.add(box);
    const double force = reserve * box.mass * gravity / (2.0 * mu);
    for (const double side : {-1.0, 1.0}) {
        const int64_t finger = world.add(finger_at(side * (half_box + 0.01)));
        for (const Vec3 axis : {Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            world.add(VelocityRow{finger, ground, axis});
        for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            world.add(VelocityRow{finger, ground, axis, true});
        VelocityRow drive{finger, ground, {1.0, 0.0, 0.0}};
        if (side > 0.0) drive.target = -0.1;
        drive.lo = side > 0.0 ? -force : -2.0 * force;
        drive.hi = side > 0.0 ? force : 2.0 * force;
        world.add(drive);
    }
}

struct Grip {
    int64_t steps = 0;
    bool turn = false;      // the tangent axes
    double normals = 1e7;   // N/m; 0: rigid
    RunLog* log = nullptr;  // of the long run
    std::vector<std::vector<double>>* path = nullptr;
};

Held hold_box(const ExperimentOptions& options, const Grip& grip) {
    WorldDef def;
    def.h = 1e-3;
    def.mu = mu;
    def.friction.stiffness = stiffness;
    def.normal_stiffness = grip.normals;
    def.settings.tolerance = 1e-10;
    apply(options, "bristle", def);
    World world(def);
    add_gripper(world);
    TurningAxes turning(options.seed);
    Held held;
    const int64_t steps = grip.steps;
    const int64_t start = std::min<int64_t>(steps / 2, 2000);
    double at_start = 0.0;
    for (int64_t step = 0; step < steps; ++step) {
        if (options.progress && grip.log != nullptr) options.progress(step + 1, steps);
        const StepReport report =
            grip.turn ? turning.step(world, world.find_contacts()) : world.step();
        if (grip.log != nullptr) grip.log->note(world, report);
        const RigidBody& box = world.bodies()[0];
        if (grip.path != nullptr && (step < 200 || step % std::max<int64_t>(1, steps / 1000) == 0))
            grip.path->push_back({world.time(), -box.position.z, length(box.velocity)});
        if (step < start) {
            at_start = -box.position.z;
        } else {
            held.largest_speed = std::max(held.largest_speed, length(box.velocity));
        }
    }
    held.place = world.bodies()[0].position;
    held.slip = -held.place.z;
    held.creep = held.slip - at_start;
    if (grip.log != nullptr) write_chosen_step(options, world, "gripper", steps);
    return held;
}

// ---------------------------------------------------------------- three feet on a slope

constexpr double sine = 0.17364817766693033, cosine = 0.984807753012208;  // 10 degrees
constexpr double feet_mass = 2.0, feet_mu = 0.9;

// Feet at the corners of a triangle, 0.05 m below the centre. The slope is level in the world, and
// gravity inclined.
std::vector<ContactPoint> feet_of(const World& world) {
    const RigidBody& body = world.bodies()[0];
    const Axes axes = axes_of(body.orientation);
    std::vector<ContactPoint> contacts;
    for (const Vec3 foot :
         {Vec3{0.1, 0.0, -0.05}, Vec3{-0.05, 0.08, -0.05}, Vec3{-0.05, -0.08, -0.05}}) {
        const Vec3 point = body.position + to_world(axes, foot);
        ContactPoint contact;
        contact.a = 0;
        contact.point = point;
        contact.frame = frame_of({0.0, 0.0, 1.0});
        contact.gap = point.z;
        contact.id = static_cast<int64_t>(contacts.size());
        contacts.push_back(contact);
    }
    return contacts;
}

Held stand(const ExperimentOptions& options, double k, bool turn, int64_t steps, RunLog* log) {
    WorldDef def;
    def.h = 1e-3;
    def.mu = feet_mu;
    def.gravity = {gravity * sine, 0.0, -gravity * cosine};
    def.friction.stiffness = k;
    def.settings.tolerance = 1e-12;
    apply(options, "bristle", def);
    World world(def);
    RigidBody body = solid_box({0.1, 0.08, 0.05}, 1.0);
    body.inertia = (feet_mass / body.mass) * body.inertia;
    body.mass = feet_mass;
    body.position = {0.0, 0.0, 0.05};
    world.add(body);
    TurningAxes turning(options.seed);
    Held held;
    const int64_t start = steps * 9 / 10;
    double at_start = 0.0;
    for (int64_t step = 0; step < steps; ++step) {
        const StepReport report =
            turn ? turning.step(world, feet_of(world)) : world.step(feet_of(world));
        if (log != nullptr) log->note(world, report);
        const RigidBody& now = world.bodies()[0];
        if (step < start) at_start = now.position.x;
        if (step >= start) held.largest_speed = std::max(held.largest_speed, length(now.velocity));
    }
    held.place = world.bodies()[0].position;
    held.slip = held.place.x;
    held.creep = held.slip - at_start;
    return held;
}

}  // namespace

Record run_gripper(const ExperimentOptions& options) {
    const int64_t steps = options.steps > 0 ? options.steps : 100000;
    Record record;
    RunLog log("gripper", std::max<int64_t>(1, steps / 2000));
    Table path{"gripper_box", {"time_s", "slip_m", "speed_m_s"}, {}};
    const Held held = hold_box(options, {steps, false, 1e7, &log, &path.rows});
    const double load = 1000.0 * 8.0 * half_box * half_box * half_box * gravity;
    record.add("steps_held", static_cast<double>(steps));
    record.add("slip_m", held.slip);
    record.add("exact_slip_m", load / (8.0 * stiffness));
    record.add("creep_m", held.creep);
    record.add("largest_speed_after_start_m_s", held.largest_speed);
    const int64_t short_run = std::min<int64_t>(steps, 4000);
    const Held fixed = hold_box(options, {short_run});
    const Held turned = hold_box(options, {short_run, true});
    record.add("turning_axes_change_m", length(turned.place - fixed.place));
    record.add("turning_axes_largest_speed_m_s", turned.largest_speed);
    const Held rigid = hold_box(options, {short_run, false, 0.0});
    record.add("rigid_normals_creep_m", rigid.creep);
    record.add("rigid_normals_largest_speed_m_s", rigid.largest_speed);
    record.remarks.emplace_back(
        "Normals of 1e7 N/m share the grip among the eight contacts. Rigid ones leave open which "
        "contacts carry it: rigid_normals_creep_m and _speed_ are of a shorter run with these.");
    log.finish(record);
    Curve curve{"slip", {}};
    for (const auto& row : path.rows) curve.points.emplace_back(row[0], row[1]);
    record.tables.push_back(std::move(path));
    record.plots.push_back({"gripper_slip",
                            "gripper: slip of the box",
                            {"The first steps are those in which the bristles bend."},
                            "time, s",
                            "slip, m",
                            {std::move(curve)}});
    World picture{WorldDef{}};
    add_gripper(picture);
    record.drawings.push_back(side_view(picture, "gripper", "gripper at the start"));
    return record;
}

Record run_bristle_slope(const ExperimentOptions& options) {
    const int64_t steps = options.steps > 0 ? options.steps : 500;
    Record record;
    int64_t unsolved = 0;
    for (const double k : {1e5, 1e6}) {
        const std::string name = k > 5e5 ? "stiff" : "soft";
        const double exact = feet_mass * gravity * sine / (3.0 * k);
        RunLog log("bristle_slope_" + name, 1, name + "_");
        const Held fixed = stand(options, k, false, steps, &log);
        const Held turned = stand(options, k, true, steps, nullptr);
        unsolved += log.unsolved();
        record.add(name + "_stiffness_N_m", k);
        record.add(name + "_exact_slip_m", exact);
        record.add(name + "_slip_m", fixed.slip);
        record.add(name + "_slip_error_relative", fixed.slip / exact - 1.0);
        record.add(name + "_largest_speed_after_start_m_s", fixed.largest_speed);
        record.add(name + "_turning_axes_slip_error_relative", turned.slip / exact - 1.0);
        record.add(name + "_turning_axes_change_m", length(turned.place - fixed.place));
        record.add(name + "_turning_axes_largest_speed_m_s", turned.largest_speed);
        log.finish(record);
    }
    record.add("unsolved_steps", static_cast<double>(unsolved));
    return record;
}

}  // namespace perp::scenes
