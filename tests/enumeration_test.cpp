// The search of all basic sets: against a plain loop over 3^p states, on problems that fall apart,
// on singular sets, at its limits, behind the method `pivoting`.
#include <cstdlib>
#include <filesystem>

#include "enumerate_basis.hpp"
#include "io/instance.hpp"
#include "problem/mixed_form.hpp"
#include "solver_support.hpp"
#include "solvers/enumeration.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp::test {
namespace {

constexpr double inf = infinity;

struct Searched {
    bool decided = false;
    Info info;
    Vector z;  // the caller's units
    double eta = inf;
};

Searched search(const Problem& problem, Vector start = {}, double tolerance = 1e-10,
                std::int64_t limit = 1000000) {
    Settings settings;
    settings.tolerance = tolerance;
    settings.max_iterations = limit;
    const MixedForm form(problem);
    PivotMonitorWorkspace work(problem, form);
    const ProgressCallback progress;
    PivotMonitor monitor(problem, form, settings, progress, work);
    monitor.finish(Outcome::stalled);
    Vector z(form.p, 0.0);
    if (!start.empty()) form.from_user(start, z);
    Searched s;
    s.decided = run_enumeration(form, z, monitor);
    s.info = monitor.info();
    s.z.resize(form.p);
    form.to_user(z, s.z);
    s.eta = eta_of(problem, s.z);
    EXPECT_TRUE(monitor.certificate().empty());
    EXPECT_EQ(s.info.outcome == Outcome::solved, s.decided && s.eta <= tolerance);
    return s;
}

Searched search(const SmallBlcp& p) { return search(*blcp(p.H, p.q, p.lo, p.hi)); }

// Bounds of all kinds: one side, the other, both, none, equal.
void random_bounds(SmallBlcp& p, Random& random) {
    p.lo.assign(p.size(), -inf);
    p.hi.assign(p.size(), inf);
    for (std::int64_t i = 0; i < p.size(); ++i) {
        const std::int64_t kind = random.below(9);
        if (kind != 0 && kind != 1) p.lo[i] = kind < 5 ? 0.0 : random.uniform(-1.0, 0.5);
        if (kind == 1 || kind > 4) p.hi[i] = kind == 1 ? 0.3 : p.lo[i] + random.uniform(0.1, 1.0);
        if (kind == 8) p.hi[i] = p.lo[i];
    }
}

SmallBlcp random_indefinite(std::int64_t n, Random& random) {
    SmallBlcp p;
    p.H = Dense(n, n, random.vector(n * n));
    const bool symmetric = random.below(2) == 0;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < i; ++j)
            if (symmetric) p.H(i, j) = p.H(j, i);
    p.q = random.vector(n);
    random_bounds(p, random);
    return p;
}

TEST(Enumeration, AgreesWithThePlainLoop) {
    Random random(1);
    int solved = 0, none = 0, undecided = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const SmallBlcp p = random_indefinite(1 + random.below(5), random);
        const bool solvable = enumerate_bases(p).solvable();
        const Searched s = search(p);
        if (!s.decided) {
            ++undecided;
            continue;
        }
        EXPECT_EQ(s.info.outcome, solvable ? Outcome::solved : Outcome::no_solution) << trial;
        (solvable ? solved : none)++;
    }
    EXPECT_GT(solved, 500);
    EXPECT_GT(none, 100);
    EXPECT_LE(undecided, 2);
}

// Small integers: singular sets abound, and ties. The loop knows only one point of such a set.
TEST(Enumeration, SingularSets) {
    Random random(2);
    int solved = 0, none = 0, undecided = 0, more = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        SmallBlcp p;
        const std::int64_t n = 1 + random.below(5);
        p.H = Dense(n, n);
        for (double& x : p.H.a) x = static_cast<double>(random.below(5) - 2);
        for (std::int64_t i = 0; i < n; ++i)
            if (random.below(2) == 0) p.H(i, i) = 0.0;
        p.q.resize(n);
        for (double& x : p.q) x = static_cast<double>(random.below(5) - 2);
        random_bounds(p, random);
        const Shared problem = blcp(p.H, p.q, p.lo, p.hi);
        const bool solvable = enumerate_bases(p).solvable();
        const Searched s = search(*problem);
        if (!s.decided) {
            ++undecided;
            continue;
        }
        if (s.info.outcome == Outcome::no_solution) {
            EXPECT_FALSE(solvable) << trial;
            ++none;
        } else {
            EXPECT_EQ(s.info.outcome, Outcome::solved);
            ++solved;
            if (!solvable) ++more;
        }
    }
    EXPECT_GT(solved, 500);
    EXPECT_GT(none, 100);
    EXPECT_LE(undecided, 20);
    std::printf("solved %d, of which %d only off the loop's points; none %d, undecided %d\n",
                solved, more, none, undecided);
}

