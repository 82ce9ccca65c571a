// Lemke's method: small cases with known answers, worst cases, thousands of small problems against
// the enumeration of all bases.
#include "enumerate_basis.hpp"
#include "lemke_support.hpp"

namespace perp::test {
namespace {

SmallBlcp small(Dense H, Vector q, Vector lo = {}, Vector hi = {}) {
    const std::size_t n = q.size();
    if (lo.empty()) lo.assign(n, 0.0);
    if (hi.empty()) hi.assign(n, infinity);
    return {std::move(H), std::move(q), std::move(lo), std::move(hi)};
}

Shared problem_of(const SmallBlcp& p) { return blcp(p.H, p.q, p.lo, p.hi); }

void expect_solution(const SmallBlcp& p, const Vector& expected) {
    const LemkeRun run = lemke(problem_of(p));
    EXPECT_EQ(run.info.outcome, Outcome::solved);
    EXPECT_LE(distance(run.z, expected), 1e-13 * (1.0 + largest(expected)));
}

TEST(Lemke, TinyProblems) {
    expect_solution(small(Dense(2, 2, {2.6, -0.6, -0.6, 2.6}), {-1, -1}), {0.5, 0.5});
    expect_solution(small(Dense(2, 2, {3, -1, -1, 2}), {-1, 4}), {1.0 / 3.0, 0.0});
    expect_solution(small(Dense(1, 1, {4}), {-3}), {0.75});
    expect_solution(small(Dense(1, 1), {1}), {0.0});
    expect_solution(small(Dense(0, 0), {}), {});
    // Block exchanges cycle on these two.
    expect_solution(small(Dense(3, 3, {22, -5, 18, -5, 6, -11, 18, -11, 25}), {-1, 3, -5}),
                    {0, 0, 0.2});
    expect_solution(small(Dense(3, 3, {1, 2, 0, 0, 1, 2, 2, 0, 1}), {-1, -1, -1}),
                    {1.0 / 3, 1.0 / 3, 1.0 / 3});
}

TEST(Lemke, FreeRowsAndBounds) {
    expect_solution(small(Dense(1, 1, {4}), {-3}, {-infinity}, {infinity}), {0.75});
    expect_solution(small(Dense(2, 2, {1, 0, 0, 1}), {-1, -3}, {-1, -infinity}, {infinity, 1}),
                    {1, 1});
    expect_solution(small(Dense(3, 3, {4, 1, 0, 1, 3, -1, 0, -1, 2}), {-1, 2, -6},
                          {-infinity, 0, -1}, {infinity, infinity, 1}),
                    {0.25, 0, 1});
    // Not symmetric, a zero on the diagonal of a row with bounds.
    expect_solution(
        small(Dense(2, 2, {2, -1, 1, 0}), {-2, -3}, {-infinity, 0}, {infinity, infinity}), {3, 4});
    // ... and on that of a free row: it cannot be basic alone.
    expect_solution(
        small(Dense(2, 2, {2, -1, 1, 0}), {-2, -3}, {0, -infinity}, {infinity, infinity}), {3, 4});
    expect_solution(small(Dense(2, 2, {2, 1, 1, 3}), {-1, 5}, {0, 0.5}, {0, 0.5}), {0, 0.5});
}

TEST(Lemke, ProvesThatThereIsNoSolution) {
    const auto proves = [](const SmallBlcp& p) {
        const LemkeRun run = lemke(problem_of(p));
        EXPECT_EQ(run.info.outcome, Outcome::no_solution);
        EXPECT_TRUE(run.proof_holds(*problem_of(p)));
    };
    proves(small(Dense(1, 1), {-1}));
    proves(small(Dense(2, 2, {1, -1, -1, 1}), {-1, -1}));
    proves(small(Dense(1, 1), {-1}, {-infinity}, {infinity}));
    proves(small(Dense(1, 1), {1}, {-infinity}, {3}));
    // Redundant free rows, first consistent, then not.
    const Dense ones(2, 2, {1, 1, 1, 1});
    const Vector no_lo(2, -infinity), no_hi(2, infinity);
    EXPECT_EQ(lemke(blcp(ones, {2, 2}, no_lo, no_hi)).info.outcome, Outcome::solved);
    proves(small(ones, {2, 3}, no_lo, no_hi));
    // Skew: z2 >= 0 pushes w1 up, nothing pushes w2; S'd is not 0.
    const LemkeRun skew = lemke(blcp(Dense(2, 2, {0, 1, -1, 0}), {1, -1}, {0, 0}));
    EXPECT_EQ(skew.info.outcome, Outcome::stalled);
    EXPECT_EQ(skew.general_certificate, (Vector{0, 1}));
}

// The same workspace again gives the same bits; a limit on pivots is kept.
TEST(Lemke, WorkspaceServesAgainAndLimitsHold) {
    Random random(200);
    const Dense J = random_rows(20, 15, random);
    const Shared problem = blcp(J * transposed(J), random.vector(20), Vector(20, 0.0));
    const MixedForm form(*problem);
    PivotMonitorWorkspace monitor_work(*problem, form);
    LemkeWorkspace work(form);
    const ProgressCallback progress;
    const auto solve = [&](std::int64_t pivots, Outcome expected) {
        Settings settings;
        settings.max_iterations = pivots;
        settings.tolerance = 1e-10;
        PivotMonitor monitor(*problem, form, settings, progress, monitor_work);
        Vector z(20, 0.0);
        run_lemke(form, z, work, monitor);
        EXPECT_EQ(monitor.info().outcome, expected);
        EXPECT_LE(monitor.info().single_pivots, pivots);
        return z;
    };
    const Vector first = solve(1000, Outcome::solved);
    solve(2, Outcome::iteration_limit);
    EXPECT_TRUE(same_bits(solve(1000, Outcome::solved), first));
}

// ------------------------------------------------------------------ worst cases

// Murty: least-index pivoting takes 2^n - 1 steps. Fathi: its product with its transpose.
// Csizmadia: the solution grows like 2^i.
Dense murty(std::int64_t n) {
    Dense H(n, n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i; j < n; ++j) H(i, j) = i == j ? 1.0 : 2.0;
    return H;
}

Dense csizmadia(std::int64_t n) {
    Dense H(n, n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) H(i, j) = i == j ? 1.0 : -1.0;
    return H;
}

TEST(Lemke, WorstCasesOfOtherPivotRules) {
    for (const std::int64_t n : {3, 16, 60}) {
        const Vector minus(n, -1.0);
        const Dense fathi = murty(n) * transposed(murty(n));
        for (const Dense& H : {murty(n), transposed(murty(n)), fathi, csizmadia(n)}) {
            if (n == 60 && H(1, 0) == -1.0) continue;  // beyond 16 digits
            const LemkeRun run = lemke(blcp(H, minus, Vector(n, 0.0)));
            EXPECT_EQ(run.info.outcome, Outcome::solved) << n;
            EXPECT_LE(run.info.single_pivots, 3 * n);
        }
    }
}

// ------------------------------------------------------------------ against enumeration

// Bounds of all kinds; `degenerate`: small integers, so that ties abound.
void draw_bounds(SmallBlcp& p, Random& random, bool degenerate) {
    const std::int64_t n = p.size();
    p.lo.assign(n, -infinity);
    p.hi.assign(n, infinity);
    const auto draw = [&](double from, double to) {
        const double x = random.uniform(from, to);
        return degenerate ? std::round(2.0 * x) : x;
    };
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t kind = random.below(7);
        const double center = random.below(2) == 0 ? 0.0 : draw(-1.0, 1.0);
        if (kind == 0) continue;
        if (kind != 1) p.lo[i] = center - (kind == 5 ? 0.0 : draw(0.0, 0.5));
        if (kind != 2 && kind != 6) p.hi[i] = kind == 5 ? p.lo[i] : center + draw(0.0, 0.5);
    }
}

Vector draw_vector(std::int64_t n, Random& random, bool degenerate) {
    Vector q = random.vector(n, -2.0, 2.0);
    if (degenerate)
        for (double& x : q) x = std::round(x);
    return q;
}

Dense draw_matrix(std::int64_t rows, std::int64_t cols, Random& random, bool degenerate) {
    Dense d(rows, cols, draw_vector(rows * cols, random, degenerate));
    return d;
}

Dense plus_skew(Dense H, Random& random, bool degenerate) {
    const Dense K = draw_matrix(H.rows, H.rows, random, degenerate);
    for (std::int64_t i = 0; i < H.rows; ++i)
        for (std::int64_t j = 0; j < H.rows; ++j) H(i, j) += 0.5 * (K(i, j) - K(j, i));
    return H;
}

// Diagonally dominant: P, with bounds of all kinds, exactly one solution.
TEST(Lemke, SolvesEveryPMatrix) {
    Random random(201);
    for (int i = 0; i < 1500; ++i) {
        const std::int64_t n = 1 + i % 7;
        const bool degenerate = i % 3 == 0;
        SmallBlcp p;
        p.H = draw_matrix(n, n, random, degenerate);
        for (std::int64_t k = 0; k < n; ++k) {
            p.H(k, k) = 0.1;
            for (std::int64_t j = 0; j < n; ++j) p.H(k, k) += j == k ? 0.0 : std::abs(p.H(k, j));
        }
        p.q = draw_vector(n, random, degenerate);
        draw_bounds(p, random, degenerate);
        const LemkeRun run = lemke(problem_of(p));
        ASSERT_EQ(run.info.outcome, Outcome::solved) << i << " eta " << run.eta;
        const Enumeration all = enumerate_bases(p);
        ASSERT_TRUE(all.solvable()) << i;
        EXPECT_LE(distance(run.z, all.z.front()), 1e-9) << i;
        EXPECT_LE(run.eta, 1e-12) << i;
    }
}

// A random diagonal sign times a P-matrix times itself is P, and has no dominant diagonal.
TEST(Lemke, SolvesPMatricesWithoutDominance) {
    Random random(202);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t n = 2 + i % 6;
        SmallBlcp p = small(Dense(n, n), draw_vector(n, random, i % 2 == 0));
        for (std::int64_t r = 0; r < n; ++r)  // triangular, positive diagonal
            for (std::int64_t c = r; c < n; ++c)
                p.H(r, c) = r == c ? random.uniform(0.1, 1.0) : random.uniform(-3.0, 3.0);
        const LemkeRun run = lemke(problem_of(p));
        ASSERT_EQ(run.info.outcome, Outcome::solved) << i << " eta " << run.eta;
        EXPECT_LE(distance(run.z, enumerate_bases(p).z.front()), 1e-8 * (1.0 + largest(run.z)));
    }
}

