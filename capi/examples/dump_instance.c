/* Write a problem to a file, read it back, solve it, add the solution to the file.
 *
 *     dump_instance [FILE]        default: brick.h5; stays for `perp info`, `perp solve`, `perp
 * check`
 *
 * perp_problem_write on the problem that gave you trouble is all that a bug report needs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

/* A planar brick of 2 kg that slides along the ground at 1 m/s, two contacts, friction 0.5, a step
 * of 1 ms, with the gap of steady sliding. Rows of z: normal 0, normal 1, sliding 0, sliding 1. */
static const double h = 1e-3, g = 9.81, friction = 0.5, start_speed = 1;
static const double end_speed = 1 - 0.5 * 9.81e-3; /* m/s, by Coulomb's law: less by friction g h */

static perp_problem* create_problem(void) {
    const int64_t i3[3] = {0, 1, 2}, row[4] = {0, 0, 1, 1};
    const int64_t col_N[4] = {1, 2, 1, 2}, col_D[4] = {0, 2, 0, 2};
    const double mass[3] = {2, 2, 0.01}, N[4] = {1, 0.1, 1, -0.1}, D[4] = {1, 0.05, 1, 0.05};
    const double f[3] = {2 * start_speed, -2 * g * h, 0}, mu[2] = {friction, friction};
    const double b_N[2] = {friction * end_speed, friction * end_speed}; /* gap / h, m/s */
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets t_N = {2, 3, 4, row, col_N, N, 0}, t_D = {2, 3, 4, row, col_D, D, 0};
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
    perp_system_destroy(system); /* the problem lives on */
    return problem;
}

static void solve(const perp_problem* problem, double* z, double* v, perp_info* info) {
    perp_settings settings;
    perp_solver* solver = NULL;
    must(perp_settings_init(&settings, sizeof settings));
    settings.tolerance = 1e-10;
    must(perp_solver_create(problem, &settings, &solver));
    info->struct_size = sizeof *info;
    must(perp_solve(solver, z, NULL, info));
    must(perp_constraint_velocity(problem, z, NULL, v));
    perp_solver_destroy(solver);
}

int main(int argc, char** argv) {
    const char* path = argc > 1 ? argv[1] : "brick.h5";
    perp_problem *problem = create_problem(), *read = NULL;
    must(perp_problem_write(problem, path, PERP_LAYOUT_AUTO, "sliding brick",
                            "capi/examples/dump_instance.c"));
    must(perp_problem_read(path, PERP_LAW_AUTO, &read));

    perp_problem_info size = {.struct_size = sizeof size};
    must(perp_problem_get_info(read, &size));
    printf("%s: %lld velocities, %lld contacts, %lld rows\n", path, (long long)size.velocities,
           (long long)size.contacts, (long long)size.rows);

    double z[4] = {0}, z_memory[4] = {0}, z_stored[4] = {0}, v[3], v_memory[3];
    perp_info info, info_memory;
    if (size.rows != 4) return 1; /* the arrays above */
    solve(problem, z_memory, v_memory, &info_memory);
    solve(read, z, v, &info);
    must(perp_solution_write(read, path, z, "apgd"));
    must(perp_solution_read(read, path, z_stored));
    printf("%s; velocity %.6f m/s along, %.6f m/s up\n", perp_outcome_text(info.outcome), v[0],
           fabs(v[1]));

    int right = info.outcome == PERP_SOLVED && fabs(v[0] - end_speed) < 1e-9;
    for (int i = 0; i < 4; ++i) /* all the same, to the bit */
        right = right && z[i] == z_memory[i] && z[i] == z_stored[i];
    perp_problem_destroy(read);
    perp_problem_destroy(problem);
    return right ? 0 : 1;
}
