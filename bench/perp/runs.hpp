// Solver runs: what came out of a request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "progress.hpp"
#include "request.hpp"

namespace perp::tool {

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
