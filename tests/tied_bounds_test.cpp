// Bounds of friction that follow normal impulses: box law with mu, and ties of a general BLCP.
#include <cmath>

#include "solver_support.hpp"

namespace perp::test {
namespace {

constexpr double step = 1e-3, gravity = 9.81;

// A point mass on a plane, contact rows n, t1, t2, with an impulse (push, side) along it.
Shared mass_on_plane(double mass, double mu, double push, double side = 0.0) {
    Step s;
    s.M = Dense(3, 3, {mass, 0, 0, 0, mass, 0, 0, 0, mass});
    s.N = Dense(1, 3, {0, 0, 1});
    s.D = Dense(2, 3, {1, 0, 0, 0, 1, 0});
    s.law = Law::box;
    s.rows.f = {push, side, -mass * gravity * step};
    s.rows.mu = {mu};
    return shared(problem_of(s));
}

Settings tight(Method method) { return accurate(method, 1e-9); }

class TiedBounds : public HonestSolves {
protected:
    [[nodiscard]] Settings tight() const { return test::tight(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Methods, TiedBounds, testing::ValuesIn(methods),
                         [](const auto& info) { return name(info.param); });

// Problem [1 c; c 1], row 1 tied to row 0.
Problem coupled(double c, Vector q, double mu) {
    Problem p = Problem::general_blcp(Entries(Dense(2, 2, {1, c, c, 1})).view(), std::move(q),
                                      {0.0, -infinity}, {});
    const std::int64_t row = 1, normal = 0;
    p.set_ties({&row, 1}, {&normal, 1}, {&mu, 1});
    return p;
}

// ------------------------------------------------------------------ known answers

TEST_P(TiedBounds, SlidingFrictionIsMuTimesTheNormalImpulse) {
    const double mass = 2.0, mu = 0.5, normal = mass * gravity * step;
    const Answer answer = run(mass_on_plane(mass, mu, mass * 1.0, -mass * 2.0), tight());
    ASSERT_EQ(answer.info.outcome, Outcome::solved) << answer.info.eta;
    EXPECT_GE(answer.info.tie_rounds, 2);
    EXPECT_NEAR(answer.z[0], normal, 1e-8);
    EXPECT_NEAR(answer.z[1], -mu * normal, 1e-8);
    EXPECT_NEAR(answer.z[2], mu * normal, 1e-8);
    EXPECT_NEAR(answer.u[0], 0.0, 1e-8);  // nothing lifts
    EXPECT_NEAR(answer.u[1], 1.0 - mu * gravity * step, 1e-8);
    EXPECT_NEAR(answer.u[2], -2.0 + mu * gravity * step, 1e-8);
}

TEST_P(TiedBounds, SticksBelowTheLimit) {
    const double mass = 2.0, push = 0.3 * mass * gravity * step;
    const Answer answer = run(mass_on_plane(mass, 0.5, push), tight());
    ASSERT_EQ(answer.info.outcome, Outcome::solved) << answer.info.eta;
    EXPECT_NEAR(answer.z[1], -push, 1e-9);
    EXPECT_NEAR(answer.u[1], 0.0, 1e-9);
}

TEST_P(TiedBounds, WithoutFrictionOneRoundIsEnough) {
    const Answer answer = run(mass_on_plane(2.0, 0.0, 1.0), tight());
    ASSERT_EQ(answer.info.outcome, Outcome::solved);
    EXPECT_EQ(answer.info.tie_rounds, 1);
    EXPECT_EQ(answer.z[1], 0.0);
}

TEST_P(TiedBounds, TiesOfAGeneralProblem) {
    // Friction at its bound z_t = mu z_n: (1 + c mu) z_n = 1.
    const auto problem = shared(coupled(0.5, {-1.0, -4.0}, 0.5));
    const Answer answer = run(problem, tight());
    ASSERT_EQ(answer.info.outcome, Outcome::solved) << answer.info.eta;
    EXPECT_NEAR(answer.z[0], 1.0 / 1.25, 1e-8);
    EXPECT_NEAR(answer.z[1], 0.5 / 1.25, 1e-8);
    EXPECT_EQ(eta_of(*problem, answer.z), answer.info.eta);
}

// ------------------------------------------------------------------ the exact law in the plane

Step planar(std::uint64_t seed, double mu) {
    Step s = random_step({.blocks = {3, 3, 3},
                          .shape = {1, 0, 0},
                          .bilateral = 1,
                          .contacts = 4,
                          .boxes = 1,
                          .compliance = 0.1,
                          .redundant = false,
                          .law = Law::box,
                          .seed = seed});
    s.rows.lo_T.clear();
    s.rows.hi_T.clear();
    s.rows.mu.assign(4, mu);
    return s;
}

// De Saxce: with b_N + mu |u_T| in place of b_N, the cone law has Coulomb's solution.
TEST_P(TiedBounds, PlanarSolutionsAreCoulombs) {
    int sliding = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Step s = planar(seed, 0.2);
        const Answer answer = run(shared(problem_of(s)), tight());
        ASSERT_EQ(answer.info.outcome, Outcome::solved) << seed << ": " << answer.info.eta;
        for (std::int64_t i = 0; i < 4; ++i) {
            const double slip = std::abs(answer.u[1 + 4 + i]);
            s.rows.b_N[i] += 0.2 * slip;
            sliding += slip > 1e-3 && answer.z[1 + i] > 1e-3 ? 1 : 0;
        }
        s.law = Law::cone;
        EXPECT_LE(eta_of(problem_of(s), answer.z), 1e-8) << seed;
    }
    EXPECT_GE(sliding, 5);
}

// As a general problem with its rows in another order: the same impulses.
TEST_P(TiedBounds, FollowAPermutation) {
    const std::int64_t order[] = {9, 4, 0, 7, 2, 5, 8, 1, 6, 3};  // new row k is order[k]
    std::int64_t place[10];
    for (std::int64_t k = 0; k < 10; ++k) place[order[k]] = k;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Step s = planar(seed, 0.3);
        const Problem given = problem_of(s);
        ASSERT_EQ(given.rows(), 10);
        const Dense W = s.delassus();
        Dense H(10, 10);
        Vector q(10), lo(10), hi(10);
        for (std::int64_t k = 0; k < 10; ++k) {
            for (std::int64_t j = 0; j < 10; ++j) H(k, j) = W(order[k], order[j]);
            q[k] = given.free_velocity()[order[k]];
        }
        for (std::int64_t i = 0; i < given.set().scalars(); ++i) {
            lo[place[given.set().scalar_row[i]]] = given.set().lo[i];
            hi[place[given.set().scalar_row[i]]] = given.set().hi[i];
        }
        Problem permuted = Problem::general_blcp(Entries(H).view(), q, lo, hi);
        std::vector<std::int64_t> row, normal;
        for (std::int64_t i = 0; i < 4; ++i) {
            row.push_back(place[5 + i]);
            normal.push_back(place[1 + i]);
        }
        permuted.set_ties(row, normal, s.rows.mu);
        const Answer first = run(shared(given), tight());
        const Answer second = run(shared(permuted), tight());
        ASSERT_EQ(first.info.outcome, Outcome::solved) << seed;
        ASSERT_EQ(second.info.outcome, Outcome::solved) << seed;
        Vector back(10);
        for (std::int64_t k = 0; k < 10; ++k) back[order[k]] = second.z[k];
        EXPECT_LE(distance(first.z, back), 1e-6 * (1.0 + largest(first.z))) << seed;
        EXPECT_NEAR(eta_of(given, back), second.info.eta, 1e-12);
    }
}

// ------------------------------------------------------------------ no convergence

// Pressing harder needs more friction, which presses harder: no solution for mu >= 1, though each
// problem with fixed bounds has one.
TEST_P(TiedBounds, EndWithoutASolutionWhereThereIsNone) {
    const auto problem = shared(coupled(1.0, {-1.0, 8.0}, 2.0));
    Settings s = tight();
    Solver solver(problem, s);
    Vector z(2);
    const Info info = solve(problem, solver, z);
    EXPECT_TRUE(info.outcome == Outcome::stalled || info.outcome == Outcome::iteration_limit)
        << static_cast<int>(info.outcome);
    EXPECT_GT(info.eta, 1e-3);
    EXPECT_GE(info.tie_rounds, 2);
    EXPECT_LE(info.tie_rounds, s.tie_rounds);
    EXPECT_TRUE(solver.certificate().empty());
}

// The same below 1: (1 - c mu) z_n = 1, by a plain iteration in some 200 rounds.
TEST_P(TiedBounds, SlowAndAlternatingBoundsConverge) {
    for (const double c : {0.9, -0.9}) {
        const double mu = c > 0.0 ? 1.05 : 3.0;
        const Answer answer = run(shared(coupled(c, {-1.0, 8.0}, mu)), tight());
        ASSERT_EQ(answer.info.outcome, Outcome::solved) << c << ": " << answer.info.eta;
        EXPECT_NEAR(answer.z[0], 1.0 / (1.0 - c * mu), 1e-6);
        EXPECT_LE(answer.info.tie_rounds, 40);
    }
}

TEST_P(TiedBounds, RoundsAreLimited) {
    const auto problem = shared(coupled(0.9, {-1.0, 8.0}, 1.05));
    Settings s = tight();
    s.tie_rounds = 1;
    Solver solver(problem, s);
    Vector z(2);
    const Info info = solve(problem, solver, z);
    EXPECT_EQ(info.outcome, Outcome::iteration_limit);
    EXPECT_EQ(info.tie_rounds, 1);
    s.tie_rounds = 0;
    EXPECT_FAILS(Status::bad_setting, "tie_rounds = 0", solver.set(s));
}

TEST_P(TiedBounds, OtherLimitsHoldForAllRoundsTogether) {
    const auto problem = shared(problem_of(planar(3, 0.2)));
    Settings s = tight();
    s.max_iterations = 3;
    const Info limited = solve(problem, s);
    EXPECT_EQ(limited.outcome, Outcome::iteration_limit);
    EXPECT_LE(limited.iterations, 3);
    cancelled(problem, tight(), 2);
}

// Contact rows that contradict each other, whatever friction does.
TEST_P(TiedBounds, ContradictionsAreProved) {
    Step s;
    s.M = Dense(2, 2, {1, 0, 0, 1});
    s.N = Dense(2, 2, {1, 0, -1, 0});
    s.D = Dense(2, 2, {0, 1, 0, 1});
    s.law = Law::box;
    s.shape = {1, 0, 0};
    s.rows.f = {0.0, 1.0};
    s.rows.b_N = {-1.0, -1.0};
    s.rows.mu = {0.3, 0.3};
    const auto problem = shared(problem_of(s));
    Solver solver(problem, tight());
    Vector z(4);
    const Info info = solve(problem, solver, z);
    EXPECT_EQ(info.outcome, Outcome::no_solution);
    const Vector& d = solver.certificate();
    ASSERT_EQ(d.size(), 4u);
    EXPECT_NEAR(d[0], d[1], 1e-6 * std::abs(d[0]));
    EXPECT_EQ(d[2], 0.0);
    EXPECT_EQ(d[3], 0.0);
}

// ------------------------------------------------------------------ one solver, many problems

TEST_P(TiedBounds, WarmStartsLeadToTheSameAnswer) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Step s = planar(seed, 0.2);
        const auto problem = std::make_shared<Problem>(problem_of(s));
        Settings settings = tight();
        Solver solver(problem, settings);
        Vector z(problem->rows());
        ASSERT_EQ(solver.solve(z, {}).outcome, Outcome::solved) << seed;
        settings.warm_start = true;
        solver.set(settings);
        EXPECT_EQ(solver.solve(z, {}).tie_rounds, 0) << "the answer is the start";
        for (double& f : s.rows.f) f *= 1.01;
        problem->set_vectors(s.rows);
        const Info warm = solve(problem, solver, z);
        const Answer cold = run(shared(problem_of(s)), tight());
        ASSERT_EQ(warm.outcome, Outcome::solved) << seed;
        ASSERT_EQ(cold.info.outcome, Outcome::solved) << seed;
        EXPECT_LE(distance(z, cold.z), 1e-6 * (1.0 + largest(z))) << seed;
        if (pivots(GetParam()) && GetParam() != Method::lemke) {
            EXPECT_LE(warm.iterations, cold.info.iterations) << seed;
        }
    }
}

