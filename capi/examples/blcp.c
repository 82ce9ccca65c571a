/* General bounded complementarity problems, without any mechanics:
 *
 *     lo <= z <= hi,  u = H z + q,  u >= 0 where z = lo,  u <= 0 where z = hi,  u = 0 between.
 *
 * Infinite bounds are IEEE infinities. Three problems: a linear complementarity problem (LCP), the
 * same with a new q, and a mixed problem with a free row; then one that has no solution. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

static perp_solver* create_solver(const perp_problem* problem, double tolerance) {
    perp_settings settings;
    perp_solver* solver = NULL;
    must(perp_settings_init(&settings, sizeof settings));
    settings.method = PERP_PGS;
    settings.tolerance = tolerance;
    must(perp_solver_create(problem, &settings, &solver));
    return solver;
}

/* Solves a problem of three rows, prints it and compares z with what is right. */
static int solve3(perp_solver* solver, const char* name, double z1, double z2, double z3) {
    const double right[3] = {z1, z2, z3};
    double z[3] = {0}, u[3];
    perp_info info = {.struct_size = sizeof info};
    must(perp_solve(solver, z, u, &info));
    printf("%-9s %s\n", name, perp_outcome_text(info.outcome));
    for (int i = 0; i < 3; ++i)
        printf("  z[%d] = %8.5f   u[%d] = %8.5f\n", i, fabs(z[i]), i, fabs(u[i]) < 1e-9 ? 0 : u[i]);
    for (int i = 0; i < 3; ++i)
        if (!(fabs(z[i] - right[i]) < 1e-9)) return 0;
    return info.outcome == PERP_SOLVED;
}

int main(void) {
    const int64_t row[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, col[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    int right = 1;

    /* An LCP (z >= 0) on which pivoting by whole blocks cycles. */
    const double H[9] = {22, -5, 18, -5, 6, -11, 18, -11, 25};
    const double q[3] = {-1, 3, -5}, q2[3] = {-2, 6, -10}, zero[3] = {0, 0, 0};
    const perp_triplets t_H = {3, 3, 9, row, col, H, 0};
    perp_problem* lcp = NULL;
    must(perp_blcp_create(&t_H, q, zero, NULL, &lcp)); /* NULL: no upper bounds */
    perp_solver* solver = create_solver(lcp, 1e-12);
    right &= solve3(solver, "LCP", 0, 0, 0.2);
    /* NULL keeps lo and hi; the solver sees the change. */
    must(perp_problem_set_vectors(lcp, q2, NULL, NULL));
    right &= solve3(solver, "2 q", 0, 0, 0.4);
    perp_solver_destroy(solver);
    perp_problem_destroy(lcp);

    /* A mixed problem: the first row is an equation, the last has two bounds. */
    const double G[9] = {4, 1, 0, 1, 3, -1, 0, -1, 2};
    const double p[3] = {-1, 2, -6}, lo[3] = {-INFINITY, 0, -1}, hi[3] = {INFINITY, INFINITY, 1};
    const perp_triplets t_G = {3, 3, 9, row, col, G, 0};
    perp_problem* mixed = NULL;
    must(perp_blcp_create(&t_G, p, lo, hi, &mixed));
    solver = create_solver(mixed, 1e-12);
    right &= solve3(solver, "mixed", 0.25, 0, 1);
    perp_solver_destroy(solver);
    perp_problem_destroy(mixed);

    /* z >= 0, u = 0 z - 1 >= 0 cannot be. The call works; the outcome says so, with a proof. */
    const double minus_one = -1, bound = 0;
    const perp_triplets t_0 = {1, 1, 0, NULL, NULL, NULL, 0}; /* an empty 1 x 1 matrix */
    perp_problem* impossible = NULL;
    must(perp_blcp_create(&t_0, &minus_one, &bound, NULL, &impossible));
    solver = create_solver(impossible, 1e-12);
    double z = 0, d = 0;
    perp_info info = {.struct_size = sizeof info};
    must(perp_solve(solver, &z, NULL, &info));
    printf("H = 0, q = -1: %s", perp_outcome_text(info.outcome));
    right &= info.outcome == PERP_NO_SOLUTION;
    if (info.outcome == PERP_NO_SOLUTION) {
        must(perp_certificate(solver, &d));
        printf("; along d = %g, d . u = d . q = %g < 0 whatever z is", d, d * minus_one);
        right &= d > 0;
    }
    printf("\n");
    perp_solver_destroy(solver);
    perp_problem_destroy(impossible);
    return right ? 0 : 1;
}
