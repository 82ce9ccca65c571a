// One contact under the exact Coulomb law, solved exactly:
//
//   z in K,  u = W z + q,  u + mu |u_T| e_n in K*, complementary.
//
// It is open (q_n >= 0), sticks (u = 0), or slides: u_n = 0, u_T = -alpha z_T, |z_T| = mu z_n with
// alpha > 0. In the eigenvectors of W_TT - W_Tn W_nT / W_nn, z_T is a simple function of alpha, and
// one equation is left (a quartic once multiplied out: Bonnefond and Daviet, INRIA report 00553859
// (2011)). Its left side changes sign from alpha = 0, where the contact would stick, to infinity.
#pragma once

#include <algorithm>
#include <cmath>

#include "cones/jacobi_rotation.hpp"

namespace perp {

// A contact of 1 + T rows; W symmetric, row by row. False, and z is not written, where W_nn is not
// positive or planar sliding contradicts itself both ways.
template <int T>
bool solve_coulomb_contact(double mu, const double* W, const double* q, double* z);

namespace coulomb_detail {

// What slides in space, in the eigenvectors: z_j = -p_j / (lambda_j + alpha).
struct Sliding {
    double mu, wnn, qn;
    double lambda[2], p[2], c[2];  // c: W_nT

    struct At {
        double z[2], normal, length;
        double normal_slope, length_slope;
    };
    [[nodiscard]] At at(double alpha) const {
        At x{};
        double sum = qn, sum_slope = 0.0, slope = 0.0;
        for (int j = 0; j < 2; ++j) {
            const double a = lambda[j] + alpha;
            x.z[j] = p[j] == 0.0 ? 0.0 : -p[j] / a;
            const double dz = p[j] == 0.0 ? 0.0 : -x.z[j] / a;
            sum += c[j] * x.z[j];
            sum_slope += c[j] * dz;
            slope += x.z[j] * dz;
        }
        x.normal = -sum / wnn;
        x.normal_slope = -sum_slope / wnn;
        x.length = std::sqrt(x.z[0] * x.z[0] + x.z[1] * x.z[1]);
        x.length_slope = x.length > 0.0 ? slope / x.length : 0.0;
        return x;
    }
    // The alpha where length = mu normal: Newton's method on mu normal / length - 1, nearly linear,
    // inside a bracket. There, length < mu normal at the upper end.
    [[nodiscard]] double root() const {
        constexpr int most_steps = 100;
        double low = 0.0, high = std::max({lambda[0], lambda[1], 1e-300});
        for (int k = 0; k < most_steps; ++k, low = high, high *= 4.0)
            if (const At x = at(high); x.length <= mu * x.normal) break;
        double alpha = low;
        for (int k = 0; k < most_steps && high - low > 4e-16 * high; ++k) {
            const At x = at(alpha);
            const double ratio = mu * x.normal / x.length - 1.0;
            (ratio < 0.0 || !(x.length > 0.0) ? low : high) = alpha;
            if (std::abs(ratio) <= 4e-16) break;
            const double slope =
                mu * (x.normal_slope - x.normal * x.length_slope / x.length) / x.length;
            const double next = alpha - ratio / slope;
            alpha = next > low && next < high ? next : 0.5 * (low + high);
        }
        return alpha;
    }
};

}  // namespace coulomb_detail

template <>
inline bool solve_coulomb_contact<0>(double /*mu*/, const double* W, const double* q, double* z) {
    if (!(W[0] > 0.0)) return false;
    z[0] = std::max(0.0, -q[0] / W[0]);
    return true;
}

template <>
inline bool solve_coulomb_contact<1>(double mu, const double* W, const double* q, double* z) {
    const double wnn = W[0], wnt = W[1], wtt = W[3];
    if (!(wnn > 0.0)) return false;
    if (q[0] >= 0.0) {
        z[0] = z[1] = 0.0;
        return true;
    }
    const double determinant = wnn * wtt - wnt * wnt;
    double side = q[1] - wnt * q[0] / wnn > 0.0 ? -1.0 : 1.0;
    if (determinant > 1e-14 * wnn * wtt) {
        const double n = (wnt * q[1] - wtt * q[0]) / determinant;
        const double t = (wnt * q[0] - wnn * q[1]) / determinant;
        if (std::abs(t) <= mu * n) {
            z[0] = n;
            z[1] = t;
            return true;
        }
    }
    for (int k = 0; k < 2; ++k, side = -side) {
        const double slope = wnn + side * mu * wnt;
        if (!(slope > 0.0)) continue;
        const double n = -q[0] / slope, t = side * mu * n;
        if (side * (wnt * n + wtt * t + q[1]) > 0.0) continue;
        z[0] = n;
        z[1] = t;
        return true;
    }
    return false;
}

template <>
inline bool solve_coulomb_contact<2>(double mu, const double* W, const double* q, double* z) {
    const double wnn = W[0];
    if (!(wnn > 0.0)) return false;
    if (q[0] >= 0.0 || mu == 0.0) {
        z[0] = std::max(0.0, -q[0] / wnn);
        z[1] = z[2] = 0.0;
        return true;
    }
    const double a = W[4] - W[1] * W[1] / wnn, b = W[5] - W[1] * W[2] / wnn,
                 d = W[8] - W[2] * W[2] / wnn;
    const double q1 = q[1] - W[1] * q[0] / wnn, q2 = q[2] - W[2] * q[0] / wnn;
    const auto [c, s, t] = JacobiRotation(a, b, d);
    const double floor = 1e-15 * (W[4] + W[8]);
    coulomb_detail::Sliding sliding{mu,
                                    wnn,
                                    q[0],
                                    {std::max(a - t * b, floor), std::max(d + t * b, floor)},
                                    {c * q1 - s * q2, s * q1 + c * q2},
                                    {c * W[1] - s * W[2], s * W[1] + c * W[2]}};
    auto x = sliding.at(0.0);
    double shrink = 1.0;
    if (!(x.length <= mu * x.normal)) {
        x = sliding.at(sliding.root());
        x.normal = std::max(x.normal, 0.0);
        shrink = x.length > 0.0 ? mu * x.normal / x.length : 0.0;
    }
    z[0] = x.normal;
    z[1] = shrink * (c * x.z[0] + s * x.z[1]);
    z[2] = shrink * (c * x.z[1] - s * x.z[0]);
    return true;
}

}  // namespace perp
