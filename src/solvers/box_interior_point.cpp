#include "solvers/box_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr double shift = 1e-10;  // of the factors, against a diagonal of 1
constexpr double to_the_boundary = 0.995;
constexpr int correctors = 2;  // at most, of a step shorter than 0.9
constexpr int patience = 12;   // steps without a better point

}  // namespace

BoxInteriorPoint::BoxInteriorPoint(const MixedForm& form)
    : form_(&form), has_lo_(form.p, 0), has_hi_(form.p, 0), loose_(form.p, 0) {
    for (std::int64_t i = 0; i < form.p; ++i) {
        if (form.is_fixed(i)) continue;
        loose_[i] = 1;
        has_lo_[i] = std::isfinite(form.lo[i]) ? 1 : 0;
        has_hi_[i] = std::isfinite(form.hi[i]) ? 1 : 0;
        pairs_ += has_lo_[i] + has_hi_[i];
    }
    for (auto* const x : {&z_, &w_, &lower_, &upper_, &lower_term_, &upper_term_, &theta_, &g_})
        x->assign(form.p, 0.0);
    for (auto* const x : {&v_, &f_}) x->assign(form.n, 0.0);
    for (Direction* const d : {&step_, &correction_, &trial_}) {
        for (auto* const x : {&d->z, &d->lower, &d->upper}) x->assign(form.p, 0.0);
        d->v.assign(form.n, 0.0);
    }
}

// In the middle of the bounds, or as far inside as a typical free velocity.
void BoxInteriorPoint::start() {
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
    std::copy(form_->r.begin(), form_->r.end(), w_.begin());
    multiply_add(form_->J, v_, w_);
    multiply_add(form_->C, z_, w_);
    std::fill(f_.begin(), f_.end(), 0.0);
    multiply_add(form_->M, v_, f_);
    for (double& x : f_) x = -x;
    multiply_add(form_->Jt, z_, f_);
    return form_->eta(z_, w_);
}

void BoxInteriorPoint::fill_theta() {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        double theta = 0.0;
        if (has_lo_[i] != 0) theta += lower_[i] / (z_[i] - form_->lo[i]);
        if (has_hi_[i] != 0) theta += upper_[i] / (form_->hi[i] - z_[i]);
        theta_[i] = theta;
    }
}

// The direction whose products with slacks and multipliers are lower_term_ and upper_term_.
void BoxInteriorPoint::solve(LdlBasis& basis, Direction& out, bool with_residual) {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        double right = with_residual ? lower_[i] - upper_[i] - w_[i] : 0.0;
        if (has_lo_[i] != 0) right += lower_term_[i] / (z_[i] - form_->lo[i]);
        if (has_hi_[i] != 0) right -= upper_term_[i] / (form_->hi[i] - z_[i]);
        g_[i] = right;
    }
    // The affine part carries what is left of the equations: it alone is refined.
    basis.solve(with_residual ? std::span<const double>(f_) : std::span<const double>{}, g_, out.v,
                out.z, with_residual ? 1 : 0);
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0)
            out.lower[i] = (lower_term_[i] - lower_[i] * out.z[i]) / (z_[i] - form_->lo[i]);
        if (has_hi_[i] != 0)
            out.upper[i] = (upper_term_[i] + upper_[i] * out.z[i]) / (form_->hi[i] - z_[i]);
    }
}

double BoxInteriorPoint::longest_step(const Direction& d) const {
    double step = 1.0;
    const auto stay = [&step](double value, double change) {
        if (change < 0.0 && value < -step * change) step = -value / change;
    };
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0) {
            stay(z_[i] - form_->lo[i], d.z[i]);
            stay(lower_[i], d.lower[i]);
        }
        if (has_hi_[i] != 0) {
            stay(form_->hi[i] - z_[i], -d.z[i]);
            stay(upper_[i], d.upper[i]);
        }
    }
    return step;
}

