#include "solvers/box_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr double shift = 1e-10;  // of the factors, against a diagonal of 1
constexpr double to_the_boundary = 0.995;
constexpr int patience = 12;  // steps without a better point

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
    for (auto* const x : {&z_, &w_, &lower_, &upper_, &dz_, &d_lower_, &d_upper_, &lower_term_,
                          &upper_term_, &theta_, &g_})
        x->assign(form.p, 0.0);
    for (auto* const x : {&v_, &dv_, &f_}) x->assign(form.n, 0.0);
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

void BoxInteriorPoint::direction(LdlBasis& basis, double target, bool corrected) {
    for (std::int64_t i = 0; i < form_->p; ++i) {
        lower_term_[i] = target - (corrected ? d_lower_[i] * dz_[i] : 0.0);
        upper_term_[i] = target + (corrected ? d_upper_[i] * dz_[i] : 0.0);
        double rest = lower_[i] - upper_[i] - w_[i];
        if (has_lo_[i] != 0) rest += lower_term_[i] / (z_[i] - form_->lo[i]) - lower_[i];
        if (has_hi_[i] != 0) rest -= upper_term_[i] / (form_->hi[i] - z_[i]) - upper_[i];
        g_[i] = rest;
    }
    basis.solve(f_, g_, dv_, dz_);
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0)
            d_lower_[i] =
                (lower_term_[i] - lower_[i] * dz_[i]) / (z_[i] - form_->lo[i]) - lower_[i];
        if (has_hi_[i] != 0)
            d_upper_[i] =
                (upper_term_[i] + upper_[i] * dz_[i]) / (form_->hi[i] - z_[i]) - upper_[i];
    }
}

double BoxInteriorPoint::longest_step() const {
    double step = 1.0;
    const auto stay = [&step](double value, double change) {
        if (change < 0.0) step = std::min(step, -value / change);
    };
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0) {
            stay(z_[i] - form_->lo[i], dz_[i]);
            stay(lower_[i], d_lower_[i]);
        }
        if (has_hi_[i] != 0) {
            stay(form_->hi[i] - z_[i], -dz_[i]);
            stay(upper_[i], d_upper_[i]);
        }
    }
    return step;
}

double BoxInteriorPoint::gap(double step) const {
    double sum = 0.0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (has_lo_[i] != 0)
            sum += (lower_[i] + step * d_lower_[i]) * (z_[i] + step * dz_[i] - form_->lo[i]);
        if (has_hi_[i] != 0)
            sum += (upper_[i] + step * d_upper_[i]) * (form_->hi[i] - z_[i] - step * dz_[i]);
    }
    return sum / static_cast<double>(std::max<std::int64_t>(pairs_, 1));
}

void BoxInteriorPoint::advance(double step) {
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] += step * dv_[i];
    // Slacks stay positive where rounding would swallow them.
    constexpr double least = 4.0 * std::numeric_limits<double>::epsilon();
    for (std::int64_t i = 0; i < form_->p; ++i) {
        z_[i] += step * dz_[i];
        if (has_lo_[i] != 0) {
            lower_[i] += step * d_lower_[i];
            z_[i] =
                std::max(z_[i], form_->lo[i] + least * std::max(std::abs(form_->lo[i]), 1e-280));
        }
        if (has_hi_[i] != 0) {
            upper_[i] += step * d_upper_[i];
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
        direction(basis, 0.0, false);
        const double before = gap(0.0);
        const double ratio = before > 0.0 ? gap(longest_step()) / before : 0.0;
        direction(basis, std::min(1.0, ratio * ratio * ratio) * before, true);
        advance(std::min(1.0, to_the_boundary * longest_step()));
    }
    return best;
}

}  // namespace perp
