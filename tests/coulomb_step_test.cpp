// Steps under the exact Coulomb law: known answers, rounds, honesty.
#include "friction_scenes.hpp"

namespace perp::test {
namespace {

FrictionSettings coulomb(double tolerance = 1e-10, std::int64_t passes = 100) {
    FrictionSettings f;
    f.model = FrictionModel::coulomb;
    f.pass_tolerance = tolerance;
    f.passes = passes;
    return f;
}

// Rounds of ipm are solved to the end: their number is that of the iteration of the shifts.
Settings cone_solver(Method method = Method::ipm) {
    Settings s = accurate(method);
    s.warm_start = true;
    return s;
}

// As a Stepper does.
PassesRun take(FrictionStep& step, const Step& s, const FrictionSettings& f, Settings solver) {
    solver.tolerance = f.pass_tolerance;
    solver.tie_rounds = f.passes;
    PassesRun r = run_passes(step, s, solver);
    r.converged = r.solved;
    r.passes = std::max<std::int64_t>(1, r.info.tie_rounds);
    return r;
}

PassesRun solve(const Step& s, const FrictionSettings& f = coulomb(),
                const Settings& solver = cone_solver(), double h = 1e-3) {
    StepContacts contacts;
    contacts.h = h;
    const auto step = make_coulomb_step(f, system_of(s), s.rows, contacts, {});
    return take(*step, s, f, solver);
}

// |g - P_K(g - u~)| of each contact in the caller's units: dense algebra, apart from residual().
double law_violation(const Step& s, const PassesRun& run) {
    const Vector n = s.N * run.v, t = s.D * run.v, a = s.S * run.v;
    const int nt = s.shape.tangential, na = s.shape.angular();
    double worst = 0.0;
    for (std::int64_t i = 0; i < s.N.rows; ++i) {
        double u[6] = {n[i] + (s.rows.b_N.empty() ? 0.0 : s.rows.b_N[i])};
        double g[6] = {run.impulses.N[i]};
        for (int j = 0; j < nt; ++j) {
            u[1 + j] = t[nt * i + j];
            g[1 + j] = run.impulses.D[nt * i + j];
        }
        for (int j = 0; j < na; ++j) {
            u[1 + nt + j] = a[na * i + j];
            g[1 + nt + j] = run.impulses.S[na * i + j];
        }
        const ConeCoefficients c{s.rows.mu[i], na > 1 ? s.rows.sigma[i] : 0.0,
                                 na > 0 ? s.rows.rho[i] : 0.0};
        u[0] += de_saxce_shift(s.shape, c, u);
        double x[6];
        for (int j = 0; j < s.shape.rows(); ++j) x[j] = g[j] - u[j];
        project_contact(s.shape, c, x);
        for (int j = 0; j < s.shape.rows(); ++j) worst = std::max(worst, std::abs(g[j] - x[j]));
    }
    return worst;
}

// ------------------------------------------------------------------ known answers

TEST(CoulombStep, SlidingBlockStaysOnThePlane) {
    const double h = 1e-3, mu = 0.5, speed = 6.0;
    for (const double angle : {0.0, 0.3, 2.0, -1.2}) {
        const Step s =
            point_mass(1.0, mu, {speed * std::cos(angle), speed * std::sin(angle), 0}, h);
        const PassesRun run = solve(s);
        ASSERT_TRUE(run.converged);
        EXPECT_LE(run.passes, 4);
        EXPECT_NEAR(run.impulses.N[0], gravity * h, 1e-9);
        EXPECT_NEAR(run.v[2], 0.0, 1e-9);
        EXPECT_NEAR(run.v[0], (speed - mu * gravity * h) * std::cos(angle), 1e-9);
        EXPECT_NEAR(run.v[1], (speed - mu * gravity * h) * std::sin(angle), 1e-9);
        EXPECT_NEAR(run.impulses.D[0], -mu * gravity * h * std::cos(angle), 1e-9);
        EXPECT_LE(law_violation(s, run), 1e-9);
        EXPECT_LE(run.law_residual, 1e-9);

        // The relaxed law lifts the block.
        const Answer relaxed = test::run(shared(problem_of(s)), accurate(Method::accurate));
        EXPECT_NEAR(relaxed.z[0], (gravity * h + mu * speed) / (1 + mu * mu), 1e-9);
        EXPECT_NEAR(relaxed.u[0], mu * std::hypot(relaxed.u[1], relaxed.u[2]), 1e-9);
        EXPECT_FALSE(solve(s, coulomb(1e-10, 1)).converged);
    }
}

TEST(CoulombStep, OnePassWhereNothingSlides) {
    const double h = 1e-3;
    for (const double vx : {0.0, 1e-3}) {  // at rest; stopped within the step
        const PassesRun run = solve(point_mass(3.0, 0.5, {vx, 0, 0}, h));
        EXPECT_TRUE(run.converged);
        EXPECT_EQ(run.passes, 1);
        EXPECT_NEAR(run.impulses.N[0], 3.0 * gravity * h, 1e-10);
        EXPECT_NEAR(run.impulses.D[0], -3.0 * vx, 1e-10);
    }
    // In the air, over the edge of what sticks, without friction.
    const PassesRun air = solve(point_mass(3.0, 0.5, {1, 0, 0}, h, 1.0));
    EXPECT_TRUE(air.converged);
    EXPECT_EQ(air.impulses.N[0], 0.0);
    const PassesRun smooth = solve(point_mass(3.0, 0.0, {1, 0, 0}, h));
    EXPECT_TRUE(smooth.converged);
    EXPECT_EQ(smooth.passes, 1);
    EXPECT_EQ(smooth.impulses.D[0], 0.0);
}

TEST(CoulombStep, NoContactsNoRows) {
    Step s;
    s.M = diagonal({1, 2});
    s.rows.f = {1, 2};
    const PassesRun run = solve(s);
    EXPECT_TRUE(run.converged);
    EXPECT_EQ(run.passes, 1);
}

// ------------------------------------------------------------------ rolling disc

struct Disc {
    double R = 1.0, M = 10.0, J = 4.0, g = 9.8, mu = 0.9, rho = 0.02;
    Vector v{1, 0, -1}, q{0, 0, 0};
    ContactMemory memory;
    std::int64_t most_passes = 0;