// Mean product of slack and multiplier after a step.
double BoxInteriorPoint::gap(const Direction& d, double step) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0)
            sum += (lower_[i] + step * d.lower[i]) * (z_[i] + step * d.z[i] - form_->lo[i]);
        if (has_hi_[i] != 0)
            sum += (upper_[i] + step * d.upper[i]) * (form_->hi[i] - z_[i] - step * d.z[i]);
    }
    return sum / static_cast<double>(std::max<std::int64_t>(pairs_, 1));
}

// Mehrotra's affine direction, then the correction of its second order with the target he sets.
void BoxInteriorPoint::predict(LdlBasis& basis) {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0) lower_term_[i] = -lower_[i] * (z_[i] - form_->lo[i]);
        if (has_hi_[i] != 0) upper_term_[i] = -upper_[i] * (form_->hi[i] - z_[i]);
    }
    solve(basis, step_, true);
    length_ = longest_step(step_);
    const double before = gap(step_, 0.0);
    const double ratio = before > 0.0 ? gap(step_, length_) / before : 0.0;
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
    constexpr int shares = 8;
    const auto combine = [this](double share) {
        for (std::int64_t i = 0; i < form_->p; ++i) {
            trial_.z[i] = step_.z[i] + share * correction_.z[i];
            trial_.lower[i] = step_.lower[i] + share * correction_.lower[i];
            trial_.upper[i] = step_.upper[i] + share * correction_.upper[i];
        }
    };
    double best_share = 1.0;
    double best = -1.0;
    for (int k = 0; k <= shares; ++k) {
        const double share = 1.0 - (1.0 - least) * k / shares;
        combine(share);
        const double step = longest_step(trial_);
        if (step > best) {
            best = step;
            best_share = share;
        }
        if (step >= 1.0) break;
    }
    combine(best_share);
    for (std::int64_t i = 0; i < form_->n; ++i)
        trial_.v[i] = step_.v[i] + best_share * correction_.v[i];
    std::swap(step_, trial_);
    length_ = best;
}

// Gondzio's corrector: what products of a longer step miss of [0.1, 10] times the target.
void BoxInteriorPoint::centre(LdlBasis& basis) {
    const double aim = std::min(1.0, 1.08 * length_ + 0.3);
    const double target = gap(step_, length_);
    const auto missing = [&](double slack, double d_slack, double y, double dy) {
        const double product = (slack + aim * d_slack) * (y + aim * dy);
        const double wanted = std::min(std::max(product, 0.1 * target), 10.0 * target);
        return std::max(wanted - product, -10.0 * target);
    };
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0)
            lower_term_[i] = missing(z_[i] - form_->lo[i], step_.z[i], lower_[i], step_.lower[i]);
        if (has_hi_[i] != 0)
            upper_term_[i] = missing(form_->hi[i] - z_[i], -step_.z[i], upper_[i], step_.upper[i]);
    }
    solve(basis, correction_, false);
    add_best_share(0.0);
}

void BoxInteriorPoint::advance(double step) {
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] += step * step_.v[i];
    // Slacks stay positive where rounding would swallow them.
    constexpr double least = 4.0 * std::numeric_limits<double>::epsilon();
    for (std::int64_t i = 0; i < form_->p; ++i) {
        z_[i] += step * step_.z[i];
        if (has_lo_[i] != 0) {
            lower_[i] += step * step_.lower[i];
            z_[i] =
                std::max(z_[i], form_->lo[i] + least * std::max(std::abs(form_->lo[i]), 1e-280));
        }
        if (has_hi_[i] != 0) {
            upper_[i] += step * step_.upper[i];
            z_[i] =
                std::min(z_[i], form_->hi[i] - least * std::max(std::abs(form_->hi[i]), 1e-280));
        }
    }
}

double BoxInteriorPoint::run(LdlBasis& basis, double tolerance, std::vector<double>& z,
                             PivotMonitor& monitor, int limit) {
    start();
    double best = std::numeric_limits<double>::infinity();
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
        fill_theta();
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
