// The pivoting method on cases with known answers, worst cases of other rules, changed problems and
// limits. Steps, warm starts and what must not change: pivoting_steps_test.cpp. Small problems
// against all their sets: pivoting_bruteforce_test.cpp.
#include "pivoting_support.hpp"

namespace perp::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// By itself, through a Solver, and 30 times side by side: past the dense shortcut.
void expect_answer(const Dense& H, const Vector& q, const Vector& lo, const Vector& hi,
                   const Vector& expected, double bound = 1e-14) {
    const std::int64_t copies = 65 / H.rows + 1;
    const Shared single = blcp(H, q, lo, hi);
    const Shared many =
        blcp(repeated(H, copies), repeated(q, copies), repeated(lo, copies), repeated(hi, copies));
    EXPECT_LE(distance(pivot_solved(*single, 1e-14).z, expected), bound);
    for (const auto& [problem, answer] :
         {std::pair{single, expected}, {many, repeated(expected, copies)}}) {
        const Answer found = run(problem, pivoting_settings(1e-14));
        EXPECT_EQ(found.info.outcome, Outcome::solved);
        EXPECT_LE(distance(found.z, answer), bound);
    }
}

TEST(Pivoting, TinyProblems) {
    const auto answer = [](const Dense& H, const Vector& q, const Vector& expected) {
        expect_answer(H, q, Vector(q.size(), 0.0), Vector(q.size(), infinity), expected);
    };
    answer(Dense(2, 2, {2.6, -0.6, -0.6, 2.6}), {-1, -1}, {0.5, 0.5});
    answer(Dense(2, 2, {3, -1, -1, 2}), {-1, 4}, {1.0 / 3.0, 0});
    answer(Dense(1, 1, {4}), {-3}, {0.75});
    answer(Dense(1, 1), {1}, {0});
    EXPECT_EQ(pivot_solved(*blcp(Dense(0, 0), {})).pivots(), 0);
    const Pivoted none = pivot(*lcp(Dense(1, 1), {-1}));
    EXPECT_EQ(none.info.outcome, Outcome::no_solution);
    EXPECT_TRUE(is_proof(*lcp(Dense(1, 1), {-1}), none.certificate));
    const Shared many = lcp(Dense(70, 70), Vector(70, -1.0));
    EXPECT_EQ(run(many, pivoting_settings()).info.outcome, Outcome::no_solution);
}

TEST(Pivoting, FreeRowsAndBounds) {
    const double inf = infinity;
    expect_answer(Dense(1, 1, {4}), {-3}, {-inf}, {inf}, {0.75});
    expect_answer(Dense(2, 2, {1, 0, 0, 1}), {-1, -3}, {-1, -inf}, {inf, 1}, {1, 1});
    expect_answer(Dense(3, 3, {4, 1, 0, 1, 3, -1, 0, -1, 2}), {-1, 2, -6}, {-inf, 0, -1},
                  {inf, inf, 1}, {0.25, 0, 1});
    // Not symmetric, a zero on the diagonal, of a row with bounds or free.
    expect_answer(Dense(2, 2, {2, -1, 1, 0}), {-2, -3}, {-inf, 0}, {inf, inf}, {3, 4}, 1e-12);
    expect_answer(Dense(2, 2, {2, -1, 1, 0}), {-2, -3}, {0, -inf}, {inf, inf}, {3, 4}, 1e-12);
    expect_answer(Dense(2, 2, {2, 1, 1, 3}), {-1, 5}, {0, 0.5}, {0, 0.5}, {0, 0.5});
}

TEST(Pivoting, MassRatiosAreExactToTheirCondition) {
    for (double r = 1.0; r <= 1e8; r *= 10.0) {
        const double gh = 9.81e-3;
        // A column of pairs of masses: as large as the sparse path needs.
        for (const int copies : {1, 40}) {
            const Shared problem = shared(
                plain_contacts(repeated(Dense(2, 2, {1, 0, 0, r}), copies), Dense(0, 2 * copies),
                               repeated(Dense(2, 2, {1, 0, -1, 1}), copies),
                               repeated(Vector{-gh, -gh * r}, copies)));
            for (const Vector& z : {pivot(*problem, pivoting_settings(1e-15)).z,
                                    run(problem, pivoting_settings(1e-15)).z}) {
                const double bound = 100.0 * r * epsilon;
                for (int i = 0; i < 2 * copies; i += 2) {
                    EXPECT_NEAR(z[i], gh * (1.0 + r), bound * gh * (1.0 + r)) << r;
                    EXPECT_NEAR(z[i + 1], gh * r, bound * gh * r) << r;
                }
            }
        }
    }
}

