/* Sizes and offsets of the structs of perp.h, frozen: programs that were compiled with them rely on
 * them. A field may be added at the end of a struct with struct_size, and its size changed here;
 * nothing else ever changes once a version has been released. */
#include <stddef.h>
#include <stdio.h>

#include "perp/perp.h"

static int wrong = 0;

static void expect(const char* what, size_t is, size_t frozen) {
    if (is == frozen) return;
    fprintf(stderr, "%s is %lu, not %lu\n", what, (unsigned long)is, (unsigned long)frozen);
    wrong = 1;
}

#define SIZE(type, frozen) expect("the size of " #type, sizeof(type), frozen)
#define OFFSET(type, field, frozen) \
    expect("the offset of " #type "." #field, offsetof(type, field), frozen)

static void check_triplets(void) {
    SIZE(perp_triplets, 56);
    OFFSET(perp_triplets, rows, 0);
    OFFSET(perp_triplets, cols, 8);
    OFFSET(perp_triplets, count, 16);
    OFFSET(perp_triplets, row, 24);
    OFFSET(perp_triplets, col, 32);
    OFFSET(perp_triplets, value, 40);
    OFFSET(perp_triplets, base, 48);
}

static void check_system_def(void) {
    SIZE(perp_system_def, 72);
    OFFSET(perp_system_def, struct_size, 0);
    OFFSET(perp_system_def, M, 8);
    OFFSET(perp_system_def, A, 16);
    OFFSET(perp_system_def, N, 24);
    OFFSET(perp_system_def, D, 32);
    OFFSET(perp_system_def, S, 40);
    OFFSET(perp_system_def, B, 48);
    OFFSET(perp_system_def, mass_storage, 56);
    OFFSET(perp_system_def, symmetry_tolerance, 64);
}

static void check_rows(void) {
    SIZE(perp_rows, 152);
    OFFSET(perp_rows, struct_size, 0);
    OFFSET(perp_rows, f, 8);
    OFFSET(perp_rows, u, 16);
    OFFSET(perp_rows, b_N, 24);
    OFFSET(perp_rows, b_T, 32);
    OFFSET(perp_rows, b_S, 40);
    OFFSET(perp_rows, compliance_A, 48);
    OFFSET(perp_rows, compliance_N, 56);
    OFFSET(perp_rows, compliance_T, 64);
    OFFSET(perp_rows, compliance_S, 72);
    OFFSET(perp_rows, mu, 80);
    OFFSET(perp_rows, rho, 88);
    OFFSET(perp_rows, sigma, 96);
    OFFSET(perp_rows, lo_T, 104);
    OFFSET(perp_rows, hi_T, 112);
    OFFSET(perp_rows, b_B, 120);
    OFFSET(perp_rows, compliance_B, 128);
    OFFSET(perp_rows, lo_B, 136);
    OFFSET(perp_rows, hi_B, 144);
}

static void check_delassus_def(void) {
    SIZE(perp_delassus_def, 88);
    OFFSET(perp_delassus_def, struct_size, 0);
    OFFSET(perp_delassus_def, W, 8);
    OFFSET(perp_delassus_def, tangential_rows, 16);
    OFFSET(perp_delassus_def, angular_rows, 24);
    OFFSET(perp_delassus_def, q, 32);
    OFFSET(perp_delassus_def, mu, 40);
    OFFSET(perp_delassus_def, rho, 48);
    OFFSET(perp_delassus_def, sigma, 56);
    OFFSET(perp_delassus_def, V, 64);
    OFFSET(perp_delassus_def, R, 72);
    OFFSET(perp_delassus_def, s, 80);
}

static void check_problem_info(void) {
    SIZE(perp_problem_info, 120);
    OFFSET(perp_problem_info, struct_size, 0);
    OFFSET(perp_problem_info, rows, 8);
    OFFSET(perp_problem_info, velocities, 16);
    OFFSET(perp_problem_info, bilateral, 24);
    OFFSET(perp_problem_info, contacts, 32);
    OFFSET(perp_problem_info, tangential_rows, 40);
    OFFSET(perp_problem_info, angular_rows, 48);
    OFFSET(perp_problem_info, boxes, 56);
    OFFSET(perp_problem_info, law, 64);
    OFFSET(perp_problem_info, matrix_form, 72);
    OFFSET(perp_problem_info, nonzeros, 80);
    OFFSET(perp_problem_info, largest_mass_block, 88);
    OFFSET(perp_problem_info, asymmetry, 96);
    OFFSET(perp_problem_info, free_velocity_norm, 104);
    OFFSET(perp_problem_info, tied, 112);
}

static void check_residual_info(void) {
    SIZE(perp_residual_info, 96);
    OFFSET(perp_residual_info, struct_size, 0);
    OFFSET(perp_residual_info, eta, 8);
    OFFSET(perp_residual_info, eta_bilateral, 16);
    OFFSET(perp_residual_info, eta_normal, 24);
    OFFSET(perp_residual_info, eta_friction, 32);
    OFFSET(perp_residual_info, eta_box, 40);
    OFFSET(perp_residual_info, worst_row, 48);
    OFFSET(perp_residual_info, eta_coulomb, 56);
    OFFSET(perp_residual_info, penetration_velocity, 64);
    OFFSET(perp_residual_info, cone_violation, 72);
    OFFSET(perp_residual_info, complementarity, 80);
    OFFSET(perp_residual_info, bilateral_velocity, 88);
}

static void check_settings(void) {
    SIZE(perp_settings, 136);
    OFFSET(perp_settings, struct_size, 0);
    OFFSET(perp_settings, method, 8);
    OFFSET(perp_settings, tolerance, 16);
    OFFSET(perp_settings, max_iterations, 24);
    OFFSET(perp_settings, time_limit, 32);
    OFFSET(perp_settings, warm_start, 40);
    OFFSET(perp_settings, relaxation, 48);
    OFFSET(perp_settings, sweep_order, 56);
    OFFSET(perp_settings, symmetric_sweep, 64);
    OFFSET(perp_settings, seed, 72);
    OFFSET(perp_settings, check_interval, 80);
    OFFSET(perp_settings, stagnation_window, 88);
    OFFSET(perp_settings, threads, 96);
    OFFSET(perp_settings, eliminate_bilateral, 104);
    OFFSET(perp_settings, anderson_window, 112);
    OFFSET(perp_settings, tie_rounds, 120);
    OFFSET(perp_settings, least_norm, 128);
}

static void check_info(void) {
    SIZE(perp_info, 192);
    OFFSET(perp_info, struct_size, 0);
    OFFSET(perp_info, outcome, 8);
    OFFSET(perp_info, iterations, 16);
    OFFSET(perp_info, products, 24);
    OFFSET(perp_info, restarts, 32);
    OFFSET(perp_info, backtracks, 40);
    OFFSET(perp_info, eta, 48);
    OFFSET(perp_info, setup_seconds, 56);
    OFFSET(perp_info, solve_seconds, 64);
    OFFSET(perp_info, accelerated, 72);
    OFFSET(perp_info, eliminated, 80);
    OFFSET(perp_info, threads, 88);
    OFFSET(perp_info, outer_loops, 96);
    OFFSET(perp_info, interior_steps, 104);
    OFFSET(perp_info, block_steps, 112);
    OFFSET(perp_info, single_pivots, 120);
    OFFSET(perp_info, factorizations, 128);
    OFFSET(perp_info, updates, 136);
    OFFSET(perp_info, fallbacks, 144);
    OFFSET(perp_info, delta, 152);
    OFFSET(perp_info, backward_error, 160);
    OFFSET(perp_info, tie_rounds, 168);
    OFFSET(perp_info, method, 176);
    OFFSET(perp_info, least_norm, 184);
}

static void check_progress(void) {
    SIZE(perp_progress, 48);
    OFFSET(perp_progress, struct_size, 0);
    OFFSET(perp_progress, iteration, 8);
    OFFSET(perp_progress, products, 16);
    OFFSET(perp_progress, eta, 24);
    OFFSET(perp_progress, best_eta, 32);
    OFFSET(perp_progress, seconds, 40);
}

static void check_friction_def(void) {
    SIZE(perp_friction_def, 80);
    OFFSET(perp_friction_def, struct_size, 0);
    OFFSET(perp_friction_def, model, 8);
    OFFSET(perp_friction_def, bounds, 16);
    OFFSET(perp_friction_def, axes, 24);
    OFFSET(perp_friction_def, facets, 32);
    OFFSET(perp_friction_def, max_passes, 40);
    OFFSET(perp_friction_def, pass_tolerance, 48);
    OFFSET(perp_friction_def, sticking_speed, 56);
    OFFSET(perp_friction_def, stiffness, 64);
    OFFSET(perp_friction_def, recovery_speed, 72);
}

static void check_contacts(void) {
    SIZE(perp_contacts, 72);
    OFFSET(perp_contacts, struct_size, 0);
    OFFSET(perp_contacts, h, 8);
    OFFSET(perp_contacts, velocity, 16);
    OFFSET(perp_contacts, id, 24);
    OFFSET(perp_contacts, axes, 32);
    OFFSET(perp_contacts, sticking_speed, 40);
    OFFSET(perp_contacts, stiffness, 48);
    OFFSET(perp_contacts, normal_estimate, 56);
    OFFSET(perp_contacts, facet_angle, 64);
}

static void check_step_info(void) {
    SIZE(perp_step_info, 192);
    OFFSET(perp_step_info, struct_size, 0);
    OFFSET(perp_step_info, outcome, 8);
    OFFSET(perp_step_info, method, 16);
    OFFSET(perp_step_info, passes, 24);
    OFFSET(perp_step_info, converged, 32);
    OFFSET(perp_step_info, eta, 40);
    OFFSET(perp_step_info, law_residual, 48);
    OFFSET(perp_step_info, dissipation, 56);
    OFFSET(perp_step_info, elastic_energy, 64);
    OFFSET(perp_step_info, open, 72);
    OFFSET(perp_step_info, stick, 80);
    OFFSET(perp_step_info, slip, 88);
    OFFSET(perp_step_info, roll, 96);
    OFFSET(perp_step_info, remembered, 104);
    OFFSET(perp_step_info, iterations, 112);
    OFFSET(perp_step_info, products, 120);
    OFFSET(perp_step_info, factorizations, 128);
    OFFSET(perp_step_info, updates, 136);
    OFFSET(perp_step_info, fallbacks, 144);
    OFFSET(perp_step_info, tie_rounds, 152);
    OFFSET(perp_step_info, setup_seconds, 160);
    OFFSET(perp_step_info, solve_seconds, 168);
    OFFSET(perp_step_info, total_seconds, 176);
    OFFSET(perp_step_info, least_norm, 184);
}

int main(void) {
    check_triplets();
    check_system_def();
    check_rows();
    check_delassus_def();
    check_problem_info();
    check_residual_info();
    check_settings();
    check_info();
    check_progress();
    check_friction_def();
    check_contacts();
    check_step_info();
    return wrong;
}
