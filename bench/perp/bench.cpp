// perp bench: compare solvers on instance files.
#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <memory>
#include <set>
#include <stdexcept>

#include "bench_baseline.hpp"
#include "bench_plots.hpp"
#include "bench_report.hpp"
#include "commands.hpp"
#include "environment.hpp"
#include "interrupt.hpp"
#include "output_folder.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct BenchOptions {
    std::vector<std::string> files, solvers{"all"}, settings;
    std::vector<double> tolerances{1e-2, 1e-4, 1e-8};
    std::string law = "auto", out, baseline, progress = "auto";
    int64_t repeat = 5, max_iterations = 20000;
    double repeat_time = 10.0, time_limit = 10.0;
    std::optional<double> max_ratio;
};

const std::vector<ReservedSetting> reserved_settings = {
    {"method", "use --solver for this setting"},
    {"tolerance", "use --tol for this setting"},
    {"max_iterations", "use --max-iterations for this setting"},
    {"time_limit", "use --time-limit for this setting"},
    {"warm_start", "every run of bench starts cold"}};

std::vector<int64_t> methods_of(const std::vector<std::string>& names) {
    if (names.size() == 1 && names.front() == "all") return all_methods();
    std::vector<int64_t> methods;
    for (const std::string& name : names) {
        methods.push_back(method_of(name));
        if (std::count(names.begin(), names.end(), name) > 1)
            throw std::invalid_argument("--solver: \"" + name + "\" is named twice");
    }
    return methods;
}

// Refuses what the library refuses before anything is measured, on the smallest problem there is.
void check_settings(BenchPlan plan) {
    const int64_t zero = 0;
    const double one = 1.0;
    const perp_triplets H{1, 1, 1, &zero, &zero, &one, 0};
    perp_problem* made = nullptr;
    require(perp_blcp_create(&H, &one, nullptr, nullptr, &made), "perp bench");
    const ProblemHandle problem(made);
    const int64_t method = initialized(perp_settings_init).method;
    for (const double tolerance : plan.tolerances) {
        plan.request.tolerance = tolerance;
        make_solver(problem.get(), plan.request, method);
        if (std::count(plan.tolerances.begin(), plan.tolerances.end(), tolerance) > 1)
            throw std::invalid_argument("--tol: " + exact(tolerance) + " is named twice");
    }
}

BenchPlan plan_of(const BenchOptions& options) {
    BenchPlan plan;
    plan.request.methods = methods_of(options.solvers);
    plan.request.max_iterations = options.max_iterations;
    plan.request.time_limit = options.time_limit;
    for (const std::string& text : options.settings)
        plan.request.settings.push_back(setting_of(text, reserved_settings));
    plan.tolerances = options.tolerances;
    plan.repeat = options.repeat;
    plan.repeat_time = options.repeat_time;
    check_settings(plan);
    return plan;
}

// Fills results.rows; after each instance the CSV and its picture are on disk.
void measure_all(BenchResults& results, const std::optional<Baseline>& baseline,
                 const OutputFolder& out, ProgressLine::Mode mode,
                 std::vector<std::string>& pictures) {
    const InterruptGuard guard;
    const BenchPlan& plan = results.plan;
    BenchProgress progress{
        ProgressLine(mode), 0,
        results.instances.size() * plan.request.methods.size() * plan.tolerances.size()};
    out.write("results.csv", csv_text(results.rows));  // fails now rather than after hours
    for (const Instance& instance : results.instances) {
        std::vector<BenchRow> rows = measure(instance, plan, progress);
        if (baseline) baseline->set_ratios(rows);
        results.rows.insert(results.rows.end(), rows.begin(), rows.end());
        out.write("results.csv", csv_text(results.rows));
        if (!out.wanted() || interrupted()) continue;
        const std::vector<Trace> traces = trace(instance, plan, progress);
        if (interrupted()) continue;
        pictures.push_back("convergence-" + instance.name + ".svg");
        out.write(pictures.back(), convergence_svg(instance, plan, traces));
    }
    results.interrupted = interrupted();
}

void write_report(const BenchResults& results, const OutputFolder& out,
                  const std::vector<std::string>& convergence) {
    if (!out.wanted()) return;
    std::vector<std::string> pictures;
    for (const double tolerance : results.plan.tolerances) {
        pictures.push_back("profile-" + power_text(tolerance) + ".svg");
        out.write(pictures.back(), profile_svg(results, tolerance));
    }
    pictures.insert(pictures.end(), convergence.begin(), convergence.end());
    out.write("results.json", bench_json_text(results));
    out.write("index.html", index_html(results, pictures));
}

int exit_code(const BenchResults& results, std::optional<double> max_ratio) {
    if (results.interrupted) {
        std::cerr << "perp: interrupted, not everything was measured\n";
        return exit_not_solved;
    }
    if (!max_ratio) return exit_ok;
    const Comparison& c = *results.comparison;
    if (c.lost > 0) {
        std::cerr << "perp: " << c.lost << " rows that were solved are not any more\n";
        return exit_not_solved;
    }
    if (c.overall.count == 0) {
        throw std::runtime_error(c.path +
                                 ": --max-ratio has nothing to judge, no row is solved here and "
                                 "there");
    }
    if (c.overall.mean <= *max_ratio) return exit_ok;
    std::cerr << "perp: slower than allowed, geometric mean " << fixed(c.overall.mean, 3) << " > "
              << exact(*max_ratio) << '\n';
    return exit_not_solved;
}

