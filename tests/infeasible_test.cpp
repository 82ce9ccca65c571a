// Contradictory constraints: told apart from hard ones, with a certificate that is verified here.
#include "solver_support.hpp"

namespace perp::test {
namespace {

class Contradictions : public HonestSolves {};

INSTANTIATE_TEST_SUITE_P(Methods, Contradictions, testing::ValuesIn(iterating),
                         [](const auto& p) { return std::string(name(p.param)); });

// d in the recession cone of K, W d = 0, r . d < 0: adding t d to any z keeps u, and z . u would
// have to stay.
void verify_certificate(const Problem& problem, const Vector& d) {
    const Vector u = dense(problem.form_matrix()) * d;
    double descent = 0.0;
    for (std::size_t i = 0; i < d.size(); ++i) descent -= d[i] * problem.free_velocity()[i];
    const double size = largest(d), velocity = largest(problem.free_velocity());
    EXPECT_GT(descent, 1e-6 * size * velocity);
    EXPECT_LE(largest(u), 1e-9 * size * largest(dense(problem.form_matrix()).a) + 1e-300);
    const ConstraintSet& set = problem.set();
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        const double x = d[set.scalar_row[s]];
        EXPECT_TRUE(std::isinf(set.lo[s]) || x >= 0.0);
        EXPECT_TRUE(std::isinf(set.hi[s]) || x <= 0.0);
    }
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        Vector x(k);
        for (int j = 0; j < k; ++j) x[j] = d[set.contact_row[i * k + j]];
        EXPECT_LE(cone_violation(set.shape, set.coefficients(i), x.data()), 1e-12 * size);
    }
}

// A contact without Jacobian that must open: no impulse can help.
Shared hopeless_contact() {
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(1, 1, {1});
    s.N = Dense(2, 1, {0, 1});
    s.rows.f = {1};
    s.rows.b_N = {-1, 0};
    return shared(problem_of(s));
}

struct Infeasible {
    const char* what;
    Shared problem;
};

Shared contradictory_joints() {
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(2, 2, {2, 0, 0, 3});
    s.A = Dense(3, 2, {1, 1, 1, 1, 2, 2});
    s.rows.f = {1, -4};
    s.rows.u = {0, 1, 0};
    return shared(problem_of(s));
}

std::vector<Infeasible> infeasible_problems() {
    return {
        {"zero row", blcp(Dense(1, 1), {-1}, {0}, {})},
        {"zero row at an upper bound",
         blcp(Dense(2, 2, {0, 0, 0, 1}), {2, 1}, {-infinity, 0}, {5, 1})},
        {"two sides", blcp(Dense(2, 2, {1, -1, -1, 1}), {-1, -0.5}, {0, 0}, {})},
        {"free rows", blcp(Dense(2, 2, {1, 2, 2, 4}), {1, 1})},
        {"contradictory joints", contradictory_joints()},
        {"contact without Jacobian", hopeless_contact()},
        {"squeezed, no friction", shared(problem_of(squeezed({0, 0, 0})))},
        {"squeezed, friction", shared(problem_of(squeezed({2, 0, 0})))},
        {"squeezed, rolling", shared(problem_of(squeezed({2, 1, 2})))},
    };
}

TEST_P(Contradictions, ContradictionsAreProven) {
    for (const auto& [what, problem] : infeasible_problems()) {
        SCOPED_TRACE(what);
        Solver solver(problem, with_method(GetParam()));
        Vector z(problem->rows());
        const Info info = solve(problem, solver, z);
        EXPECT_EQ(info.outcome, Outcome::no_solution) << info.iterations << " iterations";
        if (info.outcome == Outcome::no_solution)
            verify_certificate(*problem, solver.certificate());
    }
}

