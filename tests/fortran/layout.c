/* Sizes and offsets of the structs of perp.h, for layout_test.f90. */
#include <stddef.h>

#include "perp/perp.h"

/* name##_layout(out, room): sizeof, then the offset of every field. Returns their number. */
#define LAYOUT(name, ...)                                                            \
    int64_t name##_layout(int64_t* out, int64_t room);                               \
    int64_t name##_layout(int64_t* out, int64_t room) {                              \
        typedef name type;                                                           \
        const size_t layout[] = {sizeof(type), __VA_ARGS__};                         \
        const int64_t count = (int64_t)(sizeof layout / sizeof layout[0]);           \
        for (int64_t i = 0; i < count && i < room; ++i) out[i] = (int64_t)layout[i]; \
        return count;                                                                \
    }
#define AT(field) offsetof(type, field)

LAYOUT(perp_triplets, AT(rows), AT(cols), AT(count), AT(row), AT(col), AT(value), AT(base))
LAYOUT(perp_system_def, AT(struct_size), AT(M), AT(A), AT(N), AT(D), AT(S), AT(B), AT(mass_storage),
       AT(symmetry_tolerance))
LAYOUT(perp_rows, AT(struct_size), AT(f), AT(u), AT(b_N), AT(b_T), AT(b_S), AT(compliance_A),
       AT(compliance_N), AT(compliance_T), AT(compliance_S), AT(mu), AT(rho), AT(sigma), AT(lo_T),
       AT(hi_T), AT(b_B), AT(compliance_B), AT(lo_B), AT(hi_B))
LAYOUT(perp_delassus_def, AT(struct_size), AT(W), AT(tangential_rows), AT(angular_rows), AT(q),
       AT(mu), AT(rho), AT(sigma), AT(V), AT(R), AT(s))
LAYOUT(perp_contacts, AT(struct_size), AT(h), AT(velocity), AT(id), AT(axes), AT(sticking_speed),
       AT(stiffness), AT(normal_estimate), AT(facet_angle))
LAYOUT(perp_settings, AT(struct_size), AT(method), AT(tolerance), AT(max_iterations),
       AT(time_limit), AT(warm_start), AT(relaxation), AT(sweep_order), AT(symmetric_sweep),
       AT(seed), AT(check_interval), AT(stagnation_window), AT(threads), AT(eliminate_bilateral),
       AT(anderson_window), AT(tie_rounds), AT(least_norm))
LAYOUT(perp_info, AT(struct_size), AT(outcome), AT(iterations), AT(products), AT(restarts),
       AT(backtracks), AT(eta), AT(setup_seconds), AT(solve_seconds), AT(accelerated),
       AT(eliminated), AT(threads), AT(outer_loops), AT(interior_steps), AT(block_steps),
       AT(single_pivots), AT(factorizations), AT(updates), AT(fallbacks), AT(delta),
       AT(backward_error), AT(tie_rounds), AT(method), AT(least_norm))
LAYOUT(perp_problem_info, AT(struct_size), AT(rows), AT(velocities), AT(bilateral), AT(contacts),
       AT(tangential_rows), AT(angular_rows), AT(boxes), AT(law), AT(matrix_form), AT(nonzeros),
       AT(largest_mass_block), AT(asymmetry), AT(free_velocity_norm), AT(tied))
LAYOUT(perp_residual_info, AT(struct_size), AT(eta), AT(eta_bilateral), AT(eta_normal),
       AT(eta_friction), AT(eta_box), AT(worst_row), AT(eta_coulomb), AT(penetration_velocity),
       AT(cone_violation), AT(complementarity), AT(bilateral_velocity))
LAYOUT(perp_progress, AT(struct_size), AT(iteration), AT(products), AT(eta), AT(best_eta),
       AT(seconds))
LAYOUT(perp_friction_def, AT(struct_size), AT(model), AT(bounds), AT(axes), AT(facets),
       AT(max_passes), AT(pass_tolerance), AT(sticking_speed), AT(stiffness), AT(recovery_speed))
LAYOUT(perp_step_info, AT(struct_size), AT(outcome), AT(method), AT(passes), AT(converged), AT(eta),
       AT(law_residual), AT(dissipation), AT(elastic_energy), AT(open), AT(stick), AT(slip),
       AT(roll), AT(remembered), AT(iterations), AT(products), AT(factorizations), AT(updates),
       AT(fallbacks), AT(tie_rounds), AT(setup_seconds), AT(solve_seconds), AT(total_seconds),
       AT(least_norm))
