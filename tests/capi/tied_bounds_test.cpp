// Bounds tied to normal impulses through the C interface: a brick whose friction follows its
// weight, calls that are refused, settings and statistics.
#include <cmath>
#include <random>
#include <string>

#include "support.hpp"

using namespace perp_test;

namespace {

constexpr double g = 9.81, h = 1e-3;

const int64_t all_methods[] = {PERP_PGS,    PERP_APGD,  PERP_AAPGS, PERP_PIVOTING,
                               PERP_KELLER, PERP_LEMKE, PERP_IPM};

// Planar: a brick of 2 kg, 0.2 m wide and 0.1 m high, on two corners, with a speed along x. Rows
// n1, n2, t1, t2.
System brick() {
    const double m = 2.0, inertia = m * (0.04 + 0.01) / 12;
    return system({Matrix::diagonal({m, m, inertia}),
                   {},
                   Matrix(2, 3, {0, 1, -0.1, 0, 1, 0.1}),
                   Matrix(2, 3, {1, 0, 0.05, 1, 0, 0.05}),
                   {},
                   {}});
}

class TiedBounds : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(Methods, TiedBounds, testing::ValuesIn(all_methods), method_name);

TEST_P(TiedBounds, ABrickSlidesByCoulombsLaw) {
    const System s = brick();
    const double mu = 0.3, speed = 1.0;
    const Vector f{2 * speed, -2 * g * h, 0}, coefficients{mu, mu};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = coefficients.data();
    const Problem problem = box(s, step);
    EXPECT_EQ(info_of(problem).tied, 2);
    const Answer a = solve(problem, settings(GetParam(), 1e-10));
    ASSERT_EQ(a.info.outcome, PERP_SOLVED) << a.info.eta;
    EXPECT_GE(a.info.tie_rounds, 2);
    // Friction mu m g h at the height 0.05 below the centre, taken by the front corner.
    const double weight = 2 * g * h, shift = mu * weight * 0.05 / 0.2;
    expect_near(a.z,
                {weight / 2 - shift, weight / 2 + shift, -mu * (weight / 2 - shift),
                 -mu * (weight / 2 + shift)},
                1e-9);
    expect_near(a.v, {speed - mu * g * h, 0, 0}, 1e-9);
}

TEST_P(TiedBounds, FixedBoundsComeBeforeMu) {
    const System s = brick();
    const Vector f{2, -2 * g * h, 0}, coefficients{0.3, 0.3}, lo{-1e-3, -1e-3}, hi{0, 0};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = coefficients.data();
    step.lo_T = lo.data();
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "hi_T is missing", [&] {
        perp_problem* out = nullptr;
        return perp_blcp_assemble(s.get(), &step, &out);
    }());
    step.hi_T = hi.data();
    const Problem problem = box(s, step);
    EXPECT_EQ(info_of(problem).tied, 0);
    const Answer a = solve(problem, settings(GetParam(), 1e-9));
    EXPECT_EQ(a.info.tie_rounds, 0);
    EXPECT_NEAR(a.z[2], -1e-3, 1e-9);
}

TEST(TiedBoundsOfABlcp, RefuseBadInputAndStayAsTheyWere) {
    const Problem problem = blcp(Matrix::diagonal({1, 1, 1}), {-1, -1, 3}, {0, 0, -infinity});
    const auto ties = [&](int64_t row, int64_t normal, double mu) {
        return perp_problem_set_ties(problem.get(), 1, &row, &normal, &mu);
    };
    ASSERT_EQ(ties(2, 0, 0.5), PERP_OK);
    const Vector solution{1, 1, -0.5};
    EXPECT_FAILS(PERP_BAD_INDEX, "row[0] = 3 is outside 0..2", ties(3, 0, 0.5));
    EXPECT_FAILS(PERP_BAD_INDEX, "normal[0] = -1 is outside 0..2", ties(2, -1, 0.5));
    EXPECT_FAILS(PERP_BAD_VALUE, "coefficient[0] = -1 ", ties(2, 1, -1.0));
    EXPECT_FAILS(PERP_BAD_VALUE, "coefficient[0] = nan", ties(2, 1, std::abs(not_a_number)));
    EXPECT_FAILS(PERP_BAD_VALUE, "normal[0] = 2", ties(2, 2, 0.5));
    EXPECT_FAILS(PERP_BAD_BOUNDS, "lo[1] = 0", ties(1, 0, 0.5));
    const double mu = 0.5;
    const int64_t index = 2;
    EXPECT_FAILS(PERP_BAD_SIZE, "count = -1",
                 perp_problem_set_ties(problem.get(), -1, &index, &index, &mu));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "row",
                 perp_problem_set_ties(problem.get(), 1, nullptr, &index, &mu));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "normal",
                 perp_problem_set_ties(problem.get(), 1, &index, nullptr, &mu));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "coefficient",
                 perp_problem_set_ties(problem.get(), 1, &index, &index, nullptr));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "problem",
                 perp_problem_set_ties(nullptr, 0, nullptr, nullptr, nullptr));
    const Vector lo{0, 0, -1};
    EXPECT_FAILS(PERP_BAD_BOUNDS, "lo[2] = -1",
                 perp_problem_set_vectors(problem.get(), nullptr, lo.data(), nullptr));
    EXPECT_EQ(info_of(problem).tied, 1);
    EXPECT_LE(residual_of(problem, solution).eta, 1e-15);
    ASSERT_EQ(perp_problem_set_ties(problem.get(), 0, nullptr, nullptr, nullptr), PERP_OK);
    EXPECT_EQ(info_of(problem).tied, 0);

    const Vector f{0, -1, 0}, coefficients{0.3, 0.3};
    const System s = brick();
    perp_rows step = rows();
    step.f = f.data();
    step.mu = coefficients.data();
    const Problem assembled = box(s, step);
    EXPECT_FAILS(PERP_UNSUPPORTED, "mu without lo_T",
                 perp_problem_set_ties(assembled.get(), 1, &index, &index, &mu));
}

