// The line search on the proximal problem: the same inner solutions as block exchanges, and the
// guarded loop from a cold start on redundant stacks and piles.
#include <cstdlib>
#include <filesystem>

#include "io/instance.hpp"
#include "solver_support.hpp"
#include "solvers/pivoting.hpp"

namespace perp::test {
namespace {

struct Stage {
    explicit Stage(const Problem& p, double tolerance)
        : problem(p), form(p), work(form), monitor_work(p, form) {
        settings.tolerance = tolerance;
        settings.max_iterations = 1000000;
    }
    [[nodiscard]] PivotMonitor monitor() {
        return {problem, form, settings, progress, monitor_work};
    }
    const Problem& problem;
    MixedForm form;
    PivotingWorkspace work;
    Settings settings;
    ProgressCallback progress;
    PivotMonitorWorkspace monitor_work;
};

StepOptions random_boxes(std::uint64_t seed) {
    StepOptions o;
    o.blocks = {3, 3, 6, 6};
    o.contacts = 8;
    o.boxes = 3;
    o.law = Law::box;
    o.compliance = seed % 3 == 0 ? 1e-3 : 0.0;
    o.seed = seed;
    return o;
}

TEST(LineSearch, InnerSolutionsAreThoseOfBlockExchanges) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Problem problem = problem_of(random_step(random_boxes(seed)));
        Stage stage(problem, 1e-10);
        Random random(seed);
        const double delta = std::pow(10.0, random.uniform(-4.0, -1.0));
        const Vector deltas(stage.form.p, delta), centre = random.vector(stage.form.p);
        PivotMonitor monitor = stage.monitor();
        BlockExchange exchange(stage.form);
        exchange.set_from(centre, stage.form.r);
        BoxLineSearch search(stage.form);
        search.set_states(exchange.states());
        const auto expected =
            exchange.run(*stage.work.ldl, deltas, centre, {100, 10000, false}, monitor);
        ASSERT_EQ(expected, BlockExchange::Result::converged);
        ASSERT_EQ(search.run(*stage.work.ldl, deltas, centre, {}, monitor),
                  BoxLineSearch::Result::converged);
        EXPECT_LE(distance(search.z(), exchange.z()), 1e-10 / delta) << seed;
        EXPECT_LE(distance(search.w(), exchange.w()), 1e-10) << seed;
        // Again from the set reached: nothing to do.
        ASSERT_EQ(search.run(*stage.work.ldl, deltas, centre, {}, monitor),
                  BoxLineSearch::Result::converged);
        EXPECT_EQ(search.steps(), 1);
        EXPECT_FALSE(search.exchanged());
    }
}

TEST(LineSearch, LimitsAndStops) {
    const Problem problem = problem_of(random_step(random_boxes(2)));
    Stage stage(problem, 1e-10);
    const Vector deltas(stage.form.p, 1e-3), centre(stage.form.p, 0.0);
    PivotMonitor monitor = stage.monitor();
    BoxLineSearch search(stage.form);
    EXPECT_EQ(search.run(*stage.work.ldl, deltas, centre, {1}, monitor),
              BoxLineSearch::Result::stalled);
    EXPECT_EQ(search.steps(), 1);
    stage.settings.max_iterations = 1;
    PivotMonitor impatient = stage.monitor();
    EXPECT_EQ(search.run(*stage.work.ldl, deltas, centre, {}, impatient),
              BoxLineSearch::Result::stopped);
    EXPECT_EQ(impatient.info().outcome, Outcome::iteration_limit);
}

TEST(LineSearch, LoopSolvesRandomSteps) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Problem problem = problem_of(random_step(random_boxes(seed)));
        Stage stage(problem, 1e-10);
        PivotMonitor monitor = stage.monitor();
        Vector z(stage.form.p, 0.0);
        EXPECT_TRUE(run_line_search(stage.form, z, 1e-2, stage.work, monitor));
        EXPECT_EQ(monitor.info().outcome, Outcome::solved) << seed;
        EXPECT_EQ(monitor.info().fallbacks, fallback::line_search);
    }
}

TEST(LineSearch, StacksAndPilesFromAColdStart) {
    namespace fs = std::filesystem;
    const char* given = std::getenv("PERP_INSTANCES");
    const fs::path folder = fs::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "blcp";
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    for (const char* const name :
         {"stack05", "stack20", "stack50", "wall06x05", "wall12x10", "heap060", "massratio_stack06",
          "massratio_chain060", "massratio_rope060", "ragdoll12", "rope0100",
          "rope0100_redundant"}) {
        const fs::path path = folder / (std::string(name) + ".h5");
        const Problem problem = read_problem(path.string(), Law::box);
        Stage stage(problem, 1e-9);
        PivotMonitor monitor = stage.monitor();
        Vector z(stage.form.p, 0.0);
        const bool done = run_line_search(stage.form, z, 1e-2, stage.work, monitor);
        EXPECT_TRUE(done) << name;
        EXPECT_EQ(monitor.info().outcome, Outcome::solved) << name;
        const Info& info = monitor.info();
        std::printf(
            "%-18s %5d rows  eta %.1e  outer %3d  systems %4d  factorizations %4d  "
            "updates %5d  delta %.1e\n",
            name, static_cast<int>(stage.form.p), monitor.best_eta(),
            static_cast<int>(info.outer_loops), static_cast<int>(info.iterations),
            static_cast<int>(info.factorizations), static_cast<int>(info.updates), info.delta);
    }
}

}  // namespace
}  // namespace perp::test
