// Scenes of one step for tests of friction models: a block, a disc, a cuboid, spheres; and the loop
// over the passes of a step.
#pragma once

#include <array>

#include "friction/friction_step.hpp"
#include "solver_support.hpp"

namespace perp::test {

constexpr double gravity = 9.81;

struct PassesRun {
    Vector z, v;  // v: in dense algebra, from the impulses
    StepImpulses impulses;
    Info info;
    bool solved = true;  // every pass
    bool converged = false;
    std::int64_t passes = 0;
    double law_residual = 0.0;
};

inline PassesRun run_passes(FrictionStep& step, const Step& s, const Settings& settings) {
    PassesRun run;
    run.z.resize(step.problem()->rows());
    step.guess(run.z);
    Solver solver(step.problem(), settings);
    do {
        run.info = solver.solve(run.z, {});
        ++run.passes;
        run.solved = run.solved && run.info.outcome == Outcome::solved;
    } while (step.next(run.z));
    run.converged = step.converged();
    run.law_residual = step.law_residual(run.z, run.info.eta);
    step.impulses(run.z, run.impulses);
    Vector z;
    for (const auto* part :
         {&run.impulses.A, &run.impulses.N, &run.impulses.D, &run.impulses.S, &run.impulses.B})
        z.insert(z.end(), part->begin(), part->end());
    Vector momentum = s.rows.f;
    const Dense J = s.jacobian();
    for (std::int64_t i = 0; i < J.rows; ++i)
        for (std::int64_t j = 0; j < J.cols; ++j) momentum[j] += J(i, j) * z[i];
    run.v = inverse(s.M) * momentum;
    return run;
}

inline double norm(std::span<const double> x) {
    double sum = 0.0;
    for (const double a : x) sum += a * a;
    return std::sqrt(sum);
}

inline Dense diagonal(const Vector& d) {
    const auto n = static_cast<std::int64_t>(d.size());
    Dense m(n, n);
    for (std::int64_t i = 0; i < n; ++i) m(i, i) = d[i];
    return m;
}

// f for gravity along freedom `axis` of every body of `freedoms`.
inline Vector momentum(const Dense& M, Vector v, double h, std::int64_t freedoms,
                       std::int64_t axis) {
    for (std::size_t i = axis; i < v.size(); i += freedoms) v[i] -= h * gravity;
    return M * v;
}

// A point mass on the plane z = 0: x, y, z.
inline Step point_mass(double mass, double mu, const Vector& v, double h, double gap = 0.0) {
    Step s;
    s.shape = {2, 0, 0};
    s.M = diagonal({mass, mass, mass});
    s.N = Dense(1, 3, {0, 0, 1});
    s.D = Dense(2, 3, {1, 0, 0, 0, 1, 0});
    s.rows.f = momentum(s.M, v, h, 3, 2);
    s.rows.b_N = {gap / h};
    s.rows.mu = {mu};
    return s;
}

// A cuboid on its four lower corners, n along z, t along x and y.
inline Step cuboid(double mu, const std::array<double, 3>& v, const std::array<double, 3>& w,
                   double h) {
    const double mass = 2.0, x = 1.0, y = 0.6, z = 0.4;
    Step s;
    s.shape = {2, 0, 0};
    s.M = diagonal({mass, mass, mass, mass / 12 * (y * y + z * z), mass / 12 * (x * x + z * z),
                    mass / 12 * (x * x + y * y)});
    s.N = Dense(4, 6);
    s.D = Dense(8, 6);
    std::int64_t i = 0;
    for (const double sx : {-0.5, 0.5})
        for (const double sy : {-0.5, 0.5}) {
            // v + w x r
            const double rx = sx * x, ry = sy * y, rz = -0.5 * z;
            const Vector rows[] = {
                {0, 0, 1, ry, -rx, 0}, {1, 0, 0, 0, rz, -ry}, {0, 1, 0, -rz, 0, rx}};
            for (std::int64_t j = 0; j < 6; ++j) {
                s.N(i, j) = rows[0][j];
                s.D(2 * i, j) = rows[1][j];
                s.D(2 * i + 1, j) = rows[2][j];
            }
            ++i;
        }
    s.rows.f = momentum(s.M, {v[0], v[1], v[2], w[0], w[1], w[2]}, h, 6, 2);
    s.rows.mu.assign(4, mu);
    return s;
}

// Unit spheres with random contacts between them, every one in two at least, and random speeds;
// `rolling` adds spin and rolling rows.
inline Step spheres(std::int64_t bodies, std::int64_t contacts, double mu, std::uint64_t seed,
                    double rolling = 0.0) {
    Random random(seed);
    Step s;
    s.shape = {2, rolling > 0.0 ? 1 : 0, rolling > 0.0 ? 2 : 0};
    Vector mass;
    for (std::int64_t b = 0; b < bodies; ++b) {
        const double m = random.uniform(0.5, 2.0);
        mass.insert(mass.end(), {m, m, m, 0.4 * m, 0.4 * m, 0.4 * m});
    }
    s.M = diagonal(mass);
    s.N = Dense(contacts, 6 * bodies);
    s.D = Dense(2 * contacts, 6 * bodies);
    if (rolling > 0.0) s.S = Dense(3 * contacts, 6 * bodies);
    using Axis = std::array<double, 3>;
    const auto cross = [](const Axis& a, const Axis& b) {
        return Axis{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0]};
    };
    const auto unit = [](Axis a) {
        const double size = norm(a);
        for (double& x : a) x /= size;
        return a;
    };
    for (std::int64_t c = 0; c < contacts; ++c) {
        std::int64_t a = c, b = (c + 1) % bodies;
        if (c >= bodies) {
            a = random.below(bodies);
            b = (a + 1 + random.below(bodies - 1)) % bodies;
        }
        const Axis n = unit({random.uniform(), random.uniform(), random.uniform()});
        const Axis t = unit(cross(n, std::abs(n[0]) < 0.9 ? Axis{1, 0, 0} : Axis{0, 1, 0}));
        const Axis axes[] = {n, t, cross(n, t)};
        for (int k = 0; k < 3; ++k)
            for (const auto& [body, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
                // The contact of the second body is at -n from its centre, of the first at n.
                const Axis arm = cross(n, axes[k]);
                Dense& rows = k == 0 ? s.N : s.D;
                const std::int64_t row = k == 0 ? c : 2 * c + k - 1;
                for (int j = 0; j < 3; ++j) {
                    rows(row, 6 * body + j) = sign * axes[k][j];
                    rows(row, 6 * body + 3 + j) = -arm[j];
                    if (rolling > 0.0) s.S(3 * c + k, 6 * body + 3 + j) = sign * axes[k][j];
                }
            }
    }
    s.rows.f = s.M * random.vector(6 * bodies);
    s.rows.mu.assign(contacts, mu);
    s.rows.rho.assign(contacts, rolling);
    s.rows.sigma.assign(contacts, rolling);
    return s;
}

}  // namespace perp::test
