// Polygonal friction: known answers of one contact, directions, proofs, scales.
#include <numbers>

#include "friction_scenes.hpp"

namespace perp::test {
namespace {

constexpr double h = 1e-3;
constexpr Method both[] = {Method::lemke, Method::pivoting};

struct Polygon {
    std::int64_t facets = 4;
    Vector angle;
    Method method = Method::lemke;
    double tolerance = 1e-10;
};

std::unique_ptr<FrictionStep> make(const Step& s, const Polygon& polygon,
                                   const ContactMemory& memory = {}) {
    FrictionSettings f;
    f.model = FrictionModel::polygon;
    f.facets = polygon.facets;
    StepContacts contacts;
    contacts.h = h;
    contacts.facet_angle = polygon.angle;
    return make_polygon_step(f, system_of(s), s.rows, contacts, memory);
}

PassesRun solve(const Step& s, const Polygon& polygon = {}) {
    const auto step = make(s, polygon);
    return run_passes(*step, s, accurate(polygon.method, polygon.tolerance));
}

// ------------------------------------------------------------------ one contact

TEST(PolygonStep, SlidingForceIsOnThePolygon) {
    const double mu = 0.5, mass = 2.0;
    for (const std::int64_t facets : {3, 4, 6, 8, 16})
        for (int k = 0; k < 24; ++k) {
            const double angle = 0.1 + 0.2618 * k;
            const double c = std::cos(angle), s = std::sin(angle);
            const PassesRun run = solve(point_mass(mass, mu, {2 * c, 2 * s, 0}, h), {facets, {}});
            ASSERT_TRUE(run.solved) << facets << " " << angle;
            EXPECT_TRUE(run.converged);
            EXPECT_EQ(run.passes, 1);
            const double most = mu * mass * gravity * h;
            EXPECT_NEAR(run.impulses.N[0], mass * gravity * h, 1e-10);
            EXPECT_NEAR(run.v[2], 0.0, 1e-10);
            const double size = norm(run.impulses.D);
            EXPECT_LE(size, most * (1 + 1e-9));
            EXPECT_GE(size, most * (std::cos(std::numbers::pi / double(facets)) - 1e-9));
            // The direction that opposes best: the force is at that corner.
            double best = -2.0;
            for (std::int64_t j = 0; j < facets; ++j)
                best = std::max(
                    best, -std::cos(2 * std::numbers::pi * double(j) / double(facets) - angle));
            EXPECT_NEAR(-(run.impulses.D[0] * c + run.impulses.D[1] * s), most * best, 1e-9);
        }
}

TEST(PolygonStep, FirstDirectionAlongTheVelocityIsCoulomb) {
    const double mu = 0.4, angle = 0.7;
    for (const Method method : both) {
        const PassesRun run =
            solve(point_mass(1.0, mu, {3 * std::cos(angle), 3 * std::sin(angle), 0}, h),
                  {4, {angle}, method});
        ASSERT_TRUE(run.solved);
        EXPECT_NEAR(run.impulses.D[0], -mu * gravity * h * std::cos(angle), 1e-10);
        EXPECT_NEAR(run.impulses.D[1], -mu * gravity * h * std::sin(angle), 1e-10);
    }
}

TEST(PolygonStep, SticksInsideThePolygon) {
    const double mu = 0.5, most = mu * gravity * h;
    for (const Method method : both)
        for (const double share : {0.0, 0.3, 0.69}) {
            const double v = share * most;  // along the diagonal, to a facet at 0.7071
            const PassesRun run =
                solve(point_mass(1.0, mu, {v * std::sqrt(0.5), v * std::sqrt(0.5), 0}, h),
                      {4, {}, method});
            ASSERT_TRUE(run.solved) << share;
            EXPECT_LE(largest(run.v), 1e-10);
            EXPECT_NEAR(norm(run.impulses.D), v, 1e-10);
        }
}

TEST(PolygonStep, OpenAndSmoothContacts) {
    for (const Method method : both) {
        const PassesRun air = solve(point_mass(1.0, 0.5, {1, 2, 0}, h, 1e-3), {4, {}, method});
        ASSERT_TRUE(air.solved);
        EXPECT_EQ(air.impulses.N[0], 0.0);
        EXPECT_LE(largest(air.impulses.D), 1e-12);
        const PassesRun smooth = solve(point_mass(1.0, 0.0, {1, 2, 0}, h), {4, {}, method});
        ASSERT_TRUE(smooth.solved);
        EXPECT_NEAR(smooth.impulses.N[0], gravity * h, 1e-10);
        EXPECT_LE(largest(smooth.impulses.D), 1e-12);
        EXPECT_NEAR(smooth.v[0], 1.0, 1e-10);
    }
}

// ------------------------------------------------------------------ several contacts

TEST(PolygonStep, PlanarContactsAreBoxes) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        StepOptions o;
        o.shape = {1, 0, 0};
        o.seed = seed;
        o.redundant = false;
        o.compliance = seed % 2 == 0 ? 0.05 : 0.0;
        Step s = random_step(o);
        const PassesRun run = solve(s);
        ASSERT_TRUE(run.solved) << seed;
        // The same law with bounds at the normal impulses found.
        Step box = s;
        box.law = Law::box;
        for (std::int64_t i = 0; i < o.contacts; ++i) {
            box.rows.hi_T.push_back(s.rows.mu[i] * run.impulses.N[i]);
            box.rows.lo_T.push_back(-box.rows.hi_T[i]);
        }
        const Answer answer =
            perp::test::run(shared(problem_of(box)), accurate(Method::pivoting, 1e-11));
        ASSERT_EQ(answer.info.outcome, Outcome::solved) << seed;
        EXPECT_LE(distance(answer.v, run.v), 1e-7) << seed;
    }
}

