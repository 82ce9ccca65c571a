// The wheel of Peiret, Kovecses and Font-Llagunes 2016, section 5: every friction model at 1 kHz
// against Coulomb's exact law at 10 kHz. It slides for two seconds, then rolls.
#include <algorithm>
#include <functional>
#include <string>

#include "paper_experiments.hpp"
#include "wheel_runs.hpp"

namespace perp::scenes {
namespace {

constexpr double h = wheel_step;

void add_figures(Record& record, const WheelRun& run, const WheelDeviation& deviation) {
    const std::string name = std::string("wheel_") + run.variant->name;
    record.add(name + "_rms_window_percent", deviation.rms_window);
    record.add(name + "_rms_run_percent", deviation.rms_run);
    record.add(name + "_angle_sliding_deg", deviation.angle_sliding);
    record.add(name + "_angle_deg", deviation.angle);
    record.add(name + "_position_percent", deviation.position);
    record.add(name + "_energy_J", deviation.energy);
    if (std::string(run.variant->model) != "cone") return;
    double largest = 0.0;
    for (const Wheel::Sample& sample : run.samples) largest = std::max(largest, sample.gap);
    record.add(name + "_largest_gap_m", largest);
}

Table trajectory(const WheelRun& run) {
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

void add_comparison(Record& record, const std::vector<WheelRun>& runs,
                    const WheelSamples& reference) {
    Table table;
    table.file = "wheel-published";
    table.columns = {"model",
                     "rms_published_percent",
                     "rms_percent",
                     "angle_published_deg",
                     "angle_published_exchanged_deg",
                     "angle_deg"};
    for (const Published& paper : published) {
        for (const WheelRun& run : runs) {
            if (std::string(run.variant->name) != paper.variant) continue;
            const WheelDeviation ours = deviation_of(run.samples, reference);
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
        "with no number of directions, axes or bounds tried here are both angles and both forces "
        "as printed. It cannot be proved from the text.");
    record.remarks.emplace_back(
        "The paper does not say how many directions its polygon has (4 fit), which axes polygon "
        "and box have (the world's x and y fit), nor how long the run is (5 s fit). Its 1.67 % "
        "come from the rolling after 2 s, where even the exact law at 1 kHz is that far from the "
        "one at 10 kHz: the window of sliding, 0 to 2 s, is the sharper test.");
}

// How the length of the run that is averaged over matters.
void add_windows(Record& record, const std::vector<WheelRun>& runs, const WheelSamples& reference) {
    Table table;
    table.file = "wheel-windows";
    table.columns = {"seconds"};
    for (const WheelRun& run : runs)
        table.columns.push_back(std::string(run.variant->name) + "_rms_percent");
    for (const int64_t milliseconds : {2000, 2100, 2500, 3000, 4000, 4500, 5000}) {
        const auto count = static_cast<std::size_t>(milliseconds);
        if (count > reference.size()) break;
        std::vector<double> row = {1e-3 * static_cast<double>(milliseconds)};
        for (const WheelRun& run : runs)
            row.push_back(friction_deviation(run.samples, reference, count));
        table.rows.push_back(std::move(row));
    }
    if (!table.rows.empty()) record.tables.push_back(std::move(table));
}

Curve curve(const WheelRun& run, const std::function<double(std::size_t)>& value,
            const std::function<bool(std::size_t)>& counts = nullptr) {
    Curve curve;
    curve.name = run.variant->label;
    for (std::size_t k = 0; k < run.samples.size(); ++k)
        if (!counts || counts(k)) curve.points.emplace_back(h * static_cast<double>(k), value(k));
    return curve;
}

bool is_drawn(const WheelRun& run) {
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
void add_plots(Record& record, const std::vector<WheelRun>& runs, const WheelSamples& reference) {
    Plot force =
        plot_of("friction", "Friction force of the wheel", "|force| / (mu normal), no unit");
    Plot position = plot_of("position-error", "Position error of the wheel", "distance, m");
    Plot energy = plot_of("energy-error", "Energy error of the wheel", "energy, J");
    Plot angle = plot_of("misalignment", "Friction force against the sliding velocity",
                         "angle between them, degrees");
    for (const WheelRun& run : runs) {
        if (!is_drawn(run)) continue;
        const WheelSamples& s = run.samples;
        force.curves.push_back(curve(run, [&](auto k) { return s[k].normalized_friction(); }));
        position.curves.push_back(curve(run, [&](auto k) { return distance(s[k], reference[k]); }));
        energy.curves.push_back(
            curve(run, [&](auto k) { return s[k].energy - reference[k].energy; }));
        angle.curves.push_back(curve(
            run, [&](auto k) { return s[k].misalignment(); },
            [&](auto k) { return s[k].sliding_speed() > wheel_slow && s[k].normal > 0.0; }));
    }
    WheelRun exact;
    const WheelVariant reference_variant{"reference", "exact law at 10 kHz"};
    exact.variant = &reference_variant;
    exact.samples = reference;
    force.curves.push_back(
        curve(exact, [&](auto k) { return reference[k].normalized_friction(); }));
    force.caption = {"As figure 4 of the paper: the wheel slides until 2.007 s, then rolls."};
    position.caption =
        energy.caption = {"As figure 5 of the paper: against the exact law at 10 kHz."};
    angle.caption = {"As figure 5 of the paper: while the contact slides faster than 1e-3 m/s."};
    for (Plot* plot : {&force, &position, &energy, &angle})
        record.plots.push_back(std::move(*plot));
}

std::vector<const WheelVariant*> wanted_variants(const ExperimentOptions& options) {
    std::vector<const WheelVariant*> wanted;
    for (const WheelVariant& variant : wheel_variants())
        if (wants_model(options, variant.model, {"bristle", "polygon", "box", "coulomb", "cone"}))
            wanted.push_back(&variant);
    return wanted;
}

}  // namespace

Record run_wheel(const ExperimentOptions& options) {
    const int64_t steps = options.steps > 0 ? options.steps : 5000;
    constexpr int64_t parts = 10;  // of a step, in the reference
    Record record;
    const std::vector<const WheelVariant*> wanted = wanted_variants(options);
    StepCount count(options, steps * (parts + std::ssize(wanted)));
    const WheelSamples reference = wheel_under_coulomb(h / parts, steps * parts, parts, count);
    for (std::size_t k = 0; k < reference.size(); ++k) {
        if (reference[k].sliding_speed() > wheel_slow) continue;
        record.add("wheel_sliding_ends_s", h * static_cast<double>(k));
        break;
    }
    std::vector<WheelRun> runs;
    StepAccount account;
    for (const WheelVariant* variant : wanted) {
        runs.push_back(wheel_run(*variant, steps, count));
        const WheelRun& run = runs.back();
        account.add(run.account);
        add_figures(record, run, deviation_of(run.samples, reference));
        record.tables.push_back(trajectory(run));
    }
    account.record(record);
    add_comparison(record, runs, reference);
    add_windows(record, runs, reference);
    add_plots(record, runs, reference);
    return record;
}

}  // namespace perp::scenes
