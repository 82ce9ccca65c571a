// Threads: own handles each, or several solvers on one shared problem. Equal bits, own messages.
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

#include <unistd.h>

#include "threads_lives.hpp"

using namespace perp_test;

namespace {

constexpr int threads = 8;

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

// The threads come first: what is made at the first use is made by all of them at once.
TEST(Threads, EveryFunctionAtOnceGivesTheSameBits) {
    const Files files;
    Vector found[threads], again[threads];
    in_parallel([&](int t) {
        found[t] = Lives(files.of_thread(t)).bits();
        again[t] = Lives(files.of_thread(t)).bits();
    });
    const Lives expected(files.of_thread(0));
    for (const std::string& name : functions_of_header())
        EXPECT_EQ(expected.called().count(name), 1U) << name << " is not called";
    for (int t = 0; t < threads; ++t) {
        EXPECT_TRUE(same_bits(found[t], expected.bits())) << t;
        EXPECT_TRUE(same_bits(again[t], expected.bits())) << t;
    }
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
