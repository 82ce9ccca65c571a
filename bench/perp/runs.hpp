// Solver runs: what was asked for, and what came out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problem_file.hpp"
#include "progress.hpp"

namespace perp::tool {

// One problem, one or several solvers, the same settings for all.
struct SolveRequest {
    std::vector<int64_t> methods;
    double tolerance = 1e-4;
    std::optional<int64_t> max_iterations;  // else the library's default
    std::optional<double> time_limit;
    std::vector<std::pair<std::string, std::string>> settings;  // by name, for perp_solver_set
    std::vector<double> warm;                                   // empty: start from zero
};

struct SolverRun {
    std::string solver;
    std::string not_run;  // why; empty: it ran, and the rest is filled
    perp_info info{};
    perp_residual_info residual{};
    std::vector<double> z;
    std::optional<int64_t> certificate_row;  // largest entry, when the constraints contradict
    perp_settings settings{};                // as used

    [[nodiscard]] bool ran() const { return not_run.empty(); }
    [[nodiscard]] bool solved() const { return ran() && info.outcome == PERP_SOLVED; }
};

// Runs every method in turn. Ctrl-C cancels the one that runs, the rest is not run; the second
// Ctrl-C ends the program. Throws CallFailed for settings that the library refuses.
std::vector<SolverRun> run_solvers(const ProblemFile& file, const SolveRequest& request,
                                   ProgressLine::Mode progress);

// The run with the smallest eta; nullptr when none ran.
const SolverRun* best_of(const std::vector<SolverRun>& runs);

// "iteration_limit", ...: the names of perp_outcome.
std::string outcome_name(int64_t outcome);

}  // namespace perp::tool
