// newton and accurate: eta as promised, the velocities of other methods, what a guess saves, the
// same bits, units and order, what they must not call solved, limits.
#include <cmath>

#include "problem/mixed_form.hpp"
#include "restated.hpp"
#include "scene_support.hpp"
#include "solver_support.hpp"

namespace perp::test {
namespace {

constexpr Method by_newton[] = {Method::newton, Method::accurate};

Answer solved(const Shared& problem, const Settings& settings, Vector z = {}) {
    Answer a = run(problem, settings, std::move(z));
    EXPECT_EQ(a.info.outcome, Outcome::solved) << name(settings.method) << " eta " << a.info.eta;
    EXPECT_LE(a.info.eta, settings.tolerance);
    EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
    return a;
}

Answer solved(const Shared& problem, Method method, double tolerance = 1e-10) {
    return solved(problem, with_method(method, tolerance));
}

Settings guessing(Method method, double tolerance = 1e-10) {
    Settings s = with_method(method, tolerance);
    s.warm_start = true;
    return s;
}

class NewtonOfShape : public testing::TestWithParam<std::tuple<Method, ContactShape>> {
protected:
    Method method = std::get<0>(GetParam());
    ContactShape shape = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Shapes, NewtonOfShape,
                         testing::Combine(testing::ValuesIn(by_newton),
                                          testing::ValuesIn(all_shapes())),
                         [](const auto& p) {
                             return std::string(name(std::get<0>(p.param))) + "_" +
                                    shape_name(std::get<1>(p.param));
                         });

class Newton : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, Newton, testing::ValuesIn(by_newton),
                         [](const auto& p) { return std::string(name(p.param)); });

// ------------------------------------------------------------------ answers

TEST_P(NewtonOfShape, VelocitiesAreThoseOfTheInteriorPoint) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        for (const double compliance : {0.0, 0.1}) {
            const Shared problem = shared(problem_of(random_step({.blocks = {6, 3, 6},
                                                                  .shape = shape,
                                                                  .bilateral = 2,
                                                                  .contacts = 6,
                                                                  .boxes = 2,
                                                                  .compliance = compliance,
                                                                  .seed = seed})));
            const Answer a = solved(problem, method);
            EXPECT_LE(distance(a.v, solved(problem, Method::ipm).v), 1e-6) << seed;
        }
    }
}

TEST_P(NewtonOfShape, MatrixFormsToo) {
    Random random(8);
    const std::int64_t k = shape.rows(), count = 8;
    const Dense J = random_rows(count * k, 9 * k, random);
    const Entries W(J * transposed(J));
    DelassusForm form;
    form.W = W.view();
    form.shape = shape;
    form.q = random.vector(W.rows);
    form.mu = random.vector(count, 0.0, 1.5);
    form.rho = random.vector(count, 0.0, 0.5);
    form.sigma = random.vector(count, 0.0, 0.5);
    const Shared problem = shared(Problem::delassus(form));
    const Answer a = solved(problem, method);
    EXPECT_LE(distance(a.u, solved(problem, Method::ipm).u), 1e-6);
}

TEST_P(Newton, ScenesHaveTheVelocitiesOfTheInteriorPoint) {
    for (const scenes::Scene& scene : {small_pile(0.0), small_pile(0.05), scenes::chain(20)}) {
        SCOPED_TRACE(scene.title);
        const Shared problem = shared(SceneProblem(scene).problem());
        const Answer a = solved(problem, GetParam());
        EXPECT_LE(distance(a.v, solved(problem, Method::ipm).v), 1e-6);
        EXPECT_GT(a.info.factorizations, 0);
        EXPECT_EQ(a.info.method, GetParam() == Method::newton ? Method::newton : Method::ipm);
    }
}

// Hyperstatic and degenerate: Newton alone ends before 1e-10, and accurate does not.
TEST_P(Newton, WallsToo) {
    const bool alone = GetParam() == Method::newton;
    for (const scenes::Scene& scene : {scenes::wall(4, 4), scenes::wall(3, 3, 1000.0)}) {
        SCOPED_TRACE(scene.title);
        const Shared problem = shared(SceneProblem(scene).problem());
        const Answer a = solved(problem, GetParam(), alone ? 1e-7 : 1e-10);
        EXPECT_LE(distance(a.v, solved(problem, Method::ipm).v), alone ? 1e-4 : 1e-6);
    }
}

TEST_P(Newton, BoundsAgreeWithPivoting) {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
        const Shared problem = random_bounds(random, round % 2 == 0);
        const Answer a = solved(problem, GetParam());
        EXPECT_LE(distance(a.u, solved(problem, Method::pivoting).u), 1e-6) << round;
        expect_within_bounds(*problem, a.z);
    }
}