// Monotone: positive semidefinite, with or without a skew part; solvable or proved not to be.
TEST(Lemke, DecidesMonotoneProblems) {
    Random random(203);
    int solved = 0, proved = 0, general = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::int64_t n = 1 + i % 6;
        const bool degenerate = i % 2 == 0, skew = i % 3 == 0;
        SmallBlcp p;
        const Dense J = draw_matrix(n, random.below(n + 1), random, degenerate);
        p.H = J.cols == 0 ? Dense(n, n) : J * transposed(J);
        if (skew) p.H = plus_skew(p.H, random, degenerate);
        p.q = draw_vector(n, random, degenerate);
        draw_bounds(p, random, degenerate);
        const Shared problem = problem_of(p);
        const LemkeRun run = lemke(problem);
        if (run.info.outcome == Outcome::solved) {
            ++solved;
            EXPECT_LE(run.eta, 1e-10) << i;
            continue;
        }
        EXPECT_FALSE(enumerate_bases(p).solvable()) << i;
        EXPECT_TRUE(run.proof_holds(*problem)) << i;
        ++(run.info.outcome == Outcome::no_solution ? proved : general);
        EXPECT_TRUE(skew || run.info.outcome == Outcome::no_solution) << i;
    }
    EXPECT_GT(solved, 1500);
    EXPECT_GT(proved, 100);
}

