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
 *   Coulomb:   the same cones, and u + s e_N in the dual cone, s = mu |u_D| + rho |u_roll| +
 *              sigma |u_spin|, z . (u + s e_N) = 0: the exact law, without that opening.
 *   box law:   lo <= z <= hi, u >= 0 at lo, u <= 0 at hi, u = 0 between (mixed BLCP). Bounds
 *              may be tied to impulses: -lo = hi = mu z_N. That is Coulomb's law row by row: u_N
 *              has no share of u_D, and in the plane it is the exact law.
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
    PERP_BAD_VALUE = 4,     /* NaN or infinity where finite is needed; negative coefficient; values
                               so extreme that sums or squares overflow */
    PERP_BAD_BOUNDS = 5,    /* lo > hi, lo = +inf or hi = -inf */
    PERP_NOT_SYMMETRIC = 6, /* mass matrix */
    PERP_NOT_POSITIVE_DEFINITE = 7, /* mass matrix */
    PERP_BAD_PATTERN = 8,           /* update with another number of values; wrong triangle */
    PERP_BAD_SETTING = 9,           /* setting out of range or unknown name */
    PERP_UNSUPPORTED = 10,          /* this solver or layout cannot take this problem */
    PERP_FILE_NOT_FOUND = 11,       /* cannot be opened */
    PERP_FILE_FORMAT = 12, /* of no known format, truncated, something missing, wrong shape */
    PERP_FILE_WRITE = 13,  /* cannot be created or written */
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

/* The text of a status or outcome: static, never NULL, in English. */
PERP_API const char* perp_status_text(int32_t status);
/* Same. */
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
    int64_t rows;        /* of the matrix */
    int64_t cols;        /* of the matrix */
    int64_t count;       /* number of triplets, below 2^32 */
    const int64_t* row;  /* count, each in base .. base + rows - 1 */
    const int64_t* col;  /* count */
    const double* value; /* count, finite */
    int64_t base;        /* index base: 0 (C) or 1 (Fortran, MATLAB) */
} perp_triplets;

/* ------------------------------------------------------------------------- */
/* Systems: mass matrix and Jacobians                                        */

/* Mass matrix and Jacobians, checked and compressed. */
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
     * symmetrized (only deviations of rounding size in coupled blocks of more than 128 are
     * averaged); perp_problem_info reports what deviates. */
    double symmetry_tolerance;
} perp_system_def;

/* All matrices absent. */
PERP_API int32_t perp_system_def_init(perp_system_def* def, int64_t struct_size);
/* Compresses and checks everything, factorizes M (by blocks where it is block diagonal).
 * PERP_NOT_SYMMETRIC and PERP_NOT_POSITIVE_DEFINITE name the entry or degree of freedom. */
PERP_API int32_t perp_system_create(const perp_system_def* def, perp_system** out);
/* New values for one matrix (PERP_MATRIX_*) in the order of its triplets at creation. Equals a
 * fresh system to the bit. Problems assembled before keep the old values. */
PERP_API int32_t perp_system_update(perp_system* system, int32_t matrix, int64_t count,
                                    const double* values);
/* Problems made from the system stay what they are. */
PERP_API void perp_system_destroy(perp_system* system);

/* ------------------------------------------------------------------------- */
/* Problems                                                                  */

/* What is to be solved: matrices, vectors and law. */
typedef struct perp_problem perp_problem;

enum { PERP_LAW_AUTO = 0, PERP_LAW_CONE = 1, PERP_LAW_BOX = 2, PERP_LAW_COULOMB = 3 };

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
    /* t r: bounds of the friction impulses, N s. Required by the box law if t > 0, or mu in place
     * of both: then the bounds are tied, -mu z_N <= z_T <= mu z_N of the same contact (see
     * perp_problem_set_ties). Where they are given, the box law does not look at mu. */
    const double* lo_T;
    const double* hi_T;         /* t r: see lo_T */
    const double* b_B;          /* k. 0 */
    const double* compliance_B; /* k. 0 */
    const double* lo_B;         /* k: bounds of the box rows, N s. Required if k > 0 */
    const double* hi_B;         /* k: see lo_B */
} perp_rows;

/* All vectors absent. */
PERP_API int32_t perp_rows_init(perp_rows* rows, int64_t struct_size);

/* Problems from a system; rows of z and u: A, N, D, S, B stacked in this order, as given. This one
 * has the cone law (CCP; Tasora and Anitescu 2013 eq. 40, Negrut et al. 2018 eq. 10). */
PERP_API int32_t perp_cone_assemble(const perp_system* system, const perp_rows* rows,
                                    perp_problem** out);
