/* What friction models do that Coulomb's law does not, in numbers: a point mass on a floor that is
 * lifted, pulled aside, and let creep. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "perp/perp.h"

static const double g = 9.81, pi = 3.14159265358979324, mu = 0.5;

static void must(int32_t status) {
    if (status == PERP_OK) return;
    fprintf(stderr, "perp: %s\n", perp_last_message());
    exit(1);
}

/* Position and velocity along the floor (0, 1) and away from it (2), impulses (normal, sliding). */
struct point {
    double x[3], v[3], z[3];
};

/* m (kg) on a floor: N = (0 0 1), D = (1 0 0; 0 1 0). */
static perp_system* create_system(double m) {
    static const int64_t i3[] = {0, 1, 2}, i2[] = {0, 1}, first[] = {0}, third[] = {2};
    static const double one[] = {1, 1};
    const double mass[] = {m, m, m};
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets t_N = {1, 3, 1, first, third, one, 0}, t_D = {2, 3, 2, i2, i2, one, 0};
    perp_system_def def;
    perp_system* system = NULL;
    must(perp_system_def_init(&def, sizeof def));
    def.M = &t_M, def.N = &t_N, def.D = &t_D;
    must(perp_system_create(&def, &system));
    return system;
}

static perp_friction* create_friction(int64_t model, int64_t facets, int64_t axes, double k_T) {
    perp_friction_def def;
    perp_friction* friction = NULL;
    must(perp_friction_def_init(&def, sizeof def));
    def.model = model, def.facets = facets, def.axes = axes, def.stiffness = k_T;
    must(perp_friction_create(&def, &friction));
    return friction;
}

static void step(perp_friction* friction, const perp_system* system, double h, double m,
                 const double* force, double coefficient, double compliance, struct point* p) {
    const double b_N = p->x[2] / h, compliance_T[2] = {compliance, compliance};
    double f[3];
    for (int i = 0; i < 3; ++i) f[i] = m * p->v[i] + h * force[i];
    perp_rows rows;
    perp_contacts contacts;
    perp_settings settings;
    perp_step_info info = {.struct_size = sizeof info};
    must(perp_rows_init(&rows, sizeof rows));
    must(perp_contacts_init(&contacts, sizeof contacts));
    must(perp_settings_init(&settings, sizeof settings));
    rows.f = f, rows.b_N = &b_N, rows.mu = &coefficient, rows.compliance_T = compliance_T;
    contacts.h = h, contacts.velocity = p->v;
    settings.tolerance = 1e-10;
    must(perp_step(friction, system, &rows, &contacts, &settings, p->v, p->z, NULL, &info));
    if (info.outcome != PERP_SOLVED) {
        fprintf(stderr, "not solved: %s\n", perp_outcome_text(info.outcome));
        exit(1);
    }
    for (int i = 0; i < 3; ++i) p->x[i] += h * p->v[i];
}

/* A mass of 1 kg that slides at 6 m/s from the given gap, until it rests. Returns how high it is
 * lifted, m. */
static double lift(int64_t model, double h, double gap, const char* text) {
    const double weight[3] = {0, 0, -g};
    struct point p = {{0, 0, gap}, {6, 0, 0}, {0, 0, 0}};
    perp_system* system = create_system(1);
    perp_friction* friction = create_friction(model, 4, PERP_AXES_GIVEN, 0);
    double highest = 0, first_z = 0, first_v = 0;
    for (int64_t k = 0; fabs(p.v[0]) > 1e-9; ++k) {
        step(friction, system, h, 1, weight, mu, 0, &p);
        if (k == 0) first_z = p.z[0], first_v = p.v[2];
        highest = fmax(highest, p.x[2]);
    }
    printf("%-8s %6.1f %10s %13.4f %10.3f %12.4f %10.3f\n", text, 1e3 * h,
           gap > 0 ? "h mu 6 m/s" : "0", first_z, first_v + 0.0, highest, p.x[0]);
    perp_friction_destroy(friction);
    perp_system_destroy(system);
    return highest;
}

/* Friction on a mass that slides at 1 m/s, at angles to the first axis of D: its size over mu z_N,
 * and how far it is off the direction against the motion, degrees. Largest of both, over angles. */
