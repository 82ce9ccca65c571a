// A brick on a slope: below the friction angle it rests, above it slides with g (sin - mu cos).
#include <cmath>

#include "body_experiments.hpp"
#include "mechanism.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

constexpr double mu = 0.5, gravity = 9.81;
constexpr double duration = 1.0;  // s
constexpr double half_height = 0.05;

struct Run {
    double distance = 0.0, speed = 0.0, acceleration = 0.0;  // down the slope
    double creep = 0.0;  // m: distance of the second half of the time
    int64_t unsolved = 0;
};

struct Slope {
    double sine, cosine;
    explicit Slope(double tangent) {
        cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
        sine = tangent * cosine;
    }
};

// `normals`: stiffness, N/m; 0: rigid.
WorldDef slope_def(const std::string& model, double normals) {
    WorldDef def;
    def.h = 1e-3;
    def.mu = mu;
    def.settings.tolerance = 1e-8;
    def.friction.model = model_of(model);
    def.friction.stiffness = 1e6;
    def.normal_stiffness = normals;
    return def;
}

Run slide(const ExperimentOptions& options, const std::string& model, double normals,
          double tangent, const std::string& name, Record& record) {
    const Slope slope(tangent);
    World world(slope_def(model, normals));
    const Vec3 normal{slope.sine, 0.0, slope.cosine}, down{slope.cosine, 0.0, -slope.sine};
    world.add(HalfSpace{normal, 0.0});
    RigidBody brick = solid_box({0.1, 0.06, half_height}, 1000.0);
    brick.position = half_height * normal;
    brick.orientation = normalized({1.0 + slope.cosine, 0.0, slope.sine, 0.0});
    const Vec3 start = brick.position;
    world.add(brick);
    const auto steps =
        options.steps > 0 ? options.steps : static_cast<int64_t>(std::round(duration / 1e-3));
    RunLog log("brick_slope_" + name, 1, name + "_");
    double halfway = 0.0;
    Vec3 middle;
    const int64_t half = steps / 2;
    for (int64_t step = 0; step < steps; ++step) {
        log.note(world, world.step());
        if (step + 1 != half) continue;
        halfway = dot(down, world.bodies()[0].velocity);
        middle = world.bodies()[0].position;
    }
    const RigidBody& end = world.bodies()[0];
    Run run;
    run.distance = dot(down, end.position - start);
    run.unsolved = log.unsolved();
    run.creep = dot(down, end.position - middle);
    run.speed = dot(down, end.velocity);
    run.acceleration = (run.speed - halfway) / (1e-3 * static_cast<double>(steps - half));
    log.finish(record);
    write_chosen_step(options, world, "brick_slope_" + name, steps);
    record.drawings.push_back(side_view(world, "brick_slope_" + name, "brick on a slope, " + name));
    return run;
}

}  // namespace

Record run_brick_slope(const ExperimentOptions& options) {
    std::vector<std::string> models{"cone", "coulomb", "polygon", "box", "bristle"};
    if (!options.model.empty()) models = {options.model};
    Record record;
    const double held = 0.4, sliding = 0.7;  // tangents
    const Slope steep(sliding);
    const double exact = gravity * (steep.sine - mu * steep.cosine);
    record.add("exact_acceleration_m_s2", exact);
    int64_t unsolved = 0;
    for (std::size_t k = 0; k < models.size(); ++k) {
        const std::string& model = models[k];
        if (options.progress)
            options.progress(static_cast<int64_t>(k) + 1, static_cast<int64_t>(models.size()));
        const double normals = model == "bristle" ? 1e7 : 0.0;
        const Run hold = slide(options, model, normals, held, model + "_holds", record);
        record.add(model + "_holds_distance_m", hold.distance);
        record.add(model + "_holds_creep_m", hold.creep);
        record.add(model + "_holds_speed_m_s", hold.speed);
        const Run slip = slide(options, model, normals, sliding, model + "_slides", record);
        record.add(model + "_slides_acceleration_m_s2", slip.acceleration);
        record.add(model + "_slides_acceleration_error_relative", slip.acceleration / exact - 1.0);
        unsolved += hold.unsolved + slip.unsolved;
        if (model != "bristle") continue;
        const Run rigid = slide(options, model, 0.0, held, "bristle_rigid_normals", record);
        unsolved += rigid.unsolved;
        record.add("bristle_rigid_normals_creep_m", rigid.creep);
        const double mass = 1000.0 * 8.0 * 0.1 * 0.06 * half_height;
        record.add("bristle_holds_exact_distance_m",
                   mass * gravity * Slope(held).sine / (4.0 * 1e6));
    }
    record.add("unsolved_steps", static_cast<double>(unsolved));
    record.remarks.emplace_back(
        "The cone law lets a sliding brick float h mu times its speed above the slope.");
    record.remarks.emplace_back(
        "Bristle: normals of 1e7 N/m. On rigid ones any three of the four corners can carry the "
        "brick; where the load jumps, bristles snap, and the brick creeps.");
    return record;
}

}  // namespace perp::scenes
