// The cone of one contact and the exact projection onto it.
//
//   K = { (n, t, s, r) : |t| <= mu n, |s| <= sigma n, |r| <= rho n }
//
// n normal, t sliding (0 rows in frictionless, 1 in planar, 2 in spatial contacts); angular rows:
// none, r rolling (1 or 2 rows), or s spin (1 row) and r rolling (2 rows). Impulses: n, t in N s;
// s, r in N m s; rho, sigma are lengths. Polar cone: n + mu |t| + sigma |s| + rho |r| <= 0.
// Sources: Tasora and Anitescu, Meccanica 48 (2013), appendix C; Negrut, Serban, Tasora, JCND 13
// (2018), eq. 10.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/inline.hpp"

namespace perp {

struct ContactShape {
    int tangential = 2;
    int spin = 0;
    int roll = 0;
    static constexpr int most_rows = 6;
    [[nodiscard]] constexpr int rows() const { return 1 + tangential + spin + roll; }
    [[nodiscard]] constexpr int angular() const { return spin + roll; }
    friend bool operator==(const ContactShape&, const ContactShape&) = default;
};

// The three friction coefficients of a contact in the variables it is projected in.
struct ConeCoefficients {
    double sliding = 0.0;
    double spin = 0.0;
    double roll = 0.0;
};

// The rows of a contact's kinds of friction, sliding, spinning, rolling, in its order of rows.
struct FrictionGroup {
    int first, rows;
    double coefficient;
};
constexpr std::array<FrictionGroup, 3> friction_groups(const ContactShape& shape,
                                                       const ConeCoefficients& c) {
    return {{{1, shape.tangential, c.sliding},
             {1 + shape.tangential, shape.spin, c.spin},
             {1 + shape.tangential + shape.spin, shape.roll, c.roll}}};
}

namespace cone_detail {

template <int N>
double norm(const double* x) {
    if constexpr (N == 0) return 0.0;
    if constexpr (N == 1) return std::abs(x[0]);
    return std::sqrt(x[0] * x[0] + x[N - 1] * x[N - 1]);
}

template <int N>
void clip(double* x, double length, double limit) {
    if constexpr (N > 0) {
        // Not a branch: which contacts slide is hard to predict. length > limit >= 0 where it
        // counts.
        const double shrunk = limit / length;
        const double factor = length > limit ? shrunk : 1.0;
        for (int i = 0; i < N; ++i) x[i] *= factor;
    }
}

}  // namespace cone_detail

// Euclidean projection of x onto K, in place. The projected normal is the root of the increasing
// y - x_n - sum_k mu_k max(0, a_k - mu_k y); every subset A of the groups gives the lower bound
// (x_n + sum_A mu_k a_k) / (1 + sum_A mu_k^2) of the root and the active set attains it, so the
// root is the largest of them, and 0 where all are negative (x in the polar cone).
template <int Tangential, int Spin, int Roll>
PERP_INLINE void project_contact(const ConeCoefficients& c, double* x) {
    double* t = x + 1;
    double* s = t + Tangential;
    double* r = s + Spin;
    const double at = cone_detail::norm<Tangential>(t);
    const double as = cone_detail::norm<Spin>(s);
    const double ar = cone_detail::norm<Roll>(r);
    double y = std::max(x[0], 0.0);
    const double pt = c.sliding * at;
    const double qt = c.sliding * c.sliding;
    if constexpr (Tangential > 0) y = std::max(y, (x[0] + pt) / (1.0 + qt));
    if constexpr (Spin > 0) {
        const double ps = c.spin * as;
        const double qs = c.spin * c.spin;
        y = std::max(y, (x[0] + ps) / (1.0 + qs));
        y = std::max(y, (x[0] + pt + ps) / (1.0 + qt + qs));
    }
    if constexpr (Roll > 0) {
        const double pr = c.roll * ar;
        const double qr = c.roll * c.roll;
        y = std::max(y, (x[0] + pr) / (1.0 + qr));
        y = std::max(y, (x[0] + pt + pr) / (1.0 + qt + qr));
        if constexpr (Spin > 0) {
            const double ps = c.spin * as;
            const double qs = c.spin * c.spin;
            y = std::max(y, (x[0] + ps + pr) / (1.0 + qs + qr));
            y = std::max(y, (x[0] + pt + ps + pr) / (1.0 + qt + qs + qr));
        }
    }
    x[0] = y;
    cone_detail::clip<Tangential>(t, at, c.sliding * y);
    cone_detail::clip<Spin>(s, as, c.spin * y);
    cone_detail::clip<Roll>(r, ar, c.roll * y);
}

// Calls f.template operator()<Tangential, Spin, Roll>() for the shape at hand: the closed set of
// shapes is dispatched once per loop, not once per contact.
template <class F>
void with_shape(const ContactShape& shape, F&& f) {
    const int code = shape.tangential * 4 + (shape.spin > 0 ? 3 : shape.roll);
    switch (code) {
        case 0:
            f.template operator()<0, 0, 0>();
            return;
        case 1:
            f.template operator()<0, 0, 1>();
            return;
        case 2:
            f.template operator()<0, 0, 2>();
            return;
        case 3:
            f.template operator()<0, 1, 2>();
            return;
        case 4:
            f.template operator()<1, 0, 0>();
            return;
        case 5:
            f.template operator()<1, 0, 1>();
            return;
        case 6:
            f.template operator()<1, 0, 2>();
            return;
        case 7:
            f.template operator()<1, 1, 2>();
            return;
        case 8:
            f.template operator()<2, 0, 0>();
            return;
        case 9:
            f.template operator()<2, 0, 1>();
            return;
        case 10:
            f.template operator()<2, 0, 2>();
            return;
        default:
            f.template operator()<2, 1, 2>();
            return;
    }
}

// The same projection with the shape known only at run time.
void project_contact(const ContactShape& shape, const ConeCoefficients& c, double* x);

// Distance of x from K and from its polar cone, as the largest violated inequality (0 inside).
double cone_violation(const ContactShape& shape, const ConeCoefficients& c, const double* x);
double polar_violation(const ContactShape& shape, const ConeCoefficients& c, const double* x);

// De Saxce's shift s = mu |t| + sigma |s| + rho |r| of a relative velocity: u_n + s complements
// the exact Coulomb law, u_n alone the relaxed one.
double de_saxce_shift(const ContactShape& shape, const ConeCoefficients& c, const double* u);

}  // namespace perp
