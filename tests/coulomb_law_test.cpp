// The exact Coulomb law as a property of problems, by every method for cones: known answers,
// Delassus forms, limits, honesty. Distances are also computed in dense algebra, apart from eta.
#include <cstdlib>
#include <filesystem>

#include "friction_scenes.hpp"
#include "io/instance.hpp"
#include "step/stepper.hpp"

namespace perp::test {
namespace {

constexpr Method cone_methods[] = {Method::automatic, Method::accurate, Method::ipm,
                                   Method::newton,    Method::apgd,     Method::pgs,
                                   Method::aapgs};

class CoulombLaw : public HonestSolves {
protected:
    [[nodiscard]] Settings tight(double tolerance = 1e-8) const {
        return accurate(GetParam(), tolerance);
    }
    // Sweeps, with which auto begins, solve one contact after the other.
    [[nodiscard]] static bool by_rounds() {
        return GetParam() != Method::pgs && GetParam() != Method::aapgs &&
               GetParam() != Method::automatic;
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, CoulombLaw, testing::ValuesIn(cone_methods),
                         [](const auto& info) { return name(info.param); });

Problem exact(Step s) {
    s.law = Law::coulomb;
    return problem_of(s);
}

Step random_contacts(const ContactShape& shape, std::uint64_t seed, int others = 1) {
    Step s = random_step({.blocks = {3, 3, 3},
                          .shape = shape,
                          .bilateral = others,
                          .contacts = 4,
                          .boxes = others,
                          .compliance = 0.05,
                          .seed = seed});
    for (double& mu : s.rows.mu) mu *= 0.5;
    return s;
}

// Rows of the contacts of a step one after the other, as in a Delassus form.
std::vector<std::int64_t> interleaved(const Step& s) {
    std::vector<std::int64_t> rows;
    const std::int64_t r = s.N.rows, t = s.shape.tangential, a = s.shape.angular();
    for (std::int64_t i = 0; i < r; ++i) {
        rows.push_back(s.A.rows + i);
        for (std::int64_t j = 0; j < t; ++j) rows.push_back(s.A.rows + r + i * t + j);
        for (std::int64_t j = 0; j < a; ++j) rows.push_back(s.A.rows + r + r * t + i * a + j);
    }
    return rows;
}

// Largest |g - P_K(g - u~)| of the contacts, u~ with De Saxce's shift.
double contact_violation(const Step& s, const Vector& z) {
    Vector u = s.delassus() * z;
    const Vector r = s.free_velocity();
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += r[i];
    const std::vector<std::int64_t> rows = interleaved(s);
    const int k = s.shape.rows(), t = s.shape.tangential;
    double worst = 0.0;
    for (std::int64_t i = 0; i < s.N.rows; ++i) {
        const ConeCoefficients c{s.rows.mu[i], s.rows.sigma[i], s.rows.rho[i]};
        double x[6], speed[3] = {0, 0, 0};
        for (int j = 1; j < k; ++j) {
            const int group = j <= t ? 0 : j <= t + s.shape.spin ? 1 : 2;
            speed[group] = std::hypot(speed[group], u[rows[i * k + j]]);
        }
        for (int j = 0; j < k; ++j) x[j] = z[rows[i * k + j]] - u[rows[i * k + j]];
        x[0] -= c.sliding * speed[0] + c.spin * speed[1] + c.roll * speed[2];
        project_contact(s.shape, c, x);
        for (int j = 0; j < k; ++j) worst = std::max(worst, std::abs(z[rows[i * k + j]] - x[j]));
    }
    return worst;
}

// The contacts of a step without other rows.
Problem delassus_of(const Step& s) {
    const std::vector<std::int64_t> rows = interleaved(s);
    const Dense full = s.delassus();
    const auto p = static_cast<std::int64_t>(rows.size());
    Dense W(p, p);
    Vector q;
    for (std::int64_t i = 0; i < p; ++i) {
        q.push_back(s.free_velocity()[rows[i]]);
        for (std::int64_t j = 0; j < p; ++j) W(i, j) = full(rows[i], rows[j]);
    }
    const Entries entries(W);
    DelassusForm form;
    form.W = entries.view();
    form.shape = s.shape;
    form.q = q;
    form.mu = s.rows.mu;
    form.rho = s.rows.rho;
    form.sigma = s.rows.sigma;
    Problem problem = Problem::delassus(form);
    problem.set_law(Law::coulomb);
    return problem;
}

// ------------------------------------------------------------------ known answers

TEST_P(CoulombLaw, SlidingBlockDoesNotOpen) {
    const double h = 1e-3, mu = 0.5, speed = 6.0, angle = 0.3;
    const Step s = point_mass(1.0, mu, {speed * std::cos(angle), speed * std::sin(angle), 0}, h);
    const Answer lifted = run(shared(problem_of(s)), tight());
    EXPECT_NEAR(lifted.u[0], mu * std::hypot(lifted.u[1], lifted.u[2]), 1e-6);
    const Answer a = run(shared(exact(s)), tight(1e-10));
    ASSERT_EQ(a.info.outcome, Outcome::solved) << a.info.eta;
    EXPECT_NEAR(a.z[0], gravity * h, 1e-8);
    EXPECT_NEAR(a.u[0], 0.0, 1e-8);
    EXPECT_NEAR(a.z[1], -mu * gravity * h * std::cos(angle), 1e-8);
    EXPECT_NEAR(a.u[1], (speed - mu * gravity * h) * std::cos(angle), 1e-8);
    EXPECT_GE(a.info.tie_rounds, by_rounds() ? 2 : 0);
    EXPECT_LE(a.info.tie_rounds, by_rounds() ? 15 : 0);
}

// Drawn along at a fixed speed on a plane that it cannot leave: the relaxed law would have it
// leave, and contradicts itself.
TEST_P(CoulombLaw, SolvesWhatTheRelaxedLawForbids) {
    Step s;
    s.M = diagonal({1, 1});
    s.A = Dense(1, 2, {1, 0});
    s.N = Dense(2, 2, {0, 1, 0, -1});
    s.D = Dense(2, 2, {1, 0, 1, 0});
    s.shape = {1, 0, 0};
    s.rows.f = {0.0, -1.0};
    s.rows.u = {1.0};
    s.rows.mu = {0.5, 0.0};
    for (const double e : {0.0, 1e-3}) {
        s.rows.compliance_N = {e, e};
        const Answer a = run(shared(exact(s)), tight());
        ASSERT_EQ(a.info.outcome, Outcome::solved) << a.info.eta;
        EXPECT_NEAR(a.u[0], 1.0 - 1.0, 1e-6);
        EXPECT_NEAR(a.u[1], 0.0, 1e-6);
        EXPECT_NEAR(a.z[3], -0.5 * a.z[1], 1e-6);
    }
}

TEST_P(CoulombLaw, ContradictionsWithoutFrictionAreProved) {
    Step s;
    s.M = diagonal({1, 1});
    s.N = Dense(2, 2, {1, 0, -1, 0});
    s.D = Dense(2, 2, {0, 1, 0, 1});
    s.shape = {1, 0, 0};
    s.rows.f = {0.0, 1.0};
    s.rows.b_N = {-1.0, -1.0};
    s.rows.mu = {0.3, 0.3};
    const auto problem = shared(exact(s));
    Solver solver(problem, tight());
    Vector z(4);
    const Info info = solve(problem, solver, z);
    EXPECT_NE(info.outcome, Outcome::solved);
    if (info.outcome != Outcome::no_solution) return;
    const Vector& d = solver.certificate();
    EXPECT_NEAR(d[0], d[1], 1e-6 * std::abs(d[0]));
    EXPECT_EQ(d[2], 0.0);
    EXPECT_EQ(d[3], 0.0);
}

// ------------------------------------------------------------------ random problems

TEST_P(CoulombLaw, SmallProblemsOfEveryShape) {
    for (const ContactShape& shape : all_shapes())
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Step s = random_contacts(shape, seed);
            const auto problem = shared(exact(s));
            const Answer a = run(problem, tight());
            ASSERT_EQ(a.info.outcome, Outcome::solved)
                << shape_name(shape) << ' ' << seed << ": " << a.info.eta;
            EXPECT_LE(contact_violation(s, a.z), 1e-6) << shape_name(shape) << ' ' << seed;
            ResidualWorkspace work = make_residual_workspace(*problem);
            const Residual exact_law = residual(*problem, a.z, work);
            const Problem relaxed = problem_of(s);
            EXPECT_EQ(exact_law.eta, exact_law.eta_coulomb);
            EXPECT_NEAR(residual(relaxed, a.z, work).eta_coulomb, exact_law.eta,
                        1e-12 * exact_law.eta);
            EXPECT_EQ(relaxed.free_norm(), problem->free_norm());
        }
}

TEST_P(CoulombLaw, DelassusFormsHaveTheSameAnswer) {
    for (const ContactShape& shape : {ContactShape{2, 0, 0}, {1, 0, 0}, {2, 0, 2}, {2, 1, 2}})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const Step s = random_contacts(shape, seed, 0);
            const Answer a = run(shared(exact(s)), tight(1e-10));
            const Answer b = run(shared(delassus_of(s)), tight(1e-10));
            ASSERT_EQ(a.info.outcome, Outcome::solved) << seed;
            ASSERT_EQ(b.info.outcome, Outcome::solved) << seed;
            const std::vector<std::int64_t> rows = interleaved(s);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                EXPECT_NEAR(a.u[rows[i]], b.u[i], 1e-6) << shape_name(shape) << ' ' << seed;
                EXPECT_NEAR(a.z[rows[i]], b.z[i], 1e-6) << shape_name(shape) << ' ' << seed;
            }
        }
}

