// The interior point for cones: known answers, other solvers, hard scales, redundant contacts, what
// it must not call solved.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cones/contact_cone.hpp"
#include "io/instance.hpp"
#include "restated.hpp"
#include "solver_support.hpp"

namespace perp::test {
namespace {

namespace fs = std::filesystem;

Answer solved(const Shared& problem, double tolerance = 1e-10) {
    Answer a = run(problem, with_method(Method::ipm, tolerance));
    EXPECT_EQ(a.info.outcome, Outcome::solved) << "eta " << a.info.eta;
    EXPECT_LE(a.info.eta, tolerance);
    EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
    EXPECT_GE(a.info.factorizations, a.info.interior_steps);
    return a;
}

DelassusForm delassus_form(const Entries& W, const ContactShape& shape, Random& random) {
    DelassusForm form;
    form.W = W.view();
    form.shape = shape;
    form.q = random.vector(W.rows);
    const std::int64_t contacts = W.rows / shape.rows();
    form.mu = random.vector(contacts, 0.0, 1.5);
    form.rho = random.vector(contacts, 0.0, 0.5);
    form.sigma = random.vector(contacts, 0.0, 0.5);
    return form;
}

class ConesOfShape : public testing::TestWithParam<ContactShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, ConesOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

// With W = 1 the solution is the projection of -q.
TEST_P(ConesOfShape, KnownAnswerIsTheProjection) {
    const ContactShape shape = GetParam();
    const std::int64_t contacts = 25, k = shape.rows();
    Dense W(contacts * k, contacts * k);
    for (std::int64_t i = 0; i < W.rows; ++i) W(i, i) = 1.0;
    const Entries entries(W);
    Random random(5);
    DelassusForm form = delassus_form(entries, shape, random);
    form.mu[3] = form.rho[3] = form.sigma[3] = 0.0;
    form.mu[4] = 0.0;
    const Answer a = solved(shared(Problem::delassus(form)), 1e-12);
    for (std::int64_t i = 0; i < contacts; ++i) {
        std::array<double, 6> x{};
        for (std::int64_t j = 0; j < k; ++j) x[j] = -form.q[i * k + j];
        project_contact(shape, {form.mu[i], form.sigma[i], form.rho[i]}, x.data());
        for (std::int64_t j = 0; j < k; ++j) EXPECT_NEAR(a.z[i * k + j], x[j], 1e-10) << i;
    }
}

// Velocities are unique: those of projected gradients to the same accuracy.
TEST_P(ConesOfShape, AgreeWithFirstOrderSolvers) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        for (const double compliance : {0.0, 0.1}) {
            const Step step = random_step({.blocks = {6, 3, 6},
                                           .shape = GetParam(),
                                           .bilateral = 2,
                                           .contacts = 6,
                                           .boxes = 2,
                                           .compliance = compliance,
                                           .seed = seed});
            const Shared problem = shared(problem_of(step));
            const Answer a = solved(problem, 1e-12);
            const Answer b = run(problem, accurate(Method::apgd, 1e-10));
            ASSERT_LE(b.info.eta, 1e-7);
            EXPECT_LE(distance(a.v, b.v), 1e3 * b.info.eta + 1e-9) << seed;
            EXPECT_LE(a.info.factorizations, 40);
        }
    }
}

// The same step with its Delassus matrix in place of M and J.
TEST_P(ConesOfShape, MatrixFormsHaveTheSameVelocities) {
    const ContactShape shape = GetParam();
    const std::int64_t k = shape.rows();
    Random random(8);
    const Dense J = random_rows(8 * k, 9 * k, random);
    const Entries W(J * transposed(J));
    const DelassusForm form = delassus_form(W, shape, random);
    Step s;
    s.shape = shape;
    s.M = Dense(9 * k, 9 * k);
    for (std::int64_t i = 0; i < s.M.rows; ++i) s.M(i, i) = 1.0;
    const std::int64_t t = shape.tangential, angular = shape.angular();
    s.N = Dense(8, 9 * k);
    s.D = Dense(8 * t, 9 * k);
    s.S = Dense(8 * angular, 9 * k);
    for (std::int64_t i = 0; i < 8; ++i) {
        copy_row(J, i * k, s.N, i);
        s.rows.b_N.push_back(form.q[i * k]);
        for (std::int64_t l = 0; l < t; ++l) {
            copy_row(J, i * k + 1 + l, s.D, i * t + l);
            s.rows.b_T.push_back(form.q[i * k + 1 + l]);
        }
        for (std::int64_t l = 0; l < angular; ++l) {
            copy_row(J, i * k + 1 + t + l, s.S, i * angular + l);
            s.rows.b_S.push_back(form.q[i * k + 1 + t + l]);
        }
    }
    s.rows.f.assign(9 * k, 0.0);
    s.rows.mu = form.mu;
    s.rows.rho = form.rho;
    s.rows.sigma = form.sigma;
    const Answer matrix = solved(shared(Problem::delassus(form)), 1e-11);
    const Answer jacobian = solved(shared(problem_of(s)), 1e-11);
    for (std::int64_t i = 0; i < 8; ++i)
        EXPECT_NEAR(matrix.u[i * k], jacobian.u[i], 1e-8) << "normal velocity " << i;
}