TEST(TiedBoundsOfABlcp, RoundsAreASetting) {
    perp_settings s = settings(PERP_APGD);
    EXPECT_EQ(s.tie_rounds, 200);
    const Problem problem = blcp(Matrix::diagonal({1, 1}), {-1, 3}, {0, -infinity});
    const int64_t row = 1, normal = 0;
    const double mu = 0.5;
    ASSERT_EQ(perp_problem_set_ties(problem.get(), 1, &row, &normal, &mu), PERP_OK);
    const Solver made = solver(problem, s);
    EXPECT_FAILS(PERP_BAD_SETTING, "tie_rounds = 0",
                 perp_solver_set(made.get(), "tie_rounds", "0"));
    EXPECT_EQ(perp_solver_set(made.get(), "tie_rounds", "1"), PERP_OK);
    Vector z(2);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(made.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.outcome, PERP_ITERATION_LIMIT);
    EXPECT_EQ(info.tie_rounds, 1);
    EXPECT_EQ(perp_solver_set(made.get(), "tie_rounds", "5"), PERP_OK);
    ASSERT_EQ(perp_solve(made.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.outcome, PERP_SOLVED);
}

// A stack of boxes in the plane, four contacts between each two: nearly dependent rows, which a
// compliance of `relative` times their diagonals tells apart.
struct NearlyDependentStack {
    NearlyDependentStack(int64_t boxes_, double relative)
        : boxes(boxes_),
          f(3 * boxes),
          mu(4 * boxes, 0.5),
          lo(4 * boxes, -0.02),
          hi(4 * boxes, 0.02) {
        Matrices m;
        m.M = Matrix(3 * boxes, 3 * boxes);
        m.N = m.D = Matrix(4 * boxes, 3 * boxes);
        for (int64_t b = 0; b < boxes; ++b) {
            for (int64_t k = 0; k < 3; ++k) m.M.add(3 * b + k, 3 * b + k, k < 2 ? 1.0 : 0.17);
            for (int64_t k = 0; k < 4; ++k) {
                const double x = -0.5 + static_cast<double>(k) / 3.0;
                for (const int64_t side : {0, 1}) {  // the box, the one below
                    if (side > b) continue;
                    const int64_t first = 3 * (b - side);
                    const double sign = side == 0 ? 1.0 : -1.0;
                    m.N.add(4 * b + k, first + 1, sign);
                    m.N.add(4 * b + k, first + 2, sign * x);
                    m.D.add(4 * b + k, first, sign);
                    m.D.add(4 * b + k, first + 2, 0.5);
                }
                compliance.push_back(relative * (b == 0 ? 2.5 : 5.0));
            }
        }
        bodies = system(m);
        step.f = f.data();
        step.mu = mu.data();
        step.compliance_N = step.compliance_T = compliance.data();
    }
    void shake(std::mt19937& random) {
        std::uniform_real_distribution<double> any(-1.0, 1.0);
        for (int64_t b = 0; b < boxes; ++b) {
            f[3 * b] = 0.03 * any(random);
            f[3 * b + 1] = -0.16 + 0.015 * any(random);
            f[3 * b + 2] = 0.002 * any(random);
        }
    }
    int64_t boxes;
    Vector f, mu, lo, hi, compliance;
    System bodies;
    perp_rows step = rows();
};

// From the answer before, over many steps. Rounding may make rows dependent or not: neither leads
// in circles. Where bounds are tied and a compliance of 1e-11 parts the loads, they are known to
// about 1e-7: rounds to 1e-8 need not end, but for a step or two.
TEST(NearlyDependentRows, AreSolvedFromTheAnswerBefore) {
    int again = 0;  // from no guess
    for (const int64_t boxes : {2, 5, 8})
        for (const double relative : {0.0, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-7})
            for (const bool tied : {true, false}) {
                SCOPED_TRACE(testing::Message() << boxes << " boxes, " << relative);
                NearlyDependentStack stack(boxes, relative);
                if (!tied) {
                    stack.step.lo_T = stack.lo.data();
                    stack.step.hi_T = stack.hi.data();
                }
                const Problem problem = box(stack.bodies, stack.step);
                perp_settings s = settings(PERP_PIVOTING, 1e-8);
                s.warm_start = 1;
                const Solver used = solver(problem, s);
                std::mt19937 random(7);
                Vector z(8 * boxes);
                int unsolved = 0;
                for (int k = 0; k < 100; ++k) {
                    stack.shake(random);
                    ASSERT_EQ(perp_problem_set_rows(problem.get(), nullptr, &stack.step), PERP_OK);
                    perp_info info = sized<perp_info>();
                    ASSERT_EQ(perp_solve(used.get(), z.data(), nullptr, &info), PERP_OK);
                    again += (info.fallbacks & PERP_FALLBACK_COLD_START) != 0 ? 1 : 0;
                    unsolved += info.outcome == PERP_SOLVED ? 0 : 1;
                    EXPECT_LE(info.eta, 1e-6) << "step " << k;
                    if (!tied) {
                        EXPECT_EQ(info.outcome, PERP_SOLVED) << "step " << k;
                        EXPECT_LE(info.single_pivots, 16 * boxes) << "step " << k;
                    }
                }
                EXPECT_LE(unsolved, relative > 1e-12 && relative < 1e-10 ? 2 : 0);
            }
    EXPECT_GT(again, 0);
}

}  // namespace