    [[nodiscard]] Step step(double h) const {
        Step s;
        s.shape = {1, 0, 1};
        s.M = diagonal({M, M, J});
        s.N = Dense(1, 3, {0, 1, 0});
        s.D = Dense(1, 3, {1, 0, R});
        s.S = Dense(1, 3, {0, 0, 1});
        s.rows.f = s.M * v;
        s.rows.f[1] -= h * M * g;
        s.rows.b_N = {q[1] / h};
        s.rows.mu = {mu};
        s.rows.rho = {rho};
        return s;
    }
    void advance(double h, std::int64_t k) {
        const Step s = step(h);
        StepContacts contacts;
        contacts.h = h;
        const auto coulomb_step =
            make_coulomb_step(coulomb(), system_of(s), s.rows, contacts, memory);
        const PassesRun run = take(*coulomb_step, s, coulomb(), cone_solver());
        EXPECT_TRUE(run.converged) << k;
        EXPECT_LE(run.law_residual, 1e-9) << k;
        coulomb_step->remember(run.impulses, memory);
        v = run.v;
        for (int i = 0; i < 3; ++i) q[i] += h * v[i];
        EXPECT_LE(std::abs(q[1]), 1e-10) << k;
        most_passes = std::max(most_passes, run.passes);
    }
};

TEST(CoulombStep, DiscRollsToRestOnThePlane) {
    const double h = 0.01;
    Disc disc;
    Vector speed{disc.v[0]};
    for (std::int64_t k = 0; k < 800; ++k) {
        disc.advance(h, k);
        speed.push_back(disc.v[0]);
    }
    for (std::size_t k = 10; k < 700; ++k)
        ASSERT_NEAR((speed[k] - speed[k + 1]) / h, 0.14, 0.14e-6) << k;
    EXPECT_GT(speed[714], 1e-6);  // stops at 7.1429 s
    EXPECT_NEAR(speed[715], 0.0, 1e-9);
    EXPECT_NEAR(disc.q[0], 3.56643, 1e-5);
    EXPECT_LE(disc.most_passes, 4);
}

TEST(CoulombStep, DiscThatSlipsStaysOnThePlane) {
    Disc disc;
    disc.v = {1, 0, 0};
    for (std::int64_t k = 0; k < 100; ++k) disc.advance(0.01, k);
    EXPECT_NEAR(disc.v[0], 0.57429, 1e-5);
    EXPECT_NEAR(disc.v[2], -disc.v[0], 1e-9);
    EXPECT_LE(disc.most_passes, 5);  // 78 plain ones
}

// ------------------------------------------------------------------ several contacts

TEST(CoulombStep, CuboidWeighsWhatItWeighs) {
    const double h = 1e-3;
    const struct {
        double mu;
        std::int64_t sliding,
            spinning;  // most passes: friction-models.md 4.5, relaxed (at 0.1 plain)
    } cases[] = {{0.1, 5, 7}, {0.3, 8, 12}, {0.6, 11, 22}, {1.0, 15, 35}};
    for (const auto& c : cases) {
        const struct {
            Step s;
            std::int64_t most;
        } motions[] = {{cuboid(c.mu, {2, 0.5, 0}, {0, 0, 0}, h), c.sliding},
                       {cuboid(c.mu, {1, 0, 0}, {0, 0, 3}, h), c.spinning},
                       {cuboid(c.mu, {1e-3, 0, 0}, {0, 0, 0}, h), 5}};
        for (const auto& [s, most] : motions) {
            const PassesRun run = solve(s, coulomb(1e-9));
            ASSERT_TRUE(run.converged) << c.mu;
            EXPECT_LE(run.passes, most) << c.mu;
            double sum = 0.0;
            for (const double x : run.impulses.N) sum += x;
            EXPECT_NEAR(sum, 2.0 * gravity * h, 1e-8) << c.mu;
            EXPECT_LE(largest(s.N * run.v), 1e-8) << c.mu;
            EXPECT_LE(law_violation(s, run), 1e-8) << c.mu;
        }
    }
}

TEST(CoulombStep, SpheresMeetTheLaw) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const double rolling : {0.0, 0.05}) {
            const Step s = spheres(6 + 4 * (seed % 2), 6 + 14 * (seed % 2), 0.3, seed, rolling);
            const PassesRun run = solve(s, coulomb(1e-9));
            ASSERT_TRUE(run.converged) << seed;
            EXPECT_TRUE(run.solved);
            EXPECT_LE(run.law_residual, 1e-8) << seed;
            EXPECT_LE(law_violation(s, run), 1e-8) << seed;
        }
}

