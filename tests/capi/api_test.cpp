// What perp.h promises beside solving: structs that grow, queries, settings by name, callbacks.
#include <cstddef>
#include <set>

#include "support.hpp"

using namespace perp_test;

namespace {

Problem small_cone(double f_z = -1.0) {
    const System s = system({Matrix::diagonal({1, 2, 3}),
                             {},
                             Matrix(1, 3, {0, 0, 1}),
                             Matrix(2, 3, {1, 0, 0, 0, 1, 0}),
                             {},
                             {}});
    const Vector f{0.3, 0.1, f_z}, mu{0.5};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    return cone(s, step);
}

// ------------------------------------------------------------------ texts

TEST(Texts, AreDistinctAndNeverNull) {
    std::set<std::string> statuses, outcomes;
    for (int32_t s = PERP_OK; s <= PERP_INTERNAL; ++s) statuses.insert(perp_status_text(s));
    EXPECT_EQ(statuses.size(), 16u);
    for (int32_t o = PERP_SOLVED; o <= PERP_NUMERICAL_FAILURE; ++o)
        outcomes.insert(perp_outcome_text(o));
    EXPECT_EQ(outcomes.size(), 7u);
    for (const int32_t unknown : {-1, 99, INT32_MIN, INT32_MAX}) {
        EXPECT_STREQ(perp_status_text(unknown), perp_status_text(1000));
        EXPECT_STREQ(perp_outcome_text(unknown), perp_outcome_text(1000));
        EXPECT_EQ(statuses.count(perp_status_text(unknown)), 0u);
        EXPECT_EQ(outcomes.count(perp_outcome_text(unknown)), 0u);
    }
    const int64_t version = perp_version();
    const std::string text = std::to_string(version / 10000) + "." +
                             std::to_string(version / 100 % 100) + "." +
                             std::to_string(version % 100);
    EXPECT_NE(std::string(perp_build_info()).find("perp " + text), std::string::npos)
        << perp_build_info();
}

TEST(Methods, HaveNames) {
    EXPECT_STREQ(perp_method_name(PERP_PGS), "pgs");
    EXPECT_STREQ(perp_method_name(PERP_APGD), "apgd");
    EXPECT_EQ(perp_method_from_name("pgs"), PERP_PGS);
    EXPECT_EQ(perp_method_from_name("apgd"), PERP_APGD);
    EXPECT_STREQ(perp_method_name(PERP_AAPGS), "aapgs");
    EXPECT_EQ(perp_method_from_name("aapgs"), PERP_AAPGS);
    EXPECT_STREQ(perp_method_name(PERP_PIVOTING), "pivoting");
    EXPECT_EQ(perp_method_from_name("pivoting"), PERP_PIVOTING);
    EXPECT_STREQ(perp_method_name(PERP_KELLER), "keller");
    EXPECT_STREQ(perp_method_name(PERP_LEMKE), "lemke");
    EXPECT_STREQ(perp_method_name(PERP_IPM), "ipm");
    EXPECT_EQ(perp_method_from_name("ipm"), PERP_IPM);
    for (const int64_t unknown : {int64_t{0}, int64_t{11}, int64_t{-1}, INT64_MAX})
        EXPECT_EQ(perp_method_name(unknown), nullptr);
    for (const char* unknown : {"", "PGS", "pgs ", "given"})
        EXPECT_EQ(perp_method_from_name(unknown), 0);
    EXPECT_EQ(perp_method_from_name(nullptr), 0);
}

// ------------------------------------------------------------------ structs that grow

template <class T>
void expect_sized_init(int32_t (*init)(T*, int64_t)) {
    T full;
    std::memset(&full, 0xff, sizeof full);
    ASSERT_EQ(init(&full, sizeof full), PERP_OK);
    EXPECT_EQ(full.struct_size, static_cast<int64_t>(sizeof full));
    // An older caller's struct: only its bytes are written.
    T old;
    std::memset(&old, 0x55, sizeof old);
    ASSERT_EQ(init(&old, 16), PERP_OK);
    EXPECT_EQ(old.struct_size, 16);
    EXPECT_EQ(std::memcmp(reinterpret_cast<char*>(&old) + 8, reinterpret_cast<char*>(&full) + 8, 8),
              0);
    for (std::size_t k = 16; k < sizeof old; ++k)
        EXPECT_EQ(reinterpret_cast<unsigned char*>(&old)[k], 0x55);
    // A newer caller's: what this version does not know becomes zero.
    struct {
        T known;
        int64_t later[4];
    } newer;
    std::memset(&newer, 0xff, sizeof newer);
    ASSERT_EQ(init(&newer.known, sizeof newer), PERP_OK);
    EXPECT_EQ(newer.known.struct_size, static_cast<int64_t>(sizeof newer));
    for (const int64_t x : newer.later) EXPECT_EQ(x, 0);
    T untouched;
    std::memset(&untouched, 0x55, sizeof untouched);
    const T before = untouched;
    for (const int64_t size : {int64_t{-1}, int64_t{0}, int64_t{7}, int64_t{1} << 40}) {
        EXPECT_FAILS(PERP_BAD_SIZE, "struct_size = " + std::to_string(size),
                     init(&untouched, size));
        EXPECT_EQ(std::memcmp(&untouched, &before, sizeof before), 0);
    }
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "is NULL", init(nullptr, sizeof(T)));
}

