// Calls of solvers and queries that are refused: status, message, outputs untouched.
#include "support.hpp"

using namespace perp_test;

namespace {

template <class T>
T* sentinel() {
    static int64_t place;
    return reinterpret_cast<T*>(&place);
}

constexpr int64_t absurd = int64_t{1} << 62;

Problem some_problem() {
    const System s = system({Matrix::diagonal({1, 2, 3, 4}),
                             Matrix(1, 4, {1, 1, 0, 0}),
                             Matrix(2, 4, {0, 0, 1, 0, 0, 0, 0, 1}),
                             Matrix(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}),
                             {},
                             {}});
    const Vector f{1, 2, -3, -4}, mu{0.5, 0.25};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    return cone(s, step);
}

struct Refused {
    const char* what;
    int32_t (*call)(const Problem&, const Solver&, double*);
    int32_t status;
    const char* message;
};

void PrintTo(const Refused& r, std::ostream* out) { *out << r.what; }

template <class T>
T badly_sized(int64_t size) {
    T t{};
    t.struct_size = size;
    return t;
}

int32_t create(const Problem& p, void (*spoil)(perp_settings&)) {
    perp_settings s = initialized(perp_settings_init);
    spoil(s);
    perp_solver* out = sentinel<perp_solver>();
    const int32_t status = perp_solver_create(p.get(), &s, &out);
    EXPECT_EQ(out, sentinel<perp_solver>());
    if (status == PERP_OK) perp_solver_destroy(out);
    return status;
}

int32_t solve_with_info(const Solver& s, double* z, int64_t size) {
    auto info = badly_sized<perp_info>(size);
    info.iterations = 77;
    const int32_t status = perp_solve(s.get(), z, nullptr, &info);
    EXPECT_EQ(info.iterations, 77);
    return status;
}

int32_t residual_with_info(const Problem& p, const double* z, int64_t size) {
    auto info = badly_sized<perp_residual_info>(size);
    return perp_residual(p.get(), z, &info);
}

int32_t info_with_size(const Problem& p, int64_t size) {
    auto info = badly_sized<perp_problem_info>(size);
    return perp_problem_get_info(p.get(), &info);
}

