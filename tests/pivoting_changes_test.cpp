// The pivoting method on problems that change under one solver, and at its limits.
#include "lattice.hpp"
#include "pivoting_support.hpp"

namespace perp::test {
namespace {

const Vector cycling_values{22, -5, 18, -5, 6, -11, 18, -11, 25};

using Mutable = std::shared_ptr<Problem>;

Mutable cycling(std::int64_t copies) {
    const Entries H(repeated(Dense(3, 3, cycling_values), copies));
    const std::int64_t p = 3 * copies;
    return std::make_shared<Problem>(Problem::general_blcp(
        H.view(), repeated(Vector{-1, 3, -5}, copies), Vector(p, 0.0), Vector(p, infinity)));
}

Info solve(Solver& solver, Vector& z) {
    std::fill(z.begin(), z.end(), 0.0);
    return solver.solve(z, {});
}

// A solver that lived through other values and a fresh one; both repeat themselves to the bit.
void expect_as_fresh(Solver& solver, const Mutable& problem, const Vector& expected) {
    Solver fresh(problem, solver.settings()), another(problem, solver.settings());
    Vector z(expected.size()), again(z), z1(z), z2(z);
    const Info info = solve(solver, z);
    EXPECT_EQ(info.outcome, Outcome::solved) << info.eta;
    EXPECT_EQ(solve(fresh, z1).outcome, Outcome::solved);
    EXPECT_LE(distance(z, z1), 1e-12 * largest(expected));
    EXPECT_LE(distance(z, expected), 1e-12 * largest(expected));
    solve(another, z2);
    EXPECT_TRUE(same_bits(z1, z2)) << "two fresh solvers";
    solve(solver, again);
    EXPECT_TRUE(same_bits(z, again)) << "the same solver twice";
}

TEST(PivotingChanges, OneSolverFollowsVectorsAndMatrices) {
    for (const std::int64_t copies : {1, 30}) {
        SCOPED_TRACE(copies);
        const Mutable problem = cycling(copies);
        Solver solver(problem, pivoting_settings(1e-14));
        const Vector first = repeated(Vector{0, 0, 0.2}, copies);
        const auto times = [&](double c) {
            Vector z = first;
            for (double& x : z) x *= c;
            return z;
        };
        expect_as_fresh(solver, problem, first);
        problem->set_vectors(repeated(Vector{-2, 6, -10}, copies), {}, {});
        expect_as_fresh(solver, problem, times(2.0));
        Vector values = cycling_values;
        for (double& x : values) x *= 1e6;
        problem->update_matrix(repeated(values, copies));
        expect_as_fresh(solver, problem, times(2e-6));
        problem->update_matrix(repeated(cycling_values, copies));
        expect_as_fresh(solver, problem, times(2.0));

        // A pair of entries in place, one alone (not symmetric then), and back.
        values = cycling_values;
        values[2] = values[6] = 0.0;
        problem->update_matrix(repeated(values, copies));
        expect_as_fresh(solver, problem, repeated(Vector{1.0 / 11.0, 0, 0.4}, copies));
        values[6] = 18.0;
        problem->update_matrix(repeated(values, copies));
        solve(solver, values = Vector(3 * copies));
        EXPECT_LE(eta_of(*problem, values), 1e-14);
        problem->update_matrix(repeated(cycling_values, copies));
        expect_as_fresh(solver, problem, times(2.0));

        EXPECT_FAILS(Status::bad_pattern, "", problem->update_matrix(Vector(9 * copies + 1, 1.0)));
        expect_as_fresh(solver, problem, times(2.0));
        problem->set_vectors({}, {}, Vector(3 * copies, 0.1));
        Vector capped(3 * copies);
        EXPECT_EQ(solve(solver, capped).outcome, Outcome::solved);
        EXPECT_LE(largest(capped), 0.1);
    }
}

// ------------------------------------------------------------------ steps and limits

Shared heap(std::uint64_t seed = 1) {
    LatticeOptions o;
    o.width = 3;
    o.height = 3;
    o.law = Law::box;
    o.joints = 2;
    o.redundant = true;
    o.seed = seed;
    return lattice(o);
}

TEST(PivotingChanges, RunsRepeatThemselves) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Shared problem = heap(seed);
        const Answer first = run(problem, pivoting_settings()),
                     second = run(problem, pivoting_settings());
        EXPECT_EQ(first.info.outcome, Outcome::solved);
        EXPECT_TRUE(same_bits(first.z, second.z));
        EXPECT_EQ(first.info.block_steps, second.info.block_steps);
        EXPECT_EQ(first.info.single_pivots, second.info.single_pivots);
        Solver solver(problem, pivoting_settings());
        Vector z(problem->rows()), again(z);
        solve(solver, z);
        solve(solver, again);
        EXPECT_TRUE(same_bits(z, again)) << "seed " << seed << ", the same solver twice";
    }
}

