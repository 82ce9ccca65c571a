#include "wheel_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perp::scenes {
namespace {

constexpr double pi = 3.14159265358979323846;
using Vector3 = std::array<double, 3>;
using Matrix3 = std::array<Vector3, 3>;

double determinant(const Matrix3& a) {
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

// Cramer's rule: three rows, well conditioned here.
Vector3 solved(const Matrix3& a, const Vector3& b) {
    Vector3 x{};
    for (std::size_t k = 0; k < 3; ++k) {
        Matrix3 replaced = a;
        for (std::size_t i = 0; i < 3; ++i) replaced[i][k] = b[i];
        x[k] = determinant(replaced) / determinant(a);
    }
    return x;
}

// The exact Coulomb law of one contact, u = W g + b with rows n, x, y: it sticks, or Newton's
// method finds the direction in which it slides. Starts from the direction of the step before.
class OneContact {
public:
    Vector3 impulses(const Matrix3& W, const Vector3& b) {
        if (b[0] >= 0.0) return {};
        const Vector3 g = solved(W, {-b[0], -b[1], -b[2]});
        const double size = std::sqrt(g[1] * g[1] + g[2] * g[2]);
        if (g[0] >= 0.0 && size <= Wheel::mu * g[0]) return g;
        if (!started_) angle_ = std::atan2(b[2], b[1]);
        double a = angle_;
        for (int k = 0; k < 60; ++k) {
            constexpr double e = 1e-7;
            const double slope = (at(W, b, a + e).across - at(W, b, a - e).across) / (2.0 * e);
            if (slope == 0.0) break;
            const double change = -at(W, b, a).across / slope;
            a += std::clamp(change, -0.3, 0.3);
            if (std::abs(change) < 1e-13) break;
        }
        if (!slides(at(W, b, a))) a = found_by_bisection(W, b);
        angle_ = a;
        started_ = true;
        const double normal = at(W, b, a).normal;
        return {normal, -Wheel::mu * normal * std::cos(a), -Wheel::mu * normal * std::sin(a)};
    }

private:
    // For sliding in a direction: the normal impulse, the velocity in it and across it.
    struct Trial {
        double normal, along, across;
    };
    static Trial at(const Matrix3& W, const Vector3& b, double angle) {
        const double c = std::cos(angle), s = std::sin(angle), mu = Wheel::mu;
        const double normal = -b[0] / (W[0][0] - mu * (W[0][1] * c + W[0][2] * s));
        const double ux = b[1] + normal * (W[1][0] - mu * (W[1][1] * c + W[1][2] * s));
        const double uy = b[2] + normal * (W[2][0] - mu * (W[2][1] * c + W[2][2] * s));
        return {normal, c * ux + s * uy, c * uy - s * ux};
    }
    static bool slides(const Trial& trial) {
        return trial.normal > 0.0 && trial.along > 0.0 && std::abs(trial.across) < 1e-9;
    }
    static double found_by_bisection(const Matrix3& W, const Vector3& b) {
        constexpr int parts = 720;
        for (int k = 0; k < parts; ++k) {
            double lo = pi * (2.0 * k / parts - 1.0), hi = lo + 2.0 * pi / parts;
            const double at_lo = at(W, b, lo).across;
            if (at_lo * at(W, b, hi).across > 0.0) continue;
            for (int j = 0; j < 60; ++j) {
                const double middle = 0.5 * (lo + hi);
                (at_lo * at(W, b, middle).across > 0.0 ? lo : hi) = middle;
            }
            if (slides(at(W, b, lo))) return lo;
        }
        throw std::runtime_error("wheel: no direction of sliding satisfies Coulomb's law");
    }

    double angle_ = 0.0;
    bool started_ = false;
};

// Solves M x = y for the wheel's mass matrix, given by its entries.
std::vector<double> solved_for_mass(const TimeStep& step, const std::vector<double>& y) {
    const auto entry = [&](int64_t i, int64_t j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < step.M.value.size(); ++k)
            if (step.M.row[k] == i && step.M.col[k] == j) sum += step.M.value[k];
        return sum;
    };
    const double m33 = entry(3, 3), m35 = entry(3, 5), m55 = entry(5, 5);
    const double det = m33 * m55 - m35 * m35;
    return {y[0] / Wheel::mass,    y[1] / Wheel::mass,
            y[2] / Wheel::mass,    (m55 * y[3] - m35 * y[5]) / det,
            y[4] / Wheel::lateral, (m33 * y[5] - m35 * y[3]) / det};
}

}  // namespace