// ------------------------------------------------------------------ with velocities

// Assembled steps with joints, contacts and boxes, with and without compliance and redundant rows.
TEST(Lemke, SolvesAssembledSteps) {
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        StepOptions options;
        options.blocks = std::vector<int>(static_cast<std::size_t>(1 + i % 5), 3);
        options.shape = {i % 3, 0, 0};
        options.bilateral = i % 4;
        options.contacts = 1 + i % 9;
        options.compliance = i % 2 == 0 ? 0.0 : 1e-3;
        options.law = Law::box;
        options.seed = static_cast<std::uint64_t>(300 + i);
        const Shared problem = shared(problem_of(random_step(options)));
        const LemkeRun run = lemke(problem);
        EXPECT_EQ(run.info.outcome, Outcome::solved) << run.eta;
        EXPECT_LE(run.eta, 1e-11);
        // What the basic set says of z and w.
        const MixedForm form(*problem);
        Vector w(problem->rows());
        ProductWorkspace work = problem->make_workspace();
        problem->constraint_velocity(run.z, w, work);
        for (std::int64_t k = 0; k < form.p; ++k) {
            const double bound = run.state[k] < 0 ? form.lo[k] : form.hi[k];
            const double off = run.state[k] == 0 ? w[k] : run.z[k] - bound * form.scale[k];
            EXPECT_NEAR(off, 0.0, 1e-9);
        }
    }
}

