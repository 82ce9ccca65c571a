// Every call with its first, second, ... allocation failing, once or for good: PERP_NO_MEMORY,
// outputs untouched, nothing lost, and what existed before works as if nothing had happened.
#include "no_memory_support.hpp"

using namespace perp_test;

namespace {

// ------------------------------------------------------------------ systems and problems

using NoMemoryForSystems = NoMemory;

TEST_P(NoMemoryForSystems, CreateAndUpdate) {
    const Matrices& m = scene_.matrices;
    const int64_t failed = fail_each("system_create", Uses::memory, [&](const Armed& armed) {
        const perp_triplets M = m.M.view(), A = m.A.view(), N = m.N.view(), D = m.D.view(),
                            S = m.S.view(), B = m.B.view();
        perp_system_def def = initialized(perp_system_def_init);
        def.M = &M;
        def.A = &A;
        def.N = &N;
        def.D = &D;
        def.S = &S;
        def.B = &B;
        perp_system* out = sentinel<perp_system>();
        const int32_t status = armed([&] { return perp_system_create(&def, &out); });
        EXPECT_EQ(status == PERP_OK, out != sentinel<perp_system>());
        if (status == PERP_OK) perp_system_destroy(out);
        return status;
    });
    EXPECT_GT(failed, 20);
    const Vector before = velocities_of(scene_.problem());
    for (const int32_t which : {PERP_MATRIX_M, PERP_MATRIX_N}) {
        const Vector given = which == PERP_MATRIX_M ? m.M.value : m.N.value;
        Vector doubled = given;
        for (double& x : doubled) x *= 2.0;
        fail_each("system_update", Uses::memory, [&](const Armed& armed) {
            const int32_t status = armed([&] {
                return perp_system_update(scene_.system.get(), which,
                                          static_cast<int64_t>(doubled.size()), doubled.data());
            });
            EXPECT_EQ(same_bits(velocities_of(scene_.problem()), before), status != PERP_OK);
            EXPECT_EQ(perp_system_update(scene_.system.get(), which,
                                         static_cast<int64_t>(given.size()), given.data()),
                      PERP_OK);
            return status;
        });
    }
}

TEST_P(NoMemory, Problems) {
    const Vector before = velocities_of(scene_.problem());
    fail_each("create or assemble", Uses::memory, [&](const Armed& armed) {
        perp_problem* out = sentinel<perp_problem>();
        const int32_t status = armed([&] { return scene_.make(&out); });
        EXPECT_EQ(status == PERP_OK, out != sentinel<perp_problem>());
        if (status == PERP_OK) {
            EXPECT_TRUE(same_bits(velocities_of(Problem(out)), before));
        }
        return status;
    });
    const Vector other = ramp(scene_.f.size(), 2.0, -0.3);
    perp_rows step = scene_.step();
    step.f = other.data();
    fail_each("set_rows or set_vectors", Uses::memory, [&](const Armed& armed) {
        const Problem problem = scene_.problem();
        const int32_t status = armed([&] {
            return scene_.system != nullptr
                       ? perp_problem_set_rows(problem.get(), nullptr, &step)
                       : perp_problem_set_vectors(problem.get(), other.data(), nullptr, nullptr);
        });
        EXPECT_EQ(same_bits(velocities_of(problem), before), status != PERP_OK);
        return status;
    });
    if (scene_.system != nullptr) return;
    Vector doubled = scene_.H.value;
    for (double& x : doubled) x *= 2.0;
    fail_each("update", Uses::memory, [&](const Armed& armed) {
        const Problem problem = scene_.problem();
        const int32_t status = armed([&] {
            return perp_problem_update(problem.get(), static_cast<int64_t>(doubled.size()),
                                       doubled.data());
        });
        EXPECT_EQ(same_bits(velocities_of(problem), before), status != PERP_OK);
        return status;
    });
}

TEST_P(NoMemory, Queries) {
    const Problem problem = scene_.problem();
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    const double eta = residual_of(problem, z).eta;
    fail_each("get_info", Uses::memory, [&](const Armed& armed) {
        auto info = sized<perp_problem_info>();
        return armed([&] { return perp_problem_get_info(problem.get(), &info); });
    });
    fail_each("residual", Uses::memory, [&](const Armed& armed) {
        auto info = sized<perp_residual_info>();
        info.eta = 7.0;
        const int32_t status = armed([&] { return perp_residual(problem.get(), z.data(), &info); });
        EXPECT_EQ(info.eta, status == PERP_OK ? eta : 7.0);
        return status;
    });
    fail_each("constraint_velocity", Uses::memory, [&](const Armed& armed) {
        Vector u(z.size(), 7.0);
        const int32_t status = armed(
            [&] { return perp_constraint_velocity(problem.get(), z.data(), u.data(), nullptr); });
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(u, Vector(u.size(), 7.0)));
        }
        return status;
    });
    int64_t entries = 0;
    ASSERT_EQ(perp_form_matrix(problem.get(), &entries, nullptr, nullptr, nullptr), PERP_OK);
    const int64_t failed = fail_each("form_matrix", Uses::memory, [&](const Armed& armed) {
        int64_t count = entries;
        std::vector<int64_t> row(static_cast<std::size_t>(entries), 7), col(row);
        Vector value(row.size(), 7.0);
        const int32_t status = armed([&] {
            return perp_form_matrix(problem.get(), &count, row.data(), col.data(), value.data());
        });
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(value, Vector(value.size(), 7.0)));
        }
        EXPECT_EQ(count, entries);
        return status;
    });
    EXPECT_GT(failed, 4);
    EXPECT_EQ(residual_of(problem, z).eta, eta);
}

