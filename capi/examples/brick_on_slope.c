/* A brick with four contacts on a slope: one time step from rest, sticking and sliding.
 *
 * Axes: x down the slope, y across it, z away from it. The brick's velocity v is that of its centre
 * (0..2) and its angular velocity (3..5). A corner at r from the centre moves at v + w x r: the z
 * component is a row of N, the x and y components are two rows of D. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static const double pi = 3.14159265358979324, g = 9.81, h = 0.01; /* m/s^2, s */
static const double m = 2.0, a = 0.1, b = 0.05, c = 0.03;         /* kg; half the edges, m */

static void must(int32_t status) { /* every call tells whether it worked */
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

/* The velocity v (6) at the end of a step that starts at rest with a gap (m) under all corners. */
static void step(double slope, double friction, double gap, double* v) {
    const double x[4] = {a, a, -a, -a}, y[4] = {b, -b, b, -b}, z = -c; /* corners */
    const double inertia[3] = {b * b + c * c, a * a + c * c, a * a + b * b};
    const double mu[4] = {friction, friction, friction, friction};
    const double b_N[4] = {gap / h, gap / h, gap / h, gap / h};
    const double down = m * g * sin(slope), away = -m * g * cos(slope); /* forces, N */
    const double f[6] = {h * down, 0, h * away, 0, 0, 0};               /* M v + h forces; v = 0 */
    double M[36] = {0}, N[24] = {0}, D[48] = {0}; /* 6 columns; zeros may be given or left out */
    int64_t row[48], col[48];
    for (int k = 0; k < 48; ++k) row[k] = k / 6, col[k] = k % 6;
    for (int i = 0; i < 3; ++i) M[7 * i] = m, M[7 * (3 + i)] = m * inertia[i] / 3;
    for (int i = 0; i < 4; ++i) {
        double *n = N + 6 * i, *t1 = D + 12 * i, *t2 = t1 + 6;
        n[2] = 1, n[3] = y[i], n[4] = -x[i];
        t1[0] = 1, t1[4] = z, t1[5] = -y[i];
        t2[1] = 1, t2[3] = -z, t2[5] = x[i];
    }
    const perp_triplets t_M = {6, 6, 36, row, col, M, 0}; /* rows, cols, count, ..., index base */
    const perp_triplets t_N = {4, 6, 24, row, col, N, 0}, t_D = {8, 6, 48, row, col, D, 0};

    perp_system_def def;
    perp_system* system = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N, def.D = &t_D;
    must(perp_system_create(&def, &system));

    perp_rows rows;
    perp_problem* problem = NULL;
    must(perp_rows_init(&rows, sizeof rows));
    rows.f = f, rows.b_N = b_N, rows.mu = mu;
    must(perp_cone_assemble(system, &rows, &problem));

    perp_settings settings;
    perp_solver* solver = NULL;
    must(perp_settings_init(&settings, sizeof settings));
    settings.tolerance = 1e-10;
    must(perp_solver_create(problem, &settings, &solver));

    double impulses[12] = {0}; /* 4 normal, then 4 x 2 of friction, N s */
    perp_info info = {.struct_size = sizeof info};
    must(perp_solve(solver, impulses, NULL, &info));
    must(perp_constraint_velocity(problem, impulses, NULL, v));
    printf("slope %2.0f, mu %.1f, gap %.4f mm: %s; %.5f m/s down, %.5f m/s away\n",
           slope * 180 / pi, friction, 1e3 * gap, perp_outcome_text(info.outcome), fabs(v[0]),
           fabs(v[2]));

    perp_solver_destroy(solver);
    perp_problem_destroy(problem);
    perp_system_destroy(system);
    if (info.outcome != PERP_SOLVED) exit(1);
}

static int is(const double* v, double down, double away) {
    const double right[6] = {down, 0, away, 0, 0, 0};
    for (int i = 0; i < 6; ++i)
        if (!(fabs(v[i] - right[i]) < 1e-9)) return 0;
    return 1;
}

int main(void) {
    const double mu = 0.2, slope = 30 * pi / 180;
    const double coulomb = h * g * (sin(slope) - mu * cos(slope)); /* speed by Coulomb's law */
    double v[6];
    int right = 1;
    step(20 * pi / 180, 0.6, 0, v); /* tan 20 = 0.36 < 0.6: sticks */
    right &= is(v, 0, 0);
    step(slope, mu, 0, v); /* tan 30 = 0.58 > 0.2: slides, and the cone law lifts it */
    right &= is(v, coulomb / (1 + mu * mu), mu * coulomb / (1 + mu * mu));
    step(slope, mu, h * mu * coulomb, v); /* from the gap of steady sliding: Coulomb's speed */
    right &= is(v, coulomb, 0);
    return right ? 0 : 1;
}
