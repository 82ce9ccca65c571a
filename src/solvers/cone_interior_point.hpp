// Primal-dual interior point for cones and bounds: Nesterov-Todd scaling (Math. Oper. Res. 22
// (1997)), Mehrotra's predictor-corrector (SIAM J. Optim. 2 (1992)), one quasi-definite
// factorization per step (algorithms.md 6.1). With multipliers s of the slacks x = G z + g:
//
//   S z + r = G's,  x o s = 0,  x, s in a product of second-order cones.
//
// A step wants lambda o (W dx + W^-1 ds) = lambda o t. This leaves
//
//   (S + G'W^2 G) dz = G's + G'W t - (S z + r),  W dx = W G dz,  W^-1 ds = t - W dx,
//
// where G's = G'W lambda: for the affine direction, t = -lambda, the right side is -(S z + r). Its
// correction enters with the share that goes farthest (Colombo, Gondzio, Comput. Optim. Appl. 41
// (2008)); correctors then bring the eigenvalues of x o s back to their common size (Gondzio,
// Comput. Optim. Appl. 6 (1996)).
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/cone_kkt.hpp"
#include "solvers/cone_projection.hpp"
#include "solvers/cone_scaling.hpp"
#include "solvers/corrector_shares.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class ConeInteriorPoint {
public:
    ConeInteriorPoint(const Problem& problem, const MixedForm& form, ConeKkt& kkt);
    // The problem has other values, perhaps another pattern, and the same size.
    void renew();
    void take_bounds();

    // From its own start. The best point is monitor.best().
    void run(PivotMonitor& monitor);
    [[nodiscard]] const ConeFrames& frames() const { return scaling_; }

private:
    struct Direction {
        std::vector<double> z, v;  // z in the frames and the order of the scaling
        ScaledDirection scaled;
    };
    void make_workspace();
    void start(double growth);
    double measure(PivotMonitor& monitor);
    bool factor(PivotMonitor& monitor);
    void solve(Direction& out, bool affine);
    void longest_steps(const Shares& share, Shares& step) const;
    [[nodiscard]] double longest_step() const;
    void predict();
    void add_best_share(double least);
    void centre();
    void take_step();
    void advance(double step);
    bool proves_infeasible(PivotMonitor& monitor);

    const Problem* problem_;
    const MixedForm* form_;
    ConeScaling scaling_;
    ConeProjection projection_;
    ConeKkt* kkt_;
    std::vector<double> z_, v_, w_, f_, g_, projected_;
    std::vector<Point> term_;  // t
    Direction step_, correction_;
    double length_ = 0.0;  // longest step along step_
    double shift_ = 0.0;
    double error_ = 0.0;  // of the affine direction
};

}  // namespace perp