TEST(Structs, AreInitializedToTheSizeOfTheCaller) {
    expect_sized_init(perp_system_def_init);
    expect_sized_init(perp_rows_init);
    expect_sized_init(perp_delassus_def_init);
    expect_sized_init(perp_settings_init);
}

TEST(Structs, DefaultsAreTheDocumentedOnes) {
    EXPECT_EQ(initialized(perp_system_def_init).symmetry_tolerance, 1e-12);
    EXPECT_EQ(initialized(perp_system_def_init).mass_storage, PERP_MASS_FULL);
    EXPECT_EQ(initialized(perp_delassus_def_init).tangential_rows, 2);
    EXPECT_EQ(initialized(perp_delassus_def_init).angular_rows, 0);
    EXPECT_EQ(initialized(perp_rows_init).mu, nullptr);
    const perp_settings s = initialized(perp_settings_init);
    EXPECT_EQ(s.method, PERP_AUTO);
    EXPECT_EQ(s.tolerance, 1e-4);
    EXPECT_EQ(s.max_iterations, 20000);
    EXPECT_EQ(s.time_limit, 0.0);
    EXPECT_EQ(s.warm_start, 0);
    EXPECT_EQ(s.relaxation, 1.0);
    EXPECT_EQ(s.sweep_order, PERP_SWEEP_COLOURED);
    EXPECT_EQ(s.symmetric_sweep, 0);
    EXPECT_EQ(s.seed, 0);
    EXPECT_EQ(s.check_interval, 10);
    EXPECT_EQ(s.stagnation_window, -1);
    EXPECT_EQ(s.threads, 1);
    EXPECT_EQ(s.eliminate_bilateral, 1);
    EXPECT_EQ(s.anderson_window, 5);
    EXPECT_EQ(s.least_norm, 0);
}

// Settings of an older caller keep the defaults of the fields it does not know.
TEST(Structs, OfOlderAndNewerCallersAreUnderstood) {
    const Problem problem = small_cone();
    perp_solver* out = nullptr;
    perp_settings old = settings(PERP_PGS, 1e-9);
    old.struct_size = offsetof(perp_settings, max_iterations);
    old.max_iterations = -77;  // beyond the caller's struct: not read
    ASSERT_EQ(perp_solver_create(problem.get(), &old, &out), PERP_OK) << perp_last_message();
    const Solver first(out);
    struct {
        perp_settings known;
        int64_t later[2];
    } newer{settings(PERP_APGD, 1e-9), {0, 0}};
    newer.known.struct_size = sizeof newer;
    ASSERT_EQ(perp_solver_create(problem.get(), &newer.known, &out), PERP_OK)
        << perp_last_message();
    const Solver second(out);
    newer.later[1] = 1;
    out = nullptr;
    EXPECT_FAILS(PERP_UNSUPPORTED, "does not know",
                 perp_solver_create(problem.get(), &newer.known, &out));
    EXPECT_EQ(out, nullptr);
}