TEST(CoulombStep, StrongFrictionConvergesOrSaysSo) {
    std::int64_t converged = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        const Step s = spheres(6 + 4 * (seed % 2), 6 + 14 * (seed % 2), 1.0, seed);
        const PassesRun run = solve(s, coulomb(1e-8, 60));
        EXPECT_LE(run.passes, 60);
        for (const double x : run.z) ASSERT_TRUE(std::isfinite(x));
        if (run.converged) {
            ++converged;
            EXPECT_LE(run.law_residual, 1e-7) << seed;
        } else {
            EXPECT_GT(run.law_residual, 1e-8);
        }
    }
    EXPECT_GE(converged, 12);
}

// ------------------------------------------------------------------ the step as an object

TEST(CoulombStep, AgainWithPassesUsedUp) {
    const Step s = cuboid(0.6, {1, 0, 0}, {0, 0, 3}, 1e-3);
    StepContacts contacts;
    contacts.h = 1e-3;
    const auto step = make_coulomb_step(coulomb(1e-10, 3), system_of(s), s.rows, contacts, {});
    const Shared problem = step->problem();
    const PassesRun run = take(*step, s, coulomb(1e-10, 3), cone_solver());
    EXPECT_FALSE(run.converged);
    EXPECT_EQ(run.passes, 3);
    EXPECT_FALSE(step->next(run.z));
    EXPECT_EQ(step->problem(), problem);
    EXPECT_GT(run.law_residual, 1e-9);
}