TEST_P(CoulombLaw, OrderOfContactsDoesNotMatter) {
    const Step s = random_contacts({2, 0, 0}, 3, 0);
    Step p = s;
    const std::int64_t order[] = {2, 0, 3, 1};
    for (std::int64_t i = 0; i < 4; ++i) {
        p.rows.mu[i] = s.rows.mu[order[i]];
        p.rows.b_N[i] = s.rows.b_N[order[i]];
        for (std::int64_t j = 0; j < s.N.cols; ++j) {
            p.N(i, j) = s.N(order[i], j);
            for (int k = 0; k < 2; ++k) p.D(2 * i + k, j) = s.D(2 * order[i] + k, j);
        }
    }
    const Answer a = run(shared(exact(s)), tight(1e-10)), b = run(shared(exact(p)), tight(1e-10));
    ASSERT_EQ(b.info.outcome, Outcome::solved);
    EXPECT_LE(distance(a.v, b.v), 1e-7);
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_NEAR(b.z[i], a.z[order[i]], 1e-6);
}

TEST_P(CoulombLaw, StepsSolveTheSameProblem) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Step s = spheres(6, 9, 0.3, seed);
        FrictionSettings f;
        f.model = FrictionModel::coulomb;
        f.pass_tolerance = 0.0;
        StepContacts contacts;
        contacts.h = 1e-3;
        const StepResult step = Stepper(f).step(system_of(s), s.rows, contacts, tight());
        const Answer a = run(shared(exact(s)), tight());
        ASSERT_EQ(a.info.outcome, Outcome::solved) << seed;
        EXPECT_EQ(step.info.outcome, Outcome::solved) << seed;
        EXPECT_TRUE(step.info.converged);
        EXPECT_LE(step.info.law_residual, 1e-8);
        EXPECT_LE(distance(step.velocity, a.v), 1e-5) << seed;
    }
}

