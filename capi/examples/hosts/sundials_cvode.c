/* perp beside an integrator of others: a bar falls, bounces, slides on the ground and rests.
 *
 * Planar: position (x, y) of the centre and angle, then their velocities. CVODE integrates flights
 * and finds when an end touches the ground, the roots of the gaps. There perp takes over:
 *  - An impact is a problem without forces, over no time: f = M v, b_N = e N v.
 *  - Impacts that get smaller and smaller would never end. After a small one perp steps to rest,
 *    with b_N = gap / h, but e N v for an end that arrives fast.
 * Friction is Coulomb's, exactly: the relaxed cone law would throw up what slides. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "perp/perp.h"

enum { ends = 2, states = 6, most_impacts = 100 };
static const double g = 9.81, m = 1, a = 0.5, inertia = 1.0 / 12; /* kg; half length, m; kg m^2 */
static const double mu = 0.2, e = 0.5, h = 1e-3;                  /* friction, restitution; s */
static const double slow = 0.02, touching = 1e-9;                 /* m/s, m */

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}
static void must(int32_t status) { expect(status == PERP_OK, perp_last_message()); }
static void must_sundials(int flag) { expect(flag >= 0, "the call to SUNDIALS works"); }

/* An end of the bar, from its centre. */
static double end_x(const double* s, int end) { return (end == 0 ? a : -a) * cos(s[2]); }
static double end_y(const double* s, int end) { return (end == 0 ? a : -a) * sin(s[2]); }
static double gap(const double* s, int end) { return s[1] + end_y(s, end); }
static double rising(const double* s, int end) { return s[4] + end_x(s, end) * s[5]; }
static double sliding(const double* s, int end) { return s[3] - end_y(s, end) * s[5]; }
static double energy(const double* s) {
    return m * (s[3] * s[3] + s[4] * s[4]) / 2 + inertia * s[5] * s[5] / 2 + m * g * s[1];
}

static int flight(double t, N_Vector state, N_Vector rate, void* user) {
    const double* s = N_VGetArrayPointer(state);
    double* r = N_VGetArrayPointer(rate);
    (void)t, (void)user;
    for (int i = 0; i < 3; ++i) r[i] = s[3 + i], r[3 + i] = i == 1 ? -g : 0;
    return 0;
}

static int gaps(double t, N_Vector state, double* values, void* user) {
    (void)t, (void)user;
    for (int i = 0; i < ends; ++i) values[i] = gap(N_VGetArrayPointer(state), i);
    return 0;
}

/* Gives s the velocities after `time` (0: an impact) with `count` ends in contact. Impulses z:
 * first the normal ones, then friction. Positions stay. */
static void solve(double* s, int count, const int* end, const double* b_N, double time, double* z) {
    const int64_t i3[3] = {0, 1, 2}, row[4] = {0, 0, 1, 1};
    const int64_t col_N[4] = {1, 2, 1, 2}, col_D[4] = {0, 2, 0, 2};
    const double mass[3] = {m, m, inertia}, friction[ends] = {mu, mu};
    const double f[3] = {m * s[3], m * s[4] - time * m * g, inertia * s[5]};
    double N[4] = {1, 0, 1, 0}, D[4] = {1, 0, 1, 0}; /* rows (0 1 x), (1 0 -y) */
    for (int k = 0; k < count; ++k)
        N[2 * k + 1] = end_x(s, end[k]), D[2 * k + 1] = -end_y(s, end[k]);
    const perp_triplets t_M = {3, 3, 3, i3, i3, mass, 0};
    const perp_triplets t_N = {count, 3, 2 * count, row, col_N, N, 0};
    const perp_triplets t_D = {count, 3, 2 * count, row, col_D, D, 0};
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
    rows.f = f, rows.b_N = b_N, rows.mu = friction;
    must(perp_cone_assemble(system, &rows, &problem));
    must(perp_problem_set_law(problem, PERP_LAW_COULOMB));
    must(perp_solver_create(problem, NULL, &solver));
    must(perp_solver_set(solver, "tolerance", "1e-11"));
    must(perp_solve(solver, z, NULL, &info));
    expect(info.outcome == PERP_SOLVED, "perp solves the contacts");
    must(perp_constraint_velocity(problem, z, NULL, s + 3));
    perp_solver_destroy(solver);
    perp_problem_destroy(problem);
    perp_system_destroy(system);
}

/* An impact of what touches the ground. Then the law is looked at without perp. */
static void impact(double* s) {
    const double tiny = 1e-8;
    int count = 0, end[ends];
    double b_N[ends], z[2 * ends] = {0};
    for (int i = 0; i < ends; ++i)
        if (gap(s, i) < touching) b_N[count] = e * fmin(rising(s, i), 0), end[count++] = i;
    solve(s, count, end, b_N, 0, z);
    for (int k = 0; k < count; ++k) {
        const double u = sliding(s, end[k]), most = mu * z[k], friction = z[count + k];
        expect(fabs(fmin(rising(s, end[k]) + b_N[k], z[k])) < tiny, "ends bounce with e");
        expect(fabs(friction) < most + tiny, "friction is at most mu z_N");
        expect(fabs(u) < tiny || fabs(friction + copysign(most, u)) < tiny, "and so if it slides");
    }
}

