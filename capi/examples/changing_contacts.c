/* Warm start while contacts come and go: a plate slides over a row of supports.
 *
 * Planar: x along the row, y up, angle q[2]. Every support under the plate is a contact. Supports
 * are left behind and reached, and a collision detector finds them in an order of its own: from
 * step to step the impulses belong to other rows of N and D. Ids (perp_contacts.id) tell perp which
 * contact is which: its memory and its guess of the impulses follow the id, and not the row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

enum { most = 16, steps = 900 };

static const double g = 9.81, h = 1e-3, mu = 0.3;                  /* m/s^2, s */
static const double m = 10, half = 1.0, c = 0.05, spacing = 0.199; /* kg; m */
static const double start_speed = 2;                               /* m/s */

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

/* The supports under the plate, in an order that changes with the step: their numbers, gaps and
 * rows. Returns how many. */
static int64_t find_contacts(int64_t step, const double* q, int64_t* id, double* gap, double* N,
                             double* D) {
    const int64_t first = (int64_t)ceil((q[0] - half) / spacing);
    const int64_t count = (int64_t)floor((q[0] + half) / spacing) - first + 1;
    for (int64_t i = 0; i < count; ++i) {
        id[i] = first + (i + step) % count;
        const double arm = (double)id[i] * spacing - q[0];
        gap[i] = q[1] - c + arm * q[2];
        N[3 * i] = 0, N[3 * i + 1] = 1, N[3 * i + 2] = arm;
        D[3 * i] = 1, D[3 * i + 1] = 0, D[3 * i + 2] = c;
    }
    return count;
}

static perp_system* create_system(int64_t contacts, const double* N, const double* D) {
    static const int64_t i3[3] = {0, 1, 2};
    const double mass[3] = {m, m, m * (half * half + c * c) / 3};
    int64_t row[3 * most], col[3 * most];
    for (int64_t k = 0; k < 3 * contacts; ++k) row[k] = k / 3, col[k] = k % 3;
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets t_N = {contacts, 3, 3 * contacts, row, col, N, 0};
    const perp_triplets t_D = {contacts, 3, 3 * contacts, row, col, D, 0};
    perp_system_def def;
    perp_system* system = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N, def.D = &t_D;
    must(perp_system_create(&def, &system));
    return system;
}

enum guess { by_id, by_row, none };

struct run {
    double x, speed;                       /* m, m/s, at the end */
    int64_t iterations, remembered, known; /* contacts whose impulses were known; contacts in all */
};

static struct run slide(enum guess guess) {
    perp_friction_def def;
    perp_friction* friction = NULL;
    perp_settings settings;
    must(perp_friction_def_init(&def, sizeof def));
    def.model = PERP_FRICTION_COULOMB;
    must(perp_friction_create(&def, &friction));
    must(perp_settings_init(&settings, sizeof settings));
    settings.tolerance = 1e-8;

    double q[3] = {0.01, c, 0}, v[3] = {start_speed, 0, 0};
    struct run run = {0, 0, 0, 0, 0};
    for (int k = 0; k < steps; ++k) {
        double gap[most], N[3 * most], D[3 * most], b_N[most], friction_of[most];
        int64_t id[most];
        const int64_t contacts = find_contacts(k, q, id, gap, N, D);
        for (int64_t i = 0; i < contacts; ++i) b_N[i] = gap[i] / h, friction_of[i] = mu;
        const double f[3] = {m * v[0], m * (v[1] - h * g), m * (half * half + c * c) / 3 * v[2]};
        perp_system* system = create_system(contacts, N, D);
        perp_rows rows;
        perp_contacts who;
        perp_step_info info = {.struct_size = sizeof info};
        must(perp_rows_init(&rows, sizeof rows));
        must(perp_contacts_init(&who, sizeof who));
        rows.f = f, rows.b_N = b_N, rows.mu = friction_of;
        who.h = h, who.velocity = v;
        if (guess == by_id) who.id = id; /* else: the row's number */
        if (guess == none) must(perp_friction_set_state(friction, 0, NULL, NULL));
        must(perp_step(friction, system, &rows, &who, &settings, v, NULL, NULL, &info));
        if (info.outcome != PERP_SOLVED) {
            fprintf(stderr, "step %d: %s\n", k, perp_outcome_text(info.outcome));
            exit(1);
        }
        for (int i = 0; i < 3; ++i) q[i] += h * v[i];
        run.iterations += info.iterations;
        run.remembered += info.remembered, run.known += contacts;
        perp_system_destroy(system);
    }
    perp_friction_destroy(friction);
    run.x = q[0], run.speed = fabs(v[0]);
    return run;
}

int main(void) {
    static const char* const names[] = {"by id", "by row", "none"};
    struct run runs[3];
    int right = 1;
    printf("guess    slides m  iterations  contacts known\n");
    for (int i = 0; i < 3; ++i) {
        runs[i] = slide((enum guess)i);
        printf("%-7s  %8.4f  %10lld  %7lld of %lld\n", names[i], runs[i].x - 0.01,
               (long long)runs[i].iterations, (long long)runs[i].remembered,
               (long long)runs[i].known);
        const double way = start_speed * start_speed / (2 * mu * g); /* by Coulomb's law */
        right &= fabs(runs[i].x - 0.01 - way) < 2 * h * start_speed && runs[i].speed < 1e-8;
    }
    right &= runs[by_id].iterations < runs[none].iterations;
    return right ? 0 : 1;
}
