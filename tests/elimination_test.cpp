// Bilateral rows solved exactly: the same answers in fewer iterations, and honest about it.
#include "lattice.hpp"

namespace perp::test {
namespace {

class Eliminating : public testing::TestWithParam<Method> {
protected:
    static Settings settings(bool eliminate, double tolerance = 1e-9) {
        Settings s = accurate(GetParam(), tolerance);
        s.eliminate_bilateral = eliminate;
        return s;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, Eliminating, testing::ValuesIn(iterating),
                         [](const auto& x) { return name(x.param); });

TEST_P(Eliminating, ChangesTheWayNotTheAnswer) {
    for (const Law law : {Law::cone, Law::box}) {
        for (const double compliance : {0.0, 0.2}) {
            for (const std::uint64_t seed : {1, 2, 3}) {
                const auto problem = shared(problem_of(random_step({.blocks = {6, 6, 3, 3},
                                                                    .bilateral = 4,
                                                                    .contacts = 4,
                                                                    .boxes = 2,
                                                                    .compliance = compliance,
                                                                    .law = law,
                                                                    .seed = seed})));
                const Answer with = run(problem, settings(true));
                const Answer without = run(problem, settings(false));
                EXPECT_EQ(with.info.outcome, Outcome::solved);
                EXPECT_EQ(without.info.outcome, Outcome::solved);
                EXPECT_EQ(with.info.eliminated, 4);
                EXPECT_EQ(without.info.eliminated, 0);
                EXPECT_LE(distance(with.u, without.u), 1e-6);
                EXPECT_LE(distance(with.v, without.v), 1e-6);
            }
        }
    }
}

TEST_P(Eliminating, RedundantRowsThatAgree) {
    for (const bool redundant : {false, true}) {
        const Shared problem =
            lattice({.width = 3, .height = 6, .joints = 5, .redundant = redundant});
        const Answer a = run(problem, settings(true, 1e-6));
        EXPECT_EQ(a.info.outcome, Outcome::solved) << a.info.eta;
        EXPECT_EQ(a.info.eliminated, redundant ? 10 : 5);
        ResidualWorkspace work = make_residual_workspace(*problem);
        EXPECT_LE(residual(*problem, a.z, work).bilateral_velocity, 1e-9);
    }
}

TEST_P(Eliminating, WarmStartsContinue) {
    const Shared problem = lattice({.width = 3, .height = 5, .joints = 4});
    const Answer cold = run(problem, settings(true, 1e-7));
    Settings warm = settings(true, 1e-7);
    warm.warm_start = true;
    EXPECT_EQ(run(problem, warm, cold.z).info.iterations, 0);
    Vector near = cold.z;
    for (double& z : near) z *= 1.0 + 1e-6;
    const Answer again = run(problem, warm, near);
    EXPECT_EQ(again.info.outcome, Outcome::solved);
    EXPECT_LE(again.info.iterations, cold.info.iterations);
}

TEST_P(Eliminating, ContradictoryRowsAreStillProved) {
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(1, 1, {1});
    s.A = Dense(2, 1, {1, 1});
    s.rows.f = {0};
    s.rows.u = {1, 2};
    const Answer a = run(shared(problem_of(s)), settings(true));
    EXPECT_EQ(a.info.outcome, Outcome::no_solution);
}

// Only bilateral rows: one step is the answer.
TEST_P(Eliminating, MechanismsWithoutContacts) {
    const auto problem = shared(
        problem_of(random_step({.blocks = {6, 6, 6}, .bilateral = 5, .contacts = 0, .boxes = 0})));
    const Answer a = run(problem, settings(true));
    EXPECT_EQ(a.info.outcome, Outcome::solved);
    EXPECT_LE(a.info.iterations, 10);
}

// Halves of a mass matrix that is not symmetric differ: rows are iterated on, and info says so.
TEST_P(Eliminating, MassesThatAreNotSymmetricAreIterated) {
    Step s = random_step({.blocks = {3, 3}, .bilateral = 2});
    s.M(0, 1) += 1e-8;
    const Entries M(s.M), A(s.A), N(s.N), D(s.D), B(s.B);
    SystemTriplets t;
    t.M = M.view();
    t.A = A.view();
    t.N = N.view();
    t.D = D.view();
    t.B = B.view();
    t.symmetry_tolerance = 1e-6;
    const Answer a =
        run(shared(Problem::assemble(std::make_shared<const System>(t), s.rows, Law::cone)),
            settings(true, 1e-7));
    EXPECT_EQ(a.info.eliminated, 0);
    EXPECT_EQ(a.info.outcome, Outcome::solved);
}

TEST(Elimination, TakesFewerIterationsOnJointedColumns) {
    const Shared problem = lattice({.width = 2, .height = 40, .joints = 39});
    Settings s = with_method(Method::apgd, 1e-4);
    s.eliminate_bilateral = false;
    const Answer without = run(problem, s);
    s.eliminate_bilateral = true;
    const Answer with = run(problem, s);
    ASSERT_EQ(with.info.outcome, Outcome::solved);
    EXPECT_LT(with.info.iterations, without.info.iterations);
}

}  // namespace
}  // namespace perp::test
