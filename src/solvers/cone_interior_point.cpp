#include "solvers/cone_interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {

using namespace second_order;

namespace {

// Of the factors, against a diagonal of 1; where the matrix is indefinite by rounding, larger ones,
// which then stay in the steps: those of a proximal point method.
constexpr double first_shift = 1e-12;
constexpr double shift_growth = 100.0;
constexpr double last_shift = 1e-4;
constexpr int refinements = 3;
constexpr double to_the_boundary = 0.99;
constexpr int correctors = 2;  // at most, of a step shorter than 0.9
constexpr int patience = 12;   // steps without a better point
// The start, in typical free velocities: too far inside costs little, not far enough much.
constexpr double start_velocity = 10.0;
constexpr double start_slack = 1e3;
// Such a step among the first ones tells that the start was too close to the boundary.
constexpr double short_step = 0.05;
constexpr int first_steps = 3;
constexpr double restart_growth = 1e3;
constexpr double largest_growth = 1e9;

}  // namespace

ConeInteriorPoint::ConeInteriorPoint(const Problem& problem, const MixedForm& form, ConeKkt& kkt)
    : problem_(&problem),
      form_(&form),
      scaling_(problem.set(), form),
      projection_(problem.set(), form),
      kkt_(&kkt) {
    make_workspace();
}

void ConeInteriorPoint::renew() {
    scaling_ = ConeScaling(problem_->set(), *form_);
    projection_ = ConeProjection(problem_->set(), *form_);
    make_workspace();
}

void ConeInteriorPoint::take_bounds() {
    scaling_.take_bounds(*form_);
    projection_.take_bounds(*form_);
}

void ConeInteriorPoint::make_workspace() {
    for (auto* const x : {&z_, &w_, &g_, &projected_}) x->assign(form_->p, 0.0);
    for (auto* const x : {&v_, &f_}) x->assign(form_->n, 0.0);
    term_.assign(scaling_.most(), Point{});
    for (Direction* const d : {&step_, &correction_}) {
        d->z.assign(form_->p, 0.0);
        d->v.assign(form_->n, 0.0);
        d->scaled.x.assign(scaling_.most(), Point{});
        d->scaled.s.assign(scaling_.most(), Point{});
    }
}

// Far inside, measured by a typical free velocity.
void ConeInteriorPoint::start(double growth) {
    double square = 0.0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        if (form_->is_fixed(i)) continue;
        square += form_->r[i] * form_->r[i];
        ++count;
    }
    const double size = square > 0.0 ? std::sqrt(square / static_cast<double>(count)) : 1.0;
    scaling_.start(*form_, growth * start_slack * size, start_velocity * size, z_);
    std::fill(v_.begin(), v_.end(), 0.0);
}

double ConeInteriorPoint::measure(PivotMonitor& monitor) {
    form_->constraint_velocity(v_, z_, w_);
    form_->motion_residual(v_, z_, f_);
    projection_.project(z_, projected_);
    return monitor.eta(projected_);
}

bool ConeInteriorPoint::factor(PivotMonitor& monitor) {
    for (; shift_ <= last_shift; shift_ *= shift_growth) {
        ++monitor.info().factorizations;
        if (kkt_->factor(scaling_, shift_, shift_ > first_shift ? shift_ : 0.0)) return true;
    }
    return false;
}

// The direction whose complementarity is lambda o term_; the affine one carries the residuals.
void ConeInteriorPoint::solve(Direction& out, bool affine) {
    if (affine) {
        for (std::int64_t k = 0; k < form_->p; ++k) g_[k] = -w_[scaling_.order()[k]];
        scaling_.velocities_to_frames(g_);
    } else {
        std::fill(g_.begin(), g_.end(), 0.0);
        scaling_.add_velocities(term_, g_);
    }
    const double error =
        kkt_->solve(affine ? std::span<const double>(f_) : std::span<const double>{}, g_, out.v,
                    out.z, refinements);
    if (affine) error_ = error;
    scaling_.scale(out.z, out.scaled.x);
    const std::vector<Point>& lambda = scaling_.lambda();
    for (std::int64_t q = 0; q < scaling_.count(); ++q)
        for (int j = 0; j < 3; ++j)
            out.scaled.s[q][j] = (affine ? -lambda[q][j] : term_[q][j]) - out.scaled.x[q][j];
}

// The step of step_ + share * correction_ for each share, at most 1.
void ConeInteriorPoint::longest_steps(const Shares& share, Shares& step) const {
    Shares most;
    most.fill(1.0);
    for (std::int64_t q = 0; q < scaling_.count(); ++q) {
        const auto a = scaling_.rates(q, step_.scaled.x[q], step_.scaled.s[q]);
        const auto b = scaling_.rates(q, correction_.scaled.x[q], correction_.scaled.s[q]);
        for (int side = 0; side < 2; ++side)
            for (std::size_t k = 0; k < share.size(); ++k) {
                const double t1 = a[side][1] + share[k] * b[side][1];
                const double t2 = a[side][2] + share[k] * b[side][2];
                const double rate =
                    std::sqrt(t1 * t1 + t2 * t2) - (a[side][0] + share[k] * b[side][0]);
                most[k] = rate > most[k] ? rate : most[k];
            }
    }
    for (std::size_t k = 0; k < share.size(); ++k) step[k] = 1.0 / most[k];
}

