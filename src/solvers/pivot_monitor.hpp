// What the pivoting methods share: limits, progress, eta of what they reach, the best point seen.
// `solved` is said by nothing but eta, recomputed from the caller's problem.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/clock.hpp"
#include "problem/mixed_form.hpp"
#include "problem/residual.hpp"
#include "solvers/solver.hpp"

namespace perp {

struct PivotMonitorWorkspace {
    PivotMonitorWorkspace(const Problem& problem, const MixedForm& form);
    std::vector<double> best, user;      // scaled; the caller's units
    std::vector<double> force, product;  // J'd and C'd of a ray
    ResidualWorkspace residual;
};

class PivotMonitor {
public:
    PivotMonitor(const Problem& problem, const MixedForm& form, const Settings& settings,
                 const ProgressCallback& progress, PivotMonitorWorkspace& work);

    // Before every factorization and every pivot. True: stop, info() tells why.
    bool stop();
    [[nodiscard]] bool stopped() const { return stopped_; }
    // Eta of the scaled point z^, which is remembered if it is the best one so far; tells progress.
    double eta(std::span<const double> scaled);
    // w^ of the last point that eta() was asked for.
    void velocity(std::span<double> w) const;
    // Eta; true if it is a solution.
    bool solved(std::span<const double> scaled) { return eta(scaled) <= settings_.tolerance; }
    void finish(Outcome outcome) { info_.outcome = outcome; }
    // Does d (scaled) prove that there is no solution: in the recession cone of the bounds, S'd =
    // 0, r . d < 0, beyond what rounding could make of a solution that is merely large?
    [[nodiscard]] bool is_proof(std::span<const double> d) const;
    // Such a proof ends the search.
    void prove(std::span<const double> certificate);

    Info& info() { return info_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] double best_eta() const { return best_eta_; }
    [[nodiscard]] const std::vector<double>& best() const { return work_.best; }
    [[nodiscard]] const std::vector<double>& certificate() const { return certificate_; }

private:
    const Problem& problem_;
    const MixedForm& form_;
    const Settings& settings_;
    const ProgressCallback& progress_;
    PivotMonitorWorkspace& work_;
    Clock clock_;
    Info info_;
    double best_eta_;
    bool cancelled_ = false, stopped_ = false;
    std::vector<double> certificate_;
};

}  // namespace perp
