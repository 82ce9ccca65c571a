// Small cases with known answers (design/users.md 2a): stacks, redundancy, tiny and mixed problems.
#include <cmath>

#include "support.hpp"

using namespace perp_test;

namespace {

constexpr double g = 9.81;
constexpr double h = 1e-3;

class Cases : public testing::TestWithParam<int64_t> {
protected:
    Answer solved(const Problem& problem, double tolerance = 1e-12) const {
        Answer a = solve(problem, settings(GetParam(), tolerance));
        EXPECT_EQ(a.info.outcome, PERP_SOLVED) << a.info.eta << " after " << a.info.iterations;
        return a;
    }
};

INSTANTIATE_TEST_SUITE_P(Methods, Cases, testing::ValuesIn(methods), method_name);

// ------------------------------------------------------------------ O1: two stacked masses

Problem stack(double r) {
    const System s =
        system({Matrix::diagonal({1, r}), {}, Matrix(2, 2, {1, 0, -1, 1}), {}, {}, {}});
    const Vector f{-h * g, -h * g * r};
    perp_rows step = rows();
    step.f = f.data();
    return cone(s, step);
}

double relative_error(const Vector& z, double r) {
    return std::max(std::abs(z[0] / (h * g * (1 + r)) - 1.0), std::abs(z[1] / (h * g * r) - 1.0));
}

perp_settings sweeps(int64_t count) {
    perp_settings s = settings(PERP_PGS, 1e-300);
    s.max_iterations = count;
    s.stagnation_window = 0;
    return s;
}

TEST(StackedMasses, GaussSeidelNeedsTheSweepsThatTheoryPredicts) {
    for (const auto& [r, count] : {std::pair{1.0, 27}, {100.0, 1852}, {1e3, 18430}}) {
        const Problem problem = stack(r);
        EXPECT_GT(relative_error(solve(problem, sweeps(count - 1)).z, r), 1e-8) << r;
        EXPECT_LE(relative_error(solve(problem, sweeps(count)).z, r), 1e-8) << r;
    }
}

TEST(StackedMasses, TenSweepsAreNotEnoughAndSaidNotToBe) {
    const Problem problem = stack(100.0);
    perp_settings s = settings(PERP_PGS, 1e-4);
    s.max_iterations = 10;
    const Answer a = solve(problem, s);
    EXPECT_EQ(a.info.outcome, PERP_ITERATION_LIMIT);
    EXPECT_EQ(a.info.iterations, 10);
    EXPECT_NEAR(a.z[0] / (h * g * 101), 0.0947, 5e-5);
    EXPECT_NEAR(a.z[1] / (h * g * 100), 0.0947, 5e-5);
    EXPECT_NEAR(residual_of(problem, a.z).penetration_velocity, 8.9e-3, 5e-5);
    EXPECT_GT(a.info.eta, 0.5);
}

TEST(StackedMasses, ApgdHoldsMassRatios) {
    for (const double r : {1.0, 100.0, 1e4}) {
        const Answer a = solve(stack(r), settings(PERP_APGD, 1e-10));
        EXPECT_EQ(a.info.outcome, PERP_SOLVED);
        expect_near(a.v, {0, 0}, 1e-9);
        EXPECT_LE(relative_error(a.z, r), 1e-6);
    }
}

// ------------------------------------------------------------------ O2: contacts in a line

const Vector places{-0.5, -0.2, 0.2, 0.5};
constexpr double weight = 2 * g * h;

System line(int copies) {
    Matrix N(4 * copies, 3);
    for (int64_t i = 0; i < N.rows; ++i) {
        N.add(i, 1, 1.0);
        N.add(i, 2, places[i % 4]);
    }
    return system({Matrix::diagonal({2, 2, 0.5}), {}, N, {}, {}, {}});
}

TEST_P(Cases, RedundantContactsCarryTheWeight) {
    const Vector f{0, -weight, 0};
    perp_rows step = rows();
    step.f = f.data();
    for (const int copies : {1, 3}) {
        const Answer a = solved(cone(line(copies), step));
        expect_near(a.v, {0, 0, 0}, 1e-13);
        double sum = 0.0, moment = 0.0;
        for (std::size_t i = 0; i < a.z.size(); ++i) {
            EXPECT_GE(a.z[i], 0.0);
            sum += a.z[i];
            moment += places[i % 4] * a.z[i];
        }
        EXPECT_NEAR(sum, weight, 1e-12);
        EXPECT_NEAR(moment, 0.0, 1e-12);
    }
}

TEST_P(Cases, ComplianceMakesTheImpulsesUnique) {
    const Vector f{0, -weight, 0}, compliance(4, 1e-4);
    perp_rows step = rows();
    step.f = f.data();
    step.compliance_N = compliance.data();
    perp_settings long_run = settings(GetParam(), 1e-14);
    long_run.max_iterations = 2000000;  // Gauss-Seidel's rate is 1 - O(compliance)
    const Answer a = solve(cone(line(1), step), long_run);
    EXPECT_EQ(a.info.outcome, PERP_SOLVED) << a.info.eta << " after " << a.info.iterations;
    expect_near(a.z, Vector(4, 4.904754762e-3), 5e-12);
    expect_near(a.v, {0, -4.904755e-7, 0}, 5e-13);
}

// ------------------------------------------------------------------ O3: redundant joints

Problem joints(const Vector& u) {
    const System s =
        system({Matrix::diagonal({2, 3}), Matrix(3, 2, {1, 1, 1, 1, 2, 2}), {}, {}, {}, {}});
    const Vector f{1, -4};
    perp_rows step = rows();
    step.f = f.data();
    step.u = u.data();
    return cone(s, step);
}

TEST_P(Cases, RedundantJointsThatAgreeAreSolved) {
    const Answer a = solved(joints({0, 0, 0}));
    expect_near(a.v, {1, -1}, 1e-12);
    EXPECT_NEAR(a.z[0] + a.z[1] + 2 * a.z[2], 1.0, 1e-12);
}

// pgs and apgd both end with a proof.
TEST_P(Cases, RedundantJointsThatContradictAreRefused) {
    const Problem problem = joints({0, 1, 0});
    const Solver s = solver(problem, settings(GetParam(), 1e-4));
    Vector z(3), d(3);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.outcome, PERP_NO_SOLUTION);
    EXPECT_GT(info.eta, 0.1);
    ASSERT_EQ(perp_certificate(s.get(), d.data()), PERP_OK) << perp_last_message();
    // A' d = 0 and d . u > 0: no v can satisfy A v = u.
    const double size = std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]);
    EXPECT_LE(std::abs(d[0] + d[1] + 2 * d[2]), 1e-9 * size);
    EXPECT_GT(d[1], 0.1 * size);
}

