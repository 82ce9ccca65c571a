// What every solver's loop shares: eta, the best iterate, limits, stagnation, progress, proof of
// infeasibility. A solver is `solved` by nothing but eta, recomputed from the caller's problem.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.hpp"
#include "problem/residual.hpp"
#include "problem/scaled_problem.hpp"
#include "solvers/solver.hpp"

namespace perp {

struct MonitorWorkspace {
    MonitorWorkspace(const Problem& problem, const ScaledProblem& scaled);
    std::vector<double> best, previous, ray, ray_product, velocity, user;
    ResidualWorkspace residual;
};

class Monitor {
public:
    Monitor(const Problem& problem, const ScaledProblem& scaled, const Settings& settings,
            const ProgressCallback& progress, MonitorWorkspace& work);

    // Evaluates the iterate zh with its product Sh zh. True: stop, info() tells why.
    bool stop(std::int64_t iteration, std::span<const double> scaled,
              std::span<const double> product);
    // The iteration limit is reached: evaluate now, whatever the interval.
    [[nodiscard]] bool last(std::int64_t iteration) const {
        return iteration >= settings_.max_iterations;
    }
    // Called by solvers for every product with S.
    void count_product() { ++info_.products; }
    Info& info() { return info_; }
    [[nodiscard]] const std::vector<double>& best() const { return work_.best; }

private:
    bool finish(Outcome outcome);
    void remember(double eta, std::span<const double> scaled);
    bool confirmed(std::span<const double> scaled);
    bool proves_infeasible(std::int64_t iteration, std::span<const double> scaled);
    [[nodiscard]] bool can_prove() const;
    bool ray_is_proof();
    [[nodiscard]] bool given_up_for_good(std::int64_t iteration) const;
    bool walk_is_proof(std::span<const double> scaled);
    void multiply(std::span<const double> direction);
    void flatten_ray(double step);
    double largest_curvature();

    const Problem& problem_;
    const ScaledProblem& scaled_;
    const Settings& settings_;
    const ProgressCallback& progress_;
    MonitorWorkspace& work_;
    Clock clock_;
    Info info_;
    double best_eta_;
    double guard_ = 1.0;  // lowered when rounding separates the scaled from the recomputed eta
    double milestone_eta_;
    std::int64_t milestone_ = 0;
    std::int64_t next_ray_ = 100;
    bool has_previous_ = false;
};

}  // namespace perp
