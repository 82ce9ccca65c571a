// A disc with a sharp rim that rolls and slides on a plane (Peiret, Kovecses and Font-Llagunes
// 2016, section 5): x, y, z of the centre and z-x-y Euler angles psi, theta, phi; generalized
// velocities are their rates, positions move with the velocity of the step's start. One contact
// with world axes as tangents, and its exact Coulomb law without a solver.
#pragma once

#include <array>

#include "friction_support.hpp"

namespace perp::test {

class Wheel {
public:
    static constexpr double radius = 0.5, mass = 1.0, axial = 0.6, lateral = 0.3, mu = 0.3,
                            gravity = 9.81;
    static constexpr double pi = 3.14159265358979323846;

    struct Sample {
        std::array<double, 3> centre{};
        double normal = 0.0;  // N
        std::array<double, 2> force{}, sliding{};
        double energy = 0.0;  // J, at the start of the step
    };

    Wheel() : q_{0, 0, radius * std::cos(pi / 9), 0, pi / 9, 0}, v_{6, 0, 0, -2, 0, 0} {}

    // The rows of a step of length h.
    [[nodiscard]] FrictionScene scene(double h) const {
        FrictionScene s;
        s.M = mass_matrix();
        s.N = Dense(1, 6, {0, 0, 1, 0, radius * std::sin(q_[4]), 0});
        const double sp = std::sin(q_[3]), cp = std::cos(q_[3]);
        const double st = std::sin(q_[4]), ct = std::cos(q_[4]), R = radius;
        s.D = Dense(2, 6,
                    {1, 0, 0, -R * cp * st, -R * ct * sp, -R * cp,  //
                     0, 1, 0, -R * sp * st, R * ct * cp, -R * sp});
        const Vector v(v_.begin(), v_.end());
        s.rows.f = s.M * v;
        const Vector force = applied();
        for (int k = 0; k < 6; ++k) s.rows.f[k] += h * force[k];
        s.rows.mu = {mu};
        s.contacts.h = h;
        s.contacts.velocity = v;
        s.contacts.normal_estimate = {mass * gravity};
        return s;
    }

    // To the end of the step, with its velocities and contact impulses.
    Sample advance(double h, const FrictionScene& s, const Vector& v, const double* impulse) {
        Sample out;
        out.centre = {q_[0], q_[1], q_[2]};
        out.energy = energy();
        out.normal = impulse[0] / h;
        out.force = {impulse[1] / h, impulse[2] / h};
        const Vector sliding = s.D * v;
        out.sliding = {sliding[0], sliding[1]};
        for (int k = 0; k < 6; ++k) q_[k] += h * v_[k];
        std::copy(v.begin(), v.end(), v_.begin());
        return out;
    }

private:
    [[nodiscard]] Dense mass_matrix() const {
        const double s = std::sin(q_[4]), c = std::cos(q_[4]);
        Dense M(6, 6);
        M(0, 0) = M(1, 1) = M(2, 2) = mass;
        M(3, 3) = lateral * c * c + axial * s * s;
        M(3, 5) = M(5, 3) = axial * s;
        M(4, 4) = lateral;
        M(5, 5) = axial;
        return M;
    }
    [[nodiscard]] Vector applied() const {
        const double s = std::sin(q_[4]), c = std::cos(q_[4]);
        const double ps = v_[3], th = v_[4], ph = v_[5];
        return {0,
                0,
                -mass * gravity,
                -axial * (2 * ps * c * s * th + ph * c * th) + 2 * lateral * ps * s * c * th,
                axial * (ph + ps * s) * ps * c - lateral * ps * ps * c * s,
                -axial * ps * c * th};
    }
    [[nodiscard]] double energy() const {
        const double s = std::sin(q_[4]), c = std::cos(q_[4]);
        const double w1 = v_[4], w2 = s * v_[3] + v_[5], w3 = c * v_[3];
        return 0.5 * mass * (v_[0] * v_[0] + v_[1] * v_[1] + v_[2] * v_[2]) +
               0.5 * (lateral * (w1 * w1 + w3 * w3) + axial * w2 * w2) + mass * gravity * q_[2];
    }

