/* A body slides on a floor, 30 degrees off the axes of D, until friction has stopped it: the same
 * integrator of ten lines under every friction model.
 *
 * By Coulomb's law it stops after v / (mu g) = 0.408 s and v^2 / (2 mu g) = 0.408 m, and friction
 * has taken m v^2 / 2 = 4 J. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static const double m = 2.0, mu = 0.5, g = 9.81, h = 1e-3, speed = 2.0;

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

struct run {
    double time, distance, aside, height, taken; /* s, m, m, m, J */
};

/* n = (0, 0, 1), sliding along x and y; neither matrix changes. */
static perp_system* floor_contact(void) {
    static const int64_t row[] = {0, 1, 2}, col[] = {0, 1, 2}, first[] = {0}, third[] = {2};
    static const double mass[] = {2.0, 2.0, 2.0}, one[] = {1, 1};
    const perp_triplets M = {3, 3, 3, row, col, mass, 0};
    const perp_triplets N = {1, 3, 1, first, third, one, 0}, D = {2, 3, 2, row, col, one, 0};
    perp_system_def def;
    perp_system* system = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &M, def.N = &N, def.D = &D;
    must(perp_system_create(&def, &system));
    return system;
}

static struct run slide(const perp_system* system, int64_t model) {
    perp_friction_def def;
    perp_friction* friction = NULL;
    must(perp_friction_def_init(&def, sizeof def));
    def.model = model;
    must(perp_friction_create(&def, &friction));
    perp_settings settings;
    must(perp_settings_init(&settings, sizeof settings));
    settings.method = PERP_AUTO; /* what fits the model */
    settings.tolerance = 1e-9;

    double x[3] = {0, 0, 0}, v[3] = {speed * cos(0.5236), speed * sin(0.5236), 0};
    struct run run = {0, 0, 0, 0, 0};
    for (int k = 0; k < 2000 && hypot(v[0], v[1]) > 1e-6; ++k) {
        const double f[3] = {m * v[0], m * v[1], m * v[2] - h * m * g}, b_N = x[2] / h;
        perp_rows rows;
        perp_contacts contacts;
        perp_step_info info = {.struct_size = sizeof info};
        must(perp_rows_init(&rows, sizeof rows));
        must(perp_contacts_init(&contacts, sizeof contacts));
        rows.f = f, rows.b_N = &b_N, rows.mu = &mu;
        contacts.h = h, contacts.velocity = v;
        must(perp_step(friction, system, &rows, &contacts, &settings, v, NULL, NULL, &info));
        if (info.outcome != PERP_SOLVED) printf("%s\n", perp_outcome_text(info.outcome));
        for (int i = 0; i < 3; ++i) x[i] += h * v[i]; /* with the velocity of the end */
        run.time += h, run.taken += info.dissipation;
        if (x[2] > run.height) run.height = x[2];
    }
    perp_friction_destroy(friction);
    run.distance = hypot(x[0], x[1]);
    run.aside = fabs(x[1] * cos(0.5236) - x[0] * sin(0.5236));
    return run;
}

int main(void) {
    static const struct {
        const char* name;
        int64_t model;
    } models[] = {{"coulomb", PERP_FRICTION_COULOMB},
                  {"bristle", PERP_FRICTION_BRISTLE},
                  {"cone", PERP_FRICTION_CONE},
                  {"polygon", PERP_FRICTION_POLYGON},
                  {"box", PERP_FRICTION_BOX}};
    perp_system* system = floor_contact();
    int right = 1;
    printf("model    stops after s  distance m  aside m  height mm  friction took J\n");
    for (int i = 0; i < 5; ++i) {
        const struct run run = slide(system, models[i].model);
        printf("%-7s  %13.3f  %10.4f  %7.4f  %9.2f  %15.3f\n", models[i].name, run.time,
               run.distance, run.aside, 1e3 * run.height, run.taken);
        if (i < 2) right &= fabs(run.time - 0.408) < 2e-3 && run.aside < 1e-6;
        right &= run.taken > 3.5 && run.taken < 4.1;
    }
    perp_system_destroy(system);
    return right ? 0 : 1;
}
