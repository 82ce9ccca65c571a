// What a solver is asked for: methods, tolerance, limits, settings; and a solver made for it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problem_file.hpp"

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

// The method of --solver NAME. Throws std::invalid_argument with the names there are.
int64_t method_of(const std::string& name);

// A setting that --set must leave alone, because the command has another way to it.
struct ReservedSetting {
    const char* name;
    const char* instead;  // "use --tol for this setting"
};
// NAME=VALUE in two. Throws std::invalid_argument.
std::pair<std::string, std::string> setting_of(const std::string& text,
                                               const std::vector<ReservedSetting>& reserved);

// A new solver with the settings of the request. Throws CallFailed for those that the library
// refuses.
SolverHandle make_solver(const perp_problem* problem, const SolveRequest& request, int64_t method);

}  // namespace perp::tool