TEST_P(ConesOfShape, UnitsAndOrderDoNotMatter) {
    const Stated given{
        random_step({.blocks = {3, 6, 3}, .shape = GetParam(), .contacts = 5, .boxes = 2}),
        Vector(5 * GetParam().rows() + 3)};
    const Answer expected = solved(shared(problem_of(given.step)), 1e-11);
    const auto velocities = [](const Stated& s) {
        return solved(shared(problem_of(s.step)), 1e-11).v;
    };
    const double size = largest(expected.v);
    for (const double c : {1e3, 1e-9})
        EXPECT_LE(distance(velocities(other_mass_unit(given, c)), expected.v), 1e-8 * size);
    EXPECT_LE(distance(velocities(other_order(given)), expected.v), 1e-8 * size);
    for (const double c : {1e3, 1e-6}) {
        Vector v = velocities(other_length_unit(given, c));
        for (std::size_t i = 0; i < v.size(); ++i)
            if (i % 3 != 2) v[i] /= c;  // the others are angles
        EXPECT_LE(distance(v, expected.v), 1e-8 * size) << c;
    }
}

TEST_P(ConesOfShape, SameBitsTwice) {
    const Shared problem = shared(problem_of(random_step({.shape = GetParam(), .contacts = 6})));
    Solver solver(problem, with_method(Method::ipm, 1e-10));
    Vector first(problem->rows()), second(problem->rows()), third(problem->rows());
    const Info one = solver.solve(first, {});
    const Info two = solver.solve(second, {});
    Solver(problem, solver.settings()).solve(third, {});
    EXPECT_TRUE(same_bits(first, second));
    EXPECT_TRUE(same_bits(first, third));
    EXPECT_EQ(one.factorizations, two.factorizations);
}

// New values in the same pattern: as from a new solver.
TEST(ConeInteriorPoint, FollowsChangesOfTheProblem) {
    const Step step = random_step({.blocks = {6, 6}, .shape = {2, 1, 2}, .contacts = 5});
    const auto problem = std::make_shared<Problem>(problem_of(step));
    Solver solver(problem, with_method(Method::ipm, 1e-10));
    Vector z(problem->rows()), fresh(problem->rows());
    solver.solve(z, {});
    ContactRows rows = step.rows;
    for (double& f : rows.f) f = -0.7 * f + 0.1;
    rows.mu[2] = 0.0;
    problem->set_vectors(rows);
    const Info info = solver.solve(z, {});
    EXPECT_EQ(info.outcome, Outcome::solved);
    Solver(problem, solver.settings()).solve(fresh, {});
    EXPECT_TRUE(same_bits(z, fresh));
}

// ------------------------------------------------------------------ hard scales

// Point masses on each other, the heaviest on top, pushed less than friction holds: every contact
// carries what is above it. Rounding of impulses that large is all that limits eta.
TEST(ConeInteriorPoint, StacksWithLargeMassRatios) {
    constexpr double weight = 9.81e-3;
    for (const double ratio : {1e2, 1e4, 1e6, 1e8}) {
        constexpr std::int64_t bodies = 6;
        Step s;
        s.shape = {2, 0, 0};
        s.M = Dense(3 * bodies, 3 * bodies);
        s.N = Dense(bodies, 3 * bodies);
        s.D = Dense(2 * bodies, 3 * bodies);
        Vector mass(bodies);
        for (std::int64_t i = 0; i < bodies; ++i) {
            mass[i] = i + 1 == bodies ? ratio : 1.0;
            for (std::int64_t j = 0; j < 3; ++j) {
                s.M(3 * i + j, 3 * i + j) = mass[i];
                Dense& J = j == 2 ? s.N : s.D;
                const std::int64_t row = j == 2 ? i : 2 * i + j;
                J(row, 3 * i + j) = 1.0;
                if (i > 0) J(row, 3 * (i - 1) + j) = -1.0;
                s.rows.f.push_back(j == 2   ? -mass[i] * weight
                                   : j == 0 ? 0.2 * mass[i] * weight
                                            : 0.0);
            }
        }
        s.rows.b_N.assign(bodies, 0.0);
        s.rows.b_T.assign(2 * bodies, 0.0);
        s.rows.mu.assign(bodies, 0.5);
        const Answer a = solved(shared(problem_of(s)), std::max(1e-10, 1e-15 * ratio));
        double above = 0.0;
        for (std::int64_t i = bodies - 1; i >= 0; --i) {
            above += mass[i] * weight;
            EXPECT_NEAR(a.z[i], above, 1e-6 * above) << ratio;
            EXPECT_NEAR(a.z[bodies + 2 * i], -0.2 * above, 1e-6 * above) << ratio;
        }
        EXPECT_LE(a.info.factorizations, 50) << ratio;
    }
}