// The shortest point of a singular set does not serve, another one does.
TEST(Enumeration, MovesInTheNullSpace) {
    // z_1 = z_2 + 2, and the shortest such z is (1, -1).
    const Dense H(2, 2, {1, -1, -1, 1});
    const Searched one = search(*blcp(H, {-2, 2}, {0, 0}, {inf, inf}));
    EXPECT_EQ(one.info.outcome, Outcome::solved);
    // Two rows without bounds say the same; the third wants z_1 + z_2 >= 6.
    const Dense three(3, 3, {1, -1, 0, -1, 1, 0, 1, 1, 0});
    const Searched far = search(*blcp(three, {-2, 2, -6}, {-inf, -inf, 0}, {inf, inf, inf}));
    EXPECT_EQ(far.info.outcome, Outcome::solved);
    EXPECT_GE(far.z[0] + far.z[1], 6.0 - 1e-9);
    // ... and a fourth at most 5: contradictory.
    const Dense four(4, 4, {1, -1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, -1, -1, 0, 0});
    const Searched never =
        search(*blcp(four, {-2, 2, -6, 5}, {-inf, -inf, 0, 0}, {inf, inf, inf, inf}));
    EXPECT_EQ(never.info.outcome, Outcome::no_solution);
    const Searched point =
        search(*blcp(four, {-2, 2, -6, 6}, {-inf, -inf, 0, 0}, {inf, inf, inf, inf}));
    EXPECT_EQ(point.info.outcome, Outcome::solved);
}

SmallBlcp side_by_side(const std::vector<SmallBlcp>& parts) {
    SmallBlcp all;
    std::int64_t n = 0;
    for (const SmallBlcp& p : parts) n += p.size();
    all.H = Dense(n, n);
    std::int64_t first = 0;
    for (const SmallBlcp& p : parts) {
        for (std::int64_t i = 0; i < p.size(); ++i)
            for (std::int64_t j = 0; j < p.size(); ++j) all.H(first + i, first + j) = p.H(i, j);
        first += p.size();
        all.q.insert(all.q.end(), p.q.begin(), p.q.end());
        all.lo.insert(all.lo.end(), p.lo.begin(), p.lo.end());
        all.hi.insert(all.hi.end(), p.hi.begin(), p.hi.end());
    }
    return all;
}

TEST(Enumeration, OneBlockWithoutSolutionDecidesAll) {
    Random random(3);
    int solved = 0, none = 0;
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<SmallBlcp> parts;
        bool solvable = true;
        const std::int64_t count = trial % 3 == 0 ? 8 : 2;
        while (static_cast<std::int64_t>(parts.size()) < count) {
            SmallBlcp p = random_indefinite(1 + random.below(4), random);
            const bool this_one = enumerate_bases(p).solvable();
            if (!this_one && trial % 2 == 0) continue;
            solvable = solvable && this_one;
            parts.push_back(std::move(p));
        }
        const Searched s = search(side_by_side(parts));
        EXPECT_TRUE(s.decided);
        EXPECT_EQ(s.info.outcome, solvable ? Outcome::solved : Outcome::no_solution) << trial;
        (solvable ? solved : none)++;
    }
    EXPECT_GT(solved, 30);
    EXPECT_GT(none, 10);
}

// 13 rows with bounds: left as they are. A block beside them is searched all the same.
TEST(Enumeration, LargeBlocksAreLeft) {
    Random random(4);
    SmallBlcp large;
    large.H = Dense(13, 13, random.vector(169));
    for (int i = 0; i < 13; ++i) large.H(i, i) = 13.0;
    large.q.assign(13, -1.0);
    large.lo.assign(13, 0.0);
    large.hi.assign(13, inf);
    const Searched alone = search(large);
    EXPECT_FALSE(alone.decided);
    EXPECT_EQ(alone.info.outcome, Outcome::stalled);
    EXPECT_EQ(alone.info.fallbacks, 0);
    const SmallBlcp bad{Dense(1, 1, {-1}), {-1}, {0}, {inf}};
    const Searched both = search(side_by_side({large, bad}));
    EXPECT_TRUE(both.decided);
    EXPECT_EQ(both.info.outcome, Outcome::no_solution);
    EXPECT_EQ(both.info.fallbacks, fallback::enumeration);
    // Bounds apart, 60 rows are allowed.
    Dense chain(60, 60);
    for (int i = 0; i < 60; ++i) {
        chain(i, i) = 2.0;
        if (i > 0) chain(i, i - 1) = chain(i - 1, i) = -1.1;
    }
    Vector lo(60, -inf), hi(60, inf), q(60, -1.0);
    for (int i = 0; i < 60; i += 5) {
        lo[i] = 0.0;
        hi[i] = 0.5;
    }
    const Searched wide = search(*blcp(chain, q, lo, hi));
    EXPECT_EQ(wide.info.outcome, Outcome::solved) << wide.eta;
    lo[1] = 0.0;
    EXPECT_FALSE(search(*blcp(chain, q, lo, hi)).decided);
}

