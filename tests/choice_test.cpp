// auto: which method answers what, that the answer does not depend on what was solved before, and
// the budget of products.
#include "solvers/choice.hpp"

#include "scene_support.hpp"
#include "solver_support.hpp"

namespace perp::test {
namespace {

Settings automatic(double tolerance, bool warm = false) {
    Settings s = with_method(Method::automatic, tolerance);
    s.warm_start = warm;
    return s;
}

Answer solved(const Shared& problem, const Settings& settings, Vector z = {}) {
    Answer a = run(problem, settings, std::move(z));
    EXPECT_EQ(a.info.outcome, Outcome::solved) << "eta " << a.info.eta;
    EXPECT_LE(a.info.eta, settings.tolerance);
    EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
    return a;
}

bool factorized(const Info& info) { return (info.fallbacks & fallback::factorize) != 0; }

Shared wall() { return shared(SceneProblem(scenes::wall(5, 5)).problem()); }

// ------------------------------------------------------------------ which method

TEST(Choice, BoundsAlonePivot) {
    Random random(4);
    const Dense J = random_rows(12, 15, random);
    const Shared matrix = blcp(J * transposed(J), random.vector(12), random.vector(12, -1, 0),
                               random.vector(12, 0, 1));
    const Shared step = shared(problem_of(random_step({.blocks = {6, 6}, .law = Law::box})));
    for (const Shared& problem : {matrix, step}) {
        const Answer a = solved(problem, automatic(1e-10));
        EXPECT_EQ(a.info.method, Method::pivoting);
        EXPECT_EQ(a.info.iterations,
                  run(problem, with_method(Method::pivoting, 1e-10)).info.iterations);
        EXPECT_TRUE(same_bits(a.z, run(problem, with_method(Method::pivoting, 1e-10)).z));
    }
}

// A contact whose matrix is far from symmetric.
TEST(Choice, UnsymmetricConesSweep) {
    Dense W(3, 3, {2, 0.4, 0, -0.4, 2, 0.3, 0, -0.3, 2});
    const Entries entries(W);
    DelassusForm form;
    form.W = entries.view();
    form.shape = {2, 0, 0};
    form.q = {-1.0, 0.5, 0.7};
    form.mu = {0.4};
    const Shared problem = shared(Problem::delassus(form));
    ASSERT_FALSE(unsupported_reason(*problem, Method::apgd).empty());
    const Answer a = solved(problem, automatic(1e-8));
    EXPECT_EQ(a.info.method, Method::pgs);
    EXPECT_EQ(a.info.factorizations, 0);
    EXPECT_TRUE(same_bits(a.z, solved(problem, with_method(Method::pgs, 1e-8)).z));
}

TEST(Choice, EasyPilesTakeProductsAlone) {
    const Shared problem = shared(SceneProblem(small_pile(0.0)).problem());
    const Answer a = solved(problem, automatic(1e-3));
    EXPECT_EQ(a.info.method, Method::apgd);
    EXPECT_FALSE(factorized(a.info));
    EXPECT_EQ(a.info.factorizations, 0);
    EXPECT_GT(a.info.iterations, 0);
    EXPECT_TRUE(same_bits(a.z, solved(problem, with_method(Method::apgd, 1e-3)).z));
}

TEST(Choice, WallsTakeFactorizations) {
    const Shared problem = wall();
    const Answer a = solved(problem, automatic(1e-8));
    EXPECT_EQ(a.info.method, Method::ipm);
    EXPECT_TRUE(factorized(a.info));
    EXPECT_GT(a.info.factorizations, 0);
    EXPECT_GT(a.info.iterations, 2 * a.info.factorizations);  // products come first
    EXPECT_LE(distance(a.v, solved(problem, with_method(Method::ipm, 1e-8)).v), 1e-5);
}

// From a guess accurate tries products as well, without one it does not.
TEST(Choice, AccurateTriesProductsFromAGuess) {
    const Shared problem = wall();
    Settings s = with_method(Method::accurate, 1e-8);
    const Answer cold = solved(problem, s);
    EXPECT_EQ(first_method(*problem, s), Method::accurate);
    EXPECT_FALSE(factorized(cold.info));
    s.warm_start = true;
    EXPECT_EQ(first_method(*problem, s), Method::apgd);
    const Answer warm = solved(problem, s);
    EXPECT_TRUE(factorized(warm.info));
    EXPECT_EQ(warm.info.method, Method::ipm);
    EXPECT_LE(distance(warm.v, cold.v), 1e-5);
}

TEST(Choice, StartsThatAreTheAnswerHaveNoMethod) {
    for (const Shared& problem :
         {wall(), shared(problem_of(random_step({.blocks = {6, 6}, .law = Law::box})))}) {
        const Answer a = solved(problem, automatic(1e-8));
        ASSERT_NE(a.info.method, Method{0});
        const Answer again = solved(problem, automatic(1e-8, true), a.z);
        EXPECT_EQ(again.info.method, Method{0});
        EXPECT_EQ(again.info.iterations, 0);
        EXPECT_TRUE(same_bits(again.z, a.z));
    }
}

// ------------------------------------------------------------------ bits

TEST(Choice, SameBitsWhateverWasSolvedBetween) {
    const SceneProblem scene(scenes::wall(5, 5));
    ContactRows other = scene.rows;
    Random random(6);
    for (double& f : other.f) f *= 1.0 + random.uniform(-0.3, 0.3);
    for (const double tolerance : {1e-3, 1e-8}) {
        for (const Method method : {Method::automatic, Method::accurate}) {
            const auto problem = std::make_shared<Problem>(scene.problem());
            Solver solver(problem, with_method(method, tolerance));
            Vector first(problem->rows()), second = first, third = first, fresh = first;
            const Info one = solver.solve(first, {});
            const Info two = solver.solve(second, {});
            EXPECT_TRUE(same_bits(first, second));
            problem->set_vectors(other);
            EXPECT_EQ(solver.solve(third, {}).outcome, Outcome::solved);
            EXPECT_FALSE(same_bits(first, third));
            Solver(problem, solver.settings()).solve(fresh, {});
            EXPECT_TRUE(same_bits(third, fresh));
            problem->set_vectors(scene.rows);
            const Info three = solver.solve(third, {});
            EXPECT_TRUE(same_bits(first, third));
            for (const auto count : {&Info::iterations, &Info::products, &Info::factorizations}) {
                EXPECT_EQ(one.*count, two.*count);
                EXPECT_EQ(one.*count, three.*count);
            }
        }
    }
}

// The same solver on problems of another kind: each gets the method it would get from a new one.
TEST(Choice, FollowsTheKindOfTheProblem) {
    const Step cones = random_step({.blocks = {6, 6}, .contacts = 6});
    Step bounds = cones;
    bounds.rows.mu.assign(6, 0.0);
    bounds.law = Law::box;
    bounds.rows.lo_T.assign(12, -0.2);
    bounds.rows.hi_T.assign(12, 0.2);
    const auto problem = std::make_shared<Problem>(problem_of(cones));
    Solver solver(problem, automatic(1e-8));
    Vector z(problem->rows());
    const Info first = solver.solve(z, {});
    const Vector expected = z;
    EXPECT_NE(first.method, Method::pivoting);
    problem->take(problem_of(bounds));
    EXPECT_EQ(solver.solve(z, {}).method, Method::pivoting);
    problem->take(problem_of(cones));
    EXPECT_EQ(solver.solve(z, {}).method, first.method);
    EXPECT_TRUE(same_bits(z, expected));
}

// ------------------------------------------------------------------ limits

TEST(Choice, LimitsHoldForAllStagesTogether) {
    const Shared problem = wall();
    const Info whole = solved(problem, automatic(1e-10)).info;
    ASSERT_TRUE(factorized(whole));
    double last = infinity;
    for (const std::int64_t limit : {std::int64_t{5}, whole.iterations / 2, whole.iterations - 1}) {
        Settings s = automatic(1e-10);
        s.max_iterations = limit;
        s.stagnation_window = whole.iterations;
        const Answer a = run(problem, s);
        EXPECT_EQ(a.info.outcome, Outcome::iteration_limit) << limit;
        EXPECT_EQ(a.info.iterations, limit);
        EXPECT_LE(a.info.eta, last);
        last = a.info.eta;
    }
}

TEST(Choice, ProgressGoesOnThroughAllStages) {
    const Shared problem = wall();
    Solver solver(problem, automatic(1e-10));
    std::vector<Progress> seen;
    Vector z(problem->rows());
    const Info info = solver.solve(z, [&](const Progress& now) {
        seen.push_back(now);
        return true;
    });
    ASSERT_TRUE(factorized(info));
    for (std::size_t i = 1; i < seen.size(); ++i) {
        EXPECT_GE(seen[i].iteration, seen[i - 1].iteration);
        EXPECT_GE(seen[i].products, seen[i - 1].products);
        // The scaled eta of products deviates by rounding.
        EXPECT_LE(seen[i].best_eta, (1.0 + 1e-9) * seen[i - 1].best_eta);
    }
    // Cancelled in the first stage, and in the last.
    for (const std::size_t most : {std::size_t{2}, seen.size() - 2}) {
        std::size_t calls = 0;
        Vector cancelled(problem->rows());
        const Info stopped =
            solver.solve(cancelled, [&](const Progress&) { return ++calls < most; });
        EXPECT_EQ(stopped.outcome, Outcome::cancelled);
        EXPECT_EQ(calls, most);
        EXPECT_NEAR(stopped.eta, seen[most - 1].best_eta, 1e-9 * seen[most - 1].best_eta);
    }
}

TEST(Choice, ProgressGoesOnThroughTheStages) {
    Progress last;
    Solver solver(wall(), automatic(1e-8));
    Vector z(wall()->rows());
    const Info info = solver.solve(z, [&](const Progress& now) {
        EXPECT_GE(now.iteration, last.iteration);
        EXPECT_GE(now.products, last.products);
        EXPECT_GE(now.seconds, last.seconds);
        last = now;
        return true;
    });
    EXPECT_TRUE(factorized(info));
    EXPECT_EQ(info.outcome, Outcome::solved);
}

TEST(Choice, ProvesWhatProductsProve) {
    int proved = 0;
    for (const ContactShape& shape : all_shapes()) {
        const Shared problem = shared(problem_of(squeezed(shape)));
        if (run(problem, with_method(Method::apgd, 1e-8)).info.outcome != Outcome::no_solution)
            continue;
        ++proved;
        EXPECT_EQ(run(problem, automatic(1e-8)).info.outcome, Outcome::no_solution)
            << shape_name(shape);
    }
    EXPECT_GE(proved, 8);
}

// ------------------------------------------------------------------ budget

constexpr double cost = 10.0;  // iterations per factorization

// Eta shrinks by `factor` per iteration: the iteration at which it is not worth it; -1: never
// within `most`.
std::int64_t given_up(double factor, std::int64_t most, const Settings& settings,
                      double first = 1.0) {
    ProductBudget budget(settings);
    budget.set_cost(cost);
    double eta = first;
    for (std::int64_t i = 1; i <= most; ++i, eta *= factor)
        if (!budget.worth(i, eta)) return i;
    return -1;
}

TEST(Budget, GoesOnWhileCheap) {
    // Without any progress: four factorizations' worth, ten from a guess.
    EXPECT_EQ(given_up(1.0, 1000, automatic(1e-8)), 40);
    EXPECT_EQ(given_up(1.0, 1000, automatic(1e-8, true)), 100);
}

TEST(Budget, StopsWhereTheRateIsTooSmall) {
    // From 1 to 1e-8 with 20 factorizations' worth: 200 iterations, 0.912 each.
    EXPECT_EQ(given_up(0.95, 1000, automatic(1e-8)), 40);
    EXPECT_EQ(given_up(0.999, 1000, automatic(1e-8)), 40);
    // A growing eta is no rate at all.
    EXPECT_EQ(given_up(1.01, 1000, automatic(1e-8)), 40);
}

TEST(Budget, GoesOnWhereTheRateSuffices) {
    EXPECT_EQ(given_up(0.9, 1000, automatic(1e-8)), -1);
    // The same rate as above, with less to go.
    EXPECT_EQ(given_up(0.95, 1000, automatic(1e-4)), -1);
    // At the tolerance it is done, whatever it cost.
    EXPECT_EQ(given_up(1.0, 5000, automatic(1e-4), 1e-4), -1);
}

TEST(Budget, AsksTheSecondHalfAndEndsInTheEnd) {
    ProductBudget budget(automatic(1e-8));
    budget.set_cost(cost);
    double eta = 1.0;
    std::int64_t i = 1;
    for (; i <= 60; ++i, eta *= 0.9) ASSERT_TRUE(budget.worth(i, eta));
    while (i < 200 && budget.worth(i, eta)) ++i;  // no more progress
    EXPECT_GT(i, 60);
    EXPECT_LE(i, 120);
    // Never more than 100 factorizations, whatever the rate: 0.99 suffices for the last bit.
    ProductBudget endless(automatic(1e-300));
    endless.set_cost(cost);
    eta = 1.0;
    for (i = 1; i < 2000 && endless.worth(i, eta); ++i) eta = std::max(eta * 0.5, 1e-299);
    EXPECT_LE(i, 1001);
}

TEST(Budget, CostsOfFactorizationsCountPerEntry) {
    const Shared small = wall(), large = shared(SceneProblem(scenes::wall(10, 10)).problem());
    const double beside = iterations_per_factorization(*small, 0.0);
    EXPECT_GT(beside, 0.0);
    EXPECT_EQ(iterations_per_factorization(*large, 0.0), beside);
    const double dear = iterations_per_factorization(*small, 1e6);
    EXPECT_GT(dear, beside);
    EXPECT_LT(iterations_per_factorization(*large, 1e6), dear);
    EXPECT_NEAR(iterations_per_factorization(*small, 2e6) - beside, 2.0 * (dear - beside),
                1e-9 * dear);
}

}  // namespace
}  // namespace perp::test