double Wheel::Sample::sliding_speed() const {
    return std::sqrt(sliding[0] * sliding[0] + sliding[1] * sliding[1]);
}

double Wheel::Sample::normalized_friction() const {
    if (!(normal > 0.0)) return 0.0;
    return std::sqrt(force[0] * force[0] + force[1] * force[1]) / (mu * normal);
}

double Wheel::Sample::misalignment() const {
    const double across = sliding[1] * force[0] - sliding[0] * force[1];
    const double along = -(sliding[0] * force[0] + sliding[1] * force[1]);
    return std::atan2(across, along) * 180.0 / pi;
}

Wheel::Wheel(double gap)
    : q_{0.0, 0.0, radius * std::cos(pi / 9.0) + gap, 0.0, pi / 9.0, 0.0}, v_{6.0,  0.0, 0.0,
                                                                              -2.0, 0.0, 0.0} {}

double Wheel::gap() const { return q_[2] - radius * std::cos(q_[4]); }

// Velocity of the lowest point along the world's x and y axes.
std::array<std::vector<double>, 2> Wheel::sliding_rows() const {
    const double sp = std::sin(q_[3]), cp = std::cos(q_[3]);
    const double st = std::sin(q_[4]), ct = std::cos(q_[4]), r = radius;
    return {std::vector<double>{1.0, 0.0, 0.0, -r * cp * st, -r * ct * sp, -r * cp},
            std::vector<double>{0.0, 1.0, 0.0, -r * sp * st, r * ct * cp, -r * sp}};
}

std::array<double, 2> Wheel::sliding() const {
    const auto rows = sliding_rows();
    std::array<double, 2> speed{};
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 6; ++k) speed[i] += rows[i][k] * v_[k];
    return speed;
}

TimeStep Wheel::step(double h, bool stabilized, double angle) const {
    const double st = std::sin(q_[4]), ct = std::cos(q_[4]);
    const double ca = std::cos(angle), sa = std::sin(angle);
    TimeStep step;
    step.h = h;
    step.M = diagonal({mass, mass, mass, lateral * ct * ct + axial * st * st, lateral, axial});
    step.M.add(3, 5, axial * st);
    step.M.add(5, 3, axial * st);
    add_row(step.N, {0.0, 0.0, 1.0, 0.0, radius * st, 0.0});
    const auto [along_x, along_y] = sliding_rows();
    std::vector<double> first(6), second(6);
    for (std::size_t k = 0; k < 6; ++k) {
        first[k] = ca * along_x[k] + sa * along_y[k];
        second[k] = ca * along_y[k] - sa * along_x[k];
    }
    add_row(step.D, first);
    add_row(step.D, second);
    step.axes = {ca, sa, 0.0, -sa, ca, 0.0};
    step.f = mass_times(v_);
    const std::vector<double> force = applied();
    for (std::size_t k = 0; k < 6; ++k) step.f[k] += h * force[k];
    step.mu = {mu};
    if (stabilized) step.b_N = {gap() / h};
    step.velocity = v_;
    step.normal_estimate = {mass * gravity};
    return step;
}

