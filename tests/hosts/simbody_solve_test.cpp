// perp in Simbody: calls of its impulse solver with known answers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "hosts/simbody.hpp"
#include "simbody_scene.hpp"

namespace perp::test {
namespace {

using SimTK::MultiplierIndex;
using Mults = SimTK::Array_<MultiplierIndex>;

constexpr double slow = 1e-3;

Mults mults(std::initializer_list<int> rows) {
    Mults m;
    for (const int row : rows) m.push_back(MultiplierIndex(row));
    return m;
}

// One call of solve(), and its check against the law.
struct Call {
    explicit Call(int m) : A(m, m, 0.0), D(m, 0.0), expand(m, 0.0), verr(m, 0.0) {
        for (int i = 0; i < m; ++i) {
            A(i, i) = 1.0;
            participating.push_back(MultiplierIndex(i));
        }
    }
    void unconditional(std::initializer_list<int> rows) {
        uncond.push_back();
        uncond.back().m_mults = mults(rows);
    }
    ImpulseSolver::UniContactRT& contact(int normal, std::initializer_list<int> friction = {},
                                         double mu = SimTK::NaN) {
        contacts.push_back();
        ImpulseSolver::UniContactRT& rt = contacts.back();
        rt.m_Nk = MultiplierIndex(normal);
        rt.m_Fk = mults(friction);
        rt.m_effMu = mu;
        rt.m_type = ImpulseSolver::Participating;
        return rt;
    }
    void bound(int row, double lb, double ub) {
        bounded.push_back(ImpulseSolver::BoundedRT(MultiplierIndex(row), lb, ub));
    }
    bool run(const ImpulseSolver& solver) {
        return solver.solve(0, participating, A, D, expanding, expand, verr, applied, pi, uncond,
                            contacts, speeds, bounded, by_constraint, by_state);
    }

