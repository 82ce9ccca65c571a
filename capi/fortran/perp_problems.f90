! Problems: what solvers solve.
module perp_problems
    use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_int64_t, c_loc, c_null_ptr, &
        c_ptr, c_sizeof
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp_c
    use perp_constants, only: perp_law_auto, perp_layout_auto, perp_no_memory, perp_ok
    use perp_failures, only: as_int32, c_text, perp_failure
    use perp_handles, only: perp_handle
    use perp_matrices, only: as_c_triplets, perp_triplets, pointer_to, triplets_pointer
    use perp_records, only: perp_problem_info, perp_residual_info
    use perp_systems, only: as_c_rows, perp_rows, perp_sizes, perp_system
    implicit none
    private
    public :: hold, info_of  ! for the submodules: gfortran leaves out what is private

    ! The Delassus form u = W z + V y + q, V' z + R y + s = 0 (perp_delassus_def of perp.h). Rows of
    ! a contact are contiguous in W: n, t1, t2 [, roll1, roll2], or n, t in the plane, or n, t1, t2,
    ! spin, roll1, roll2. Rows of z: those of W, then y. Not allocated: the default.
    type, public :: perp_delassus_def
        type(perp_triplets) :: W
        integer(int64) :: tangential_rows = 2   ! per contact: 0, 1 or 2
        integer(int64) :: angular_rows = 0      ! per contact: 0, 1 or 2 (rolling), 3 (spin, roll)
        real(real64), allocatable :: q(:)       ! rows of W. Required
        real(real64), allocatable :: mu(:)      ! contacts; required if tangential_rows > 0
        real(real64), allocatable :: rho(:)     ! contacts, m. 0
        real(real64), allocatable :: sigma(:)   ! contacts, m. 0
        type(perp_triplets), allocatable :: V   ! rows of W x m
        type(perp_triplets), allocatable :: R   ! m x m. Zero
        real(real64), allocatable :: s(:)       ! m. 0
    end type perp_delassus_def

    ! One complementarity problem. It shares its system's data: the system may be changed or
    ! destroyed. Assignment shares the problem, and the last variable that holds it destroys it.
    ! Procedures that make a problem put it in the place of the old one, if there was one, and leave
    ! that on failure. Results are allocated anew, and stay what they were on failure.
    type, public :: perp_problem
        private
        type(perp_handle) :: handle
    contains
        procedure :: cone_assemble
        procedure :: blcp_assemble
        procedure :: blcp_create
        procedure :: delassus_create
        procedure :: read => read_problem
        procedure :: write => write_problem
        procedure :: set_rows
        procedure :: set_vectors
        procedure :: set_ties
        procedure :: set_law
        procedure :: update
        procedure :: rows => rows_of_problem
        procedure :: sizes
        procedure :: get_info
        procedure :: constraint_velocity
        procedure :: form_matrix
        procedure :: residual
        procedure :: supports
        procedure :: solution_read
        procedure :: solution_write
        procedure :: destroy
        procedure :: created
        procedure :: c_object
        procedure, private :: assign
        generic :: assignment(=) => assign
        final :: finalize
    end type perp_problem

    ! Instance files and their solutions.
    interface
        ! From an instance file of any layout, or a folder of Matrix Market files
        ! (perp_problem_read). law: perp_law_auto (default) takes what the file says, the others
        ! insist.
        ! Fails with perp_file_not_found or perp_file_format.
        module subroutine read_problem(problem, path, law, stat, errmsg)
            class(perp_problem), intent(inout) :: problem
            character(*), intent(in) :: path
            integer(int64), intent(in), optional :: law
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine read_problem

        ! An instance that `read` reads back to the same problem (perp_problem_write). layout:
        ! perp_layout_auto by default. title, source: what the file is to say about itself.
        ! Fails with perp_file_write, or perp_unsupported when the layout cannot hold the problem.
        module subroutine write_problem(problem, path, layout, title, source, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            character(*), intent(in) :: path
            integer(int64), intent(in), optional :: layout
            character(*), intent(in), optional :: title, source
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine write_problem

        ! z (p) of the solution that is stored in an instance file or folder.
        module subroutine solution_read(problem, path, z, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            character(*), intent(in) :: path
            real(real64), allocatable, intent(inout) :: z(:)
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine solution_read

        ! Adds z (p) to an instance file, or makes a new one. solver: name stored beside it.
        module subroutine solution_write(problem, path, z, solver, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            character(*), intent(in) :: path
            real(real64), intent(in) :: z(:)
            character(*), intent(in), optional :: solver
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine solution_write
    end interface

    ! What a problem says about impulses: velocities, residual, matrix.
    interface
        ! u (p): W z + r. v (n): v+ = M**-1 (f + J' z); perp_unsupported for matrix forms.
        module subroutine constraint_velocity(problem, z, u, v, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            real(real64), intent(in) :: z(:)
            real(real64), allocatable, intent(inout), optional :: u(:), v(:)
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine constraint_velocity

        ! W (or H) as triplets, formed on request only; exact zeros are left out.
        module subroutine form_matrix(problem, matrix, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            type(perp_triplets), intent(inout) :: matrix
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine form_matrix

        ! Is z (p), wherever it comes from, right? info%eta is 0 where it is exact.
        module subroutine residual(problem, z, info, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            real(real64), intent(in) :: z(:)
            type(perp_residual_info), intent(inout) :: info
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end subroutine residual

        ! Can the method (perp_pgs and so on) take this problem? Else stat is perp_unsupported and
        ! errmsg the reason. Never ends the program.
        module logical function supports(problem, method, stat, errmsg)
            class(perp_problem), intent(in) :: problem
            integer(int64), intent(in) :: method
            integer, intent(out), optional :: stat
            character(:), allocatable, intent(inout), optional :: errmsg
        end function supports
    end interface

contains

    ! The cone law (CCP) for a step of the system. Fails with perp_bad_size, perp_bad_value,
    ! perp_bad_bounds, perp_null_argument (a vector that the law requires).
    subroutine cone_assemble(problem, system, rows, stat, errmsg)
        class(perp_problem), intent(inout) :: problem
        type(perp_system), intent(in) :: system
        type(perp_rows), intent(in), target :: rows
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_rows) :: c
        type(perp_failure) :: failure
        type(c_ptr) :: made

        made = c_null_ptr
        call failure%check_created("system", system%c_object())
        call as_c_rows(failure, rows, system%sizes(), c)
        if (.not. failure%happened()) &
            call failure%check(c_perp_cone_assemble(system%c_object(), c, made))
        call hold(problem, made, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine cone_assemble

    ! The box law (mixed BLCP) for a step of the system. Fails as cone_assemble does, and with
    ! perp_unsupported where there are angular rows.
    subroutine blcp_assemble(problem, system, rows, stat, errmsg)
        class(perp_problem), intent(inout) :: problem
        type(perp_system), intent(in) :: system
        type(perp_rows), intent(in), target :: rows
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_rows) :: c
        type(perp_failure) :: failure
        type(c_ptr) :: made

        made = c_null_ptr
        call failure%check_created("system", system%c_object())
        call as_c_rows(failure, rows, system%sizes(), c)
        if (.not. failure%happened()) &
            call failure%check(c_perp_blcp_assemble(system%c_object(), c, made))
        call hold(problem, made, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine blcp_assemble

    ! General mixed BLCP: lo <= z <= hi complementary to u = H z + q. H is p x p, any (also not
    ! symmetric); q finite, of p; lo, hi of p, -perp_infinity and perp_infinity where absent.
    subroutine blcp_create(problem, H, q, lo, hi, stat, errmsg)
        class(perp_problem), intent(inout) :: problem
        type(perp_triplets), intent(in), target :: H
        real(real64), intent(in) :: q(:)
        real(real64), intent(in), optional :: lo(:), hi(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_triplets) :: c
        type(perp_failure) :: failure
        type(c_ptr) :: made

        made = c_null_ptr
        call as_c_triplets(failure, "H", H, c)
        call failure%check_size("q", size(q, kind=int64), H%rows)
        if (present(lo)) call failure%check_size("lo", size(lo, kind=int64), H%rows)
        if (present(hi)) call failure%check_size("hi", size(hi, kind=int64), H%rows)
        if (.not. failure%happened()) call failure%check(c_perp_blcp_create(c, q, lo, hi, made))
        call hold(problem, made, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine blcp_create

    ! The Delassus form. W is used as given also where it is not symmetric.
    subroutine delassus_create(problem, def, stat, errmsg)
        class(perp_problem), intent(inout) :: problem
        type(perp_delassus_def), intent(in), target :: def
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_triplets), target :: c_W, c_V, c_R
        type(perp_c_delassus_def) :: c
        type(perp_failure) :: failure
        type(c_ptr) :: made
        integer(int64) :: contacts

        made = c_null_ptr
        call failure%check(c_perp_delassus_def_init(c, c_sizeof(c)))
        c%W = triplets_pointer(failure, "W", def%W, c_W)
        c%V = triplets_pointer(failure, "V", def%V, c_V)
        c%R = triplets_pointer(failure, "R", def%R, c_R)
        c%tangential_rows = def%tangential_rows
        c%angular_rows = def%angular_rows
        ! Where these are out of range, the C function refuses before it reads a vector.
        if (min(def%tangential_rows, def%angular_rows) >= 0 .and. def%tangential_rows <= 2 &
            .and. def%angular_rows <= 3) then
            contacts = c_W%rows / (1 + def%tangential_rows + def%angular_rows)
            c%q = pointer_to(failure, "q", def%q, c_W%rows)
            c%mu = pointer_to(failure, "mu", def%mu, contacts)
            c%rho = pointer_to(failure, "rho", def%rho, contacts)
            c%sigma = pointer_to(failure, "sigma", def%sigma, contacts)
            c%s = pointer_to(failure, "s", def%s, c_V%cols)
        end if
        if (.not. failure%happened()) call failure%check(c_perp_delassus_create(c, made))
        call hold(problem, made, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine delassus_create

    ! New vectors of an assembled problem. All of them: what is not allocated is the default. With
    ! the matrices of a system, where that is present: the problem is then what assembling it from
    ! that system gives. Solvers follow, and keep what the pattern of the matrices allows.
    subroutine set_rows(problem, rows, system, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        type(perp_rows), intent(in), target :: rows
        type(perp_system), intent(in), optional :: system
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_rows) :: c
        type(perp_problem_info) :: info
        type(perp_failure) :: failure
        type(c_ptr) :: from

        from = c_null_ptr
        call info_of(problem, info, failure)
        if (present(system)) then
            call failure%check_created("system", system%c_object())
            from = system%c_object()
        end if
        ! The C function refuses matrix forms before it reads a vector.
        if (info%matrix_form == 0) call as_c_rows(failure, rows, sizes_of(info), c)
        if (info%matrix_form /= 0) call failure%check(c_perp_rows_init(c, c_sizeof(c)))
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_set_rows(problem%c_object(), from, c))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_rows

    ! New vectors of a general BLCP, p each; or q of a Delassus form, its rows of W. What is absent
    ! stays.
    subroutine set_vectors(problem, q, lo, hi, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        real(real64), intent(in), optional :: q(:), lo(:), hi(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_problem_info) :: info
        type(perp_failure) :: failure
        integer(int64) :: rows

        call info_of(problem, info, failure)
        if (info%matrix_form /= 0) then  ! else the C function refuses before it reads a vector
            rows = info%rows - merge(info%bilateral, 0_int64, info%matrix_form == 2)
            if (present(q)) call failure%check_size("q", size(q, kind=int64), rows)
            if (present(lo)) call failure%check_size("lo", size(lo, kind=int64), rows)
            if (present(hi)) call failure%check_size("hi", size(hi, kind=int64), rows)
        end if
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_set_vectors(problem%c_object(), q, lo, hi))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_vectors

    ! Bounds of a general BLCP that are tied to impulses (perp_problem_set_ties): for each k
    !   -coefficient(k) max(0, z(normal(k))) <= z(row(k)) <= coefficient(k) max(0, z(normal(k)))
    ! Rows count from 1. Replaces earlier ties; arrays of size 0: none.
    ! Fails with perp_bad_index, perp_bad_value, perp_bad_bounds (a row with bounds of its own),
    ! perp_unsupported (not a general BLCP); the problem is then what it was.
    subroutine set_ties(problem, row, normal, coefficient, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        integer(int64), intent(in) :: row(:), normal(:)
        real(real64), intent(in) :: coefficient(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        integer(int64) :: count

        count = size(row, kind=int64)
        call failure%check_created("problem", problem%c_object())
        call failure%check_size("normal", size(normal, kind=int64), count)
        call failure%check_size("coefficient", size(coefficient, kind=int64), count)
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_set_ties(problem%c_object(), count, row - 1, &
                normal - 1, coefficient), indices=.true.)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_ties

    ! The law of a problem of cones: perp_law_cone, its relaxation, or perp_law_coulomb, the exact
    ! law. Fails with perp_unsupported (bounds in place of cones) or perp_bad_value (no law).
    subroutine set_law(problem, law, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        integer(int64), intent(in) :: law
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_set_law(problem%c_object(), law))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_law

    ! New values of H or W in the order of their triplets. Fails with perp_bad_pattern where the
    ! number of values is another.
    subroutine update(problem, values, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        real(real64), intent(in) :: values(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_update(problem%c_object(), &
                size(values, kind=int64), values))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine update

    ! p, the length of z and u; 0 where there is no problem.
    integer(int64) function rows_of_problem(problem) result(rows)
        class(perp_problem), intent(in) :: problem
        type(perp_problem_info) :: info
        type(perp_failure) :: failure

        call info_of(problem, info, failure)
        rows = info%rows
    end function rows_of_problem

    ! All 0 where there is no problem.
    type(perp_sizes) function sizes(problem)
        class(perp_problem), intent(in) :: problem
        type(perp_problem_info) :: info
        type(perp_failure) :: failure

        call info_of(problem, info, failure)
        sizes = sizes_of(info)
    end function sizes

    subroutine get_info(problem, info, stat, errmsg)
        class(perp_problem), intent(in) :: problem
        type(perp_problem_info), intent(inout) :: info
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call info_of(problem, info, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine get_info

    ! At once, for all variables that share it. Solvers live on. A second time: nothing.
    subroutine destroy(problem)
        class(perp_problem), intent(inout) :: problem

        call let_go(problem%handle, .true.)
    end subroutine destroy

    ! Is there a problem?
    logical function created(problem)
        class(perp_problem), intent(in) :: problem

        created = c_associated(problem%c_object())
    end function created

    ! For calls of the C interface (module perp_c): still owned by `problem`. Null: none.
    type(c_ptr) function c_object(problem)
        class(perp_problem), intent(in) :: problem

        c_object = problem%handle%object()
    end function c_object

    impure elemental subroutine assign(to, from)
        class(perp_problem), intent(inout) :: to
        type(perp_problem), intent(in) :: from
        type(perp_handle) :: handle

        handle = from%handle
        call handle%share()
        call let_go(to%handle, .false.)
        to%handle = handle
    end subroutine assign

    impure elemental subroutine finalize(problem)
        type(perp_problem), intent(inout) :: problem

        call let_go(problem%handle, .false.)
    end subroutine finalize

    subroutine let_go(handle, all)
        type(perp_handle), intent(inout) :: handle
        logical, intent(in) :: all
        type(c_ptr) :: last

        call handle%release(all, last)
        call c_perp_problem_destroy(last)
    end subroutine let_go

    ! The new problem, where nothing failed, in place of the old one.
    subroutine hold(problem, made, failure)
        class(perp_problem), intent(inout) :: problem
        type(c_ptr), intent(in) :: made
        class(perp_failure), intent(inout) :: failure
        type(perp_handle) :: handle

        if (failure%happened()) return
        if (handle%keep(made)) then
            call let_go(problem%handle, .false.)
            problem%handle = handle
        else
            call c_perp_problem_destroy(made)
            call failure%set(perp_no_memory, "out of memory")
        end if
    end subroutine hold

    subroutine info_of(problem, info, failure)
        class(perp_problem), intent(in) :: problem
        type(perp_problem_info), intent(inout) :: info
        class(perp_failure), intent(inout) :: failure

        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_get_info(problem%c_object(), info))
    end subroutine info_of

    pure function sizes_of(info) result(sizes)
        type(perp_problem_info), intent(in) :: info
        type(perp_sizes) :: sizes

        sizes = perp_sizes(info%velocities, info%bilateral, info%contacts, &
            info%contacts * info%tangential_rows, info%contacts * info%angular_rows, info%boxes)
    end function sizes_of
end module perp_problems