// n boxes of 1 kg on each other, but the top one: `ratio` kg.
Step heavy_top(std::int64_t n, double ratio) {
    Step s;
    s.shape = {0, 0, 0};
    s.M = s.N = Dense(n, n);
    s.rows.f.assign(n, -9.81e-3);
    for (std::int64_t i = 0; i < n; ++i) {
        s.M(i, i) = s.N(i, i) = 1.0;
        if (i > 0) s.N(i, i - 1) = -1.0;
    }
    s.M(n - 1, n - 1) = ratio;
    s.rows.f[n - 1] *= ratio;
    return s;
}

// However heavy the top of a stack, its impulses exist; as a matrix, too, it forbids nothing.
TEST(Pivoting, HeavyTopsAreNotCalledContradictory) {
    for (const std::int64_t n : {2, 10, 30, 100})
        for (const double ratio : {1e6, 1e8, 1e10, 1e12}) {
            const Problem step = problem_of(heavy_top(n, ratio));
            const Shared matrix = blcp(dense(step.form_matrix()), step.free_velocity(),
                                       Vector(n, 0.0), Vector(n, infinity));
            for (const Method method : {Method::pivoting, Method::keller, Method::lemke}) {
                SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(ratio) + ", " +
                             name(method));
                EXPECT_NE(run(shared(step), accurate(method, 1e-10)).info.outcome,
                          Outcome::no_solution);
                // Of 100, the impulses are 1e13 times the free velocity: beyond what is promised.
                if (n == 100 && ratio == 1e12) continue;
                EXPECT_NE(run(matrix, accurate(method, 1e-10)).info.outcome, Outcome::no_solution);
            }
        }
}

// Of the sparse factors of 100 boxes below one of 1e8 masses too few digits are left; of the dense
// inverse enough.
TEST(Pivoting, DensePivotsWhereSparseFactorsLoseTooMuch) {
    constexpr std::int64_t n = 100;
    constexpr double ratio = 1e8;
    const auto found =
        run(shared(problem_of(heavy_top(n, ratio))), accurate(Method::pivoting, 1e-10));
    EXPECT_LE(found.info.eta, 100.0 * ratio * 2.2e-16);
    EXPECT_NE(found.info.fallbacks & fallback::keller, 0);
    double above = 0.0;
    for (std::int64_t i = n - 1; i >= 0; --i) {
        above += i == n - 1 ? ratio : 1.0;
        EXPECT_NEAR(found.z[i] / (9.81e-3 * above), 1.0, 100.0 * ratio * 2.2e-16) << i;
    }
}

TEST(Pivoting, RedundantContacts) {
    const double p = 2.0 * 9.81e-3;
    const double x[] = {-0.5, -0.2, 0.2, 0.5};
    for (const int copies : {1, 3, 30})
        for (const double compliance : {0.0, 1e-4}) {
            Dense N(4 * copies, 3);
            for (int i = 0; i < 4 * copies; ++i) {
                N(i, 1) = 1.0;
                N(i, 2) = x[i % 4];
            }
            const Shared problem =
                shared(plain_contacts(Dense(3, 3, {2, 0, 0, 0, 2, 0, 0, 0, 0.5}), Dense(0, 3), N,
                                      {0.0, -p, 0.0}, {}, compliance));
            for (const Vector& z :
                 {pivot_solved(*problem, 1e-13).z, run(problem, pivoting_settings(1e-13)).z}) {
                double sum = 0.0, moment = 0.0;
                const double each = p / (4 * copies + 2.0 * compliance);
                for (int i = 0; i < 4 * copies; ++i) {
                    EXPECT_GE(z[i], 0.0);
                    if (compliance > 0.0) {
                        EXPECT_NEAR(z[i], each, 1e-8 * each);  // eta / compliance
                    }
                    sum += z[i];
                    moment += z[i] * x[i % 4];
                }
                const double total = compliance > 0.0 ? 4 * copies * each : p;
                EXPECT_NEAR(sum, total, 1e-13 * p) << copies;
                EXPECT_NEAR(moment, 0.0, 1e-13 * p) << copies;
            }
        }
}

TEST(Pivoting, RedundantJoints) {
    const Dense M(2, 2, {2, 0, 0, 3}), A(3, 2, {1, 1, 1, 1, 2, 2});
    for (const int copies : {1, 40}) {
        const Shared problem =
            shared(plain_contacts(repeated(M, copies), repeated(A, copies), Dense(0, 2 * copies),
                                  repeated(Vector{1, -4}, copies)));
        for (const Vector& z :
             {pivot_solved(*problem, 1e-13).z, run(problem, pivoting_settings(1e-13)).z})
            for (int i = 0; i < 3 * copies; i += 3)
                EXPECT_NEAR(z[i] + z[i + 1] + 2.0 * z[i + 2], 1.0, 1e-12);
    }
}

