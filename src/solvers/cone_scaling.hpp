// The cones of a problem as second-order cones, and their Nesterov-Todd scaling
// (algorithms.md 6.1).
//
// A contact is a cone for each kind of friction, which share the normal impulse: (mu n, t),
// (sigma n, s), (rho n, r); without friction it is the interval n >= 0. A bound of an interval is a
// cone of one dimension. With the slacks x = G z + g in these cones and multipliers s,
//
//   s = W lambda,  x = W^-1 lambda,  W = beta (2 v v' - J),  J = diag(1, -1, -1),  v'J v = 1.
//
// W and lambda are kept, and x and s are not: near the boundary of a cone these have lost the
// digits that tell the distance, lambda and the steps in its space have not (Vandenberghe, The
// CVXOPT linear and quadratic cone program solvers (2010), section 5).
//
// For the same reason steps have unknowns of their own. With u = v_1 / |v_1|, W^2 has the
// eigenvectors (1, u), (1, -u) and one across, and sliding contacts spread their eigenvalues over
// more digits than a number has. In the frame (n, y, a), where y = x_0 + u . x_1 is the distance
// that a large eigenvalue keeps small and a the component of x_1 across u, W^2 is nearly diagonal
// and every entry has all its digits. Cones that share n each have their y and a.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/cone_frames.hpp"

namespace perp {

// Of a second-order cone, x_0 >= |(x_1, x_2)|; trailing components are 0 where it has fewer.
using Point = std::array<double, 3>;

namespace second_order {

inline double dot(const Point& a, const Point& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const Point& a) { return std::sqrt(a[1] * a[1] + a[2] * a[2]); }
// a_0^2 - |a_1|^2
inline double determinant(const Point& a) {
    const double t = length(a);
    return (a[0] - t) * (a[0] + t);
}
// Jordan product, and the o with a o = q.
Point product(const Point& a, const Point& b);
Point divide(const Point& a, const Point& q);

}  // namespace second_order

// Directions of x and s in the space of lambda, one Point per cone.
struct ScaledDirection {
    std::vector<Point> x, s;
};

class ConeScaling : public ConeFrames {
public:
    // Of a contact: (factor n, rows tangent, tangent + 1 of it). Of a bound (tangent = 0):
    // factor z + offset.
    struct Cone {
        std::int64_t row;  // of n, of z
        int tangent, dimension;
        double factor, offset;
    };
    // W^2 in the frame, as entries (y, y), (a, a), (n, y) and (n, n).
    struct Block {
        double yy, aa, ny, nn;
    };

    ConeScaling(const ConstraintSet& set, const MixedForm& form);
    // The form has other bounds. Does not allocate.
    void take_bounds(const MixedForm& form);

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(cone_.size()); }
    // Of count(), whatever the bounds.
    [[nodiscard]] std::int64_t most() const { return static_cast<std::int64_t>(beta_.size()); }
    [[nodiscard]] const std::vector<Cone>& cones() const { return cone_; }

    // z (the caller's rows) inside the cones, as far as `size`; multipliers of `velocity`.
    void start(const MixedForm& form, double size, double velocity, std::span<double> z);

    void to_frame(std::int64_t contact, double* velocity, std::int64_t stride) const override;
    void from_frame(std::int64_t contact, double* impulse) const override;
    void terms(std::vector<Term>& out) const override;  // G'W^2 G
    void active(std::span<std::uint8_t> out) const override;
    [[nodiscard]] Block block(std::int64_t cone) const;
    // out <- W G dz, and g += G'W t, dz and g in the frames.
    void scale(std::span<const double> dz, std::span<Point> out) const;
    void add_velocities(std::span<const Point> t, std::span<double> g) const;

    [[nodiscard]] const std::vector<Point>& lambda() const { return lambda_; }
    // Mean product of slack and multiplier after a step.
    [[nodiscard]] double gap(const ScaledDirection& d, double step) const;
    // Both directions of a cone where lambda is (1, 0, 0): of the r returned, |r_1| - r_0 is the
    // rate at which it leaves the cone, the inverse of the longest step.
    [[nodiscard]] std::array<Point, 2> rates(std::int64_t cone, const Point& dx,
                                             const Point& ds) const;
    // Goes there, to the scaling and the frames of the new point.
    void advance(const ScaledDirection& d, double step);
    // Brings x back to G z + g, from which rounding has moved it, but for what z cannot tell: how
    // close to the boundary x is. To be called after advance(), with the caller's z.
    void recall(std::span<const double> z);

private:
    void advance(std::int64_t cone, const Point& x, const Point& s);
    [[nodiscard]] Point recalled(std::int64_t cone, const Point& x) const;

    std::vector<std::uint8_t> fixed_;       // rows with lo = hi
    std::vector<Cone> cone_;                // of contacts, then of bounds
    std::vector<std::int64_t> first_cone_;  // of each contact, and the end
    std::vector<double> beta_;
    std::vector<Point> v_, lambda_;
    std::vector<Point> u_;      // (|v_1|, u)
    std::vector<double> root_;  // of the determinant of lambda
};

}  // namespace perp
