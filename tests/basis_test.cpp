// The contract of every basis: random exchanges against fresh factors, what is refused. Another
// implementation is another line at INSTANTIATE_TEST_SUITE_P.
#include "basis_support.hpp"
#include "solvers/ldl_basis.hpp"
#include "solvers/lu_basis.hpp"

namespace perp::test {
namespace {

class BasisContract : public testing::TestWithParam<BasisKind> {};

TEST_P(BasisContract, ThousandExchangesEqualFreshFactors) {
    for (const Named& system : systems(GetParam().general)) {
        SCOPED_TRACE(system.name);
        const MixedForm form(*system.problem);
        Bases pair(GetParam(), form, 11);
        EXPECT_FALSE(pair.basis->factorized());
        ASSERT_TRUE(pair.basis->factor(pair.equations.basic, pair.delta));
        EXPECT_EQ(pair.basis->statistics().factorizations, 1);
        std::int64_t exchanged = 0;
        for (int k = 0; k < 1000; ++k) {
            const std::int64_t count = k % 100 == 99 ? form.p / 2
                                       : k % 10 == 9 ? 2 + k / 10 % 7
                                                     : 1;
            const auto rows = pair.some_rows(count);
            pair.flip(rows);
            ASSERT_TRUE(pair.basis->exchange(rows)) << k;
            exchanged += count;
            if (k % 5 != 4) continue;
            pair.draw();
            pair.solve(*pair.basis);
            pair.expect_small_error();
            if (k % 20 == 19) pair.expect_near_fresh();
            ASSERT_FALSE(HasFailure()) << "after exchange " << k;
        }
        const auto now = pair.basis->basic();
        EXPECT_TRUE(std::equal(now.begin(), now.end(), pair.equations.basic.begin()));
        const BasisStatistics& statistics = pair.basis->statistics();
        EXPECT_GT(statistics.nonzeros, 0);
        EXPECT_LE(statistics.largest_error, 1e-14);
        EXPECT_GT(statistics.updates, 500);
        EXPECT_LE(statistics.updates, exchanged);
        // At most 500 updates without fresh factors.
        EXPECT_GT(statistics.factorizations, statistics.updates / 500);
    }
}

TEST_P(BasisContract, ThereAndBackIsTheSame) {
    for (const Named& system : systems(GetParam().general)) {
        SCOPED_TRACE(system.name);
        const MixedForm form(*system.problem);
        Bases pair(GetParam(), form, 12);
        ASSERT_TRUE(pair.basis->factor(pair.equations.basic, pair.delta));
        pair.draw();
        for (const std::int64_t count : {std::int64_t{1}, std::int64_t{4}, form.p / 2, form.p}) {
            pair.solve(*pair.basis);
            const Vector v = pair.v, z = pair.z;
            const auto rows = pair.some_rows(count);
            ASSERT_TRUE(pair.basis->exchange(rows));
            ASSERT_TRUE(pair.basis->exchange(rows));
            pair.solve(*pair.basis);
            EXPECT_LE(distance(pair.v, v), 1e-10 * largest(v)) << count;
            if (form.n == 0) {
                EXPECT_LE(distance(pair.z, z), 1e-10 * largest(z)) << count;
            }
        }
    }
}

// Also the empty set, and another delta.
TEST_P(BasisContract, FactorizesAnySet) {
    for (const Named& system : systems(GetParam().general)) {
        SCOPED_TRACE(system.name);
        const MixedForm form(*system.problem);
        Bases pair(GetParam(), form, 13);
        for (const bool all : {false, true})
            for (const double factor : {1.0, 0.1}) {
                pair.equations.basic.assign(form.p, all ? 1 : 0);
                for (double& x : pair.delta) x *= factor;
                ASSERT_TRUE(pair.basis->factor(pair.equations.basic, pair.delta));
                EXPECT_TRUE(pair.basis->factorized());
                const auto delta = pair.basis->delta();
                EXPECT_TRUE(std::equal(delta.begin(), delta.end(), pair.delta.begin()));
                pair.draw();
                pair.solve(*pair.basis);
                pair.expect_small_error();
            }
        pair.basis->start_statistics();
        EXPECT_EQ(pair.basis->statistics().factorizations, 0);
        EXPECT_GT(pair.basis->statistics().nonzeros, 0);
    }
}

// An empty f is zero.
TEST_P(BasisContract, TakesNoVelocityRightSide) {
    const Shared problem = bodies();
    const MixedForm form(*problem);
    Bases pair(GetParam(), form, 14);
    ASSERT_TRUE(pair.basis->factor(pair.equations.basic, pair.delta));
    pair.draw();
    pair.f.assign(form.n, 0.0);
    pair.solve(*pair.basis);
    const Vector v = pair.v, z = pair.z;
    pair.f.clear();
    pair.solve(*pair.basis);
    EXPECT_TRUE(same_bits(pair.v, v));
    EXPECT_TRUE(same_bits(pair.z, z));
}

TEST_P(BasisContract, ColumnsAreThoseOfTheDenseInverse) {
    for (const Named& system : systems(GetParam().general)) {
        SCOPED_TRACE(system.name);
        const MixedForm form(*system.problem);
        Bases pair(GetParam(), form, 15);
        pair.delta.assign(form.p, 1e-2);  // z well determined
        ASSERT_TRUE(pair.basis->factor(pair.equations.basic, pair.delta));
        const Dense Minv = form.n > 0 ? inverse(dense(form.M)) : Dense(0, 0);
        Dense S = dense(form.C);
        if (form.n > 0) {
            const Dense product = dense(form.J) * Minv * dense(form.Jt);
            for (std::size_t k = 0; k < S.a.size(); ++k) S.a[k] += product.a[k];
        }
        std::vector<std::int64_t> F;
        for (std::int64_t i = 0; i < form.p; ++i)
            if (pair.equations.basic[i] != 0) F.push_back(i);
        const auto size = static_cast<std::int64_t>(F.size());
        Dense inside(size, size);
        for (std::int64_t i = 0; i < size; ++i)
            for (std::int64_t j = 0; j < size; ++j)
                inside(i, j) = S(F[i], F[j]) + (i == j ? pair.delta[F[i]] : 0.0);
        const Dense X = inverse(inside);
        for (std::int64_t i = 0; i < form.p; ++i) {
            if (pair.equations.basic[i] != 0) continue;
            Vector column(size), v(form.n), z(form.p), expected(form.p, 0.0);
            for (std::int64_t k = 0; k < size; ++k) column[k] = S(F[k], i);
            column = X * column;
            for (std::int64_t k = 0; k < size; ++k) expected[F[k]] = column[k];
            pair.basis->solve_column(i, v, z);
            EXPECT_LE(distance(z, expected), 1e-10 * (1.0 + largest(expected))) << i;
            if (form.n == 0) continue;
            // The velocity that z_F and the row's -1 cause.
            Vector impulse(form.n, 0.0);
            expected[i] = -1.0;
            multiply_add(form.Jt, expected, impulse);
            EXPECT_LE(distance(v, Minv * impulse), 1e-10 * (1.0 + largest(v))) << i;
        }
    }
}

// A singular set is refused, whether factorized or reached by exchange, and the way back is open.
TEST_P(BasisContract, RefusesSingularSets) {
    // Rows 0 and 1 depend on each other; the others make factors dearer than an update.
    const std::int64_t p = 20;
    Dense H(p, p);
    for (std::int64_t i = 2; i < p; ++i)
        for (std::int64_t j = 2; j < p; ++j) H(i, j) = i == j ? 40.0 : 1.0;
    H(0, 0) = H(0, 1) = H(1, 0) = H(1, 1) = 1.0;
    const Shared problem = blcp(H, Vector(p, 1.0), Vector(p, 0.0), Vector(p, infinity));
    const MixedForm form(*problem);
    const Vector delta(p, 0.0);
    Equations equations{form, delta, Set(p, 1)};
    const auto basis = GetParam().make(form);
    EXPECT_FALSE(basis->factor(equations.basic, delta));
    EXPECT_FALSE(basis->factorized());
    Random random(18);
    const auto expect_right = [&] {
        EXPECT_TRUE(basis->factorized());
        Vector f, g, v, z(p);
        equations.fill({}, random.vector(p), f, g);
        basis->solve(f, g, v, z);
        EXPECT_LE(equations.backward_error(f, g, v, z), 1e-14);
    };
    const auto exchange = [&](std::int32_t row) {
        equations.basic[row] ^= 1U;
        return basis->exchange({&row, 1});
    };
    equations.basic[1] = 0;
    ASSERT_TRUE(basis->factor(equations.basic, delta));
    expect_right();
    EXPECT_FALSE(exchange(1));
    EXPECT_FALSE(basis->factorized());
    ASSERT_TRUE(exchange(1));
    expect_right();
    // Past it, and back by factoring.
    EXPECT_FALSE(exchange(1));
    EXPECT_FALSE(exchange(2));
    ASSERT_TRUE(exchange(0));
    expect_right();
    EXPECT_FALSE(exchange(0));
    equations.basic[1] = 0;
    ASSERT_TRUE(basis->factor(equations.basic, delta));
    expect_right();
}

TEST_P(BasisContract, TakesAnEmptyProblem) {
    const Shared problem = blcp(Dense(0, 0), {});
    const MixedForm form(*problem);
    const auto basis = GetParam().make(form);
    EXPECT_TRUE(basis->factor(Set{}, Vector{}));
    Vector v, z;
    basis->solve({}, Vector{}, v, z);
    EXPECT_TRUE(basis->exchange({}));
}

INSTANTIATE_TEST_SUITE_P(All, BasisContract,
                         testing::Values(BasisKind{"Ldl", make<LdlBasis>},
                                         BasisKind{"Lu", make<LuBasis>, true}),
                         [](const auto& kind) { return kind.param.name; });

// ------------------------------------------------------------------ what they differ in

// Only L D L' tells the inertia: indefinite sets are refused by it, and solved by LU.
TEST(BasisKinds, OnlyLdlRefusesTheWrongInertia) {
    const Shared problem =
        blcp(Dense(2, 2, {1, 2, 2, 1}), {1, 2}, Vector(2, 0.0), Vector(2, infinity));
    const MixedForm form(*problem);
    const Vector none(2, 0.0), large(2, 1.5);
    LdlBasis ldl(form);
    LuBasis lu(form);
    EXPECT_FALSE(ldl.factor(Set{1, 1}, none));
    EXPECT_TRUE(lu.factor(Set{1, 1}, none));
    EXPECT_TRUE(ldl.factor(Set{1, 0}, none));
    const std::int32_t second[] = {1};
    EXPECT_FALSE(ldl.exchange(second));
    EXPECT_TRUE(ldl.factor(Set{1, 1}, large));  // delta makes it definite
    Vector v, z(2);
    lu.solve({}, Vector{3.0, 3.0}, v, z);
    EXPECT_LE(distance(z, {1, 1}), 1e-15);
}

// With bodies, too: a negative compliance cannot be given, but a matrix with a negative diagonal.
TEST(BasisKinds, LdlRefusesNegativeDiagonals) {
    const Shared problem = blcp(Dense(2, 2, {1, 0, 0, -1}), {1, 2}, Vector(2, 0.0), Vector(2, 1.0));
    const MixedForm form(*problem);
    LdlBasis ldl(form);
    EXPECT_FALSE(ldl.factor(Set{0, 1}, Vector(2, 0.0)));
    EXPECT_TRUE(ldl.factor(Set{1, 0}, Vector(2, 0.0)));
}

// The shift is in the factors only: refinement takes it out.
TEST(BasisKinds, ShiftedFactorsSolveTheUnshiftedEquations) {
    const Shared problem = bodies();
    const MixedForm form(*problem);
    const Vector delta(form.p, 1e-2);
    const Equations equations{form, delta, Set(form.p, 1)};
    LdlBasis ldl(form);
    ASSERT_TRUE(ldl.factor_shifted(equations.basic, delta, 1e-10));
    Random random(16);
    Vector f, g, v(form.n), z(form.p);
    equations.fill(random.vector(form.n), random.vector(form.p), f, g);
    ldl.solve(f, g, v, z);
    EXPECT_LE(equations.backward_error(f, g, v, z), 1e-14);
}

// Entries that are zero now and then stay in the pattern once they were not; those that the system
// does not have, or that never were, do not.
TEST(MixedForms, RenewedOnesKeepTheirZeros) {
    StepOptions options;
    options.redundant = false;
    const Step step = random_step(options);
    const Entries M(step.M), A(step.A), D(step.D), B(step.B);
    Entries N(step.N);
    const auto problem = [&] {
        SystemTriplets t;
        t.M = M.view();
        t.A = A.view();
        t.N = N.view();
        t.D = D.view();
        t.B = B.view();
        return Problem::assemble(std::make_shared<System>(t), step.rows, step.law);
    };
    const Problem before = problem();
    const MixedForm full(before, cone_scale(before));
    for (int k = 0; k < 3; ++k) N.value[7 + 2 * k] = 0.0;
    const Problem after = problem();
    const MixedForm fresh(after, cone_scale(after)), renewed = full.renewed(after);
    EXPECT_EQ(fresh.J.nonzeros(), full.J.nonzeros() - 3);
    EXPECT_EQ(renewed.J.index, full.J.index);
    EXPECT_EQ(renewed.J.start, full.J.start);
    EXPECT_EQ(renewed.M.index, full.M.index);
    for (std::int64_t i = 0; i < fresh.p; ++i)
        for (std::int64_t j = 0; j < fresh.n; ++j) EXPECT_EQ(renewed.J.at(i, j), fresh.J.at(i, j));
    EXPECT_EQ(fresh.renewed(after).J.index, fresh.J.index);
    EXPECT_EQ(fresh.renewed(before).J.index, full.J.index);
}

// Values change in place, another pattern is analyzed anew.
TEST(BasisKinds, LdlRenewsItself) {
    Random random(17);
    const auto with = [&](double off, double far) {
        Dense H(4, 4);
        for (int i = 0; i < 4; ++i) H(i, i) = 4.0;
        H(0, 1) = H(1, 0) = off;
        H(0, 3) = H(3, 0) = far;
        return blcp(H, Vector(4, 1.0), Vector(4, 0.0), Vector(4, infinity));
    };
    const MixedForm first(*with(1.0, 0.0)), same(*with(-2.0, 0.0)), other(*with(1.0, 1.5));
    LdlBasis basis(first);
    const Vector delta(4, 1e-3);
    for (const MixedForm* form : {&first, &same, &other, &first}) {
        basis.renew(*form);
        EXPECT_FALSE(basis.factorized());
        const Equations equations{*form, delta, {1, 1, 0, 1}};
        ASSERT_TRUE(basis.factor(equations.basic, delta));
        Vector f, g, v, z(4);
        equations.fill({}, random.vector(4), f, g);
        basis.solve(f, g, v, z);
        EXPECT_LE(equations.backward_error(f, g, v, z), 1e-15);
    }
}

}  // namespace
}  // namespace perp::test
