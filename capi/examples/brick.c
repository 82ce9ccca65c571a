/* A brick of 2 kg on a slope of 30 degrees, friction 0.2: one step of 10 ms from rest. */
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static void must(int32_t status) { /* every call tells whether it worked */
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

int main(void) {
    const double x[4] = {0.1, 0.1, -0.1, -0.1}, y[4] = {0.05, -0.05, 0.05, -0.05}, z = -0.03;
    const double f[6] = {0.0981, 0, -0.16991, 0, 0, 0}; /* M v + h forces, v = 0: h m g sin, cos */
    const double mu[4] = {0.2, 0.2, 0.2, 0.2};
    double M[36] = {0}, N[24] = {0}, D[48] = {0}, impulses[12] = {0}, v[6];
    int64_t row[48], col[48];
    for (int k = 0; k < 48; ++k) row[k] = k / 6, col[k] = k % 6; /* dense: zeros may be given */
    for (int i = 0; i < 6; ++i) M[7 * i] = i < 3 ? 2.0 : 0.01;   /* kg, kg m^2 */
    for (int i = 0; i < 4; ++i) {                                /* velocities of the corners: */
        N[6 * i + 2] = 1, N[6 * i + 3] = y[i], N[6 * i + 4] = -x[i];  /* away from the slope */
        D[12 * i] = 1, D[12 * i + 4] = z, D[12 * i + 5] = -y[i];      /* down */
        D[12 * i + 7] = 1, D[12 * i + 9] = -z, D[12 * i + 11] = x[i]; /* across */
    }
    const perp_triplets t_M = {6, 6, 36, row, col, M, 0}; /* rows, cols, count, ..., index base */
    const perp_triplets t_N = {4, 6, 24, row, col, N, 0}, t_D = {8, 6, 48, row, col, D, 0};
    perp_system_def def;
    perp_rows rows;
    perp_info info = {.struct_size = sizeof info};
    perp_system* system = NULL;
    perp_problem* problem = NULL;
    perp_solver* solver = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N, def.D = &t_D;
    must(perp_system_create(&def, &system));
    must(perp_rows_init(&rows, sizeof rows));
    rows.f = f, rows.mu = mu;
    must(perp_cone_assemble(system, &rows, &problem));
    must(perp_solver_create(problem, NULL, &solver));
    must(perp_solver_set(solver, "tolerance", "1e-10"));
    must(perp_solve(solver, impulses, NULL, &info));
    must(perp_constraint_velocity(problem, impulses, NULL, v));
    printf("%s: %.5f m/s down, %.5f m/s away\n", perp_outcome_text(info.outcome), v[0], v[2]);
    perp_solver_destroy(solver);
    perp_problem_destroy(problem);
    perp_system_destroy(system);
    return info.outcome == PERP_SOLVED ? 0 : 1;
}