TEST_P(TiedBounds, SolversFollowTiesThatComeAndGo) {
    const auto problem = std::make_shared<Problem>(coupled(0.5, {-1.0, -4.0}, 0.5));
    Solver solver(problem, tight());
    Vector z(2);
    ASSERT_EQ(solver.solve(z, {}).outcome, Outcome::solved);
    problem->set_ties({}, {}, {});
    Info info = solve(problem, solver, z);  // the row is free: z = -W^-1 q or z_n = 0
    ASSERT_EQ(info.outcome, Outcome::solved);
    EXPECT_EQ(info.tie_rounds, 0);
    EXPECT_NEAR(z[0], 0.0, 1e-7);
    EXPECT_NEAR(z[1], 4.0, 1e-7);
    const std::int64_t row = 1, normal = 0;
    const double mu = 1.0;
    problem->set_ties({&row, 1}, {&normal, 1}, {&mu, 1});
    info = solve(problem, solver, z);
    ASSERT_EQ(info.outcome, Outcome::solved);
    EXPECT_NEAR(z[1], 1.0 / 1.5, 1e-8);
}

using TiedBasicSets = TiedBounds;
INSTANTIATE_TEST_SUITE_P(Methods, TiedBasicSets,
                         testing::Values(Method::pivoting, Method::keller, Method::lemke),
                         [](const auto& info) { return name(info.param); });

