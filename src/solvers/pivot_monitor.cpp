#include "solvers/pivot_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {

PivotMonitorWorkspace::PivotMonitorWorkspace(const Problem& problem, const MixedForm& form)
    : best(form.p), user(form.p), residual(make_residual_workspace(problem)) {}

PivotMonitor::PivotMonitor(const Problem& problem, const MixedForm& form, const Settings& settings,
                           const ProgressCallback& progress, PivotMonitorWorkspace& work)
    : problem_(problem),
      form_(form),
      settings_(settings),
      progress_(progress),
      work_(work),
      best_eta_(std::numeric_limits<double>::infinity()) {}

bool PivotMonitor::stop() {
    const auto end = [this](Outcome outcome) {
        finish(outcome);
        return stopped_ = true;
    };
    if (cancelled_) return end(Outcome::cancelled);
    if (info_.iterations >= settings_.max_iterations) return end(Outcome::iteration_limit);
    ++info_.iterations;
    if (settings_.time_limit > 0.0 && clock_.seconds() >= settings_.time_limit)
        return end(Outcome::time_limit);
    return false;
}

double PivotMonitor::eta(std::span<const double> scaled) {
    form_.to_user(scaled, work_.user);
    ++info_.products;
    const double eta = residual(problem_, work_.user, work_.residual).eta;
    if (eta < best_eta_) {
        best_eta_ = eta;
        std::copy(scaled.begin(), scaled.end(), work_.best.begin());
    }
    if (progress_ &&
        !progress_({info_.iterations, info_.products, eta, best_eta_, clock_.seconds()}))
        cancelled_ = true;
    return eta;
}

void PivotMonitor::velocity(std::span<double> w) const {
    for (std::int64_t i = 0; i < form_.p; ++i) w[i] = form_.scale[i] * work_.residual.velocity[i];
}

void PivotMonitor::prove(std::span<const double> certificate) {
    certificate_.assign(certificate.begin(), certificate.end());
    finish(Outcome::no_solution);
}

}  // namespace perp
