// How a solve ends: honest outcomes, limits, certificates; never an answer that is none.
#include "solver_support.hpp"

namespace perp::test {
namespace {

class Outcomes : public HonestSolves {};

INSTANTIATE_TEST_SUITE_P(Methods, Outcomes, testing::ValuesIn(iterating),
                         [](const auto& p) { return std::string(name(p.param)); });

// ------------------------------------------------------------------ limits

TEST_P(Outcomes, WithoutIterationsTheStartIsReported) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}})));
    Settings s = with_method(GetParam());
    s.max_iterations = 0;
    Solver solver(problem, s);
    Vector z(problem->rows());
    const Info info = solve(problem, solver, z);
    EXPECT_EQ(info.outcome, Outcome::iteration_limit);
    EXPECT_EQ(info.iterations, 0);
    EXPECT_LE(info.eta, eta_of(*problem, Vector(z.size(), 0.0)));
}

TEST_P(Outcomes, TheLimitOfIterationsIsKept) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}})));
    for (const std::int64_t limit : {1, 7, 10, 23}) {
        Settings s = with_method(GetParam(), 1e-300);
        s.max_iterations = limit;
        const Info info = solve(problem, s);
        EXPECT_EQ(info.outcome, Outcome::iteration_limit);
        EXPECT_EQ(info.iterations, limit);
        EXPECT_LT(info.eta, 1.0);
    }
}

TEST_P(Outcomes, TheBestIterateIsReturned) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 0, 2}, .seed = 3})));
    Settings s = with_method(GetParam(), 1e-12);
    s.check_interval = 1;
    double best = infinity;
    Solver solver(problem, s);
    Vector z(problem->rows());
    const Info info = solver.solve(z, [&](const Progress& p) {
        best = std::min(best, p.eta);
        EXPECT_EQ(p.best_eta, best);
        return p.iteration < 15;
    });
    EXPECT_EQ(info.outcome, Outcome::cancelled);
    EXPECT_NEAR(info.eta, best, 1e-9 * best + 1e-15);
}

TEST_P(Outcomes, AGuessIsNeverMadeWorse) { never_makes_a_guess_worse(GetParam(), 200); }

TEST_P(Outcomes, ACallbackMayCancel) {
    const Shared problem = shared(problem_of(random_step({})));
    int calls = 0;
    std::int64_t last = -1;
    Solver solver(problem, with_method(GetParam(), 1e-14));
    Vector z(problem->rows());
    const Info info = solver.solve(z, [&](const Progress& p) {
        EXPECT_GT(p.iteration, last);
        last = p.iteration;
        return ++calls < 3;
    });
    EXPECT_EQ(info.outcome, Outcome::cancelled);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(info.iterations, last);
    EXPECT_EQ(info.eta, eta_of(*problem, z));
}

TEST_P(Outcomes, EveryEvaluationIsReportedTheLastToo) {
    const Shared problem = shared(problem_of(random_step({})));
    Settings s = with_method(GetParam(), 1e-8);
    s.check_interval = 1;
    Solver solver(problem, s);
    Vector z(problem->rows());
    double last = infinity;
    const Info info = solver.solve(z, [&](const Progress& p) {
        last = p.eta;
        return true;
    });
    EXPECT_EQ(info.outcome, Outcome::solved);
    EXPECT_LE(last, 1e-8);
}

TEST_P(Outcomes, TheTimeLimitIsKept) {
    Step step = random_step({});
    const Shared problem = shared(problem_of(step));
    Settings s = with_method(GetParam(), 1e-300);
    s.max_iterations = std::int64_t{1} << 60;
    s.stagnation_window = 0;
    s.time_limit = 0.02;
    Solver solver(problem, s);
    Vector z(problem->rows());
    const Info info = solver.solve(z, {});
    EXPECT_EQ(info.outcome, Outcome::time_limit);
    EXPECT_GE(info.solve_seconds, 0.02);
    EXPECT_LT(info.eta, 1e-10);
}

// ------------------------------------------------------------------ accuracy that cannot be had