TEST_P(Newton, TiedBoundsByRounds) {
    Step s = random_step({.blocks = {6, 6}, .law = Law::box});
    s.rows.lo_T.clear();
    s.rows.hi_T.clear();
    s.rows.mu.assign(s.rows.mu.size(), 0.2);
    solved(shared(problem_of(s)), GetParam(), 1e-8);
}

// ------------------------------------------------------------------ guesses

// The scene with forces that differ by up to 1 %, and the solution of the scene.
std::pair<Shared, Vector> similar(const scenes::Scene& scene) {
    SceneProblem given(scene);
    Vector guess = solved(shared(given.problem()), Method::ipm).z;
    Random random(3);
    for (double& f : given.rows.f) f *= 1.0 + random.uniform(-0.01, 0.01);
    return {shared(given.problem()), std::move(guess)};
}

TEST_P(Newton, GuessesOfSimilarForcesSaveFactorizations) {
    for (const scenes::Scene& scene : {small_pile(0.0), small_pile(0.05), scenes::chain(20)}) {
        SCOPED_TRACE(scene.title);
        const auto [problem, guess] = similar(scene);
        const Answer cold = solved(problem, Method::ipm),
                     warm = solved(problem, guessing(GetParam()), guess);
        EXPECT_LT(warm.info.factorizations, cold.info.factorizations);
        EXPECT_LE(distance(warm.v, cold.v), 1e-6);
    }
}

// On walls a guess may lead nowhere: it costs Newton's attempt, and not the answer.
TEST(Accurate, GuessesOfWallsCostLittle) {
    const auto [problem, guess] = similar(scenes::wall(4, 4));
    const Answer cold = solved(problem, Method::ipm);
    const Answer warm = solved(problem, guessing(Method::accurate), guess);
    EXPECT_LE(warm.info.factorizations, cold.info.factorizations + 16);
    EXPECT_LE(distance(warm.v, cold.v), 1e-6);
}

TEST_P(NewtonOfShape, TheSolutionItselfNeedsNone) {
    const Shared problem =
        shared(problem_of(random_step({.blocks = {6, 6}, .shape = shape, .contacts = 6})));
    const Vector solution = solved(problem, Method::ipm, 1e-12).z;
    const Answer again = solved(problem, guessing(method), solution);
    EXPECT_EQ(again.info.factorizations, 0);
    EXPECT_EQ(again.info.method, Method{0});
    EXPECT_TRUE(same_bits(again.z, solution));
}

// A guess far off, and one that overflows, are no better than none, and no worse.
TEST_P(Newton, WildGuessesDoNoHarm) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}, .contacts = 6})));
    const Answer expected = solved(problem, Method::ipm);
    const Settings s = guessing(GetParam());
    Random random(9);
    for (const double size : {1.0, 1e3, 1e6}) {
        const Answer a = run(problem, s, random.vector(problem->rows(), -size, size));
        EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
        if (a.info.outcome == Outcome::solved || GetParam() == Method::accurate) {
            EXPECT_EQ(a.info.outcome, Outcome::solved) << size;
            EXPECT_LE(distance(a.v, expected.v), 1e-6) << size;
        }
    }
    const Answer lost = run(problem, s, Vector(problem->rows(), 1e308));
    EXPECT_EQ(lost.info.outcome == Outcome::solved, lost.info.eta <= 1e-10);
    for (const double x : lost.z) EXPECT_TRUE(std::isfinite(x));
}

// ------------------------------------------------------------------ bits, units, order

TEST_P(NewtonOfShape, SameBitsWhateverCameBefore) {
    const Shared problem = shared(problem_of(random_step({.shape = shape, .contacts = 6})));
    Random random(2);
    const Vector guess = random.vector(problem->rows());
    for (const bool warm : {false, true}) {
        Settings s = with_method(method, 1e-10);
        s.warm_start = warm;
        Solver solver(problem, s);
        Vector first = guess, second = guess, third = guess, fourth = guess;
        const Info one = solver.solve(first, {});
        const Info two = solver.solve(second, {});
        solver.forget();
        solver.solve(third, {});
        Solver(problem, s).solve(fourth, {});
        // Pivoting, to which accurate leaves bounds, goes on from its last basic set.
        if (method == Method::newton || !MixedForm::reason(*problem).empty()) {
            EXPECT_TRUE(same_bits(first, second));
        }
        EXPECT_TRUE(same_bits(first, third));
        EXPECT_TRUE(same_bits(first, fourth));
        EXPECT_EQ(one.factorizations, two.factorizations);
        EXPECT_EQ(one.outcome, two.outcome);
    }
}

