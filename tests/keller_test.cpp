// Keller's method on the mixed form: cases with known answers, steps, instances, and what must not
// change with order and units. Small problems against all their sets: keller_bruteforce_test.cpp.
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "io/instance.hpp"
#include "keller_support.hpp"

namespace perp::test {
namespace {

void expect_near(const Vector& x, const Vector& y, double bound) {
    EXPECT_LE(distance(x, y), bound);
}

Problem frictionless(Dense M, Dense A, Dense N, Vector f, Vector u = {}) {
    Step s;
    s.shape = {0, 0, 0};
    s.M = std::move(M);
    s.A = std::move(A);
    s.N = std::move(N);
    s.rows.f = std::move(f);
    s.rows.u = u.empty() ? Vector(s.A.rows, 0.0) : std::move(u);
    s.rows.b_N.assign(s.N.rows, 0.0);
    s.rows.mu.assign(s.N.rows, 0.0);
    s.rows.rho = s.rows.sigma = s.rows.mu;
    s.rows.compliance_A.assign(s.A.rows, 0.0);
    s.rows.compliance_N.assign(s.N.rows, 0.0);
    return problem_of(s);
}

TEST(Keller, MassRatiosAreExactToTheirCondition) {
    for (double r = 1.0; r <= 1e8; r *= 10.0) {
        const double gh = 9.81e-3;
        const Found found = solved(frictionless(Dense(2, 2, {1, 0, 0, r}), Dense(0, 2),
                                                Dense(2, 2, {1, 0, -1, 1}), {-gh, -gh * r}));
        const double bound = 100.0 * r * std::numeric_limits<double>::epsilon();
        EXPECT_NEAR(found.z[0], gh * (1.0 + r), bound * gh * (1.0 + r)) << r;
        EXPECT_NEAR(found.z[1], gh * r, bound * gh * r) << r;
    }
}

TEST(Keller, RedundantContacts) {
    const double p = 2.0 * 9.81e-3;
    for (const int copies : {1, 3}) {
        Dense N(4 * copies, 3);
        const double x[] = {-0.5, -0.2, 0.2, 0.5};
        for (int i = 0; i < 4 * copies; ++i) {
            N(i, 1) = 1.0;
            N(i, 2) = x[i % 4];
        }
        const Found found = solved(frictionless(Dense(3, 3, {2, 0, 0, 0, 2, 0, 0, 0, 0.5}),
                                                Dense(0, 3), N, {0.0, -p, 0.0}),
                                   1e-13);
        double sum = 0.0, moment = 0.0;
        for (int i = 0; i < 4 * copies; ++i) {
            EXPECT_GE(found.z[i], 0.0);
            sum += found.z[i];
            moment += found.z[i] * x[i % 4];
        }
        EXPECT_NEAR(sum, p, 1e-15);
        EXPECT_NEAR(moment, 0.0, 1e-15);
    }
}

TEST(Keller, RedundantJointsAndContradictingOnes) {
    const Dense M(2, 2, {2, 0, 0, 3}), A(3, 2, {1, 1, 1, 1, 2, 2});
    const Problem good = frictionless(M, A, Dense(0, 2), {1, -4});
    const Found found = solved(good, 1e-14);
    EXPECT_NEAR(found.z[0] + found.z[1] + 2.0 * found.z[2], 1.0, 1e-14);

    const Problem bad = frictionless(M, A, Dense(0, 2), {1, -4}, {0, 1, 0});
    const Found none = keller(bad);
    EXPECT_EQ(none.info.outcome, Outcome::no_solution);
    ASSERT_EQ(none.certificate.size(), 3U);
    const MixedForm form(bad);
    Vector v(2, 0.0);
    multiply_add(form.Jt, none.certificate, v);
    EXPECT_LE(largest(v), 1e-14 * largest(none.certificate));
    double descent = 0.0;
    for (int i = 0; i < 3; ++i) descent += form.r[i] * none.certificate[i];
    EXPECT_LT(descent, 0.0);
}

// Joints that contradict each other by less than the tolerance are solved, by more refused.
TEST(Keller, ContradictionsBelowTheTolerance) {
    const Dense M(2, 2, {2, 0, 0, 3}), A(3, 2, {1, 1, 1, 1, 2, 2});
    const Problem problem = frictionless(M, A, Dense(0, 2), {1, -4}, {0, 1e-6, 0});
    EXPECT_EQ(keller(problem, 1e-4).info.outcome, Outcome::solved);
    EXPECT_TRUE(keller(problem, 1e-4).certificate.empty());
    EXPECT_EQ(keller(problem, 1e-8).info.outcome, Outcome::no_solution);
    EXPECT_EQ(keller(problem, 1e-8).certificate.size(), 3U);
}

TEST(Keller, TinyCases) {
    const auto answer = [](const Dense& H, Vector q, Vector lo = {}, Vector hi = {}) {
        if (lo.empty()) lo.assign(q.size(), 0.0);
        if (hi.empty()) hi.assign(q.size(), infinity);
        return solved(*blcp(H, std::move(q), std::move(lo), std::move(hi)), 1e-14).z;
    };
    const double inf = infinity;
    expect_near(answer(Dense(2, 2, {2.6, -0.6, -0.6, 2.6}), {-1, -1}), {0.5, 0.5}, 1e-15);
    expect_near(answer(Dense(2, 2, {3, -1, -1, 2}), {-1, 4}), {1.0 / 3.0, 0}, 1e-15);
    expect_near(answer(Dense(1, 1, {4}), {-3}, {-inf}, {inf}), {0.75}, 1e-15);
    expect_near(answer(Dense(2, 2, {1, 0, 0, 1}), {-1, -3}, {-1, -inf}, {inf, 1}), {1, 1}, 1e-15);
    expect_near(answer(Dense(3, 3, {4, 1, 0, 1, 3, -1, 0, -1, 2}), {-1, 2, -6}, {-inf, 0, -1},
                       {inf, inf, 1}),
                {0.25, 0, 1}, 1e-15);
    expect_near(answer(Dense(3, 3, {22, -5, 18, -5, 6, -11, 18, -11, 25}), {-1, 3, -5}),
                {0, 0, 0.2}, 1e-15);
    expect_near(answer(Dense(1, 1), {1}), {0}, 0.0);
    EXPECT_EQ(keller(*blcp(Dense(1, 1), {-1}, {0}, {infinity})).info.outcome, Outcome::no_solution);
    EXPECT_EQ(solved(*blcp(Dense(0, 0), {})).info.single_pivots, 0);
}

TEST(Keller, RefusesWhatItCannotTake) {
    const MixedForm lopsided(*blcp(Dense(2, 2, {2, -1, 1, 2}), {-2, -3}));
    EXPECT_FAILS(Status::unsupported, "symmetric", KellerWorkspace(lopsided));
    Dense large(501, 501);
    for (int i = 0; i < 501; ++i) large(i, i) = 1.0;
    EXPECT_FAILS(Status::unsupported, "500", KellerWorkspace(MixedForm(*blcp(large, Vector(501)))));
}

// Fathi's matrices F F' with F = [1; 2 1; 2 2 1; ...]: some pivoting rules need 2^n steps.
TEST(Keller, WorstCasesOfOtherMethods) {
    for (int n = 2; n <= 12; ++n) {
        Dense F(n, n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) F(i, j) = i == j ? 1.0 : 2.0;
        const Dense H = F * transposed(F);
        Vector descending(n);
        for (int i = 0; i < n; ++i) descending[i] = -std::ldexp(1.0, n - 1 - i);
        for (const Vector& q : {Vector(n, -1.0), descending}) {
            const Found found = solved(*blcp(H, q, Vector(n, 0.0), Vector(n, infinity)), 1e-9);
            EXPECT_LE(found.info.single_pivots, 4 * n);
        }
    }
}

// ------------------------------------------------------------------ steps

StepOptions box_step(std::uint64_t seed, double compliance = 0.0) {
    StepOptions o;
    o.blocks = {3, 3, 6};
    o.contacts = 5;
    o.boxes = 2;
    o.law = Law::box;
    o.compliance = compliance;
    o.seed = seed;
    return o;
}

TEST(Keller, StepsWithRedundantContacts) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Step step = random_step(box_step(seed, seed % 3 == 0 ? 1e-3 : 0.0));
        const Problem problem = problem_of(step);
        const Found found = solved(problem, 1e-12);
        const Found again = keller(problem, 1e-12, found.state);
        EXPECT_EQ(again.info.outcome, Outcome::solved);
        EXPECT_EQ(again.info.single_pivots, 0);
        EXPECT_LE(again.info.factorizations, 1);
    }
}

