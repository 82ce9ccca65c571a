#include "solvers/box_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr double shift = 1e-10;  // of the factors, against a diagonal of 1
constexpr double to_the_boundary = 0.995;
constexpr int correctors = 2;           // at most, of a step shorter than 0.9
constexpr double good_factors = 1e-10;  // backward error of their solves
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int patience = 12;  // steps without a better point

}  // namespace

BoxInteriorPoint::BoxInteriorPoint(const MixedForm& form)
    : form_(&form), has_lo_(form.p), has_hi_(form.p), loose_(form.p) {
    for (auto* const x :
         {&z_, &w_, &lower_, &upper_, &lower_term_, &upper_term_, &theta_, &g_, &below_, &above_,
          &inverse_below_, &inverse_above_, &inverse_lower_, &inverse_upper_, &least_z_, &most_z_})
        x->assign(form.p, 0.0);
    for (auto* const x : {&v_, &f_}) x->assign(form.n, 0.0);
    for (Direction* const d : {&step_, &correction_}) {
        for (auto* const x : {&d->z, &d->lower, &d->upper}) x->assign(form.p, 0.0);
        d->v.assign(form.n, 0.0);
    }
}

void BoxInteriorPoint::look_at_bounds() {
    // Slacks stay positive where rounding would swallow them.
    constexpr double least = 4.0 * std::numeric_limits<double>::epsilon();
    const auto room = [](double bound) { return least * std::max(std::abs(bound), 1e-280); };
    pairs_ = 0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        const double lo = form_->lo[i];
        const double hi = form_->hi[i];
        loose_[i] = form_->is_fixed(i) ? 0 : 1;
        has_lo_[i] = loose_[i] != 0 && std::isfinite(lo) ? 1 : 0;
        has_hi_[i] = loose_[i] != 0 && std::isfinite(hi) ? 1 : 0;
        least_z_[i] = has_lo_[i] != 0 ? lo + room(lo) : -infinity;
        most_z_[i] = has_hi_[i] != 0 ? hi - room(hi) : infinity;
        pairs_ += has_lo_[i] + has_hi_[i];
    }
}

// In the middle of the bounds, or as far inside as a typical free velocity.
void BoxInteriorPoint::start() {
    look_at_bounds();
    double square = 0.0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        square += loose_[i] != 0 ? form_->r[i] * form_->r[i] : 0.0;
        count += loose_[i];
    }
    const double size = square > 0.0 ? std::sqrt(square / static_cast<double>(count)) : 1.0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        const bool lo = has_lo_[i] != 0;
        const bool hi = has_hi_[i] != 0;
        lower_[i] = lo ? size : 0.0;
        upper_[i] = hi ? size : 0.0;
        z_[i] = loose_[i] == 0 ? form_->lo[i]
                : lo && hi     ? form_->lo[i] + 0.5 * (form_->hi[i] - form_->lo[i])
                : lo           ? form_->lo[i] + size
                : hi           ? form_->hi[i] - size
                               : 0.0;
    }
    std::fill(v_.begin(), v_.end(), 0.0);
}

double BoxInteriorPoint::measure() {
    form_->constraint_velocity(v_, z_, w_);
    form_->motion_residual(v_, z_, f_);
    return form_->eta(z_, w_);
}

void BoxInteriorPoint::fill_slacks() {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        below_[i] = has_lo_[i] != 0 ? z_[i] - form_->lo[i] : 0.0;
        above_[i] = has_hi_[i] != 0 ? form_->hi[i] - z_[i] : 0.0;
        inverse_below_[i] = has_lo_[i] != 0 ? 1.0 / below_[i] : 0.0;
        inverse_above_[i] = has_hi_[i] != 0 ? 1.0 / above_[i] : 0.0;
        inverse_lower_[i] = has_lo_[i] != 0 ? 1.0 / lower_[i] : 0.0;
        inverse_upper_[i] = has_hi_[i] != 0 ? 1.0 / upper_[i] : 0.0;
        theta_[i] = lower_[i] * inverse_below_[i] + upper_[i] * inverse_above_[i];
    }
}

// The direction whose products with slacks and multipliers are lower_term_ and upper_term_.
void BoxInteriorPoint::solve(LdlBasis& basis, Direction& out, bool with_residual) {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        const double right = with_residual ? lower_[i] - upper_[i] - w_[i] : 0.0;
        g_[i] = right + lower_term_[i] * inverse_below_[i] - upper_term_[i] * inverse_above_[i];
    }
    // The affine part carries what is left of the equations; the others need it only where the
    // factors lose much.
    const bool refine = with_residual || error_ > good_factors;
    const double error =
        basis.solve_roughly(with_residual ? std::span<const double>(f_) : std::span<const double>{},
                            g_, out.v, out.z, refine);
    if (with_residual) error_ = error;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        out.lower[i] = (lower_term_[i] - lower_[i] * out.z[i]) * inverse_below_[i];
        out.upper[i] = (upper_term_[i] + upper_[i] * out.z[i]) * inverse_above_[i];
    }
}