// A solve that may do nothing has nothing of the solve before.
TEST_P(Newton, WithoutStepsNothingIsRemembered) {
    const Shared problem = shared(problem_of(random_step({})));
    Solver used(problem, with_method(GetParam(), 1e-10));
    Vector z(problem->rows()), expected(problem->rows());
    EXPECT_EQ(used.solve(z, {}).outcome, Outcome::solved);
    Settings s = used.settings();
    s.max_iterations = 0;
    used.set(s);
    const Info info = used.solve(z, {});
    const Info fresh = Solver(problem, s).solve(expected, {});
    EXPECT_EQ(info.outcome, Outcome::iteration_limit);
    EXPECT_EQ(info.eta, fresh.eta);
    EXPECT_TRUE(same_bits(z, expected));
}

// New values in the same pattern: as from a new solver.
TEST_P(Newton, FollowsChangesOfTheProblem) {
    const Step step = random_step({.blocks = {6, 6}, .shape = {2, 1, 2}, .contacts = 5});
    const auto problem = std::make_shared<Problem>(problem_of(step));
    Solver solver(problem, with_method(GetParam(), 1e-10));
    Vector z(problem->rows()), fresh(problem->rows()), again(problem->rows());
    solver.solve(again, {});
    const Vector first = again;
    ContactRows rows = step.rows;
    for (double& f : rows.f) f = -0.7 * f + 0.1;
    rows.mu[2] = 0.0;
    problem->set_vectors(rows);
    EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::solved);
    Solver(problem, solver.settings()).solve(fresh, {});
    EXPECT_TRUE(same_bits(z, fresh));
    EXPECT_GT(distance(z, first), 1e-3);
    problem->set_vectors(step.rows);
    solver.solve(again, {});
    EXPECT_TRUE(same_bits(again, first));
}

TEST_P(NewtonOfShape, UnitsSignsAndOrderDoNotMatter) {
    const Stated given{
        random_step({.blocks = {3, 6, 3}, .shape = shape, .contacts = 5, .boxes = 2}),
        Vector(5 * shape.rows() + 3)};
    const auto velocities = [this](const Stated& s) {
        return solved(shared(problem_of(s.step)), method, 1e-11).v;
    };
    const Vector expected = velocities(given);
    const double close = 1e-8 * largest(expected);
    EXPECT_LE(distance(velocities(other_order(given)), expected), close);
    EXPECT_LE(distance(velocities(other_signs(given)), expected), close);
    for (const double c : {0x1p20, 0x1p-20}) {
        EXPECT_LE(distance(velocities(other_mass_unit(given, c)), expected), close) << c;
        EXPECT_LE(distance(scaled(velocities(other_time_unit(given, c)), 1.0 / c), expected), close)
            << c;
        Vector v = velocities(other_length_unit(given, c));
        for (std::size_t i = 0; i < v.size(); ++i)
            if (i % 3 != 2) v[i] /= c;  // the others are angles
        EXPECT_LE(distance(v, expected), close) << c;
    }
}

// ------------------------------------------------------------------ honesty

// A joint stated twice, differently.
Step contradictory_joints() {
    Step s = random_step({.blocks = {6}, .bilateral = 2, .contacts = 2});
    copy_row(s.A, 0, s.A, 1);
    s.rows.u[1] = s.rows.u[0] + 0.5;
    return s;
}

class NewtonOfBounds : public HonestSolves {};  // accurate leaves them to pivoting
INSTANTIATE_TEST_SUITE_P(Methods, NewtonOfBounds, testing::Values(Method::newton),
                         [](const auto& p) { return std::string(name(p.param)); });

class HonestNewton : public HonestSolves {};
INSTANTIATE_TEST_SUITE_P(Methods, HonestNewton, testing::ValuesIn(by_newton),
                         [](const auto& p) { return std::string(name(p.param)); });

