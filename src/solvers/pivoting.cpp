#include "solvers/pivoting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/enumeration.hpp"

namespace perp {
namespace {

constexpr double bilateral_delta = 1e-9;
constexpr double least_delta = 1e-9;
constexpr double largest_delta = 0.1;
constexpr double interior_accuracy = 1e-8;

// Of the loop around an inner solver. The centre moves, and delta falls, only where it converged.
struct Proximal {
    double delta;
    int outer_loops = 60;
    int failures = 6;     // of the inner problem before giving up
    double raise = 10.0;  // of delta after one
    int patience = 8;     // loops in a row that do not halve eta
};

class Pivoting {
public:
    Pivoting(const MixedForm& form, std::vector<double>& z, PivotingWorkspace& work,
             PivotMonitor& monitor)
        : form_(form), z_(z), work_(work), monitor_(monitor) {}

    void run(std::span<const std::int8_t> set, bool warm);
    bool run_line_search(double delta);

private:
    // True: nothing is left to do.
    bool exchanges(const Proximal& rules, const BlockExchange::Limits& limits) {
        return proximal(work_.exchange, rules, limits);
    }
    template <class Inner>
    bool proximal(Inner& inner, const Proximal& rules, const typename Inner::Limits& limits);
    bool interior();
    bool line_search(double delta);
    bool symmetric(bool warm);
    void general();
    template <class Run>
    bool with_basis(Basis& basis, Run&& run);
    void set_delta(double delta);
    double move_centre(std::span<const double> next);
    bool ray_is_proof();

    const MixedForm& form_;
    std::vector<double>& z_;
    PivotingWorkspace& work_;
    PivotMonitor& monitor_;
    Basis* basis_ = nullptr;
    std::vector<double> start_;
};

void Pivoting::run(std::span<const std::int8_t> set, bool warm) {
    for (std::int64_t i = 0; i < form_.p; ++i)
        z_[i] = std::min(std::max(z_[i], form_.lo[i]), form_.hi[i]);
    if (!set.empty()) {
        work_.exchange.set_states(set);
    } else if (warm) {
        monitor_.eta(z_);
        monitor_.velocity(work_.w);
        work_.exchange.set_from(z_, work_.w);
    } else {
        work_.exchange.set_from(z_, form_.r);
    }
    start_ = z_;
    if (work_.ldl && with_basis(*work_.ldl, [&] { return symmetric(warm); })) return;
    general();
}

// Runs with a basis, whose work is added to the info. True: nothing is left to do.
template <class Run>
bool Pivoting::with_basis(Basis& basis, Run&& run) {
    basis_ = &basis;
    basis.start_statistics();
    const bool done = run();
    work_.state = work_.exchange.states();
    Info& info = monitor_.info();
    info.factorizations += basis.statistics().factorizations;
    info.updates += basis.statistics().updates;
    info.backward_error = std::max(info.backward_error, basis.statistics().largest_error);
    return done;
}

// Near a guess, delta may be larger: the set changes less. Far from the centre it would change it.
bool Pivoting::symmetric(bool warm) {
    const bool found =
        warm ? exchanges({1e-6, 20, 2}, {12, 20, false}) : exchanges({1e-8, 20, 0}, {12, 0, true});
    if (found) return true;
    if (interior()) return true;
    if (exchanges({1e-4, 60, 6}, {30, 50, false})) return true;
    if (std::isfinite(monitor_.best_eta())) z_ = monitor_.best();
    monitor_.eta(z_);
    monitor_.velocity(work_.w);
    work_.exchange.set_from(z_, work_.w);
    return line_search(1e-2);
}

// Newton steps that cannot cycle, from the set of the exchanges.
bool Pivoting::line_search(double delta) {
    if (form_.n == 0) return false;
    monitor_.info().fallbacks |= fallback::line_search;
    if (!work_.line_search) work_.line_search = std::make_unique<BoxLineSearch>(form_);
    work_.line_search->set_states(work_.exchange.states());
    const bool done = proximal(*work_.line_search, {delta, 200, 40, 4.0, 40}, {});
    work_.exchange.set_states(work_.line_search->states());
    return done;
}

bool Pivoting::run_line_search(double delta) {
    work_.exchange.set_from(z_, form_.r);
    return with_basis(*work_.ldl, [&] { return line_search(delta); });
}

void Pivoting::general() {
    Info& info = monitor_.info();
    if (work_.ldl) info.fallbacks |= fallback::general_basis;
    if (!work_.lu) work_.lu = std::make_unique<LuBasis>(form_);
    z_ = start_;
    work_.exchange.set_from(z_, form_.r);
    if (with_basis(*work_.lu, [&] { return exchanges({1e-8, 20, 2}, {50, 100, false}); })) return;
    info.fallbacks |= fallback::lemke;
    if (!work_.lemke) work_.lemke = std::make_unique<LemkeWorkspace>(form_);
    z_ = start_;
    run_lemke(form_, z_, *work_.lemke, monitor_);
    work_.state = work_.lemke->state;
    if (info.outcome != Outcome::stalled || monitor_.stopped()) return;
    z_ = monitor_.best();
    if (!run_enumeration(form_, z_, monitor_) || info.outcome != Outcome::solved) return;
    monitor_.velocity(work_.w);
    work_.exchange.set_from(z_, work_.w);
    work_.state = work_.exchange.states();
}

void Pivoting::set_delta(double delta) {
    monitor_.info().delta = delta;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double d = form_.diagonal[i] > 0.0 ? form_.diagonal[i] : 1.0;
        work_.delta[i] = d * (form_.is_free(i) ? bilateral_delta : delta);
    }
}

template <class Inner>
bool Pivoting::proximal(Inner& inner, const Proximal& rules, const typename Inner::Limits& limits) {
    using Result = typename Inner::Result;
    double delta = rules.delta;
    double best = std::numeric_limits<double>::infinity();
    int failures = 0;
    int without_progress = 0;
    for (int outer = 0; outer < rules.outer_loops; ++outer) {
        set_delta(delta);
        ++monitor_.info().outer_loops;
        const Result result = inner.run(*basis_, work_.delta, z_, limits, monitor_);
        if (result == Result::stopped) return true;
        if (result != Result::converged) {
            if (++failures > rules.failures) return false;
            delta = std::min(rules.raise * delta, largest_delta);
            continue;
        }
        const double eta = move_centre(inner.z());
        if (eta <= monitor_.settings().tolerance) {
            monitor_.finish(Outcome::solved);
            return true;
        }
        without_progress = eta < 0.5 * best ? 0 : without_progress + 1;
        if (without_progress >= 2 && ray_is_proof()) return true;
        if (without_progress > rules.patience) return false;
        const bool quick = eta < 0.1 * best;
        best = std::min(best, eta);
        // The same factors serve again while they gain a digit a step.
        if (quick && !inner.exchanged()) continue;
        if (inner.steps() <= 8)
            delta = std::max(delta * (inner.exchanged() ? 0.3 : 0.1), least_delta);
    }
    return false;
}

// The centre follows the inner solution; the step is kept as a possible ray.
double Pivoting::move_centre(std::span<const double> next) {
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double inside = std::min(std::max(next[i], form_.lo[i]), form_.hi[i]);
        work_.ray[i] = inside - z_[i];
        z_[i] = inside;
    }
    return monitor_.eta(z_);
}

