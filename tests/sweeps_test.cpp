// Gauss-Seidel sweeps: orders, relaxation, symmetry; what one sweep does, and that all converge.
#include <numeric>

#include "solver_support.hpp"
#include "solvers/methods.hpp"

namespace perp::test {
namespace {

// A problem of the box law as a general BLCP.
Problem as_matrix(const Problem& p) {
    const ConstraintSet& set = p.set();
    Vector lo(p.rows()), hi(p.rows());
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        lo[set.scalar_row[s]] = set.lo[s];
        hi[set.scalar_row[s]] = set.hi[s];
    }
    return Problem::general_blcp(Entries(dense(p.form_matrix())).view(), p.free_velocity(), lo, hi);
}

TEST(Pgs, EveryVariantOfTheSweepConverges) {
    for (const bool matrix : {false, true}) {
        const Law law = matrix ? Law::box : Law::cone;
        const Step step = random_step({.blocks = {3, 6}, .law = law, .seed = 6});
        const auto problem = shared(matrix ? as_matrix(problem_of(step)) : problem_of(step));
        Vector expected = run(problem, accurate(Method::apgd)).u;
        for (const SweepOrder order : {SweepOrder::given, SweepOrder::bfs, SweepOrder::random}) {
            for (const bool symmetric : {false, true}) {
                for (const double relaxation : {0.5, 1.0, 1.3, 1.9}) {
                    Settings s = accurate(Method::pgs);
                    s.sweep_order = order;
                    s.symmetric_sweep = symmetric;
                    s.relaxation = relaxation;
                    const Answer r = run(problem, s);
                    EXPECT_EQ(r.info.outcome, Outcome::solved) << relaxation;
                    EXPECT_LE(distance(r.u, expected), 1e-7);
                }
            }
        }
    }
}

// One sweep by hand: rows 0, 1 of H = [2 1; 1 2], q = (-2, -2), relaxed, in both orders.
TEST(Pgs, OneSweepIsWhatTheSettingsSay) {
    const Entries H(Dense(2, 2, {2, 1, 1, 2}));
    const auto problem = shared(Problem::general_blcp(H.view(), {-2, -2}, {}, {}));
    const auto relax = [](Vector z, int i, double omega) {
        z[i] += omega * (2.0 - 2.0 * z[i] - z[1 - i]) / 2.0;
        return z;
    };
    Settings s = accurate(Method::pgs, 1e-300);
    s.max_iterations = 1;
    for (const double omega : {0.5, 1.0, 1.5}) {
        s.relaxation = omega;
        s.symmetric_sweep = false;
        const Vector forward = relax(relax({0, 0}, 0, omega), 1, omega);
        EXPECT_LE(distance(run(problem, s).z, forward), 1e-15);
        s.symmetric_sweep = true;
        const Vector back = relax(relax(forward, 1, omega), 0, omega);
        EXPECT_LE(distance(run(problem, s).z, back), 1e-15);
    }
    // As given: bilateral rows, contacts, box rows; whoever comes first stops the mass.
    Step one;
    one.shape = {0, 0, 0};
    one.M = one.A = one.N = one.B = Dense(1, 1, {1});
    one.rows.f = {-1};
    one.rows.lo_B = {-5};
    one.rows.hi_B = {5};
    s.relaxation = 1.0;
    s.symmetric_sweep = false;
    s.check_interval = 1;
    s.eliminate_bilateral = false;
    EXPECT_LE(distance(run(shared(problem_of(one)), s).z, {1, 0, 0}), 1e-15);
    s.eliminate_bilateral = true;  // and after every sweep, where they are solved exactly
    EXPECT_LE(distance(run(shared(problem_of(one)), s).z, {1, 0, 0}), 1e-12);
    // From the ground up: masses on top of each other, the upper contact listed first.
    Step stack;
    stack.shape = {0, 0, 0};
    stack.M = Dense(2, 2, {1, 0, 0, 1});
    stack.N = Dense(2, 2, {-1, 1, 1, 0});
    stack.rows.f = {-1, -1};
    Settings up = accurate(Method::pgs, 1e-300);
    up.max_iterations = 1;
    const auto stacked = shared(problem_of(stack));
    EXPECT_LE(distance(run(stacked, up).z, {0, 1}), 1e-15);
    up.sweep_order = SweepOrder::bfs;
    EXPECT_LE(distance(run(stacked, up).z, {0.5, 1}), 1e-15);
}

TEST(Pgs, RandomOrdersDependOnTheSeedAlone) {
    const auto problem = shared(problem_of(random_step({.contacts = 6})));
    Settings s = accurate(Method::pgs);
    s.sweep_order = SweepOrder::random;
    s.eliminate_bilateral = false;
    s.max_iterations = 2;  // more, and these few rows are solved to the last bit
    s.tolerance = 1e-14;
    Solver solver(problem, s);
    Vector first(problem->rows()), second(problem->rows()), other(problem->rows());
    solver.solve(first, {});
    solver.solve(second, {});
    EXPECT_TRUE(same_bits(first, second));
    s.seed = 1;
    solver.set(s);
    solver.solve(other, {});
    EXPECT_FALSE(same_bits(first, other));
    s.seed = 0;
    for (const SweepOrder order : {SweepOrder::given, SweepOrder::random}) {  // there and back
        s.sweep_order = order;
        solver.set(s);
    }
    solver.solve(second, {});
    EXPECT_TRUE(same_bits(first, second));
}

TEST(Pgs, BreadthFirstOrdersArePermutationsFromTheGroundUp) {
    // Three bodies of one degree of freedom, stacked: 2-1, ground-0, 1-0, and a lone body 3.
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    s.N = Dense(4, 4, {0, -1, 1, 0, 1, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 1});
    s.rows.f = {-1, -1, -1, -1};
    const std::vector<std::int32_t> expected{1, 3, 2, 0};
    EXPECT_EQ(breadth_first_order(ScaledProblem(problem_of(s))), expected);
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Step step =
            random_step({.blocks = {1, 1, 1, 3}, .contacts = 7, .boxes = 3, .seed = seed});
        std::vector<Problem> forms{problem_of(step),
                                   problem_of(random_step({.law = Law::box, .seed = seed}))};
        forms.push_back(as_matrix(forms[1]));
        for (const Problem& problem : forms) {
            const ScaledProblem scaled(problem);
            std::vector<std::int32_t> order = breadth_first_order(scaled);
            std::sort(order.begin(), order.end());
            std::vector<std::int32_t> all(scaled.contacts() + scaled.scalars());
            std::iota(all.begin(), all.end(), 0);
            EXPECT_EQ(order, all);
        }
    }
}

// The objective 1/2 z'Sz + r'z falls from sweep to sweep (spectral step, relaxation <= 1).
TEST(Pgs, TheObjectiveFallsFromSweepToSweep) {
    const Step step = random_step({.shape = {2, 1, 2}, .contacts = 5, .seed = 5});
    const auto problem = shared(problem_of(step));
    double last = 0.0;
    for (std::int64_t sweeps = 1; sweeps < 40; ++sweeps) {
        Settings s = accurate(Method::pgs, 1e-15);
        s.max_iterations = sweeps;
        s.check_interval = 1;
        const Answer r = run(problem, s);
        double objective = 0.0;
        for (std::size_t i = 0; i < r.z.size(); ++i)
            objective += 0.5 * r.z[i] * (r.u[i] + problem->free_velocity()[i]);
        EXPECT_LE(objective, last + 1e-12 * std::abs(last)) << sweeps;
        last = objective;
    }
}

}  // namespace
}  // namespace perp::test