    SimTK::Matrix A;
    SimTK::Vector D, expand, verr, applied, pi;
    Mults participating, expanding;
    SimTK::Array_<ImpulseSolver::UncondRT> uncond;
    SimTK::Array_<ImpulseSolver::UniContactRT> contacts;
    SimTK::Array_<ImpulseSolver::UniSpeedRT> speeds;
    SimTK::Array_<ImpulseSolver::BoundedRT> bounded;
    SimTK::Array_<ImpulseSolver::ConstraintLtdFrictionRT> by_constraint;
    SimTK::Array_<ImpulseSolver::StateLtdFrictionRT> by_state;
};

class Simbody : public testing::Test {
protected:
    hosts::SimbodyImpulseSolver solver{slow};
};

TEST_F(Simbody, UnconditionalRowsWithADiagonal) {
    Call c(2);
    c.A(0, 0) = 2.0, c.A(0, 1) = c.A(1, 0) = 1.0, c.A(1, 1) = 2.5;
    c.D[1] = 0.5;
    c.verr[0] = 1.0;
    c.applied = SimTK::Vector(2, 2.0);
    c.unconditional({0, 1});
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[0], 7.0 / 5.0, 1e-7);  // [2 1; 1 3] pi = (3, 2)
    EXPECT_NEAR(c.pi[1], 1.0 / 5.0, 1e-7);
    EXPECT_NEAR(c.verr.normInf(), 0.0, 1e-7);
    EXPECT_EQ(c.uncond[0].m_impulse[0], c.pi[0]);
}

TEST_F(Simbody, ContactsPushInBothSignConventions) {
    for (const double sign : {1.0, -1.0}) {
        Call c(2);
        c.A(0, 0) = 4.0;
        c.verr[0] = -2.0 * sign;  // approaches
        c.verr[1] = 3.0 * sign;   // separates
        for (const int row : {0, 1}) c.contact(row).m_sign = sign;
        ASSERT_TRUE(c.run(solver)) << solver.failure();
        EXPECT_NEAR(c.pi[0], -0.5 * sign, 1e-7);
        EXPECT_EQ(c.pi[1], 0.0);
        EXPECT_NEAR(c.verr[0], 0.0, 1e-7);
        EXPECT_EQ(c.verr[1], 3.0 * sign);
        EXPECT_EQ(c.contacts[0].m_contactCond, ImpulseSolver::UniActive);
        EXPECT_EQ(c.contacts[1].m_contactCond, ImpulseSolver::UniOff);
        EXPECT_EQ(c.contacts[1].m_frictionCond, ImpulseSolver::FricOff);
    }
}

// The limit is a disc: the same in any direction, and in both conventions of the normal.
TEST_F(Simbody, FrictionSlidesAtItsLimitAndRollsWithin) {
    for (const double sign : {1.0, -1.0}) {
        Call c(3);
        c.verr[0] = 3.0, c.verr[1] = 4.0, c.verr[2] = -2.0 * sign;
        c.contact(2, {0, 1}, 0.5).m_sign = sign;
        ASSERT_TRUE(c.run(solver)) << solver.failure();
        EXPECT_NEAR(c.pi[0], 0.6, 1e-6);
        EXPECT_NEAR(c.pi[1], 0.8, 1e-6);
        EXPECT_NEAR(c.pi[2], -2.0 * sign, 1e-6);
        EXPECT_EQ(c.contacts[0].m_frictionCond, ImpulseSolver::Sliding);
        EXPECT_EQ(c.contacts[0].m_slipMag, 5.0);
        EXPECT_NEAR(c.contacts[0].m_impulse[1], 0.8, 1e-6);
    }
    Call impending(3);
    impending.applied = SimTK::Vector(Vec3(3.0, 4.0, -2.0));
    impending.contact(2, {0, 1}, 0.5);
    ASSERT_TRUE(impending.run(solver)) << solver.failure();
    EXPECT_NEAR(impending.pi[0], 0.6, 1e-6);
    EXPECT_EQ(impending.contacts[0].m_frictionCond, ImpulseSolver::Impending);

    Call rolling(3);
    rolling.verr = SimTK::Vector(Vec3(0.3, 0.4, -2.0));
    rolling.contact(2, {0, 1}, 0.5);
    ASSERT_TRUE(rolling.run(solver)) << solver.failure();
    EXPECT_NEAR(rolling.pi[0], 0.3, 1e-6);
    EXPECT_NEAR(rolling.verr.normInf(), 0.0, 1e-6);
    EXPECT_EQ(rolling.contacts[0].m_frictionCond, ImpulseSolver::Rolling);
}

// Friction that lifts: its limit is that of the normal impulse which it changes itself.
TEST_F(Simbody, LimitsFollowTheNormalImpulse) {
    Call c(3);
    c.A(0, 2) = c.A(2, 0) = 0.3;
    c.verr = SimTK::Vector(Vec3(5.0, 0.0, -1.0));
    c.contact(2, {0, 1}, 0.5);
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[2], -1.0 / 0.85, 1e-6);
    EXPECT_NEAR(c.pi[0], 0.5 / 0.85, 1e-6);
}

TEST_F(Simbody, FrictionlessContactsSlide) {
    Call c(3);
    c.verr = SimTK::Vector(Vec3(5.0, 0.0, -1.0));
    c.contact(2, {0, 1}, 0.0);
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[2], -1.0, 1e-7);
    EXPECT_EQ(c.pi[0], 0.0);
    EXPECT_EQ(c.contacts[0].m_frictionCond, ImpulseSolver::Sliding);
}

TEST_F(Simbody, BoundedRowsStayInTheirBounds) {
    Call c(3);
    c.verr = SimTK::Vector(Vec3(5.0, -5.0, 1.0));
    for (const int row : {0, 1, 2}) c.bound(row, -1.0, 2.0);
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[0], 2.0, 1e-7);
    EXPECT_NEAR(c.pi[1], -1.0, 1e-7);
    EXPECT_NEAR(c.pi[2], 1.0, 1e-7);
    EXPECT_NEAR(c.verr[0], 3.0, 1e-7);
    EXPECT_EQ(c.bounded[0].m_boundedCond, ImpulseSolver::SlipHigh);
    EXPECT_EQ(c.bounded[1].m_boundedCond, ImpulseSolver::SlipLow);
    EXPECT_EQ(c.bounded[2].m_boundedCond, ImpulseSolver::Engaged);
    EXPECT_EQ(c.bounded[0].m_impulse, c.pi[0]);
}

