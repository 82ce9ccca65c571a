/* Frozen: perp.h of 0.1.0 as of commit 1596710. All of it works with the library of today, but for
 * perp_problem_set_rows, which has one argument more. */
/* perp: sparse solvers for contact and friction complementarity problems. C99, stable ABI.
 *
 * One time step of a multibody system with contacts, in impulses:
 *
 *     M v+ = f + A' z_A + N' z_N + D' z_D + S' z_S + B' z_B
 *
 *     u_A = A v+ + E z_A - u         = 0                       bilateral rows
 *     u_N = N v+ + E z_N + b_N       >= 0 when z_N = 0         normal rows; positive u_N opens
 *     u_D = D v+ + E z_D + b_T       sliding velocity of the body that N moves away
 *     u_S = S v+ + E z_S + b_S       spinning and rolling velocity
 *     u_B = B v+ + E z_B + b_B       box rows: motors, dry joint friction, seals
 *
 * Each of these is   find z in K with u = W z + r complementary to it,   W = J M^-1 J' + E.
 *   cone law:  (z_N, z_D, z_S) of a contact in { |z_D| <= mu z_N, |z_spin| <= sigma z_N,
 *              |z_roll| <= rho z_N }, u in its dual cone, z . u = 0. This is the convex
 *              relaxation: a sliding contact opens with u_N = mu |u_D| (+ rho, sigma terms).
 *   box law:   lo <= z <= hi, u >= 0 at lo, u <= 0 at hi, u = 0 between (mixed BLCP).
 *
 * Units: SI. z in N s (angular rows N m s), u in m/s (rad/s), mu without unit, rho and sigma in m.
 *
 * Rules that hold for every function:
 *  - Inputs are copied or read before the call returns; nothing of the caller's is kept.
 *  - Outputs are written only on PERP_OK. Handles are destroyed in any order; NULL is allowed.
 *  - On failure perp_last_message() (per thread) names the argument, the index and the value.
 *  - IEEE infinity is the infinity of bounds. Counts and indices are int64_t.
 *  - Different handles may be used by different threads at once; one handle by one thread at a
 *    time. Problems are only read by solvers: several solvers may share one problem.
 *  - Nothing is printed, no exception leaves, no global state but the thread's last message.
 *  - Sized structs start with struct_size, are filled with defaults by their _init function, and
 *    only ever grow at the end.
 */
#ifndef PERP_PERP_H
#define PERP_PERP_H

#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define PERP_API __attribute__((visibility("default")))
#else
#define PERP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------- */
/* Status of a call, outcome of a solve                                      */

/* Did the call work? */
typedef enum perp_status {
    PERP_OK = 0,
    PERP_NULL_ARGUMENT = 1, /* a required pointer is NULL */
    PERP_BAD_SIZE = 2,      /* negative, too large, or counts that do not fit together */
    PERP_BAD_INDEX = 3,     /* a triplet's row or column is out of range */
    PERP_BAD_VALUE = 4,     /* NaN or infinity where finite is needed; negative coefficient */
    PERP_BAD_BOUNDS = 5,    /* lo > hi, lo = +inf or hi = -inf */
    PERP_NOT_SYMMETRIC = 6, /* mass matrix */
    PERP_NOT_POSITIVE_DEFINITE = 7, /* mass matrix */
    PERP_BAD_PATTERN = 8,           /* update with another number of values; wrong triangle */
    PERP_BAD_SETTING = 9,           /* setting out of range or unknown name */
    PERP_UNSUPPORTED = 10,          /* this solver or layout cannot take this problem */
    PERP_FILE_NOT_FOUND = 11,       /* cannot be opened */
    PERP_FILE_FORMAT = 12,          /* not HDF5, truncated, group missing, wrong shape */
    PERP_FILE_WRITE = 13,           /* cannot be created or written */
    PERP_NO_MEMORY = 14,
    PERP_INTERNAL = 15 /* a defect of perp: please report the message */
} perp_status;

/* Is there an answer? z holds the best iterate found, whatever the outcome. */
typedef enum perp_outcome {
    PERP_SOLVED = 1,           /* eta <= tolerance, recomputed from the problem: use it */
    PERP_ITERATION_LIMIT = 2,  /* usable to the accuracy that info.eta tells */
    PERP_TIME_LIMIT = 3,       /* same */
    PERP_STALLED = 4,          /* no more progress: another solver, or compliance, is needed */
    PERP_NO_SOLUTION = 5,      /* the constraints contradict each other: see perp_certificate */
    PERP_CANCELLED = 6,        /* by the progress callback */
    PERP_NUMERICAL_FAILURE = 7 /* numbers overflowed; z is the last finite iterate */
} perp_outcome;