const Refused refused[] = {
    {"method",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.method = 0; });
     },
     PERP_BAD_SETTING, "method = 0"},
    {"method_huge",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.method = (int64_t{1} << 32) + 1; });
     },
     PERP_BAD_SETTING, "method = 4294967297"},
    {"tolerance",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.tolerance = not_a_number; });
     },
     PERP_BAD_SETTING, "tolerance = nan"},
    {"max_iterations",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.max_iterations = -5; });
     },
     PERP_BAD_SETTING, "max_iterations = -5"},
    {"time_limit",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.time_limit = -0.5; });
     },
     PERP_BAD_SETTING, "time_limit = -0.5"},
    {"warm_start",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.warm_start = 2; });
     },
     PERP_BAD_SETTING, "warm_start = 2"},
    {"relaxation",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.relaxation = 2; });
     },
     PERP_BAD_SETTING, "relaxation = 2"},
    {"sweep_order",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.sweep_order = 4; });
     },
     PERP_BAD_SETTING, "sweep_order = 4"},
    {"settings_size_0",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.struct_size = 0; });
     },
     PERP_BAD_SIZE, "settings->struct_size = 0"},
    {"settings_size_cuts_a_field",
     [](const Problem& p, const Solver&, double*) {
         return create(p, [](perp_settings& s) { s.struct_size = 20; });
     },
     PERP_BAD_SIZE, "settings->struct_size = 20"},
    {"info_size_0",
     [](const Problem&, const Solver& s, double* z) { return solve_with_info(s, z, 0); },
     PERP_BAD_SIZE, "info->struct_size = 0"},
    {"info_size_negative",
     [](const Problem&, const Solver& s, double* z) { return solve_with_info(s, z, -64); },
     PERP_BAD_SIZE, "info->struct_size = -64"},
    {"info_size_huge",
     [](const Problem&, const Solver& s, double* z) { return solve_with_info(s, z, absurd); },
     PERP_BAD_SIZE, "info->struct_size = 4611686018427387904"},
    {"residual_size",
     [](const Problem& p, const Solver&, double* z) { return residual_with_info(p, z, 4); },
     PERP_BAD_SIZE, "info->struct_size = 4"},
    {"residual_size_cuts_a_field",
     [](const Problem& p, const Solver&, double* z) { return residual_with_info(p, z, 12); },
     PERP_BAD_SIZE, "info->struct_size = 12"},
    {"problem_info_size",
     [](const Problem& p, const Solver&, double*) { return info_with_size(p, 0); }, PERP_BAD_SIZE,
     "info->struct_size = 0"},
    {"solve_no_z",
     [](const Problem&, const Solver& s, double*) {
         return perp_solve(s.get(), nullptr, nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "z is NULL"},
    {"solve_no_solver",
     [](const Problem&, const Solver&, double* z) {
         return perp_solve(nullptr, z, nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "solver is NULL"},
    {"create_no_out",
     [](const Problem& p, const Solver&, double*) {
         return perp_solver_create(p.get(), nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "out is NULL"},
    {"set_no_solver",
     [](const Problem&, const Solver&, double*) { return perp_solver_set(nullptr, "seed", "1"); },
     PERP_NULL_ARGUMENT, "solver is NULL"},
    {"set_no_name",
     [](const Problem&, const Solver& s, double*) {
         return perp_solver_set(s.get(), nullptr, "1");
     },
     PERP_NULL_ARGUMENT, "name is NULL"},
    {"set_no_value",
     [](const Problem&, const Solver& s, double*) {
         return perp_solver_set(s.get(), "seed", nullptr);
     },
     PERP_NULL_ARGUMENT, "value is NULL"},
    {"callback_no_solver",
     [](const Problem&, const Solver&, double*) {
         return perp_solver_set_callback(nullptr, nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "solver is NULL"},
    {"certificate_no_solver",
     [](const Problem&, const Solver&, double* z) { return perp_certificate(nullptr, z); },
     PERP_NULL_ARGUMENT, "solver is NULL"},
    {"supports_no_problem",
     [](const Problem&, const Solver&, double*) { return perp_solver_supports(nullptr, PERP_PGS); },
     PERP_NULL_ARGUMENT, "problem is NULL"},
    {"supports_unknown",
     [](const Problem& p, const Solver&, double*) { return perp_solver_supports(p.get(), 11); },
     PERP_BAD_SETTING, "method = 11"},
    {"residual_no_problem",
     [](const Problem&, const Solver&, double* z) { return perp_residual(nullptr, z, nullptr); },
     PERP_NULL_ARGUMENT, "problem is NULL"},
    {"residual_no_z",
     [](const Problem& p, const Solver&, double*) { return residual_with_info(p, nullptr, 64); },
     PERP_NULL_ARGUMENT, "z is NULL"},
    {"residual_no_info",
     [](const Problem& p, const Solver&, double* z) { return perp_residual(p.get(), z, nullptr); },
     PERP_NULL_ARGUMENT, "info is NULL"},
    {"velocity_no_z",
     [](const Problem& p, const Solver&, double* z) {
         return perp_constraint_velocity(p.get(), nullptr, z, nullptr);
     },
     PERP_NULL_ARGUMENT, "z is NULL"},
    {"velocity_no_problem",
     [](const Problem&, const Solver&, double* z) {
         return perp_constraint_velocity(nullptr, z, z, nullptr);
     },
     PERP_NULL_ARGUMENT, "problem is NULL"},
    {"matrix_no_count",
     [](const Problem& p, const Solver&, double*) {
         return perp_form_matrix(p.get(), nullptr, nullptr, nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "count is NULL"},
    {"rows_no_problem",
     [](const Problem&, const Solver&, double*) {
         return perp_problem_set_rows(nullptr, nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "problem is NULL"},
    {"rows_no_rows",
     [](const Problem& p, const Solver&, double*) {
         return perp_problem_set_rows(p.get(), nullptr, nullptr);
     },
     PERP_NULL_ARGUMENT, "rows is NULL"},
    {"vectors_of_an_assembled",
     [](const Problem& p, const Solver&, double* z) {
         return perp_problem_set_vectors(p.get(), z, z, z);
     },
     PERP_UNSUPPORTED, "assembled"},
    {"values_of_an_assembled",
     [](const Problem& p, const Solver&, double* z) { return perp_problem_update(p.get(), 1, z); },
     PERP_UNSUPPORTED, "assembled"},
    {"info_no_info",
     [](const Problem& p, const Solver&, double*) {
         return perp_problem_get_info(p.get(), nullptr);
     },
     PERP_NULL_ARGUMENT, "info is NULL"},
    {"assemble_no_system",
     [](const Problem&, const Solver&, double*) {
         const perp_rows r = rows();
         perp_problem* out = nullptr;
         return perp_cone_assemble(nullptr, &r, &out);
     },
     PERP_NULL_ARGUMENT, "system is NULL"},
};

class RefusedCalls : public testing::TestWithParam<Refused> {};

TEST_P(RefusedCalls, LeaveTheOutputs) {
    const Problem problem = some_problem();
    const Solver solver = perp_test::solver(problem, settings(PERP_APGD));
    Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    const Vector before = z;
    EXPECT_FAILS(GetParam().status, GetParam().message, GetParam().call(problem, solver, z.data()));
    EXPECT_TRUE(same_bits(z, before));
}

INSTANTIATE_TEST_SUITE_P(All, RefusedCalls, testing::ValuesIn(refused),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(RefusedCall, AGuessThatIsNotFinite) {
    const Problem problem = blcp(Matrix::diagonal({1, 1}), {-1, 1});
    perp_settings s = settings(PERP_PGS);
    s.warm_start = 1;
    const Solver warm = solver(problem, s);
    Vector z{0, not_a_number}, u{77, 77};
    EXPECT_FAILS(PERP_BAD_VALUE, "z[1] = nan", perp_solve(warm.get(), z.data(), u.data(), nullptr));
    EXPECT_EQ(z[0], 0.0);
    EXPECT_EQ(u[0], 77.0);
}

TEST(RefusedCall, DestroyTakesNull) {
    perp_system_destroy(nullptr);
    perp_problem_destroy(nullptr);
    perp_solver_destroy(nullptr);
    EXPECT_NE(perp_last_message(), nullptr);
}

}  // namespace
