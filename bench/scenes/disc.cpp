// A disc on a plane that rolling friction stops (Tasora and Anitescu 2013, section 6.1). While it
// rolls without sliding, a = M g rho R / (J + M R^2), whatever mu is.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "mechanism.hpp"
#include "paper_experiments.hpp"

namespace perp::scenes {
namespace {

constexpr double radius = 1.0, mass = 10.0, inertia = 4.0;       // m, kg, kg m^2
constexpr double gravity = 9.8, mu = 0.9, published_rho = 0.02;  // m/s^2, -, m
constexpr double first_speed = 1.0;                              // m/s
constexpr double longest = 100.0;                                // s: no further, where it rolls on

struct Sample {
    double t, x, gap, v, w, normal;  // at the end of a step; w < 0 rolls towards +x
};

struct Start {
    double v, w, gap;
};

struct Case {
    const char* name;
    const char* label;
    const char* model;
    double h;
    Start start;
    bool rolls = true;  // from the start; else it slides first
};

struct Run {
    std::vector<Sample> samples;
    StepAccount account;
};

struct Exact {
    double deceleration, stop_time, distance;
};

Exact exact_of(double rho) {
    const double a = mass * gravity * rho * radius / (inertia + mass * radius * radius);
    return {a, first_speed / a, 0.5 * first_speed * first_speed / a};
}

// Velocities vx, vy, w.
TimeStep constant_parts(double h, double rho) {
    TimeStep step;
    step.h = h;
    step.M = diagonal({mass, mass, inertia});
    add_row(step.N, {0.0, 1.0, 0.0});
    add_row(step.D, {1.0, 0.0, radius});
    add_row(step.S, {0.0, 0.0, 1.0});
    step.mu = {mu};
    step.rho = {rho};
    return step;
}

Stepper stepper_of(const char* model) {
    auto def = initialized(perp_friction_def_init);
    def.model = model_of(model);
    def.pass_tolerance = 1e-12;
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_AUTO;
    settings.tolerance = 1e-13;
    settings.max_iterations = 100000;
    return Stepper(def, settings);
}

Run run_of(const Case& c, int64_t steps, double rho, StepCount& count) {
    const double h = c.h;
    TimeStep step = constant_parts(h, rho);
    const SystemHandle system = make_system(step);
    Stepper stepper = stepper_of(c.model);
    stepper.write_step(count.options(), std::string("disc_") + c.name, steps / 2);
    std::vector<double> v = {c.start.v, 0.0, c.start.w};
    double x = 0.0, gap = c.start.gap;
    Run run;
    for (int64_t k = 0; k < steps; ++k) {
        step.f = {mass * v[0], mass * (v[1] - h * gravity), inertia * v[2]};
        step.b_N = {gap / h};
        step.velocity = v;
        const TimeStepAnswer answer = stepper.step(system.get(), step);
        v = answer.velocity;
        x += h * v[0];
        gap += h * v[1];
        run.samples.push_back(
            {h * static_cast<double>(k + 1), x, gap, v[0], v[2], answer.z[0] / h});
        count.advance();
    }
    run.account = stepper.account();
    return run;
}

constexpr std::size_t first_steps = 10;  // in which the gap forms

// Between the first steps and 5 s.
double deceleration(const Run& run) {
    const Sample& first = run.samples[first_steps - 1];
    const Sample* last = &first;
    for (const Sample& s : run.samples)
        if (s.t <= 5.0 + 1e-9) last = &s;
    return (first.v - last->v) / (last->t - first.t);
}

// The end of the first step at whose end the disc stands; the end of the run if it rolls on.
double stop_time(const Run& run) {
    for (const Sample& s : run.samples)
        if (s.v < 1e-6 * first_speed) return s.t;
    return run.samples.back().t;
}

double largest_gap(const Run& run) {
    double largest = 0.0;
    for (const Sample& s : run.samples) largest = std::max(largest, s.gap);
    return largest;
}

// Largest deviation of the gap from h rho |w|, relative, after the first steps and while it rolls
// faster than a tenth of the start.
double gap_deviation(const Run& run, double h, double rho) {
    double largest = 0.0;
    for (std::size_t k = first_steps; k < run.samples.size(); ++k) {
        const Sample& s = run.samples[k];
        if (s.v < 0.1 * first_speed) break;
        const double expected = h * rho * std::abs(s.w);
        largest = std::max(largest, std::abs(s.gap - expected) / expected);
    }
    return largest;
}

double speed_deviation(const Run& run, const Exact& exact) {
    double largest = 0.0;
    for (const Sample& s : run.samples) {
        const double v = std::max(0.0, first_speed - exact.deceleration * s.t);
        largest = std::max(largest, std::abs(s.v - v));
    }
    return largest;
}

int64_t steps_in_the_air(const Run& run) {
    return std::count_if(run.samples.begin(), run.samples.end(),
                         [](const Sample& s) { return s.normal <= 0.0; });
}

Table table_of(const Case& c, const Run& run) {
    Table table;
    table.file = std::string("disc-") + c.name;
    table.columns = {"t_s", "x_m", "gap_m", "v_m_s", "w_rad_s", "normal_N"};
    for (const Sample& s : run.samples) table.rows.push_back({s.t, s.x, s.gap, s.v, s.w, s.normal});
    return table;
}

class Recorder {
public:
    explicit Recorder(double rho) : rho_(rho) {
        speed_ = plot_of("speed", "Disc under rolling friction", "speed, m/s");
        gap_ = plot_of("gap", "Gap below the disc", "gap, m");
        gap_.caption = {
            "The cone model opens by h rho |w| while the disc rolls; the exact law does not."};
        slip_ = plot_of("slip-gap", "Gap below a disc that starts sliding", "gap, m");
        slip_.caption = {
            "Start at 1 m/s without rotation and without gap: the cone model throws the disc up, "
            "by as much at every length of step."};
    }