TEST(Keller, OrderAndUnitsChangeNothing) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        StepOptions options = box_step(seed, 1e-2);
        options.redundant = false;  // no ties
        const Step step = random_step(options);
        const Dense W = step.delassus();
        const Vector q = step.free_velocity();
        const Problem assembled = problem_of(step);
        const MixedForm form(assembled);
        Vector lo(form.p), hi(form.p);
        for (std::int64_t i = 0; i < form.p; ++i) {
            lo[i] = form.lo[i] * form.scale[i];
            hi[i] = form.hi[i] * form.scale[i];
        }
        const Found plain = solved(*blcp(W, q, lo, hi));

        Random random(seed);
        std::vector<std::int64_t> order(form.p);
        std::iota(order.begin(), order.end(), 0);
        for (std::int64_t i = form.p - 1; i > 0; --i)
            std::swap(order[i], order[random.below(i + 1)]);
        Dense H(form.p, form.p);
        Vector q2(form.p), lo2(form.p), hi2(form.p), unit(form.p);
        for (double& x : unit) x = std::ldexp(1.0, static_cast<int>(random.below(21)) - 10);
        for (std::int64_t i = 0; i < form.p; ++i) {
            const double s = unit[order[i]];  // w in other units, so z in theirs
            q2[i] = q[order[i]] * s;
            lo2[i] = lo[order[i]] / s;
            hi2[i] = hi[order[i]] / s;
            for (std::int64_t j = 0; j < form.p; ++j)
                H(i, j) = W(order[i], order[j]) * s * unit[order[j]];
        }
        const Found other = solved(*blcp(H, q2, lo2, hi2));
        EXPECT_EQ(other.info.single_pivots, plain.info.single_pivots) << seed;
        Vector u(form.p);
        for (std::int64_t i = 0; i < form.p; ++i) u[order[i]] = other.u[i] / unit[order[i]];
        EXPECT_LE(distance(u, plain.u), 1e-12 * largest(q)) << seed;
    }
}