double ConeInteriorPoint::longest_step() const {
    double most = 1.0;
    for (std::int64_t q = 0; q < scaling_.count(); ++q)
        for (const Point& r : scaling_.rates(q, step_.scaled.x[q], step_.scaled.s[q]))
            most = std::max(most, length(r) - r[0]);
    return 1.0 / most;
}

// Mehrotra's affine direction, then the correction of its second order with the target he sets.
void ConeInteriorPoint::predict() {
    solve(step_, true);
    length_ = longest_step();
    const double before = scaling_.gap(step_.scaled, 0.0);
    const double ratio = before > 0.0 ? scaling_.gap(step_.scaled, length_) / before : 0.0;
    const double target = std::min(1.0, ratio * ratio * ratio) * before;
    for (std::int64_t q = 0; q < scaling_.count(); ++q) {
        const Point second = product(step_.scaled.x[q], step_.scaled.s[q]);
        term_[q] = divide(scaling_.lambda()[q], {target - second[0], -second[1], -second[2]});
    }
    solve(correction_, false);
    add_best_share(length_ * length_);
}

// step_ + share * correction_ with the share from `least` to 1 that allows the longest step.
void ConeInteriorPoint::add_best_share(double least) {
    const Shares share = shares_from(least);
    Shares step;
    longest_steps(share, step);
    const std::size_t best = longest(step);
    for (std::int64_t i = 0; i < form_->p; ++i) step_.z[i] += share[best] * correction_.z[i];
    for (std::int64_t i = 0; i < form_->n; ++i) step_.v[i] += share[best] * correction_.v[i];
    for (std::int64_t q = 0; q < scaling_.count(); ++q)
        for (int j = 0; j < 3; ++j) {
            step_.scaled.x[q][j] += share[best] * correction_.scaled.x[q][j];
            step_.scaled.s[q][j] += share[best] * correction_.scaled.s[q][j];
        }
    length_ = step[best];
}

// Gondzio's corrector: what the eigenvalues of x o s after a longer step miss of [0.1, 10] times
// the target.
void ConeInteriorPoint::centre() {
    const double aim = std::min(1.0, 1.08 * length_ + 0.3);
    const double target = scaling_.gap(step_.scaled, length_);
    for (std::int64_t q = 0; q < scaling_.count(); ++q) {
        const Point& l = scaling_.lambda()[q];
        Point x, s;
        for (int j = 0; j < 3; ++j) {
            x[j] = l[j] + aim * step_.scaled.x[q][j];
            s[j] = l[j] + aim * step_.scaled.s[q][j];
        }
        const Point p = product(x, s);
        const double t = length(p);
        const auto missing = [&](double eigenvalue) {
            const double wanted = std::min(std::max(eigenvalue, 0.1 * target), 10.0 * target);
            return std::max(wanted - eigenvalue, -10.0 * target);
        };
        const double high = missing(p[0] + t);
        const double low = missing(p[0] - t);
        const double across = t > 0.0 ? 0.5 * (high - low) / t : 0.0;
        term_[q] = divide(l, {0.5 * (high + low), across * p[1], across * p[2]});
    }
    solve(correction_, false);
    add_best_share(0.0);
}

void ConeInteriorPoint::advance(double step) {
    for (std::int64_t i = 0; i < form_->n; ++i) v_[i] += step * step_.v[i];
    scaling_.impulses_from_frames(step_.z);
    for (std::int64_t k = 0; k < form_->p; ++k) z_[scaling_.order()[k]] += step * step_.z[k];
    scaling_.advance(step_.scaled, step);
    scaling_.recall(z_);
}

// Where no solution exists, impulses run away along a ray that proves it: the direction of the last
// step, or of all of them.
bool ConeInteriorPoint::proves_infeasible(PivotMonitor& monitor) {
    for (std::int64_t k = 0; k < form_->p; ++k) projected_[scaling_.order()[k]] = step_.z[k];
    return is_proof(projection_, projected_, g_, monitor) || is_proof(projection_, z_, g_, monitor);
}

void ConeInteriorPoint::take_step() {
    predict();
    for (int k = 0; k < correctors && length_ < 0.9; ++k) {
        const double before = length_;
        centre();
        if (length_ < before + 0.1) break;
    }
    advance(std::min(1.0, to_the_boundary * length_));
}

void ConeInteriorPoint::run(PivotMonitor& monitor) {
    double growth = 1.0;
    int since_start = 0;
    int since_best = 0;
    double best = std::numeric_limits<double>::infinity();
    shift_ = first_shift;
    error_ = 0.0;
    start(growth);
    for (;;) {
        const double eta = measure(monitor);
        ++since_best;
        if (eta < 0.9 * best) {
            best = eta;
            since_best = 0;
        }
        if (eta <= monitor.settings().tolerance) return monitor.finish(Outcome::solved);
        if (!std::isfinite(eta)) return monitor.finish(Outcome::numerical_failure);
        if (since_best > patience) {
            if (!proves_infeasible(monitor)) monitor.finish(Outcome::stalled);
            return;
        }
        if (monitor.stop()) return;
        ++monitor.info().interior_steps;
        if (!factor(monitor)) return monitor.finish(Outcome::stalled);
        take_step();
        monitor.info().backward_error = std::max(monitor.info().backward_error, error_);
        const bool restart = ++since_start <= first_steps && length_ < short_step;
        if (restart && growth < largest_growth) {
            growth *= restart_growth;
            since_start = since_best = 0;
            start(growth);
        }
    }
}

}  // namespace perp