    void rolling(const Case& c, const Run& run) {
        const std::string name = std::string("disc_") + c.name;
        if (run.samples.size() > first_steps)
            record_.add(name + "_deceleration_m_s2", deceleration(run));
        record_.add(name + "_stop_time_s", stop_time(run));
        record_.add(name + "_distance_m", run.samples.back().x);
        record_.add(name + "_largest_gap_m", largest_gap(run));
        if (std::string(c.model) == "cone")
            record_.add(name + "_gap_deviation_relative", gap_deviation(run, c.h, rho_));
        record_.add(name + "_speed_deviation_m_s", speed_deviation(run, exact_of(rho_)));
        common(c, run);
        add_curve(speed_, c, run, &Sample::v);
        if (c.h < 0.005) add_curve(gap_, c, run, &Sample::gap);
    }
    void slipping(const Case& c, const Run& run) {
        const std::string name = std::string("disc_") + c.name;
        record_.add(name + "_lift_m", largest_gap(run));
        record_.add(name + "_speed_m_s", run.samples.back().v);
        record_.add(name + "_rotation_rad_s", run.samples.back().w);
        common(c, run);
        add_curve(slip_, c, run, &Sample::gap);
    }
    Record finish() {
        account_.record(record_);
        record_.add("worst_law_residual", account_.worst_law_residual);
        for (Plot* plot : {&speed_, &gap_, &slip_})
            if (!plot->curves.empty()) record_.plots.push_back(std::move(*plot));
        return std::move(record_);
    }
    Record& record() { return record_; }

private:
    static Plot plot_of(const char* file, const char* title, const char* y_label) {
        Plot plot;
        plot.file = std::string("disc-") + file;
        plot.title = title;
        plot.x_label = "time, s";
        plot.y_label = y_label;
        return plot;
    }
    static void add_curve(Plot& plot, const Case& c, const Run& run, double Sample::*value) {
        Curve curve;
        curve.name = c.label;
        for (const Sample& s : run.samples) curve.points.emplace_back(s.t, s.*value);
        plot.curves.push_back(std::move(curve));
    }
    void common(const Case& c, const Run& run) {
        const std::string name = std::string("disc_") + c.name;
        record_.add(name + "_steps_in_the_air", static_cast<double>(steps_in_the_air(run)));
        if (std::string(c.model) == "coulomb")
            record_.add(name + "_most_passes", static_cast<double>(run.account.most_passes));
        account_.add(run.account);
        record_.tables.push_back(table_of(c, run));
    }