// Refused with a proof that holds, in the rows that contradict each other and in no others.
TEST(Pivoting, ContradictingJointsAreProved) {
    const Dense M(2, 2, {2, 0, 0, 3}), A(3, 2, {1, 1, 1, 1, 2, 2});
    for (const int copies : {1, 40}) {
        Vector u(3 * copies, 0.0);
        u[1] = 1.0;
        const Shared problem =
            shared(plain_contacts(repeated(M, copies), repeated(A, copies), Dense(0, 2 * copies),
                                  repeated(Vector{1, -4}, copies), u));
        Solver solver(problem, pivoting_settings());
        Vector z(3 * copies, 0.0);
        EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::no_solution);
        const Pivoted direct = pivot(*problem);
        EXPECT_EQ(direct.info.outcome, Outcome::no_solution);
        for (const Vector& d : {direct.certificate, solver.certificate()}) {
            ASSERT_TRUE(is_proof(*problem, d));
            EXPECT_NE(d[1], 0.0);
            EXPECT_GT(std::abs(d[0]) + std::abs(d[2]), 0.1 * std::abs(d[1]));
            for (int i = 3; i < 3 * copies; ++i) EXPECT_LE(std::abs(d[i]), 1e-9 * largest(d)) << i;
        }
    }
}

TEST(Pivoting, ContradictionsBelowTheTolerance) {
    const Dense M(2, 2, {2, 0, 0, 3}), A(3, 2, {1, 1, 1, 1, 2, 2});
    const Problem problem = plain_contacts(M, A, Dense(0, 2), {1, -4}, {0, 1e-6, 0});
    EXPECT_EQ(pivot(problem, pivoting_settings(1e-4)).info.outcome, Outcome::solved);
    EXPECT_EQ(pivot(problem, pivoting_settings(1e-8)).info.outcome, Outcome::no_solution);
}

// ------------------------------------------------------------------ cycles and worst cases

const Dense& cycling() {
    static const Dense H(3, 3, {22, -5, 18, -5, 6, -11, 18, -11, 25});
    return H;
}

TEST(Pivoting, CyclesOfBlockExchangesAreBroken) {
    const Pivoted found = pivot_solved(*lcp(cycling(), {-1, 3, -5}), 1e-14);
    EXPECT_LE(distance(found.z, {0, 0, 0.2}), 1e-15);
    EXPECT_LE(distance(found.u, {2.6, 0.8, 0}), 1e-14);
    EXPECT_NE(found.info.fallbacks, 0);
    const Shared many = lcp(repeated(cycling(), 30), repeated(Vector{-1, 3, -5}, 30));
    const Answer answer = run(many, pivoting_settings(1e-14));
    EXPECT_EQ(answer.info.outcome, Outcome::solved);
    EXPECT_LE(distance(answer.z, repeated(Vector{0, 0, 0.2}, 30)), 1e-14);
    EXPECT_NE(answer.info.fallbacks, 0);
}

TEST(Pivoting, CirculantFromEveryStart) {
    const Shared problem = lcp(Dense(3, 3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), {-1, -1, -1});
    for (int start = 0; start < 8; ++start) {
        States set(3);
        for (int i = 0; i < 3; ++i) set[i] = (start >> i) % 2 == 0 ? -1 : 0;
        const Pivoted found = pivot_solved(*problem, 1e-13, set);
        EXPECT_LE(distance(found.z, Vector(3, 1.0 / 3.0)), 1e-12) << start;
    }
    EXPECT_LE(distance(run(problem, pivoting_settings(1e-13)).z, Vector(3, 1.0 / 3.0)), 1e-12);
}

TEST(Pivoting, WorstCasesOfOtherRules) {
    const struct {
        const char* name;
        Dense (*matrix)(std::int64_t);
    } families[] = {{"Murty", murty}, {"Fathi", fathi}, {"Csizmadia", csizmadia}};
    for (const auto& family : families)
        for (const std::int64_t n : {8, 16, 40}) {
            SCOPED_TRACE(std::string(family.name) + " " + std::to_string(n));
            Vector descending(n);
            for (std::int64_t i = 0; i < n; ++i)
                descending[i] = -std::ldexp(1.0, static_cast<int>(n - 1 - i));
            const bool grows = family.matrix == csizmadia;  // to 2^(2 n) from `descending`
            for (const Vector& q : {Vector(n, -1.0), grows ? Vector(n, -2.0) : descending}) {
                const Shared problem = lcp(family.matrix(n), q);
                const Pivoted found = pivot_solved(*problem, 1e-9);
                EXPECT_LE(found.pivots(), 10 * n);
                const Answer answer = run(problem, pivoting_settings(1e-9));
                EXPECT_EQ(answer.info.outcome, Outcome::solved) << answer.info.eta;
                EXPECT_LE(answer.info.block_steps + answer.info.single_pivots, 10 * n);
            }
        }
}

}  // namespace
}  // namespace perp::test