/* The same with the box law (Peiret et al. 2016 eq. 30), which has no angular rows. */
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
    const perp_triplets* W;  /* p x p, Delassus operator of the contact rows */
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

/* Two sliding rows per contact, no angular ones; all matrices and vectors absent. */
PERP_API int32_t perp_delassus_def_init(perp_delassus_def* def, int64_t struct_size);
/* A problem under the cone law; perp_problem_set_law changes that. */
PERP_API int32_t perp_delassus_create(const perp_delassus_def* def, perp_problem** out);

/* New vectors of an assembled problem, all of them; and new matrices, where a system is given: the
 * problem is then what assembling it from that system gives, to the bit, under the law that it has.
 * NULL: the matrices stay. Solvers of the problem follow, and keep the analysis of the matrices
 * where their pattern has stayed: by so much a step costs less than the first one. PERP_BAD_SIZE:
 * the system has other numbers of rows or velocities. PERP_UNSUPPORTED: a general BLCP or a
 * Delassus form. The problem then stays as it was. */
PERP_API int32_t perp_problem_set_rows(perp_problem* problem, const perp_system* system,
                                       const perp_rows* rows);
/* New vectors of the others, same matrices: q, lo, hi of a general BLCP (p each), or q of a
 * Delassus form (rows of W; then lo and hi are NULL and s stays). NULL keeps. */
PERP_API int32_t perp_problem_set_vectors(perp_problem* problem, const double* q, const double* lo,
                                          const double* hi);
/* Bounds tied to impulses, of a general BLCP (the box law without lo_T and hi_T makes its own):
 *   -coefficient[k] max(0, z[normal[k]]) <= z[row[k]] <= coefficient[k] max(0, z[normal[k]])
 * for k < count. Rows are 0-based; coefficients are finite, >= 0 and without unit where both rows
 * are impulses in N s. Replaces earlier ties; with count = 0 there are none, and the rows are free.
 *
 * A tied row has no bounds of its own (lo = -inf, hi = +inf, also in perp_problem_set_vectors;
 * else PERP_BAD_BOUNDS), is given once, and is no row's normal one (PERP_BAD_VALUE, as for bad
 * coefficients). PERP_BAD_INDEX: a row out of range. PERP_UNSUPPORTED: not a general BLCP. The
 * problem then stays as it was.
 *
 * Eta takes the bounds at the z given. Solvers iterate: they solve with the bounds that the last
 * impulses give, from the last point and basic set, until eta of the tied problem is reached. A
 * positive definite W has a solution for any coefficients, perhaps several; but the iteration need
 * not find one where coefficients are large, and else there may be none. Then it ends with
 * PERP_STALLED or PERP_ITERATION_LIMIT and the best z (settings tie_rounds; perp_info.tie_rounds).
 * Progress callbacks report eta with the bounds of the moment. */
PERP_API int32_t perp_problem_set_ties(perp_problem* problem, int64_t count, const int64_t* row,
                                       const int64_t* normal, const double* coefficient);
/* The law of a problem of cones, assembled or a Delassus form: PERP_LAW_CONE, its relaxation, or
 * PERP_LAW_COULOMB, the exact law (De Saxce and Feng 1998). The matrices, and the denominator of
 * eta, are the same, and there and back is the same problem to the bit. PERP_UNSUPPORTED: bounds in
 * place of cones, or PERP_LAW_BOX; PERP_BAD_VALUE: no law.
 *
 * Eta and its parts are then the distance from the exact law, eta_coulomb. pgs and aapgs sweep
 * over the contacts, each solved exactly given the others (with rolling or spinning friction, by
 * projected steps), and auto begins with aapgs, as long as it is fast. Other solvers for cones
 * iterate: they solve relaxed problems whose normal velocities are shifted by the s of the last
 * velocities, from the last point, until eta is reached. There may be several solutions; which
 * one is found may depend on the method and the start. There may be none, or none that the
 * iteration finds where coefficients are large: then it ends with PERP_STALLED or
 * PERP_ITERATION_LIMIT and the best z (settings tie_rounds; perp_info.tie_rounds).
 * PERP_NO_SOLUTION needs a certificate without friction. Progress callbacks report eta of the
 * relaxed problem of the moment. Without friction the law is that of PERP_LAW_CONE, and solved
 * as such. */
PERP_API int32_t perp_problem_set_law(perp_problem* problem, int64_t law);
/* New values of H or W in the order of their triplets. */
PERP_API int32_t perp_problem_update(perp_problem* problem, int64_t count, const double* values);
/* Solvers of the problem keep what they need of it. */
PERP_API void perp_problem_destroy(perp_problem* problem);

