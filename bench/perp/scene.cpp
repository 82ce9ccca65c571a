// perp scene: run the experiments of bench/scenes and write what they record.
#include <perp/perp.h>
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "scene_report.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct SceneOptions {
    std::string name, out, progress = "auto";
    bool json = false;
    scenes::ExperimentOptions experiment;
};

class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted, nothing is written") {}
};

std::string list_text() {
    std::size_t width = 0;
    for (const scenes::Experiment& experiment : scenes::experiments())
        width = std::max(width, std::string(experiment.name).size());
    std::string text;
    for (const scenes::Experiment& experiment : scenes::experiments())
        text += "  " + padded(experiment.name, width) + "  " + experiment.about + "\n";
    return text;
}

const scenes::Experiment& experiment_of(const std::string& name) {
    for (const scenes::Experiment& experiment : scenes::experiments())
        if (name == experiment.name) return experiment;
    throw std::invalid_argument("scene: there is no experiment \"" + name +
                                "\"; perp scene list tells them");
}

// A step that was not solved is an answer that is not there, whatever the figures say.
int exit_code(const SceneRun& run) {
    for (const scenes::Figure& figure : run.record.figures) {
        if (figure.name != "unsolved_steps" || figure.value == 0.0) continue;
        std::cerr << "perp: " << short_number(figure.value) << " steps were not solved\n";
        return exit_not_solved;
    }
    return exit_ok;
}

int run_scene(const SceneOptions& options) {
    if (options.name == "list") {
        std::cout << list_text();
        return exit_ok;
    }
    SceneRun run;
    run.experiment = &experiment_of(options.name);
    run.options = options.experiment;
    run.options.folder = options.out;
    const OutputFolder out(options.out);
    ProgressLine line(ProgressLine::mode_of(options.progress));
    const InterruptGuard guard;
    run.options.progress = [&line](int64_t step, int64_t steps) {
        if (interrupted()) throw Interrupted();
        if (line.due()) line.draw("step " + std::to_string(step) + " of " + std::to_string(steps));
    };
    const auto start = std::chrono::steady_clock::now();
    try {
        run.record = run.experiment->run(run.options);
    } catch (const Interrupted& error) {
        line.clear();
        std::cerr << "perp: " << error.what() << '\n';
        return exit_not_solved;
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    line.clear();
    write_files(run, out);
    if (options.json) {
        std::cout << json_text(run);
    } else {
        std::cout << table_text(run);
        if (out.wanted()) {
            std::cout << "\nWritten to " << options.out
                      << ": figures.json, tables (CSV), plots and drawings (SVG)\n";
        }
    }
    return exit_code(run);
}

void add_experiment_options(CLI::App& command, scenes::ExperimentOptions& options) {
    command
        .add_option("--bodies", options.bodies,
                    "Number of bodies, where the experiment can vary it (default: its own)")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000}));
    command.add_option("--steps", options.steps, "Time steps (default: those of the experiment)")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000000}));
    command
        .add_option("--rolling", options.rolling,
                    "Rolling and spinning friction length, m (default: that of the experiment)")
        ->check(CLI::NonNegativeNumber);
    command
        .add_option("--model", options.model,
                    "Friction model: cone, coulomb, polygon, box, bristle (default: those of the\n"
                    "experiment; where it compares models: this one alone)")
        ->check(CLI::IsMember({"cone", "coulomb", "polygon", "box", "bristle"}));
    command
        .add_option(
            "--solver", options.solver,
            "Solver of the steps, in experiments with bodies (default: what fits the model)")
        ->check([](const std::string& name) {
            return perp_method_from_name(name.c_str()) > 0 ? std::string()
                                                           : "there is no solver " + name;
        });
    command
        .add_option("--tol", options.tolerance,
                    "Tolerance on eta of such experiments (default: that of the experiment)")
        ->check(CLI::PositiveNumber);
    command
        .add_option("--seed", options.seed,
                    "Seed of the random numbers; the same seed, the same experiment")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
}

}  // namespace

void add_scene(CLI::App& app, Action& action) {
    auto options = std::make_shared<SceneOptions>();
    CLI::App* command =
        app.add_subcommand("scene", "Run an experiment in time, with tables and plots");
    command->add_option("NAME", options->name, "Experiment, see below; list: only list them")
        ->required();
    command
        ->add_option(
            "--out", options->out,
            "Folder for figures.json, tables (CSV), plots and drawings (SVG) and, of some\n"
            "experiments, instances of single steps; made if missing, files of the same\n"
            "names are replaced, others stay")
        ->type_name("DIR");
    command->add_flag("--json", options->json, "Figures and remarks as JSON instead of a table");
    add_experiment_options(*command, options->experiment);
    command
        ->add_option("--progress", options->progress,
                     "Progress on stderr: auto (on a terminal), always, never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    command->footer("Experiments:\n" + list_text() +
                    "\n"
                    "Figures have names that stay, with the unit last. Exit code 0 when the "
                    "experiment ran to\n"
                    "the end, 1 when a step was not solved (figure unsolved_steps) or after "
                    "Ctrl-C, 2 for\n"
                    "wrong input.\n"
                    "\n"
                    "Examples:\n"
                    "  perp scene wheel --out wheel\n"
                    "  perp scene block --model cone --json");
    command->callback([options, &action] { action = [options] { return run_scene(*options); }; });
}

}  // namespace perp::tool
