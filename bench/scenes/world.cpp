#include "world.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace perp::scenes {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

Vec3 vector_at(const std::vector<double>& v, std::size_t k) { return {v[k], v[k + 1], v[k + 2]}; }

}  // namespace

World::World(const WorldDef& def) : def_(def), friction_(make_friction(def.friction)) {}

int64_t World::add(const RigidBody& body) {
    bodies_.push_back(body);
    return static_cast<int64_t>(bodies_.size()) - 1;
}

void World::add(const HalfSpace& half_space) { half_spaces_.push_back(half_space); }

void World::add(const BallJoint& joint) { joints_.push_back(joint); }

int64_t World::add(const VelocityRow& row) {
    rows_.push_back(row);
    return static_cast<int64_t>(rows_.size()) - 1;
}

std::vector<double> World::solve(const TimeStep& problem, StepReport& report) {
    auto start = Clock::now();
    const SystemHandle system = make_system(problem);
    report.times.system = seconds_since(start);
    start = Clock::now();
    TimeStepAnswer answer = take_step(friction_.get(), system.get(), problem, def_.settings);
    report.times.step = seconds_since(start);
    report.contacts = problem.contacts();
    report.info = answer.info;
    impulses_ = std::move(answer.z);
    states_ = std::move(answer.states);
    report.times.solver = report.info.setup_seconds + report.info.solve_seconds;
    if (report.info.outcome == PERP_NO_SOLUTION || report.info.outcome == PERP_NUMERICAL_FAILURE) {
        throw std::runtime_error("at " + std::to_string(time_) +
                                 " s: " + perp_outcome_text(report.info.outcome));
    }
    return std::move(answer.velocity);
}

void World::move(const std::vector<double>& velocity) {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        RigidBody& body = bodies_[k];
        body.velocity = vector_at(velocity, 6 * k);
        body.spin = vector_at(velocity, 6 * k + 3);
        const Vec3 momentum = body.inertia_times(body.spin);
        body.position = body.position + def_.h * body.velocity;
        body.orientation = normalized(exponential(def_.h * body.spin) * body.orientation);
        body.spin = body.inertia_solve(momentum);
    }
    time_ += def_.h;
}

StepReport World::step(std::vector<ContactPoint> contacts) {
    StepReport report;
    contacts_ = std::move(contacts);
    const auto start = Clock::now();
    const TimeStep next = problem(contacts_);
    report.times.build = seconds_since(start);
    move(solve(next, report));
    return report;
}

StepReport World::step() {
    const auto start = Clock::now();
    std::vector<ContactPoint> contacts = find_contacts();
    const double search = seconds_since(start);
    StepReport report = step(std::move(contacts));
    report.times.search = search;
    return report;
}

double World::kinetic_energy() const {
    double twice = 0.0;
    for (const RigidBody& body : bodies_) {
        twice += body.mass * dot(body.velocity, body.velocity) +
                 dot(body.spin, body.inertia_times(body.spin));
    }
    return 0.5 * twice;
}

double World::potential_energy() const {
    double energy = 0.0;
    for (const RigidBody& body : bodies_) energy -= body.mass * dot(def_.gravity, body.position);
    return energy;
}

double World::free_fall_energy() const {
    double mass = 0.0;
    for (const RigidBody& body : bodies_) mass += body.mass;
    return 0.5 * mass * def_.h * def_.h * dot(def_.gravity, def_.gravity);
}

Vec3 World::linear_momentum() const {
    Vec3 sum;
    for (const RigidBody& body : bodies_) sum = sum + body.mass * body.velocity;
    return sum;
}

Vec3 World::angular_momentum() const {
    Vec3 sum;
    for (const RigidBody& body : bodies_) {
        sum = sum + cross(body.position, body.mass * body.velocity) + body.inertia_times(body.spin);
    }
    return sum;
}

void World::write_instance(const std::string& path, const std::string& title) const {
    scenes::write_instance(problem(find_contacts()), path, title);
}

}  // namespace perp::scenes