/* What a problem is made of: sizes, law, form. */
typedef struct perp_problem_info {
    int64_t struct_size;
    int64_t rows;               /* p: length of z and u */
    int64_t velocities;         /* n; 0 for matrix forms */
    int64_t bilateral;          /* m */
    int64_t contacts;           /* r */
    int64_t tangential_rows;    /* t, per contact */
    int64_t angular_rows;       /* a, per contact */
    int64_t boxes;              /* k; all rows of a general BLCP */
    int64_t law;                /* PERP_LAW_CONE, _BOX or _COULOMB */
    int64_t matrix_form;        /* 0: from a system, 1: general BLCP, 2: Delassus form */
    int64_t nonzeros;           /* of the Jacobians, or of H or W (V, R) */
    int64_t largest_mass_block; /* 0 for matrix forms */
    /* Largest |X_ij - X_ji| / sqrt(X_ii X_jj) of M, H or W (weights of eta where X_ii <= 0). */
    double asymmetry;
    double free_velocity_norm; /* denominator of eta, sqrt(J) */
    int64_t tied;              /* rows with bounds tied to impulses */
} perp_problem_info;

/* Fills info, whose struct_size the caller has set. */
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
    double eta;           /* 0: solved exactly */
    double eta_bilateral; /* of the bilateral rows: the squares of the parts add up to eta^2 */
    double eta_normal;    /* of the normal rows */
    double eta_friction;  /* of the sliding and angular rows */
    double eta_box;       /* of the box rows */
    int64_t worst_row;    /* the row (normal row of a contact) with the largest share, -1 */
    /* Distance from the exact Coulomb law (De Saxce), of cones only; eta where that law holds */
    double eta_coulomb;
    double penetration_velocity; /* largest max(0, -u_N), m/s */
    double cone_violation;       /* largest violation of z in K, N s */
    double complementarity;      /* largest |z . u| of a contact or row, J */
    double bilateral_velocity;   /* largest |u_A|, m/s */
} perp_residual_info;

/* Of z (p), whoever found it. Fills info, whose struct_size the caller has set. */
PERP_API int32_t perp_residual(const perp_problem* problem, const double* z,
                               perp_residual_info* info);

/* ------------------------------------------------------------------------- */
/* Solvers                                                                   */

/* A method, its settings, and the workspace for one problem. */
typedef struct perp_solver perp_solver;

enum {
    /* "pgs": block projected Gauss-Seidel; under the exact law, contacts are solved exactly, one
     * after the other */
    PERP_PGS = 1,
    PERP_APGD = 2,  /* "apgd": accelerated projected gradient (Mazhar et al. 2015), restarted */
    PERP_AAPGS = 3, /* "aapgs": the same, Anderson-accelerated: better in most cases */
    /* "pivoting": Judice-Pires basic sets with sparse factorizations and updates, for problems of
     * bounds (box law, general BLCP, contacts without friction): exact answers, redundant rows and
     * large mass ratios included. */
    PERP_PIVOTING = 4,
    /* "keller": Keller's principal pivoting on the dense W, symmetric, up to 500 rows. pivoting
     * begins with it where it is faster: small problems, dense matrices. */
    PERP_KELLER = 5,
    /* "lemke": Lemke's method with a lexicographic rule, for bounds and any matrix, also not
     * symmetric: finds a solution or proves that there is none where W is positive semidefinite or
     * copositive-plus, such as of the polygonal friction model. */
    PERP_LEMKE = 6,
    /* "auto", the default: the method that fits. Bounds: pivoting. Cones: apgd, and accurate from
     * where it is too slow; pgs where the matrix is not symmetric. Info tells the method of the
     * answer, and fallbacks why. The rules count operations: the same problem gets the same answer,
     * to the bit. */
    PERP_AUTO = 7,
    /* "ipm": primal-dual interior point for cones and bounds, with sparse factorizations: accurate
     * answers, redundant rows and large mass ratios included. Takes symmetric matrices (asymmetry
     * up to 0.01), and does not start warm. */
    PERP_IPM = 8,
    /* "newton": proximal-point semismooth Newton on velocities, with the factorizations of ipm and
     * for the same problems: few of them from a good guess, many from none. */
    PERP_NEWTON = 9,
    /* "accurate": from a guess (warm_start) apgd as long as it is fast, then newton; ipm where
     * there is no guess or these lead nowhere; newton again where ipm stalls. Info's fallbacks
     * tell. Bounds: pivoting. */
    PERP_ACCURATE = 10
};
/* GIVEN: bilateral rows, contacts, box rows, as the caller numbered them. BFS: from the ground
 * outwards. RANDOM: another order every sweep. COLOURED: by groups of contacts that share no body,
 * the fastest, and the one that threads can share; problems of less than 1024 contacts and rows,
 * and matrix forms, are swept as given. */