    std::array<double, 6> q_, v_;
};

// The exact Coulomb law of one contact with the Delassus matrix W and u = W g + b.
class OneCoulombContact {
public:
    std::array<double, 3> solve(const Dense& W, const Vector& b, double mu) {
        if (b[0] >= 0.0) return {0, 0, 0};
        const Vector g = inverse(W) * b;
        if (g[0] <= 0.0 && std::hypot(g[1], g[2]) <= -mu * g[0]) return {-g[0], -g[1], -g[2]};
        if (!started_) angle_ = std::atan2(b[2], b[1]);
        double a = angle_;
        for (int k = 0; k < 60; ++k) {  // Newton on the direction of sliding
            constexpr double e = 1e-7;
            const double slope = (at(W, b, mu, a + e).turn - at(W, b, mu, a - e).turn) / (2 * e);
            if (slope == 0.0) break;
            const double step = -at(W, b, mu, a).turn / slope;
            a += std::clamp(step, -0.3, 0.3);
            if (std::abs(step) < 1e-13) break;
        }
        if (!slides(at(W, b, mu, a))) a = scan(W, b, mu);
        angle_ = a;
        started_ = true;
        const double gn = at(W, b, mu, a).gn;
        return {gn, -mu * gn * std::cos(a), -mu * gn * std::sin(a)};
    }

private:
    struct Point {
        double gn, along, turn;  // sliding velocity along the direction and across it
    };
    static Point at(const Dense& W, const Vector& b, double mu, double a) {
        const double c = std::cos(a), s = std::sin(a);
        const double gn = -b[0] / (W(0, 0) - mu * (W(0, 1) * c + W(0, 2) * s));
        const double u1 = b[1] + gn * (W(1, 0) - mu * (W(1, 1) * c + W(1, 2) * s));
        const double u2 = b[2] + gn * (W(2, 0) - mu * (W(2, 1) * c + W(2, 2) * s));
        return {gn, c * u1 + s * u2, c * u2 - s * u1};
    }
    static bool slides(const Point& p) {
        return p.gn > 0.0 && p.along > 0.0 && std::abs(p.turn) < 1e-9;
    }
    static double scan(const Dense& W, const Vector& b, double mu) {
        constexpr int parts = 720;
        for (int k = 0; k < parts; ++k) {
            double lo = Wheel::pi * (2.0 * k / parts - 1.0), hi = lo + 2 * Wheel::pi / parts;
            const double left = at(W, b, mu, lo).turn;
            if (left * at(W, b, mu, hi).turn > 0.0) continue;
            for (int j = 0; j < 60; ++j) {
                const double mid = 0.5 * (lo + hi);
                (left * at(W, b, mu, mid).turn > 0.0 ? lo : hi) = mid;
            }
            if (slides(at(W, b, mu, lo))) return lo;
        }
        ADD_FAILURE() << "no direction of sliding";
        return 0.0;
    }

    double angle_ = 0.0;
    bool started_ = false;
};

// Every `keep`-th step of the exact law.
inline std::vector<Wheel::Sample> wheel_reference(double h, double seconds, int keep) {
    std::vector<Wheel::Sample> samples;
    Wheel wheel;
    OneCoulombContact contact;
    const auto steps = static_cast<std::int64_t>(std::llround(seconds / h));
    for (std::int64_t k = 0; k < steps; ++k) {
        const FrictionScene s = wheel.scene(h);
        const Dense inverse_mass = inverse(s.M);
        const Dense J = stacked({&s.N, &s.D});
        const Vector free = inverse_mass * s.rows.f;
        const auto g = contact.solve(J * inverse_mass * transposed(J), J * free, Wheel::mu);
        Vector v = s.rows.f;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 6; ++j) v[j] += J(i, j) * g[i];
        const Wheel::Sample sample = wheel.advance(h, s, inverse_mass * v, g.data());
        if (k % keep == 0) samples.push_back(sample);
    }
    return samples;
}

inline std::vector<Wheel::Sample> wheel_run(StepFactory make, const FrictionSettings& settings,
                                            double h, double seconds) {
    std::vector<Wheel::Sample> samples;
    Wheel wheel;
    ContactMemory memory;
    const auto steps = static_cast<std::int64_t>(std::llround(seconds / h));
    for (std::int64_t k = 0; k < steps; ++k) {
        FrictionScene s = wheel.scene(h);
        s.settings = settings;
        const StepAnswer a = take_step(make, s, memory);
        EXPECT_EQ(a.outcome, Outcome::solved) << k;
        EXPECT_TRUE(a.converged) << k;
        const double impulse[] = {a.impulses.N[0], a.impulses.D[0], a.impulses.D[1]};
        samples.push_back(wheel.advance(h, s, a.v, impulse));
    }
    return samples;
}

struct WheelDeviation {
    double friction;  // RMS of |lambda_T| / (mu lambda_N) against the reference, %
    double angle;     // RMS between force and -velocity where faster than slow_speed, degrees
    double position;  // at the end, % of the reference's distance from the start
    double energy;    // at the end, J
};

inline WheelDeviation deviation(const std::vector<Wheel::Sample>& run,
                                const std::vector<Wheel::Sample>& reference, std::size_t count,
                                double slow_speed = 1e-3) {
    const auto normalized = [](const Wheel::Sample& s) {
        return std::hypot(s.force[0], s.force[1]) / (Wheel::mu * std::max(s.normal, 1e-300));
    };
    double friction = 0.0, angles = 0.0;
    std::int64_t sliding = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Wheel::Sample& s = run[k];
        friction += std::pow(normalized(s) - normalized(reference[k]), 2);
        if (std::hypot(s.sliding[0], s.sliding[1]) <= slow_speed || s.normal <= 0.0) continue;
        const double across = s.sliding[1] * s.force[0] - s.sliding[0] * s.force[1];
        const double along = -(s.sliding[0] * s.force[0] + s.sliding[1] * s.force[1]);
        angles += std::pow(std::atan2(across, along) * 180.0 / Wheel::pi, 2);
        ++sliding;
    }
    double error = 0.0, distance = 0.0;
    for (int j = 0; j < 3; ++j) {
        const double end = reference[count - 1].centre[j];
        error += std::pow(run[count - 1].centre[j] - end, 2);
        distance += std::pow(end - reference[0].centre[j], 2);
    }
    return {100.0 * std::sqrt(friction / static_cast<double>(count)),
            std::sqrt(angles / static_cast<double>(sliding)), 100.0 * std::sqrt(error / distance),
            run[count - 1].energy - reference[count - 1].energy};
}

}  // namespace perp::test
