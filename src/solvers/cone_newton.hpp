// Proximal-point semismooth Newton for cones and bounds (algorithms.md 6.2). For a centre z and
// delta, over velocities v and impulses x (which count where S has a part C of its own):
//
//   min  1/2 v'M v + 1/2 x'C x + sum delta_i / 2 |P_i(a)|^2,   a = z - (J v + C x + r) / delta.
//
// Its minimum has M v = J'y, C x = C y with y = P(a), and the velocity w of y satisfies
// w + delta (y - z) in the dual cone, complementary to y: y solves the problem where it stays at
// the centre. The centre moves there when the minimum is reached, and only then, and delta becomes
// smaller when this was easy. Steps are Newton's, dy = V da with V the Jacobian of P: with da the
// unknowns of rows with positive eigenvalues and no others (ConeKkt, ConeProjection), delta may be
// as small as rounding allows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/cone_kkt.hpp"
#include "solvers/cone_projection.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class ConeNewton {
public:
    struct Limits {
        double delta;                 // to begin with, of rows with bounds
        std::int64_t inner_steps;     // of one minimum
        std::int64_t factorizations;  // in all
        std::int64_t idle_centres;    // that bring no better point
    };
    enum class Result { solved, stopped, stalled, infeasible };

    ConeNewton(const Problem& problem, const MixedForm& form, ConeKkt& kkt);
    // The problem has other values, perhaps another pattern, and the same size.
    void renew();
    void take_bounds() { projection_.take_bounds(*form_); }

    // From z (scaled). The best point is monitor.best(); after stopped and infeasible its info
    // tells why.
    Result run(std::span<const double> z, const Limits& limits, PivotMonitor& monitor);

private:
    enum class Inner { working, solved, stopped, converged, failed };
    void make_workspace();
    void set_delta(double delta);
    void velocity_of(std::span<const double> z);
    void aim();
    void start();
    void move_to(double delta);
    bool take_step(bool full, PivotMonitor& monitor);
    Inner judge(PivotMonitor& monitor);
    Inner predict(PivotMonitor& monitor);
    Inner minimize(const Limits& limits, PivotMonitor& monitor);
    bool factor(PivotMonitor& monitor);
    void residuals();
    void find_step(PivotMonitor& monitor);
    double slope_along(double step);
    double line_search();
    void advance(double step);
    [[nodiscard]] double gradient_norm() const;

    const Problem* problem_;
    const MixedForm* form_;
    ConeKkt* kkt_;
    ConeProjection projection_;
    std::int64_t factorizations_ = 0, inner_steps_ = 0;
    bool flat_ = false;  // the last line had no slope but rounding
    double delta_ = 0.0, shift_ = 0.0;
    double first_slope_ = 0.0, energy_ = 0.0;      // of a step without y, and its growth
    std::vector<double> delta_row_, delta_order_;  // in the caller's rows, in the projection's
    std::vector<double> centre_, a_, y_, x_, w_;   // rows of the caller
    std::vector<double> da_, dx_, dw_, e_, ce_, trial_, last_x_, last_a_;  // likewise
    std::vector<double> g_, dy_, step_;                                    // in the frames
    std::vector<double> v_, dv_, f_, mv_, mdv_, root_mass_, last_v_;
};

}  // namespace perp