// ------------------------------------------------------------------ O4: tiny problems

TEST_P(Cases, TinyProblems) {
    expect_near(solved(blcp(Matrix(2, 2, {2.6, -0.6, -0.6, 2.6}), {-1, -1}, {0, 0})).z, {0.5, 0.5},
                1e-11);
    expect_near(solved(blcp(Matrix(2, 2, {3, -1, -1, 2}), {-1, 4}, {0, 0})).z, {1.0 / 3, 0}, 1e-11);
    for (const double a : {1e-12, 0.3, 1.0, 7e9})
        for (const double b : {1e-9, 0.7, 1e12})
            EXPECT_NEAR(solved(blcp(Matrix(1, 1, {a}), {-b}, {0})).z[0], b / a, 1e-12 * b / a);
    expect_near(solved(blcp(Matrix(1, 1), {1}, {0})).z, {0}, 0.0);
    EXPECT_TRUE(solved(blcp(Matrix(0, 0), {})).z.empty());
}

TEST_P(Cases, AnEmptyRowThatContradictsItsBoundIsProven) {
    const Problem problem = blcp(Matrix(1, 1), {-1}, {0});
    const Solver s = solver(problem, settings(GetParam()));
    Vector z(1), d(1);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.outcome, PERP_NO_SOLUTION);
    EXPECT_EQ(info.eta, 1.0);
    ASSERT_EQ(perp_certificate(s.get(), d.data()), PERP_OK);
    EXPECT_GT(d[0], 0.0);
}

// ------------------------------------------------------------------ O5: free and infinite bounds

TEST_P(Cases, FreeAndInfiniteBounds) {
    struct Case {
        Matrix H;
        Vector q, lo, hi, z, u;
    };
    const Case cases[] = {
        {Matrix(1, 1, {4}), {-3}, {-infinity}, {infinity}, {0.75}, {0}},
        {Matrix(1, 1, {4}), {-3}, {}, {}, {0.75}, {0}},
        {Matrix::diagonal({1, 1}), {-1, -3}, {-1, -infinity}, {infinity, 1}, {1, 1}, {0, -2}},
        {Matrix(3, 3, {4, 1, 0, 1, 3, -1, 0, -1, 2}),
         {-1, 2, -6},
         {-infinity, 0, -1},
         {infinity, infinity, 1},
         {0.25, 0, 1},
         {0, 1.25, -4}},
    };
    for (const Case& c : cases) {
        const Problem problem = blcp(c.H, c.q, c.lo, c.hi);
        const Answer a = solved(problem);
        expect_near(a.z, c.z, 1e-11);
        expect_near(a.u, c.u, 1e-10);
        EXPECT_LE(residual_of(problem, c.z).eta, 1e-16);
    }
}

// Not symmetric with a zero diagonal: beyond pgs and apgd, who say so; the residual is still known.
TEST_P(Cases, ZeroDiagonalsAreRefused) {
    const Problem problem = blcp(Matrix(2, 2, {2, -1, 1, 0}), {-2, -3}, {-infinity, 0});
    EXPECT_EQ(residual_of(problem, {3, 4}).eta, 0.0);
    EXPECT_FAILS(PERP_UNSUPPORTED, perp_method_name(GetParam()),
                 perp_solver_supports(problem.get(), GetParam()));
    const perp_settings s = settings(GetParam());
    perp_solver* out = nullptr;
    EXPECT_FAILS(PERP_UNSUPPORTED, perp_method_name(GetParam()),
                 perp_solver_create(problem.get(), &s, &out));
    EXPECT_EQ(out, nullptr);
}

// ------------------------------------------------------------------ O9: where pivoting cycles

TEST_P(Cases, TheMatrixThatMakesBlockPivotingCycle) {
    const Answer a =
        solved(blcp(Matrix(3, 3, {22, -5, 18, -5, 6, -11, 18, -11, 25}), {-1, 3, -5}, {0, 0, 0}));
    expect_near(a.z, {0, 0, 0.2}, 1e-11);
    expect_near(a.u, {2.6, 0.8, 0}, 1e-10);
}

TEST(Circulant, IsSolvedByPgs) {
    const Answer a = solve(blcp(Matrix(3, 3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), {-1, -1, -1}, {0, 0, 0}),
                           settings(PERP_PGS));
    if (a.info.outcome == PERP_SOLVED) expect_near(a.z, Vector(3, 1.0 / 3), 1e-10);
    EXPECT_NE(a.info.outcome, PERP_NO_SOLUTION);
}

}  // namespace