/* Texts are static, never NULL, in English. */
PERP_API const char* perp_status_text(int32_t status);
PERP_API const char* perp_outcome_text(int64_t outcome);
/* The message of this thread's last failed call ("" if none failed). Valid until the next failure.
 */
PERP_API const char* perp_last_message(void);

/* Version as major * 10000 + minor * 100 + patch. */
PERP_API int64_t perp_version(void);
/* Version, compiler, flags, linked parts and their licences; several lines, static. */
PERP_API const char* perp_build_info(void);

/* ------------------------------------------------------------------------- */
/* Sparse input                                                              */

/* A sparse matrix as triplets in any order; duplicates are summed, explicit zeros and empty
 * matrices (count = 0, NULL arrays) are legal. Borrowed during the call only. */
typedef struct perp_triplets {
    int64_t rows, cols;
    int64_t count;       /* number of triplets */
    const int64_t* row;  /* count, each in base .. base + rows - 1 */
    const int64_t* col;  /* count */
    const double* value; /* count, finite */
    int64_t base;        /* index base: 0 (C) or 1 (Fortran, MATLAB) */
} perp_triplets;

/* ------------------------------------------------------------------------- */
/* Systems: mass matrix and Jacobians                                        */

typedef struct perp_system perp_system;

enum { PERP_MASS_FULL = 0, PERP_MASS_LOWER = 1, PERP_MASS_UPPER = 2 };
enum {
    PERP_MATRIX_M = 0,
    PERP_MATRIX_A = 1,
    PERP_MATRIX_N = 2,
    PERP_MATRIX_D = 3,
    PERP_MATRIX_S = 4,
    PERP_MATRIX_B = 5
};

/* Rows are constraints, columns degrees of freedom (n). NULL: the matrix is absent.
 * For r contacts (rows of N):
 *   D: 2 r rows (contact i: rows 2 i, 2 i + 1), r rows in planar problems, none: frictionless.
 *   S: 3 r rows (contact i: 3 i spin, 3 i + 1 and 3 i + 2 rolling), 2 r rows (rolling only),
 *      r rows (planar rolling), or none. */
typedef struct perp_system_def {
    int64_t struct_size;
    const perp_triplets* M; /* n x n, symmetric positive definite, kg (kg m, kg m^2) */
    const perp_triplets* A; /* bilateral, m x n */
    const perp_triplets* N; /* contact normals, r x n */
    const perp_triplets* D; /* sliding */
    const perp_triplets* S; /* spinning and rolling */
    const perp_triplets* B; /* box rows, k x n */
    int64_t mass_storage; /* PERP_MASS_FULL: both triangles; LOWER, UPPER: one, diagonal included */
    /* Allowed |M_ij - M_ji| / sqrt(M_ii M_jj). Default 1e-12. M is used as given, never
     * symmetrized; perp_problem_info reports what deviates. */
    double symmetry_tolerance;
} perp_system_def;

PERP_API int32_t perp_system_def_init(perp_system_def* def, int64_t struct_size);
/* Compresses and checks everything, factorizes M (by blocks where it is block diagonal).
 * PERP_NOT_SYMMETRIC and PERP_NOT_POSITIVE_DEFINITE name the entry or degree of freedom. */
PERP_API int32_t perp_system_create(const perp_system_def* def, perp_system** out);
/* New values for one matrix (PERP_MATRIX_*) in the order of its triplets at creation. Equals a
 * fresh system to the bit. Problems assembled before keep the old values. */
PERP_API int32_t perp_system_update(perp_system* system, int32_t matrix, int64_t count,
                                    const double* values);
PERP_API void perp_system_destroy(perp_system* system);

/* ------------------------------------------------------------------------- */
/* Problems                                                                  */

typedef struct perp_problem perp_problem;

enum { PERP_LAW_AUTO = 0, PERP_LAW_CONE = 1, PERP_LAW_BOX = 2 };

/* The vectors of a step. n velocities, m bilateral rows, r contacts with t sliding rows and a
 * angular rows each, k box rows. NULL: the default given. */
