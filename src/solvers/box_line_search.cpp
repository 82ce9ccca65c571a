#include "solvers/box_line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

// As in BlockExchange: shares of the free velocity's norm.
constexpr double least_violation = 1e-13;
constexpr double accepted_violation = 1e-9;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

double clip(double x, double lo, double hi) { return std::min(std::max(x, lo), hi); }

}  // namespace

BoxLineSearch::BoxLineSearch(const MixedForm& form) : form_(form), state_(form.p) {
    set_states(std::vector<std::int8_t>(form.p, -1));
    for (auto* const x : {&delta_, &centre_, &c_, &z_, &w_, &u_, &z_basic_, &g_, &line_u_})
        x->assign(form.p, 0.0);
    for (auto* const x : {&v_, &f_, &line_v_, &direction_, &product_}) x->assign(form.n, 0.0);
    breaks_.reserve(2 * form.p);
}

void BoxLineSearch::set_states(std::span<const std::int8_t> state) {
    form_.admit_states(state, state_);
}

// The Newton point: v and z of the basic rows from the basis, w = 0 there; u = z - w / c.
void BoxLineSearch::solve(Basis& basis) {
    for (std::int64_t i = 0; i < form_.p; ++i) {
        z_[i] = state_[i] < 0 ? form_.lo[i] : state_[i] > 0 ? form_.hi[i] : 0.0;
        g_[i] = delta_[i] * centre_[i] - form_.r[i];
    }
    std::fill(f_.begin(), f_.end(), 0.0);
    form_.panels.multiply_transposed_add(z_, f_);
    basis.solve(f_, g_, v_, z_basic_);
    for (std::int64_t i = 0; i < form_.p; ++i) w_[i] = -g_[i];
    form_.panels.multiply_add(v_, w_);
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (state_[i] == 0) z_[i] = z_basic_[i];
        w_[i] += c_[i] * z_[i];
        u_[i] = state_[i] == 0 ? z_[i] : z_[i] - w_[i] / c_[i];
    }
    ++steps_;
}

// How far the Newton point is from its own set's bounds and signs.
double BoxLineSearch::violation() const {
    double worst = 0.0;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (form_.is_fixed(i)) continue;
        if (std::isnan(z_[i]) || std::isnan(w_[i])) return std::numeric_limits<double>::infinity();
        if (state_[i] == 0)
            worst = std::max({worst, form_.lo[i] - z_[i], z_[i] - form_.hi[i]});
        else
            worst = std::max(worst, state_[i] * w_[i]);
    }
    return worst;
}

// Derivatives of phi from line_v_ towards v_, and where the second one changes.
BoxLineSearch::Slope BoxLineSearch::prepare_line() {
    Slope slope;
    for (std::int64_t i = 0; i < form_.n; ++i) direction_[i] = v_[i] - line_v_[i];
    std::fill(product_.begin(), product_.end(), 0.0);
    multiply_add(form_.M, direction_, product_);
    const auto add = [&slope](double term) {
        slope.first += term;
        slope.rounding += epsilon * std::abs(term);
    };
    for (std::int64_t i = 0; i < form_.n; ++i) {
        add(line_v_[i] * product_[i]);
        slope.second += direction_[i] * product_[i];
    }
    breaks_.clear();
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double change = u_[i] - line_u_[i];
        add(c_[i] * change * clip(line_u_[i], form_.lo[i], form_.hi[i]));
        if (form_.is_fixed(i) || change == 0.0) continue;
        const double curvature = c_[i] * change * change;
        const double enter = ((change > 0.0 ? form_.lo[i] : form_.hi[i]) - line_u_[i]) / change;
        const double leave = ((change > 0.0 ? form_.hi[i] : form_.lo[i]) - line_u_[i]) / change;
        if (enter <= 0.0 && leave > 0.0) slope.second += curvature;
        if (enter > 0.0 && std::isfinite(enter)) breaks_.push_back({enter, curvature});
        if (leave > 0.0 && std::isfinite(leave)) breaks_.push_back({leave, -curvature});
    }
    return slope;
}

// The zero of the first derivative, which is piecewise linear and grows.
double BoxLineSearch::minimum_along_line(const Slope& start) {
    std::sort(breaks_.begin(), breaks_.end(),
              [](const Breakpoint& a, const Breakpoint& b) { return a.at < b.at; });
    double at = 0.0;
    double first = start.first;
    double second = start.second;
    for (const Breakpoint& next : breaks_) {
        const double there = first + (next.at - at) * second;
        if (there >= 0.0) break;
        first = there;
        at = next.at;
        second += next.slope;
    }
    // d'Md is part of it; less is rounding of the sums.
    return second > 0.0 ? at - first / second : at;
}

// To line_ + step (Newton point - line_), and the set there. u is affine in v.
void BoxLineSearch::move(double step) {
    for (std::int64_t i = 0; i < form_.n; ++i)
        line_v_[i] = step == 1.0 ? v_[i] : line_v_[i] + step * direction_[i];
    for (std::int64_t i = 0; i < form_.p; ++i) {
        double& u = line_u_[i];
        u = step == 1.0 ? u_[i] : u + step * (u_[i] - u);
        if (form_.is_fixed(i)) continue;
        const auto state = static_cast<std::int8_t>(u <= form_.lo[i]   ? -1
                                                    : u >= form_.hi[i] ? 1
                                                                       : 0);
        if (state != state_[i]) exchanged_ = true;
        state_[i] = state;
    }
}

BoxLineSearch::Result BoxLineSearch::run(Basis& basis, std::span<const double> delta,
                                         std::span<const double> centre, const Limits& limits,
                                         PivotMonitor& monitor) {
    std::copy(delta.begin(), delta.end(), delta_.begin());
    std::copy(centre.begin(), centre.end(), centre_.begin());
    for (std::int64_t i = 0; i < form_.p; ++i) c_[i] = form_.C.at(i, i) + delta_[i];
    steps_ = 0;
    exchanged_ = false;
    const double norm = form_.free_norm;
    while (true) {
        if (monitor.stop()) return Result::stopped;
        if (!basis.take(state_, delta_)) return Result::failed;
        solve(basis);
        const double worst = violation();
        if (worst <= least_violation * norm) return Result::converged;
        if (steps_ == limits.steps || !std::isfinite(worst)) return Result::stalled;
        ++monitor.info().block_steps;
        if (steps_ == 1) {
            move(1.0);
            continue;
        }
        const Slope start = prepare_line();
        if (!(start.first < -start.rounding))
            return worst <= accepted_violation * norm ? Result::converged : Result::stalled;
        move(minimum_along_line(start));
    }
}

}  // namespace perp