// ------------------------------------------------------------------ solvers

std::vector<int64_t> methods_for(const Problem& problem) {
    std::vector<int64_t> found;
    for (int64_t method = PERP_PGS; method <= PERP_ACCURATE; ++method)
        if (perp_solver_supports(problem.get(), method) == PERP_OK) found.push_back(method);
    EXPECT_GE(found.size(), 4U);
    return found;
}

TEST_P(NoMemory, Solvers) {
    const Problem problem = scene_.problem();
    for (const int64_t method : methods_for(problem)) {
        SCOPED_TRACE(perp_method_name(method));
        const perp_settings few = few_iterations(method);
        const Vector expected = solve(problem, few).z;
        const int64_t failed = fail_each("solver_create", Uses::memory, [&](const Armed& armed) {
            perp_solver* out = sentinel<perp_solver>();
            const int32_t status =
                armed([&] { return perp_solver_create(problem.get(), &few, &out); });
            EXPECT_EQ(status == PERP_OK, out != sentinel<perp_solver>());
            if (status == PERP_OK) perp_solver_destroy(out);
            return status;
        });
        EXPECT_GT(failed, 10);
        EXPECT_TRUE(same_bits(solve(problem, few).z, expected));
    }
}

// `prepare` makes a problem, and a solver for it that has not solved it: solves with failing
// allocations change nothing, and solve in the end.
template <class Prepare>
int64_t fail_each_solve(const Prepare& prepare) {
    Problem reference;
    const Solver fresh = prepare(reference);
    Vector expected(static_cast<std::size_t>(info_of(reference).rows));
    EXPECT_EQ(perp_solve(fresh.get(), expected.data(), nullptr, nullptr), PERP_OK);
    return fail_each("solve", Uses::memory, [&](const Armed& armed) {
        Problem problem;
        const Solver s = prepare(problem);
        Vector z(expected.size(), 7.0), u(z);
        auto info = sized<perp_info>();
        const int32_t status =
            armed([&] { return perp_solve(s.get(), z.data(), u.data(), &info); });
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(z, Vector(z.size(), 7.0))) << "z has been changed";
            EXPECT_TRUE(same_bits(u, Vector(u.size(), 7.0))) << "u has been changed";
            EXPECT_EQ(info.outcome, 0);
            EXPECT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
        }
        EXPECT_TRUE(same_bits(z, expected));
        return status;
    });
}

// A solver whose method was changed, or whose problem was, allocates at the next solve.
TEST_P(NoMemory, Solves) {
    const Vector other = ramp(scene_.f.size(), 2.0, -0.3);
    perp_rows step = scene_.step();
    step.f = other.data();
    const std::vector<int64_t> methods = methods_for(scene_.problem());
    for (const int64_t method : methods) {
        for (const bool changed : {false, true}) {
            // Thousands of allocations each: what these make is made for the small scenes as well.
            if (!changed && method >= PERP_IPM && scene_.f.size() > 100) continue;
            SCOPED_TRACE(perp_method_name(method));
            const int64_t first = method == methods[0] ? methods[1] : methods[0];
            const auto prepare = [&](Problem& problem) {
                problem = scene_.problem();
                Solver s = solver(problem, few_iterations(changed ? method : first));
                EXPECT_EQ(perp_solver_set(s.get(), "method", perp_method_name(method)), PERP_OK);
                if (changed) {
                    EXPECT_EQ(scene_.system != nullptr
                                  ? perp_problem_set_rows(problem.get(), nullptr, &step)
                                  : perp_problem_set_vectors(problem.get(), other.data(), nullptr,
                                                             nullptr),
                              PERP_OK);
                }
                return s;
            };
            const int64_t failed = fail_each_solve(prepare);
            EXPECT_GT(failed, 4);
        }
    }
}