TEST(PolygonStep, SpheresMeetTheLaw) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        for (const std::int64_t facets : {4, 8}) {
            const Step s = spheres(6 + 4 * (seed % 2), 6 + 14 * (seed % 2), 0.3, seed);
            const PassesRun run = solve(s, {facets, {}, both[seed % 4 / 2]});
            ASSERT_TRUE(run.solved) << seed;
            const Vector n = s.N * run.v, t = s.D * run.v;
            for (std::int64_t i = 0; i < s.N.rows; ++i) {
                const double g = run.impulses.N[i];
                EXPECT_GE(n[i], -1e-8);
                EXPECT_GE(g, 0.0);
                EXPECT_NEAR(g * n[i], 0.0, 1e-8);
                const double *d = run.impulses.D.data() + 2 * i, *v = t.data() + 2 * i;
                EXPECT_LE(norm({d, 2}), 0.3 * g + 1e-8);
                if (norm({v, 2}) < 1e-6) continue;
                const double least = std::cos(std::numbers::pi / double(facets));
                EXPECT_GE(norm({d, 2}), 0.3 * g * least - 1e-8);
                EXPECT_LE(d[0] * v[0] + d[1] * v[1], 1e-8 - 0.3 * g * norm({v, 2}) * least);
            }
        }
}

TEST(PolygonStep, CuboidWeighsWhatItWeighs) {
    for (const double mu : {0.1, 0.3, 0.6, 1.0})
        for (const double spin : {0.0, 3.0}) {
            const PassesRun run = solve(cuboid(mu, {1, 0.3, 0}, {0, 0, spin}, h), {8, {}});
            ASSERT_TRUE(run.solved) << mu;
            double sum = 0.0;
            for (const double x : run.impulses.N) sum += x;
            EXPECT_NEAR(sum, 2.0 * gravity * h, 1e-8) << mu;
        }
}

TEST(PolygonStep, BilateralAndBoxRows) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        StepOptions o;
        o.seed = seed;
        o.redundant = seed % 2 == 0;
        o.bilateral = 2;
        o.boxes = 2;
        const Step s = random_step(o);
        const PassesRun run = solve(s);
        ASSERT_TRUE(run.solved) << seed;
        const Vector a = s.A * run.v, b = s.B * run.v;
        for (int i = 0; i < 2; ++i) {
            EXPECT_NEAR(a[i], s.rows.u[i], 1e-7) << seed;
            const double w = b[i] + s.rows.b_B[i], g = run.impulses.B[i];
            EXPECT_NEAR(g, std::clamp(g - w, s.rows.lo_B[i], s.rows.hi_B[i]), 1e-7) << seed;
        }
    }
}

// ------------------------------------------------------------------ honesty

TEST(PolygonStep, ClosingWallsHaveNoSolution) {
    // One mass between two walls that both close.
    Step s;
    s.shape = {2, 0, 0};
    s.M = diagonal({1, 1, 1});
    s.N = Dense(2, 3, {0, 0, 1, 0, 0, -1});
    s.D = Dense(4, 3, {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0});
    s.rows.f = {1, 0.5, 0};
    s.rows.mu = {0.3, 0.6};
    s.rows.b_N = {-1, -1};
    for (const Method method : both) {
        const PassesRun run = solve(s, {4, {}, method});
        EXPECT_FALSE(run.solved);
        EXPECT_EQ(run.info.outcome, Outcome::no_solution);
        EXPECT_GT(run.law_residual, 1e-3);
    }
}