int run_bench(const BenchOptions& options) {
    BenchResults results;
    results.plan = plan_of(options);
    results.law = options.law;
    results.environment = environment_json();
    // All input first: a wrong file is an error before hours of measuring.
    std::optional<Baseline> baseline;
    if (!options.baseline.empty()) baseline.emplace(options.baseline);
    results.instances = read_instances(options.files, options.law);
    const OutputFolder out(options.out);

    std::vector<std::string> convergence;
    measure_all(results, baseline, out, ProgressLine::mode_of(options.progress), convergence);
    if (baseline) results.comparison = baseline->compare(results.rows);
    std::cout << table_text(results);
    write_report(results, out, convergence);
    if (out.wanted()) {
        std::cout << "\nWritten to " << options.out
                  << ": results.csv, results.json, pictures; look at index.html\n";
    }
    return exit_code(results, options.max_ratio);
}

void add_what(CLI::App& command, BenchOptions& options) {
    command.add_option("FILES", options.files, "Instance files (HDF5: perp's layout or FCLIB)")
        ->required();
    command.add_option("--solver", options.solvers, "Solvers to compare, such as apgd,pgs; or all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    command.add_option("--tol", options.tolerances, "Tolerances on eta; no unit, > 0")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->default_str("1e-2,1e-4,1e-8");
    add_law_option(command, options.law);
    command
        .add_option("--set", options.settings,
                    "Another setting of the library, as in perp solve; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

void add_effort(CLI::App& command, BenchOptions& options) {
    command
        .add_option("--repeat", options.repeat,
                    "Runs of each row; the median time counts. A row that is not solved runs once")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000}))
        ->capture_default_str();
    command
        .add_option("--repeat-time", options.repeat_time,
                    "No further run of a row when its runs took this many seconds together, so\n"
                    "that long rows have fewer runs (column runs)")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command.add_option("--time-limit", options.time_limit, "Seconds for each run; 0: no limit")
        ->capture_default_str();
    command
        .add_option("--max-iterations", options.max_iterations,
                    "Sweeps or steps for each run, as the solver counts them")
        ->capture_default_str();
}

void add_results(CLI::App& command, BenchOptions& options) {
    command
        .add_option("--out", options.out,
                    "Folder for results.csv, results.json, profile-TOL.svg,\n"
                    "convergence-INSTANCE.svg and index.html; made if missing, files of these\n"
                    "names are replaced, others stay")
        ->type_name("DIR");
    CLI::Option* baseline =
        command
            .add_option("--baseline", options.baseline,
                        "A results.csv of earlier: adds the ratio of solve times, now / before")
            ->type_name("OLD.csv");
    command
        .add_option("--max-ratio", options.max_ratio,
                    "Exit code 1 when the geometric mean of the ratios is above this, or when a\n"
                    "row that was solved is not any more")
        ->check(CLI::PositiveNumber)
        ->needs(baseline);
    command
        .add_option("--progress", options.progress,
                    "Progress on stderr: auto (on a terminal), always, never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
}

constexpr const char* footer =
    "Every run is a new solver that starts from zero. The runs of the solvers alternate, so that "
    "a\n"
    "drift of the machine hits all alike. eta is computed from the z returned, whatever the "
    "solver\n"
    "says. Instances are called by their file name; equal names get -2, -3, ...\n"
    "\n"
    "Columns of results.csv (empty: not measured):\n"
    "  instance file solver tolerance\n"
    "  status        solved, iteration_limit, time_limit, stalled, no_solution,\n"
    "                numerical_failure, unsupported, failed (a call), not_run (Ctrl-C),\n"
    "                wrongly_solved (eta is above the tolerance, whatever the solver says)\n"
    "  reason        of unsupported, failed and not_run\n"
    "  eta iterations products\n"
    "  runs          how many runs the times are from\n"
    "  setup_seconds median; making the solver and its set-up\n"
    "  solve_seconds solve_seconds_min solve_seconds_max\n"
    "                median, least and largest of the rest of a run\n"
    "  rows contacts law\n"
    "  ratio         solve_seconds over that of the baseline, where both are solved\n"
    "\n"
    "Exit code 0 when everything was measured, solved or not; 1 see --max-ratio, or interrupted;\n"
    "2 for wrong input. All files are read before the first run. Ctrl-C ends the run and writes\n"
    "what there is.\n"
    "\n"
    "Examples:\n"
    "  perp bench wall.h5 pile.h5 chain.h5 --out report\n"
    "  perp bench wall.h5 --solver apgd --tol 1e-6 --baseline report/results.csv --max-ratio 1.1";

}  // namespace

void add_bench(CLI::App& app, Action& action) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Compare solvers on instance files");
    add_what(*command, *options);
    add_effort(*command, *options);
    add_results(*command, *options);
    command->footer(footer);
    command->callback([options, &action] { action = [options] { return run_bench(*options); }; });
}

}  // namespace perp::tool