TEST(Structs, ResultsAreWrittenToTheSizeOfTheCaller) {
    const Problem problem = small_cone();
    const Vector z{1.0, 0.1, 0.2};
    perp_residual_info full = residual_of(problem, z);
    perp_residual_info old;
    std::memset(&old, 0x55, sizeof old);
    old.struct_size = offsetof(perp_residual_info, eta_normal);
    const perp_residual_info before = old;
    ASSERT_EQ(perp_residual(problem.get(), z.data(), &old), PERP_OK);
    EXPECT_EQ(old.eta, full.eta);
    EXPECT_EQ(old.struct_size, before.struct_size);
    EXPECT_EQ(std::memcmp(&old.eta_normal, &before.eta_normal,
                          sizeof old - offsetof(perp_residual_info, eta_normal)),
              0);
}

// ------------------------------------------------------------------ queries

TEST(Queries, InfoTellsTheSizes) {
    const System s = system({Matrix::diagonal({1, 1, 1, 1}), Matrix(1, 4, {1, 0, 0, 1}),
                             Matrix(2, 4, {1, 0, 0, 0, 0, 1, 0, 0}),
                             Matrix(4, 4, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}),
                             Matrix(6, 4), Matrix(3, 4)});
    const Vector f{1, 2, 3, 4}, mu(2, 0.5), bounds(3, 0.0);
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    step.lo_B = step.hi_B = bounds.data();
    const perp_problem_info i = info_of(cone(s, step));
    EXPECT_EQ(i.rows, 1 + 2 * 6 + 3);
    EXPECT_EQ(i.velocities, 4);
    EXPECT_EQ(i.bilateral, 1);
    EXPECT_EQ(i.contacts, 2);
    EXPECT_EQ(i.tangential_rows, 2);
    EXPECT_EQ(i.angular_rows, 3);
    EXPECT_EQ(i.boxes, 3);
    EXPECT_EQ(i.law, PERP_LAW_CONE);
    EXPECT_EQ(i.matrix_form, 0);
    EXPECT_EQ(i.nonzeros, 2 + 2 + 4);
    EXPECT_EQ(i.largest_mass_block, 1);
    EXPECT_EQ(i.asymmetry, 0.0);
    const perp_problem_info b = info_of(blcp(Matrix(2, 2, {1, 0.5, 0, 1}), {3, 4}));
    EXPECT_EQ(b.rows, 2);
    EXPECT_EQ(b.velocities, 0);
    EXPECT_EQ(b.contacts, 0);
    EXPECT_EQ(b.boxes, 2);
    EXPECT_EQ(b.law, PERP_LAW_BOX);
    EXPECT_EQ(b.matrix_form, 1);
    EXPECT_EQ(b.nonzeros, 3);
    EXPECT_EQ(b.asymmetry, 0.5);
    EXPECT_EQ(b.free_velocity_norm, 5.0);
}

TEST(Queries, TheMatrixIsFormedOnRequest) {
    const Problem problem = small_cone();
    int64_t count = -5;
    int64_t col[4], row[4];
    double value[4];
    ASSERT_EQ(perp_form_matrix(problem.get(), &count, nullptr, nullptr, nullptr), PERP_OK);
    EXPECT_EQ(count, 3);
    count = 0;
    ASSERT_EQ(perp_form_matrix(problem.get(), &count, nullptr, col, value), PERP_OK)
        << "row = NULL asks";
    EXPECT_EQ(count, 3);
    count = 2;
    EXPECT_FAILS(PERP_BAD_SIZE, "count = 2",
                 perp_form_matrix(problem.get(), &count, row, col, value));
    EXPECT_EQ(count, 2);
    count = 4;
    ASSERT_EQ(perp_form_matrix(problem.get(), &count, row, col, value), PERP_OK);
    EXPECT_EQ(count, 3);
    const double expected[] = {1.0 / 3, 1.0, 0.5};
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(row[k], k);
        EXPECT_EQ(col[k], k);
        EXPECT_DOUBLE_EQ(value[k], expected[k]);
    }
}