enum { PERP_SWEEP_GIVEN = 0, PERP_SWEEP_BFS = 1, PERP_SWEEP_RANDOM = 2, PERP_SWEEP_COLOURED = 3 };

/* Every setting by the name perp_solver_set knows. */
typedef struct perp_settings {
    int64_t struct_size;
    int64_t method;          /* "method": PERP_PGS and so on. Default PERP_AUTO */
    double tolerance;        /* "tolerance": on eta, > 0. Default 1e-4 */
    int64_t max_iterations;  /* "max_iterations": >= 0. Default 20000 */
    double time_limit;       /* "time_limit": s, 0: none. Default 0 */
    int64_t warm_start;      /* "warm_start": 1: start from the z passed in. Default 0 */
    double relaxation;       /* "relaxation": pgs, aapgs, in (0, 2). Default 1 */
    int64_t sweep_order;     /* "sweep_order": pgs, aapgs, PERP_SWEEP_*. Default COLOURED */
    int64_t symmetric_sweep; /* "symmetric_sweep": pgs, aapgs, 1: forward and backward. Default 0 */
    int64_t seed;            /* "seed": pgs, aapgs, random order. Default 0 */
    /* "check_interval": pgs, aapgs, sweeps between evaluations of eta. Default 10 */
    int64_t check_interval;
    /* "stagnation_window": iterations without 10 % progress before PERP_STALLED; 0: never, -1:
     * max(200, max_iterations / 5). Default -1 */
    int64_t stagnation_window;
    /* "threads": at most so many, 1 to 1024. The answer is the same to the bit for every number.
     * Small problems, and sweeps in another order than COLOURED, use one; perp_info tells. Default
     * 1 */
    int64_t threads;
    /* "eliminate_bilateral": 1: solve the bilateral rows exactly, by one factorization of
     * [M A'; A -E] (symmetric M), and iterate on the other rows alone; perp_info tells how many.
     * 0: iterate on all. Default 1 */
    int64_t eliminate_bilateral;
    int64_t anderson_window; /* "anderson_window": aapgs, sweeps mixed, 1 to 20. Default 5 */
    /* "tie_rounds": problems solved, at most, on the way to bounds tied to impulses or to the exact
     * Coulomb law, before PERP_ITERATION_LIMIT; >= 1. max_iterations and time_limit hold for all
     * together. Default 200 */
    int64_t tie_rounds;
    /* "least_norm": 1: among all solutions, the one of least energy norm, the sum of d_i z_i^2 with
     * d the diagonal of W (of a contact, as in eta, one for its normal and sliding rows, one for
     * its angular rows). Impulses of redundant contacts and joints are
     * not unique, velocities are; with it both are, to the tolerance. Costs some factorizations
     * more; the solver goes to a hundredth of the tolerance first, or as far as it can. Needs a
     * symmetric matrix (asymmetry up to 0.01) and no bounds tied to impulses, else
     * PERP_UNSUPPORTED. perp_info tells whether it came to that. Default 0 */
    int64_t least_norm;
} perp_settings;

/* The defaults above. */
PERP_API int32_t perp_settings_init(perp_settings* settings, int64_t struct_size);

/* What a solve came to, and what it took. */
typedef struct perp_info {
    int64_t struct_size;
    int64_t outcome;      /* perp_outcome */
    int64_t iterations;   /* what counts as one: see max_iterations */
    int64_t products;     /* products with W while iterating, checks of eta included */
    int64_t restarts;     /* apgd: momentum restarts */
    int64_t backtracks;   /* apgd: rejected steps */
    double eta;           /* of the z returned, recomputed from the problem */
    double setup_seconds; /* scaling and workspace; 0 when they were kept */
    double solve_seconds; /* wall clock */
    int64_t accelerated;  /* aapgs: mixed candidates that were kept in place of the plain sweep */
    int64_t eliminated;   /* bilateral rows solved exactly; 0 where they are iterated on */
    int64_t threads;      /* used */
    /* pivoting; iterations are its factorizations and exchanges. ipm: a factorization each */
    int64_t outer_loops;    /* of the proximal point method */
    int64_t interior_steps; /* ipm; of the interior point that a hard cold start begins with */
    int64_t block_steps;    /* exchanges of many rows at once */
    int64_t single_pivots;  /* exchanges of one row */
    int64_t factorizations; /* from scratch */
    int64_t updates;        /* rows exchanged by updating the factors */
    int64_t fallbacks;      /* PERP_FALLBACK_*, added up: what was needed beside block exchanges */
    double delta;           /* last proximal parameter, relative to the diagonal of W */
    double backward_error;  /* largest of all linear solves, after refinement */
    /* Bounds tied to impulses: problems with fixed bounds that were solved on the way; exact
     * Coulomb law: relaxed problems. All counts above are sums over these. 0: neither, or the start
     * was the answer */
    int64_t tie_rounds;
    /* Of the answer: of auto and accurate, the last one of the methods they are made of. 0: the
     * start was the answer */
    int64_t method;
    /* 1: z is the solution of least energy norm. 0: not asked for, not solved, or that z did not
     * reach the tolerance; then z is the solver's own */
    int64_t least_norm;
} perp_info;

