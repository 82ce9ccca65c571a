// What `perp solve` says, as text for people and as JSON.
#pragma once

#include <string>

#include "runs.hpp"

namespace perp::tool {

// Problem, a table row per solver, where the error sits, and what to do where it is not solved.
std::string report_text(const ProblemFile& file, const SolveRequest& request,
                        const std::vector<SolverRun>& runs, bool color);

// The "results" of the JSON output.
Json runs_json(const ProblemFile& file, const std::vector<SolverRun>& runs);

}  // namespace perp::tool
