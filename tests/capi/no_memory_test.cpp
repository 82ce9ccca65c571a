// Every call with its first, second, ... allocation failing, once or for good: PERP_NO_MEMORY,
// outputs untouched, nothing lost, and what existed before works as if nothing had happened.
#include "failing_allocator.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <unistd.h>

#include "support.hpp"

using namespace perp_test;

namespace {

namespace fs = std::filesystem;
using failing_allocator::Scope;
using failing_allocator::state;

// ------------------------------------------------------------------ scenes

struct Scene {
    System system;  // none: a matrix form
    Matrices matrices;
    Matrix H, V, R;
    Vector f, mu, lo, hi, s;
    int64_t law = PERP_LAW_CONE;
    bool delassus = false;
    bool tied = false;  // box law: by mu

    [[nodiscard]] perp_rows step() const {
        perp_rows r = rows();
        r.f = f.data();
        r.mu = mu.data();
        if (law == PERP_LAW_BOX && !tied) {
            r.lo_T = lo.data();
            r.hi_T = hi.data();
        }
        if (matrices.B.rows > 0) {
            r.lo_B = lo.data();
            r.hi_B = hi.data();
        }
        return r;
    }

    // The call that makes the problem.
    int32_t make(perp_problem** out) const {
        const perp_triplets h = H.view(), v = V.view(), r = R.view();
        if (system != nullptr) {
            const perp_rows given = step();
            return law == PERP_LAW_CONE ? perp_cone_assemble(system.get(), &given, out)
                                        : perp_blcp_assemble(system.get(), &given, out);
        }
        if (!delassus) return perp_blcp_create(&h, f.data(), lo.data(), hi.data(), out);
        perp_delassus_def def = initialized(perp_delassus_def_init);
        def.W = &h;
        def.V = &v;
        def.R = &r;
        def.q = f.data();
        def.mu = mu.data();
        def.s = s.data();
        return perp_delassus_create(&def, out);
    }
    [[nodiscard]] Problem problem() const {
        perp_problem* out = nullptr;
        EXPECT_EQ(make(&out), PERP_OK) << perp_last_message();
        return Problem(out);
    }
};

// Entries of a row in shuffled columns, so that triplets need sorting and have duplicates.
Matrix jacobian(int64_t rows_, int64_t cols, int64_t shift) {
    Matrix m(rows_, cols);
    for (int64_t i = rows_ - 1; i >= 0; --i)
        for (const int64_t k : {0, 3, 1, 0})
            m.add(i, (5 * i + k + shift) % cols, 1.0 / static_cast<double>(1 + k + i));
    return m;
}

Vector ramp(std::size_t size, double first, double step) {
    Vector v(size);
    for (std::size_t i = 0; i < size; ++i) v[i] = first + step * static_cast<double>(i);
    return v;
}

Scene assembled(int64_t law, bool chain) {
    Scene scene;
    const int64_t n = chain ? 140 : 7;
    Matrices& m = scene.matrices;
    m.M = Matrix(n, n);
    for (int64_t i = n - 1; i >= 0; --i) m.M.add(i, i, 3.0);
    for (int64_t i = 0; i + 1 < (chain ? n : 3); ++i) {
        m.M.add(i, i + 1, -1.0);
        m.M.add(i + 1, i, -1.0);
    }
    m.A = jacobian(1, n, 2);
    m.N = jacobian(2, n, 0);
    m.D = jacobian(4, n, 1);
    m.B = jacobian(2, n, 3);
    if (law == PERP_LAW_CONE) m.S = jacobian(6, n, 4);
    scene.law = law;
    scene.f = ramp(static_cast<std::size_t>(n), -1.0, 0.4);
    scene.mu = {0.5, 0.25};
    scene.lo = Vector(4, -0.5);
    scene.hi = Vector(4, 0.25);
    scene.system = system(m);
    return scene;
}

Scene tied() {
    Scene scene = assembled(PERP_LAW_BOX, false);
    scene.tied = true;
    return scene;
}

Scene matrix_form(bool delassus) {
    Scene scene;
    scene.delassus = delassus;
    scene.H = Matrix(6, 6);
    for (int64_t i = 5; i >= 0; --i) scene.H.add(i, i, 2.0);
    for (int64_t i = 0; i < 5; ++i) {
        scene.H.add(i, i + 1, -0.5);
        scene.H.add(i + 1, i, -0.5);
    }
    scene.f = ramp(6, -1.0, 0.5);
    scene.lo = Vector(6, -0.25);
    scene.hi = Vector(6, 1.0);
    if (!delassus) return scene;
    scene.mu = {0.5, 0.25};
    scene.V = Matrix(6, 1);
    scene.V.add(3, 0, 0.5);
    scene.R = Matrix(1, 1, {1.0});
    scene.s = {0.25};
    return scene;
}

struct Named {
    const char* what;
    std::function<Scene()> make;
};

void PrintTo(const Named& named, std::ostream* out) { *out << named.what; }

const Named scenes[] = {{"cones", [] { return assembled(PERP_LAW_CONE, false); }},
                        {"boxes", [] { return assembled(PERP_LAW_BOX, false); }},
                        {"tied", tied},
                        {"chain", [] { return assembled(PERP_LAW_CONE, true); }},
                        {"blcp", [] { return matrix_form(false); }},
                        {"delassus", [] { return matrix_form(true); }}};

// ------------------------------------------------------------------ failures

// Runs the one call under test; everything else of an attempt has memory.
using Armed = std::function<int32_t(const std::function<int32_t()>&)>;

// HDF5 1.10 does not survive a malloc that fails: later calls of its own go wrong. There, only
// operator new fails.
enum class Uses { memory, hdf5 };

// `attempt` makes what it needs, runs the call, checks that outputs are untouched where it failed,
// and destroys everything. Returns the number of allocations that failed.
int64_t fail_each(const char* what, Uses uses,
                  const std::function<int32_t(const Armed&)>& attempt) {
    int64_t failed = 0;
    for (const Scope scope : {Scope::operator_new, Scope::malloc}) {
        if (scope == Scope::malloc && (uses == Uses::hdf5 || !failing_allocator::owns_malloc))
            continue;
        for (const bool for_good : {false, true}) {
            bool failing = true;
            for (int64_t k = 0; failing; ++k) {
                const Armed armed = [&](const std::function<int32_t()>& call) {
                    state.remaining = k;
                    state.failures = 0;
                    state.for_good = for_good;
                    state.scope = scope;
                    const int32_t status = call();
                    state.scope = Scope::off;
                    return status;
                };
                const int64_t living = state.living;
                const int32_t status = attempt(armed);
                failing = state.failures > 0;
                failed += failing ? 1 : 0;
                // Some allocations may fail harmlessly: buffers that only make things faster.
                EXPECT_TRUE(status == PERP_OK || (failing && status == PERP_NO_MEMORY))
                    << what << ", allocation " << k << ": " << perp_status_text(status) << ": "
                    << perp_last_message();
                EXPECT_EQ(state.living, living) << what << ", allocation " << k << ": leak";
                if (testing::Test::HasFailure()) return failed;
            }
        }
    }
    return failed;
}

template <class T>
T* sentinel() {
    static int64_t place;
    return reinterpret_cast<T*>(&place);
}

Vector velocities_of(const Problem& problem) {
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    Vector u(z.size());
    EXPECT_EQ(perp_constraint_velocity(problem.get(), z.data(), u.data(), nullptr), PERP_OK);
    return u;
}

perp_settings few_iterations(int64_t method) {
    perp_settings s = settings(method);
    s.max_iterations = 12;
    return s;
}

class NoMemory : public testing::TestWithParam<Named> {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / ("perp_no_memory_" + std::to_string(::getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string at(const char* name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_))
            found.push_back(entry.path().filename().string());
        return found;
    }