TEST(Queries, VelocitiesOfBodiesNeedASystem) {
    const Problem problem = blcp(Matrix::diagonal({2, 4}), {1, 1});
    const Vector z{0.5, 0.25};
    Vector u(2), v(2, 77.0);
    ASSERT_EQ(perp_constraint_velocity(problem.get(), z.data(), u.data(), nullptr), PERP_OK);
    expect_near(u, {2, 2}, 0.0);
    u = {77, 77};
    EXPECT_FAILS(PERP_UNSUPPORTED, "v",
                 perp_constraint_velocity(problem.get(), z.data(), u.data(), v.data()));
    expect_near(u, {77, 77}, 0.0);
    expect_near(v, {77, 77}, 0.0);
}

TEST(Queries, APointThatIsNotFiniteHasNoFiniteEta) {
    EXPECT_TRUE(std::isinf(residual_of(small_cone(), {not_a_number, 0, 0}).eta));
}

// ------------------------------------------------------------------ solvers

TEST(Settings, AreSetByName) {
    const Problem problem = small_cone();
    const Solver s = solver(problem, settings(PERP_PGS));
    const std::pair<const char*, const char*> good[] = {
        {"method", "apgd"},        {"method", "pgs"},
        {"method", "2"},           {"tolerance", "1e-8"},
        {"max_iterations", "100"}, {"time_limit", "0.5"},
        {"time_limit", "0"},       {"warm_start", "1"},
        {"relaxation", "1.3"},     {"sweep_order", "bfs"},
        {"sweep_order", "random"}, {"sweep_order", "given"},
        {"symmetric_sweep", "1"},  {"seed", "-7"},
        {"check_interval", "1"},   {"stagnation_window", "-1"}};
    for (const auto& [name, value] : good)
        EXPECT_EQ(perp_solver_set(s.get(), name, value), PERP_OK)
            << name << ": " << perp_last_message();
    const std::pair<const char*, const char*> bad[] = {{"method", "secant"},
                                                       {"method", "11"},
                                                       {"method", ""},
                                                       {"tolerance", "0"},
                                                       {"tolerance", "-1"},
                                                       {"tolerance", "nan"},
                                                       {"tolerance", "inf"},
                                                       {"tolerance", "1e-8x"},
                                                       {"tolerance", "small"},
                                                       {"max_iterations", "-1"},
                                                       {"max_iterations", "1.5"},
                                                       {"max_iterations", "99999999999999999999"},
                                                       {"time_limit", "-1"},
                                                       {"time_limit", "nan"},
                                                       {"warm_start", "2"},
                                                       {"warm_start", "yes"},
                                                       {"relaxation", "0"},
                                                       {"relaxation", "2"},
                                                       {"sweep_order", "up"},
                                                       {"sweep_order", "pgs"},
                                                       {"symmetric_sweep", "-1"},
                                                       {"check_interval", "0"},
                                                       {"stagnation_window", "-2"},
                                                       {"tolerance", "1e-999"}};
    for (const auto& [name, value] : bad) {
        SCOPED_TRACE(std::string(name) + " = " + value);
        EXPECT_FAILS(PERP_BAD_SETTING, name, perp_solver_set(s.get(), name, value));
    }
    for (const char* unknown : {"", "Tolerance", "struct_size", "tol"})
        EXPECT_FAILS(PERP_BAD_SETTING, unknown, perp_solver_set(s.get(), unknown, "1"));
    // A refused setting changes nothing.
    ASSERT_EQ(perp_solver_set(s.get(), "max_iterations", "3"), PERP_OK);
    EXPECT_FAILS(PERP_BAD_SETTING, "max_iterations",
                 perp_solver_set(s.get(), "max_iterations", "-3"));
    ASSERT_EQ(perp_solver_set(s.get(), "tolerance", "1e-300"), PERP_OK);
    Vector z(3);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_LE(info.iterations, 3);
}

struct Log {
    int calls = 0, cancel_at = 0;
    double last_eta = 0.0;
};

int32_t record(const perp_progress* progress, void* user) {
    Log& log = *static_cast<Log*>(user);
    EXPECT_EQ(progress->struct_size, static_cast<int64_t>(sizeof(perp_progress)));
    EXPECT_GE(progress->eta, progress->best_eta);
    log.last_eta = progress->eta;
    return ++log.calls == log.cancel_at ? 1 : 0;
}