enum {
    /* Cold start: block exchanges alone were slow. accurate: newton from the guess was. */
    PERP_FALLBACK_INTERIOR_POINT = 1,
    PERP_FALLBACK_SINGLE_PIVOTS = 2, /* a set came back, or violations did not get fewer */
    PERP_FALLBACK_LINE_SEARCH = 4,
    PERP_FALLBACK_GENERAL_BASIS = 8, /* LU: the symmetric matrix is not positive semidefinite */
    PERP_FALLBACK_LEMKE = 16,
    PERP_FALLBACK_ENUMERATION = 32, /* all basic sets of a small block were tried */
    PERP_FALLBACK_KELLER = 64,      /* Keller's dense pivots, where sparse ones stalled */
    PERP_FALLBACK_POLISH = 128,     /* accurate: newton, where the interior point stalled */
    PERP_FALLBACK_FACTORIZE = 256,  /* auto, accurate: products were too slow */
    PERP_FALLBACK_COLD_START = 512  /* tied bounds stalled from the guess: again from none */
};

/* How far a solve is. */
typedef struct perp_progress {
    int64_t struct_size;
    int64_t iteration; /* as in perp_info */
    int64_t products;  /* with W */
    double eta;        /* of the iterate */
    double best_eta;   /* of all so far */
    double seconds;    /* since the solve began, wall clock */
} perp_progress;

/* Called at every evaluation of eta, on the calling thread. Return 0 to go on, else: cancel.
 * Must not throw or longjmp. */
typedef int32_t (*perp_progress_callback)(const perp_progress* progress, void* user);

/* The name beside its constant above ("pgs", "auto"); NULL for an unknown method. */
PERP_API const char* perp_method_name(int64_t method);
/* The method of a name; 0 if unknown. */
PERP_API int64_t perp_method_from_name(const char* name);
/* PERP_OK if the method can take the problem; PERP_UNSUPPORTED with the reason as message. */
PERP_API int32_t perp_solver_supports(const perp_problem* problem, int64_t method);

/* The problem may be changed or destroyed afterwards: the solver shares it and follows changes. */
PERP_API int32_t perp_solver_create(const perp_problem* problem, const perp_settings* settings,
                                    perp_solver** out);
/* All settings of a solver. */
PERP_API int32_t perp_solver_get_settings(const perp_solver* solver, perp_settings* settings);
/* Replaces all of them. PERP_BAD_SETTING: all stay what they were. */
PERP_API int32_t perp_solver_set_settings(perp_solver* solver, const perp_settings* settings);
/* One setting by name; value as text ("1e-8", "apgd", "bfs"). */
PERP_API int32_t perp_solver_set(perp_solver* solver, const char* name, const char* value);
/* user is passed on to every call. NULL: no callback. */
PERP_API int32_t perp_solver_set_callback(perp_solver* solver, perp_progress_callback callback,
                                          void* user);
/* z: p, guess in (if warm_start), best iterate out. u: p or NULL, velocities of that z. info may be
 * NULL. PERP_OK means the call worked; info->outcome says whether the problem is solved. */
PERP_API int32_t perp_solve(perp_solver* solver, double* z, double* u, perp_info* info);
/* After PERP_NO_SOLUTION: d (p) in the recession cone of K with W' d = 0 and r . d < 0, so that no
 * z can satisfy the constraints. PERP_UNSUPPORTED when the last solve has none: a proof by
 * exhaustion of a small block has none. */
PERP_API int32_t perp_certificate(const perp_solver* solver, double* d);
/* The basic set of the last solve by a pivoting method, one entry per row of z (p): -1 at lo,
 * 0 basic (w = 0), 1 at hi, 2 held (w = 0 as well: the row depends on basic rows). PERP_UNSUPPORTED
 * where there is none. */