TEST(CoulombStep, RoughSolutionsEndThePasses) {
    for (const Method method : iterating)
        for (const double tolerance : {1e-3, 1e-6}) {
            for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                const PassesRun run =
                    solve(spheres(10, 20, 0.3, seed), coulomb(tolerance), cone_solver(method));
                EXPECT_TRUE(run.converged) << seed;
                EXPECT_LE(run.law_residual, tolerance) << seed;
            }
        }
}

TEST(CoulombStep, MemoryIsAStart) {
    const Step s = cuboid(0.3, {1, 0, 0}, {0, 0, 3}, 1e-3);
    StepContacts contacts;
    contacts.h = 1e-3;
    contacts.id = {7, 5, 9, 1};
    ContactMemory memory;
    const auto first = make_coulomb_step(coulomb(), system_of(s), s.rows, contacts, memory);
    const PassesRun run = take(*first, s, coulomb(), cone_solver());
    first->remember(run.impulses, memory);
    contacts.h = 5e-4;  // impulses follow the length of the step
    const auto second = make_coulomb_step(coulomb(), system_of(s), s.rows, contacts, memory);
    Vector z(run.z.size());
    second->guess(z);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], 0.5 * run.z[i], 1e-15);
}

TEST(CoulombStep, OrderOfContactsDoesNotMatter) {
    const Step s = spheres(6, 9, 0.4, 3);
    Step p = s;
    const std::int64_t order[] = {4, 8, 0, 2, 7, 1, 3, 6, 5};
    for (std::int64_t i = 0; i < 9; ++i) {
        p.rows.mu[i] = s.rows.mu[order[i]];
        for (std::int64_t j = 0; j < s.N.cols; ++j) {
            p.N(i, j) = s.N(order[i], j);
            for (int k = 0; k < 2; ++k) p.D(2 * i + k, j) = s.D(2 * order[i] + k, j);
        }
    }
    const PassesRun a = solve(s), b = solve(p);
    EXPECT_EQ(a.passes, b.passes);
    EXPECT_LE(distance(a.v, b.v), 1e-8);
    for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(b.impulses.N[i], a.impulses.N[order[i]], 1e-8);
    const PassesRun again = solve(s);
    EXPECT_TRUE(same_bits(a.z, again.z));
}

TEST(CoulombStep, UnitsDoNotMatter) {
    const Step s = spheres(6, 9, 0.4, 5);
    Step grams = s;
    for (double& x : grams.M.a) x *= 1e3;
    for (double& x : grams.rows.f) x *= 1e3;
    const PassesRun a = solve(s), b = solve(grams);
    EXPECT_EQ(a.passes, b.passes);
    EXPECT_LE(distance(a.v, b.v), 1e-8);
}

TEST(CoulombStep, RefusesBadSettings) {
    const Step s = point_mass(1, 0.5, {0, 0, 0}, 1e-3);
    EXPECT_FAILS(Status::bad_setting, "passes = 0", solve(s, coulomb(1e-10, 0)));
    EXPECT_FAILS(Status::bad_setting, "pass_tolerance = -1", solve(s, coulomb(-1.0)));
    EXPECT_FAILS(Status::bad_setting, "pass_tolerance", solve(s, coulomb(not_a_number)));
    EXPECT_FAILS(Status::bad_value, "h = 0", solve(s, coulomb(), cone_solver(), 0.0));
    Step bad = s;
    bad.rows.mu = {-0.5};
    EXPECT_FAILS(Status::bad_value, "mu[0]", solve(bad));
}

}  // namespace
}  // namespace perp::test