TEST_P(TiedBasicSets, AreGivenAndTaken) {
    const auto problem = shared(problem_of(planar(3, 0.2)));
    Solver solver(problem, tight());
    Vector z(problem->rows());
    const Info cold = solver.solve(z, {});
    ASSERT_EQ(cold.outcome, Outcome::solved);
    const std::vector<std::int8_t> set(solver.basic_set().begin(), solver.basic_set().end());
    ASSERT_EQ(set.size(), z.size());
    Solver other(problem, tight());
    other.set_basic_set(set);
    Vector again(problem->rows());
    const Info given = solve(problem, other, again);
    ASSERT_EQ(given.outcome, Outcome::solved);
    EXPECT_LE(distance(z, again), 1e-6 * (1.0 + largest(z)));
    if (GetParam() != Method::lemke) {
        EXPECT_LE(given.iterations, cold.iterations);
    }
}

// ------------------------------------------------------------------ input

TEST(Ties, EtaTakesTheBoundsAtThePoint) {
    const Problem p = coupled(0.0, {-1.0, 3.0}, 0.5);
    EXPECT_LE(eta_of(p, {1.0, -0.5}), 1e-15);
    EXPECT_GT(eta_of(p, {2.0, -0.5}), 0.1);
    EXPECT_GT(eta_of(p, {1.0, -1.0}), 0.1);
    EXPECT_LE(eta_of(coupled(0.0, {0.0, 3.0}, 0.5), {0.0, 0.0}), 1e-15);
}