/* Steps from time t to rest; returns the time. */
static double come_to_rest(double t, double* s) {
    const int end[ends] = {0, 1};
    double b_N[ends], z[2 * ends] = {0};
    for (; fabs(s[3]) + fabs(s[4]) + fabs(s[5]) > 1e-9 && t < 10; t += h) {
        for (int i = 0; i < ends; ++i) {
            const double u = rising(s, i), close = -gap(s, i) / h;
            b_N[i] = u < -slow && u < close ? e * u : -close;
        }
        solve(s, ends, end, b_N, h, z);
        for (int i = 0; i < 3; ++i) s[i] += h * s[3 + i];
    }
    return t;
}

typedef struct { /* of impacts: time, speed before it, speed along the ground after it */
    int count;
    double of[most_impacts][3];
} impacts;

/* Prints a line, and looks at the energy: with friction, restitution of velocities can make it grow
 * in general (Kane's paradox), but not in these motions. */
static double rounded(double x) { return round(1e5 * x) / 1e5 + 0.0; } /* no -0.00000 */
static void print(double t, const char* event, const double* s, double* least_energy) {
    printf("%9.5f  %-8s %9.5f %9.5f %9.5f %9.5f\n", t, event, rounded(s[0]), rounded(s[1]),
           rounded(s[2]), rounded(energy(s)));
    expect(energy(s) <= *least_energy + 1e-9, "the energy does not grow");
    *least_energy = energy(s);
}

/* From the state s to rest. */
static impacts simulate(SUNContext context, double* s) {
    N_Vector state = N_VMake_Serial(states, s, context); /* CVODE writes to s */
    void* cvode = CVodeCreate(CV_ADAMS, context);
    expect(state != NULL && cvode != NULL, "SUNDIALS has memory");
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(state, 0, context);
    expect(iteration != NULL, "SUNDIALS has memory");
    int downwards[ends] = {-1, -1}; /* no root where an end leaves the ground */
    double t = 0, least_energy = energy(s);
    impacts all = {0};
    must_sundials(CVodeInit(cvode, flight, t, state));
    must_sundials(CVodeSStolerances(cvode, 1e-10, 1e-12));
    must_sundials(CVodeSetNonlinearSolver(cvode, iteration));
    must_sundials(CVodeRootInit(cvode, ends, gaps));
    must_sundials(CVodeSetRootDirection(cvode, downwards));
    printf("\n     time  event            x    height     angle    energy\n");
    print(t, "start", s, &least_energy);
    while (all.count < most_impacts) {
        expect(CVode(cvode, t + 10, state, &t, CV_NORMAL) == CV_ROOT_RETURN, "the bar comes down");
        double fall = 0;
        for (int i = 0; i < ends; ++i)
            if (gap(s, i) < touching) fall = fmax(fall, -rising(s, i));
        if (fall <= slow) break;
        impact(s);
        print(t, "impact", s, &least_energy);
        all.of[all.count][0] = t, all.of[all.count][1] = fall, all.of[all.count++][2] = s[3];
        must_sundials(CVodeReInit(cvode, t, state));
    }
    print(t, "contact", s, &least_energy);
    t = come_to_rest(t, s);
    print(t, "rest", s, &least_energy);
    expect(fabs(gap(s, 0)) + fabs(gap(s, 1)) + energy(s) < 1e-9, "it rests on the ground");
    must_sundials(SUNNonlinSolFree(iteration));
    CVodeFree(&cvode);
    N_VDestroy(state);
    return all;
}

/* Thrown flat from 1 m: the k-th fall is e^k times the first, and each impact takes mu times its
 * normal impulse from the momentum along the ground. */
static void throw_flat(SUNContext context) {
    double s[states] = {0, 1, 0, 3, 0, 0};
    const impacts all = simulate(context, s);
    double fall = sqrt(2 * g), slide = 3, time = fall / g, x = slide * time;
    for (int k = 0; k < all.count; ++k) {
        slide -= mu * (1 + e) * fall;
        const double known[3] = {time, fall, slide};
        for (int i = 0; i < 3; ++i)
            expect(fabs(all.of[k][i] - known[i]) < 1e-8, "time and speeds of impacts are known");
        fall *= e, time += 2 * fall / g, x += slide * 2 * fall / g;
    }
    x += slide * slide / (2 * mu * g);
    expect(all.count == 8 && fabs(s[0] - x) < 1e-3, "8 impacts are fast, then friction stops it");
    printf("bounces to %.9f m, exactly %.9f m\n", pow(all.of[1][1], 2) / (2 * g), e * e);
}

int main(void) {
    SUNContext context = NULL;
    must_sundials(SUNContext_Create(NULL, &context));
    throw_flat(context);
    simulate(context, (double[states]){0, 1, 0.5, 1, 0, 0});
    must_sundials(SUNContext_Free(&context));
    return 0;
}
