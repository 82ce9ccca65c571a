/* What overhead.m does through the MEX file, in C: the same problem from a file of numbers, solved
 * several times. Prints the seconds of the fastest time (system, problem, solver, solve,
 * velocities, release) and of its solve alone, and writes z and v.
 *
 *   overhead IN OUT REPEATS TOLERANCE
 *
 * IN: M, N, D, each as rows, cols, count (int64), rows and columns (int64, 0-based), values; then f
 * and mu (double). OUT: z and v (double). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "perp/perp.h"

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

static void* read_array(FILE* file, int64_t count) {
    void* const array = malloc(8 * (size_t)(count > 0 ? count : 1));
    if (array == NULL || fread(array, 8, (size_t)count, file) != (size_t)count) {
        fprintf(stderr, "overhead: the file of numbers is too short\n");
        exit(1);
    }
    return array;
}

static perp_triplets read_triplets(FILE* file) {
    int64_t* const size = read_array(file, 3);
    perp_triplets t = {size[0], size[1], size[2], NULL, NULL, NULL, 0};
    t.row = read_array(file, t.count);
    t.col = read_array(file, t.count);
    t.value = read_array(file, t.count);
    free(size);
    return t;
}

static void free_triplets(perp_triplets t) {
    free((void*)t.row);
    free((void*)t.col);
    free((void*)t.value);
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
    FILE* file = argc == 5 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: overhead IN OUT REPEATS TOLERANCE\n");
        return 2;
    }
    const perp_triplets M = read_triplets(file), N = read_triplets(file), D = read_triplets(file);
    double* const f = read_array(file, M.rows);
    double* const mu = read_array(file, N.rows);
    fclose(file);

    const int64_t rows = N.rows + D.rows;
    double* const z = malloc(8 * (size_t)rows);
    double* const u = malloc(8 * (size_t)rows);
    double* const v = malloc(8 * (size_t)M.rows);
    if (z == NULL || u == NULL || v == NULL) return 1;
    double fastest = 1e300, solve = 0.0;
    perp_info info = {.struct_size = sizeof info};
    for (int k = 0; k < atoi(argv[3]); ++k) {
        const double begin = now();
        perp_system_def def;
        perp_system* system = NULL;
        must(perp_system_def_init(&def, sizeof def));
        def.M = &M, def.N = &N, def.D = &D;
        must(perp_system_create(&def, &system));
        perp_rows given;
        perp_problem* problem = NULL;
        must(perp_rows_init(&given, sizeof given));
        given.f = f, given.mu = mu;
        must(perp_cone_assemble(system, &given, &problem));
        perp_settings settings;
        perp_solver* solver = NULL;
        must(perp_settings_init(&settings, sizeof settings));
        must(perp_solver_create(problem, &settings, &solver));
        must(perp_solver_set(solver, "tolerance", argv[4]));
        for (int64_t i = 0; i < rows; ++i) z[i] = 0.0;
        must(perp_solve(solver, z, u, &info));
        must(perp_constraint_velocity(problem, z, NULL, v));
        perp_solver_destroy(solver);
        perp_problem_destroy(problem);
        perp_system_destroy(system);
        const double seconds = now() - begin;
        if (seconds < fastest) {
            fastest = seconds;
            solve = info.setup_seconds + info.solve_seconds;
        }
    }
    printf("%.9f %.9f %lld\n", fastest, solve, (long long)info.iterations);

    file = fopen(argv[2], "wb");
    if (file == NULL) return 1;
    const size_t written = fwrite(z, 8, (size_t)rows, file) + fwrite(v, 8, (size_t)M.rows, file);
    const int closed = fclose(file);
    free_triplets(M);
    free_triplets(N);
    free_triplets(D);
    free(f);
    free(mu);
    free(z);
    free(u);
    free(v);
    return written == (size_t)(rows + M.rows) && closed == 0 ? 0 : 1;
}