// ------------------------------------------------------------------ polygonal friction

// Contacts of random bodies with a friction polygon of `facets` corners (Anitescu and Potra,
// Nonlinear Dynamics 14 (1997)): rows normal, facets.., slip speed per contact.
SmallBlcp polygonal(std::int64_t contacts, std::int64_t facets, std::int64_t velocities,
                    Random& random) {
    const std::int64_t rows = 2 + facets, p = contacts * rows;
    Dense J(p, velocities);
    Vector r(p, 0.0);
    const Vector v = random.vector(velocities, -2.0, 2.0);
    for (std::int64_t c = 0; c < contacts; ++c) {
        const Dense frame = random_rows(3, velocities, random);
        const double gap = random.below(2) == 0 ? 0.0 : random.uniform(0.0, 0.3);
        for (std::int64_t j = 0; j < velocities; ++j) {
            J(c * rows, j) = frame(0, j);
            for (std::int64_t f = 0; f < facets; ++f) {
                const double angle =
                    2.0 * 3.14159265358979 * static_cast<double>(f) / static_cast<double>(facets);
                J(c * rows + 1 + f, j) =
                    std::cos(angle) * frame(1, j) + std::sin(angle) * frame(2, j);
            }
        }
        r[c * rows] = gap;
    }
    const Vector free = J * v;
    for (std::int64_t i = 0; i < p; ++i) r[i] += free[i];
    SmallBlcp blcp = small(J * transposed(J), r);
    for (std::int64_t c = 0; c < contacts; ++c) {
        const std::int64_t normal = c * rows, slip = normal + 1 + facets;
        blcp.H(slip, normal) = random.below(5) == 0 ? 0.0 : random.uniform(0.1, 1.2);
        for (std::int64_t f = 0; f < facets; ++f) {
            blcp.H(slip, normal + 1 + f) = -1.0;
            blcp.H(normal + 1 + f, slip) = 1.0;
        }
    }
    return blcp;
}

// Copositive, not monotone; a solution exists for all such data, and Lemke's method finds it.
TEST(Lemke, SolvesPolygonalFriction) {
    Random random(204);
    for (int i = 0; i < 400; ++i) {
        const std::int64_t contacts = 1 + i % 10, facets = 4 + i % 5;
        const SmallBlcp p = polygonal(contacts, facets, 3 + random.below(12), random);
        const LemkeRun run = lemke(problem_of(p));
        EXPECT_EQ(run.info.outcome, Outcome::solved) << i << " eta " << run.eta;
        EXPECT_LE(run.eta, 1e-10) << i;
    }
}

}  // namespace
}  // namespace perp::test
