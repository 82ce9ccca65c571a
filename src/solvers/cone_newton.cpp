#include "solvers/cone_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/vectors.hpp"
#include "solvers/slope_search.hpp"

namespace perp {
namespace {

constexpr double bilateral_delta = 1e-9;
constexpr double least_delta = 1e-9;
constexpr double largest_delta = 0.1;
constexpr double delta_decrease = 0.1;
constexpr double delta_increase = 4.0;
constexpr std::int64_t easy = 8;            // steps of a minimum after which delta decreases
constexpr double rounding_slope = 1e-14;    // of the energy of a step
constexpr double converged_gradient = 0.1;  // of eta
constexpr double first_shift = 1e-14;
constexpr double last_shift = 1e-6;
constexpr double shift_growth = 100.0;
constexpr int refinements = 3;
constexpr double better = 0.9;

}  // namespace

ConeNewton::ConeNewton(const Problem& problem, const MixedForm& form, ConeKkt& kkt)
    : problem_(&problem), form_(&form), kkt_(&kkt), projection_(problem.set(), form) {
    make_workspace();
}

void ConeNewton::renew() {
    projection_ = ConeProjection(problem_->set(), *form_);
    make_workspace();
}

void ConeNewton::make_workspace() {
    for (auto* const x : {&delta_row_, &delta_order_, &centre_, &a_, &y_, &x_, &w_, &da_, &dx_,
                          &dw_, &e_, &ce_, &trial_, &g_, &dy_, &step_, &last_x_, &last_a_})
        x->assign(form_->p, 0.0);
    for (auto* const x : {&v_, &dv_, &f_, &mv_, &mdv_, &root_mass_, &last_v_})
        x->assign(form_->n, 0.0);
    for (std::int64_t i = 0; i < form_->n; ++i)
        root_mass_[i] = std::sqrt(problem_->assembled()->system->mass().matrix().at(i, i));
}

void ConeNewton::set_delta(double delta) {
    delta_ = std::min(std::max(delta, least_delta), largest_delta);
    const std::span<const std::int32_t> order = projection_.order();
    for (std::int64_t k = 0; k < form_->p; ++k) {
        const std::int32_t i = order[k];
        delta_row_[i] = delta_order_[k] =
            form_->is_free(i) && k >= projection_.contacts() * projection_.contact_rows()
                ? bilateral_delta
                : delta_;
    }
    projection_.weigh(delta_order_);
}

// a, y of the velocities at hand.
void ConeNewton::aim() {
    form_->constraint_velocity(v_, x_, w_);
    for (std::int64_t i = 0; i < form_->p; ++i) a_[i] = centre_[i] - w_[i] / delta_row_[i];
    projection_.project(a_, y_);
}

// What is left of M v = J'y and C x = C y, in f and e.
void ConeNewton::residuals() {
    std::fill(mv_.begin(), mv_.end(), 0.0);
    multiply_add(form_->M, v_, mv_);
    for (std::int64_t i = 0; i < form_->n; ++i) f_[i] = -mv_[i];
    form_->panels.multiply_transposed_add(y_, f_);
    for (std::int64_t i = 0; i < form_->p; ++i) e_[i] = y_[i] - x_[i];
    std::fill(ce_.begin(), ce_.end(), 0.0);
    multiply_add(form_->C, e_, ce_);
}

double ConeNewton::gradient_norm() const { return std::sqrt(dot(f_, f_) + dot(ce_, ce_)); }

bool ConeNewton::factor(PivotMonitor& monitor) {
    for (; shift_ <= last_shift; shift_ = std::max(first_shift, shift_ * shift_growth)) {
        ++monitor.info().factorizations;
        ++factorizations_;
        if (kkt_->factor(projection_, shift_, 0.0)) return true;
    }
    return false;
}

// With rho = J v + C x + r - delta (z - a), which rounding leaves:
//   M dv - J'dy = f,  J dv + C dy + delta da = -rho - C e,  dx = dy + e.
void ConeNewton::find_step(PivotMonitor& monitor) {
    form_->constraint_velocity(v_, x_, w_);
    for (std::int64_t i = 0; i < form_->p; ++i)
        w_[i] -= delta_row_[i] * (centre_[i] - a_[i]);  // rho
    const std::span<const std::int32_t> order = projection_.order();
    for (std::int64_t k = 0; k < form_->p; ++k) g_[k] = -w_[order[k]] - ce_[order[k]];
    projection_.velocities_to_frames(g_);
    const double error = kkt_->solve(f_, g_, dv_, dy_, refinements);
    monitor.info().backward_error = std::max(monitor.info().backward_error, error);
    const std::span<const double> eigenvalue = projection_.eigenvalues();
    std::copy(dy_.begin(), dy_.end(), step_.begin());
    projection_.impulses_from_frames(step_);
    for (std::int64_t k = 0; k < form_->p; ++k) dx_[order[k]] = step_[k] + e_[order[k]];
    std::fill(dw_.begin(), dw_.end(), 0.0);
    form_->panels.multiply_add(dv_, dw_);
    multiply_add(form_->C, dx_, dw_);
    // da: by the impulses where these move, by the velocities elsewhere.
    for (std::int64_t k = 0; k < form_->p; ++k) g_[k] = -w_[order[k]] - dw_[order[k]];
    projection_.velocities_to_frames(g_);
    for (std::int64_t k = 0; k < form_->p; ++k)
        step_[k] = eigenvalue[k] > 0.0 ? dy_[k] / eigenvalue[k] : g_[k] / delta_order_[k];
    projection_.impulses_from_frames(step_);
    for (std::int64_t k = 0; k < form_->p; ++k) da_[order[k]] = step_[k];

    std::fill(mdv_.begin(), mdv_.end(), 0.0);
    multiply_add(form_->M, dv_, mdv_);
    std::fill(trial_.begin(), trial_.end(), 0.0);
    multiply_add(form_->C, dx_, trial_);
    first_slope_ = dot(mv_, dv_) + dot(trial_, x_);
    energy_ = dot(mdv_, dv_) + dot(trial_, dx_);
}

double ConeNewton::slope_along(double step) {
    for (std::int64_t i = 0; i < form_->p; ++i) trial_[i] = a_[i] + step * da_[i];
    projection_.project(trial_, trial_);
    double slope = first_slope_ + step * energy_;
    for (std::int64_t i = 0; i < form_->p; ++i) slope += delta_row_[i] * trial_[i] * da_[i];
    return slope;
}

double ConeNewton::line_search() {
    const double first = slope_along(0.0);
    flat_ = !(first < -rounding_slope * energy_);
    return flat_ ? 0.0 : slope_search(first, [this](double step) { return slope_along(step); });
}

void ConeNewton::advance(double step) {
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] += step * dv_[i];
    for (std::int64_t i = 0; i < form_->p; ++i) {
        x_[i] += step * dx_[i];
        a_[i] += step * da_[i];
    }
    projection_.project(a_, y_);
}