// Where no solution exists, the centre runs away along a ray d of the recession cone with S'd = 0
// and r . d < 0 (algorithms.md 2.6). A solve with the basis takes out what curvature is left.
bool Pivoting::ray_is_proof() {
    std::vector<double>& d = work_.ray;
    for (int round = 0; round < 3; ++round) {
        double square = 0.0;
        for (std::int64_t i = 0; i < form_.p; ++i) {
            if (std::isfinite(form_.lo[i])) d[i] = std::max(d[i], 0.0);
            if (std::isfinite(form_.hi[i])) d[i] = std::min(d[i], 0.0);
            square += d[i] * d[i];
        }
        const double norm = std::sqrt(square);
        if (!(norm > 0.0) || !std::isfinite(norm)) return false;
        for (double& x : d) x /= norm;
        if (monitor_.is_proof(d)) {
            monitor_.prove(d);
            return true;
        }
        for (std::int64_t i = 0; i < form_.p; ++i) work_.ray_product[i] = work_.delta[i] * d[i];
        basis_->solve({}, work_.ray_product, work_.ray_velocity, work_.ray_next);
        d.swap(work_.ray_next);
    }
    return false;
}

bool Pivoting::interior() {
    monitor_.info().fallbacks |= fallback::interior_point;
    std::vector<double> start(z_);
    const double eta = work_.interior.run(*work_.ldl, interior_accuracy, start, monitor_);
    if (monitor_.stopped()) return true;
    if (!std::isfinite(eta)) return false;
    for (std::int64_t i = 0; i < form_.p; ++i)
        z_[i] = std::min(std::max(start[i], form_.lo[i]), form_.hi[i]);
    if (monitor_.solved(z_)) {
        monitor_.finish(Outcome::solved);
        return true;
    }
    work_.exchange.set_from(work_.interior.z(), work_.interior.w());
    return false;
}

}  // namespace

PivotingWorkspace::PivotingWorkspace(const MixedForm& form)
    : exchange(form),
      interior(form),
      delta(form.p),
      w(form.p),
      ray(form.p),
      ray_velocity(form.n),
      ray_product(form.p),
      ray_next(form.p),
      state(form.p, -1) {
    if (form.symmetric) ldl = std::make_unique<LdlBasis>(form);
}

void PivotingWorkspace::renew(const MixedForm& form) {
    if (!form.symmetric)
        ldl.reset();
    else if (ldl)
        ldl->renew(form);
    else
        ldl = std::make_unique<LdlBasis>(form);
    lu.reset();
    line_search.reset();
    lemke.reset();
    interior = BoxInteriorPoint(form);
}

void run_pivoting(const MixedForm& form, std::vector<double>& z, std::span<const std::int8_t> set,
                  bool warm, PivotingWorkspace& work, PivotMonitor& monitor) {
    Pivoting(form, z, work, monitor).run(set, warm);
}

bool run_line_search(const MixedForm& form, std::vector<double>& z, double delta,
                     PivotingWorkspace& work, PivotMonitor& monitor) {
    return Pivoting(form, z, work, monitor).run_line_search(delta);
}

}  // namespace perp