// ------------------------------------------------------------------ where nothing is to iterate

TEST_P(CoulombLaw, WithoutFrictionItIsTheConeLaw) {
    Step s = random_contacts({2, 1, 2}, 2);
    for (auto* c : {&s.rows.mu, &s.rows.rho, &s.rows.sigma}) c->assign(4, 0.0);
    const Answer a = run(shared(exact(s)), tight()), b = run(shared(problem_of(s)), tight());
    ASSERT_EQ(a.info.outcome, Outcome::solved);
    EXPECT_TRUE(same_bits(a.z, b.z));
    EXPECT_EQ(a.info.tie_rounds, 0);
    EXPECT_EQ(run(shared(exact(s)), accurate(Method::pivoting, 1e-8)).info.outcome,
              Outcome::solved);
}

TEST_P(CoulombLaw, NoContactsAndNoRows) {
    Step s;
    s.M = diagonal({1, 2});
    s.rows.f = {1, 2};
    EXPECT_EQ(run(shared(exact(s)), tight()).info.outcome, Outcome::solved);
    s.A = Dense(1, 2, {1, 1});
    EXPECT_EQ(run(shared(exact(s)), tight()).info.outcome, Outcome::solved);
}

// ------------------------------------------------------------------ limits, one solver for all

TEST_P(CoulombLaw, LimitsHoldForAllRoundsTogether) {
    const auto problem = shared(exact(spheres(6, 9, 0.4, 3)));
    Settings s = tight(1e-10);
    if (by_rounds()) {
        s.tie_rounds = 1;
        const Info one = solve(problem, s);
        EXPECT_EQ(one.outcome, Outcome::iteration_limit);
        EXPECT_EQ(one.tie_rounds, 1);
    }
    s = tight(1e-10);
    s.max_iterations = 3;
    const Info limited = solve(problem, s);
    EXPECT_EQ(limited.outcome, Outcome::iteration_limit);
    EXPECT_LE(limited.iterations, 3);
    s = tight(1e-10);
    s.time_limit = 1e-9;
    EXPECT_EQ(solve(problem, s).outcome, Outcome::time_limit);
    EXPECT_LE(cancelled(problem, tight(1e-10), 4).eta, eta_of(*problem, Vector(problem->rows())));
}

