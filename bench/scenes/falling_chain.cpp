// A chain of boxes with ball joints between them falls on the ground.
#include <algorithm>

#include "body_experiments.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

constexpr double half_length = 0.08, reach = 0.1;  // m: of a link, and to its joints

double joint_error(const World& world, const std::vector<BallJoint>& joints) {
    double largest = 0.0;
    const auto place = [&](int64_t body, Vec3 at) {
        const RigidBody& of = world.bodies()[static_cast<std::size_t>(body)];
        return of.position + to_world(axes_of(of.orientation), at);
    };
    for (const BallJoint& joint : joints)
        largest =
            std::max(largest, length(place(joint.a, joint.at_a) - place(joint.b, joint.at_b)));
    return largest;
}

}  // namespace

Record run_falling_chain(const ExperimentOptions& options) {
    WorldDef def;
    def.h = 2e-3;
    def.mu = 0.5;
    def.friction.stiffness = 1e6;
    def.settings.tolerance = 1e-6;
    apply(options, "cone", def);
    World world(def);
    world.add(HalfSpace{});
    const int64_t links = options.bodies > 0 ? options.bodies : 20;
    std::vector<BallJoint> joints;
    // A zigzag, inclined 3 : 4, so that it lands end first and folds.
    const Vec3 ways[2] = {{0.8, 0.0, 0.6}, {0.0, 0.8, 0.6}};
    const Quaternion turned[2] = {{1.8, 0.0, -0.6, 0.0}, {1.0, 0.0, -0.6, 0.8}};
    Vec3 end{0.0, 0.0, 0.1};
    for (int64_t k = 0; k < links; ++k) {
        RigidBody link = solid_box({half_length, 0.02, 0.02}, 2000.0);
        link.position = end + reach * ways[k % 2];
        link.orientation = normalized(turned[k % 2]);
        end = end + (reach + reach) * ways[k % 2];
        const int64_t body = world.add(link);
        if (k == 0) continue;
        joints.push_back({body, body - 1, {-reach, 0.0, 0.0}, {reach, 0.0, 0.0}});
        world.add(joints.back());
    }
    const int64_t steps = options.steps > 0 ? options.steps : 1000;
    RunLog log("chain");
    double worst = 0.0;
    for (int64_t step = 0; step < steps; ++step) {
        if (options.progress) options.progress(step + 1, steps);
        log.note(world, world.step());
        worst = std::max(worst, joint_error(world, joints));
        if ((step + 1) % std::max<int64_t>(1, steps / 2) == 0)
            write_chosen_step(options, world, "chain", step + 1);
    }
    Record record;
    record.remarks.emplace_back(
        "While the chain falls freely nothing acts on the joints: eta is then rounding over "
        "rounding, and no solver gets it below some 1e-5.");
    record.add("links", static_cast<double>(links));
    record.add("largest_joint_error_m", worst);
    record.add("final_joint_error_m", joint_error(world, joints));
    record.add("final_kinetic_J", world.kinetic_energy());
    log.finish(record);
    record.drawings.push_back(side_view(world, "chain", "chain on the ground"));
    return record;
}

}  // namespace perp::scenes
