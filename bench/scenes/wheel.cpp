// The wheel of Peiret, Kovecses and Font-Llagunes 2016, section 5: every friction model at 1 kHz
// against Coulomb's exact law at 10 kHz. It slides for two seconds, then rolls.
#include <algorithm>
#include <cmath>
#include <string>

#include "paper_experiments.hpp"
#include "wheel_model.hpp"

namespace perp::scenes {
namespace {

using Samples = std::vector<Wheel::Sample>;

constexpr double h = 1e-3;                     // s
constexpr int64_t window = 2000;               // steps in which the wheel slides
constexpr double slow = 1e-3;                  // m/s: slower samples have no direction of sliding
constexpr double sticking_speed = 0.01;        // m/s, as published
constexpr double bristle_stiffness = 1e10;     // N/m, as published
constexpr double first_sliding_speed = 6.342;  // m/s

struct Variant {
    const char* name;
    const char* label;
    const char* model;
    int64_t bounds, axes, facets;
    bool stabilized;  // by the gap; positions then move with the new velocity
    double gap;       // m, at the start
};

constexpr int64_t previous = PERP_BOUNDS_PREVIOUS, iterated = PERP_BOUNDS_ITERATED;
constexpr int64_t world = PERP_AXES_GIVEN;

constexpr Variant variants[] = {
    {"bristle_previous", "bristle", "bristle", previous, world, 4, false, 0.0},
    {"bristle_iterated", "bristle, bounds iterated", "bristle", iterated, world, 4, false, 0.0},
    {"polygon_4", "polygon, 4 directions", "polygon", previous, world, 4, false, 0.0},
    {"polygon_6", "polygon, 6 directions", "polygon", previous, world, 6, false, 0.0},
    {"polygon_8", "polygon, 8 directions", "polygon", previous, world, 8, false, 0.0},
    {"box_previous", "box", "box", previous, world, 4, false, 0.0},
    {"box_iterated", "box, bounds iterated", "box", iterated, world, 4, false, 0.0},
    {"box_sliding_axes", "box along the sliding velocity", "box", previous, PERP_AXES_SLIDING, 4,
     false, 0.0},
    {"coulomb", "exact law", "coulomb", previous, world, 4, false, 0.0},
    {"cone", "cone", "cone", previous, world, 4, true, h* Wheel::mu* first_sliding_speed},
    {"cone_zero_gap", "cone, no gap at the start", "cone", previous, world, 4, true, 0.0},
};

struct Run {
    const Variant* variant = nullptr;
    Samples samples;
    int64_t unsolved = 0;
    double worst_eta = 0.0;
};

perp_friction_def friction_of(const Variant& variant) {
    auto def = initialized(perp_friction_def_init);
    def.model = model_of(variant.model);
    def.bounds = variant.bounds;
    def.axes = variant.axes;
    def.facets = variant.facets;
    def.pass_tolerance = 1e-12;
    def.sticking_speed = sticking_speed;
    def.stiffness = bristle_stiffness;
    return def;
}

Run run_of(const Variant& variant, int64_t steps) {
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_AUTO;
    settings.tolerance = 1e-12;
    settings.max_iterations = 100000;
    Stepper stepper(friction_of(variant), settings);
    Wheel wheel(variant.gap);
    const auto positions = variant.stabilized ? Wheel::Positions::with_new_velocity
                                              : Wheel::Positions::with_old_velocity;
    Run run;
    run.variant = &variant;
    for (int64_t k = 0; k < steps; ++k) {
        const MechanismStep step = wheel.step(h, variant.stabilized);
        const SystemHandle system = make_system(step);
        const MechanismAnswer answer = stepper.step(system.get(), step);
        run.samples.push_back(wheel.advance(step, answer.velocity, answer.z.data(), positions));
    }
    run.unsolved = stepper.unsolved();
    run.worst_eta = stepper.worst_eta();
    return run;
}

// Root mean square of what `value` gives for the first `count` samples that `counts`.
template <class Counts, class Value>
double rms(std::size_t count, Counts counts, Value value) {
    double sum = 0.0;
    int64_t samples = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (!counts(k)) continue;
        sum += value(k) * value(k);
        ++samples;
    }
    return samples > 0 ? std::sqrt(sum / static_cast<double>(samples)) : 0.0;
}

// % of the normalized friction force.
double friction_deviation(const Samples& run, const Samples& reference, std::size_t count) {
    return 100.0 * rms(
                       count, [](std::size_t) { return true; },
                       [&](std::size_t k) {
                           return run[k].normalized_friction() - reference[k].normalized_friction();
                       });
}

// Degrees, of samples that slide faster than `speed`.
double misalignment(const Samples& run, std::size_t count, double speed) {
    return rms(
        count, [&](std::size_t k) { return run[k].sliding_speed() > speed && run[k].normal > 0.0; },
        [&](std::size_t k) { return run[k].misalignment(); });
}

double distance(const Wheel::Sample& a, const Wheel::Sample& b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j)
        sum += (a.centre[j] - b.centre[j]) * (a.centre[j] - b.centre[j]);
    return std::sqrt(sum);
}

