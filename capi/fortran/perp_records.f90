! Settings and infos: the sized structs of perp.h that hold no pointers, under the same names. They
! are filled with defaults by declaration. struct_size belongs to perp: leave it as it is.
module perp_records
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
    use perp_constants, only: perp_auto, perp_axes_given, perp_bounds_auto, perp_friction_cone, &
        perp_infinity, perp_sweep_coloured
    implicit none
    private

    ! How to solve. perp.h says more about each.
    type, bind(C), public :: perp_settings
        integer(c_int64_t) :: struct_size = 136
        integer(c_int64_t) :: method = perp_auto        ! perp_pgs and so on
        real(c_double) :: tolerance = 1e-4_c_double     ! on eta, > 0
        integer(c_int64_t) :: max_iterations = 20000    ! >= 0
        real(c_double) :: time_limit = 0                ! s, 0: none
        integer(c_int64_t) :: warm_start = 0            ! 1: start from the z passed in
        real(c_double) :: relaxation = 1                ! pgs, aapgs, in (0, 2)
        integer(c_int64_t) :: sweep_order = perp_sweep_coloured  ! pgs, aapgs, perp_sweep_*
        integer(c_int64_t) :: symmetric_sweep = 0       ! pgs, aapgs, 1: forward and backward
        integer(c_int64_t) :: seed = 0                  ! pgs, aapgs, random order
        integer(c_int64_t) :: check_interval = 10       ! pgs, aapgs, sweeps between checks of eta
        integer(c_int64_t) :: stagnation_window = -1    ! iterations without 10 % progress before
                                                        ! perp_stalled; 0: never, -1: of its own
        integer(c_int64_t) :: threads = 1               ! at most, 1 to 1024
        integer(c_int64_t) :: eliminate_bilateral = 1   ! 1: solve bilateral rows exactly
        integer(c_int64_t) :: anderson_window = 5       ! aapgs, sweeps mixed, 1 to 20
        integer(c_int64_t) :: tie_rounds = 200          ! for tied bounds and the exact law, >= 1
        integer(c_int64_t) :: least_norm = 0            ! 1: of all solutions, that of least norm
    end type perp_settings

    ! What a solve did. Counts, no indices.
    type, bind(C), public :: perp_info
        integer(c_int64_t) :: struct_size = 184
        integer(c_int64_t) :: outcome = 0         ! perp_solved and so on
        integer(c_int64_t) :: iterations = 0
        integer(c_int64_t) :: products = 0        ! with W while iterating
        integer(c_int64_t) :: restarts = 0        ! apgd
        integer(c_int64_t) :: backtracks = 0      ! apgd
        real(c_double) :: eta = 0                 ! of the z returned
        real(c_double) :: setup_seconds = 0
        real(c_double) :: solve_seconds = 0
        integer(c_int64_t) :: accelerated = 0     ! aapgs
        integer(c_int64_t) :: eliminated = 0      ! bilateral rows solved exactly
        integer(c_int64_t) :: threads = 0         ! used
        integer(c_int64_t) :: outer_loops = 0     ! of the proximal point method
        integer(c_int64_t) :: interior_steps = 0
        integer(c_int64_t) :: block_steps = 0     ! exchanges of many rows at once
        integer(c_int64_t) :: single_pivots = 0   ! exchanges of one row
        integer(c_int64_t) :: factorizations = 0
        integer(c_int64_t) :: updates = 0         ! rows exchanged by updating the factors
        integer(c_int64_t) :: fallbacks = 0       ! perp_fallback_*, added up
        real(c_double) :: delta = 0               ! last proximal parameter
        real(c_double) :: backward_error = 0      ! largest of all linear solves
        integer(c_int64_t) :: tie_rounds = 0
        integer(c_int64_t) :: method = 0          ! of the answer; 0: the start was the answer
        integer(c_int64_t) :: least_norm = 0      ! 1: z is the solution of least energy norm
    end type perp_info

    ! Sizes and kind of a problem. Counts, no indices.
    type, bind(C), public :: perp_problem_info
        integer(c_int64_t) :: struct_size = 120
        integer(c_int64_t) :: rows = 0                ! p: length of z and u
        integer(c_int64_t) :: velocities = 0          ! n; 0 for matrix forms
        integer(c_int64_t) :: bilateral = 0           ! m
        integer(c_int64_t) :: contacts = 0            ! r
        integer(c_int64_t) :: tangential_rows = 0     ! t, per contact
        integer(c_int64_t) :: angular_rows = 0        ! a, per contact
        integer(c_int64_t) :: boxes = 0               ! k; all rows of a general BLCP
        integer(c_int64_t) :: law = 0                 ! perp_law_cone, _box or _coulomb
        integer(c_int64_t) :: matrix_form = 0         ! 0: from a system, 1: BLCP, 2: Delassus
        integer(c_int64_t) :: nonzeros = 0            ! of the Jacobians, or of H or W (V, R)
        integer(c_int64_t) :: largest_mass_block = 0
        real(c_double) :: asymmetry = 0               ! of M, H or W
        real(c_double) :: free_velocity_norm = 0      ! denominator of eta, sqrt(J)
        integer(c_int64_t) :: tied = 0                ! rows with bounds tied to impulses
    end type perp_problem_info

    ! How far a z is from a solution.
    type, bind(C), public :: perp_residual_info
        integer(c_int64_t) :: struct_size = 96
        real(c_double) :: eta = 0             ! without unit; 0: solved exactly
        real(c_double) :: eta_bilateral = 0   ! parts: squares add up to eta**2
        real(c_double) :: eta_normal = 0
        real(c_double) :: eta_friction = 0
        real(c_double) :: eta_box = 0
        ! Index in z of the row (of a contact, its normal row) with the largest share; 0: none.
        integer(c_int64_t) :: worst_row = 0
        real(c_double) :: eta_coulomb = 0           ! distance from the exact law, of cones
        real(c_double) :: penetration_velocity = 0  ! largest max(0, -u_N), m/s
        real(c_double) :: cone_violation = 0        ! largest violation of z in K, N s
        real(c_double) :: complementarity = 0       ! largest |z . u| of a contact or row, J
        real(c_double) :: bilateral_velocity = 0    ! largest |u_A|, m/s
    end type perp_residual_info

    ! What a progress callback is told.
    type, bind(C), public :: perp_progress
        integer(c_int64_t) :: struct_size = 48
        integer(c_int64_t) :: iteration = 0
        integer(c_int64_t) :: products = 0
        real(c_double) :: eta = 0
        real(c_double) :: best_eta = 0
        real(c_double) :: seconds = 0
    end type perp_progress

    ! A law of friction for time steps.
    type, bind(C), public :: perp_friction_def
        integer(c_int64_t) :: struct_size = 80
        integer(c_int64_t) :: model = perp_friction_cone   ! perp_friction_*
        integer(c_int64_t) :: bounds = perp_bounds_auto    ! perp_bounds_*
        integer(c_int64_t) :: axes = perp_axes_given       ! perp_axes_*
        integer(c_int64_t) :: facets = 4                   ! POLYGON: 3 to 1000
        integer(c_int64_t) :: max_passes = 100             ! problems solved in a step, >= 1
        real(c_double) :: pass_tolerance = 0               ! >= 0; 0: the solver's tolerance
        real(c_double) :: sticking_speed = 1e-3_c_double   ! BRISTLE: m/s, >= 0
        real(c_double) :: stiffness = 0                    ! BRISTLE: N/m, >= 0; 0: rigid
        real(c_double) :: recovery_speed = perp_infinity   ! m/s, >= 0
    end type perp_friction_def

    ! What a step did. Counts, no indices.
    type, bind(C), public :: perp_step_info
        integer(c_int64_t) :: struct_size = 200
        integer(c_int64_t) :: outcome = 0          ! perp_solved and so on
        integer(c_int64_t) :: method = 0           ! that solved it
        integer(c_int64_t) :: passes = 0           ! problems solved
        integer(c_int64_t) :: converged = 0        ! 1: the passes came to an end
        real(c_double) :: eta = 0                  ! of the last problem
        real(c_double) :: law_residual = 0         ! of the model's own law
        real(c_double) :: dissipation = 0          ! J: taken by friction in this step
        real(c_double) :: elastic_energy = 0       ! J: in bent bristles at the end of the step
        integer(c_int64_t) :: open = 0, stick = 0, slip = 0, roll = 0  ! contacts by state
        integer(c_int64_t) :: remembered = 0       ! contacts that the step before knew
        integer(c_int64_t) :: iterations = 0, products = 0, factorizations = 0, updates = 0
        integer(c_int64_t) :: fallbacks = 0, tie_rounds = 0
        real(c_double) :: setup_seconds = 0, solve_seconds = 0  ! of the solver
        real(c_double) :: total_seconds = 0        ! of the call
        integer(c_int64_t) :: least_norm = 0       ! as in perp_info, of the last problem
    end type perp_step_info
end module perp_records
