! The constants of perp.h under the same names. Statuses are of the kind of `stat` (default
! integer); all others are of the kind of the components and arguments they are for (int64).
module perp_constants
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    public
    private :: int64, real64

    ! Did the call work? The optional argument `stat` of every procedure.
    integer, parameter :: perp_ok = 0
    integer, parameter :: perp_null_argument = 1   ! a required argument is missing, or an object
                                                   ! has not been created
    integer, parameter :: perp_bad_size = 2        ! sizes of arrays that do not fit together
    integer, parameter :: perp_bad_index = 3       ! a triplet's row or column is out of range
    integer, parameter :: perp_bad_value = 4       ! NaN or infinity where finite is needed, ...
    integer, parameter :: perp_bad_bounds = 5      ! lo > hi, lo = +inf or hi = -inf
    integer, parameter :: perp_not_symmetric = 6   ! mass matrix
    integer, parameter :: perp_not_positive_definite = 7  ! mass matrix
    integer, parameter :: perp_bad_pattern = 8     ! update with another number of values
    integer, parameter :: perp_bad_setting = 9     ! setting out of range or unknown name
    integer, parameter :: perp_unsupported = 10    ! this solver or layout cannot take the problem
    integer, parameter :: perp_file_not_found = 11
    integer, parameter :: perp_file_format = 12
    integer, parameter :: perp_file_write = 13
    integer, parameter :: perp_no_memory = 14
    integer, parameter :: perp_internal = 15       ! a defect of perp: please report the message

    ! Is there an answer? Component `outcome` of perp_info and perp_step_info.
    integer(int64), parameter :: perp_solved = 1, perp_iteration_limit = 2, perp_time_limit = 3, &
        perp_stalled = 4, perp_no_solution = 5, perp_cancelled = 6, perp_numerical_failure = 7

    ! Both triangles of M are given, or one with its diagonal.
    integer(int64), parameter :: perp_mass_full = 0, perp_mass_lower = 1, perp_mass_upper = 2

    ! The matrices of a system.
    integer(int64), parameter :: perp_matrix_m = 0, perp_matrix_a = 1, perp_matrix_n = 2, &
        perp_matrix_d = 3, perp_matrix_s = 4, perp_matrix_b = 5

    ! Laws of a problem. AUTO, when reading: what the file says.
    integer(int64), parameter :: perp_law_auto = 0, perp_law_cone = 1, perp_law_box = 2, &
        perp_law_coulomb = 3

    ! Methods. perp.h says what each is for; perp_auto, the default, takes the one that fits.
    integer(int64), parameter :: perp_pgs = 1, perp_apgd = 2, perp_aapgs = 3, perp_pivoting = 4, &
        perp_keller = 5, perp_lemke = 6, perp_auto = 7, perp_ipm = 8, perp_newton = 9, &
        perp_accurate = 10

    ! Order of the sweeps of pgs and aapgs.
    integer(int64), parameter :: perp_sweep_given = 0, perp_sweep_bfs = 1, perp_sweep_random = 2, &
        perp_sweep_coloured = 3

    ! perp_info%fallbacks is a sum of these.
    integer(int64), parameter :: perp_fallback_interior_point = 1, &
        perp_fallback_single_pivots = 2, perp_fallback_line_search = 4, &
        perp_fallback_general_basis = 8, perp_fallback_lemke = 16, &
        perp_fallback_enumeration = 32, perp_fallback_keller = 64, perp_fallback_polish = 128, &
        perp_fallback_factorize = 256, perp_fallback_cold_start = 512

    ! Friction models, the normal impulses in their bounds, and the axes of BOX.
    integer(int64), parameter :: perp_friction_bristle = 1, perp_friction_box = 2, &
        perp_friction_polygon = 3, perp_friction_cone = 4, perp_friction_coulomb = 5
    integer(int64), parameter :: perp_bounds_auto = 0, perp_bounds_previous = 1, &
        perp_bounds_iterated = 2
    integer(int64), parameter :: perp_axes_given = 1, perp_axes_sliding = 2

    ! State of a contact after a step.
    integer(int64), parameter :: perp_open = 0, perp_stick = 1, perp_slip = 2, perp_roll = 3

    ! Numbers that a friction object keeps of each contact.
    integer(int64), parameter :: perp_contact_record = 8

    ! Layouts of instance files.
    integer(int64), parameter :: perp_layout_auto = 0, perp_layout_perp = 1, &
        perp_layout_fclib = 2, perp_layout_matrix_market = 3

    ! The infinity of bounds: z <= perp_infinity is no bound.
    real(real64), parameter :: perp_infinity = transfer(9218868437227405312_int64, 1.0_real64)
end module perp_constants
