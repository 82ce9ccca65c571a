// Semismooth Newton with line search on the proximal problem of a symmetric assembled form
// (algorithms.md 2.3). Its dual in the velocities is the minimum of
//
//   phi(v) = v'Mv / 2 + sum_i c_i (u_i z_i - z_i^2 / 2),    c = diag(C) + delta,
//   u_i = (delta_i centre_i - J_i v - r_i) / c_i,    z = clip(u, lo, hi),
//
// strictly convex and piecewise quadratic; its gradient is M v - J'z. A Newton step solves the
// basis of the rows with lo < u < hi, and the step goes to the exact minimum along the line: no set
// comes back, and the end is found in finitely many steps. (Full steps that are allowed to fail, as
// in 2.3, let two sets alternate; only where they pass Armijo's test, they gain nothing.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/basis.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class BoxLineSearch {
public:
    // n > 0 and C diagonal, which assembled forms have.
    explicit BoxLineSearch(const MixedForm& form);

    enum class Result : std::uint8_t {
        converged,
        stalled,  // limits reached, or rounding leaves no descent
        failed,   // the basis is singular or has the wrong inertia
        stopped,  // by the monitor
    };
    struct Limits {
        int steps = 60;
    };

    // The set of the first step: -1 at lo, 0 basic, 1 at hi.
    void set_states(std::span<const std::int8_t> state);
    // Starts at the point of the current set, with delta (positive, per row) and centre.
    Result run(Basis& basis, std::span<const double> delta, std::span<const double> centre,
               const Limits& limits, PivotMonitor& monitor);

    [[nodiscard]] const std::vector<std::int8_t>& states() const { return state_; }
    [[nodiscard]] const std::vector<double>& z() const { return z_; }
    [[nodiscard]] const std::vector<double>& w() const { return w_; }
    [[nodiscard]] int steps() const { return steps_; }           // systems solved by the last run
    [[nodiscard]] bool exchanged() const { return exchanged_; }  // its set changed

private:
    struct Breakpoint {
        double at;
        double slope;  // change of the second derivative
    };
    struct Slope {
        double first = 0.0, second = 0.0;  // derivatives at the start of the line
        double rounding = 0.0;             // of the first
    };
    void solve(Basis& basis);
    [[nodiscard]] double violation() const;
    Slope prepare_line();
    double minimum_along_line(const Slope& start);
    void move(double step);

    const MixedForm& form_;
    std::vector<std::int8_t> state_;
    std::vector<double> delta_, centre_, c_;
    // The Newton point and, where it was last, the point on the lines.
    std::vector<double> z_, w_, u_, v_, z_basic_, f_, g_, line_v_, line_u_, direction_, product_;
    std::vector<Breakpoint> breaks_;
    int steps_ = 0;
    bool exchanged_ = false;
};

}  // namespace perp