TEST_P(NoMemory, Settings) {
    const Problem problem = scene_.problem();
    const Solver s = solver(problem, few_iterations(methods_for(problem).back()));
    Vector expected(static_cast<std::size_t>(info_of(problem).rows));
    ASSERT_EQ(perp_solve(s.get(), expected.data(), nullptr, nullptr), PERP_OK);
    for (const auto& [name, value] : {std::pair{"tolerance", "1e-7"}, std::pair{"method", "pgs"},
                                      std::pair{"sweep_order", "bfs"}}) {
        fail_each(name, Uses::memory, [&, name = name, value = value](const Armed& armed) {
            auto before = sized<perp_settings>(), after = before;
            EXPECT_EQ(perp_solver_get_settings(s.get(), &before), PERP_OK);
            const int32_t status = armed([&] { return perp_solver_set(s.get(), name, value); });
            EXPECT_EQ(perp_solver_get_settings(s.get(), &after), PERP_OK);
            EXPECT_EQ(std::memcmp(&before, &after, sizeof before) == 0, status != PERP_OK);
            EXPECT_EQ(perp_solver_set_settings(s.get(), &before), PERP_OK);
            return status;
        });
    }
    Vector z(expected.size());
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    EXPECT_TRUE(same_bits(z, expected));
}

TEST(NoMemoryForTies, LeavesTheProblemAsItWas) {
    const Matrix H = Matrix::diagonal({1, 2});
    const int64_t row = 1, normal = 0;
    const double mu = 0.5;
    const int64_t failed = fail_each("set_ties", Uses::memory, [&](const Armed& armed) {
        const Problem problem = blcp(H, {-1.0, -1.0}, {0.0, -infinity}, {infinity, infinity});
        const int32_t status =
            armed([&] { return perp_problem_set_ties(problem.get(), 1, &row, &normal, &mu); });
        EXPECT_EQ(info_of(problem).tied, status == PERP_OK ? 1 : 0);
        return status;
    });
    EXPECT_GT(failed, 5);
}

TEST(NoMemoryForTheExactLaw, SetLawAndSolveWithLeastNorm) {
    const auto scene = assembled(PERP_LAW_CONE, false);
    const auto prepare = [&](Problem& problem) {
        problem = scene.problem();
        EXPECT_EQ(perp_problem_set_law(problem.get(), PERP_LAW_COULOMB), PERP_OK);
        perp_settings s = few_iterations(PERP_AUTO);
        s.max_iterations = 1000;
        s.tolerance = 1e-2;
        s.least_norm = 1;
        return solver(problem, s);
    };
    const int64_t failed = fail_each_solve(prepare);
    EXPECT_GT(failed, 10);
    fail_each("set_law", Uses::memory, [&](const Armed& armed) {
        const Problem problem = scene.problem();
        const int32_t status =
            armed([&] { return perp_problem_set_law(problem.get(), PERP_LAW_COULOMB); });
        EXPECT_EQ(info_of(problem).law, status == PERP_OK ? PERP_LAW_COULOMB : PERP_LAW_CONE);
        return status;
    });
}

// The certificate of a solve, or nothing.
Vector certificate_of(const Solver& s) {
    Vector d(2, 7.0);
    const int32_t status = perp_certificate(s.get(), d.data());
    if (status == PERP_OK) return d;
    EXPECT_EQ(status, PERP_UNSUPPORTED);
    EXPECT_TRUE(same_bits(d, Vector(2, 7.0)));
    return {};
}

TEST(NoMemoryWithoutSolution, SolvesAndCertificates) {
    const Matrix H(2, 2, {1, 1, 1, 1});
    const Vector q{-1, 1};  // contradictory, but no row alone is
    int proofs = 0;
    for (const int64_t method : methods_for(blcp(H, q))) {
        SCOPED_TRACE(perp_method_name(method));
        const auto prepare = [&] {  // what it solves with is made by the solve
            Solver s = solver(blcp(H, q), settings(method == PERP_PGS ? PERP_APGD : PERP_PGS));
            EXPECT_EQ(perp_solver_set(s.get(), "method", perp_method_name(method)), PERP_OK);
            EXPECT_EQ(perp_solver_set(s.get(), "max_iterations", "30"), PERP_OK);
            return s;
        };
        const Solver reference = prepare();
        Vector expected(2);
        ASSERT_EQ(perp_solve(reference.get(), expected.data(), nullptr, nullptr), PERP_OK);
        const Vector proof = certificate_of(reference);
        proofs += proof.empty() ? 0 : 1;
        const int64_t failed = fail_each("solve", Uses::memory, [&](const Armed& armed) {
            const Solver s = prepare();
            Vector z(2, 7.0);
            const int32_t status =
                armed([&] { return perp_solve(s.get(), z.data(), nullptr, nullptr); });
            if (status != PERP_OK) {
                EXPECT_TRUE(same_bits(z, Vector(2, 7.0)));
                EXPECT_TRUE(certificate_of(s).empty());
                EXPECT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
            }
            EXPECT_TRUE(same_bits(z, expected));
            EXPECT_TRUE(same_bits(certificate_of(s), proof));
            return status;
        });
        EXPECT_GT(failed, 4);
    }
    EXPECT_GE(proofs, 4);
}

INSTANTIATE_TEST_SUITE_P(Scenes, NoMemory, testing::ValuesIn(scenes), name_of);
INSTANTIATE_TEST_SUITE_P(Scenes, NoMemoryForSystems, testing::ValuesIn(scenes, scenes + systems),
                         name_of);

}  // namespace