TEST(PolygonStep, UnitsDoNotMatter) {
    const Step s = cuboid(0.3, {1, 0.3, 0}, {0, 0, 3}, h);
    const PassesRun a = solve(s, {6, {}});
    for (const double factor : {1e-9, 1e-3, 1e6}) {  // of masses, and so of impulses
        Step scaled = s;
        for (double& x : scaled.M.a) x *= factor;
        for (double& x : scaled.rows.f) x *= factor;
        const PassesRun b = solve(scaled, {6, {}});
        ASSERT_TRUE(b.solved) << factor;
        EXPECT_LE(distance(a.v, b.v), 1e-9) << factor;
        double sum = 0.0;
        for (const double x : b.impulses.N) sum += x;
        EXPECT_NEAR(sum, factor * 2.0 * gravity * h, factor * 1e-9);
    }
}

// What is left of a solution whose impulses are 1 % short, whatever the masses: of that order.
TEST(PolygonStep, EtaKnowsNoUnits) {
    const Step s = cuboid(0.3, {1, 0.3, 0}, {0, 0, 3}, h);
    Vector eta;
    for (const double factor : {1.0, 1e-9, 1e6}) {
        Step scaled = s;
        for (double& x : scaled.M.a) x *= factor;
        for (double& x : scaled.rows.f) x *= factor;
        const auto step = make(scaled, {});
        PassesRun run = run_passes(*step, scaled, accurate(Method::lemke));
        for (std::size_t i = 6; i < run.z.size(); ++i) run.z[i] *= 0.99;  // behind the velocities
        eta.push_back(eta_of(*step->problem(), run.z));
    }
    EXPECT_NEAR(eta[1] / eta[0], 1.0, 1e-6);
    EXPECT_NEAR(eta[2] / eta[0], 1.0, 1e-6);
    EXPECT_GT(eta[0], 1e-3);
    EXPECT_LT(eta[0], 0.1);
}

TEST(PolygonStep, OrderOfContactsDoesNotMatter) {
    const Step s = spheres(6, 9, 0.3, 3);
    Step p = s;
    const std::int64_t order[] = {4, 8, 0, 2, 7, 1, 3, 6, 5};
    for (std::int64_t i = 0; i < 9; ++i)
        for (std::int64_t j = 0; j < s.N.cols; ++j) {
            p.N(i, j) = s.N(order[i], j);
            for (int k = 0; k < 2; ++k) p.D(2 * i + k, j) = s.D(2 * order[i] + k, j);
        }
    const PassesRun a = solve(s), b = solve(p);
    EXPECT_LE(distance(a.v, b.v), 1e-8);
    for (std::int64_t i = 0; i < 9; ++i) EXPECT_NEAR(b.impulses.N[i], a.impulses.N[order[i]], 1e-8);
    EXPECT_TRUE(same_bits(a.z, solve(s).z));
}

TEST(PolygonStep, MemoryIsTheSolutionAgain) {
    const Step s = spheres(6, 6, 0.3, 4);
    ContactMemory memory;
    const auto step = make(s, {6, {}});
    const PassesRun run = run_passes(*step, s, accurate(Method::lemke));
    ASSERT_TRUE(run.solved);
    step->remember(run.impulses, memory);
    const auto again = make(s, {6, {}}, memory);
    Vector z(run.z.size());
    again->guess(z);
    EXPECT_LE(eta_of(*again->problem(), z), 1e-9);
    Step planar = s;
    planar.shape = {1, 0, 0};
    planar.D = Dense(6, s.D.cols);
    for (std::int64_t i = 0; i < 6; ++i)
        for (std::int64_t j = 0; j < s.D.cols; ++j) planar.D(i, j) = s.D(2 * i, j);
    ContactMemory planar_memory;
    const auto first = make(planar, {});
    const PassesRun found = run_passes(*first, planar, accurate(Method::lemke));
    ASSERT_TRUE(found.solved);
    first->remember(found.impulses, planar_memory);
    const auto second = make(planar, {}, planar_memory);
    z.resize(found.z.size());
    second->guess(z);
    EXPECT_LE(eta_of(*second->problem(), z), 1e-9);
}

TEST(PolygonStep, RefusesWhatItCannotDo) {
    const Step s = point_mass(1, 0.5, {0, 0, 0}, h);
    EXPECT_FAILS(Status::bad_setting, "facets = 2", make(s, {2, {}}));
    EXPECT_FAILS(Status::bad_setting, "facets = 1001", make(s, {1001, {}}));
    EXPECT_FAILS(Status::bad_size, "facet_angle has 2", make(s, {4, {0, 0}}));
    EXPECT_FAILS(Status::bad_value, "facet_angle[0]", make(s, {4, {not_a_number}}));
    EXPECT_FAILS(Status::unsupported, "S has 18 rows", make(spheres(6, 6, 0.3, 1, 0.1), {}));
    Step bad = s;
    bad.rows.mu = {-1};
    EXPECT_FAILS(Status::bad_value, "mu[0]", make(bad, {}));
}

}  // namespace
}  // namespace perp::test