// One Newton step, and what it leaves. False: the factors fail, or the slope is rounding.
bool ConeNewton::take_step(bool full, PivotMonitor& monitor) {
    projection_.linearize(a_);
    if (!factor(monitor)) return false;
    find_step(monitor);
    flat_ = false;
    advance(full ? 1.0 : line_search());
    residuals();
    return true;
}

ConeNewton::Inner ConeNewton::judge(PivotMonitor& monitor) {
    const double eta = monitor.eta(y_);
    if (eta <= monitor.settings().tolerance) return Inner::solved;
    if (!std::isfinite(eta)) return Inner::failed;
    return gradient_norm() <= converged_gradient * eta * form_->free_norm ? Inner::converged
                                                                          : Inner::working;
}

// The first step to another centre or delta, with the V of the a before: the contacts that stick,
// slide and part seldom change. It is full, and taken back where the start of a = z - w / delta is
// closer to the minimum.
ConeNewton::Inner ConeNewton::predict(PivotMonitor& monitor) {
    std::copy(v_.begin(), v_.end(), last_v_.begin());
    std::copy(x_.begin(), x_.end(), last_x_.begin());
    std::copy(a_.begin(), a_.end(), last_a_.begin());
    aim();
    residuals();
    const double plain = gradient_norm();
    std::copy(last_a_.begin(), last_a_.end(), a_.begin());
    projection_.project(a_, y_);
    residuals();
    if (monitor.stop()) return Inner::stopped;
    if (!take_step(true, monitor)) return Inner::failed;
    const Inner result = judge(monitor);
    if (result != Inner::working || gradient_norm() < plain) return result;
    std::copy(last_v_.begin(), last_v_.end(), v_.begin());
    std::copy(last_x_.begin(), last_x_.end(), x_.begin());
    aim();
    residuals();
    return Inner::working;
}