static void direction(int64_t model, int64_t facets, int64_t axes, const char* text, double* size,
                      double* off) {
    const double h = 1e-3, weight[3] = {0, 0, -g};
    perp_system* system = create_system(1);
    printf("%-24s", text);
    *size = *off = 0;
    for (int k = 0; k < 4; ++k) {
        const double angle = 15 * k * pi / 180;
        struct point p = {{0, 0, h * mu}, {cos(angle), sin(angle), 0}, {0, 0, 0}};
        perp_friction* friction = create_friction(model, facets, axes, 0);
        /* From steady sliding: the cone law's gap, which the others do not need, is there. */
        for (int i = 0; i < 20; ++i) step(friction, system, h, 1, weight, mu, 0, &p);
        const double turn = atan2(-p.z[2], -p.z[1]) - angle;
        const double ratio = hypot(p.z[1], p.z[2]) / (mu * p.z[0]);
        printf("   %.3f %6.1f", ratio, fabs(turn) * 180 / pi);
        *size = fmax(*size, fabs(ratio - 1)), *off = fmax(*off, fabs(turn) * 180 / pi);
        perp_friction_destroy(friction);
    }
    printf("\n");
    perp_system_destroy(system);
}

/* 2 kg on a slope of 10 degrees, friction 0.6: it should stick. How far it is after 1 and 20 s, m.
 */
static double creep(int64_t model, double k_T, double compliance, const char* text) {
    const double h = 1e-3, slope = 10 * pi / 180;
    const double weight[3] = {2 * g * sin(slope), 0, -2 * g * cos(slope)};
    struct point p = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    perp_system* system = create_system(2);
    perp_friction* friction = create_friction(model, 4, PERP_AXES_GIVEN, k_T);
    double early = 0;
    for (int k = 0; k < 20000; ++k) {
        step(friction, system, h, 2, weight, 0.6, compliance, &p);
        if (k == 999) early = p.x[0];
    }
    printf("%-33s %11.3e %11.3e\n", text, fabs(early) < 1e-12 ? 0 : early,
           fabs(p.x[0]) < 1e-12 ? 0 : p.x[0]);
    perp_friction_destroy(friction);
    perp_system_destroy(system);
    return p.x[0];
}

int main(void) {
    int right = 1;
    printf("lift-off    h ms        gap  first z_N N s  up m/s   highest m    stops m\n");
    right &= fabs(lift(PERP_FRICTION_CONE, 1e-2, 0, "cone") - 0.3008) < 1e-3;
    right &= fabs(lift(PERP_FRICTION_CONE, 1e-3, 0, "cone") - 0.2943) < 1e-3;
    right &= fabs(lift(PERP_FRICTION_CONE, 1e-4, 0, "cone") - 0.2936) < 1e-3;
    right &= lift(PERP_FRICTION_CONE, 1e-3, 1e-3 * mu * 6, "cone") < 0.0031;
    right &= lift(PERP_FRICTION_COULOMB, 1e-3, 0, "coulomb") < 1e-9;

    double size, off;
    printf(
        "\nsize and turn of friction       0 deg          15 deg          30 deg          45 "
        "deg\n");
    direction(PERP_FRICTION_CONE, 4, PERP_AXES_GIVEN, "cone, coulomb", &size, &off);
    right &= size < 1e-6 && off < 1e-6;
    direction(PERP_FRICTION_BRISTLE, 4, PERP_AXES_GIVEN, "bristle", &size, &off);
    right &= size < 1e-6 && off < 1e-6;
    direction(PERP_FRICTION_BOX, 4, PERP_AXES_SLIDING, "box, axes along sliding", &size, &off);
    right &= size < 1e-6 && off < 1e-6;
    direction(PERP_FRICTION_BOX, 4, PERP_AXES_GIVEN, "box", &size, &off);
    right &= fabs(size - (sqrt(2) - 1)) < 1e-6 && off > 28 && off < 32;
    direction(PERP_FRICTION_POLYGON, 4, PERP_AXES_GIVEN, "polygon, 4 facets", &size, &off);
    right &= off > 28;
    direction(PERP_FRICTION_POLYGON, 16, PERP_AXES_GIVEN, "polygon, 16 facets", &size, &off);
    right &= off < 12;

    printf("\non a slope where it sticks: m after      1 s        20 s\n");
    right &= fabs(creep(PERP_FRICTION_CONE, 0, 0, "cone, coulomb")) < 1e-9;
    right &= fabs(creep(PERP_FRICTION_BRISTLE, 1e5, 0, "bristle, 1e5 N/m") - 3.407e-5) < 1e-8;
    right &=
        creep(PERP_FRICTION_CONE, 0, 1 / (1e-6 * 1e5), "cone, compliance_T 1 / (h^2 1e5)") > 0.6;
    return right ? 0 : 1;
}