PERP_API int32_t perp_solver_get_basic_set(const perp_solver* solver, int8_t* set);
/* The set that the next solve by a pivoting method starts from, whatever warm_start says. With
 * warm_start the set of the solve before is taken anyway. */
PERP_API int32_t perp_solver_set_basic_set(perp_solver* solver, const int8_t* set);
/* The problem stays. */
PERP_API void perp_solver_destroy(perp_solver* solver);

/* ------------------------------------------------------------------------- */
/* Time steps under a friction model                                         */

/* What an integrator calls in each time step: it knows a law of friction and what the contacts did
 * in the step before, makes the problem or problems of the step and solves them.
 *
 * Sliding friction of a contact, z its impulses, u_T its sliding velocity at the end of the step:
 *
 *  - CONE: cones with their convex relaxation (CCP), rolling and spinning included; one problem.
 *    A sliding contact opens with u_N = mu |u_T| (+ rho, sigma terms): give gaps as b_N and move
 *    positions with v+, else contacts drift apart. Tasora and Anitescu 2013.
 *  - COULOMB: the exact law in the same cones, without that opening: u + s e_n is in the dual cone,
 *    s = mu |u_T| + rho |u_roll| + sigma |u_spin|. A problem under PERP_LAW_COULOMB; there may be
 *    several solutions, or none is found: info.converged tells. De Saxce and Feng 1998.
 *  - POLYGON: `facets` directions in place of the circle; by Lemke's method. |z_T| is between
 *    cos(pi / facets) mu z_N and mu z_N. Anitescu and Potra 1997.
 *  - BOX: each sliding row between -mu z_N and mu z_N on its own: up to sqrt(2) mu z_N, and
 *    dependent on the axes of D. Lacoursiere 2006.
 *  - BRISTLE: bristles that bend, then slide: w = D v+ + (z_T - z_T0) / (h^2 k_T) between bounds
 *    mu z_N, z_T0 the impulse of the step before. Contacts that stick do not creep. From the
 *    sticking speed on, axis 1 is turned along the velocity, and across it friction is viscous.
 *    Redundant contacts need springs in their normals, compliance_N = 1 / (h^2 k), or the setting
 *    least_norm: else the load jumps among them, and bristles snap. Peiret, Kovecses and
 * Font-Llagunes 2016.
 *
 * z_N in the bounds of BOX and BRISTLE: see PERP_BOUNDS_*. POLYGON, BOX and BRISTLE have no rolling
 * and spinning friction: no rows in S.
 *
 * Compliance on any row, box rows for motors and dry joint friction, restitution (b_N = e times the
 * normal velocity before, for contacts that approach) and gaps (b_N = gap / h) are in perp_rows. */
typedef struct perp_friction perp_friction;

enum {
    PERP_FRICTION_BRISTLE = 1,
    PERP_FRICTION_BOX = 2,
    PERP_FRICTION_POLYGON = 3,
    PERP_FRICTION_CONE = 4,
    PERP_FRICTION_COULOMB = 5
};
/* Normal impulses in the bounds of BOX and BRISTLE. PREVIOUS: of the step before, over its length;
 * of new contacts, found by a second pass. ITERATED: of this step, pass by pass. AUTO: PREVIOUS
 * where the step before had the same contacts and their bounds change by at most a tenth of the
 * largest, else ITERATED: after an impact the impulse of the step before is far too large. */
enum { PERP_BOUNDS_AUTO = 0, PERP_BOUNDS_PREVIOUS = 1, PERP_BOUNDS_ITERATED = 2 };
/* Axes of BOX: those of D, or turned so that the first is along the sliding velocity at the start.
 */
enum { PERP_AXES_GIVEN = 1, PERP_AXES_SLIDING = 2 };

/* A friction model and its parameters. */
typedef struct perp_friction_def {
    int64_t struct_size;
    int64_t model;  /* PERP_FRICTION_*. Default CONE */
    int64_t bounds; /* PERP_BOUNDS_*. Default AUTO */
    int64_t axes;   /* PERP_AXES_*. Default GIVEN */
    int64_t facets; /* POLYGON: 3 to 1000. Default 4 */
    /* Problems solved in a step, at most: >= 1. COULOMB: in place of the solver's tie_rounds.
     * Default 100 */
    int64_t max_passes;
    /* >= 0: relative change of bounds at which passes end. 0: the solver's tolerance; first-order
     * methods then solve each pass to a tenth of it. COULOMB: of eta, in place of the solver's
     * tolerance; 0: that one. Default 0 */
    double pass_tolerance;
    double sticking_speed; /* BRISTLE: v_th >= 0, m/s, above which a contact slides. 1e-3 */
    double stiffness;      /* BRISTLE: k_T >= 0, N/m. 0 and infinity: rigid. Default 0 */
    /* Largest speed, m/s, at which a step closes the penetration of a contact: b_N is taken as
     * max(b_N, -recovery_speed). >= 0. Default infinity */
    double recovery_speed;
} perp_friction_def;