TEST_P(CoulombLaw, SolversFollowTheLawAndTheRows) {
    Step s = random_contacts({2, 0, 0}, 4);
    const auto problem = std::make_shared<Problem>(problem_of(s));
    const Settings settings = tight();
    Solver solver(problem, settings);
    Vector z(problem->rows());
    const auto same_as_fresh = [&] {
        solver.forget();
        const Info info = solve(problem, solver, z);
        const Answer fresh = run(shared(Problem(*problem)), settings);
        EXPECT_EQ(info.outcome, Outcome::solved);
        EXPECT_TRUE(same_bits(z, fresh.z));
    };
    same_as_fresh();
    const Vector relaxed = z;
    problem->set_law(Law::coulomb);
    same_as_fresh();
    EXPECT_GT(distance(z, relaxed), 1e-3);
    for (double& f : s.rows.f) f *= 1.1;
    problem->set_vectors(s.rows);
    EXPECT_EQ(problem->law(), Law::coulomb);
    same_as_fresh();
    s.rows.mu.assign(4, 0.0);  // then the engine is another one
    problem->set_vectors(s.rows);
    same_as_fresh();
    s = random_contacts({2, 0, 0}, 4);
    problem->set_vectors(s.rows);
    problem->set_law(Law::cone);
    same_as_fresh();
    EXPECT_TRUE(same_bits(z, relaxed));
}

// As in time steps, whose contacts come and go.
TEST_P(CoulombLaw, SolversFollowProblemsOfAnotherSize) {
    const auto problem = std::make_shared<Problem>(exact(spheres(2, 2, 0.3, 1)));
    Solver solver(problem, tight());
    for (const std::int64_t bodies : {2, 8, 3, 12}) {
        const Problem next = exact(spheres(bodies, bodies + 1, 0.3, 1));
        problem->take(Problem(next));
        solver.forget();
        Vector z(problem->rows());
        EXPECT_EQ(solve(problem, solver, z).outcome, Outcome::solved) << bodies;
        EXPECT_TRUE(same_bits(z, run(shared(next), tight()).z)) << bodies;
    }
}

TEST_P(CoulombLaw, WarmStartsAreCheap) {
    Step s = random_contacts({2, 0, 0}, 6);
    const auto problem = std::make_shared<Problem>(exact(s));
    Settings settings = tight();
    Solver solver(problem, settings);
    Vector z(problem->rows());
    const Info cold = solve(problem, solver, z);
    ASSERT_EQ(cold.outcome, Outcome::solved);
    settings.warm_start = true;
    solver.set(settings);
    EXPECT_EQ(solve(problem, solver, z).tie_rounds, 0) << "the answer is the start";
    for (double& f : s.rows.f) f *= 1.0 + 1e-6;
    problem->set_vectors(s.rows);
    const Info warm = solve(problem, solver, z);
    EXPECT_EQ(warm.outcome, Outcome::solved);
    EXPECT_LE(warm.tie_rounds, cold.tie_rounds);
}

