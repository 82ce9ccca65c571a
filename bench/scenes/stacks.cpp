// Boxes on each other: a stack, a stack with a heavy top, and a wall that a ball hits.
#include <algorithm>
#include <cmath>

#include "body_experiments.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

WorldDef resting_def(const ExperimentOptions& options, const char* model, double tolerance) {
    WorldDef def;
    def.h = 2e-3;
    def.margin = 5e-4;
    def.mu = 0.6;
    def.friction.stiffness = 1e7;
    def.settings.tolerance = tolerance;
    apply(options, model, def);
    // Bounds that follow the normal forces need these to be unique: rigid boxes leave them open.
    if (def.friction.model == PERP_FRICTION_BOX || def.friction.model == PERP_FRICTION_BRISTLE)
        def.normal_stiffness = 1e8;
    return def;
}

// Boxes of edge 0.2 m, the top one `heavy` times as dense.
void add_stack(World& world, int64_t boxes, double heavy) {
    world.add(HalfSpace{});
    for (int64_t k = 0; k < boxes; ++k) {
        RigidBody box = solid_box({0.1, 0.1, 0.1}, k + 1 == boxes ? heavy * 1000.0 : 1000.0);
        box.position = {0.0, 0.0, 0.1 + 0.2 * static_cast<double>(k)};
        world.add(box);
    }
}

std::vector<Vec3> positions_of(const World& world) {
    std::vector<Vec3> positions;
    for (const RigidBody& body : world.bodies()) positions.push_back(body.position);
    return positions;
}

// Largest way of the first of the bodies since the start.
double drift(const World& world, const std::vector<Vec3>& start, std::size_t count) {
    double largest = 0.0;
    for (std::size_t k = 0; k < count; ++k)
        largest = std::max(largest, length(world.bodies()[k].position - start[k]));
    return largest;
}

double largest_speed(const World& world) {
    double largest = 0.0;
    for (const RigidBody& body : world.bodies()) largest = std::max(largest, length(body.velocity));
    return largest;
}

double deepest_overlap(const World& world) {
    double deepest = 0.0;
    for (const ContactPoint& contact : world.find_contacts())
        deepest = std::max(deepest, -contact.gap);
    return deepest;
}

Record rest(const ExperimentOptions& options, const std::string& name, World& world,
            int64_t steps) {
    Record record;
    RunLog log(name);
    const std::vector<Vec3> start = positions_of(world);
    run_steps(world, log, options, steps);
    record.add("bodies", static_cast<double>(start.size()));
    record.add("drift_m", drift(world, start, start.size()));
    record.add("final_speed_m_s", largest_speed(world));
    record.add("overlap_m", deepest_overlap(world));
    log.finish(record);
    write_chosen_step(options, world, name, steps);
    record.drawings.push_back(side_view(world, name, name + ", at the end"));
    return record;
}

// Running bond, half bricks at the ends of every second course. Returns the number of bricks.
int64_t add_wall(World& world, int64_t width, int64_t height) {
    const double half_length = 0.125, half_width = 0.06, half_height = 0.0375, joint = 1e-3;
    world.add(HalfSpace{});
    int64_t bricks = 0;
    for (int64_t course = 0; course < height; ++course) {
        const bool shifted = course % 2 == 1;
        const int64_t count = shifted ? width + 1 : width;
        double x = 0.0;
        for (int64_t k = 0; k < count; ++k) {
            const bool half_brick = shifted && (k == 0 || k + 1 == count);
            const double half = half_brick ? 0.5 * (half_length - 0.5 * joint) : half_length;
            RigidBody brick = solid_box({half, half_width, half_height}, 1800.0);
            brick.position = {x + half, 0.0, half_height * static_cast<double>(2 * course + 1)};
            x += 2.0 * half + joint;
            world.add(brick);
            ++bricks;
        }
    }
    return bricks;
}

}  // namespace

Record run_box_stack(const ExperimentOptions& options) {
    World world(resting_def(options, "cone", 1e-6));
    add_stack(world, options.bodies > 0 ? options.bodies : 10, 1.0);
    return rest(options, "box_stack", world, options.steps > 0 ? options.steps : 500);
}

Record run_mass_ratio_stack(const ExperimentOptions& options) {
    World world(resting_def(options, "cone", 1e-6));
    add_stack(world, options.bodies > 0 ? options.bodies : 5, 1000.0);
    return rest(options, "mass_ratio_stack", world, options.steps > 0 ? options.steps : 250);
}

Record run_brick_wall(const ExperimentOptions& options) {
    World world(resting_def(options, "cone", 1e-5));
    const int64_t width = 6;
    const int64_t height = options.bodies > 0 ? std::max<int64_t>(1, options.bodies / width) : 8;
    const int64_t bricks = add_wall(world, width, height);
    const std::vector<Vec3> start = positions_of(world);
    const int64_t steps = options.steps > 0 ? options.steps : 600;
    RunLog standing("brick_wall_standing", 1, "standing_"), hit("brick_wall_hit", 1, "hit_");
    Record record;
    record.add("bricks", static_cast<double>(bricks));
    run_steps(world, standing, options, steps / 3);
    record.add("standing_drift_m", drift(world, start, start.size()));
    record.add("standing_speed_m_s", largest_speed(world));
    write_chosen_step(options, world, "brick_wall", steps / 3);

    RigidBody ball = solid_sphere(0.12, 2000.0);
    ball.position = {0.125 * static_cast<double>(width), -0.25,
                     0.0375 * static_cast<double>(height)};
    ball.velocity = {0.0, 8.0, 0.0};
    world.add(ball);
    run_steps(world, hit, options, steps - steps / 3);
    record.add("hit_largest_way_m", drift(world, start, start.size()));
    record.add("hit_overlap_m", deepest_overlap(world));
    record.add("unsolved_steps", static_cast<double>(standing.unsolved() + hit.unsolved()));
    standing.finish(record);
    hit.finish(record);
    write_chosen_step(options, world, "brick_wall", steps);
    record.drawings.push_back(side_view(world, "brick_wall", "brick wall after the ball"));
    return record;
}

}  // namespace perp::scenes