// The same contacts several times: impulses are not unique, velocities are.
TEST(ConeInteriorPoint, RedundantContacts) {
    const Step once = random_step({.blocks = {6, 6}, .contacts = 4, .redundant = false});
    Step often = once;
    const std::int64_t copies = 5, r = 4, n = once.M.rows;
    often.N = Dense(copies * r, n);
    often.D = Dense(copies * 2 * r, n);
    often.rows.b_N.clear();
    often.rows.b_T.clear();
    for (auto* const v : {&often.rows.mu, &often.rows.rho, &often.rows.sigma}) v->clear();
    for (std::int64_t i = 0; i < copies * r; ++i) {
        copy_row(once.N, i % r, often.N, i);
        for (std::int64_t l = 0; l < 2; ++l) copy_row(once.D, 2 * (i % r) + l, often.D, 2 * i + l);
        often.rows.b_N.push_back(once.rows.b_N[i % r]);
        often.rows.b_T.insert(often.rows.b_T.end(), 2, 0.0);
        often.rows.mu.push_back(once.rows.mu[i % r]);
        often.rows.rho.push_back(0.0);
        often.rows.sigma.push_back(0.0);
    }
    often.rows.compliance_N.clear();
    often.rows.compliance_T.clear();
    const Answer a = solved(shared(problem_of(once)), 1e-11);
    const Answer b = solved(shared(problem_of(often)), 1e-11);
    EXPECT_LE(distance(a.v, b.v), 1e-9 * largest(a.v));
}

// ------------------------------------------------------------------ bounds

TEST(ConeInteriorPoint, BoundsAgreeWithPivoting) {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
        const Shared problem = random_bounds(random, round % 2 == 0);
        const Answer a = solved(problem, 1e-10);
        const Answer b = run(problem, with_method(Method::pivoting, 1e-10));
        ASSERT_EQ(b.info.outcome, Outcome::solved);
        EXPECT_LE(distance(a.u, b.u), 1e-6) << round;
        expect_within_bounds(*problem, a.z);
    }
}

TEST(ConeInteriorPoint, TiedBoundsByRounds) {
    Step s = random_step({.blocks = {6, 6}, .law = Law::box});
    s.rows.lo_T.clear();
    s.rows.hi_T.clear();
    s.rows.mu.assign(s.rows.mu.size(), 0.2);
    solved(shared(problem_of(s)), 1e-8);
}

// ------------------------------------------------------------------ honesty

TEST(ConeInteriorPoint, ContradictionsAreNotCalledSolved) {
    // A body pressed between two walls that approach each other.
    Step squeezed;
    squeezed.shape = {2, 0, 0};
    squeezed.M = Dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    squeezed.N = Dense(2, 3, {0, 0, 1, 0, 0, -1});
    squeezed.D = Dense(4, 3, {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0});
    squeezed.rows.f = {0.1, 0.0, -1.0};
    squeezed.rows.b_N = {-1.0, -1.0};
    squeezed.rows.b_T.assign(4, 0.0);
    squeezed.rows.mu = {0.3, 0.3};
    // A joint stated twice, differently.
    Step joints = random_step({.blocks = {6}, .bilateral = 2, .contacts = 2});
    copy_row(joints.A, 0, joints.A, 1);
    joints.rows.u[1] = joints.rows.u[0] + 0.5;
    for (const Step& step : {squeezed, joints}) {
        const Shared problem = shared(problem_of(step));
        Solver solver(problem, with_method(Method::ipm, 1e-8));
        Vector z(problem->rows());
        const Info info = solver.solve(z, {});
        EXPECT_NE(info.outcome, Outcome::solved);
        EXPECT_GT(info.eta, 1e-3);
        EXPECT_EQ(info.outcome == Outcome::no_solution, !solver.certificate().empty());
        for (const double x : z) EXPECT_TRUE(std::isfinite(x));
    }
}