TEST_P(Outcomes, AToleranceBelowRoundingStalls) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}})));
    for (const double tolerance : {1e-17, 1e-300}) {
        Settings s = with_method(GetParam(), tolerance);
        const Info info = solve(problem, s);
        EXPECT_EQ(info.outcome, Outcome::stalled);
        EXPECT_LT(info.eta, 1e-13);
        s.stagnation_window = 0;
        const Info long_run = solve(problem, s);
        EXPECT_EQ(long_run.outcome, Outcome::iteration_limit);
        EXPECT_EQ(long_run.iterations, s.max_iterations);
        EXPECT_LT(long_run.eta, 1e-13);
    }
}

// Near rounding the scaled and the recomputed eta differ: solved must mean the latter.
TEST_P(Outcomes, SolvedIsNeverSaidOfAPointThatIsNot) {
    for (const ContactShape& shape : all_shapes()) {
        for (std::uint64_t seed = 1; seed < 40; ++seed) {
            const Shared problem =
                shared(problem_of(random_step({.shape = shape, .contacts = 3, .seed = seed})));
            for (const double tolerance : {1e-16, 3e-16, 1e-15}) {
                Settings s = with_method(GetParam(), tolerance);
                s.check_interval = 1;
                s.max_iterations = 2000;
                solve(problem, s);
            }
        }
    }
}

TEST_P(Outcomes, AShortStagnationWindowStops) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}, .seed = 2})));
    Settings s = with_method(GetParam(), 1e-300);
    s.stagnation_window = 40;
    const Info info = solve(problem, s);
    EXPECT_EQ(info.outcome, Outcome::stalled);
    EXPECT_LT(info.iterations, 5000);
}

// ------------------------------------------------------------------ no convergence

TEST_P(Outcomes, IndefiniteProblemsAreNotCalledSolved) {
    const Shared saddle = blcp(Dense(2, 2, {1, 2, 2, 1}), {1, -1}, {-infinity, -infinity}, {});
    const Shared unbounded = blcp(Dense(2, 2, {1, -2, -2, 1}), {-1, -1}, {0, 0}, {});
    for (const Shared& problem : {saddle, unbounded}) {
        Settings s = with_method(GetParam());
        const Info info = solve(problem, s);
        EXPECT_NE(info.outcome, Outcome::solved);
        EXPECT_NE(info.outcome, Outcome::no_solution);
        EXPECT_LT(info.iterations, s.max_iterations);
        EXPECT_LE(info.eta, 1.0);  // not worse than z = 0
    }
}

TEST_P(Outcomes, OverflowIsANumericalFailureWithAFiniteIterate) {
    const Shared problem = shared(problem_of(random_step({})));
    Settings s = with_method(GetParam());
    s.warm_start = true;
    for (const double guess : {1e200, 1e308}) {
        Solver solver(problem, s);
        Vector z(problem->rows(), guess);
        const Info info = solver.solve(z, {});
        EXPECT_EQ(info.outcome, Outcome::numerical_failure);
        for (const double x : z) EXPECT_TRUE(std::isfinite(x));
    }
}

// ------------------------------------------------------------------ nothing is remembered

// Any solve on a used solver equals the same solve on a fresh one, whatever came before.
TEST_P(Outcomes, EarlierSolvesLeaveNoTrace) {
    const Shared problem = shared(problem_of(random_step({})));
    Settings s = with_method(GetParam());
    s.warm_start = true;
    Solver used(problem, s);
    for (const double guess : {0.0, 1e308, 0.5, 1e308, 1e200, -3.0}) {
        Vector z(problem->rows(), guess), expected(problem->rows(), guess);
        const Info info = used.solve(z, {});
        const Info fresh = Solver(problem, s).solve(expected, {});
        EXPECT_EQ(info.outcome, fresh.outcome) << guess;
        EXPECT_EQ(info.iterations, fresh.iterations) << guess;
        EXPECT_TRUE(same_bits(z, expected)) << guess;
    }
}

// ------------------------------------------------------------------ r = 0