TEST(Ties, OfRowsThatArePushedWithoutAnyCoupling) {
    Problem p = Problem::general_blcp(Entries(Dense(2, 2, {1, 0, 0, 0})).view(), {-1.0, 3.0},
                                      {0.0, -infinity}, {});
    const std::int64_t row = 1, normal = 0;
    const double mu = 0.5;
    p.set_ties({&row, 1}, {&normal, 1}, {&mu, 1});
    for (const Method method : methods) {
        const Answer answer = run(shared(p), tight(method));
        EXPECT_EQ(answer.info.outcome, Outcome::solved) << name(method);
        EXPECT_NEAR(answer.z[1], -0.5, 1e-8) << name(method);
    }
}

TEST(Ties, RefuseWhatMakesNoSense) {
    Problem p = Problem::general_blcp(
        Entries(Dense(4, 4, {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2})).view(),
        Vector(4, -1.0), {0.0, 0.0, -infinity, -infinity}, {});
    const auto fails = [&p](Status status, const char* part, std::vector<std::int64_t> row,
                            std::vector<std::int64_t> normal, Vector mu) {
        EXPECT_FAILS(status, part, p.set_ties(row, normal, mu));
        EXPECT_FALSE(p.set().tied());
    };
    fails(Status::bad_index, "row[1] = 4 is outside 0..3", {2, 4}, {0, 0}, {0.5, 0.5});
    fails(Status::bad_index, "normal[0] = -1", {2}, {-1}, {0.5});
    fails(Status::bad_value, "coefficient[0] = -0.5", {2}, {0}, {-0.5});
    fails(Status::bad_value, "coefficient[1]", {2, 3}, {0, 1}, {0.5, not_a_number});
    fails(Status::bad_value, "coefficient[0] = inf", {2}, {0}, {infinity});
    fails(Status::bad_value, "normal[0] = 2 is the row", {2}, {2}, {0.5});
    fails(Status::bad_value, "row[1] = 2 is given twice", {2, 2}, {0, 1}, {0.5, 0.5});
    fails(Status::bad_value, "normal[0] = 3 is tied itself", {2, 3}, {3, 0}, {0.5, 0.5});
    fails(Status::bad_bounds, "lo[1] = 0, but the bounds of row 1 are tied to row 0", {1}, {0},
          {0.5});
    const std::int64_t row = 2, normal = 0;
    const double mu = 0.5;
    p.set_ties({&row, 1}, {&normal, 1}, {&mu, 1});
    EXPECT_FAILS(Status::bad_bounds, "hi[2] = 1, but",
                 p.set_vectors({}, {}, Vector{infinity, infinity, 1.0, infinity}));
    EXPECT_TRUE(p.set().tied(2));
    Problem assembled = problem_of(planar(1, 0.2));
    EXPECT_FAILS(Status::unsupported, "mu without lo_T",
                 assembled.set_ties({&row, 1}, {&normal, 1}, {&mu, 1}));
}

}  // namespace
}  // namespace perp::test
