! Systems: mass matrix and Jacobians, and the vectors of a step.
module perp_systems
    use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_loc, c_null_ptr, c_ptr, &
        c_sizeof
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp_c, only: c_perp_rows_init, c_perp_system_create, c_perp_system_def_init, &
        c_perp_system_destroy, c_perp_system_update, perp_c_rows, perp_c_system_def, &
        perp_c_triplets
    use perp_constants, only: perp_no_memory
    use perp_failures, only: as_int32, perp_failure
    use perp_handles, only: perp_handle
    use perp_matrices, only: perp_triplets, pointer_to, triplets_pointer
    implicit none
    private
    public :: as_c_rows

    ! The sizes that decide the lengths of all vectors.
    type, public :: perp_sizes
        integer(int64) :: velocities = 0  ! n
        integer(int64) :: bilateral = 0   ! m
        integer(int64) :: contacts = 0    ! r
        integer(int64) :: sliding = 0     ! rows of D: t r
        integer(int64) :: angular = 0     ! rows of S: a r
        integer(int64) :: boxes = 0       ! k
    end type perp_sizes

    ! Mass matrix and Jacobians, checked and compressed, M factorized. Rows are constraints, columns
    ! degrees of freedom (n). For r contacts (rows of N), counted from 1:
    !   D: 2 r rows (contact i: rows 2 i - 1, 2 i), r rows in planar problems, none: frictionless.
    !   S: 3 r rows (contact i: 3 i - 2 spin, 3 i - 1 and 3 i rolling), 2 r rows (rolling only),
    !      r rows (planar rolling), or none.
    ! Assignment shares the system, and the last variable that holds it destroys it.
    type, public :: perp_system
        private
        type(perp_handle) :: handle
    contains
        procedure :: create
        procedure :: update
        procedure :: destroy
        procedure :: created
        procedure :: sizes
        procedure :: c_object
        procedure, private :: assign
        generic :: assignment(=) => assign
        final :: finalize
    end type perp_system

    ! The vectors of a step (perp_rows of perp.h). Not allocated: the default. Lengths are those of
    ! the system's rows, and their order.
    type, public :: perp_rows
        real(real64), allocatable :: f(:)             ! n: M v + h (f_applied - c), N s. Required
        real(real64), allocatable :: u(:)             ! m: A v+ + E z = u, m/s. 0
        real(real64), allocatable :: b_N(:)           ! r: gap / h, restitution. m/s. 0
        real(real64), allocatable :: b_T(:)           ! t r, m/s. 0
        real(real64), allocatable :: b_S(:)           ! a r, rad/s. 0
        real(real64), allocatable :: compliance_A(:)  ! m: diagonal of E, >= 0, m/s per N s. 0
        real(real64), allocatable :: compliance_N(:)  ! r. 0
        real(real64), allocatable :: compliance_T(:)  ! t r. 0
        real(real64), allocatable :: compliance_S(:)  ! a r. 0
        real(real64), allocatable :: mu(:)            ! r, >= 0: sliding coefficient. Required by
                                                      ! the cone law if t > 0
        real(real64), allocatable :: rho(:)           ! r, >= 0: rolling length, m. 0
        real(real64), allocatable :: sigma(:)         ! r, >= 0: spinning length, m. 0
        real(real64), allocatable :: lo_T(:), hi_T(:) ! t r: bounds of friction, N s. Box law; mu in
                                                      ! place of both ties them: mu z_N
        real(real64), allocatable :: b_B(:)           ! k, m/s. 0
        real(real64), allocatable :: compliance_B(:)  ! k. 0
        real(real64), allocatable :: lo_B(:), hi_B(:) ! k: bounds of the box rows, N s. Required if
                                                      ! k > 0
    end type perp_rows

    ! What a handle of a system holds.
    type :: system_object
        type(c_ptr) :: c = c_null_ptr
        type(perp_sizes) :: sizes
    end type system_object