    fs::path folder_;
    const Scene scene_ = GetParam().make();
};

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// ------------------------------------------------------------------ systems and problems

TEST_P(NoMemory, Systems) {
    if (scene_.system == nullptr) GTEST_SKIP() << "a matrix form";
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
                       ? perp_problem_set_rows(problem.get(), &step)
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

TEST_P(NoMemory, Solvers) {
    const Problem problem = scene_.problem();
    for (const int64_t method : methods) {
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

// A solver whose method was changed, or whose problem was, allocates at the next solve.
TEST_P(NoMemory, Solves) {
    const Vector other = ramp(scene_.f.size(), 2.0, -0.3);
    perp_rows step = scene_.step();
    step.f = other.data();
    for (const int64_t method : methods) {
        for (const bool changed : {false, true}) {
            SCOPED_TRACE(perp_method_name(method));
            const auto prepare = [&](Problem& problem) {
                const int64_t first = method == PERP_PGS ? PERP_APGD : PERP_PGS;
                problem = scene_.problem();
                Solver s = solver(problem, few_iterations(changed ? method : first));
                EXPECT_EQ(perp_solver_set(s.get(), "method", perp_method_name(method)), PERP_OK);
                if (changed) {
                    EXPECT_EQ(scene_.system != nullptr
                                  ? perp_problem_set_rows(problem.get(), &step)
                                  : perp_problem_set_vectors(problem.get(), other.data(), nullptr,
                                                             nullptr),
                              PERP_OK);
                }
                return s;
            };
            Problem reference;
            const Solver fresh = prepare(reference);
            Vector expected(static_cast<std::size_t>(info_of(reference).rows));
            ASSERT_EQ(perp_solve(fresh.get(), expected.data(), nullptr, nullptr), PERP_OK);
            const int64_t failed = fail_each("solve", Uses::memory, [&](const Armed& armed) {
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
            EXPECT_GT(failed, 4);
        }
    }
}

TEST_P(NoMemory, Settings) {
    const Problem problem = scene_.problem();
    const Solver s = solver(problem, few_iterations(PERP_APGD));
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

TEST(NoMemoryWithoutSolution, Certificates) {
    Matrix H(2, 2);
    H.add(0, 0, 1.0);
    const Problem problem = blcp(H, {-1.0, -1.0});
    const Solver s = solver(problem, few_iterations(PERP_APGD));
    Vector z(2);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    fail_each("certificate", Uses::memory, [&](const Armed& armed) {
        Vector d(2, 7.0);
        const int32_t status = armed([&] { return perp_certificate(s.get(), d.data()); });
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(d, Vector(2, 7.0)));
        }
        return status;
    });
}

// ------------------------------------------------------------------ files

TEST_P(NoMemory, FilesAreWrittenWholeOrNotAtAll) {
    const Problem problem = scene_.problem();
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    ASSERT_EQ(perp_problem_write(problem.get(), at("good.h5").c_str(), 0, "t", "s"), PERP_OK);
    const std::string good = bytes_of(at("good.h5"));
    const int64_t failed = fail_each("problem_write", Uses::hdf5, [&](const Armed& armed) {
        const std::string path = at("new.h5");
        const int32_t status =
            armed([&] { return perp_problem_write(problem.get(), path.c_str(), 0, "t", "s"); });
        EXPECT_EQ(bytes_of(path).empty(), status != PERP_OK);
        fs::remove(path);
        EXPECT_EQ(names(), std::vector<std::string>{"good.h5"});
        return status;
    });
    EXPECT_GT(failed, 20);
    fail_each("solution_write", Uses::hdf5, [&](const Armed& armed) {
        const std::string path = at("good.h5");
        const int32_t status = armed(
            [&] { return perp_solution_write(problem.get(), path.c_str(), z.data(), "solver"); });
        EXPECT_EQ(bytes_of(path) == good, status != PERP_OK);
        std::ofstream(path, std::ios::binary) << good;
        EXPECT_EQ(names(), std::vector<std::string>{"good.h5"});
        return status;
    });
}

TEST_P(NoMemory, FilesAreReadWholeOrNotAtAll) {
    const Problem problem = scene_.problem();
    const Vector before = velocities_of(problem);
    const Vector z(before.size(), 0.125);
    const std::string path = at("good.h5");
    ASSERT_EQ(perp_problem_write(problem.get(), path.c_str(), 0, "t", "s"), PERP_OK);
    ASSERT_EQ(perp_solution_write(problem.get(), path.c_str(), z.data(), "solver"), PERP_OK);
    fail_each("problem_read", Uses::hdf5, [&](const Armed& armed) {
        perp_problem* out = sentinel<perp_problem>();
        const int32_t status = armed([&] { return perp_problem_read(path.c_str(), 0, &out); });
        EXPECT_EQ(status == PERP_OK, out != sentinel<perp_problem>());
        if (status == PERP_OK) {
            EXPECT_TRUE(same_bits(velocities_of(Problem(out)), before));
        }
        return status;
    });
    fail_each("solution_read", Uses::hdf5, [&](const Armed& armed) {
        Vector found(z.size(), 7.0);
        const int32_t status =
            armed([&] { return perp_solution_read(problem.get(), path.c_str(), found.data()); });
        EXPECT_TRUE(same_bits(found, status == PERP_OK ? z : Vector(z.size(), 7.0)));
        return status;
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, NoMemory, testing::ValuesIn(scenes),
                         [](const auto& p) { return std::string(p.param.what); });

}  // namespace
