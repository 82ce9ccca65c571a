// The pivoting method on steps: warm starts, and that order, units and doubled contacts change
// nothing.
#include <cstdlib>
#include <filesystem>

#include "io/instance.hpp"
#include "lattice.hpp"
#include "pivoting_support.hpp"
#include "restated.hpp"

namespace perp::test {
namespace {

// ------------------------------------------------------------------ warm starts

struct Scene {
    std::string name;
    Problem problem;
    bool unique;  // its impulses within bounds
};

// Stacks and walls of boxes, ropes: those of the instance files, where present, and lattices.
std::vector<Scene> scenes() {
    std::vector<Scene> all;
    LatticeOptions o;
    o.law = Law::box;
    for (const auto& [name, width, height, joints] : {std::tuple{"lattice stack", 1, 30, 0},
                                                      {"lattice chain", 1, 30, 29},
                                                      {"lattice heap", 3, 4, 2}}) {
        o.width = width;
        o.height = height;
        o.joints = joints;
        o.redundant = true;
        o.compliance = 1e-3;
        all.push_back({name, *lattice(o), true});
    }
    namespace fs = std::filesystem;
    const char* given = std::getenv("PERP_INSTANCES");
    const fs::path folder = fs::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "blcp";
    if (!fs::exists(folder)) return all;
    for (const char* name : {"rope0100", "stack20", "stack50", "wall06x05", "stack20_bristle",
                             "massratio_chain060", "massratio_rope060", "ragdoll03"})
        all.push_back(
            {name, read_problem((folder / (std::string(name) + ".h5")).string(), Law::box), false});
    return all;
}

TEST(PivotingSteps, AnUnchangedProblemNeedsNoPivot) {
    for (const Scene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        const Shared problem = shared(scene.problem);
        Settings settings = pivoting_settings();
        Solver first(problem, settings);
        Vector z(problem->rows(), 0.0);
        const Info cold = first.solve(z, {});
        ASSERT_EQ(cold.outcome, Outcome::solved) << cold.eta;
        const States set(first.basic_set().begin(), first.basic_set().end());
        ASSERT_EQ(set.size(), z.size());

        // The set alone, in another solver. It determines impulses that are unique.
        Solver second(problem, settings);
        second.set_basic_set(set);
        Vector from_set(problem->rows(), 0.0);
        const Info info = second.solve(from_set, {});
        EXPECT_EQ(info.outcome, Outcome::solved) << info.eta;
        if (scene.unique) {
            EXPECT_EQ(info.block_steps + info.single_pivots, 0);
            EXPECT_EQ(info.updates, 0);
            EXPECT_LE(info.factorizations, 1);
            EXPECT_EQ(info.interior_steps, 0);
        }

        // The set and impulses of seven digits: where they are not unique, these.
        settings.warm_start = true;
        Solver third(problem, settings);
        third.set_basic_set(set);
        Vector rounded = z;
        for (double& x : rounded) x = static_cast<double>(static_cast<float>(x));
        const Info near = third.solve(rounded, {});
        EXPECT_EQ(near.outcome, Outcome::solved) << near.eta;
        // Redundant rows at their bound up to rounding may be exchanged, mostly by updates.
        if (scene.unique) {
            EXPECT_EQ(near.block_steps + near.single_pivots, 0);
        }
        EXPECT_EQ(near.interior_steps, 0);
        EXPECT_LE(near.factorizations, scene.unique ? 1 : 3);

        // z alone, in the solver that has its set.
        first.set(settings);
        const Info again = first.solve(z, {});
        EXPECT_EQ(again.iterations, 0);
        EXPECT_EQ(again.outcome, Outcome::solved);
    }
}

TEST(PivotingSteps, WarmStartsHalveTheFactorizations) {
    for (Scene& scene : scenes()) {
        SCOPED_TRACE(scene.name);
        const auto problem = std::make_shared<Problem>(scene.problem);
        Settings settings = pivoting_settings();
        Solver warm_solver(problem, settings);
        Vector z(problem->rows(), 0.0);
        const Info before = warm_solver.solve(z, {});
        EXPECT_EQ(before.outcome, Outcome::solved);
        settings.warm_start = true;
        warm_solver.set(settings);

        Random random(31);
        ContactRows rows = problem->assembled()->rows;
        for (double& x : rows.f) x *= 1.0 + 0.01 * random.uniform();
        problem->set_vectors(rows);
        const Info warm = warm_solver.solve(z, {});
        const Answer cold = run(problem, pivoting_settings());
        EXPECT_EQ(warm.outcome, Outcome::solved) << warm.eta;
        EXPECT_EQ(cold.info.outcome, Outcome::solved) << cold.info.eta;
        EXPECT_LE(2 * warm.factorizations, cold.info.factorizations);
        Vector u(problem->rows());
        ProductWorkspace work = problem->make_workspace();
        problem->constraint_velocity(z, u, work);
        EXPECT_LE(distance(work.velocity, cold.v), 1e-5 * largest(cold.v));
    }
}

// ------------------------------------------------------------------ order, units, redundancy

// Contacts between two of ten bodies in space or with the ground; more rows than the dense
// shortcut takes.
Step scene_step(std::uint64_t seed) {
    StepOptions o;
    o.blocks.assign(20, 3);
    o.bilateral = 3;
    o.contacts = 32;
    o.boxes = 2;
    o.compliance = 1e-3;
    o.redundant = false;
    o.law = Law::box;
    o.seed = seed;
    Step s = random_step(o);
    // Rows of few bodies. The free velocity of what is left stays; some contacts open.
    Random random(seed + 1000);
    for (std::int64_t i = 0; i < o.contacts; ++i) {
        const std::int64_t a = random.below(20), b = random.below(20);
        for (std::int64_t j = 0; j < s.M.rows; ++j) {
            if (j / 3 == a || j / 3 == b) continue;
            s.N(i, j) = s.D(2 * i, j) = s.D(2 * i + 1, j) = 0.0;
        }
    }
    return s;
}

struct Counted {
    Info info;
    Vector v;
};

Counted counted(const Step& step, bool direct) {
    const Shared problem = shared(problem_of(step));
    Counted c;
    Vector z;
    if (direct) {
        const Pivoted found = pivot_solved(*problem, 1e-12);
        c.info = found.info;
        z = found.z;
    } else {
        const Answer answer = run(problem, pivoting_settings(1e-12));
        EXPECT_EQ(answer.info.outcome, Outcome::solved) << answer.info.eta;
        c.info = answer.info;
        z = answer.z;
    }
    Vector u(problem->rows());
    ProductWorkspace work = problem->make_workspace();
    problem->constraint_velocity(z, u, work);
    c.v = work.velocity;
    return c;
}

void expect_same_counts(const Counted& x, const Counted& y) {
    EXPECT_EQ(x.info.outer_loops, y.info.outer_loops);
    EXPECT_EQ(x.info.block_steps, y.info.block_steps);
    EXPECT_EQ(x.info.single_pivots, y.info.single_pivots);
    EXPECT_EQ(x.info.interior_steps, y.info.interior_steps);
}

Vector in_lengths(Vector v, double c) {  // every third freedom is an angle
    for (std::size_t i = 0; i < v.size(); ++i)
        if (i % 3 != 2) v[i] *= c;
    return v;
}

class PivotingInvariance : public testing::TestWithParam<std::uint64_t> {};

TEST_P(PivotingInvariance, OrderAndUnits) {
    const Stated given{scene_step(GetParam()), Vector(200, 0.0)};
    const Counted plain = counted(given.step, false);
    const double bound = 1e-9 * largest(plain.v);
    const auto same = [&](const char* what, const Counted& other, const Vector& v) {
        SCOPED_TRACE(what);
        EXPECT_LE(distance(v, plain.v), bound);
        expect_same_counts(other, plain);
    };
    for (const double c : {1e3, 1e-6}) {
        const Counted mass = counted(other_mass_unit(given, c).step, false);
        same("mass unit", mass, mass.v);
        const Counted length = counted(other_length_unit(given, c).step, false);
        same("length unit", length, in_lengths(length.v, 1.0 / c));
    }
    const Counted order = counted(other_order(given).step, false);
    same("order", order, order.v);
}

// Powers of four have exact roots: nothing at all may differ.
TEST_P(PivotingInvariance, PowersOfFourAreExact) {
    const Stated given{scene_step(GetParam()), Vector(200, 0.0)};
    const Counted plain = counted(given.step, true);
    const Counted mass = counted(other_mass_unit(given, 4096.0).step, true);
    const Counted length = counted(other_length_unit(given, 1.0 / 1024.0).step, true);
    expect_same_counts(mass, plain);
    expect_same_counts(length, plain);
    EXPECT_TRUE(same_bits(mass.v, plain.v));
    EXPECT_TRUE(same_bits(in_lengths(length.v, 1024.0), plain.v));
}

// Every contact there twice shares its impulse: the same velocities, nothing singular.
TEST_P(PivotingInvariance, DoubledContacts) {
    const Step once = scene_step(GetParam());
    Step twice = once;
    const auto doubled_rows = [](const Dense& J) { return stacked({&J, &J}); };
    const auto doubled = [](const Vector& v, double c) { return scaled(repeated(v, 2), c); };
    twice.N = doubled_rows(once.N);
    twice.D = doubled_rows(once.D);
    const ContactRows& from = once.rows;
    ContactRows& to = twice.rows;
    to.b_N = doubled(from.b_N, 1.0);
    to.b_T = doubled(from.b_T, 1.0);
    to.mu = doubled(from.mu, 1.0);
    to.rho = to.sigma = to.mu;
    to.lo_T = doubled(from.lo_T, 0.5);
    to.hi_T = doubled(from.hi_T, 0.5);
    to.compliance_N = doubled(from.compliance_N, 2.0);
    to.compliance_T = doubled(from.compliance_T, 2.0);
    const Counted plain = counted(once, false), more = counted(twice, false);
    EXPECT_LE(distance(more.v, plain.v), 1e-9 * largest(plain.v));
    // Rigid: singular without the proximal term.
    Step rigid = once;
    for (Vector ContactRows::*compliance :
         {&ContactRows::compliance_N, &ContactRows::compliance_T}) {
        (rigid.rows.*compliance) = scaled(from.*compliance, 0.0);
        (to.*compliance) = doubled(from.*compliance, 0.0);
    }
    const Counted a = counted(rigid, false), b = counted(twice, false);
    EXPECT_LE(distance(a.v, b.v), 1e-9 * largest(a.v));
}

INSTANTIATE_TEST_SUITE_P(Seeds, PivotingInvariance, testing::Range<std::uint64_t>(1, 6));

}  // namespace
}  // namespace perp::test
