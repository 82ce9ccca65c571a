#include "solvers/monitor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/vectors.hpp"
#include "solvers/proof.hpp"

namespace perp {
namespace {

constexpr std::int64_t ray_interval = 100;
constexpr int walk_steps = 150;
constexpr std::int64_t least_walk = 500;  // iterations before a walk is worth its products

// Nearest direction in the recession cone of K: bounded sides vanish, cones stay.
void project_to_recession(const ScaledProblem& p, std::span<double> d) {
    for (std::int64_t i = 0; i < p.contacts(); ++i)
        project_contact(p.shape(), p.coefficients(i), d.data() + i * p.shape().rows());
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
    if (eta < best_eta_ || iteration == 0) remember(eta, scaled);
    if (std::isinf(eta) && scaled_.free_norm() > 0.0) return finish(Outcome::numerical_failure);
    const bool go_on =
        !progress_ || progress_({iteration, info_.products, eta, best_eta_, clock_.seconds()});
    if (eta <= guard_ * settings_.tolerance) {
        if (confirmed(scaled)) {
            remember(eta, scaled);
            return finish(Outcome::solved);
        }
        guard_ *= 0.5;
    }
    if (!go_on) return finish(Outcome::cancelled);
    if (iteration >= settings_.max_iterations)
        return finish(given_up_for_good(iteration) && walk_is_proof(scaled)
                          ? Outcome::no_solution
                          : Outcome::iteration_limit);
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
    if (window > 0 && iteration - milestone_ >= window)
        return finish(iteration >= least_walk && walk_is_proof(scaled) ? Outcome::no_solution
                                                                       : Outcome::stalled);
    return false;
}

// Rays of the relaxed law are none of the exact one.
bool Monitor::can_prove() const { return problem_.asymmetry() == 0.0 && !scaled_.exact(); }

// At the limit after many iterations, half of them in vain: worth a look at the reason.
bool Monitor::given_up_for_good(std::int64_t iteration) const {
    return iteration >= least_walk && iteration - milestone_ >= iteration / 2;
}

bool Monitor::finish(Outcome outcome) {
    info_.outcome = outcome;
    return true;
}

void Monitor::remember(double eta, std::span<const double> scaled) {
    best_eta_ = eta;
    std::copy(scaled.begin(), scaled.end(), work_.best.begin());
}

bool Monitor::confirmed(std::span<const double> scaled) {
    scaled_.to_user(scaled, work_.user);
    return residual(problem_, work_.user, work_.residual).eta <= settings_.tolerance;
}

// Where no solution exists, iterates run away along a ray d of K with S d = 0, r . d < 0.
bool Monitor::proves_infeasible(std::int64_t iteration, std::span<const double> scaled) {
    if (!can_prove() || iteration < next_ray_) return false;
    next_ray_ = iteration + ray_interval;
    for (std::int64_t i = 0; i < scaled_.rows(); ++i) work_.ray[i] = scaled[i] - work_.previous[i];
    std::copy(scaled.begin(), scaled.end(), work_.previous.begin());
    const bool first = !std::exchange(has_previous_, true);
    if (first) return false;
    return ray_is_proof();
}

bool Monitor::ray_is_proof() {
    project_to_recession(scaled_, work_.ray);
    const double norm = std::sqrt(dot(work_.ray, work_.ray));
    if (!(norm > 0.0) || !std::isfinite(norm)) return false;
    for (double& d : work_.ray) d /= norm;
    const double descent = -dot(work_.ray, scaled_.free_velocity());
    if (!(descent > least_descent * scaled_.free_norm())) return false;  // saves the product
    multiply(work_.ray);
    const double curvature = std::sqrt(dot(work_.ray_product, work_.ray_product));
    return is_proof(descent, curvature, 1.0, scaled_.free_norm());
}

void Monitor::multiply(std::span<const double> direction) {
    scaled_.product(direction, work_.ray_product, work_.velocity);
    count_product();
}

// Before giving up. Momentum makes the iterate swing around its ray. Plain projected gradient steps
// do not: walk some, take their difference, and lead it to the nearest direction without curvature.
bool Monitor::walk_is_proof(std::span<const double> scaled) {
    if (!can_prove()) return false;
    std::vector<double>& middle = work_.user;
    const std::vector<double>& r = scaled_.free_velocity();
    const double step = 1.0 / largest_curvature();
    std::copy(scaled.begin(), scaled.end(), work_.ray.begin());
    for (int k = 0; k < 2 * walk_steps; ++k) {
        if (k == walk_steps) std::copy(work_.ray.begin(), work_.ray.end(), middle.begin());
        multiply(work_.ray);
        for (std::size_t i = 0; i < r.size(); ++i)
            work_.ray[i] -= step * (work_.ray_product[i] + r[i]);
        scaled_.project(work_.ray);
    }
    for (std::size_t i = 0; i < r.size(); ++i) work_.ray[i] -= middle[i];
    for (int round = 0; round < 10; ++round) {
        flatten_ray(step);
        if (ray_is_proof()) return true;
    }
    return false;
}

// Accelerated projected gradient steps on 1/2 d'Sd over the recession cone, from the ray at hand.
void Monitor::flatten_ray(double step) {
    std::vector<double>& d = work_.ray;
    std::vector<double>& y = work_.user;
    std::vector<double>& next = work_.previous;
    project_to_recession(scaled_, d);
    std::copy(d.begin(), d.end(), y.begin());
    double age = 0.0;  // steps since the last restart of the momentum
    for (int k = 0; k < walk_steps; ++k) {
        multiply(y);
        for (std::size_t i = 0; i < d.size(); ++i) next[i] = y[i] - step * work_.ray_product[i];
        project_to_recession(scaled_, next);
        double turn = 0.0;
        for (std::size_t i = 0; i < d.size(); ++i) turn += (y[i] - next[i]) * (next[i] - d[i]);
        age = turn > 0.0 ? 0.0 : age + 1.0;
        const double momentum = age / (age + 3.0);
        for (std::size_t i = 0; i < d.size(); ++i) y[i] = next[i] + momentum * (next[i] - d[i]);
        d.swap(next);
    }
}

// Of S, by power iteration from r, with a margin.
double Monitor::largest_curvature() {
    const std::vector<double>& r = scaled_.free_velocity();
    std::copy(r.begin(), r.end(), work_.ray.begin());
    double estimate = 1.0;
    for (int k = 0; k < 10; ++k) {
        const double norm = std::sqrt(dot(work_.ray, work_.ray));
        if (!(norm > 0.0)) break;
        multiply(work_.ray);
        estimate = std::max(estimate, std::sqrt(dot(work_.ray_product, work_.ray_product)) / norm);
        for (std::size_t i = 0; i < work_.ray.size(); ++i)
            work_.ray[i] = work_.ray_product[i] / norm;
    }
    return 1.5 * estimate;
}

}  // namespace perp
