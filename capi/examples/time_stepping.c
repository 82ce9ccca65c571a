/* perp in an integrator of your own: a block slides over the ground and comes to rest.
 *
 * Planar: x along the ground, y up, angle q[2]. The loop is yours: positions, gaps and Jacobians.
 * perp gives the velocity at the end of the step. Two things make it right:
 *  - The normal rows carry b_N = gap / h, and positions move with the NEW velocity (q += h v+).
 *  - The impulses of one step are the guess of the next (warm start).
 * System, problem and solver are made once: each step gives them new values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

enum { steps = 600, contacts = 2, impulses = 2 * contacts };

static const double g = 9.81, h = 1e-3;                         /* m/s^2, s */
static const double m = 1.0, a = 0.1, b = 0.05, friction = 0.5; /* kg; half length and height, m */
static const double start_speed = 2.0;                          /* m/s */

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

/* Gaps and Jacobian values of the two lower corners at position q; the pattern never changes:
 * N has (0 1 x) and D has (1 0 -y) for a corner at (x, y) from the centre. */
static void corners(const double* q, double* gap, double* N, double* D) {
    for (int i = 0; i < contacts; ++i) {
        const double side = i == 0 ? a : -a;
        const double x = side * cos(q[2]) + b * sin(q[2]), y = side * sin(q[2]) - b * cos(q[2]);
        gap[i] = q[1] + y;
        N[2 * i] = 1, N[2 * i + 1] = x;
        D[2 * i] = 1, D[2 * i + 1] = -y;
    }
}

static perp_system* create_system(const double* N, const double* D) {
    const int64_t i3[3] = {0, 1, 2}, row[4] = {0, 0, 1, 1};
    const int64_t col_N[4] = {1, 2, 1, 2}, col_D[4] = {0, 2, 0, 2};
    const double mass[3] = {m, m, m * (a * a + b * b) / 3};
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets t_N = {contacts, 3, 4, row, col_N, N, 0};
    const perp_triplets t_D = {contacts, 3, 4, row, col_D, D, 0}; /* one sliding row: planar */
    perp_system_def def;
    perp_system* system = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N, def.D = &t_D;
    must(perp_system_create(&def, &system));
    return system;
}

typedef struct {
    double x, stop_time, rest_speed, lowest_gap;
    int64_t iterations;
} result;

/* The rows of a step from the velocity v. */
static void set_rows(const double* gap, const double* v, double* f, double* b_N) {
    const double inertia = m * (a * a + b * b) / 3;
    f[0] = m * v[0], f[1] = m * v[1] - h * m * g, f[2] = inertia * v[2]; /* M v + h forces */
    for (int i = 0; i < contacts; ++i) b_N[i] = gap[i] / h;
}

static perp_solver* create_solver(const perp_problem* problem, int64_t warm) {
    perp_settings settings;
    perp_solver* solver = NULL;
    must(perp_settings_init(&settings, sizeof settings));
    settings.tolerance = 1e-8;
    settings.warm_start = warm;
    must(perp_solver_create(problem, &settings, &solver));
    return solver;
}

/* One step: from the velocity v to v+, in place. Returns the number of iterations. */
static int64_t step(perp_problem* problem, perp_solver* solver, double* v, double* z) {
    perp_info info = {.struct_size = sizeof info};
    must(perp_solve(solver, z, NULL, &info));
    if (info.outcome != PERP_SOLVED) {
        fprintf(stderr, "step not solved: %s, eta %.2e\n", perp_outcome_text(info.outcome),
                info.eta);
        exit(1);
    }
    must(perp_constraint_velocity(problem, z, NULL, v));
    return info.iterations;
}

static result simulate(int64_t warm, int print) {
    /* The gap of steady sliding under the relaxed cone law, h mu v: from 0 the block would hop. */
    double q[3] = {0, b + h * friction * start_speed, 0}, v[3] = {start_speed, 0, 0};
    double gap[contacts], N[4], D[4], f[3], b_N[contacts], z[impulses] = {0};
    const double mu[contacts] = {friction, friction};
    result r = {0, 0, 0, 1, 0};
    corners(q, gap, N, D);
    perp_system* system = create_system(N, D);
    perp_problem* problem = NULL;
    perp_rows rows;
    must(perp_rows_init(&rows, sizeof rows));
    rows.f = f, rows.b_N = b_N, rows.mu = mu;
    set_rows(gap, v, f, b_N);
    must(perp_cone_assemble(system, &rows, &problem));
    perp_solver* solver = create_solver(problem, warm);
    for (int k = 0; k < steps; ++k) {
        if (print && k % 100 == 0)
            printf("%6.1f %9.4f %9.4f %9.4f\n", k * h, q[0], v[0],
                   1e3 * fabs(fmin(gap[0], gap[1])));
        r.iterations += step(problem, solver, v, z);
        for (int i = 0; i < 3; ++i) q[i] += h * v[i];
        if (v[0] > 1e-6) r.stop_time = (k + 2) * h; /* the next step's end, at the earliest */
        corners(q, gap, N, D);
        r.lowest_gap = fmin(r.lowest_gap, fmin(gap[0], gap[1]));
        must(perp_system_update(system, PERP_MATRIX_N, 4, N));
        must(perp_system_update(system, PERP_MATRIX_D, 4, D));
        set_rows(gap, v, f, b_N);
        must(perp_problem_set_rows(problem, system, &rows)); /* the solver follows */
    }
    perp_solver_destroy(solver);
    perp_problem_destroy(problem);
    perp_system_destroy(system);
    r.x = q[0];
    r.rest_speed = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    return r;
}

int main(void) {
    /* Coulomb's law: */
    const double time = start_speed / (friction * g), way = start_speed * time / 2;
    printf("  time         x     speed    gap mm\n");
    const result warm = simulate(1, 1), cold = simulate(0, 0);
    printf("rests after %.3f s and %.4f m (exact %.4f s, %.4f m)\n", warm.stop_time, warm.x, time,
           way);
    printf("iterations: %lld with warm start, %lld without\n", (long long)warm.iterations,
           (long long)cold.iterations);
    const int right = fabs(warm.stop_time - time) < 2 * h &&
                      fabs(warm.x - way) < 2 * h * start_speed && warm.rest_speed < 1e-8 &&
                      warm.lowest_gap > -1e-8 && warm.iterations < cold.iterations;
    return right ? 0 : 1;
}