ConeNewton::Inner ConeNewton::minimize(const Limits& limits, PivotMonitor& monitor) {
    Inner result = predict(monitor);
    for (inner_steps_ = 1; result == Inner::working; ++inner_steps_) {
        if (inner_steps_ >= limits.inner_steps || factorizations_ >= limits.factorizations)
            return Inner::failed;
        if (monitor.stop()) return Inner::stopped;
        if (!take_step(false, monitor)) return Inner::failed;
        result = flat_ ? Inner::converged : judge(monitor);
    }
    return result;
}

// M v = J'z. The mass matrix itself is factorized already, without the form's scales.
void ConeNewton::velocity_of(std::span<const double> z) {
    if (form_->n == 0) return;
    std::fill(v_.begin(), v_.end(), 0.0);
    form_->panels.multiply_transposed_add(z, v_);
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] *= root_mass_[i];
    problem_->assembled()->system->mass().solve(v_, f_);
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] *= root_mass_[i];
}

// a of the guess as a projected gradient step sees it, which tells the contacts apart whatever
// delta is.
void ConeNewton::start() {
    form_->constraint_velocity(v_, x_, w_);
    for (std::int64_t i = 0; i < form_->p; ++i) a_[i] = centre_[i] - w_[i];
    projection_.project(a_, y_);
    for (std::int64_t i = 0; i < form_->p; ++i) a_[i] = y_[i] + (a_[i] - y_[i]) / delta_row_[i];
}

// Another delta: a - y, normal to K at y, becomes longer as delta becomes smaller, and y stays.
void ConeNewton::move_to(double delta) {
    std::copy(delta_row_.begin(), delta_row_.end(), trial_.begin());
    set_delta(delta);
    for (std::int64_t i = 0; i < form_->p; ++i)
        a_[i] = y_[i] + (a_[i] - y_[i]) * (trial_[i] / delta_row_[i]);
}

ConeNewton::Result ConeNewton::run(std::span<const double> z, const Limits& limits,
                                   PivotMonitor& monitor) {
    factorizations_ = 0;
    shift_ = 0.0;
    set_delta(limits.delta);
    projection_.project(z, centre_);
    std::copy(centre_.begin(), centre_.end(), x_.begin());
    velocity_of(centre_);
    start();
    double best = monitor.best_eta();
    std::int64_t idle = 0;
    while (factorizations_ < limits.factorizations && idle <= limits.idle_centres) {
        ++monitor.info().outer_loops;
        monitor.info().delta = delta_;
        const Inner inner = minimize(limits, monitor);
        if (inner == Inner::solved) return Result::solved;
        if (inner == Inner::stopped) return Result::stopped;
        idle = monitor.best_eta() < better * best ? 0 : idle + 1;
        best = std::min(best, monitor.best_eta());
        for (std::int64_t i = 0; i < form_->p; ++i) trial_[i] = y_[i] - centre_[i];
        if (is_proof(projection_, trial_, g_, monitor)) return Result::infeasible;
        if (inner == Inner::failed) {
            move_to(delta_increase * delta_);
            continue;
        }
        std::copy(y_.begin(), y_.end(), centre_.begin());
        if (inner_steps_ <= easy) move_to(delta_decrease * delta_);
    }
    return Result::stalled;
}

}  // namespace perp
