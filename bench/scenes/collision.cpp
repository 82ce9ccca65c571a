// Spheres and boxes fly together in free space: linear and angular momentum stay, and neither the
// order of the contacts nor which body of a contact comes first matters.
#include <algorithm>
#include <cmath>

#include "body_experiments.hpp"
#include "random.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

// On a lattice, towards its middle, spinning.
void add_bodies(World& world, int64_t count, std::uint64_t seed) {
    Random random(seed, 21);
    int64_t side = 1;
    while (side * side * side < count) ++side;
    const auto place = [&](int64_t k) {
        return 0.5 * (static_cast<double>(k) - 0.5 * static_cast<double>(side - 1)) +
               random.between(-0.05, 0.05);
    };
    const auto spin = [&] { return random.between(-3.0, 3.0); };
    for (int64_t k = 0; k < count; ++k) {
        RigidBody body =
            k % 2 == 0 ? solid_sphere(0.1, 1000.0) : solid_box({0.06, 0.09, 0.12}, 1000.0);
        body.position = {place(k % side), place(k / side % side), place(k / (side * side))};
        body.velocity = -2.0 * body.position;
        body.spin = {spin(), spin(), spin()};
        body.orientation = exponential({spin(), spin(), spin()});
        world.add(body);
    }
}

// v+ of contacts, by a friction handle that knows nothing yet.
std::vector<double> velocity_of(const World& world, const WorldDef& def,
                                const std::vector<ContactPoint>& contacts) {
    World fresh(def);
    StepReport report;
    return fresh.solve(world.problem(contacts), report);
}

double difference(const std::vector<double>& v, const std::vector<double>& w) {
    double largest = 0.0, scale = 0.0;
    for (std::size_t k = 0; k < v.size(); ++k) {
        largest = std::max(largest, std::abs(v[k] - w[k]));
        scale = std::max(scale, std::abs(v[k]));
    }
    return largest / scale;
}

struct OrderChange {
    double order = 0.0, swapped = 0.0;  // of v+, relative to its largest component

    void compare(const World& world, const WorldDef& def) {
        std::vector<ContactPoint> contacts = world.find_contacts();
        if (contacts.size() < 2) return;
        const std::vector<double> v = velocity_of(world, def, contacts);
        std::reverse(contacts.begin(), contacts.end());
        order = std::max(order, difference(v, velocity_of(world, def, contacts)));
        for (ContactPoint& contact : contacts) {
            std::swap(contact.a, contact.b);
            contact.frame = frame_of(-contact.frame.n);
        }
        swapped = std::max(swapped, difference(v, velocity_of(world, def, contacts)));
    }
};

}  // namespace

Record run_collision(const ExperimentOptions& options) {
    WorldDef def;
    def.h = 2e-3;
    def.gravity = {};
    def.mu = 0.4;
    def.settings.tolerance = 1e-12;
    def.settings.max_iterations = 100000;
    def.friction.stiffness = 1e6;
    apply(options, "cone", def);
    World world(def);
    add_bodies(world, options.bodies > 0 ? options.bodies : 27, options.seed);
    const Vec3 linear = world.linear_momentum(), angular = world.angular_momentum();
    double linear_scale = 0.0, angular_scale = 0.0;  // sums of lengths
    for (const RigidBody& body : world.bodies()) {
        linear_scale += body.mass * length(body.velocity);
        angular_scale += length(cross(body.position, body.mass * body.velocity)) +
                         length(body.inertia_times(body.spin));
    }
    const int64_t steps = options.steps > 0 ? options.steps : 500;
    RunLog log("collision");
    OrderChange change;
    double linear_drift = 0.0, angular_drift = 0.0;
    const double kinetic = world.kinetic_energy();
    for (int64_t step = 0; step < steps; ++step) {
        if (options.progress) options.progress(step + 1, steps);
        if (step % std::max<int64_t>(1, steps / 10) == 0) change.compare(world, def);
        log.note(world, world.step());
        linear_drift = std::max(linear_drift, length(world.linear_momentum() - linear));
        angular_drift = std::max(angular_drift, length(world.angular_momentum() - angular));
        if (step + 1 == steps / 2) write_chosen_step(options, world, "collision", step + 1);
    }
    Record record;
    record.add("linear_momentum_drift_relative", linear_drift / linear_scale);
    record.add("angular_momentum_drift_relative", angular_drift / angular_scale);
    record.add("order_change_relative", change.order);
    record.add("swap_change_relative", change.swapped);
    record.add("kinetic_energy_kept", world.kinetic_energy() / kinetic);
    log.finish(record);
    record.drawings.push_back(side_view(world, "collision", "collision, at the end"));
    return record;
}

}  // namespace perp::scenes