/* The cone law, with the defaults above. */
PERP_API int32_t perp_friction_def_init(perp_friction_def* def, int64_t struct_size);
/* A friction handle without memory of contacts. */
PERP_API int32_t perp_friction_create(const perp_friction_def* def, perp_friction** out);
/* With all that it knows of contacts. */
PERP_API void perp_friction_destroy(perp_friction* friction);

/* The contacts of a step, beside perp_rows. NULL: the default given. */
typedef struct perp_contacts {
    int64_t struct_size;
    double h; /* s, > 0: length of the step. Required */
    /* n: velocity at the start. Required by BRISTLE and by AXES_SLIDING, which need to know how
     * contacts slide: with D velocity + b_T. */
    const double* velocity;
    /* r, all different: who a contact is from step to step. Memory and warm start follow it; a new
     * id starts clean, one that is missing is forgotten. Default: the row's number. */
    const int64_t* id;
    /* 3 t r: the axes of the sliding rows, orthonormal, in a frame that does not turn with them
     * (inertial). Forces are kept in that frame. Default: the axes do not turn. */
    const double* axes;
    const double* sticking_speed;  /* r. Default: that of the friction handle */
    const double* stiffness;       /* r. Same */
    const double* normal_estimate; /* r, N: force expected of new contacts: BOX, BRISTLE. 0 */
    const double* facet_angle;     /* r, rad: POLYGON, of the first facet from axis 1. 0 */
} perp_contacts;

/* Step length 0, which perp_step refuses: h must be given. */
PERP_API int32_t perp_contacts_init(perp_contacts* contacts, int64_t struct_size);

/* OPEN: no impulse. SLIP: sliding friction at its limit, or none possible (mu = 0). ROLL: not so,
 * but rolling or spinning friction is at its limit. STICK: neither. */
enum { PERP_OPEN = 0, PERP_STICK = 1, PERP_SLIP = 2, PERP_ROLL = 3 };

/* What a step came to, and what it took. */
typedef struct perp_step_info {
    int64_t struct_size;
    /* perp_outcome of the passes together: PERP_SOLVED if all were solved and came to an end.
     * PERP_ITERATION_LIMIT with converged = 0: the passes did not. COULOMB: that of its problem,
     * also PERP_STALLED where passes no longer got closer to the law. */
    int64_t outcome;
    int64_t method;    /* that solved it, PERP_PGS and so on */
    int64_t passes;    /* problems solved; COULOMB: relaxed ones, also where the guess was good */
    int64_t converged; /* 1: the passes of the model came to an end; also where there is one */
    double eta;        /* of the last problem */
    /* Of the model's own law: eta; for BOX and BRISTLE whose passes did not end, at least the
     * relative change due to the bounds. */
    double law_residual;
    /* J: taken by friction in this step, -(z_D . u_D + z_S . u_S) less what bristles gained; u with
     * b_T, b_S. Not negative but for rounding and what eta allows. */
    double dissipation;
    double elastic_energy;  /* J: in bent bristles at the end of the step; 0 for other models */
    int64_t open;           /* contacts in this state */
    int64_t stick;          /* same */
    int64_t slip;           /* same */
    int64_t roll;           /* same */
    int64_t remembered;     /* contacts that the step before knew by their id */
    int64_t iterations;     /* from here on, sums over the passes, as in perp_info */
    int64_t products;       /* same */
    int64_t factorizations; /* same */
    int64_t updates;        /* same */
    int64_t fallbacks;      /* all that were needed, added up */
    int64_t tie_rounds;     /* sum */
    double setup_seconds;   /* sum */
    double solve_seconds;   /* sum */
    double total_seconds;   /* of the call */
    int64_t least_norm;     /* as in perp_info, of the last problem */
} perp_step_info;

