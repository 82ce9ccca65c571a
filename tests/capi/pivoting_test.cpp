// The pivoting method through the public surface: every instance of problems with bounds, what its
// statistics say, basic sets out and in. Skipped where the folder of instances is absent.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "support.hpp"

namespace perp_test {
namespace {

namespace fs = std::filesystem;

fs::path instance_folder() {
    const char* given = std::getenv("PERP_INSTANCES");
    return given != nullptr ? given : PERP_INSTANCES_DEFAULT;
}

Problem read(const fs::path& path) {
    perp_problem* problem = nullptr;
    EXPECT_EQ(perp_problem_read(path.c_str(), PERP_LAW_AUTO, &problem), PERP_OK)
        << perp_last_message();
    return Problem(problem);
}

struct Solved {
    Vector z, u, certificate;
    perp_info info;
};

Solved solve_with(const Solver& solver, const Problem& problem) {
    Solved s;
    const auto p = static_cast<std::size_t>(info_of(problem).rows);
    s.z.assign(p, 0.0);
    s.u.assign(p, 0.0);
    s.info = sized<perp_info>();
    EXPECT_EQ(perp_solve(solver.get(), s.z.data(), s.u.data(), &s.info), PERP_OK)
        << perp_last_message();
    EXPECT_EQ(s.info.eta, residual_of(problem, s.z).eta);
    Vector d(p);
    if (perp_certificate(solver.get(), d.data()) == PERP_OK) s.certificate = d;
    // A search of all basic sets of a block proves without a ray.
    if ((s.info.fallbacks & PERP_FALLBACK_ENUMERATION) == 0) {
        EXPECT_EQ(s.info.outcome == PERP_NO_SOLUTION, !s.certificate.empty());
    }
    return s;
}

// W'd = 0 and r . d < 0, where every row reads in units that give W a unit diagonal.
void expect_proof(const Problem& problem, const Vector& d) {
    const auto p = static_cast<int64_t>(d.size());
    int64_t count = 0;
    ASSERT_EQ(perp_form_matrix(problem.get(), &count, nullptr, nullptr, nullptr), PERP_OK);
    std::vector<int64_t> row(count), col(count);
    Vector value(count), unit(p, 1.0), product(p, 0.0), r(p), zero(p, 0.0);
    ASSERT_EQ(perp_form_matrix(problem.get(), &count, row.data(), col.data(), value.data()),
              PERP_OK);
    ASSERT_EQ(perp_constraint_velocity(problem.get(), zero.data(), r.data(), nullptr), PERP_OK);
    for (int64_t k = 0; k < count; ++k)
        if (row[k] == col[k] && value[k] > 0.0) unit[row[k]] = std::sqrt(value[k]);
    for (int64_t k = 0; k < count; ++k) product[col[k]] += value[k] * d[row[k]];
    double descent = 0.0, rest = 0.0, size = 0.0, velocity = 0.0;
    for (int64_t i = 0; i < p; ++i) {
        descent -= r[i] * d[i];
        rest = std::max(rest, std::abs(product[i]) / unit[i]);
        size = std::max(size, std::abs(d[i]) * unit[i]);
        velocity = std::max(velocity, std::abs(r[i]) / unit[i]);
    }
    EXPECT_GT(descent, 1e-9 * size * velocity);
    EXPECT_LE(rest, 1e-11 * size);
}

struct Expected {
    double eta = 1e-10;           // is reached at least
    int64_t factorizations = 50;  // of assembled forms, at most
};

// What is not reached yet, by name.
Expected expected_of(const std::string& name) {
    static const std::map<std::string, Expected> exceptions{
        {"mlcp_deltasigma.hdf5", {1e-7, 50}},  // stalls at 3.3e-8
    };
    // KLU's factors of its singular free block are refused at every pivot tolerance.
    const bool klu = std::string(perp_build_info()).find("PERP_WITH_GPL=OFF") != std::string::npos;
    if (klu && name == "mlcp_diodeBridge40.hdf5") return {1.0, 50};
    const auto found = exceptions.find(name);
    return found != exceptions.end() ? found->second : Expected{};
}

TEST(PivotingInstances, AreSolvedOrProved) {
    const fs::path folder = instance_folder();
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    constexpr std::uintmax_t moderate = 1500000;  // bytes
    const std::set<std::string> proved{"infeasible_psd40.h5", "inconsistent_bilateral.h5"};
    const std::set<std::string> unsolvable{"nosolution30.h5"};
    int count = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& path = entry.path();
        const bool file = path.extension() == ".h5" || path.extension() == ".hdf5";
        if (!file || entry.file_size() > moderate) continue;
        const std::string name = path.filename().string();
        SCOPED_TRACE(name);
        const Problem problem = read(path);
        if (perp_solver_supports(problem.get(), PERP_PIVOTING) != PERP_OK) continue;
        ++count;
        const Solver s = solver(problem, settings(PERP_PIVOTING, 1e-10));
        const Solved answer = solve_with(s, problem);
        if (proved.count(name) > 0) {
            EXPECT_EQ(answer.info.outcome, PERP_NO_SOLUTION);
            if (!answer.certificate.empty()) expect_proof(problem, answer.certificate);
            continue;
        }
        if (unsolvable.count(name) > 0) {  // not symmetric: no proof of this kind need exist
            EXPECT_EQ(answer.info.outcome, PERP_NO_SOLUTION);
            EXPECT_NE(answer.info.fallbacks & PERP_FALLBACK_ENUMERATION, 0);
            continue;
        }
        const Expected expected = expected_of(name);
        EXPECT_LE(answer.info.eta, expected.eta);
        EXPECT_EQ(answer.info.outcome == PERP_SOLVED, answer.info.eta <= 1e-10);
        EXPECT_NE(answer.info.outcome, PERP_NO_SOLUTION);
        if (info_of(problem).matrix_form == 0) {
            EXPECT_LE(answer.info.factorizations, expected.factorizations);
        }
    }
    EXPECT_GT(count, 0);
}

// ------------------------------------------------------------------ what the solver tells

// A chain of masses on a spring of compliance each, pressed together: unique impulses, and more
// rows than the dense shortcut takes.
Problem chain(int64_t n) {
    Matrices m;
    m.M = Matrix(n, n);
    m.N = Matrix(n, n);
    Vector f(n), compliance(n, 1e-3), b(n, 0.0);
    for (int64_t i = 0; i < n; ++i) {
        m.M.add(i, i, 1.0 + 0.1 * static_cast<double>(i % 3));
        m.N.add(i, i, 1.0);
        if (i > 0) m.N.add(i, i - 1, -1.0);
        f[i] = i % 5 == 0 ? 0.5 : -0.3;
    }
    const System s = system(m);
    perp_rows r = rows();
    r.f = f.data();
    r.b_N = b.data();
    r.compliance_N = compliance.data();
    r.mu = b.data();
    return cone(s, r);
}

TEST(PivotingInfo, TellsWhatWasDone) {
    const Problem problem = chain(100);
    const Solver s = solver(problem, settings(PERP_PIVOTING, 1e-10));
    const Solved answer = solve_with(s, problem);
    EXPECT_EQ(answer.info.outcome, PERP_SOLVED);
    EXPECT_GT(answer.info.iterations, 0);
    EXPECT_GT(answer.info.products, 0);
    EXPECT_GT(answer.info.outer_loops, 0);
    EXPECT_GT(answer.info.block_steps, 0);
    EXPECT_GT(answer.info.factorizations, 0);
    EXPECT_GE(answer.info.updates, 0);
    EXPECT_GT(answer.info.delta, 0.0);
    EXPECT_GT(answer.info.backward_error, 0.0);
    EXPECT_LE(answer.info.backward_error, 1e-14);
    EXPECT_EQ(answer.info.threads, 1);
    EXPECT_GT(answer.info.setup_seconds, 0.0);
    EXPECT_GT(answer.info.solve_seconds, 0.0);
    EXPECT_EQ(answer.info.restarts, 0);
    EXPECT_EQ(answer.info.accelerated, 0);
    // A caller of before these fields were there gets none of them.
    perp_info shorter;
    std::memset(&shorter, 0x7f, sizeof shorter);
    shorter.struct_size = static_cast<int64_t>(offsetof(perp_info, outer_loops));
    const perp_info untouched = shorter;
    Vector z(answer.z.size(), 0.0);
    EXPECT_EQ(perp_solve(s.get(), z.data(), nullptr, &shorter), PERP_OK) << perp_last_message();
    EXPECT_EQ(shorter.outcome, PERP_SOLVED);
    EXPECT_EQ(shorter.outer_loops, untouched.outer_loops);
    EXPECT_EQ(shorter.fallbacks, untouched.fallbacks);
}

TEST(PivotingBasicSet, GoesOutAndIn) {
    const Problem problem = chain(100);
    const Solver first = solver(problem, settings(PERP_PIVOTING, 1e-10));
    const Solved cold = solve_with(first, problem);
    std::vector<int8_t> set(cold.z.size(), 99);
    ASSERT_EQ(perp_solver_get_basic_set(first.get(), set.data()), PERP_OK) << perp_last_message();
    int basic = 0;
    for (std::size_t i = 0; i < set.size(); ++i) {
        basic += set[i] == 0 ? 1 : 0;
        if (set[i] == -1) {
            EXPECT_EQ(cold.z[i], 0.0) << i;
        }
        if (set[i] == 0) {
            EXPECT_NEAR(cold.u[i], 0.0, 1e-9) << i;
        }
        EXPECT_TRUE(set[i] == -1 || set[i] == 0) << i;  // there is no upper bound
    }
    EXPECT_GT(basic, 0);
    const Solver second = solver(problem, settings(PERP_PIVOTING, 1e-10));
    ASSERT_EQ(perp_solver_set_basic_set(second.get(), set.data()), PERP_OK) << perp_last_message();
    const Solved warm = solve_with(second, problem);
    EXPECT_EQ(warm.info.outcome, PERP_SOLVED);
    EXPECT_EQ(warm.info.block_steps + warm.info.single_pivots, 0);
    EXPECT_EQ(warm.info.updates, 0);
    EXPECT_LE(warm.info.factorizations, 1);
    expect_near(warm.z, cold.z, 1e-8);
    // It is used once.
    EXPECT_EQ(solve_with(second, problem).info.block_steps, cold.info.block_steps);
    // Any set is a start, also one with bounds that do not exist.
    for (const auto state : std::vector<int8_t>{-1, 0, 1, 2}) {
        std::fill(set.begin(), set.end(), state);
        ASSERT_EQ(perp_solver_set_basic_set(second.get(), set.data()), PERP_OK);
        EXPECT_EQ(solve_with(second, problem).info.outcome, PERP_SOLVED) << int{state};
    }
}

TEST(PivotingBasicSet, EveryPivotingMethodHasOne) {
    const Problem problem = chain(20);
    for (const int64_t method : {PERP_PIVOTING, PERP_KELLER, PERP_LEMKE}) {
        SCOPED_TRACE(perp_method_name(method));
        const Solver s = solver(problem, settings(method, 1e-10));
        std::vector<int8_t> set(20, 99);
        EXPECT_FAILS(PERP_UNSUPPORTED, "", perp_solver_get_basic_set(s.get(), set.data()));
        EXPECT_EQ(set, std::vector<int8_t>(20, 99));
        const Solved answer = solve_with(s, problem);
        ASSERT_EQ(perp_solver_get_basic_set(s.get(), set.data()), PERP_OK);
        for (std::size_t i = 0; i < set.size(); ++i) EXPECT_EQ(set[i] == -1, answer.z[i] == 0.0);
    }
}

TEST(PivotingBasicSet, RefusesWrongCalls) {
    const Problem problem = chain(20);
    std::vector<int8_t> set(20, 0);
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "solver", perp_solver_get_basic_set(nullptr, set.data()));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "solver", perp_solver_set_basic_set(nullptr, set.data()));
    const Solver s = solver(problem, settings(PERP_PIVOTING, 1e-10));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "set", perp_solver_set_basic_set(s.get(), nullptr));
    for (const auto wrong : std::vector<int8_t>{-2, 3, 127, -128}) {
        set[7] = wrong;
        EXPECT_FAILS(PERP_BAD_VALUE, "set[7]", perp_solver_set_basic_set(s.get(), set.data()));
    }
    EXPECT_EQ(solve_with(s, problem).info.outcome, PERP_SOLVED);
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "set", perp_solver_get_basic_set(s.get(), nullptr));
    set[7] = 0;
    for (const int64_t method : methods) {
        const Solver iterating = solver(problem, settings(method, 1e-4));
        solve_with(iterating, problem);
        EXPECT_FAILS(PERP_UNSUPPORTED, "", perp_solver_get_basic_set(iterating.get(), set.data()));
        EXPECT_FAILS(PERP_UNSUPPORTED, "", perp_solver_set_basic_set(iterating.get(), set.data()));
    }
}

}  // namespace
}  // namespace perp_test