// The exact answer passed in is recognized before anything is done.
TEST(PivotingChanges, AnAnswerNeedsNoIteration) {
    const double r = 1e3, gh = 9.81e-3;
    for (const int copies : {1, 40}) {
        const Shared problem = shared(plain_contacts(
            repeated(Dense(2, 2, {1, 0, 0, r}), copies), Dense(0, 2 * copies),
            repeated(Dense(2, 2, {1, 0, -1, 1}), copies), repeated(Vector{-gh, -gh * r}, copies)));
        Settings settings = pivoting_settings();
        settings.max_iterations = 0;
        settings.warm_start = true;
        const Answer warm =
            run(problem, settings, repeated(Vector{gh * (1.0 + r), gh * r}, copies));
        EXPECT_EQ(warm.info.outcome, Outcome::solved);
        EXPECT_EQ(warm.info.iterations, 0);

        // The final set alone, through the solver and past it.
        Solver solver(problem, pivoting_settings());
        Vector z(2 * copies, 0.0);
        EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::solved);
        const States set(solver.basic_set().begin(), solver.basic_set().end());
        ASSERT_EQ(set.size(), z.size());
        Solver other(problem, pivoting_settings());
        other.set_basic_set(set);
        z.assign(z.size(), 0.0);
        for (const Info& info : {other.solve(z, {}), pivot_solved(*problem, 1e-10, set).info}) {
            EXPECT_EQ(info.outcome, Outcome::solved);
            EXPECT_EQ(info.block_steps + info.single_pivots, 0);
            EXPECT_EQ(info.updates, 0);
            EXPECT_LE(info.factorizations, 1);
        }
    }
}

class PivotingLimits : public HonestSolves {};

INSTANTIATE_TEST_SUITE_P(Pivoting, PivotingLimits, testing::Values(Method::pivoting),
                         [](const auto& p) { return std::string(name(p.param)); });

TEST_P(PivotingLimits, AreKeptHonestly) {
    const Shared problem = heap();
    const double start_eta = eta_of(*problem, Vector(problem->rows(), 0.0));
    Settings settings = pivoting_settings();
    Vector z(problem->rows());
    for (const std::int64_t limit : {0, 1, 2, 3}) {
        settings.max_iterations = limit;
        Solver solver(problem, settings);
        z.assign(z.size(), 0.0);
        const Info info = solve(problem, solver, z);
        EXPECT_EQ(info.outcome, Outcome::iteration_limit) << limit;
        EXPECT_LE(info.iterations, limit);
        EXPECT_LE(info.eta, start_eta);
        EXPECT_TRUE(solver.certificate().empty());
    }
    settings = pivoting_settings();
    settings.time_limit = 1e-9;
    Solver late(problem, settings);
    z.assign(z.size(), 0.0);
    EXPECT_EQ(solve(problem, late, z).outcome, Outcome::time_limit);
    EXPECT_TRUE(late.certificate().empty());
    // The limit gone, the same solver ends.
    late.set(pivoting_settings());
    EXPECT_EQ(solve(problem, late, z).outcome, Outcome::solved);
}

TEST_P(PivotingLimits, CancelsAndKeepsTheBestPoint) {
    const Shared problem = heap();
    for (int allowed = 0; allowed < 4; ++allowed) {
        int calls = 0;
        double best = infinity;
        const ProgressCallback progress = [&](const Progress& p) {
            best = std::min(best, p.eta);
            EXPECT_EQ(p.best_eta, best);
            return calls++ < allowed;
        };
        Solver solver(problem, pivoting_settings(1e-15));
        Vector z(problem->rows(), 0.0);
        const double start = eta_of(*problem, z);
        const Info info = solver.solve(z, progress);
        EXPECT_GT(calls, 0);
        if (calls <= allowed) break;  // ended before
        // What is solved when the callback says stop, is solved.
        EXPECT_EQ(info.outcome, info.eta <= 1e-15 ? Outcome::solved : Outcome::cancelled);
        EXPECT_EQ(calls, allowed + 1);
        EXPECT_EQ(info.eta, eta_of(*problem, z));
        EXPECT_LE(info.eta, std::min(start, best) * (1.0 + 1e-12));
        EXPECT_TRUE(solver.certificate().empty());
    }
}

}  // namespace
}  // namespace perp::test