contains

    ! Checks and compresses everything, factorizes M (by blocks where it is block diagonal). Copies.
    !   M  n x n, symmetric positive definite, kg (kg m, kg m**2)
    !   A  m x n, bilateral rows              N  r x n, contact normals; positive N v opens
    !   D  sliding                            S  spinning and rolling
    !   B  k x n, box rows
    !   mass_storage        perp_mass_full (default), perp_mass_lower or perp_mass_upper
    !   symmetry_tolerance  allowed |M_ij - M_ji| / sqrt(M_ii M_jj). Default 1e-12
    ! Fails with perp_bad_size, perp_bad_index, perp_bad_value, perp_not_symmetric,
    ! perp_not_positive_definite, naming matrix and entry; `system` is then what it was.
    subroutine create(system, M, A, N, D, S, B, mass_storage, symmetry_tolerance, stat, errmsg)
        class(perp_system), intent(inout) :: system
        type(perp_triplets), intent(in), target :: M
        type(perp_triplets), intent(in), target, optional :: A, N, D, S, B
        integer(int64), intent(in), optional :: mass_storage
        real(real64), intent(in), optional :: symmetry_tolerance
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_triplets), target :: c(6)
        type(perp_c_system_def) :: def
        type(perp_failure) :: failure
        type(perp_handle) :: handle
        type(system_object), pointer :: object

        call failure%check(c_perp_system_def_init(def, c_sizeof(def)))
        def%M = triplets_pointer(failure, "M", M, c(1))
        def%A = triplets_pointer(failure, "A", A, c(2))
        def%N = triplets_pointer(failure, "N", N, c(3))
        def%D = triplets_pointer(failure, "D", D, c(4))
        def%S = triplets_pointer(failure, "S", S, c(5))
        def%B = triplets_pointer(failure, "B", B, c(6))
        if (present(mass_storage)) def%mass_storage = mass_storage
        if (present(symmetry_tolerance)) def%symmetry_tolerance = symmetry_tolerance
        if (.not. failure%happened()) then
            allocate (object)
            object%sizes = perp_sizes(c(1)%rows, c(2)%rows, c(3)%rows, c(4)%rows, c(5)%rows, &
                c(6)%rows)
            call failure%check(c_perp_system_create(def, object%c))
            if (.not. failure%happened()) then
                if (.not. handle%keep(c_loc(object))) &
                    call failure%set(perp_no_memory, "out of memory")
            end if
            if (failure%happened()) then
                call free(c_loc(object))
            else
                call let_go(system%handle, .false.)
                system%handle = handle
            end if
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine create

    ! New values for one matrix (perp_matrix_m to perp_matrix_b) in the order of its triplets at
    ! creation. Problems assembled before keep the old values. Fails with perp_bad_pattern where the
    ! number of values is another, and as `create`; the system is then what it was.
    subroutine update(system, matrix, values, stat, errmsg)
        class(perp_system), intent(in) :: system
        integer(int64), intent(in) :: matrix
        real(real64), intent(in) :: values(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        type(c_ptr) :: c

        c = system%c_object()
        call failure%check_created("system", c)
        if (.not. failure%happened()) &
            call failure%check(c_perp_system_update(c, as_int32(matrix), &
                size(values, kind=int64), values))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine update

    ! At once, for all variables that share it. A second time: nothing.
    subroutine destroy(system)
        class(perp_system), intent(inout) :: system

        call let_go(system%handle, .true.)
    end subroutine destroy

    ! Is there a system?
    logical function created(system)
        class(perp_system), intent(in) :: system

        created = c_associated(system%handle%object())
    end function created

    ! All 0 where there is no system.
    function sizes(system)
        class(perp_system), intent(in) :: system
        type(perp_sizes) :: sizes
        type(c_ptr) :: held
        type(system_object), pointer :: object

        held = system%handle%object()
        if (.not. c_associated(held)) return
        call c_f_pointer(held, object)
        sizes = object%sizes
    end function sizes

    ! For calls of the C interface (module perp_c): still owned by `system`. Null: none.
    function c_object(system) result(c)
        class(perp_system), intent(in) :: system
        type(c_ptr) :: c, held
        type(system_object), pointer :: object

        c = c_null_ptr
        held = system%handle%object()
        if (.not. c_associated(held)) return
        call c_f_pointer(held, object)
        c = object%c
    end function c_object

    impure elemental subroutine assign(to, from)
        class(perp_system), intent(inout) :: to
        type(perp_system), intent(in) :: from
        type(perp_handle) :: handle

        handle = from%handle
        call handle%share()
        call let_go(to%handle, .false.)
        to%handle = handle
    end subroutine assign

    impure elemental subroutine finalize(system)
        type(perp_system), intent(inout) :: system

        call let_go(system%handle, .false.)
    end subroutine finalize

    subroutine let_go(handle, all)
        type(perp_handle), intent(inout) :: handle
        logical, intent(in) :: all
        type(c_ptr) :: last

        call handle%release(all, last)
        if (c_associated(last)) call free(last)
    end subroutine let_go

    subroutine free(held)
        type(c_ptr), intent(in) :: held
        type(system_object), pointer :: object

        call c_f_pointer(held, object)
        call c_perp_system_destroy(object%c)
        deallocate (object)
    end subroutine free

    ! The rows for a C function, while `rows` lives and does not change.
    subroutine as_c_rows(failure, rows, sizes, c)
        class(perp_failure), intent(inout) :: failure
        type(perp_rows), intent(in), target :: rows
        type(perp_sizes), intent(in) :: sizes
        type(perp_c_rows), intent(out) :: c

        call failure%check(c_perp_rows_init(c, c_sizeof(c)))
        associate (n => sizes%velocities, m => sizes%bilateral, r => sizes%contacts, &
                t => sizes%sliding, a => sizes%angular, k => sizes%boxes)
            c%f = pointer_to(failure, "f", rows%f, n)
            c%u = pointer_to(failure, "u", rows%u, m)
            c%b_N = pointer_to(failure, "b_N", rows%b_N, r)
            c%b_T = pointer_to(failure, "b_T", rows%b_T, t)
            c%b_S = pointer_to(failure, "b_S", rows%b_S, a)
            c%compliance_A = pointer_to(failure, "compliance_A", rows%compliance_A, m)
            c%compliance_N = pointer_to(failure, "compliance_N", rows%compliance_N, r)
            c%compliance_T = pointer_to(failure, "compliance_T", rows%compliance_T, t)
            c%compliance_S = pointer_to(failure, "compliance_S", rows%compliance_S, a)
            c%mu = pointer_to(failure, "mu", rows%mu, r)
            c%rho = pointer_to(failure, "rho", rows%rho, r)
            c%sigma = pointer_to(failure, "sigma", rows%sigma, r)
            c%lo_T = pointer_to(failure, "lo_T", rows%lo_T, t)
            c%hi_T = pointer_to(failure, "hi_T", rows%hi_T, t)
            c%b_B = pointer_to(failure, "b_B", rows%b_B, k)
            c%compliance_B = pointer_to(failure, "compliance_B", rows%compliance_B, k)
            c%lo_B = pointer_to(failure, "lo_B", rows%lo_B, k)
            c%hi_B = pointer_to(failure, "hi_B", rows%hi_B, k)
        end associate
    end subroutine as_c_rows
end module perp_systems