struct Deviation {
    double rms_window, rms_run;  // %
    double angle_sliding;        // degrees, in the window and above the sticking speed
    double angle;                // degrees, in the run
    double position;             // % of the way, at the end of the window
    double energy;               // J, same
};

Deviation deviation_of(const Samples& run, const Samples& reference) {
    const std::size_t in_window = std::min(run.size(), static_cast<std::size_t>(window));
    const Wheel::Sample &end = run[in_window - 1], &reference_end = reference[in_window - 1];
    return {friction_deviation(run, reference, in_window),
            friction_deviation(run, reference, run.size()),
            misalignment(run, in_window, sticking_speed),
            misalignment(run, run.size(), slow),
            100.0 * distance(end, reference_end) / distance(reference_end, reference[0]),
            end.energy - reference_end.energy};
}

void add_figures(Record& record, const Run& run, const Deviation& deviation) {
    const std::string name = std::string("wheel_") + run.variant->name;
    record.add(name + "_rms_window_percent", deviation.rms_window);
    record.add(name + "_rms_run_percent", deviation.rms_run);
    record.add(name + "_angle_sliding_deg", deviation.angle_sliding);
    record.add(name + "_angle_deg", deviation.angle);
    record.add(name + "_position_percent", deviation.position);
    record.add(name + "_energy_J", deviation.energy);
    if (!run.variant->stabilized) return;
    double largest = 0.0;
    for (const Wheel::Sample& sample : run.samples) largest = std::max(largest, sample.gap);
    record.add(name + "_largest_gap_m", largest);
}

Table trajectory(const Run& run) {
    Table table;
    table.file = std::string("wheel-") + run.variant->name;
    table.columns = {"t_s",           "x_m",           "y_m",          "z_m",
                     "gap_m",         "normal_N",      "friction_x_N", "friction_y_N",
                     "sliding_x_m_s", "sliding_y_m_s", "energy_J"};
    for (std::size_t k = 0; k < run.samples.size(); ++k) {
        const Wheel::Sample& s = run.samples[k];
        table.rows.push_back({h * static_cast<double>(k), s.centre[0], s.centre[1], s.centre[2],
                              s.gap, s.normal, s.force[0], s.force[1], s.sliding[0], s.sliding[1],
                              s.energy});
    }
    return table;
}

// What the paper prints. We take its angles of polygon and box to be exchanged.
struct Published {
    const char* variant;
    double rms, angle;  // %, degrees
};
constexpr Published published[] = {
    {"bristle_previous", 1.67, 0.7}, {"polygon_4", 3.76, 14.0}, {"box_previous", 9.70, 12.6}};

void add_comparison(Record& record, const std::vector<Run>& runs, const Samples& reference) {
    Table table;
    table.file = "wheel-published";
    table.columns = {"model",
                     "rms_published_percent",
                     "rms_percent",
                     "angle_published_deg",
                     "angle_published_exchanged_deg",
                     "angle_deg"};
    for (const Published& paper : published) {
        for (const Run& run : runs) {
            if (std::string(run.variant->name) != paper.variant) continue;
            const Deviation ours = deviation_of(run.samples, reference);
            const double exchanged = paper.angle == 14.0   ? 12.6
                                     : paper.angle == 12.6 ? 14.0
                                                           : paper.angle;
            table.labels.emplace_back(run.variant->label);
            table.rows.push_back({paper.rms, ours.rms_run, paper.angle, exchanged, ours.angle});
        }
    }
    if (table.rows.empty()) return;
    record.tables.push_back(std::move(table));
    record.remarks.emplace_back(
        "Published for the whole run: bristle 1.67 % and 0.7 degrees, polygon 3.76 % and 14.0, box "
        "9.70 % and 12.6. We take the two angles of polygon and box to be exchanged in the paper: "
        "no number of directions, axes, coordinates or bounds gave the printed order together with "
        "the printed forces. It cannot be proved from the text.");
    record.remarks.emplace_back(
        "The paper does not say how many directions its polygon has (4 fit), which axes polygon "
        "and "
        "box have (the world's x and y fit), nor how long the run is (5 s fit). Its 1.67 % comes "
        "from the rolling after 2 s, where the exact law at 1 kHz differs as much from that at 10 "
        "kHz: the window of sliding, 0 to 2 s, is the sharper test.");
}