TEST_F(Simbody, RatchetsHoldOneWay) {
    for (const int sign : {1, -1}) {
        Call c(2);
        c.verr[0] = 3.0 * sign, c.verr[1] = -3.0 * sign;
        for (const int row : {0, 1})
            c.speeds.push_back(ImpulseSolver::UniSpeedRT(MultiplierIndex(row), sign));
        ASSERT_TRUE(c.run(solver)) << solver.failure();
        EXPECT_NEAR(c.pi[0], 3.0 * sign, 1e-7);
        EXPECT_EQ(c.pi[1], 0.0);
        EXPECT_EQ(c.speeds[0].m_speedCond, ImpulseSolver::UniActive);
        EXPECT_EQ(c.speeds[1].m_speedCond, ImpulseSolver::UniOff);
    }
}

// Expansion: the normal impulse is known, its friction is not.
TEST_F(Simbody, KnownContactsHaveTheFrictionOfTheirExpansion) {
    Call c(3);
    c.A(1, 2) = c.A(2, 1) = 0.25;
    c.D[2] = 0.5;
    c.participating = mults({0, 1});
    c.expanding = mults({2});
    c.expand[2] = -2.0;
    c.verr = SimTK::Vector(Vec3(3.0, 3.5, 0.0));
    c.contact(2, {0, 1}, 0.5).m_type = ImpulseSolver::Known;
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[0], 0.6, 1e-6);  // against (3, 4): 3.5 less 0.25 times -2
    EXPECT_NEAR(c.pi[1], 0.8, 1e-6);
    EXPECT_EQ(c.pi[2], 0.0);
    EXPECT_EQ(c.expand[2], -2.0);
    EXPECT_NEAR(c.verr[1], 4.0 - 0.8, 1e-6);
    EXPECT_NEAR(c.verr[2], 3.0 - 0.25 * 0.8, 1e-6);
    EXPECT_EQ(c.contacts[0].m_contactCond, ImpulseSolver::UniKnown);
    EXPECT_EQ(c.contacts[0].m_frictionCond, ImpulseSolver::Sliding);
}

TEST_F(Simbody, ContactsThatExpandAndParticipateHaveTheFrictionOfBoth) {
    Call c(3);
    c.expanding = mults({2});
    c.expand[2] = -1.0;
    c.verr = SimTK::Vector(Vec3(3.0, 4.0, -2.0));  // one is left when the expansion is in
    c.contact(2, {0, 1}, 0.5);
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[2], -1.0, 1e-6);
    EXPECT_NEAR(c.pi[0], 0.6, 1e-6);
    EXPECT_NEAR(c.pi[1], 0.8, 1e-6);
}

TEST_F(Simbody, ObserversHaveNoImpulse) {
    Call c(2);
    c.verr[0] = c.verr[1] = -1.0;
    c.participating = mults({0});
    c.contact(0);
    c.contact(1).m_type = ImpulseSolver::Observing;
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[0], -1.0, 1e-7);
    EXPECT_EQ(c.pi[1], 0.0);
    EXPECT_EQ(c.contacts[1].m_contactCond, ImpulseSolver::UniOff);
}

TEST_F(Simbody, StateLimitedFriction) {
    Call c(3);
    c.verr = SimTK::Vector(Vec3(3.0, 4.0, -7.0));
    c.by_state.push_back(ImpulseSolver::StateLtdFrictionRT(mults({0, 1}), 2.0, 0.5));
    c.by_state.push_back(ImpulseSolver::StateLtdFrictionRT(mults({2}), 4.0, 0.5));
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[0], 0.6, 1e-6);
    EXPECT_NEAR(c.pi[1], 0.8, 1e-6);
    EXPECT_NEAR(c.pi[2], -2.0, 1e-6);
    EXPECT_EQ(c.by_state[0].m_frictionCond, ImpulseSolver::Sliding);
    EXPECT_EQ(c.by_state[1].m_Fimpulse[0], c.pi[2]);
}

