// Ways of input (O10), honesty and warm start (O11), updates (O12), by the C interface.
#include <algorithm>
#include <cmath>

#include "support.hpp"

using namespace perp_test;

namespace {

constexpr double g = 9.81;
constexpr double h = 1e-3;

class Updates : public testing::TestWithParam<int64_t> {};

INSTANTIATE_TEST_SUITE_P(Methods, Updates, testing::ValuesIn(methods), method_name);

// ------------------------------------------------------------------ O10: triplets, five ways

Matrix reordered(const Matrix& m) {  // every third first, then backwards
    Matrix r(m.rows, m.cols);
    for (std::size_t k = 0; k < m.row.size(); k += 3) r.add(m.row[k], m.col[k], m.value[k]);
    for (std::size_t k = m.row.size(); k-- > 0;)
        if (k % 3 != 0) r.add(m.row[k], m.col[k], m.value[k]);
    return r;
}

Matrix halves(const Matrix& m) {
    Matrix r(m.rows, m.cols);
    for (std::size_t k = 0; k < m.row.size(); ++k) r.add(m.row[k], m.col[k], 0.5 * m.value[k]);
    for (std::size_t k = 0; k < m.row.size(); ++k) r.add(m.row[k], m.col[k], 0.5 * m.value[k]);
    return r;
}

Matrix noisy(const Matrix& m) {
    Matrix r = m;
    for (int64_t i = 0; i < m.rows; ++i) {
        for (int64_t j = 0; j < m.cols; ++j) r.add(i, j, 0.0);
        r.add(i, 0, 1.0);
        r.add(i, 0, -1.0);
    }
    return r;
}

Matrix one_based(Matrix m) {
    for (int64_t& i : m.row) ++i;
    for (int64_t& j : m.col) ++j;
    m.base = 1;
    return m;
}

TEST_P(Updates, TripletsInFiveWaysGiveOneAnswer) {
    const Matrix M = Matrix::diagonal({2, 2, 0.5});
    const Matrix N(4, 3, {0, 1, -0.5, 0, 1, -0.2, 0, 1, 0.2, 0, 1, 0.5});
    const Vector f{0, -2 * g * h, 0};
    perp_rows step = rows();
    step.f = f.data();
    const auto answer = [&](Matrix (*way)(const Matrix&)) {
        return solve(cone(system({way(M), {}, way(N), {}, {}, {}}), step), settings(GetParam())).z;
    };
    const Vector expected = answer([](const Matrix& m) { return m; });
    EXPECT_TRUE(same_bits(answer(reordered), expected));
    EXPECT_TRUE(same_bits(answer(halves), expected));
    EXPECT_TRUE(
        same_bits(answer([](const Matrix& m) { return one_based(reordered(m)); }), expected));
    expect_near(answer(noisy), expected, 1e-15);
}

// ------------------------------------------------------------------ O11: honesty, warm start

Problem stack(double r) {
    const System s =
        system({Matrix::diagonal({1, r}), {}, Matrix(2, 2, {1, 0, -1, 1}), {}, {}, {}});
    const Vector f{-h * g, -h * g * r};
    perp_rows step = rows();
    step.f = f.data();
    return cone(s, step);
}

TEST_P(Updates, FewIterationsAreReportedAsWhatTheyAre) {
    const Problem problem = stack(1e3);
    perp_settings s = settings(GetParam(), 1e-4);
    const int64_t few = GetParam() == PERP_AAPGS ? 1 : 5;  // mixing solves two rows at once
    s.max_iterations = few;
    const Answer a = solve(problem, s);
    EXPECT_EQ(a.info.outcome, PERP_ITERATION_LIMIT);
    EXPECT_EQ(a.info.iterations, few);
    EXPECT_GT(a.z[0], 0.0);
    // eta by hand: W = [1 -1; -1 1 + 1/r], r = (-g h, 0).
    const double W[2][2] = {{1, -1}, {-1, 1 + 1e-3}}, r[2] = {-g * h, 0};
    double square = 0.0;
    for (int i = 0; i < 2; ++i) {
        const double u = W[i][0] * a.z[0] + W[i][1] * a.z[1] + r[i];
        square += W[i][i] * std::pow(a.z[i] - std::max(0.0, a.z[i] - u / W[i][i]), 2);
    }
    EXPECT_NEAR(a.info.eta, std::sqrt(square) / (g * h), 1e-12);
}

TEST_P(Updates, TheExactImpulsesNeedNoIteration) {
    const Problem problem = stack(1e3);
    perp_settings s = settings(GetParam(), 1e-10);
    s.warm_start = 1;
    s.max_iterations = 0;
    const Vector exact{h * g * 1001, h * g * 1000};
    const Answer a = solve(problem, s, exact);
    EXPECT_EQ(a.info.outcome, PERP_SOLVED);
    EXPECT_EQ(a.info.iterations, 0);
    EXPECT_TRUE(same_bits(a.z, exact));
}

// ------------------------------------------------------------------ O12: updates of a BLCP

const Matrix cycling(3, 3, {22, -5, 18, -5, 6, -11, 18, -11, 25});

TEST_P(Updates, EachChangeEqualsAFreshProblem) {
    const perp_settings s = settings(GetParam());
    const Vector q{-1, 3, -5}, doubled{-2, 6, -10}, lo{0, 0, 0};
    const Problem problem = blcp(cycling, q, lo);
    const Solver used = solver(problem, s);
    const auto answer = [&] {
        Vector z(3);
        EXPECT_EQ(perp_solve(used.get(), z.data(), nullptr, nullptr), PERP_OK);
        return z;
    };
    const Vector first = answer();
    expect_near(first, {0, 0, 0.2}, 1e-11);

    ASSERT_EQ(perp_problem_set_vectors(problem.get(), doubled.data(), nullptr, nullptr), PERP_OK);
    expect_near(answer(), {0, 0, 0.4}, 1e-11);
    EXPECT_TRUE(same_bits(answer(), solve(blcp(cycling, doubled, lo), s).z));

    Matrix large = cycling;
    for (double& x : large.value) x *= 1e6;
    ASSERT_EQ(perp_problem_update(problem.get(), 9, large.value.data()), PERP_OK);
    expect_near(answer(), {0, 0, 0.4e-6}, 1e-17);
    EXPECT_TRUE(same_bits(answer(), solve(blcp(large, doubled, lo), s).z));

    Matrix zeroed = cycling;
    zeroed.value[1] = 0.0;
    ASSERT_EQ(perp_problem_update(problem.get(), 9, zeroed.value.data()), PERP_OK);
    EXPECT_GT(info_of(problem).asymmetry, 0.1);
    ASSERT_EQ(perp_problem_update(problem.get(), 9, cycling.value.data()), PERP_OK);
    ASSERT_EQ(perp_problem_set_vectors(problem.get(), q.data(), lo.data(), nullptr), PERP_OK);
    EXPECT_TRUE(same_bits(answer(), first));

    EXPECT_FAILS(PERP_BAD_PATTERN, "H: 8 values",
                 perp_problem_update(problem.get(), 8, large.value.data()));
    EXPECT_TRUE(same_bits(answer(), first));
}

TEST_P(Updates, NewRowsEqualAFreshProblem) {
    const System s = system({Matrix::diagonal({1, 1, 1}),
                             Matrix(1, 3, {1, 1, 0}),
                             Matrix(1, 3, {0, 0, 1}),
                             Matrix(2, 3, {1, 0, 0, 0, 1, 0}),
                             {},
                             Matrix(1, 3, {1, 2, 3})});
    const Vector f{3, 1, -2}, other{1, -2, -1}, mu{0.5}, less{0.1}, lo{-0.1}, hi{0.2};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    step.lo_B = lo.data();
    step.hi_B = hi.data();
    const Problem problem = cone(s, step);
    solve(problem, settings(GetParam()));
    step.f = other.data();
    step.mu = less.data();
    ASSERT_EQ(perp_problem_set_rows(problem.get(), nullptr, &step), PERP_OK);
    EXPECT_TRUE(same_bits(solve(problem, settings(GetParam())).z,
                          solve(cone(s, step), settings(GetParam())).z));
}

// New matrices on the same pattern, and on others: the problem is that of the system given, and a
// solver that it had before finds what a new one finds. The law stays.
TEST(NewMatrices, EqualAFreshProblem) {
    const auto bodies = [](double mass, double lever, double zero) {
        return system({Matrix::diagonal({mass, 1, 2}),
                       Matrix(1, 3, {1, 1, zero}),
                       Matrix(1, 3, {zero, 0, 1}),
                       Matrix(2, 3, {1, 0, lever, zero, 1, 0}),
                       {},
                       Matrix(1, 3, {1, 2, 3})});
    };
    const Vector f{3, 1, -2}, other{1, -2, -1}, mu{0.5}, lo{-0.1}, hi{0.2};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    step.lo_B = lo.data();
    step.hi_B = hi.data();
    const auto make = [&](const System& of, int64_t law) {
        if (law == PERP_LAW_BOX) return box(of, step);
        Problem made = cone(of, step);
        EXPECT_EQ(perp_problem_set_law(made.get(), law), PERP_OK);
        return made;
    };
    const System first = bodies(1, 0.1, 0.0);
    int tried = 0;
    for (const int64_t law : {PERP_LAW_CONE, PERP_LAW_BOX, PERP_LAW_COULOMB}) {
        for (int64_t method = PERP_PGS; method <= PERP_ACCURATE; ++method) {
            step.f = f.data();
            const Problem problem = make(first, law);
            if (perp_solver_supports(problem.get(), method) != PERP_OK) continue;
            ++tried;
            const perp_settings s = settings(method, 1e-11);
            const Solver used = solver(problem, s);
            step.f = other.data();
            Vector z(5);
            for (const auto& [mass, lever, zero] :
                 {std::array{2.0, 0.3, 0.0}, std::array{2.5, 0.3, 0.2}, std::array{3.0, -0.2, 0.0},
                  std::array{3.0, 0.0, 0.0}}) {
                const System later = bodies(mass, lever, zero);
                ASSERT_EQ(perp_problem_set_rows(problem.get(), later.get(), &step), PERP_OK);
                EXPECT_EQ(info_of(problem).law, law);
                const Problem fresh = make(later, law);
                perp_info info = sized<perp_info>();
                ASSERT_EQ(perp_solve(used.get(), z.data(), nullptr, &info), PERP_OK);
                EXPECT_EQ(info.outcome, PERP_SOLVED) << law << " " << method;
                EXPECT_EQ(residual_of(fresh, z).eta, residual_of(problem, z).eta);
                expect_near(z, solve(fresh, s).z, 1e-8);
            }
        }
    }
    EXPECT_GE(tried, 20);
}

TEST(NewMatrices, OfOtherSizesAreRefused) {
    const System s = system({Matrix::diagonal({1, 1}), {}, Matrix(1, 2, {0, 1}), {}, {}, {}});
    const System wider =
        system({Matrix::diagonal({1, 1, 1}), {}, Matrix(1, 3, {0, 1, 0}), {}, {}, {}});
    const System more =
        system({Matrix::diagonal({1, 1}), {}, Matrix(2, 2, {0, 1, 1, 0}), {}, {}, {}});
    const Vector f{1, -2, 3}, mu{0.5, 0.5};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    const Problem problem = cone(s, step);
    const double before = info_of(problem).free_velocity_norm;
    step.f = mu.data();
    EXPECT_FAILS(PERP_BAD_SIZE, "system: 3 velocities, but the problem has 2",
                 perp_problem_set_rows(problem.get(), wider.get(), &step));
    EXPECT_FAILS(PERP_BAD_SIZE, "system: 2 contacts, but the problem has 1",
                 perp_problem_set_rows(problem.get(), more.get(), &step));
    EXPECT_EQ(info_of(problem).free_velocity_norm, before);
    const Vector q{1, 2};
    EXPECT_FAILS(
        PERP_UNSUPPORTED, "perp_problem_set_vectors",
        perp_problem_set_rows(blcp(Matrix::diagonal({1, 1}), q, {}).get(), s.get(), &step));
}

// Problems assembled before an update of the system keep the old values.
TEST_P(Updates, OfASystemAreForLaterProblems) {
    const Matrix N(1, 1, {1});
    const System s = system({Matrix(1, 1, {2}), {}, N, {}, {}, {}});
    const Vector f{-1}, heavier{4}, longer{3};
    perp_rows step = rows();
    step.f = f.data();
    const Problem before = cone(s, step);
    ASSERT_EQ(perp_system_update(s.get(), PERP_MATRIX_M, 1, heavier.data()), PERP_OK);
    const Problem between = cone(s, step);
    ASSERT_EQ(perp_system_update(s.get(), PERP_MATRIX_N, 1, longer.data()), PERP_OK);
    const Problem after = cone(s, step);
    const auto delassus = [](const Problem& p) {
        int64_t count = 1, row = 0, col = 0;
        double value = 0.0;
        EXPECT_EQ(perp_form_matrix(p.get(), &count, &row, &col, &value), PERP_OK);
        return value;
    };
    EXPECT_DOUBLE_EQ(delassus(before), 0.5);
    EXPECT_DOUBLE_EQ(delassus(between), 0.25);
    EXPECT_DOUBLE_EQ(delassus(after), 2.25);
    ASSERT_EQ(perp_problem_set_rows(before.get(), nullptr, &step), PERP_OK);
    EXPECT_DOUBLE_EQ(delassus(before), 0.5);
}

// The q of a Delassus form has the rows of W; s stays.
TEST_P(Updates, OfADelassusFormReplaceItsQ) {
    const Matrix W(3, 3, {2, 0, 0, 0, 1, 0, 0, 0, 1}), V(3, 1, {0, 1, 0}), R(1, 1, {3});
    const perp_triplets w = W.view(), v = V.view(), r = R.view();
    const Vector mu{0.5}, s{0.25};
    const auto make = [&](const Vector& q) {
        perp_delassus_def def = initialized(perp_delassus_def_init);
        def.W = &w;
        def.V = &v;
        def.R = &r;
        def.q = q.data();
        def.s = s.data();
        def.mu = mu.data();
        perp_problem* out = nullptr;
        EXPECT_EQ(perp_delassus_create(&def, &out), PERP_OK) << perp_last_message();
        return Problem(out);
    };
    const Problem problem = make({-1, 0.3, 0.1});
    const auto other = std::make_unique<double[]>(3);  // of exactly three entries
    const double values[] = {-2, 0.1, 0.4};
    std::copy(values, values + 3, other.get());
    ASSERT_EQ(perp_problem_set_vectors(problem.get(), other.get(), nullptr, nullptr), PERP_OK);
    const Answer a = solve(problem, settings(GetParam()));
    EXPECT_EQ(a.info.outcome, PERP_SOLVED);
    EXPECT_TRUE(same_bits(a.z, solve(make({-2, 0.1, 0.4}), settings(GetParam())).z));
}

}  // namespace
