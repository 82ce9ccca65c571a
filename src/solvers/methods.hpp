// The solvers' common signature: iterate from z (scaled, projected) until the monitor stops.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/mixing_weights.hpp"
#include "problem/scaled_problem.hpp"
#include "solvers/monitor.hpp"
#include "solvers/solver.hpp"
#include "solvers/sweep.hpp"

namespace perp {

// Sized once from the problem; nothing in a solver's loop allocates.
struct PgsWorkspace {
    PgsWorkspace(const ScaledProblem& problem, const Settings& settings);
    Sweeper sweeper;
    std::vector<double> product, velocity;
};

struct AapgsWorkspace {
    AapgsWorkspace(const ScaledProblem& problem, const Settings& settings);
    Sweeper sweeper;
    std::vector<double> next, last_next, residual;  // g, the g before, f
    std::vector<double> product, middle, velocity, next_velocity;
    std::vector<std::vector<double>> next_change, residual_change;  // dG, dF: the window
    MixingWeights mixing;
    std::vector<double> part_sums;
};

struct ApgdWorkspace {
    explicit ApgdWorkspace(const ScaledProblem& problem);
    std::vector<double> product, last, last_product, next, next_product, velocity, elimination;
};

// Where contacts are solved exactly, a few sweeps are often enough.
inline bool is_due(const ScaledProblem& problem, const Settings& settings, std::int64_t iteration) {
    const bool early = problem.exact() && (iteration == 1 || iteration == 2 || iteration == 5);
    return early || iteration % settings.check_interval == 0;
}

void run_pgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
             PgsWorkspace& work, Monitor& monitor);
void run_aapgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
               AapgsWorkspace& work, Monitor& monitor);
void run_apgd(const ScaledProblem& problem, std::vector<double>& z, ApgdWorkspace& work,
              Monitor& monitor);

}  // namespace perp