// Feasible, however large the impulses: contradictions must not be claimed.
TEST_P(Contradictions, HardProblemsAreNotCalledContradictory) {
    for (const double ratio : {1e3, 1e6, 1e8, 1e10, 1e12}) {
        Step s;
        s.shape = {0, 0, 0};
        s.M = Dense(2, 2, {1, 0, 0, ratio});
        s.N = Dense(2, 2, {1, 0, -1, 1});
        s.rows.f = {-9.81e-3, -9.81e-3 * ratio};
        const Info info = solve(shared(problem_of(s)), with_method(GetParam(), 1e-8));
        EXPECT_NE(info.outcome, Outcome::no_solution) << ratio;
    }
    // A redundant joint with a velocity that deviates by rounding.
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(2, 2, {2, 0, 0, 3});
    s.A = Dense(3, 2, {1, 1, 1, 1, 2, 2});
    s.rows.f = {1, -4};
    s.rows.u = {0.1, 0.1 * (1 + 2e-16), 0.3 - 0.1};
    EXPECT_EQ(solve(shared(problem_of(s)), with_method(GetParam(), 1e-10)).outcome,
              Outcome::solved);
}

// Redundant joints that agree up to rounding, a body that just fits between two walls: whatever
// the accuracy asked for, rounding must not be taken for a contradiction.
Step just_feasible(const ContactShape& shape, std::uint64_t seed) {
    Step s = random_step({.blocks = {3, 6, 3},
                          .shape = shape,
                          .bilateral = 4,
                          .contacts = 5,
                          .redundant = false,
                          .seed = seed});
    Random random(seed);
    const double a = seed % 2 == 1 ? 1.0 : random.uniform(),
                 b = seed % 2 == 1 ? 0.0 : random.uniform();
    for (std::int64_t j = 0; j < s.M.rows; ++j) {
        s.A(2, j) = a * s.A(0, j) + b * s.A(1, j);
        s.A(3, j) = 2.0 * s.A(1, j);
        if (seed % 4 == 0) s.N(1, j) = -s.N(0, j);
    }
    s.rows.u[2] = (a * s.rows.u[0] + b * s.rows.u[1]) * (seed % 3 == 0 ? 1.0 + 3e-16 : 1.0);
    s.rows.u[3] = 2.0 * s.rows.u[1];
    if (seed % 4 != 0) return s;
    s.rows.b_N[1] = -s.rows.b_N[0];
    for (Vector* v : {&s.rows.mu, &s.rows.rho, &s.rows.sigma}) (*v)[0] = (*v)[1] = 0.0;
    return s;
}

TEST_P(Contradictions, RoundingIsNone) {
    for (const ContactShape& shape :
         {ContactShape{0, 0, 1}, ContactShape{1, 0, 0}, ContactShape{2, 0, 0}}) {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            const Shared problem = shared(problem_of(just_feasible(shape, seed)));
            for (const double tolerance : {1e-300, 1e-10}) {
                Settings s = with_method(GetParam(), tolerance);
                s.max_iterations = 2000;
                const Info info = solve(problem, s);
                EXPECT_NE(info.outcome, Outcome::no_solution)
                    << shape_name(shape) << " seed " << seed << " eta " << info.eta;
            }
        }
    }
}

// u_0 = -1 whatever z is. With W not symmetric the proof is W' d = 0.
TEST_P(Contradictions, ContradictionsOfMatricesThatAreNotSymmetric) {
    const Shared problem = blcp(Dense(2, 2, {0, 0, 1e-3, 1}), {-1, 1}, {0, 0}, {});
    if (!unsupported_reason(*problem, GetParam()).empty()) return;
    Solver solver(problem, with_method(GetParam()));
    Vector z(2);
    const Info info = solve(problem, solver, z);
    EXPECT_EQ(info.outcome, Outcome::no_solution);
    const Vector& d = solver.certificate();
    EXPECT_EQ(largest(transposed(dense(problem->form_matrix())) * d), 0.0);
    EXPECT_LT(-1.0 * d[0] + 1.0 * d[1], 0.0);
}

TEST_P(Contradictions, EarlierProofsLeaveNoTrace) {
    for (const std::int64_t interval : {1, 10, 150, 250}) {
        Settings s = with_method(GetParam());
        s.check_interval = interval;
        const Shared problem = hopeless_contact();
        Solver used(problem, s);
        Vector z(problem->rows());
        const Info first = used.solve(z, {});
        const Info second = used.solve(z, {});
        EXPECT_EQ(first.outcome, second.outcome);
        EXPECT_EQ(first.iterations, second.iterations) << interval;
    }
}

}  // namespace
}  // namespace perp::test