Wheel::Sample Wheel::advance(const TimeStep& step, const std::vector<double>& velocity,
                             const double* impulse, Positions positions) {
    Sample sample;
    sample.centre = {q_[0], q_[1], q_[2]};
    sample.gap = gap();
    sample.energy = energy();
    sample.normal = impulse[0] / step.h;
    const std::vector<double> sliding = product(step.D, velocity);
    for (std::size_t i = 0; i < 2; ++i) {
        const double first = step.axes[i], second = step.axes[3 + i];
        sample.force[i] = (first * impulse[1] + second * impulse[2]) / step.h;
        sample.sliding[i] = first * sliding[0] + second * sliding[1];
    }
    const std::vector<double>& moving = positions == Positions::with_old_velocity ? v_ : velocity;
    for (std::size_t k = 0; k < 6; ++k) q_[k] += step.h * moving[k];
    v_ = velocity;
    return sample;
}

std::vector<double> Wheel::mass_times(const std::vector<double>& v) const {
    const double s = std::sin(q_[4]), c = std::cos(q_[4]);
    return {mass * v[0],    mass * v[1],
            mass * v[2],    (lateral * c * c + axial * s * s) * v[3] + axial * s * v[5],
            lateral * v[4], axial * s * v[3] + axial * v[5]};
}

// Gravity and what the rotation of the coordinates adds, N and N m.
std::vector<double> Wheel::applied() const {
    const double s = std::sin(q_[4]), c = std::cos(q_[4]);
    const double psi = v_[3], theta = v_[4], phi = v_[5];
    return {0.0,
            0.0,
            -mass * gravity,
            2.0 * lateral * psi * theta * s * c - axial * theta * c * (2.0 * psi * s + phi),
            axial * psi * c * (phi + psi * s) - lateral * psi * psi * c * s,
            -axial * psi * theta * c};
}

double Wheel::energy() const {
    const double s = std::sin(q_[4]), c = std::cos(q_[4]);
    const double along_diameter = v_[4], along_axle = s * v_[3] + v_[5], upwards = c * v_[3];
    return 0.5 * mass * (v_[0] * v_[0] + v_[1] * v_[1] + v_[2] * v_[2]) +
           0.5 * lateral * (along_diameter * along_diameter + upwards * upwards) +
           0.5 * axial * along_axle * along_axle + mass * gravity * q_[2];
}

std::vector<Wheel::Sample> wheel_under_coulomb(double h, int64_t steps, int64_t keep,
                                               StepCount& count) {
    std::vector<Wheel::Sample> samples;
    Wheel wheel;
    OneContact contact;
    for (int64_t k = 0; k < steps; ++k) {
        const TimeStep step = wheel.step(h, false);
        std::array<std::vector<double>, 3> rows;  // N, then D
        for (auto& row : rows) row.assign(6, 0.0);
        for (std::size_t e = 0; e < step.N.value.size(); ++e)
            rows[0][static_cast<std::size_t>(step.N.col[e])] += step.N.value[e];
        for (std::size_t e = 0; e < step.D.value.size(); ++e)
            rows[static_cast<std::size_t>(1 + step.D.row[e])]
                [static_cast<std::size_t>(step.D.col[e])] += step.D.value[e];
        const std::vector<double> free = solved_for_mass(step, step.f);
        Matrix3 W{};
        Vector3 b{};
        for (std::size_t j = 0; j < 3; ++j) {
            const std::vector<double> moved = solved_for_mass(step, rows[j]);
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k6 = 0; k6 < 6; ++k6) W[i][j] += rows[i][k6] * moved[k6];
            for (std::size_t k6 = 0; k6 < 6; ++k6) b[j] += rows[j][k6] * free[k6];
        }
        const Vector3 g = contact.impulses(W, b);
        std::vector<double> momentum = step.f;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k6 = 0; k6 < 6; ++k6) momentum[k6] += rows[i][k6] * g[i];
        const Wheel::Sample sample = wheel.advance(step, solved_for_mass(step, momentum), g.data(),
                                                   Wheel::Positions::with_old_velocity);
        if (k % keep == 0) samples.push_back(sample);
        count.advance();
    }
    return samples;
}

}  // namespace perp::scenes