typedef struct perp_rows {
    int64_t struct_size;
    const double* f;            /* n: M v + h (f_applied - c), N s. Required */
    const double* u;            /* m: A v+ + E z = u, m/s. 0 */
    const double* b_N;          /* r: gap / h, restitution. m/s. 0 */
    const double* b_T;          /* t r. 0 */
    const double* b_S;          /* a r. 0 */
    const double* compliance_A; /* m: diagonal of E, >= 0, m/s per N s. 0 (rigid) */
    const double* compliance_N; /* r. 0 */
    const double* compliance_T; /* t r. 0 */
    const double* compliance_S; /* a r. 0 */
    const double* mu;    /* r, >= 0: sliding coefficient. Required by the cone law if t > 0 */
    const double* rho;   /* r, >= 0: rolling length, m. 0. Cone law */
    const double* sigma; /* r, >= 0: spinning length, m. 0. Cone law */
    const double *lo_T,
        *hi_T; /* t r: bounds of the friction impulses, N s. Required by the box law if t > 0 */
    const double* b_B;          /* k. 0 */
    const double* compliance_B; /* k. 0 */
    const double *lo_B, *hi_B;  /* k: bounds of the box rows, N s. Required if k > 0 */
} perp_rows;

PERP_API int32_t perp_rows_init(perp_rows* rows, int64_t struct_size);

/* Problems from a system; rows of z and u: A, N, D, S, B stacked in this order, as given.
 * perp_cone_assemble: the cone law (CCP; Tasora and Anitescu 2013 eq. 40, Negrut et al. 2018
 * eq. 10). perp_blcp_assemble: the box law (Peiret et al. 2016 eq. 30); it has no angular rows. */
PERP_API int32_t perp_cone_assemble(const perp_system* system, const perp_rows* rows,
                                    perp_problem** out);
PERP_API int32_t perp_blcp_assemble(const perp_system* system, const perp_rows* rows,
                                    perp_problem** out);

/* General mixed BLCP: lo <= z <= hi complementary to u = H z + q. H is p x p, any (also not
 * symmetric, zero diagonal); q finite; lo, hi may be infinite, equal, or NULL (-inf, +inf). */
PERP_API int32_t perp_blcp_create(const perp_triplets* H, const double* q, const double* lo,
                                  const double* hi, perp_problem** out);

/* The Delassus form, as FCLIB stores it: u = W z + V y + q, V' z + R y + s = 0. Rows of a contact
 * are contiguous in W: n, t1, t2 [, roll1, roll2], or n, t in the plane, or n, t1, t2, spin, roll1,
 * roll2. Rows of z: those of W, then y. W is used as given also where it is not symmetric;
 * perp_problem_info reports the asymmetry. */
typedef struct perp_delassus_def {
    int64_t struct_size;
    const perp_triplets* W;
    int64_t tangential_rows; /* per contact: 0, 1 or 2. Default 2 */
    int64_t angular_rows;    /* per contact: 0, 1 or 2 (rolling), 3 (spin, roll, roll). Default 0 */
    const double* q;         /* rows of W */
    const double* mu;        /* contacts; required if tangential_rows > 0 */
    const double* rho;       /* contacts. 0 */
    const double* sigma;     /* contacts. 0 */
    const perp_triplets* V;  /* rows of W x m, or NULL */
    const perp_triplets* R;  /* m x m, or NULL: zero */
    const double* s;         /* m, or NULL: 0 */
} perp_delassus_def;

PERP_API int32_t perp_delassus_def_init(perp_delassus_def* def, int64_t struct_size);
PERP_API int32_t perp_delassus_create(const perp_delassus_def* def, perp_problem** out);

/* New vectors, same matrices: all of an assembled problem's rows ... */
PERP_API int32_t perp_problem_set_rows(perp_problem* problem, const perp_rows* rows);
/* ... or q, lo, hi of a general BLCP (p each), or q of a Delassus form (rows of W; then lo and hi
 * are NULL and s stays). NULL keeps. */
PERP_API int32_t perp_problem_set_vectors(perp_problem* problem, const double* q, const double* lo,
                                          const double* hi);
/* New values of H or W in the order of their triplets. */
PERP_API int32_t perp_problem_update(perp_problem* problem, int64_t count, const double* values);
PERP_API void perp_problem_destroy(perp_problem* problem);