TEST_P(Outcomes, WithoutFreeVelocityThereIsNothingToDo) {
    Step step = random_step({});
    for (Vector* v : {&step.rows.f, &step.rows.u, &step.rows.b_N, &step.rows.b_B})
        std::fill(v->begin(), v->end(), 0.0);
    const Info info = solve(shared(problem_of(step)), with_method(GetParam()));
    EXPECT_EQ(info.outcome, Outcome::solved);
    EXPECT_EQ(info.iterations, 0);
}

// r = 0 (its square underflows as well), while the bounds exclude z = 0.
TEST_P(Outcomes, WithoutFreeVelocityBoundsMayStillMove) {
    Random random(3);
    const Dense J = random_rows(6, 8, random);
    Vector lo = random.vector(6, -1, 0.5);
    lo[0] = lo[1] = -infinity;
    for (const double q : {0.0, 1e-300}) {
        const Shared problem = blcp(J * transposed(J), Vector(6, q), lo, {});
        EXPECT_EQ(solve(problem, with_method(GetParam(), 1e-8)).outcome, Outcome::solved) << q;
    }
}

// ------------------------------------------------------------------ what is refused

TEST(Solver, RefusesWhatAMethodCannotTake) {
    const Shared zero_diagonal = blcp(Dense(2, 2, {2, -1, 1, 0}), {-2, -3}, {-infinity, 0}, {});
    const Shared skew = blcp(Dense(2, 2, {2, -1, 1, 2}), {-2, -3}, {0, 0}, {});
    EXPECT_FAILS(Status::unsupported, "entry (1, 1) is 0",
                 Solver(zero_diagonal, with_method(Method::pgs)));
    EXPECT_FAILS(Status::unsupported, "symmetric", Solver(skew, with_method(Method::apgd)));
    EXPECT_NO_THROW(Solver(skew, with_method(Method::pgs)));
    Solver solver(skew, with_method(Method::pgs));
    solver.set(with_method(Method::apgd));
    Vector z(2);
    EXPECT_FAILS(Status::unsupported, "symmetric", solver.solve(z, {}));
    solver.set(with_method(Method::pgs));
    EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::solved);
}

TEST(Solver, ChecksEverySetting) {
    const auto fails = [](const char* part, auto&& change) {
        Settings s;
        change(s);
        EXPECT_FAILS(Status::bad_setting, part, check_settings(s));
    };
    EXPECT_NO_THROW(check_settings(Settings{}));
    fails("method = 11", [](Settings& s) { s.method = Method{11}; });
    for (const double x : {0.0, -1.0, not_a_number, infinity})
        fails("tolerance", [x](Settings& s) { s.tolerance = x; });
    fails("max_iterations = -1", [](Settings& s) { s.max_iterations = -1; });
    for (const double x : {-1.0, not_a_number})
        fails("time_limit", [x](Settings& s) { s.time_limit = x; });
    for (const double x : {0.0, 2.0, not_a_number})
        fails("relaxation", [x](Settings& s) { s.relaxation = x; });
    fails("sweep_order = 7", [](Settings& s) { s.sweep_order = SweepOrder{7}; });
    fails("check_interval = 0", [](Settings& s) { s.check_interval = 0; });
    fails("stagnation_window = -2", [](Settings& s) { s.stagnation_window = -2; });
    for (const std::int64_t n : {0, 1025}) fails("threads", [n](Settings& s) { s.threads = n; });
    for (const std::int64_t n : {0, 21})
        fails("anderson_window", [n](Settings& s) { s.anderson_window = n; });
}

TEST_P(Outcomes, AGuessThatIsNotFiniteIsRefused) {
    const Shared problem = shared(problem_of(random_step({})));
    Settings s = with_method(GetParam());
    s.warm_start = true;
    Solver solver(problem, s);
    Vector z(problem->rows(), 0.0);
    z[3] = not_a_number;
    EXPECT_FAILS(Status::bad_value, "z[3] = nan", solver.solve(z, {}));
}

}  // namespace
}  // namespace perp::test
