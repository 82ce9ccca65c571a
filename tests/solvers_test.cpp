// Both solvers on small random steps: one velocity, the same bits, whatever the units and order.
#include "solver_support.hpp"

namespace perp::test {
namespace {

// The same problem as a matrix: a general BLCP for the box law, a Delassus form for frictional
// contacts alone.
Problem as_matrix(const Problem& p) {
    const Entries S(dense(p.form_matrix()));
    const ConstraintSet& set = p.set();
    if (set.contacts == 0) {
        Vector lo(p.rows()), hi(p.rows());
        for (std::int64_t s = 0; s < set.scalars(); ++s) {
            lo[set.scalar_row[s]] = set.lo[s];
            hi[set.scalar_row[s]] = set.hi[s];
        }
        return Problem::general_blcp(S.view(), p.free_velocity(), lo, hi);
    }
    Entries W(S.rows, S.cols);
    Vector q(p.rows());
    std::vector<std::int64_t> place(p.rows());
    for (std::int64_t i = 0; i < p.rows(); ++i) {
        place[set.contact_row[i]] = i;
        q[i] = p.free_velocity()[set.contact_row[i]];
    }
    for (std::size_t k = 0; k < S.row.size(); ++k)
        W.add(place[S.row[k]], place[S.col[k]], S.value[k]);
    DelassusForm form;
    form.W = W.view();
    form.shape = set.shape;
    form.q = q;
    form.mu = set.mu;
    form.rho = set.rho;
    form.sigma = set.sigma;
    return Problem::delassus(form);
}

// ------------------------------------------------------------------ one velocity

class SolversOfShape : public testing::TestWithParam<ContactShape> {};

TEST_P(SolversOfShape, AgreeInVelocity) {
    for (const Law law : {Law::cone, Law::box}) {
        if (law == Law::box && GetParam().angular() > 0) continue;
        for (const double compliance : {0.0, 0.1}) {
            for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
                const Step step = random_step({.blocks = {3, 6, 3},
                                               .shape = GetParam(),
                                               .bilateral = 2,
                                               .contacts = 5,
                                               .boxes = 2,
                                               .compliance = compliance,
                                               .law = law,
                                               .seed = seed});
                const auto problem = shared(problem_of(step));
                const Answer pgs = run(problem, accurate(Method::pgs));
                const Answer apgd = run(problem, accurate(Method::apgd));
                for (const Answer* r : {&pgs, &apgd}) {
                    EXPECT_EQ(r->info.outcome, Outcome::solved);
                    EXPECT_LE(r->info.eta, 1e-10);
                    EXPECT_EQ(r->info.eta, eta_of(*problem, r->z));
                    EXPECT_GT(r->info.iterations, 0);
                    EXPECT_GE(r->info.products, r->info.iterations / 10);
                }
                EXPECT_LE(distance(pgs.v, apgd.v), 1e-7);
            }
        }
    }
}

TEST_P(SolversOfShape, AgreeWithTheMatrixForm) {
    for (const Law law : {Law::cone, Law::box}) {
        if (law == Law::box && GetParam().angular() > 0) continue;
        const bool box = law == Law::box;
        const Step step = random_step({.blocks = {3, 6},
                                       .shape = GetParam(),
                                       .bilateral = box ? 1 : 0,
                                       .boxes = box ? 2 : 0,
                                       .law = law,
                                       .seed = 4});
        const Problem assembled = problem_of(step);
        const Vector expected = run(shared(assembled), accurate(Method::apgd)).u;
        for (const Method method : iterating) {
            const Answer r = run(shared(as_matrix(assembled)), accurate(method));
            EXPECT_EQ(r.info.outcome, Outcome::solved);
            Vector sorted_expected = expected, sorted = r.u;  // the orders of rows differ
            std::sort(sorted.begin(), sorted.end());
            std::sort(sorted_expected.begin(), sorted_expected.end());
            EXPECT_LE(distance(sorted, sorted_expected), 1e-7);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SolversOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

// A mechanism of one coupled part, factorized sparsely.
TEST(Solvers, AgreeOnALargeCoupledMassMatrix) {
    Step step = random_step({.blocks = {150}, .bilateral = 3, .contacts = 6});
    for (std::int64_t i = 0; i < 150; ++i)
        for (std::int64_t j = 0; j < 150; ++j)
            step.M(i, j) = i == j ? 3.0 : std::abs(i - j) == 1 ? -1.4 : 0.0;
    const auto problem = shared(problem_of(step));
    EXPECT_FALSE(problem->assembled()->system->mass().block_diagonal());
    const Answer pgs = run(problem, accurate(Method::pgs)),
                 apgd = run(problem, accurate(Method::apgd));
    EXPECT_EQ(pgs.info.outcome, Outcome::solved);
    EXPECT_EQ(apgd.info.outcome, Outcome::solved);
    EXPECT_LE(distance(pgs.v, apgd.v), 1e-7);
}

// ------------------------------------------------------------------ the same bits

class SolversByMethod : public testing::TestWithParam<Method> {
protected:
    Settings settings_ = accurate(GetParam());
    Step step_ =
        random_step({.shape = {2, 1, 2}, .bilateral = 2, .contacts = 5, .boxes = 2, .seed = 3});
};

TEST_P(SolversByMethod, RepeatToTheBit) {
    const auto problem = shared(problem_of(step_));
    const Answer first = run(problem, settings_);
    Solver solver(problem, settings_);
    for (int i = 0; i < 3; ++i) {
        Vector z(problem->rows(), 99.0);  // ignored without warm_start
        const Info info = solver.solve(z, {});
        EXPECT_TRUE(same_bits(z, first.z));
        EXPECT_EQ(info.iterations, first.info.iterations);
        EXPECT_EQ(info.products, first.info.products);
        EXPECT_EQ(info.restarts, first.info.restarts);
        EXPECT_EQ(info.backtracks, first.info.backtracks);
    }
}

TEST_P(SolversByMethod, WarmStartedAtTheSolutionNeedNoIteration) {
    const auto problem = shared(problem_of(step_));
    const Answer solved = run(problem, settings_);
    Settings warm = settings_;
    warm.warm_start = true;
    warm.max_iterations = 0;
    const Answer again = run(problem, warm, solved.z);
    EXPECT_EQ(again.info.outcome, Outcome::solved);
    EXPECT_EQ(again.info.iterations, 0);
    EXPECT_TRUE(same_bits(again.z, solved.z));
    // A guess that is nearly right needs fewer iterations than none.
    warm.max_iterations = settings_.max_iterations;
    Vector near = solved.z;
    for (double& x : near) x *= 1.0 + 1e-6;
    EXPECT_LT(run(problem, warm, near).info.iterations, solved.info.iterations);
}

TEST_P(SolversByMethod, PowersOfFourInTheUnitsScaleTheAnswerToTheBit) {
    const Answer expected = run(shared(problem_of(step_)), settings_);
    Step scaled = step_;
    constexpr double c = 1024.0;  // of mass, and of velocities
    for (double& x : scaled.M.a) x *= c;
    for (double& x : scaled.rows.f) x *= c * c;
    for (Vector* v :
         {&scaled.rows.u, &scaled.rows.b_N, &scaled.rows.b_T, &scaled.rows.b_S, &scaled.rows.b_B})
        for (double& x : *v) x *= c;
    for (Vector* v : {&scaled.rows.lo_B, &scaled.rows.hi_B})
        for (double& x : *v) x *= c * c;
    const Answer r = run(shared(problem_of(scaled)), settings_);
    EXPECT_EQ(r.info.iterations, expected.info.iterations);
    EXPECT_EQ(r.info.eta, expected.info.eta);
    for (std::size_t i = 0; i < r.z.size(); ++i) EXPECT_EQ(r.z[i], c * c * expected.z[i]);
    for (std::size_t i = 0; i < r.v.size(); ++i) EXPECT_EQ(r.v[i], c * expected.v[i]);
}

TEST_P(SolversByMethod, OrderOfContactsDoesNotChangeTheVelocity) {
    const Answer expected = run(shared(problem_of(step_)), settings_);
    Step reversed = step_;
    const auto reverse = [](auto first, auto last, std::int64_t block) {
        std::reverse(first, last);
        for (; first != last; first += block) std::reverse(first, first + block);
    };
    const std::int64_t n = step_.M.rows;
    reverse(reversed.N.a.begin(), reversed.N.a.end(), n);
    reverse(reversed.D.a.begin(), reversed.D.a.end(), 2 * n);
    reverse(reversed.S.a.begin(), reversed.S.a.end(), 3 * n);
    for (Vector* v :
         {&reversed.rows.b_N, &reversed.rows.mu, &reversed.rows.rho, &reversed.rows.sigma})
        std::reverse(v->begin(), v->end());
    const Answer r = run(shared(problem_of(reversed)), settings_);
    EXPECT_EQ(r.info.outcome, Outcome::solved);
    EXPECT_LE(distance(r.v, expected.v), 1e-7);
}

TEST_P(SolversByMethod, FollowChangesOfTheProblem) {
    const auto problem = std::make_shared<Problem>(problem_of(step_));
    Solver solver(problem, settings_);
    Vector z(problem->rows());
    solver.solve(z, {});
    Step changed = step_;
    changed.rows =
        random_step({.shape = {2, 1, 2}, .bilateral = 2, .contacts = 5, .boxes = 2, .seed = 8})
            .rows;
    changed.rows.u = step_.rows.u;
    changed.rows.b_N = step_.rows.b_N;
    problem->set_vectors(changed.rows);
    solver.solve(z, {});
    EXPECT_TRUE(same_bits(z, run(shared(problem_of(changed)), settings_).z));
}

TEST_P(SolversByMethod, SolveEmptyAndUnconstrainedProblems) {
    const auto empty = shared(Problem::general_blcp(Triplets{}, {}, {}, {}));
    EXPECT_EQ(run(empty, settings_).info.outcome, Outcome::solved);
    Step none = random_step({.bilateral = 0, .contacts = 0, .boxes = 0});
    const Answer r = run(shared(problem_of(none)), settings_);
    EXPECT_EQ(r.info.outcome, Outcome::solved);
    EXPECT_EQ(r.info.eta, 0.0);
    EXPECT_LE(distance(r.v, inverse(none.M) * none.rows.f), 1e-13);
}

TEST_P(SolversByMethod, SolveWithoutFriction) {
    std::fill(step_.rows.mu.begin(), step_.rows.mu.end(), 0.0);
    step_.rows.rho.assign(step_.rows.rho.size(), 0.0);
    step_.rows.sigma.clear();
    const auto problem = shared(problem_of(step_));
    const Answer r = run(problem, settings_);
    EXPECT_EQ(r.info.outcome, Outcome::solved);
    for (std::int64_t i = 0; i < problem->set().contacts; ++i)
        for (int j = 1; j < 6; ++j) EXPECT_EQ(r.z[problem->set().contact_row[6 * i + j]], 0.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, SolversByMethod, testing::ValuesIn(iterating),
                         [](const auto& p) { return std::string(name(p.param)); });

}  // namespace
}  // namespace perp::test
