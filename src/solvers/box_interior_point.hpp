// Primal-dual interior point for symmetric problems with bounds: Mehrotra's predictor-corrector
// (SIAM J. Optim. 2 (1992)) on the quasi-definite KKT system (algorithms.md 2.8). With multipliers
// y_l, y_u >= 0 of the bounds, w = y_l - y_u, every step solves
//
//   [ M  -J'        ] [dv]   [ J'z - M v                                ]
//   [ J   C + Theta ] [dz] = [ y_l - y_u - w + (target terms) / slacks ],
//   Theta = y_l / (z - lo) + y_u / (hi - z)
//
// with the affine direction and its correction, of which the share is taken that goes farthest
// (Colombo, Gondzio, Comput. Optim. Appl. 41 (2008)), then with correctors that bring products of
// slacks and multipliers back to their common size (Gondzio, Comput. Optim. Appl. 6 (1996)); all
// with one factorization. Its points tell the right basic set on problems on which exchanges
// from a cold start need thousands; the exchange phase then finds the solution itself.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/corrector_shares.hpp"
#include "solvers/ldl_basis.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class BoxInteriorPoint {
public:
    explicit BoxInteriorPoint(const MixedForm& form);

    // Until eta <= tolerance, no progress or `limit` steps. The best point is left in z (scaled),
    // its eta returned. Counts factorizations through the basis, steps in info().
    double run(LdlBasis& basis, double tolerance, std::vector<double>& z, PivotMonitor& monitor,
               int limit = 80);

    // Of the last point; its multipliers are w.
    [[nodiscard]] const std::vector<double>& z() const { return z_; }
    [[nodiscard]] const std::vector<double>& w() const { return w_; }

private:
    void look_at_bounds();  // which may have changed since the last run
    void start();
    double measure();  // w, eta
    void fill_slacks();
    struct Direction {
        std::vector<double> z, v, lower, upper;
    };
    void solve(LdlBasis& basis, Direction& out, bool with_residual);
    void longest_steps(const Shares& share, Shares& step) const;
    [[nodiscard]] double longest_step() const;
    [[nodiscard]] double gap(double step) const;
    void predict(LdlBasis& basis);
    void add_best_share(double least);
    void centre(LdlBasis& basis);
    void advance(double step);

    const MixedForm* form_;
    std::int64_t pairs_ = 0;
    std::vector<std::uint8_t> has_lo_, has_hi_, loose_;
    std::vector<double> least_z_, most_z_;           // next to the bounds
    std::vector<double> z_, v_, w_, lower_, upper_;  // y_l, y_u
    // z - lo, hi - z and their inverses and those of y_l, y_u; all 0 where there is no such bound,
    // so that no loop asks.
    std::vector<double> below_, above_, inverse_below_, inverse_above_, inverse_lower_,
        inverse_upper_;
    Direction step_, correction_;
    double error_ = 0.0;   // of the affine direction before its refinement
    double length_ = 0.0;  // longest step along step_
    // Right sides of  y_l dz + (z - lo) dy_l  and  -y_u dz + (hi - z) dy_u.
    std::vector<double> lower_term_, upper_term_;
    std::vector<double> theta_, f_, g_;
};

}  // namespace perp