/* One step: v+ and impulses at its end. The solver is made of `settings` (NULL: defaults), whose
 * method may be PERP_AUTO, the default: POLYGON lemke, BOX and BRISTLE pivoting, CONE and COULOMB
 * apgd or accurate. PERP_UNSUPPORTED where the method cannot take the model's problem; the message
 * names one that can. warm_start is not looked at: steps start from the impulses of the step
 * before.
 *
 * Outputs, each may be NULL: velocity (n) v+, z impulses (rows A, N, D, S, B of the system
 * stacked), state (r) PERP_OPEN and so on, info.
 *
 * On failure, and where info.outcome is PERP_NO_SOLUTION or PERP_NUMERICAL_FAILURE, the friction
 * state is what it was; else it is that of this step, and the best impulses found are returned. */
PERP_API int32_t perp_step(perp_friction* friction, const perp_system* system,
                           const perp_rows* rows, const perp_contacts* contacts,
                           const perp_settings* settings, double* velocity, double* z,
                           int8_t* state, perp_step_info* info);

/* What a friction handle knows of a contact: force and torque in the step before (impulses over its
 * length): normal, sliding in 3 components, spin, rolling in 3; N and N m. Vectors are in the frame
 * of `axes`; where the axes were not given, along the axes of D, third component 0. */
enum { PERP_CONTACT_RECORD = 8 };

/* The whole state, ids ascending: id (count), record (PERP_CONTACT_RECORD count). Both may be NULL
 * to learn the count alone; else *count says how many the arrays hold, PERP_BAD_SIZE if they do not
 * hold all. Steps go on from a state that was set as from the same state that came about, to the
 * bit: an integrator that rejects a step sets the state from before it. */
PERP_API int32_t perp_friction_get_state(const perp_friction* friction, int64_t* count, int64_t* id,
                                         double* record);
/* Replaces the whole state; count = 0 forgets all contacts. PERP_BAD_VALUE: an id twice, a record
 * that is not finite or whose normal force is negative. The state then stays. */
PERP_API int32_t perp_friction_set_state(perp_friction* friction, int64_t count, const int64_t* id,
                                         const double* record);

/* ------------------------------------------------------------------------- */
/* Instance files: FCLIB and the perp layout (HDF5), folders of Matrix Market files               */

enum {
    PERP_LAYOUT_AUTO = 0,
    PERP_LAYOUT_PERP = 1,
    PERP_LAYOUT_FCLIB = 2,
    PERP_LAYOUT_MATRIX_MARKET = 3
};

/* Reads every layout. law: PERP_LAW_AUTO takes what the file says (box where it has bounds of
 * friction, else cone; _COULOMB where perp's layout says so), _CONE, _BOX and _COULOMB insist
 * (PERP_FILE_FORMAT when the file lacks the data). _BOX takes mu where the file has no bounds: they
 * are tied, as in perp_blcp_assemble.
 * A path that is a directory: a general BLCP in Matrix Market files, H.mtx (p x p, coordinate or
 * array) and the arrays (p x 1) q.mtx, lo.mtx, hi.mtx. Absent lo, hi: -inf, +inf. Messages about
 * these files name file and line. */
PERP_API int32_t perp_problem_read(const char* path, int32_t law, perp_problem** out);
/* Writes an instance that perp_problem_read reads back to the same problem (FCLIB does not tell
 * PERP_LAW_COULOMB from PERP_LAW_CONE: ask for it when reading). AUTO: the perp layout
 * for problems from a system and BLCPs, FCLIB for Delassus forms. title, source: may be NULL.
 * PERP_UNSUPPORTED when the layout cannot hold the problem.
 * MATRIX_MARKET: path becomes a directory with the four files, or is one that holds nothing but
 * such files (else PERP_FILE_WRITE); a solution in it is removed. It holds problems of bounds:
 * BLCPs, the box law, and the cone law where contacts have no sliding and angular rows; no bounds
 * that are tied to impulses. W is formed
 * and read back as H of a general BLCP with the same rows; q is u at z = 0, and eta stays the same
 * up to rounding (equality rows of a Delassus form with zero diagonal get another weight). title
 * and source become comments. */
PERP_API int32_t perp_problem_write(const perp_problem* problem, const char* path, int32_t layout,
                                    const char* title, const char* source);
/* z from or to the /solution group of a file. Writing adds the group to an existing instance file
 * or makes a new file; an older solution is replaced. solver: name stored as attribute, or NULL;
 * eta is stored as attribute `residual`. A path that is a directory, or ends with a slash (writing:
 * it is made where absent): z.mtx in it, an array in the order of the problem's rows; solver and
 * eta become a comment. */
PERP_API int32_t perp_solution_read(const perp_problem* problem, const char* path, double* z);
PERP_API int32_t perp_solution_write(const perp_problem* problem, const char* path, const double* z,
                                     const char* solver);

#ifdef __cplusplus
}
#endif

#endif /* PERP_PERP_H */
