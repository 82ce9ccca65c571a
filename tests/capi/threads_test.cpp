// Threads: own handles each, or several solvers on one shared problem. Equal bits, own messages.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include <unistd.h>

#include "step_support.hpp"

using namespace perp_test;

namespace {

constexpr int threads = 8;

// A stack of boxes with four contacts each: redundant, coupled, friction.
Problem stack(int boxes, double mu_of_all, System* keep = nullptr) {
    Matrices m;
    m.M = Matrix(6 * boxes, 6 * boxes);
    m.N = Matrix(4 * boxes, 6 * boxes);
    m.D = Matrix(8 * boxes, 6 * boxes);
    const double corners[4][2] = {{0.5, 0.3}, {0.5, -0.3}, {-0.5, 0.3}, {-0.5, -0.3}};
    for (int64_t b = 0; b < boxes; ++b) {
        for (int64_t i = 0; i < 6; ++i)
            m.M.add(6 * b + i, 6 * b + i, i < 3 ? 1.0 : 0.1 + 0.02 * static_cast<double>(i));
        for (int64_t c = 0; c < 4; ++c) {
            for (const int side : {0, 1}) {  // the box, then the one below
                if (side == 1 && b == 0) continue;
                const int64_t dof = 6 * (b - side);
                const double sign = side == 0 ? 1.0 : -1.0, x = corners[c][0], y = corners[c][1],
                             z = side == 0 ? -0.2 : 0.2;
                const int64_t n = 4 * b + c;
                m.N.add(n, dof + 2, sign);
                m.N.add(n, dof + 3, sign * y);
                m.N.add(n, dof + 4, -sign * x);
                m.D.add(2 * n, dof, sign);
                m.D.add(2 * n, dof + 4, sign * z);
                m.D.add(2 * n, dof + 5, -sign * y);
                m.D.add(2 * n + 1, dof + 1, sign);
                m.D.add(2 * n + 1, dof + 3, -sign * z);
                m.D.add(2 * n + 1, dof + 5, sign * x);
            }
        }
    }
    Vector f(static_cast<std::size_t>(6 * boxes), 0.0);
    const Vector mu(static_cast<std::size_t>(4 * boxes), mu_of_all);
    for (int64_t b = 0; b < boxes; ++b) {
        f[6 * b + 2] = -0.05;
        f[6 * b] = 0.02 * static_cast<double>(b);
    }
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    System s = system(m);
    Problem problem = cone(s, step);
    if (keep != nullptr) *keep = std::move(s);
    return problem;
}

template <class Work>
void in_parallel(const Work& work) {
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t) pool.emplace_back([&work, t] { work(t); });
    for (std::thread& t : pool) t.join();
}

perp_settings settings_of(int thread) {
    perp_settings s = settings(thread % 2 == 0 ? PERP_APGD : PERP_PGS, 1e-6);
    s.max_iterations = 500;
    s.sweep_order = thread % 4 == 3 ? PERP_SWEEP_RANDOM : PERP_SWEEP_GIVEN;
    return s;
}

// Friction handles of their own on one shared system.
TEST(Threads, StepsGiveTheSameBits) {
    const StepScene scene = generated(perp::scenes::wall(2, 2));
    const System shared = system(scene.matrices);
    const auto walk = [&](int t) {
        perp_friction_def def = friction_def(models[t % 5]);
        def.stiffness = 1e6;
        const Friction f = friction(def);
        perp_settings settings = step_settings(1e-4);
        settings.max_iterations = 300;
        const perp_rows r = scene.step_rows();
        const perp_contacts c = scene.contacts();
        Vector v(scene.f.size());
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(perp_step(f.get(), shared.get(), &r, &c, &settings, v.data(), nullptr,
                                nullptr, nullptr),
                      PERP_OK);
        return v;
    };
    Vector expected[5], found[threads];
    for (int k = 0; k < 5; ++k) expected[k] = walk(k);
    in_parallel([&](int t) { found[t] = walk(t); });
    for (int t = 0; t < threads; ++t) EXPECT_TRUE(same_bits(found[t], expected[t % 5])) << t;
}

