/* A program that was compiled with an older perp.h (old/perp/perp.h) and runs with today's library.
 * Several of its structs are shorter than the library's: the library must take defaults for what it
 * does not find in them, and must not read or write behind their ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perp/perp.h"
#include "todays_sizes.h"

enum { guard_size = 512, guard_byte = 0xA5, rows_of_z = 3 };

/* A struct of the program, and what lies behind it in memory. */
#define GUARDED(type)                    \
    struct {                             \
        type is;                         \
        unsigned char guard[guard_size]; \
    }
#define SET_GUARD(x) memset((x).guard, guard_byte, guard_size)
#define EXPECT_GUARD(x) expect(is_untouched((x).guard), "nothing is written behind a " #x)

static int failures = 0;

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "not so: %s (last message: %s)\n", what, perp_last_message());
    failures++;
}

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

static int is_untouched(const unsigned char* guard) {
    for (int i = 0; i < guard_size; ++i)
        if (guard[i] != guard_byte) return 0;
    return 1;
}

static int near(double x, double y) { return fabs(x - y) < 1e-9; }

/* 2 kg on the ground, pushed down with 3 N s and aside with 0.5 N s, mu = 0.5: it sticks. */
static const double answer[rows_of_z] = {3.0, -0.5, 0.0};

static perp_problem* create_problem(void) {
    const int64_t i3[3] = {0, 1, 2}, zero[1] = {0}, one[2] = {0, 1}, up[1] = {2};
    const double mass[3] = {2, 2, 2}, unit[2] = {1, 1}, f[3] = {0.5, 0, -3}, mu[1] = {0.5};
    const perp_triplets M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets N = {1, 3, 1, zero, up, unit, 0};
    const perp_triplets D = {2, 3, 2, one, one, unit, 0};
    GUARDED(perp_system_def) def;
    GUARDED(perp_rows) rows;
    perp_system* system = NULL;
    perp_problem* problem = NULL;
    SET_GUARD(def), SET_GUARD(rows);
    must(perp_system_def_init(&def.is, sizeof def.is));
    def.is.M = &M, def.is.N = &N, def.is.D = &D;
    must(perp_system_create(&def.is, &system));
    must(perp_rows_init(&rows.is, sizeof rows.is));
    rows.is.f = f, rows.is.mu = mu;
    must(perp_cone_assemble(system, &rows.is, &problem));
    EXPECT_GUARD(def);
    EXPECT_GUARD(rows);
    perp_system_destroy(system);
    return problem;
}

/* Without this the test would say nothing about structs that grew. */
static void check_sizes(void) {
    const struct_sizes today = todays_sizes();
    expect(sizeof(perp_settings) < today.settings, "the old perp_settings is shorter");
    expect(sizeof(perp_info) < today.info, "the old perp_info is shorter");
    expect(sizeof(perp_problem_info) < today.problem_info, "the old perp_problem_info is shorter");
    expect(today.settings - sizeof(perp_settings) <= guard_size &&
               today.info - sizeof(perp_info) <= guard_size &&
               today.problem_info - sizeof(perp_problem_info) <= guard_size,
           "guards are as long as what the structs grew by");
}

static void check_problem_info(const perp_problem* problem) {
    GUARDED(perp_problem_info) info;
    SET_GUARD(info);
    info.is.struct_size = sizeof info.is;
    must(perp_problem_get_info(problem, &info.is));
    expect(info.is.struct_size == (int64_t)sizeof info.is, "a result keeps its struct_size");
    expect(info.is.rows == 3 && info.is.contacts == 1 && info.is.law == PERP_LAW_CONE,
           "the problem is a cone of three rows");
    expect(info.is.free_velocity_norm > 0, "the last field of the old perp_problem_info is filled");
    EXPECT_GUARD(info);
}

static int32_t count_calls(const perp_progress* progress, void* user) {
    expect(progress->struct_size >= (int64_t)sizeof *progress && progress->best_eta >= 0 &&
               progress->seconds >= 0,
           "a callback sees all fields that the program knows");
    ++*(int*)user;
    return 0;
}

