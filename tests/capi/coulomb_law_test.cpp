// The exact Coulomb law of problems through the C interface: a block that slides, the same in
// Delassus form, a step, calls that are refused.
#include <cmath>
#include <string>

#include "support.hpp"

using namespace perp_test;

namespace {

constexpr double g = 9.81, h = 1e-3, mu = 0.5, speed = 6.0;

const int64_t cone_methods[] = {PERP_PGS, PERP_APGD,   PERP_AAPGS,   PERP_AUTO,
                                PERP_IPM, PERP_NEWTON, PERP_ACCURATE};

// A point of 2 kg on the plane; rows n, t1, t2.
System point() {
    return system({Matrix::diagonal({2, 2, 2}),
                   {},
                   Matrix(1, 3, {0, 0, 1}),
                   Matrix(2, 3, {1, 0, 0, 0, 1, 0}),
                   {},
                   {}});
}

Problem sliding_point(const System& s, int64_t law = PERP_LAW_COULOMB) {
    const Vector f{2 * speed, 0, -2 * g * h}, coefficient{mu};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = coefficient.data();
    Problem problem = cone(s, step);
    EXPECT_EQ(perp_problem_set_law(problem.get(), law), PERP_OK) << perp_last_message();
    return problem;
}

// Sweeps, with which auto begins, solve one contact after the other.
bool by_rounds(int64_t method) {
    return method != PERP_PGS && method != PERP_AAPGS && method != PERP_AUTO;
}

void expect_coulomb(const Problem& problem, int64_t method) {
    EXPECT_EQ(info_of(problem).law, PERP_LAW_COULOMB);
    const Answer a = solve(problem, settings(method, 1e-10));
    ASSERT_EQ(a.info.outcome, PERP_SOLVED) << a.info.eta;
    EXPECT_EQ(a.info.tie_rounds >= 2, by_rounds(method));
    expect_near(a.z, {2 * g * h, -mu * 2 * g * h, 0}, 1e-8);
    const perp_residual_info r = residual_of(problem, a.z);
    EXPECT_EQ(r.eta, a.info.eta);
    EXPECT_EQ(r.eta, r.eta_coulomb);
    EXPECT_NEAR(std::hypot(r.eta_normal, r.eta_friction), r.eta, 1e-12);
}

class CoulombLaw : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(Methods, CoulombLaw, testing::ValuesIn(cone_methods), method_name);

TEST_P(CoulombLaw, WhatSlidesDoesNotOpen) { expect_coulomb(sliding_point(point()), GetParam()); }

TEST_P(CoulombLaw, OfDelassusForms) {
    const Problem assembled = sliding_point(point());
    int64_t count = 0;
    ASSERT_EQ(perp_form_matrix(assembled.get(), &count, nullptr, nullptr, nullptr), PERP_OK);
    std::vector<int64_t> row(count), col(count);
    Vector value(count), q(3), zero(3);
    ASSERT_EQ(perp_form_matrix(assembled.get(), &count, row.data(), col.data(), value.data()),
              PERP_OK);
    ASSERT_EQ(perp_constraint_velocity(assembled.get(), zero.data(), q.data(), nullptr), PERP_OK);
    const perp_triplets W{3, 3, count, row.data(), col.data(), value.data(), 0};
    const Vector coefficient{mu};
    auto def = initialized(perp_delassus_def_init);
    def.W = &W;
    def.q = q.data();
    def.mu = coefficient.data();
    perp_problem* out = nullptr;
    ASSERT_EQ(perp_delassus_create(&def, &out), PERP_OK);
    const Problem problem(out);
    EXPECT_EQ(info_of(problem).law, PERP_LAW_CONE);
    ASSERT_EQ(perp_problem_set_law(problem.get(), PERP_LAW_COULOMB), PERP_OK);
    EXPECT_EQ(info_of(problem).free_velocity_norm, info_of(assembled).free_velocity_norm);
    expect_coulomb(problem, GetParam());
}

// By a solver that follows.
TEST_P(CoulombLaw, ThereAndBack) {
    const Problem problem = sliding_point(point(), PERP_LAW_CONE);
    const perp_settings s = settings(GetParam(), 1e-10);
    const Solver follows = solver(problem, s);
    const Answer relaxed = solve(problem, s);
    Vector z(3);
    for (const int64_t law : {PERP_LAW_COULOMB, PERP_LAW_CONE}) {
        ASSERT_EQ(perp_problem_set_law(problem.get(), law), PERP_OK);
        perp_info info = sized<perp_info>();
        ASSERT_EQ(perp_solve(follows.get(), z.data(), nullptr, &info), PERP_OK);
        EXPECT_EQ(info.outcome, PERP_SOLVED);
        EXPECT_EQ(info.tie_rounds > 0, law == PERP_LAW_COULOMB && by_rounds(GetParam()));
    }
    EXPECT_TRUE(same_bits(z, relaxed.z));
}

TEST(CoulombLawOfProblems, RefusesWhatHasNoCones) {
    const System s = point();
    const Problem problem = sliding_point(s);
    EXPECT_FAILS(PERP_BAD_VALUE, "law = 4", perp_problem_set_law(problem.get(), 4));
    EXPECT_FAILS(PERP_BAD_VALUE, "law = 0", perp_problem_set_law(problem.get(), PERP_LAW_AUTO));
    EXPECT_FAILS(PERP_UNSUPPORTED, "law", perp_problem_set_law(problem.get(), PERP_LAW_BOX));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "problem", perp_problem_set_law(nullptr, PERP_LAW_CONE));
    EXPECT_EQ(info_of(problem).law, PERP_LAW_COULOMB);
    EXPECT_EQ(perp_solver_supports(problem.get(), PERP_PIVOTING), PERP_UNSUPPORTED);
    const Problem general = blcp(Matrix::diagonal({1}), {1});
    EXPECT_FAILS(PERP_UNSUPPORTED, "law", perp_problem_set_law(general.get(), PERP_LAW_COULOMB));
    const Vector f{0, 0, -1}, coefficient{mu};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = coefficient.data();
    const Problem bounds = box(s, step);
    EXPECT_FAILS(PERP_UNSUPPORTED, "law", perp_problem_set_law(bounds.get(), PERP_LAW_COULOMB));
    perp_problem* out = nullptr;
    EXPECT_FAILS(PERP_BAD_VALUE, "law = 4", perp_problem_read("absent.h5", 4, &out));
}

}  // namespace