TEST(Threads, OwnHandlesGiveTheSameBits) {
    Vector expected[4], found[threads];
    for (int k = 0; k < 4; ++k) expected[k] = solve(stack(6, 0.5), settings_of(k)).z;
    in_parallel([&](int t) {
        for (int repeat = 0; repeat < 3; ++repeat)
            found[t] = solve(stack(6, 0.5), settings_of(t)).z;
    });
    for (int t = 0; t < threads; ++t) EXPECT_TRUE(same_bits(found[t], expected[t % 4])) << t;
    EXPECT_FALSE(same_bits(expected[0], expected[1]));
}

TEST(Threads, SolversShareAProblem) {
    const Problem problem = stack(6, 0.5);
    Vector expected[4], found[threads];
    for (int k = 0; k < 4; ++k) expected[k] = solve(problem, settings_of(k)).z;
    in_parallel([&](int t) {
        for (int repeat = 0; repeat < 3; ++repeat) found[t] = solve(problem, settings_of(t)).z;
    });
    for (int t = 0; t < threads; ++t) EXPECT_TRUE(same_bits(found[t], expected[t % 4])) << t;
}

// A system may be updated and destroyed while other threads work on problems made from it.
TEST(Threads, ProblemsAreIndependentOfTheirSystem) {
    System system;
    Problem problems[threads];
    problems[0] = stack(4, 0.5, &system);
    const Vector expected = solve(problems[0], settings_of(0)).z;
    Vector f(24, 0.0);
    const Vector mu(16, 0.5);
    for (int64_t b = 0; b < 4; ++b) {
        f[6 * b + 2] = -0.05;
        f[6 * b] = 0.02 * static_cast<double>(b);
    }
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    for (int t = 1; t < threads; ++t) problems[t] = cone(system, step);
    const Vector heavier(24, 3.0);
    Vector found[threads];
    in_parallel([&](int t) {
        if (t == 0) {
            for (int repeat = 0; repeat < 20; ++repeat)
                EXPECT_EQ(perp_system_update(system.get(), PERP_MATRIX_M, 24, heavier.data()),
                          PERP_OK);
            system.reset();
            return;
        }
        found[t] = solve(problems[t], settings_of(0)).z;
        problems[t].reset();
    });
    for (int t = 1; t < threads; ++t) EXPECT_TRUE(same_bits(found[t], expected)) << t;
}

// The last problem of a system is used and destroyed by another thread: an update in place must be
// ordered after that (the flag orders nothing; the thread sanitizer sees what is missing).
TEST(Threads, AnUpdateMayFollowTheEndOfAProblemElsewhere) {
    System system;
    Problem problem = stack(4, 0.5, &system);
    const Vector heavier(24, 3.0);
    std::atomic<bool> gone{false};
    std::thread other([&] {
        EXPECT_GT(residual_of(problem, Vector(48, 0.1)).eta, 0.0);
        problem.reset();
        gone.store(true, std::memory_order_relaxed);
    });
    while (!gone.load(std::memory_order_relaxed)) std::this_thread::yield();
    EXPECT_EQ(perp_system_update(system.get(), PERP_MATRIX_M, 24, heavier.data()), PERP_OK);
    other.join();
}

// ------------------------------------------------------------------ everything at once

