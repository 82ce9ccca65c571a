// Resistance of a ball guideway (Tasora and Anitescu 2013, section 6.2). A ball that rolls at V / 2
// loses 2 rho N w with w = V / (2 R): the carriage is driven with F = (rho / R) sum N + S, whatever
// the angle of the contacts. At rest it sticks below that force.
#include <algorithm>
#include <cmath>
#include <string>

#include "guideway_model.hpp"
#include "paper_experiments.hpp"

namespace perp::scenes {
namespace {

constexpr int64_t driven_steps = 10, free_steps = 40;
constexpr int64_t pushes[] = {50, 95, 105, 150};  // % of the resistance

struct Resistance {
    double force, normals, formula;  // N
};

std::string label_of(bool inclined, bool seal) {
    return std::string(inclined ? "45deg" : "vertical") + (seal ? "_seal" : "");
}

Resistance resistance_of(const GuidewayOptions& options, int64_t steps, StepAccount& account,
                         StepCount& count) {
    Guideway guideway(options);
    guideway.stepper().write_step(count.options(),
                                  "guideway_" + label_of(options.inclined, options.seal > 0.0) +
                                      "_rho_" +
                                      std::to_string(std::llround(1e6 * options.rolling)) + "um",
                                  steps / 2);
    for (int64_t k = 0; k < steps; ++k, count.advance()) guideway.advance();
    account.add(guideway.stepper().account());
    const double normals = guideway.normal_forces();
    return {guideway.drive_force(), normals,
            options.rolling / Guideway::ball_radius * normals + options.seal};
}

void record_driven(Record& record, const std::vector<double>& lengths, int64_t steps,
                   StepAccount& account, StepCount& count) {
    Table table;
    table.file = "guideway-resistance";
    table.columns = {"contacts", "rho_m", "force_N", "normals_N", "formula_N", "zeta_load_N"};
    Plot plot;
    plot.file = "guideway-resistance";
    plot.title = "Force that drives the carriage";
    plot.x_label = "rolling friction length, um";
    plot.y_label = "force, N";
    plot.caption = {
        "On top of the maker's formula rho / R times the load (+ seal) for vertical contacts; for "
        "contacts at 45 degrees the normal forces add up to sqrt(2) times the load."};
    double deviation = 0.0, without_rolling = 0.0;
    for (const bool inclined : {false, true}) {
        for (const bool seal : {false, true}) {
            Curve curve;
            curve.name = std::string(inclined ? "45 degrees" : "vertical") + (seal ? ", seal" : "");
            for (const double rho : lengths) {
                GuidewayOptions options;
                options.inclined = inclined;
                options.seal = seal ? Guideway::published_seal : 0.0;
                options.rolling = rho;
                const Resistance found = resistance_of(options, steps, account, count);
                if (found.formula > 0.0) {
                    deviation =
                        std::max(deviation, std::abs(found.force - found.formula) / found.formula);
                } else {
                    without_rolling = std::max(without_rolling, std::abs(found.force));
                }
                const std::string label = label_of(inclined, seal);
                record.add("guideway_" + label + "_rho_" + std::to_string(std::llround(1e6 * rho)) +
                               "um_N",
                           found.force);
                table.labels.push_back(label);
                table.rows.push_back({rho, found.force, found.normals, found.formula,
                                      rho / Guideway::ball_radius * Guideway::load + options.seal});
                curve.points.emplace_back(1e6 * rho, found.force);
            }
            plot.curves.push_back(std::move(curve));
        }
    }
    record.add("guideway_deviation_relative", deviation);
    record.add("guideway_force_without_rolling_N", without_rolling);
    record.tables.push_back(std::move(table));
    record.plots.push_back(std::move(plot));
}

// A push on the carriage at rest, as a share of what it can hold.
void record_rest(Record& record, int64_t steps, StepAccount& account, StepCount& count) {
    Table table;
    table.file = "guideway-rest";
    table.columns = {"push", "share_of_resistance", "push_N", "speed_m_s", "free_speed_m_s"};
    constexpr double rho = 0.005 * Guideway::ball_radius;
    constexpr double resistance = 0.005 * Guideway::load + Guideway::published_seal;
    for (const int64_t percent : pushes) {
        const double share = 0.01 * static_cast<double>(percent);
        GuidewayOptions options;
        options.rolling = rho;
        options.seal = Guideway::published_seal;
        options.driven = false;
        options.push = share * resistance;
        Guideway guideway(options);
        for (int64_t k = 0; k < steps; ++k, count.advance()) guideway.advance();
        account.add(guideway.stepper().account());
        const double seconds = Guideway::h * static_cast<double>(steps);
        const double free =
            std::max(0.0, share - 1.0) * resistance * seconds / Guideway::carriage_mass;
        const std::string name = "guideway_push_" + std::to_string(percent) + "_percent";
        record.add(name + "_speed_m_s", guideway.carriage_speed());
        table.labels.push_back(name);
        table.rows.push_back({share, options.push, guideway.carriage_speed(), free});
    }
    record.tables.push_back(std::move(table));
}

// One row of balls from the side.
Drawing drawing() {
    constexpr double r = Guideway::ball_radius, half = 5.0 * 7e-3;
    Drawing drawing;
    drawing.file = "guideway";
    drawing.title = "Guideway from the side";
    drawing.shapes.push_back(
        {{{-2 * half, -r}, {2 * half, -r}, {2 * half, -3 * r}, {-2 * half, -3 * r}}, 0.0, 4});
    drawing.shapes.push_back({{{-half, r}, {half, r}, {half, 4 * r}, {-half, 4 * r}}, 0.0, 1});
    for (int64_t k = 0; k < Guideway::balls_in_row; ++k) {
        const double place =
            static_cast<double>(k) - 0.5 * static_cast<double>(Guideway::balls_in_row - 1);
        drawing.shapes.push_back({{{7e-3 * place, 0.0}}, r, 0});
    }
    return drawing;
}

}  // namespace

Record run_guideway(const ExperimentOptions& options) {
    wants_model(options, "cone", {"cone"});
    std::vector<double> lengths = {0.0, 8e-6, 16e-6, 32e-6, 64e-6};
    if (options.rolling >= 0.0) lengths = {options.rolling};
    Record record;
    StepAccount account;
    const int64_t driven = options.steps > 0 ? options.steps : driven_steps;
    const int64_t free = options.steps > 0 ? options.steps : free_steps;
    StepCount count(options, 4 * std::ssize(lengths) * driven + std::ssize(pushes) * free);
    record_driven(record, lengths, driven, account, count);
    record_rest(record, free, account, count);
    account.record(record);
    record.drawings.push_back(drawing());
    record.remarks.emplace_back(
        "The contacts at 45 degrees that the paper describes carry sqrt(2) times the load "
        "together, "
        "so that rho = zeta R gives sqrt(2) times the resistance zeta times load of the maker's "
        "catalogue. (rho / R) times the sum of the normal forces holds for every angle.");
    record.remarks.emplace_back(
        "Pushed below its resistance the carriage does not stand quite still: compliance of "
        "sliding "
        "and rolling rows has no memory, and lets loaded contacts creep.");
    return record;
}

}  // namespace perp::scenes
