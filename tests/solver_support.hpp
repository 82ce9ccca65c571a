// Helpers of the solver tests: problems in shared handles, settings, a solve that must be honest.
#pragma once

#include "problem/residual.hpp"
#include "solvers/solver.hpp"
#include "support.hpp"

namespace perp::test {

using Vector = std::vector<double>;
using Shared = std::shared_ptr<const Problem>;

inline Shared shared(Problem problem) {
    return std::make_shared<const Problem>(std::move(problem));
}

inline Shared blcp(const Dense& H, Vector q, Vector lo = {}, Vector hi = {}) {
    return shared(
        Problem::general_blcp(Entries(H).view(), std::move(q), std::move(lo), std::move(hi)));
}

// Bounds of all kinds on a matrix that is positive definite where `regular`, else perhaps singular.
inline Shared random_bounds(Random& random, bool regular) {
    const std::int64_t p = 1 + random.below(12);
    const Dense J = random_rows(p, 1 + random.below(12), random);
    Dense H = J * transposed(J);
    for (std::int64_t i = 0; regular && i < p; ++i) H(i, i) += 0.1;
    Vector lo(p), hi(p);
    for (std::int64_t i = 0; i < p; ++i) {
        const std::int64_t kind = random.below(5);
        lo[i] = kind == 0 ? -infinity : random.uniform(-1.0, 0.0);
        hi[i] = kind <= 1 ? infinity : kind == 2 ? lo[i] : random.uniform(0.0, 1.0);
        // Singular and unbounded both ways may have no solution.
        if (!regular) lo[i] = std::max(lo[i], -2.0);
        if (!regular) hi[i] = std::min(hi[i], 2.0);
    }
    return blcp(H, random.vector(p), lo, hi);
}

inline void expect_within_bounds(const Problem& problem, const Vector& z) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        EXPECT_GE(z[set.scalar_row[s]], set.lo[s] - 1e-15);
        EXPECT_LE(z[set.scalar_row[s]], set.hi[s] + 1e-15);
    }
}

// A body between two walls that close, with friction and two bodies: there is no solution.
inline Step squeezed(const ContactShape& shape) {
    Step s = random_step({.blocks = {3, 3},
                          .shape = shape,
                          .bilateral = 0,
                          .contacts = 2,
                          .redundant = false,
                          .seed = 7});
    for (std::int64_t j = 0; j < 6; ++j) s.N(1, j) = -s.N(0, j);
    s.rows.b_N = {-1.0, -0.5};
    return s;
}

inline double eta_of(const Problem& problem, const Vector& z) {
    ResidualWorkspace work = make_residual_workspace(problem);
    return residual(problem, z, work).eta;
}

inline Settings with_method(Method method, double tolerance = 1e-4) {
    Settings s;
    s.method = method;
    s.tolerance = tolerance;
    return s;
}

inline Settings accurate(Method method, double tolerance = 1e-10) {
    Settings s = with_method(method, tolerance);
    s.max_iterations = 100000;
    return s;
}

struct Answer {
    Info info;
    Vector z, u, v;  // v: of assembled problems
};

inline Answer run(const Shared& problem, const Settings& settings, Vector z = {}) {
    Answer r;
    r.z = z.empty() ? Vector(problem->rows(), 0.0) : std::move(z);
    r.info = Solver(problem, settings).solve(r.z, {});
    r.u.resize(problem->rows());
    ProductWorkspace work = problem->make_workspace();
    problem->constraint_velocity(r.z, r.u, work);
    r.v = work.velocity;
    return r;
}

// Take every cone and every matrix with a positive diagonal; pivoting methods take bounds only.
constexpr Method iterating[] = {Method::pgs, Method::apgd, Method::aapgs};

// Tests of both methods whose results must be honest in any case.
class HonestSolves : public testing::TestWithParam<Method> {
protected:
    Info solve(const Shared& problem, Solver& solver, Vector& z) {
        const Info info = solver.solve(z, {});
        EXPECT_EQ(info.eta, eta_of(*problem, z));
        if (info.outcome == Outcome::solved) {
            EXPECT_LE(info.eta, solver.settings().tolerance);
        }
        const bool exhausted = (info.fallbacks & fallback::enumeration) != 0;  // no certificate
        EXPECT_EQ(info.outcome == Outcome::no_solution && !exhausted,
                  !solver.certificate().empty());
        for (const double x : z) EXPECT_TRUE(std::isfinite(x));
        return info;
    }
    Info solve(const Shared& problem, const Settings& settings) {
        Solver solver(problem, settings);
        Vector z(problem->rows());
        return solve(problem, solver, z);
    }
    // Progress never goes back, up to the call that cancels.
    Info cancelled(const Shared& problem, const Settings& settings, int calls) {
        Solver solver(problem, settings);
        Vector z(problem->rows());
        Progress last;
        int seen = 0;
        const Info info = solver.solve(z, [&](const Progress& now) {
            EXPECT_GE(now.iteration, last.iteration);
            EXPECT_GE(now.products, last.products);
            EXPECT_GE(now.seconds, last.seconds);
            last = now;
            return ++seen < calls;
        });
        EXPECT_EQ(info.outcome, Outcome::cancelled);
        EXPECT_EQ(seen, calls);
        return info;
    }
    // Also where the guess is outside K and its projection is worse than itself.
    void never_makes_a_guess_worse(Method method, int guesses) {
        const Shared problem = shared(problem_of(random_step({.shape = {2, 0, 2}, .seed = 3})));
        Vector solution(problem->rows());
        Solver(problem, with_method(Method::ipm, 1e-10)).solve(solution, {});
        Settings s = with_method(method, 1e-12);
        s.warm_start = true;
        Random random(5);
        for (int i = 0; i < guesses; ++i) {
            s.max_iterations = i % 3;
            Vector z = solution;
            for (double& x : z) x += random.uniform(-1e-3, 1e-3);
            const double before = eta_of(*problem, z);
            Solver solver(problem, s);
            EXPECT_LE(solve(problem, solver, z).eta, before);
        }
    }
};

}  // namespace perp::test
