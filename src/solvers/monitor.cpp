#include "solvers/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr std::int64_t ray_interval = 100;
// Any solution would have a norm of at least this many times the free velocity's (energy norms,
// where a well-posed step has about 1, and a mass ratio of 1e12 about 1e12): there is none.
constexpr double infeasible_ratio = 1e13;

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// Nearest direction in the recession cone of K: bounded sides vanish, cones stay.
void project_to_recession(const ScaledProblem& p, std::span<double> d) {
    for (std::int64_t i = 0; i < p.contacts(); ++i)
        project_contact(p.shape(), p.coefficients()[i], d.data() + i * p.shape().rows());
    double* s = d.data() + p.contacts() * p.shape().rows();
    for (std::int64_t i = 0; i < p.scalars(); ++i) {
        if (std::isfinite(p.lo()[i])) s[i] = std::max(s[i], 0.0);
        if (std::isfinite(p.hi()[i])) s[i] = std::min(s[i], 0.0);
    }
}

}  // namespace

MonitorWorkspace::MonitorWorkspace(const Problem& problem, const ScaledProblem& scaled)
    : best(scaled.rows()),
      previous(scaled.rows()),
      ray(scaled.rows()),
      ray_product(scaled.rows()),
      velocity(scaled.velocities()),
      user(scaled.rows()),
      residual(make_residual_workspace(problem)) {}

Monitor::Monitor(const Problem& problem, const ScaledProblem& scaled, const Settings& settings,
                 const ProgressCallback& progress, MonitorWorkspace& work)
    : problem_(problem),
      scaled_(scaled),
      settings_(settings),
      progress_(progress),
      work_(work),
      best_eta_(std::numeric_limits<double>::infinity()),
      milestone_eta_(std::numeric_limits<double>::infinity()) {}

bool Monitor::stop(std::int64_t iteration, std::span<const double> scaled,
                   std::span<const double> product) {
    info_.iterations = iteration;
    const double eta = scaled_.eta(scaled, product);
    if (std::isnan(eta) || (std::isinf(eta) && scaled_.free_norm() > 0.0))
        return finish(Outcome::numerical_failure);
    if (eta < best_eta_ || iteration == 0) {
        best_eta_ = eta;
        std::copy(scaled.begin(), scaled.end(), work_.best.begin());
    }
    const bool go_on =
        !progress_ || progress_({iteration, info_.products, eta, best_eta_, clock_.seconds()});
    if (eta <= guard_ * settings_.tolerance) {
        if (confirmed(scaled)) return finish(Outcome::solved);
        guard_ *= 0.5;
    }
    if (!go_on) return finish(Outcome::cancelled);
    if (iteration >= settings_.max_iterations) return finish(Outcome::iteration_limit);
    if (settings_.time_limit > 0.0 && clock_.seconds() >= settings_.time_limit)
        return finish(Outcome::time_limit);
    if (proves_infeasible(iteration, scaled)) return finish(Outcome::no_solution);
    if (best_eta_ < 0.9 * milestone_eta_) {
        milestone_eta_ = best_eta_;
        milestone_ = iteration;
    }
    const std::int64_t window = settings_.stagnation_window >= 0
                                    ? settings_.stagnation_window
                                    : std::max<std::int64_t>(200, settings_.max_iterations / 5);
    if (window > 0 && iteration - milestone_ >= window) return finish(Outcome::stalled);
    return false;
}

bool Monitor::finish(Outcome outcome) {
    info_.outcome = outcome;
    stopped_ = true;
    return true;
}

bool Monitor::confirmed(std::span<const double> scaled) {
    scaled_.to_user(scaled, work_.user);
    return residual(problem_, work_.user, work_.residual).eta <= settings_.tolerance;
}

// Where no solution exists, iterates run away along a ray d of K with S d = 0, r . d < 0. Every
// solution z would need d . (S z + r) >= 0, so |z| >= -r . d / |S d|: with a tiny S d, a proof.
bool Monitor::proves_infeasible(std::int64_t iteration, std::span<const double> scaled) {
    if (problem_.asymmetry() > 0.0 || iteration < next_ray_) return false;
    next_ray_ = iteration + ray_interval;
    for (std::int64_t i = 0; i < scaled_.rows(); ++i) work_.ray[i] = scaled[i] - work_.previous[i];
    std::copy(scaled.begin(), scaled.end(), work_.previous.begin());
    if (iteration < 2 * ray_interval) return false;
    project_to_recession(scaled_, work_.ray);
    const double descent = -dot(work_.ray, scaled_.free_velocity());
    if (!(descent > 0.0)) return false;
    scaled_.product(work_.ray, work_.ray_product, work_.velocity);
    count_product();
    const double curvature = std::sqrt(dot(work_.ray_product, work_.ray_product));
    return descent >= infeasible_ratio * curvature * scaled_.free_norm();
}

}  // namespace perp