// Every row has all three states, and every set is singular: the most work that there can be.
TEST(Enumeration, TheLargestSearch) {
    Random random(6);
    Dense H(60, 60, random.vector(3600));
    for (int j = 0; j < 60; ++j) H(0, j) = 0.0;
    Vector lo(60, -inf), hi(60, inf);
    for (int i = 48; i < 60; ++i) {
        lo[i] = -1.0;
        hi[i] = 1.0;
    }
    const Searched s = search(*blcp(H, Vector(60, 1.0), lo, hi));
    EXPECT_EQ(s.info.outcome, Outcome::no_solution);
}

TEST(Enumeration, StopsAtTheLimit) {
    Random random(5);
    SmallBlcp p;
    p.H = Dense(12, 12, random.vector(144));
    for (int i = 0; i < 12; ++i) p.H(i, i) = -1.0;
    p.q.assign(12, -1.0);
    p.lo.assign(12, 0.0);
    p.hi.assign(12, inf);
    const Searched s = search(*blcp(p.H, p.q, p.lo, p.hi), {}, 1e-10, 3);
    EXPECT_FALSE(s.decided);
    EXPECT_EQ(s.info.outcome, Outcome::iteration_limit);
}

// Steps with bodies: blocks are what shares bodies, whatever the constraints at fixed rows say.
TEST(Enumeration, SolvesSteps) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        StepOptions options;
        options.blocks = {3, 3};
        options.contacts = 2;
        options.law = Law::box;
        options.redundant = seed % 2 == 0;
        options.seed = seed;
        const Searched s = search(problem_of(random_step(options)));
        EXPECT_EQ(s.info.outcome, Outcome::solved) << seed << " " << s.eta;
    }
}

// What one solution of the other blocks is, stays.
TEST(Enumeration, KeepsBlocksThatAreSolved) {
    const SmallBlcp two{Dense(1, 1, {-1}), {1}, {0}, {inf}};  // 0 or 1
    const SmallBlcp other{Dense(1, 1, {2}), {-4}, {0}, {inf}};
    const SmallBlcp both = side_by_side({two, other});
    for (const double kept : {0.0, 1.0}) {
        const Searched s = search(*blcp(both.H, both.q, both.lo, both.hi), {kept, 0.5});
        EXPECT_EQ(s.info.outcome, Outcome::solved);
        EXPECT_LE(distance(s.z, {kept, 2.0}), 1e-14);
    }
}

// `pivoting` comes here after all else; a proof by exhaustion brings no certificate.
TEST(Enumeration, EndsThePivotingMethod) {
    Random random(7);
    int searched = 0, exhausted = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const SmallBlcp p = random_indefinite(2 + random.below(4), random);
        const Shared problem = blcp(p.H, p.q, p.lo, p.hi);
        Solver solver(problem, accurate(Method::pivoting, 1e-9));
        Vector z(problem->rows(), 0.0);
        const Info info = solver.solve(z, {});
        const bool solvable = enumerate_bases(p).solvable();
        EXPECT_EQ(info.outcome, solvable ? Outcome::solved : Outcome::no_solution) << trial;
        const bool last = (info.fallbacks & fallback::enumeration) != 0;
        EXPECT_EQ(solver.certificate().empty(), last || info.outcome == Outcome::solved) << trial;
        if (last) (solvable ? searched : exhausted)++;
    }
    EXPECT_GT(searched, 0);
    EXPECT_GT(exhausted, 0);
    std::printf("found by search %d, exhausted %d\n", searched, exhausted);
}

TEST(Enumeration, InstancesOfThePivotingMethod) {
    namespace fs = std::filesystem;
    const char* given = std::getenv("PERP_INSTANCES");
    const fs::path folder = fs::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "blcp";
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        const bool contradictory = name == "nosolution30.h5";
        if (!contradictory && !name.starts_with("gmp") && !name.starts_with("lcp_") &&
            !name.starts_with("mlcp_") && !name.starts_with("relay"))
            continue;
        if (PERP_WITH_GPL == 0 && name == "mlcp_diodeBridge40.hdf5") continue;  // KLU refuses it
        const auto problem = shared(read_problem(entry.path().string(), Law::box));
        const Answer answer = run(problem, accurate(Method::pivoting, 1e-7));
        EXPECT_EQ(answer.info.outcome, contradictory ? Outcome::no_solution : Outcome::solved)
            << name;
        if (answer.info.fallbacks >= fallback::lemke || answer.info.outcome != Outcome::solved)
            std::printf("%-28s outcome %d fallbacks %d eta %.1e %.3f s\n", name.c_str(),
                        static_cast<int>(answer.info.outcome),
                        static_cast<int>(answer.info.fallbacks), answer.info.eta,
                        answer.info.solve_seconds);
    }
}

}  // namespace
}  // namespace perp::test