TEST(ConeInteriorPoint, ProvesThatThereIsNoSolution) {
    const Shared problem = blcp(Dense(2, 2, {1, -1, -1, 1}), {-1.0, 0.5}, {0.0, 0.0}, {});
    Solver solver(problem, with_method(Method::ipm, 1e-8));
    Vector z(2);
    EXPECT_EQ(solver.solve(z, {}).outcome, Outcome::no_solution);
    ASSERT_EQ(solver.certificate().size(), 2u);
    const Vector& d = solver.certificate();
    EXPECT_GT(d[0], 0.0);
    EXPECT_NEAR(d[1] / d[0], 1.0, 1e-9);
}

TEST(ConeInteriorPoint, KeepsItsLimits) {
    const Shared problem = shared(problem_of(random_step({.shape = {2, 1, 2}})));
    for (const std::int64_t limit : {0, 1, 4}) {
        Settings s = with_method(Method::ipm, 1e-10);
        s.max_iterations = limit;
        const Answer a = run(problem, s);
        EXPECT_EQ(a.info.outcome, Outcome::iteration_limit);
        EXPECT_EQ(a.info.iterations, limit);
        EXPECT_EQ(a.info.interior_steps, limit);
        EXPECT_LE(a.info.eta, eta_of(*problem, Vector(a.z.size(), 0.0)));
    }
    int evaluations = 0;
    Solver solver(problem, with_method(Method::ipm, 1e-10));
    Vector z(problem->rows());
    const Info info = solver.solve(z, [&](const Progress&) { return ++evaluations < 3; });
    EXPECT_EQ(info.outcome, Outcome::cancelled);
}

// A tolerance beyond rounding: it stalls, soon, at the best point.
TEST(ConeInteriorPoint, StallsWhereRoundingEndsIt) {
    const Answer a =
        run(shared(problem_of(random_step({.contacts = 8}))), with_method(Method::ipm, 1e-300));
    EXPECT_EQ(a.info.outcome, Outcome::stalled);
    EXPECT_LE(a.info.eta, 1e-12);
    EXPECT_LE(a.info.factorizations, 70);
}

TEST(ConeInteriorPoint, RefusesMatricesThatAreNotSymmetric) {
    const Shared problem = blcp(Dense(2, 2, {1, 0.5, -0.5, 1}), {-1.0, -1.0}, {0.0, 0.0}, {});
    EXPECT_NE(unsupported_reason(*problem, Method::ipm).find("ipm needs a symmetric matrix"),
              std::string::npos);
    EXPECT_FAILS(Status::unsupported, "symmetric", Solver(problem, with_method(Method::ipm)));
    EXPECT_FALSE(pivots(Method::ipm));
    EXPECT_EQ(method_from_name("ipm"), Method::ipm);
}

// ------------------------------------------------------------------ instances

// What was measured, plus a quarter, to eta <= 1e-10.
TEST(ConeInteriorPoint, InstancesStayBelowTheirCeilings) {
    const char* const given = std::getenv("PERP_INSTANCES");
    const fs::path folder = given != nullptr ? fs::path(given) : fs::path(PERP_INSTANCES_DEFAULT);
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    const struct {
        const char* file;
        std::int64_t factorizations;
    } cases[] = {
        {"chrono/chrono-chain-open.h5", 30},       {"chrono/chrono-guideway-balls.h5", 24},
        {"chrono/chrono-gravel500-rho005.h5", 27}, {"chrono/chrono-mass1000-start.h5", 42},
        {"chrono/chrono-wall-fall.h5", 32},        {"fclib/Capsules-i100-1090.hdf5", 30},
        {"fclib/Confeti-ex13-4contact.hdf5", 25},  {"fclib/FC2D_granular_00667_00000.hdf5", 38},
        {"fclib/Gen_wall-12-step2-1488.hdf5", 42}, {"fclib/RFC3D_cube_1.hdf5", 24},
        {"blcp/rope0100_redundant.h5", 36},        {"blcp/massratio_chain060.h5", 24},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.file);
        const Shared problem = shared(read_problem((folder / c.file).string(), std::nullopt));
        EXPECT_LE(solved(problem).info.factorizations, c.factorizations);
    }
}

}  // namespace
}  // namespace perp::test