TEST(Keller, StopsAtTheLimit) {
    const Problem problem = problem_of(random_step(box_step(3)));
    const MixedForm form(problem);
    KellerWorkspace work(form);
    Settings settings = keller_settings(1e-12);
    settings.max_iterations = 2;
    const ProgressCallback progress;
    PivotMonitorWorkspace monitor_work(problem, form);
    PivotMonitor monitor(problem, form, settings, progress, monitor_work);
    Vector z(form.p, 0.0);
    run_keller(form, z, work, monitor);
    EXPECT_EQ(monitor.info().outcome, Outcome::iteration_limit);
    EXPECT_EQ(monitor.info().single_pivots, 2);
}

TEST(Keller, SymmetricInstances) {
    namespace fs = std::filesystem;
    const char* given = std::getenv("PERP_INSTANCES");
    const fs::path folder = fs::path(given != nullptr ? given : PERP_INSTANCES_DEFAULT) / "blcp";
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path& path = entry.path();
        if ((path.extension() != ".h5" && path.extension() != ".hdf5") ||
            entry.file_size() > 1000000)
            continue;
        SCOPED_TRACE(path.string());
        const Problem problem = read_problem(path.string(), Law::box);
        if (!MixedForm::reason(problem).empty() || problem.rows() > keller_largest) continue;
        if (!keller_reason(problem.rows(), MixedForm::is_symmetric(problem)).empty()) continue;
        ++count;
        const Found found = keller(problem);
        const std::string name = path.filename().string();
        if (name == "inconsistent_bilateral.h5" || name == "infeasible_psd40.h5") {
            EXPECT_EQ(found.info.outcome, Outcome::no_solution);
            continue;
        }
        EXPECT_EQ(found.info.outcome, Outcome::solved) << eta_of(problem, found.z);
        const Found again = keller(problem, 1e-10, found.state);
        EXPECT_EQ(again.info.outcome, Outcome::solved);
        // Stored with few digits, gmp3's matrix is slightly indefinite: no factor of its set.
        EXPECT_LE(again.info.single_pivots, name == "gmp3.hdf5" ? 1 : 0);
    }
    EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace perp::test