// A bead on a wire: N + 0.2 F = -4 and F = 0.3 |N|.
TEST_F(Simbody, ConstraintLimitedFrictionFollowsItsConstraint) {
    Call c(2);
    c.A(0, 1) = c.A(1, 0) = 0.2;
    c.verr[0] = -4.0, c.verr[1] = 10.0;
    c.unconditional({0});
    c.by_constraint.push_back(ImpulseSolver::ConstraintLtdFrictionRT(mults({1}), mults({0}), 0.3));
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_NEAR(c.pi[1], 1.2 / 0.94, 1e-5);
    EXPECT_NEAR(c.pi[0], -4.0 - 0.2 * c.pi[1], 1e-5);
    EXPECT_GT(solver.rounds(), 2);
    EXPECT_EQ(c.by_constraint[0].m_frictionCond, ImpulseSolver::Sliding);

    Call ring(4);  // two components of each, at right angles
    ring.verr[0] = 3.0, ring.verr[1] = -4.0, ring.verr[2] = 6.0, ring.verr[3] = 8.0;
    ring.unconditional({0, 1});
    ring.by_constraint.push_back(
        ImpulseSolver::ConstraintLtdFrictionRT(mults({2, 3}), mults({0, 1}), 0.4));
    ASSERT_TRUE(ring.run(solver)) << solver.failure();
    EXPECT_NEAR(ring.pi[2], 1.2, 1e-5);
    EXPECT_NEAR(ring.pi[3], 1.6, 1e-5);
}

// The other way round friction takes load off its constraint, and radii swing: simple rounds take
// hundreds of solves, or never end.
TEST_F(Simbody, ConstraintLimitedFrictionThatSwings) {
    for (const double mu : {0.5, 1.05, 40.0}) {
        Call c(2);
        c.A(0, 1) = c.A(1, 0) = -0.9;
        c.verr[0] = -4.0, c.verr[1] = 4.436;
        c.unconditional({0});
        c.by_constraint.push_back(
            ImpulseSolver::ConstraintLtdFrictionRT(mults({1}), mults({0}), mu));
        ASSERT_TRUE(c.run(solver)) << mu << solver.failure();
        EXPECT_NEAR(c.pi[1], mu * 4.0 / (1.0 + 0.9 * mu), 1e-4) << mu;
        EXPECT_NEAR(c.pi[0], -4.0 + 0.9 * c.pi[1], 1e-5) << mu;
        EXPECT_LT(solver.rounds(), 40) << mu;
    }
}

TEST_F(Simbody, NothingToDo) {
    Call c(2);
    c.participating.clear();
    c.expanding = mults({1});
    c.expand[1] = -1.0;
    ASSERT_TRUE(c.run(solver)) << solver.failure();
    EXPECT_EQ(c.pi.normInf(), 0.0);
    EXPECT_EQ(c.verr[1], 1.0);
    Call empty(0);
    ASSERT_TRUE(empty.run(solver)) << solver.failure();
}

