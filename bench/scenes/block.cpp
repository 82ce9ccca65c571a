// A block, as a point mass, that slides to rest on a plane. The convex relaxation of the cone model
// makes it jump off: by u_N = mu |u_T| in the first step, at every length of step. The other models
// leave it on the plane.
#include <algorithm>
#include <cmath>
#include <string>

#include "mechanism.hpp"
#include "paper_experiments.hpp"

namespace perp::scenes {
namespace {

constexpr double mass = 1.0, gravity = 9.81, mu = 0.5, first_speed = 6.0;  // kg, m/s^2, -, m/s

struct Case {
    const char* name;
    const char* label;
    const char* model;
    double h;
    bool gap;  // starts with the gap h mu v that the cone model has while it slides
};

constexpr Case cases[] = {
    {"cone", "cone", "cone", 1e-3, false},
    {"cone_10ms", "cone, 10 ms", "cone", 1e-2, false},
    {"cone_100us", "cone, 0.1 ms", "cone", 1e-4, false},
    {"cone_with_gap", "cone, with gap at the start", "cone", 1e-3, true},
    {"coulomb", "exact law", "coulomb", 1e-3, false},
    {"coulomb_10ms", "exact law, 10 ms", "coulomb", 1e-2, false},
    {"polygon", "polygon, 4 directions", "polygon", 1e-3, false},
    {"box", "box", "box", 1e-3, false},
    {"bristle", "bristle", "bristle", 1e-3, false},
};

struct Sample {
    double t, x, gap, v, normal;  // at the end of a step
};

struct Run {
    std::vector<Sample> samples;
    double first_normal_impulse = 0.0;  // N s
    StepAccount account;
};

Run run_of(const Case& c, int64_t steps, StepCount& count) {
    auto def = initialized(perp_friction_def_init);
    def.model = model_of(c.model);
    def.pass_tolerance = 1e-12;
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_AUTO;
    settings.tolerance = 1e-13;
    settings.max_iterations = 100000;
    Stepper stepper(def, settings);
    stepper.write_step(count.options(), std::string("block_") + c.name, steps / 2);

    TimeStep step;
    step.h = c.h;
    step.M = diagonal({mass, mass, mass});
    add_row(step.N, {0.0, 0.0, 1.0});
    add_row(step.D, {1.0, 0.0, 0.0});
    add_row(step.D, {0.0, 1.0, 0.0});
    step.mu = {mu};
    step.normal_estimate = {mass * gravity};
    const SystemHandle system = make_system(step);

    std::vector<double> v = {first_speed, 0.0, 0.0};
    double x = 0.0, gap = c.gap ? c.h * mu * first_speed : 0.0;
    Run run;
    for (int64_t k = 0; k < steps; ++k) {
        step.f = {mass * v[0], mass * v[1], mass * (v[2] - c.h * gravity)};
        step.b_N = {gap / c.h};
        step.velocity = v;
        const TimeStepAnswer answer = stepper.step(system.get(), step);
        v = answer.velocity;
        x += c.h * v[0];
        gap += c.h * v[2];
        if (k == 0) run.first_normal_impulse = answer.z[0];
        run.samples.push_back({c.h * static_cast<double>(k + 1), x, gap, v[0], answer.z[0] / c.h});
        count.advance();
    }
    run.account = stepper.account();
    return run;
}

// The end of the first step at whose end the block stands; the end of the run if it slides on.
double stop_time(const Run& run) {
    for (const Sample& s : run.samples)
        if (s.v < 1e-6 * first_speed) return s.t;
    return run.samples.back().t;
}

void add_figures(Record& record, const Case& c, const Run& run) {
    const std::string name = std::string("block_") + c.name;
    double lift = 0.0;
    int64_t in_the_air = 0;
    for (const Sample& s : run.samples) {
        lift = std::max(lift, s.gap);
        if (s.normal <= 0.0) ++in_the_air;
    }
    record.add(name + "_lift_m", lift);
    record.add(name + "_stop_time_s", stop_time(run));
    record.add(name + "_distance_m", run.samples.back().x);
    record.add(name + "_first_normal_impulse_N_s", run.first_normal_impulse);
    record.add(name + "_steps_in_the_air", static_cast<double>(in_the_air));
}

Table table_of(const Case& c, const Run& run) {
    Table table;
    table.file = std::string("block-") + c.name;
    table.columns = {"t_s", "x_m", "gap_m", "v_m_s", "normal_N"};
    for (const Sample& s : run.samples) table.rows.push_back({s.t, s.x, s.gap, s.v, s.normal});
    return table;
}

Plot plot_of(const char* file, const char* title, const char* y_label) {
    Plot plot;
    plot.file = std::string("block-") + file;
    plot.title = title;
    plot.x_label = "time, s";
    plot.y_label = y_label;
    return plot;
}

void add_curve(Plot& plot, const Case& c, const Run& run, double Sample::*value) {
    Curve curve;
    curve.name = c.label;
    for (const Sample& s : run.samples) curve.points.emplace_back(s.t, s.*value);
    plot.curves.push_back(std::move(curve));
}

std::vector<Case> cases_of(const ExperimentOptions& options) {
    std::vector<Case> wanted;
    for (const Case& c : cases)
        if (wants_model(options, c.model, {"cone", "coulomb", "polygon", "box", "bristle"}))
            wanted.push_back(c);
    return wanted;
}

int64_t steps_of(const Case& c, const ExperimentOptions& options) {
    constexpr double seconds = 1.3;
    const auto steps = static_cast<int64_t>(std::llround(seconds / c.h));
    return options.steps > 0 ? std::min(steps, options.steps) : steps;
}

}  // namespace

Record run_block(const ExperimentOptions& options) {
    constexpr double stop = first_speed / (mu * gravity);
    Record record;
    record.add("block_exact_stop_time_s", stop);
    record.add("block_exact_distance_m", 0.5 * first_speed * stop);
    Plot gap = plot_of("gap", "Gap below a sliding block", "gap, m");
    gap.caption = {
        "The cone model throws a block that slides off the plane when it starts without gap, by as "
        "much at every length of step. It still stops when it should."};
    Plot speed = plot_of("speed", "Block that slides to rest", "speed, m/s");
    const std::vector<Case> wanted = cases_of(options);
    int64_t all_steps = 0;
    for (const Case& c : wanted) all_steps += steps_of(c, options);
    StepCount count(options, all_steps);
    StepAccount account;
    for (const Case& c : wanted) {
        const Run run = run_of(c, steps_of(c, options), count);
        add_figures(record, c, run);
        account.add(run.account);
        record.tables.push_back(table_of(c, run));
        add_curve(speed, c, run, &Sample::v);
        if (std::string(c.model) == "cone" || std::string(c.model) == "coulomb")
            add_curve(gap, c, run, &Sample::gap);
    }
    account.record(record);
    if (!gap.curves.empty()) record.plots.push_back(std::move(gap));
    record.plots.push_back(std::move(speed));
    return record;
}

}  // namespace perp::scenes
