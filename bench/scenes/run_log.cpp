#include "run_log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mechanism.hpp"

namespace perp::scenes {
namespace {

const std::vector<std::string> columns{"time_s",
                                       "kinetic_J",
                                       "potential_J",
                                       "momentum_x_Ns",
                                       "momentum_y_Ns",
                                       "momentum_z_Ns",
                                       "angular_momentum_x_Nms",
                                       "angular_momentum_y_Nms",
                                       "angular_momentum_z_Nms",
                                       "dissipation_J",
                                       "elastic_J",
                                       "eta",
                                       "passes",
                                       "iterations",
                                       "factorizations",
                                       "contacts",
                                       "open",
                                       "stick",
                                       "slip",
                                       "roll",
                                       "search_s",
                                       "build_s",
                                       "system_s",
                                       "step_s",
                                       "solver_s"};

enum Column : std::size_t { time = 0, kinetic = 1, potential = 2, eta = 11, contacts = 15 };

Curve curve_of(const Table& table, const char* name, Column column) {
    Curve curve;
    curve.name = name;
    for (const std::vector<double>& row : table.rows)
        curve.points.emplace_back(row[time], row[column]);
    return curve;
}

using Point = std::pair<double, double>;

double turn(Point a, Point b, Point c) {
    return (b.first - a.first) * (c.second - a.second) -
           (b.second - a.second) * (c.first - a.first);
}

// Convex hull, counterclockwise (Andrew's monotone chain).
std::vector<Point> hull_of(std::vector<Point> points) {
    std::sort(points.begin(), points.end());
    std::vector<Point> hull;
    for (int64_t pass = 0; pass < 2; ++pass) {
        const std::size_t fixed = hull.size();
        for (const Point& p : points) {
            while (hull.size() >= fixed + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0.0)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();  // the first of the other side
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

double median(std::vector<double> sorted) {
    if (sorted.empty()) return 0.0;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
}

}  // namespace

RunLog::RunLog(std::string name, int64_t every, std::string prefix)
    : name_(std::move(name)), prefix_(std::move(prefix)), every_(every) {
    table_.file = name_ + "_steps";
    table_.columns = columns;
}

void RunLog::note(const World& world, const StepReport& report) {
    const perp_step_info& info = report.info;
    const double kinetic_energy = world.kinetic_energy();
    worst_eta_ = std::max(worst_eta_, info.eta);
    largest_kinetic_ = std::max(largest_kinetic_, kinetic_energy);
    energy_scale_ = std::max({energy_scale_, kinetic_energy, world.free_fall_energy()});
    least_dissipation_ =
        steps_ == 0 ? info.dissipation : std::min(least_dissipation_, info.dissipation);
    most_contacts_ = std::max(most_contacts_, report.contacts);
    passes_ += info.passes;
    if (info.outcome != PERP_SOLVED) ++unsolved_;
    if (info.remembered > 0) {
        warm_iterations_.push_back(static_cast<double>(info.iterations));
        warm_factorizations_.push_back(static_cast<double>(info.factorizations));
    }
    const StepTimes& t = report.times;
    times_.search += t.search;
    times_.build += t.build;
    times_.system += t.system;
    times_.step += t.step;
    times_.solver += t.solver;
    if (steps_++ % every_ != 0) return;
    const Vec3 linear = world.linear_momentum(), angular = world.angular_momentum();
    const auto count = [](int64_t k) { return static_cast<double>(k); };
    table_.rows.push_back({world.time(),
                           kinetic_energy,
                           world.potential_energy(),
                           linear.x,
                           linear.y,
                           linear.z,
                           angular.x,
                           angular.y,
                           angular.z,
                           info.dissipation,
                           info.elastic_energy,
                           info.eta,
                           count(info.passes),
                           count(info.iterations),
                           count(info.factorizations),
                           count(report.contacts),
                           count(info.open),
                           count(info.stick),
                           count(info.slip),
                           count(info.roll),
                           t.search,
                           t.build,
                           t.system,
                           t.step,
                           t.solver});
}

void RunLog::finish(Record& record) const {
    const auto add = [&](const char* name, double value) { record.add(prefix_ + name, value); };
    const double steps = std::max(1.0, static_cast<double>(steps_));
    add("steps", static_cast<double>(steps_));
    add("unsolved_steps", static_cast<double>(unsolved_));
    add("worst_eta", worst_eta_);
    add("least_dissipation_relative",
        energy_scale_ > 0.0 ? least_dissipation_ / energy_scale_ : 0.0);
    add("largest_kinetic_J", largest_kinetic_);
    add("largest_contacts", static_cast<double>(most_contacts_));
    add("median_warm_iterations", median(warm_iterations_));
    add("median_warm_factorizations", median(warm_factorizations_));
    add("mean_passes", static_cast<double>(passes_) / steps);
    const double ms = 1e3 / steps;
    add("time_search_ms", ms * times_.search);
    add("time_build_ms", ms * times_.build);
    add("time_system_ms", ms * times_.system);
    add("time_step_ms", ms * times_.step);
    add("time_solver_ms", ms * times_.solver);
    record.tables.push_back(table_);
    record.plots.push_back(
        {name_ + "_energy",
         name_ + ": energy",
         {"Potential energy is counted from z = 0."},
         "time, s",
         "energy, J",
         {curve_of(table_, "kinetic", kinetic), curve_of(table_, "potential", potential)}});
    record.plots.push_back({name_ + "_contacts",
                            name_ + ": contacts",
                            {"Contacts within the margin, open ones included."},
                            "time, s",
                            "contacts",
                            {curve_of(table_, "contacts", contacts)}});
}

void apply(const ExperimentOptions& options, const char* model, WorldDef& def) {
    def.friction.model = model_of(options.model.empty() ? model : options.model);
    const bool cones =
        def.friction.model == PERP_FRICTION_CONE || def.friction.model == PERP_FRICTION_COULOMB;
    if (options.rolling >= 0.0) def.rolling = def.spinning = options.rolling;
    if (!cones) def.rolling = def.spinning = 0.0;
    if (!options.solver.empty())
        def.settings.method = perp_method_from_name(options.solver.c_str());
    if (options.tolerance > 0.0) def.settings.tolerance = options.tolerance;
}

void run_steps(World& world, RunLog& log, const ExperimentOptions& options, int64_t steps) {
    for (int64_t step = 0; step < steps; ++step) {
        if (options.progress) options.progress(step + 1, steps);
        log.note(world, world.step());
    }
}

Drawing side_view(const World& world, std::string file, std::string title) {
    Drawing drawing{std::move(file), std::move(title), {}};
    for (const HalfSpace& side : world.half_spaces()) {
        if (side.normal.y != 0.0 || side.normal.z <= 0.0) continue;  // floors and slopes
        double left = 0.0, right = 0.0;
        for (const RigidBody& body : world.bodies()) {
            left = std::min(left, body.position.x - 2.0 * body.geometry.reach());
            right = std::max(right, body.position.x + 2.0 * body.geometry.reach());
        }
        const auto level = [&](double x) {
            return (side.offset - side.normal.x * x) / side.normal.z;
        };
        const double thick = 0.01 * (right - left);
        drawing.shapes.push_back({{{left, level(left) - thick},
                                   {right, level(right) - thick},
                                   {right, level(right)},
                                   {left, level(left)}},
                                  0.0,
                                  0});
    }
    int64_t number = 0;
    for (const RigidBody& body : world.bodies()) {
        Shape shape;
        shape.colour = static_cast<int>(1 + number++ % 6);
        if (body.geometry.form == Form::sphere) {
            shape.points = {{body.position.x, body.position.z}};
            shape.radius = body.geometry.radius;
        } else {
            const Axes axes = axes_of(body.orientation);
            const Vec3 half = body.geometry.half;
            for (int64_t corner = 0; corner < 8; ++corner) {
                const Vec3 p =
                    body.position + to_world(axes, {(corner & 1) != 0 ? half.x : -half.x,
                                                    (corner & 2) != 0 ? half.y : -half.y,
                                                    (corner & 4) != 0 ? half.z : -half.z});
                shape.points.emplace_back(p.x, p.z);
            }
            shape.points = hull_of(std::move(shape.points));
        }
        drawing.shapes.push_back(std::move(shape));
    }
    return drawing;
}

void write_chosen_step(const ExperimentOptions& options, const World& world,
                       const std::string& name, int64_t step) {
    if (options.folder.empty()) return;
    const std::string path = options.folder + "/" + name + "_" + std::to_string(step) + ".h5";
    world.write_instance(path, name + ", step " + std::to_string(step));
}

}  // namespace perp::scenes