    double rho_;
    Record record_;
    Plot speed_, gap_, slip_;
    StepAccount account_;
};

// Circles along the way, every second.
Drawing drawing_of(const Run& run) {
    Drawing drawing;
    drawing.file = "disc-way";
    drawing.title = "Disc every second";
    double next = 0.0;
    for (const Sample& s : run.samples) {
        if (s.t < next) continue;
        drawing.shapes.push_back({{{s.x, radius + s.gap}}, radius, 0});
        next += 1.0;
    }
    const double end = run.samples.back().x + 1.2 * radius;
    drawing.shapes.push_back(
        {{{-1.2 * radius, 0.0}, {end, 0.0}, {end, -0.1}, {-1.2 * radius, -0.1}}, 0.0, 4});
    return drawing;
}

std::vector<Case> cases_of(const ExperimentOptions& options, double rho) {
    const Start rolls{first_speed, -first_speed / radius, 0.0}, slides{first_speed, 0.0, 0.0};
    const auto with_gap = [&](double h) {
        return Start{rolls.v, rolls.w, h * rho * std::abs(rolls.w)};
    };
    const Case all[] = {
        {"cone", "cone, 1 ms", "cone", 1e-3, with_gap(1e-3)},
        {"cone_10ms", "cone, 10 ms", "cone", 1e-2, with_gap(1e-2)},
        {"cone_zero_gap", "cone, 1 ms, no gap at the start", "cone", 1e-3, rolls},
        {"coulomb", "exact law, 1 ms", "coulomb", 1e-3, rolls},
        {"coulomb_10ms", "exact law, 10 ms", "coulomb", 1e-2, rolls},
        {"slip_cone", "cone, 1 ms", "cone", 1e-3, slides, false},
        {"slip_cone_10ms", "cone, 10 ms", "cone", 1e-2, slides, false},
        {"slip_coulomb", "exact law, 1 ms", "coulomb", 1e-3, slides, false},
        {"slip_coulomb_10ms", "exact law, 10 ms", "coulomb", 1e-2, slides, false},
    };
    std::vector<Case> wanted;
    for (const Case& c : all)
        if (wants_model(options, c.model, {"cone", "coulomb"})) wanted.push_back(c);
    return wanted;
}

int64_t steps_of(const Case& c, const ExperimentOptions& options, const Exact& exact) {
    // 8 s with the published length.
    const double seconds = c.rolls ? std::min(1.12 * exact.stop_time, longest) : 1.0;
    const auto steps = static_cast<int64_t>(std::llround(seconds / c.h));
    return options.steps > 0 ? std::min(steps, options.steps) : steps;
}

}  // namespace

Record run_disc(const ExperimentOptions& options) {
    const double rho = options.rolling >= 0.0 ? options.rolling : published_rho;
    if (!(rho > 0.0)) throw std::invalid_argument("disc: a disc without rolling friction rolls on");
    const Exact exact = exact_of(rho);
    Recorder recorder(rho);
    recorder.record().add("disc_exact_deceleration_m_s2", exact.deceleration);
    recorder.record().add("disc_exact_stop_time_s", exact.stop_time);
    recorder.record().add("disc_exact_distance_m", exact.distance);
    const std::vector<Case> cases = cases_of(options, rho);
    int64_t all_steps = 0;
    for (const Case& c : cases) all_steps += steps_of(c, options, exact);
    StepCount count(options, all_steps);
    for (const Case& c : cases) {
        const Run run = run_of(c, steps_of(c, options, exact), rho, count);
        if (c.rolls) {
            recorder.rolling(c, run);
        } else {
            recorder.slipping(c, run);
        }
        if (recorder.record().drawings.empty())
            recorder.record().drawings.push_back(drawing_of(run));
    }
    recorder.record().remarks.emplace_back(
        "The axes of figure 2 of the paper end at 6 s and 3 m, where a disc with the printed "
        "parameters still moves. The analytic motion is what is compared with.");
    return recorder.finish();
}

}  // namespace perp::scenes