Curve curve(const Run& run, const std::function<double(std::size_t)>& value,
            const std::function<bool(std::size_t)>& counts = nullptr) {
    Curve curve;
    curve.name = run.variant->label;
    for (std::size_t k = 0; k < run.samples.size(); ++k)
        if (!counts || counts(k)) curve.points.emplace_back(h * static_cast<double>(k), value(k));
    return curve;
}

bool is_drawn(const Run& run) {
    const std::string name = run.variant->name;
    return name == "bristle_previous" || name == "polygon_4" || name == "box_previous" ||
           name == "cone";
}

Plot plot_of(const char* file, const char* title, const char* y_label) {
    Plot plot;
    plot.file = std::string("wheel-") + file;
    plot.title = title;
    plot.x_label = "time, s";
    plot.y_label = y_label;
    return plot;
}

// Figures 4 and 5 of the paper.
void add_plots(Record& record, const std::vector<Run>& runs, const Samples& reference) {
    Plot force =
        plot_of("friction", "Friction force of the wheel", "|force| / (mu normal), no unit");
    Plot position = plot_of("position-error", "Position error of the wheel", "distance, m");
    Plot energy = plot_of("energy-error", "Energy error of the wheel", "energy, J");
    Plot angle = plot_of("misalignment", "Friction force against the sliding velocity",
                         "angle between them, degrees");
    for (const Run& run : runs) {
        if (!is_drawn(run)) continue;
        const Samples& s = run.samples;
        force.curves.push_back(curve(run, [&](auto k) { return s[k].normalized_friction(); }));
        position.curves.push_back(curve(run, [&](auto k) { return distance(s[k], reference[k]); }));
        energy.curves.push_back(
            curve(run, [&](auto k) { return s[k].energy - reference[k].energy; }));
        angle.curves.push_back(curve(
            run, [&](auto k) { return s[k].misalignment(); },
            [&](auto k) { return s[k].sliding_speed() > slow && s[k].normal > 0.0; }));
    }
    Run exact;
    constexpr Variant reference_variant{"reference", "exact law at 10 kHz", "", 0, 0, 0, false,
                                        0.0};
    exact.variant = &reference_variant;
    exact.samples = reference;
    force.curves.push_back(
        curve(exact, [&](auto k) { return reference[k].normalized_friction(); }));
    force.caption = {"Figure 4 of the paper: the wheel slides until 2.007 s, then rolls."};
    position.caption = energy.caption = {"Figure 5 of the paper: against the exact law at 10 kHz."};
    angle.caption = {"Figure 5 of the paper: while the contact slides faster than 1e-3 m/s."};
    for (Plot* plot : {&force, &position, &energy, &angle})
        record.plots.push_back(std::move(*plot));
}

}  // namespace

Record run_wheel(const ExperimentOptions& options) {
    const int64_t steps = options.steps > 0 ? options.steps : 5000;
    constexpr int64_t parts = 10;  // of a step, in the reference
    Record record;
    const Samples reference = wheel_under_coulomb(h / parts, steps * parts, parts);
    for (std::size_t k = 0; k < reference.size(); ++k) {
        if (reference[k].sliding_speed() > slow) continue;
        record.add("wheel_sliding_ends_s", h * static_cast<double>(k));
        break;
    }
    std::vector<Run> runs;
    int64_t done = 0, unsolved = 0;
    double worst_eta = 0.0;
    for (const Variant& variant : variants) {
        if (options.progress) options.progress(done, steps * std::ssize(variants));
        done += steps;
        if (!wants_model(options, variant.model, {"bristle", "polygon", "box", "coulomb", "cone"}))
            continue;
        runs.push_back(run_of(variant, steps));
        const Run& run = runs.back();
        unsolved += run.unsolved;
        worst_eta = std::max(worst_eta, run.worst_eta);
        add_figures(record, run, deviation_of(run.samples, reference));
        record.tables.push_back(trajectory(run));
    }
    record.add("unsolved_steps", static_cast<double>(unsolved));
    record.add("worst_eta", worst_eta);
    add_comparison(record, runs, reference);
    add_plots(record, runs, reference);
    return record;
}

}  // namespace perp::scenes