// A folder of this process, gone with the test.
class Files {
public:
    Files()
        : folder_(std::filesystem::path(testing::TempDir()) /
                  ("perp_threads_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~Files() { std::filesystem::remove_all(folder_); }
    Files(const Files&) = delete;
    Files& operator=(const Files&) = delete;
    [[nodiscard]] std::string of_thread(int t) const {
        return (folder_ / ("own" + std::to_string(t) + ".h5")).string();
    }

private:
    std::filesystem::path folder_;
};

// Create, assemble, write, read, solve by every method, store the solution and fetch it: the
// impulses of all methods one after the other.
Vector a_whole_life(const std::string& file) {
    System kept;
    Problem made = stack(3, 0.5, &kept);
    EXPECT_EQ(perp_problem_write(made.get(), file.c_str(), PERP_LAYOUT_PERP, "stack", nullptr),
              PERP_OK)
        << perp_last_message();
    kept.reset();
    made.reset();
    perp_problem* read = nullptr;
    EXPECT_EQ(perp_problem_read(file.c_str(), PERP_LAW_AUTO, &read), PERP_OK)
        << perp_last_message();
    const Problem problem(read);
    Vector all;
    for (const int64_t method : methods) {
        perp_settings s = settings(method, 1e-6);
        s.max_iterations = 200;
        const Vector z = solve(problem, s).z;
        EXPECT_EQ(perp_solution_write(problem.get(), file.c_str(), z.data(), "threads"), PERP_OK)
            << perp_last_message();
        Vector stored(z.size());
        EXPECT_EQ(perp_solution_read(problem.get(), file.c_str(), stored.data()), PERP_OK)
            << perp_last_message();
        EXPECT_TRUE(same_bits(stored, z));
        all.insert(all.end(), z.begin(), z.end());
    }
    return all;
}

TEST(Threads, WholeLivesAtOnce) {
    const Files files;
    const Vector expected = a_whole_life(files.of_thread(0));
    Vector found[threads];
    in_parallel([&](int t) {
        for (int repeat = 0; repeat < 2; ++repeat) found[t] = a_whole_life(files.of_thread(t));
    });
    for (int t = 0; t < threads; ++t) EXPECT_TRUE(same_bits(found[t], expected)) << t;
}

// Solvers that use threads themselves, in four threads of the caller's. Same number of threads,
// same bits.
TEST(Threads, SolversWithThreadsInsideThreads) {
    constexpr int callers = 4;
    // Large enough to be shared: more than 1024 contacts and 2000 rows.
    const Problem problem(perp::scenes::make_problem(perp::scenes::wall(10, 10)).release());
    const bool openmp = std::string(perp_build_info()).find("OpenMP") != std::string::npos;
    for (const int64_t method : methods) {
        const auto solve_with_two = [&] {
            perp_settings s = settings(method, 1e-6);
            s.max_iterations = 50;
            const Solver own = solver(problem, s);
            EXPECT_EQ(perp_solver_set(own.get(), "threads", "2"), PERP_OK) << perp_last_message();
            Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.0);
            auto info = sized<perp_info>();
            EXPECT_EQ(perp_solve(own.get(), z.data(), nullptr, &info), PERP_OK)
                << perp_last_message();
            EXPECT_EQ(info.eta, residual_of(problem, z).eta);
            EXPECT_EQ(info.threads, openmp ? 2 : 1);
            return z;
        };
        const Vector expected = solve_with_two();
        Vector found[callers];
        std::vector<std::thread> pool;
        for (int t = 0; t < callers; ++t)
            pool.emplace_back([&, t] {
                for (int repeat = 0; repeat < 2; ++repeat) found[t] = solve_with_two();
            });
        for (std::thread& t : pool) t.join();
        for (int t = 0; t < callers; ++t)
            EXPECT_TRUE(same_bits(found[t], expected)) << perp_method_name(method) << t;
    }
}

TEST(Threads, HaveTheirOwnMessages) {
    in_parallel([](int t) {
        EXPECT_STREQ(perp_last_message(), "");
        for (int repeat = 0; repeat < 200; ++repeat) {
            Matrix H(t + 1, t + 1);
            H.add(t + 1, 0, 1.0);
            const perp_triplets h = H.view();
            const Vector q(static_cast<std::size_t>(t + 1), 0.0);
            perp_problem* out = nullptr;
            EXPECT_EQ(perp_blcp_create(&h, q.data(), nullptr, nullptr, &out), PERP_BAD_INDEX);
            const std::string expected =
                "H: row[0] = " + std::to_string(t + 1) + " is outside 0.." + std::to_string(t);
            EXPECT_EQ(std::string(perp_last_message()).compare(0, expected.size(), expected), 0)
                << perp_last_message();
        }
    });
}

}  // namespace