// The step of step_ + share * correction_ for each share, at most 1: its inverse is the largest
// rate at which a slack or multiplier falls, a maximum of linear functions of the share.
void BoxInteriorPoint::longest_steps(const Shares& share, Shares& step) const {
    Shares most;
    most.fill(1.0);
    const auto falls = [&](double rate, double change) {
        for (std::size_t k = 0; k < share.size(); ++k) {
            const double x = rate + share[k] * change;
            most[k] = x > most[k] ? x : most[k];
        }
    };
    const Direction& d = step_;
    const Direction& c = correction_;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        falls(-d.z[i] * inverse_below_[i], -c.z[i] * inverse_below_[i]);
        falls(d.z[i] * inverse_above_[i], c.z[i] * inverse_above_[i]);
        falls(-d.lower[i] * inverse_lower_[i], -c.lower[i] * inverse_lower_[i]);
        falls(-d.upper[i] * inverse_upper_[i], -c.upper[i] * inverse_upper_[i]);
    }
    for (std::size_t k = 0; k < share.size(); ++k) step[k] = 1.0 / most[k];
}

double BoxInteriorPoint::longest_step() const {
    double most = 1.0;
    const auto falls = [&most](double rate) { most = rate > most ? rate : most; };
    for (std::int64_t i = 0; i < form_->p; ++i) {
        falls(-step_.z[i] * inverse_below_[i]);
        falls(step_.z[i] * inverse_above_[i]);
        falls(-step_.lower[i] * inverse_lower_[i]);
        falls(-step_.upper[i] * inverse_upper_[i]);
    }
    return 1.0 / most;
}

// Mean product of slack and multiplier after a step along step_.
double BoxInteriorPoint::gap(double step) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        const double dz = step * step_.z[i];
        sum += (lower_[i] + step * step_.lower[i]) * (below_[i] + dz) +
               (upper_[i] + step * step_.upper[i]) * (above_[i] - dz);
    }
    return sum / static_cast<double>(std::max<std::int64_t>(pairs_, 1));
}

// Mehrotra's affine direction, then the correction of its second order with the target he sets.
void BoxInteriorPoint::predict(LdlBasis& basis) {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        lower_term_[i] = -lower_[i] * below_[i];
        upper_term_[i] = -upper_[i] * above_[i];
    }
    solve(basis, step_, true);
    length_ = longest_step();
    const double before = gap(0.0);
    const double ratio = before > 0.0 ? gap(length_) / before : 0.0;
    const double target = std::min(1.0, ratio * ratio * ratio) * before;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        lower_term_[i] = target - step_.lower[i] * step_.z[i];
        upper_term_[i] = target + step_.upper[i] * step_.z[i];
    }
    solve(basis, correction_, false);
    add_best_share(length_ * length_);
}

// step_ + share * correction_ with the share from `least` to 1 that allows the longest step.
void BoxInteriorPoint::add_best_share(double least) {
    const Shares share = shares_from(least);
    Shares step;
    longest_steps(share, step);
    const std::size_t best = longest(step);
    for (std::int64_t i = 0; i < form_->p; ++i) {
        step_.z[i] += share[best] * correction_.z[i];
        step_.lower[i] += share[best] * correction_.lower[i];
        step_.upper[i] += share[best] * correction_.upper[i];
    }
    for (std::int64_t i = 0; i < form_->n; ++i) step_.v[i] += share[best] * correction_.v[i];
    length_ = step[best];
}

// Gondzio's corrector: what products of a longer step miss of [0.1, 10] times the target.
void BoxInteriorPoint::centre(LdlBasis& basis) {
    const double aim = std::min(1.0, 1.08 * length_ + 0.3);
    const double target = gap(length_);
    const auto missing = [&](double slack, double d_slack, double y, double dy) {
        const double product = (slack + aim * d_slack) * (y + aim * dy);
        const double wanted = std::min(std::max(product, 0.1 * target), 10.0 * target);
        return std::max(wanted - product, -10.0 * target);
    };
    for (std::int64_t i = 0; i < form_->p; ++i) {
        lower_term_[i] = missing(below_[i], step_.z[i], lower_[i], step_.lower[i]);
        upper_term_[i] = missing(above_[i], -step_.z[i], upper_[i], step_.upper[i]);
    }
    solve(basis, correction_, false);
    add_best_share(0.0);
}

void BoxInteriorPoint::advance(double step) {
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] += step * step_.v[i];
    for (std::int64_t i = 0; i < form_->p; ++i) {
        const double z = z_[i] + step * step_.z[i];
        z_[i] = std::min(std::max(z, least_z_[i]), most_z_[i]);
        lower_[i] += step * step_.lower[i];
        upper_[i] += step * step_.upper[i];
    }
}

double BoxInteriorPoint::run(LdlBasis& basis, double tolerance, std::vector<double>& z,
                             PivotMonitor& monitor, int limit) {
    start();
    double best = infinity;
    int since_best = 0;
    for (int k = 0;; ++k) {
        const double eta = measure();
        ++since_best;
        if (eta < best) {
            if (eta < 0.9 * best) since_best = 0;
            best = eta;
            std::copy(z_.begin(), z_.end(), z.begin());
        }
        if (eta <= tolerance || !std::isfinite(eta) || k == limit || since_best > patience) break;
        if (monitor.stop()) break;
        fill_slacks();
        ++monitor.info().interior_steps;
        if (!basis.factor_shifted(loose_, theta_, shift)) break;
        predict(basis);
        for (int k = 0; k < correctors && length_ < 0.9; ++k) {
            const double before = length_;
            centre(basis);
            if (length_ < before + 0.1) break;
        }
        advance(std::min(1.0, to_the_boundary * length_));
    }
    return best;
}

}  // namespace perp
