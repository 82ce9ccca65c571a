// Anderson-accelerated sweeps: never worse than plain ones, and much better where it counts.
#include "lattice.hpp"

namespace perp::test {
namespace {

double objective(const Shared& problem, const Answer& a) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.z.size(); ++i)
        sum += 0.5 * a.z[i] * (a.u[i] + problem->free_velocity()[i]);
    return sum;
}

TEST(Aapgs, TheObjectiveFallsFromSweepToSweep) {
    const Shared problem = lattice({.width = 3, .height = 3, .joints = 2});
    for (const bool eliminate : {false, true}) {
        double last = 0.0;
        for (std::int64_t sweeps = 1; sweeps < 60; ++sweeps) {
            Settings s = with_method(Method::aapgs, 1e-13);
            s.max_iterations = sweeps;
            s.check_interval = 1000;  // the last iterate is the one returned
            s.eliminate_bilateral = eliminate;
            const double now = objective(problem, run(problem, s));
            EXPECT_LE(now, last + 1e-12 * std::abs(last)) << sweeps;
            last = now;
        }
    }
}

TEST(Aapgs, NeedsFarFewerSweepsThanPgs) {
    const Shared problem = lattice({.width = 4, .height = 10});
    const Answer plain = run(problem, accurate(Method::pgs, 1e-6));
    const Answer mixed = run(problem, accurate(Method::aapgs, 1e-6));
    ASSERT_EQ(mixed.info.outcome, Outcome::solved);
    EXPECT_LT(3 * mixed.info.iterations, plain.info.iterations);
    EXPECT_GT(mixed.info.accelerated, mixed.info.iterations / 2);
    EXPECT_EQ(plain.info.accelerated, 0);
}

// The exact law has no objective to watch.
TEST(Aapgs, NeedsFarFewerSweepsUnderTheExactLaw) {
    const Shared problem = lattice({.width = 4, .height = 10, .law = Law::coulomb});
    const Answer plain = run(problem, accurate(Method::pgs, 1e-6));
    const Answer mixed = run(problem, accurate(Method::aapgs, 1e-6));
    ASSERT_EQ(mixed.info.outcome, Outcome::solved);
    EXPECT_LT(3 * mixed.info.iterations, plain.info.iterations);
    EXPECT_GT(mixed.info.accelerated, mixed.info.iterations / 2);
    EXPECT_EQ(mixed.info.tie_rounds, 0);
}

// Where mixed points lead astray, they are given up: what plain sweeps solve stays solved.
TEST(Aapgs, RejectsWhatRunsAwayUnderTheExactLaw) {
    int rejected = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Step s = random_step(
            {.blocks = {3, 3, 3}, .shape = {2, 0, 0}, .bilateral = 1, .contacts = 5, .seed = seed});
        for (double& mu : s.rows.mu) mu *= 0.5;
        s.law = Law::coulomb;
        const Shared problem = shared(problem_of(s));
        Settings settings = accurate(Method::pgs, 1e-8);
        if (run(problem, settings).info.outcome != Outcome::solved) continue;
        settings.method = Method::aapgs;
        const Info info = run(problem, settings).info;
        EXPECT_EQ(info.outcome, Outcome::solved) << seed << ": " << info.eta;
        EXPECT_GE(info.accelerated, 0);
        rejected += static_cast<int>(info.accelerated + 2 < info.iterations);
    }
    EXPECT_GT(rejected, 0) << "nothing was tested";
}

TEST(Aapgs, EveryWindowSolves) {
    const Shared problem = lattice({.width = 3, .height = 4});
    const Vector expected = run(problem, accurate(Method::apgd)).u;
    Settings s = accurate(Method::aapgs);
    Solver solver(problem, s);
    for (const std::int64_t window : {1, 2, 5, 20, 3}) {
        s.anderson_window = window;
        solver.set(s);
        Vector z(problem->rows());
        EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::solved) << window;
        EXPECT_LE(distance(run(problem, s).u, expected), 1e-7);
    }
}

TEST(Aapgs, EverySweepOrderSolves) {
    const Shared problem = lattice({.width = 3, .height = 4});
    for (const SweepOrder order :
         {SweepOrder::given, SweepOrder::bfs, SweepOrder::random, SweepOrder::coloured}) {
        Settings s = accurate(Method::aapgs, 1e-8);
        s.sweep_order = order;
        EXPECT_EQ(run(problem, s).info.outcome, Outcome::solved);
    }
}

}  // namespace
}  // namespace perp::test
