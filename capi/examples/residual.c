/* Is my answer right? perp_residual judges any z, wherever it comes from, and a failing call says
 * what is wrong with it.
 *
 * A block of 2 kg rests on four contacts in a line (planar, no friction). Any impulses that carry
 * its weight without a moment are right: the impulses are not unique, the velocity is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static const double weight = 2 * 9.81 * 1e-3; /* impulse of one step of 1 ms, N s */
static int right = 1;

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

static void expect(int is_so, const char* what) {
    if (!is_so) fprintf(stderr, "wrong: %s\n", what);
    right = right && is_so;
}

static double judge(const perp_problem* problem, const char* name, const double* z) {
    perp_residual_info r = {.struct_size = sizeof r};
    must(perp_residual(problem, z, &r));
    printf("%-15s", name);
    if (r.eta < 1e-14)
        printf("eta below 1e-14: right\n"); /* what remains is rounding */
    else
        printf("eta %.2e, worst row %lld, penetration %.2e m/s, cone violation %.2e N s\n", r.eta,
               (long long)r.worst_row, r.penetration_velocity, r.cone_violation);
    return r.eta;
}

/* The best that a solver found in one sweep: its own eta is that of the same function. */
static void judge_unfinished(const perp_problem* problem) {
    double z[4] = {0};
    perp_settings settings;
    perp_solver* solver = NULL;
    perp_info info = {.struct_size = sizeof info};
    must(perp_settings_init(&settings, sizeof settings));
    settings.method = PERP_PGS;
    settings.max_iterations = 1;
    must(perp_solver_create(problem, &settings, &solver));
    must(perp_solve(solver, z, NULL, &info));
    const double eta = judge(problem, "one sweep", z);
    printf("%-15s%s, eta %.2e\n", "  its outcome", perp_outcome_text(info.outcome), info.eta);
    expect(info.outcome == PERP_ITERATION_LIMIT && fabs(info.eta - eta) <= 1e-12 * eta,
           "one sweep");
    perp_solver_destroy(solver);
}

/* A call that must fail, and does so with a reason. */
static void refused(int32_t status, int32_t expected) {
    printf("%-38s %s\n", perp_status_text(status), perp_last_message());
    expect(status == expected, "status of a refused call");
}

/* Impulses in shares of the weight, and the limits of their eta. */
static const struct {
    const char* name;
    double share[4], least, most;
} answers[] = {{"a quarter each", {0.25, 0.25, 0.25, 0.25}, 0, 1e-14},
               {"the outer two", {0.5, 0, 0, 0.5}, 0, 1e-14},
               {"the inner two", {0, 0.5, 0.5, 0}, 0, 1e-14},
               {"1 % too little", {0.2475, 0.2475, 0.2475, 0.2475}, 0.00999999, 0.01000001},
               {"lopsided", {0.1, 0.2, 0.3, 0.4}, 0.2, 0.3},
               {"pulling", {0.6, -0.1, -0.1, 0.6}, 0.05, 0.15},
               {"nothing", {0, 0, 0, 0}, 0.99999999, 1.00000001}};

int main(void) {
    const int64_t i3[3] = {0, 1, 2}, col[8] = {1, 2, 1, 2, 1, 2, 1, 2};
    const int64_t row[8] = {0, 0, 1, 1, 2, 2, 3, 3}, from_one[8] = {1, 1, 2, 2, 3, 3, 4, 4};
    const double mass[3] = {2, 2, 0.5}, N[8] = {1, -0.5, 1, -0.2, 1, 0.2, 1, 0.5};
    const double f[3] = {0, -weight, 0}, bad_b[4] = {0, 0, NAN, 0};
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0}, t_N = {4, 3, 8, row, col, N, 0};
    const perp_triplets t_wrong = {4, 3, 8, from_one, col, N, 0}; /* 1-based rows, but base 0 */
    perp_system_def def;
    perp_system *system = NULL, *none = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N; /* no D: frictionless */
    must(perp_system_create(&def, &system));
    perp_rows rows;
    perp_problem *problem = NULL, *no_problem = NULL;
    must(perp_rows_init(&rows, sizeof rows));
    rows.f = f;
    must(perp_cone_assemble(system, &rows, &problem));

    for (size_t k = 0; k < sizeof answers / sizeof answers[0]; ++k) {
        double z[4];
        for (int i = 0; i < 4; ++i) z[i] = answers[k].share[i] * weight;
        const double eta = judge(problem, answers[k].name, z);
        expect(eta >= answers[k].least && eta <= answers[k].most, answers[k].name);
    }
    judge_unfinished(problem);

    /* Refused input. Nothing is created, nothing to clean up. */
    def.N = &t_wrong;
    refused(perp_system_create(&def, &none), PERP_BAD_INDEX);
    rows.b_N = bad_b;
    refused(perp_cone_assemble(system, &rows, &no_problem), PERP_BAD_VALUE);
    refused(perp_cone_assemble(NULL, &rows, &no_problem), PERP_NULL_ARGUMENT);
    expect(none == NULL && no_problem == NULL, "outputs of refused calls");

    perp_problem_destroy(problem);
    perp_system_destroy(system);
    return right ? 0 : 1;
}