TEST_F(Simbody, RefusesWithAReasonAndWithoutImpulses) {
    using Spoil = std::function<void(Call&)>;
    const std::pair<const char*, Spoil> cases[] = {
        {"diagonal", [](Call& c) { c.A(0, 0) = SimTK::NaN; }},
        {"diagonal", [](Call& c) { c.A(0, 0) = -1.0; }},
        {"not finite", [](Call& c) { c.A(0, 1) = SimTK::Infinity; }},
        {"semidefinite", [](Call& c) { c.A(0, 1) = c.A(1, 0) = 2.0; }},
        {"D has", [](Call& c) { c.D[1] = -1.0; }},
        {"verr", [](Call& c) { c.verr[0] = SimTK::NaN; }},
        {"sizes", [](Call& c) { c.verr.resize(2); }},
        {"another size", [](Call& c) { c.applied.resize(1); }},
        {"multiplier 3 participates, but", [](Call& c) { c.uncond.clear(); }},
        {"twice", [](Call& c) { c.participating.push_back(MultiplierIndex(0)); }},
        {"out of range", [](Call& c) { c.participating.push_back(MultiplierIndex(9)); }},
        {"does not participate", [](Call& c) { c.participating.pop_back(); }},
        {"in two constraints", [](Call& c) { c.bound(3, 0.0, 1.0); }},
        {"coefficient", [](Call& c) { c.contacts[0].m_effMu = SimTK::NaN; }},
        {"sign", [](Call& c) { c.contacts[0].m_sign = 0.5; }},
        {"no type", [](Call& c) { c.contacts[0].m_type = ImpulseSolver::TypeNA; }},
        {"pulls", [](Call& c) { c.expand[2] = 1.0; }},
        {"0 nor 2",
         [](Call& c) {
             c.contacts[0].m_Fk.pop_back();
             c.bound(1, 0.0, 1.0);
         }},
        {"3 components",
         [](Call& c) {
             c.contacts.clear();
             c.by_state.push_back(ImpulseSolver::StateLtdFrictionRT(mults({0, 1, 2}), 1.0, 0.5));
         }},
        // Two unconditional rows for one motion ask for different velocities.
        {"no solution",
         [](Call& c) {
             c.contacts.clear();
             c.unconditional({0, 1});
             c.contact(2);
             c.A(0, 1) = c.A(1, 0) = 1.0;
         }},
    };
    for (const auto& [text, spoil] : cases) {
        Call c(4);
        c.verr[0] = 1.0, c.verr[1] = 2.0, c.verr[2] = -1.0, c.verr[3] = 1.0;
        c.contact(2, {0, 1}, 0.5);
        c.unconditional({3});
        Call good = c;
        spoil(c);
        const std::int64_t before = solver.refusals();
        EXPECT_FALSE(c.run(solver)) << text;
        EXPECT_NE(solver.failure().find(text), std::string::npos) << solver.failure();
        EXPECT_EQ(solver.refusals(), before + 1);
        EXPECT_EQ(c.pi.size(), 4);
        EXPECT_EQ(c.pi.normInf(), 0.0) << text;
        ASSERT_TRUE(good.run(solver)) << solver.failure();
        EXPECT_EQ(solver.failure(), "");
    }
}

TEST_F(Simbody, Bilateral) {
    SimTK::Matrix A(3, 3, 1.0);
    A(2, 2) = 5.0;
    SimTK::Vector D(3, 0.0), rhs(3, 2.0), pi;
    ASSERT_TRUE(solver.solveBilateral(mults({0, 1}), A, D, rhs, pi)) << solver.failure();
    for (const int row : {0, 1}) EXPECT_NEAR(pi[row], 1.0, 1e-7);  // of all with sum 2, the least
    EXPECT_EQ(pi[2], 0.0);
    rhs[0] = 1.0, rhs[1] = 3.0;  // contradict each other: least squares
    ASSERT_TRUE(solver.solveBilateral(mults({0, 1}), A, D, rhs, pi)) << solver.failure();
    for (const int row : {0, 1}) EXPECT_NEAR(pi[row], 1.0, 1e-7);
    D[0] = D[1] = 1.0;  // [2 1; 1 2] pi = (1, 3)
    ASSERT_TRUE(solver.solveBilateral(mults({1, 0}), A, D, rhs, pi)) << solver.failure();
    EXPECT_NEAR(pi[0], -1.0 / 3.0, 1e-7);
    EXPECT_NEAR(pi[1], 5.0 / 3.0, 1e-7);
    ASSERT_TRUE(solver.solveBilateral(Mults(), A, SimTK::Vector(), rhs, pi));
    EXPECT_EQ(pi.normInf(), 0.0);
    rhs[1] = SimTK::NaN;
    EXPECT_FALSE(solver.solveBilateral(mults({0, 1}), A, D, rhs, pi));
    EXPECT_EQ(pi.normInf(), 0.0);
    EXPECT_NE(solver.failure(), "");
}