// Shifts of hard problems need not settle: whatever comes of it is told as it is.
TEST_P(CoulombLaw, StrongFrictionIsSolvedOrToldAsItIs) {
    int solved = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Settings s = tight();
        s.tie_rounds = 60;
        const Info info = solve(shared(exact(spheres(6, 9, 1.5, seed))), s);
        solved += info.outcome == Outcome::solved ? 1 : 0;
    }
    EXPECT_GE(solved, 2);
}

// ------------------------------------------------------------------ instances

TEST(CoulombInstances, AreSolved) {
    const char* given = std::getenv("PERP_INSTANCES");
    const std::filesystem::path folder =
        std::filesystem::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "fclib";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent";
    for (const char* name : {"Confeti-ex03", "FC2D_00071", "FC2D_SliderCrank00000", "FC3D_Example1",
                             "GFC3D_OneContact", "OneObject-i100000-316", "RFC3D_rockfall_14_25792",
                             "GRFC3D_Chute-768-nc-4-3", "NESpheres_30_1", "Rover1041"})
        for (const Method method : {Method::automatic, Method::apgd, Method::accurate}) {
            const auto problem =
                shared(read_problem((folder / name).string() + ".hdf5", Law::coulomb));
            EXPECT_EQ(problem->law(), Law::coulomb);
            Settings s = accurate(method, 1e-6);
            s.time_limit = 10.0;
            const Answer a = run(problem, s);
            EXPECT_EQ(a.info.outcome, Outcome::solved) << name << ": " << a.info.eta;
        }
}

// ------------------------------------------------------------------ input

TEST(CoulombProblems, KnowTheirLaw) {
    Problem assembled = problem_of(random_contacts({2, 0, 0}, 1));
    EXPECT_EQ(assembled.law(), Law::cone);
    const std::int64_t before = assembled.revision();
    assembled.set_law(Law::coulomb);
    EXPECT_GT(assembled.revision(), before);
    EXPECT_EQ(assembled.law(), Law::coulomb);
    EXPECT_EQ(assembled.frozen().law(), Law::cone);
    Problem delassus = delassus_of(random_contacts({2, 0, 0}, 1, 0));
    EXPECT_EQ(delassus.law(), Law::coulomb);
    delassus.set_vectors(Vector(12, 0.5), {}, {});
    EXPECT_EQ(delassus.law(), Law::coulomb);

    EXPECT_FAILS(Status::unsupported, "law", assembled.set_law(Law::box));
    EXPECT_EQ(assembled.law(), Law::coulomb);
    Problem box = problem_of(random_step({.law = Law::box}));
    EXPECT_FAILS(Status::unsupported, "law", box.set_law(Law::coulomb));
    Problem general = *blcp(Dense(1, 1, {1.0}), {1.0});
    EXPECT_FAILS(Status::unsupported, "law", general.set_law(Law::coulomb));
    EXPECT_FAILS(Status::unsupported, "cone",
                 Solver(shared(assembled), with_method(Method::pivoting)));
}

// Only the vectors of the frozen problem move: its matrices and the denominator stay.
TEST(CoulombProblems, AreShiftedInTheirNormalRows) {
    for (const bool matrix : {false, true}) {
        const Step s = random_contacts({2, 0, 0}, 2, 0);
        const Problem given = matrix ? delassus_of(s) : exact(s);
        Problem frozen = given.frozen();
        const Vector shift{0.1, 0.2, 0.0, 0.4}, z(given.rows(), 0.3);
        frozen.shift_normals(given, Vector(4, 1.0));
        frozen.shift_normals(given, shift);
        EXPECT_EQ(frozen.free_norm(), given.free_norm());
        Vector expected(given.rows()), u(given.rows());
        ProductWorkspace work = given.make_workspace();
        given.constraint_velocity(z, expected, work);
        frozen.constraint_velocity(z, u, work);
        for (int i = 0; i < 4; ++i) expected[given.set().contact_row[3 * i]] += shift[i];
        EXPECT_LE(distance(u, expected), 1e-15);
        frozen.constraint_velocity(Vector(given.rows(), 0.0), u, work);
        EXPECT_LE(distance(u, frozen.free_velocity()), 1e-15);
    }
}

}  // namespace
}  // namespace perp::test
