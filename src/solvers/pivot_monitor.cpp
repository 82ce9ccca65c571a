#include "solvers/pivot_monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/proof.hpp"

namespace perp {
PivotMonitorWorkspace::PivotMonitorWorkspace(const Problem& problem, const MixedForm& form)
    : best(form.p),
      user(form.p),
      force(form.n),
      product(form.p),
      residual(make_residual_workspace(problem)) {}

PivotMonitor::PivotMonitor(const Problem& problem, const MixedForm& form, const Settings& settings,
                           const ProgressCallback& progress, PivotMonitorWorkspace& work)
    : problem_(problem),
      form_(form),
      settings_(settings),
      progress_(progress),
      work_(work),
      best_eta_(std::numeric_limits<double>::infinity()) {
    // A run that stops before its first eta must not return the point of the run before.
    std::fill(work_.best.begin(), work_.best.end(), 0.0);
}

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

// S'd = J M^-1 J'd + C'd is taken by its parts: a heavy mass makes the first small where J'd is
// not, and asks for large impulses, but does not forbid them. Of a matrix that is given, rounding
// hides as much.
bool PivotMonitor::is_proof(std::span<const double> d) const {
    double square = 0.0, descent = 0.0, curvature = 0.0;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if ((d[i] < 0.0 && std::isfinite(form_.lo[i])) ||
            (d[i] > 0.0 && std::isfinite(form_.hi[i])))
            return false;
        square += d[i] * d[i];
        descent -= form_.r[i] * d[i];
    }
    std::fill(work_.force.begin(), work_.force.end(), 0.0);
    std::fill(work_.product.begin(), work_.product.end(), 0.0);
    multiply_add(form_.Jt, d, work_.force);
    multiply_transposed_add(form_.C, d, work_.product);
    for (const double x : work_.force) curvature += x * x;
    for (const double x : work_.product) curvature += x * x;
    const double length = std::sqrt(square);
    const double hidden = form_.n == 0 ? std::numeric_limits<double>::epsilon() * length : 0.0;
    return perp::is_proof(descent, std::sqrt(curvature) + hidden, length, form_.free_norm);
}

void PivotMonitor::prove(std::span<const double> certificate) {
    certificate_.assign(certificate.begin(), certificate.end());
    finish(Outcome::no_solution);
}

}  // namespace perp