typedef struct perp_problem_info {
    int64_t struct_size;
    int64_t rows;               /* p: length of z and u */
    int64_t velocities;         /* n; 0 for matrix forms */
    int64_t bilateral;          /* m */
    int64_t contacts;           /* r */
    int64_t tangential_rows;    /* t, per contact */
    int64_t angular_rows;       /* a, per contact */
    int64_t boxes;              /* k; all rows of a general BLCP */
    int64_t law;                /* PERP_LAW_CONE or PERP_LAW_BOX */
    int64_t matrix_form;        /* 0: from a system, 1: general BLCP, 2: Delassus form */
    int64_t nonzeros;           /* of the Jacobians, or of H or W (V, R) */
    int64_t largest_mass_block; /* 0 for matrix forms */
    /* Largest |X_ij - X_ji| / sqrt(X_ii X_jj) of M, H or W (weights of eta where X_ii <= 0). */
    double asymmetry;
    double free_velocity_norm; /* denominator of eta, sqrt(J) */
} perp_problem_info;

PERP_API int32_t perp_problem_get_info(const perp_problem* problem, perp_problem_info* info);

/* u, if not NULL: W z + r, one per row of z. v, if not NULL: v+ = M^-1 (f + J' z), n;
 * PERP_UNSUPPORTED for matrix forms. */
PERP_API int32_t perp_constraint_velocity(const perp_problem* problem, const double* z, double* u,
                                          double* v);
/* W (or H) as 0-based triplets, formed on request only. Call with row = NULL to learn the count,
 * then with arrays of *count. Exact zeros are left out. */
PERP_API int32_t perp_form_matrix(const perp_problem* problem, int64_t* count, int64_t* row,
                                  int64_t* col, double* value);

/* ------------------------------------------------------------------------- */
/* Is my answer right?                                                       */

/* eta: energy norm of the natural map over the energy norm of the free constraint velocity.
 * Dimensionless, the same number for every solver, invariant under units. Recomputed from the
 * problem's data. 0: solved exactly. */
typedef struct perp_residual_info {
    int64_t struct_size;
    double eta;
    double eta_bilateral, eta_normal, eta_friction, eta_box; /* parts: squares add up to eta^2 */
    int64_t worst_row;           /* the row (normal row of a contact) with the largest share, -1 */
    double eta_coulomb;          /* distance from the exact Coulomb law (De Saxce), cone law only */
    double penetration_velocity; /* largest max(0, -u_N), m/s */
    double cone_violation;       /* largest violation of z in K, N s */
    double complementarity;      /* largest |z . u| of a contact or row, J */
    double bilateral_velocity;   /* largest |u_A|, m/s */
} perp_residual_info;

PERP_API int32_t perp_residual(const perp_problem* problem, const double* z,
                               perp_residual_info* info);

/* ------------------------------------------------------------------------- */
/* Solvers                                                                   */

typedef struct perp_solver perp_solver;

enum {
    PERP_PGS = 1, /* "pgs": block projected Gauss-Seidel */
    PERP_APGD = 2 /* "apgd": accelerated projected gradient (Mazhar et al. 2015), restarted */
};
enum { PERP_SWEEP_GIVEN = 0, PERP_SWEEP_BFS = 1, PERP_SWEEP_RANDOM = 2 };

/* Every setting by the name perp_solver_set knows. */
typedef struct perp_settings {
    int64_t struct_size;
    int64_t method;          /* "method": PERP_PGS or PERP_APGD. Default PERP_APGD */
    double tolerance;        /* "tolerance": on eta, > 0. Default 1e-4 */
    int64_t max_iterations;  /* "max_iterations": >= 0. Default 20000 */
    double time_limit;       /* "time_limit": s, 0: none. Default 0 */
    int64_t warm_start;      /* "warm_start": 1: start from the z passed in. Default 0 */
    double relaxation;       /* "relaxation": pgs, in (0, 2). Default 1 */
    int64_t sweep_order;     /* "sweep_order": pgs, PERP_SWEEP_*. Default PERP_SWEEP_GIVEN */
    int64_t symmetric_sweep; /* "symmetric_sweep": pgs, 1: forward and backward. Default 0 */
    int64_t seed;            /* "seed": pgs, random order. Default 0 */
    int64_t
        check_interval; /* "check_interval": pgs, sweeps between evaluations of eta. Default 10 */
    int64_t stagnation_window; /* "stagnation_window": iterations without 10 % progress before
                                  PERP_STALLED; 0: never, -1: max(200, max_iterations / 5). Default
                                  -1 */
} perp_settings;