TEST_P(HonestNewton, ContradictionsAreNotCalledSolved) {
    const std::pair<const char*, Shared> cases[] = {
        {"two sides", blcp(Dense(2, 2, {1, -1, -1, 1}), {-1, 0.5}, {0, 0}, {})},
        {"zero row", blcp(Dense(1, 1), {-1}, {0}, {})},
        {"free rows", blcp(Dense(2, 2, {1, 2, 2, 4}), {1, 1})},
        {"squeezed", shared(problem_of(squeezed({0, 0, 0})))},
        {"squeezed, friction", shared(problem_of(squeezed({2, 0, 0})))},
        {"squeezed, rolling", shared(problem_of(squeezed({2, 1, 2})))},
        {"joints", shared(problem_of(contradictory_joints()))},
    };
    int proofs = 0;
    for (const auto& [what, problem] : cases) {
        SCOPED_TRACE(what);
        const Outcome interior = solve(problem, with_method(Method::ipm, 1e-8)).outcome;
        for (const bool warm : {false, true}) {
            Settings s = with_method(GetParam(), 1e-8);
            s.warm_start = warm;
            const Info info = solve(problem, s);
            EXPECT_NE(info.outcome, Outcome::solved);
            EXPECT_GT(info.eta, 1e-3);
            if (interior != Outcome::no_solution) continue;
            ++proofs;
            EXPECT_EQ(info.outcome, Outcome::no_solution) << warm;
        }
    }
    EXPECT_GE(proofs, 6);
}

TEST_P(NewtonOfBounds, IndefiniteProblemsAreNotCalledSolved) {
    const Shared saddle = blcp(Dense(2, 2, {1, 2, 2, 1}), {1, -1}, {-infinity, -infinity}, {});
    const Shared unbounded = blcp(Dense(2, 2, {1, -2, -2, 1}), {-1, -1}, {0, 0}, {});
    for (const Shared& problem : {saddle, unbounded}) {
        const Info info = solve(problem, with_method(Method::newton));
        EXPECT_NE(info.outcome, Outcome::solved);
        EXPECT_NE(info.outcome, Outcome::no_solution);
        EXPECT_LE(info.eta, 1.0);  // not worse than z = 0
    }
}

TEST_P(HonestNewton, StallsWhereRoundingEndsIt) {
    const Info info =
        solve(shared(problem_of(random_step({.contacts = 8}))), with_method(GetParam(), 1e-300));
    EXPECT_EQ(info.outcome, Outcome::stalled);
    EXPECT_LE(info.eta, 1e-11);
}

TEST_P(NewtonOfBounds, RefusesMatricesThatAreNotSymmetric) {
    const Shared problem = blcp(Dense(2, 2, {1, 0.5, -0.5, 1}), {-1.0, -1.0}, {0.0, 0.0}, {});
    EXPECT_FAILS(Status::unsupported,
                 std::string(name(Method::newton)) + " needs a symmetric matrix",
                 Solver(problem, with_method(Method::newton)));
    EXPECT_EQ(method_from_name(name(Method::newton)), Method::newton);
}

// ------------------------------------------------------------------ limits

TEST_P(HonestNewton, LimitsKeepTheBestPoint) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}})));
    const double start = eta_of(*problem, Vector(problem->rows()));
    for (const std::int64_t limit : {0, 1, 2, 4}) {
        Settings s = with_method(GetParam(), 1e-300);
        s.max_iterations = limit;
        Solver solver(problem, s);
        Vector z(problem->rows());
        double best = start;
        const Info info = solver.solve(z, [&](const Progress& now) {
            best = std::min(best, now.eta);
            EXPECT_LE(now.iteration, limit);
            return true;
        });
        EXPECT_EQ(info.outcome, Outcome::iteration_limit);
        EXPECT_EQ(info.iterations, limit);
        EXPECT_EQ(info.eta, eta_of(*problem, z));
        EXPECT_NEAR(info.eta, best, 1e-12 * best);
    }
    Settings s = with_method(GetParam(), 1e-300);
    s.time_limit = 1e-9;  // over before the first step
    const Info late = solve(problem, s);
    EXPECT_EQ(late.outcome, Outcome::time_limit);
    EXPECT_LE(late.factorizations, 1);
    EXPECT_LE(late.eta, start);
}

TEST_P(HonestNewton, CancellingKeepsTheBestPoint) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 0, 2}, .seed = 3})));
    for (const int most : {1, 3}) {
        Solver solver(problem, with_method(GetParam(), 1e-300));
        Vector z(problem->rows());
        int calls = 0;
        double best = eta_of(*problem, z);
        const Info info = solver.solve(z, [&](const Progress& now) {
            best = std::min(best, now.eta);
            return ++calls < most;
        });
        EXPECT_EQ(info.outcome, Outcome::cancelled);
        EXPECT_EQ(calls, most);
        EXPECT_EQ(info.eta, eta_of(*problem, z));
        EXPECT_NEAR(info.eta, best, 1e-12 * best);
    }
}

TEST_P(HonestNewton, AGuessIsNeverMadeWorse) { never_makes_a_guess_worse(GetParam(), 60); }

}  // namespace
}  // namespace perp::test