static void check_answer(const perp_problem* problem, const double* z, const double* u) {
    double v[3] = {1, 1, 1};
    GUARDED(perp_residual_info) residual;
    SET_GUARD(residual);
    residual.is.struct_size = sizeof residual.is;
    must(perp_residual(problem, z, &residual.is));
    expect(residual.is.eta <= 1e-10 && residual.is.eta_coulomb <= 1e-10, "the residual is small");
    EXPECT_GUARD(residual);
    must(perp_constraint_velocity(problem, z, NULL, v));
    for (int i = 0; i < rows_of_z; ++i)
        expect(near(z[i], answer[i]) && near(u[i], 0) && near(v[i], 0), "the body sticks");
}

/* method: 0 keeps the default, which the program may not know. */
static void check_solve(const perp_problem* problem, int64_t method) {
    GUARDED(perp_settings) settings;
    GUARDED(perp_info) info;
    double z[rows_of_z] = {0}, u[rows_of_z] = {9, 9, 9};
    int calls = 0;
    perp_solver* solver = NULL;
    SET_GUARD(settings), SET_GUARD(info);
    must(perp_settings_init(&settings.is, sizeof settings.is));
    expect(settings.is.struct_size == (int64_t)sizeof settings.is &&
               settings.is.tolerance == 1e-4 && settings.is.stagnation_window == -1,
           "defaults are filled in to the last field of the old perp_settings");
    if (method != 0) settings.is.method = method;
    settings.is.tolerance = 1e-10;
    must(perp_solver_create(problem, &settings.is, &solver));
    must(perp_solver_set_settings(solver, &settings.is));
    must(perp_solver_set(solver, "max_iterations", "5000"));
    must(perp_solver_get_settings(solver, &settings.is));
    expect(settings.is.struct_size == (int64_t)sizeof settings.is &&
               settings.is.max_iterations == 5000 && settings.is.tolerance == 1e-10,
           "settings are read back");
    EXPECT_GUARD(settings);

    must(perp_solver_set_callback(solver, count_calls, &calls));
    info.is.struct_size = sizeof info.is;
    must(perp_solve(solver, z, u, &info.is));
    expect(info.is.struct_size == (int64_t)sizeof info.is, "perp_info keeps its struct_size");
    expect(info.is.outcome == PERP_SOLVED && info.is.eta <= 1e-10 && info.is.solve_seconds >= 0,
           "perp_info tells that the problem is solved");
    expect(method == 0 || calls > 0, "the callback is called");
    EXPECT_GUARD(info);
    check_answer(problem, z, u);
    perp_solver_destroy(solver);
}

/* Sizes that no version had: refused, and nothing is written. */
static void check_refused_sizes(const perp_problem* problem) {
    const int64_t wrong[] = {0, (int64_t)sizeof(perp_info) - 4};
    double z[rows_of_z] = {7, 7, 7};
    perp_info info = {.struct_size = sizeof info};
    perp_solver* solver = NULL;
    must(perp_solver_create(problem, NULL, &solver));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        info.struct_size = wrong[k];
        expect(perp_solve(solver, z, NULL, &info) == PERP_BAD_SIZE, "a wrong size is refused");
        expect(z[0] == 7 && info.struct_size == wrong[k], "what is refused writes nothing");
    }
    perp_solver_destroy(solver);
}

/* The other way round: a program that is newer than the library. */
static void check_longer_settings(const perp_problem* problem) {
    union {
        perp_settings is;
        int64_t words[256];
    } longer;
    const size_t known = todays_sizes().settings / sizeof(int64_t);
    perp_solver* solver = NULL;
    must(perp_settings_init(&longer.is, (int64_t)((known + 2) * sizeof(int64_t))));
    must(perp_solver_create(problem, &longer.is, &solver));
    perp_solver_destroy(solver);
    solver = NULL;
    longer.words[known + 1] = 1;
    expect(perp_solver_create(problem, &longer.is, &solver) == PERP_UNSUPPORTED && solver == NULL,
           "a field that the library does not know must not be set");
}

int main(void) {
    check_sizes();
    expect(perp_version() >= 100, "the library is not older than the program");
    perp_problem* problem = create_problem();
    check_problem_info(problem);
    const int64_t methods[] = {0, PERP_PGS, PERP_APGD};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) check_solve(problem, methods[k]);
    check_refused_sizes(problem);
    check_longer_settings(problem);
    perp_problem_destroy(problem);
    return failures == 0 ? 0 : 1;
}