TEST(Solvers, ReportProgressAndCancel) {
    const System system =
        perp_test::system({Matrix::diagonal({1, 50}), {}, Matrix(2, 2, {1, 0, -1, 1}), {}, {}, {}});
    const Vector f{-1, -50};
    perp_rows step = rows();
    step.f = f.data();
    const Problem problem = cone(system, step);
    for (const int64_t method : methods) {
        perp_settings often = settings(method, 1e-6);
        often.check_interval = 1;
        const Solver s = solver(problem, often);
        Log log;
        log.cancel_at = 2;
        Vector z(2);
        auto info = sized<perp_info>();
        ASSERT_EQ(perp_solver_set_callback(s.get(), record, &log), PERP_OK);
        ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
        EXPECT_EQ(info.outcome, PERP_CANCELLED);
        EXPECT_EQ(log.calls, 2);
        log = Log();
        ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
        EXPECT_EQ(info.outcome, PERP_SOLVED);
        EXPECT_LE(log.last_eta, 1e-6) << "the last evaluation is reported too";
        const int calls = log.calls;
        ASSERT_EQ(perp_solver_set_callback(s.get(), nullptr, nullptr), PERP_OK);
        ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
        EXPECT_EQ(log.calls, calls);
    }
}

// Two supports of one load: any share solves, and half each is the least.
TEST(Solvers, LeastNormIsASetting) {
    const Problem problem = blcp(Matrix(2, 2, {1, 1, 1, 1}), {-2, -2}, {0, 0});
    const Solver s = solver(problem, settings(PERP_PIVOTING, 1e-10));
    Vector z(2);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.least_norm, 0);
    EXPECT_GT(std::abs(z[0] - z[1]), 0.1);
    ASSERT_EQ(perp_solver_set(s.get(), "least_norm", "1"), PERP_OK);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.outcome, PERP_SOLVED);
    EXPECT_EQ(info.least_norm, 1);
    EXPECT_NEAR(z[0], 1.0, 1e-9);
    EXPECT_NEAR(z[1], 1.0, 1e-9);
    EXPECT_FAILS(PERP_BAD_SETTING, "least_norm = 2", perp_solver_set(s.get(), "least_norm", "2"));
    const Problem skew = blcp(Matrix(2, 2, {1, 1, -1, 1}), {-2, -2}, {0, 0});
    perp_settings least = settings(PERP_PGS);
    least.least_norm = 1;
    perp_solver* none = nullptr;
    EXPECT_FAILS(PERP_UNSUPPORTED, "symmetric", perp_solver_create(skew.get(), &least, &none));
    EXPECT_EQ(none, nullptr);
}

TEST(Solvers, OutliveTheirProblemAndSystem) {
    Problem problem = small_cone();
    const Vector expected = solve(problem, settings(PERP_APGD)).z;
    const Solver s = solver(problem, settings(PERP_APGD));
    problem.reset();
    Vector z(3), u(3);
    ASSERT_EQ(perp_solve(s.get(), z.data(), u.data(), nullptr), PERP_OK);
    EXPECT_TRUE(same_bits(z, expected));
}

TEST(Solvers, ACertificateBelongsToTheLastSolve) {
    const Problem problem = blcp(Matrix(1, 1), {-1}, {0});
    const Solver s = solver(problem, settings(PERP_PGS));
    Vector z(1), d(1, 77.0);
    EXPECT_FAILS(PERP_UNSUPPORTED, "PERP_NO_SOLUTION", perp_certificate(s.get(), d.data()));
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    ASSERT_EQ(perp_certificate(s.get(), d.data()), PERP_OK);
    const Vector q{1};
    ASSERT_EQ(perp_problem_set_vectors(problem.get(), q.data(), nullptr, nullptr), PERP_OK);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    d[0] = 77.0;
    EXPECT_FAILS(PERP_UNSUPPORTED, "PERP_NO_SOLUTION", perp_certificate(s.get(), d.data()));
    EXPECT_EQ(d[0], 77.0);
}

TEST(Solvers, SetupIsReportedOnce) {
    const Problem problem = small_cone();
    const Solver s = solver(problem, settings(PERP_APGD));
    Vector z(3);
    auto info = sized<perp_info>();
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_GT(info.setup_seconds, 0.0);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, &info), PERP_OK);
    EXPECT_EQ(info.setup_seconds, 0.0);
    EXPECT_GT(info.solve_seconds, 0.0);
}

}  // namespace
