// perp solve: solve an instance file with one solver or with all that fit.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "report.hpp"
#include "runs.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct SolveOptions {
    std::string file, solver = "auto", law = "auto", warm, out, progress = "auto";
    double tolerance = 1e-4;
    std::optional<int64_t> max_iterations;
    std::optional<double> time_limit;
    std::vector<std::string> settings;
    bool json = false, quiet = false;
};

// Settings that have an option of their own are refused by --set: there is one place for each.
const std::vector<ReservedSetting> reserved_settings = {
    {"method", "use --solver for this setting"},
    {"tolerance", "use --tol for this setting"},
    {"max_iterations", "use --max-iterations for this setting"},
    {"time_limit", "use --time-limit for this setting"},
    {"warm_start", "use --warm FILE for this setting"}};

SolveRequest request_of(const SolveOptions& options, const ProblemFile& file) {
    SolveRequest request;
    request.methods =
        options.solver == "all" ? all_methods() : std::vector{method_of(options.solver)};
    request.tolerance = options.tolerance;
    request.max_iterations = options.max_iterations;
    request.time_limit = options.time_limit;
    for (const std::string& text : options.settings) {
        request.settings.push_back(setting_of(text, reserved_settings));
    }
    if (!options.warm.empty()) request.warm = read_solution(file, options.warm);
    return request;
}

Json solve_json(const SolveOptions& options, const ProblemFile& file,
                const std::vector<SolverRun>& runs, bool solved) {
    const SolverRun* best = best_of(runs);
    const auto text_or_null = [](const std::string& text) {
        return text.empty() ? Json() : Json(text);
    };
    return {{"perp", version_text()},
            {"file", file.path},
            {"problem", problem_json(file)},
            {"tolerance", options.tolerance},
            {"warm", text_or_null(options.warm)},
            {"out", best == nullptr ? Json() : text_or_null(options.out)},
            {"solved", solved},
            {"best", best == nullptr ? Json() : Json(best->solver)},
            {"results", runs_json(file, runs)}};
}

std::string written_text(const SolveOptions& options, const SolverRun* best) {
    if (best == nullptr) return "Nothing written to " + options.out;
    return "Solution of " + best->solver + " written to " + options.out;
}

int run_solve(const SolveOptions& options) {
    const ProblemFile file(options.file, options.law);
    const SolveRequest request = request_of(options, file);
    const auto mode =
        options.quiet ? ProgressLine::Mode::never : ProgressLine::mode_of(options.progress);
    const std::vector<SolverRun> runs = run_solvers(file, request, mode);

    const SolverRun* best = best_of(runs);
    if (best != nullptr && !options.out.empty()) {
        require(perp_solution_write(file.problem.get(), options.out.c_str(), best->z.data(),
                                    best->solver.c_str()),
                options.out);
    }
    const bool solved =
        std::any_of(runs.begin(), runs.end(), [](const SolverRun& run) { return run.solved(); });
    if (options.json) {
        std::cout << json_text(solve_json(options, file, runs, solved));
    } else if (!options.quiet) {
        std::cout << report_text(file, request, runs, can_color(STDOUT_FILENO));
        if (!options.out.empty()) std::cout << written_text(options, best) << '\n';
    }
    return solved ? exit_ok : exit_not_solved;
}

void add_limits(CLI::App& command, SolveOptions& options) {
    command.add_option("--tol", options.tolerance, "Solved when eta <= this; no unit, > 0")
        ->capture_default_str();
    command.add_option(
        "--max-iterations", options.max_iterations,
        "Sweeps (pgs, aapgs), accepted steps (apgd), factorizations and pivots (others);\n"
        "default: the library's, 20000");
    command.add_option("--time-limit", options.time_limit,
                       "Seconds for each solver; default 0: no limit");
    command
        .add_option("--warm", options.warm,
                    "Start from the solution of this file or folder instead of from zero")
        ->type_name("FILE");
    command
        .add_option("--set", options.settings,
                    "Another setting of the library: relaxation, sweep_order, symmetric_sweep,\n"
                    "seed, check_interval, stagnation_window, threads, eliminate_bilateral,\n"
                    "anderson_window, tie_rounds, least_norm (see perp.h); may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

void add_outputs(CLI::App& command, SolveOptions& options) {
    command
        .add_option(
            "--out", options.out,
            "Write the best answer found (with all: of the solver with the smallest eta)\n"
            "as /solution of this file; an instance file keeps its problem. A folder (or a\n"
            "name that ends with a slash) gets z.mtx")
        ->type_name("FILE");
    command.add_flag("--json", options.json,
                     "One JSON object on stdout, numbers at full precision");
    CLI::Option* progress =
        command
            .add_option("--progress", options.progress,
                        "Progress on stderr: auto (on a terminal), always, never")
            ->check(CLI::IsMember({"auto", "always", "never"}))
            ->capture_default_str();
    command
        .add_flag("--quiet", options.quiet,
                  "No progress and no report; the exit code tells (--json is printed)")
        ->excludes(progress);
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
    auto options = std::make_shared<SolveOptions>();
    CLI::App* command = app.add_subcommand("solve", "Solve an instance file");
    command->add_option("FILE", options->file, instance_help)->required();
    command
        ->add_option("--solver", options->solver,
                     "auto (what fits the problem), apgd (accelerated projected gradient), pgs\n"
                     "(projected Gauss-Seidel), aapgs (pgs with Anderson acceleration); with\n"
                     "factorizations: accurate (ipm and newton), ipm (interior point), newton\n"
                     "(semismooth, from a guess); for problems of bounds also pivoting (exact,\n"
                     "sparse), keller (dense, up to 500 rows), lemke (any matrix); or all that fit")
        ->capture_default_str();
    add_law_option(*command, options->law);
    add_limits(*command, *options);
    add_outputs(*command, *options);
    command->footer(
        "Exit code 0 if solved (with all: by at least one solver), 1 if not, 2 for wrong input.\n"
        "Ctrl-C stops the solver and reports the best answer so far.\n"
        "\n"
        "Examples:\n"
        "  perp solve wall.h5 --tol 1e-6 --max-iterations 100000\n"
        "  perp solve wall.h5 --solver pgs --set relaxation=1.3 --set sweep_order=bfs\n"
        "  perp solve wall.h5 --solver all --json > results.json\n"
        "  perp solve wall.h5 --out answer.h5; perp solve wall.h5 --tol 1e-6 --warm answer.h5");
    command->callback([options, &action] { action = [options] { return run_solve(*options); }; });
}

}  // namespace perp::tool
