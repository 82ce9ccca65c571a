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
#include <limits>

#include "cones/jacobi_rotation.hpp"

namespace perp {

// A contact of 1 + T rows with W (symmetric, row by row), made once for many q:
//   solve(mu, q, slide, z)   with a guess of alpha, 0: none.
// False, and z is not written, where W_nn is not positive or planar sliding contradicts itself both
// ways.
template <int T>
class CoulombContact;

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
    // The alpha > 0 where length = mu normal, from a guess: Newton's method on
    // mu normal / length - 1, nearly linear, inside a bracket. Length < mu normal at its upper end.
    [[nodiscard]] double root(double alpha) const {
        constexpr int most_steps = 200;
        constexpr double rounding = 1e-15;
        double low = 0.0, high = std::numeric_limits<double>::infinity();
        for (int k = 0; k < most_steps; ++k) {
            const At x = at(alpha);
            const double ratio = mu * x.normal / x.length - 1.0;
            if (std::abs(ratio) <= rounding) break;
            (ratio < 0.0 || !(x.length > 0.0) ? low : high) = alpha;
            const double slope =
                mu * (x.normal_slope - x.normal * x.length_slope / x.length) / x.length;
            double next = alpha - ratio / slope;
            if (std::abs(next - alpha) <= rounding * alpha) break;
            if (!(next > low && next < high))
                next = std::isfinite(high) ? 0.5 * (low + high) : 4.0 * alpha;
            alpha = next;
        }
        return alpha;
    }
};

}  // namespace coulomb_detail

template <>
class CoulombContact<0> {
public:
    explicit CoulombContact(const double* W) : wnn_(W[0]) {}

    bool solve(double /*mu*/, const double* q, double /*slide*/, double* z) const {
        if (!(wnn_ > 0.0)) return false;
        z[0] = std::max(0.0, -q[0] / wnn_);
        return true;
    }

private:
    double wnn_ = 0.0;
};

template <>
class CoulombContact<1> {
public:
    explicit CoulombContact(const double* W)
        : wnn_(W[0]), wnt_(W[1]), wtt_(W[3]), determinant_(wnn_ * wtt_ - wnt_ * wnt_) {}

    bool solve(double mu, const double* q, double /*slide*/, double* z) const {
        if (!(wnn_ > 0.0)) return false;
        if (q[0] >= 0.0) {
            z[0] = z[1] = 0.0;
            return true;
        }
        double side = q[1] - wnt_ * q[0] / wnn_ > 0.0 ? -1.0 : 1.0;
        if (determinant_ > 1e-14 * wnn_ * wtt_) {
            const double n = (wnt_ * q[1] - wtt_ * q[0]) / determinant_;
            const double t = (wnt_ * q[0] - wnn_ * q[1]) / determinant_;
            if (std::abs(t) <= mu * n) {
                z[0] = n;
                z[1] = t;
                return true;
            }
        }
        for (int k = 0; k < 2; ++k, side = -side) {
            const double slope = wnn_ + side * mu * wnt_;
            if (!(slope > 0.0)) continue;
            const double n = -q[0] / slope, t = side * mu * n;
            if (side * (wnt_ * n + wtt_ * t + q[1]) > 0.0) continue;
            z[0] = n;
            z[1] = t;
            return true;
        }
        return false;
    }

private:
    double wnn_ = 0.0, wnt_ = 0.0, wtt_ = 0.0, determinant_ = 0.0;
};

template <>
class CoulombContact<2> {
public:
    explicit CoulombContact(const double* W) : wnn_(W[0]) {
        if (!(wnn_ > 0.0)) return;
        share_[0] = W[1] / wnn_;
        share_[1] = W[2] / wnn_;
        const double a = W[4] - W[1] * share_[0], b = W[5] - W[1] * share_[1],
                     d = W[8] - W[2] * share_[1];
        const auto [c, s, t] = JacobiRotation(a, b, d);
        const double floor = 1e-15 * (W[4] + W[8]);
        cosine_ = c;
        sine_ = s;
        lambda_[0] = std::max(a - t * b, floor);
        lambda_[1] = std::max(d + t * b, floor);
        coupling_[0] = c * W[1] - s * W[2];
        coupling_[1] = s * W[1] + c * W[2];
    }

    bool solve(double mu, const double* q, double slide, double* z) const {
        if (!(wnn_ > 0.0)) return false;
        if (q[0] >= 0.0 || mu == 0.0) {
            z[0] = std::max(0.0, -q[0] / wnn_);
            z[1] = z[2] = 0.0;
            return true;
        }
        const double c = cosine_, s = sine_;
        const double q1 = q[1] - share_[0] * q[0], q2 = q[2] - share_[1] * q[0];
        const coulomb_detail::Sliding sliding{mu,
                                              wnn_,
                                              q[0],
                                              {lambda_[0], lambda_[1]},
                                              {c * q1 - s * q2, s * q1 + c * q2},
                                              {coupling_[0], coupling_[1]}};
        auto x = sliding.at(0.0);
        double shrink = 1.0;
        if (!(x.length <= mu * x.normal)) {
            x = sliding.at(sliding.root(slide > 0.0 ? slide : std::max(lambda_[0], lambda_[1])));
            x.normal = std::max(x.normal, 0.0);
            shrink = x.length > 0.0 ? mu * x.normal / x.length : 0.0;
        }
        z[0] = x.normal;
        z[1] = shrink * (c * x.z[0] + s * x.z[1]);
        z[2] = shrink * (c * x.z[1] - s * x.z[0]);
        return true;
    }

private:
    // W_nT / W_nn; the eigenvectors and values of W_TT - W_Tn W_nT / W_nn; W_nT in them.
    double wnn_ = 0.0, share_[2] = {}, cosine_ = 1.0, sine_ = 0.0, lambda_[2] = {},
           coupling_[2] = {};
};

}  // namespace perp