PERP_API int32_t perp_settings_init(perp_settings* settings, int64_t struct_size);

typedef struct perp_info {
    int64_t struct_size;
    int64_t outcome; /* perp_outcome */
    int64_t iterations;
    int64_t products;     /* products with W, evaluations of eta included */
    int64_t restarts;     /* apgd: momentum restarts */
    int64_t backtracks;   /* apgd: rejected steps */
    double eta;           /* of the z returned, recomputed from the problem */
    double setup_seconds; /* scaling and workspace; 0 when they were kept */
    double solve_seconds;
} perp_info;

typedef struct perp_progress {
    int64_t struct_size;
    int64_t iteration;
    int64_t products;
    double eta;
    double best_eta;
    double seconds;
} perp_progress;

/* Called at every evaluation of eta, on the calling thread. Return 0 to go on, else: cancel.
 * Must not throw or longjmp. */
typedef int32_t (*perp_progress_callback)(const perp_progress* progress, void* user);

/* "pgs", "apgd"; NULL for an unknown method. */
PERP_API const char* perp_method_name(int64_t method);
/* The method of a name; 0 if unknown. */
PERP_API int64_t perp_method_from_name(const char* name);
/* PERP_OK if the method can take the problem; PERP_UNSUPPORTED with the reason as message. */
PERP_API int32_t perp_solver_supports(const perp_problem* problem, int64_t method);

/* The problem may be changed or destroyed afterwards: the solver shares it and follows changes. */
PERP_API int32_t perp_solver_create(const perp_problem* problem, const perp_settings* settings,
                                    perp_solver** out);
/* All settings of a solver, read and replaced. */
PERP_API int32_t perp_solver_get_settings(const perp_solver* solver, perp_settings* settings);
PERP_API int32_t perp_solver_set_settings(perp_solver* solver, const perp_settings* settings);
/* One setting by name; value as text ("1e-8", "apgd", "bfs"). */
PERP_API int32_t perp_solver_set(perp_solver* solver, const char* name, const char* value);
PERP_API int32_t perp_solver_set_callback(perp_solver* solver, perp_progress_callback callback,
                                          void* user);
/* z: p, guess in (if warm_start), best iterate out. u: p or NULL, velocities of that z. info may be
 * NULL. PERP_OK means the call worked; info->outcome says whether the problem is solved. */
PERP_API int32_t perp_solve(perp_solver* solver, double* z, double* u, perp_info* info);
/* After PERP_NO_SOLUTION: d (p) in the recession cone of K with W d = 0 and r . d < 0, so that no
 * z can satisfy the constraints. PERP_UNSUPPORTED when the last solve has none. */
PERP_API int32_t perp_certificate(const perp_solver* solver, double* d);
PERP_API void perp_solver_destroy(perp_solver* solver);

/* ------------------------------------------------------------------------- */
/* Instance files (HDF5): FCLIB and the perp layout                          */

enum { PERP_LAYOUT_AUTO = 0, PERP_LAYOUT_PERP = 1, PERP_LAYOUT_FCLIB = 2 };

/* Reads either layout. law: PERP_LAW_AUTO takes what the file says (box where it has bounds of
 * friction, else cone), _CONE or _BOX insists (PERP_FILE_FORMAT when the file lacks the data). */
PERP_API int32_t perp_problem_read(const char* path, int32_t law, perp_problem** out);
/* Writes an instance that perp_problem_read reads back to the same problem. AUTO: the perp layout
 * for problems from a system and BLCPs, FCLIB for Delassus forms. title, source: may be NULL.
 * PERP_UNSUPPORTED when the layout cannot hold the problem. */
PERP_API int32_t perp_problem_write(const perp_problem* problem, const char* path, int32_t layout,
                                    const char* title, const char* source);
/* z from or to the /solution group of a file. Writing adds the group to an existing instance file
 * or makes a new file; an older solution is replaced. solver: name stored as attribute, or NULL;
 * eta is stored as attribute `residual`. */
PERP_API int32_t perp_solution_read(const perp_problem* problem, const char* path, double* z);
PERP_API int32_t perp_solution_write(const perp_problem* problem, const char* path, const double* z,
                                     const char* solver);

#ifdef __cplusplus
}
#endif

#endif /* PERP_PERP_H */
