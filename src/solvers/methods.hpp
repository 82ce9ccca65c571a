// The solvers' common signature: iterate from work.z (scaled, projected) until the monitor stops.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/scaled_problem.hpp"
#include "solvers/monitor.hpp"
#include "solvers/solver.hpp"

namespace perp {

// Sized once from the problem; nothing in a solver's loop allocates.
struct PgsWorkspace {
    PgsWorkspace(const ScaledProblem& problem, const Settings& settings);
    std::vector<double> product, velocity;
    std::vector<double> step;         // 1 / lambda_max per block: contacts, then intervals
    std::vector<std::int32_t> order;  // blocks in sweep order
};

struct ApgdWorkspace {
    explicit ApgdWorkspace(const ScaledProblem& problem);
    std::vector<double> product, y, y_product, next, next_product, velocity;
};

void run_pgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
             PgsWorkspace& work, Monitor& monitor);
void run_apgd(const ScaledProblem& problem, std::vector<double>& z, ApgdWorkspace& work,
              Monitor& monitor);

// Blocks (contacts, then intervals) in an order that starts at the blocks of fewest columns
// (contacts with the ground) and goes outwards through shared columns.
std::vector<std::int32_t> breadth_first_order(const ScaledProblem& problem);

}  // namespace perp