// All kinds of rows at once, redundant ones among them: the law, row by row.
TEST_F(Simbody, MixedProblemsObeyTheLaw) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        Call c(14);
        SimTK::Matrix J(14, 9);
        for (int i = 0; i < 14; ++i) {
            for (int j = 0; j < 9; ++j) J(i, j) = normal(random);
            c.verr[i] = normal(random);
        }
        SimTK::Vector v(9);  // velocities that the rows share: contradictions cannot arise
        for (int j = 0; j < 9; ++j) v[j] = normal(random);
        c.A = J * ~J;
        c.verr = J * v;
        c.unconditional({0, 1});
        c.contact(2, {3, 4}, 0.4);
        c.contact(5, {6, 7}, 0.2);
        c.contact(8);
        c.bound(9, -0.1, 0.2);
        c.speeds.push_back(ImpulseSolver::UniSpeedRT(MultiplierIndex(10), 1));
        c.by_state.push_back(ImpulseSolver::StateLtdFrictionRT(mults({11, 12}), 0.5, 0.3));
        c.by_constraint.push_back(
            ImpulseSolver::ConstraintLtdFrictionRT(mults({13}), mults({0, 1}), 0.1));
        const SimTK::Vector start = c.verr;
        ASSERT_TRUE(c.run(solver)) << seed << ": " << solver.failure();
        const SimTK::Vector& p = c.pi;
        EXPECT_LT((start - c.A * p - c.verr).normInf(), 1e-9) << seed;
        constexpr double tol = 1e-5;
        for (const int row : {0, 1}) EXPECT_NEAR(c.verr[row], 0.0, tol) << seed;
        for (const int row : {2, 5, 8}) {
            EXPECT_LE(p[row], 0.0) << seed;
            EXPECT_GE(c.verr[row], -tol) << seed;
            EXPECT_NEAR(p[row] * c.verr[row], 0.0, tol) << seed;
        }
        const auto disc = [&](int x, int y, double limit) {
            const double size = std::hypot(p[x], p[y]), slip = std::hypot(c.verr[x], c.verr[y]);
            EXPECT_LE(size, limit + 1e-12) << seed;
            EXPECT_NEAR(p[x] * c.verr[x] + p[y] * c.verr[y], limit * slip, tol) << seed;
        };
        disc(3, 4, -0.4 * p[2]);
        disc(6, 7, -0.2 * p[5]);
        disc(11, 12, 0.15);
        disc(13, 13, std::sqrt(2.0) * 0.1 * std::hypot(p[0], p[1]) * (1.0 + 1e-5));
        EXPECT_NEAR(p[9], std::min(0.2, std::max(-0.1, p[9] + c.verr[9])), tol) << seed;
        EXPECT_NEAR(p[10], std::max(0.0, p[10] + c.verr[10]), tol) << seed;
    }
}

// PGS scales each component of friction by its own diagonal,
// and friction is then not along the sliding.
TEST_F(Simbody, FrictionIsAgainstTheSlidingWherePgsIsNot) {
    const SimTK::PGSImpulseSolver pgs(slow);
    const auto skew = [](const ImpulseSolver& by) {
        Call c(3);
        c.A(1, 1) = 4.0;
        c.verr = SimTK::Vector(Vec3(6.0, 8.0, -2.0));
        c.contact(2, {0, 1}, 0.5);
        const Quiet quiet;
        EXPECT_TRUE(c.run(by));
        EXPECT_NEAR(std::hypot(c.pi[0], c.pi[1]), 1.0, 1e-5);
        return std::abs(c.pi[0] * c.verr[1] - c.pi[1] * c.verr[0]) /
               std::hypot(c.verr[0], c.verr[1]);
    };
    EXPECT_LT(skew(solver), 1e-6);
    EXPECT_GT(skew(pgs), 0.1) << "then the remark above is wrong";
}

}  // namespace
}  // namespace perp::test
