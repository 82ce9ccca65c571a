! Solvers of problems.
module perp_solvers
    use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_funloc, c_funptr, &
        c_int32_t, c_loc, c_null_funptr, c_null_ptr, c_ptr, c_sizeof
    use, intrinsic :: iso_fortran_env, only: int32, int64, int8, real64
    use perp_c
    use perp_constants, only: perp_no_memory
    use perp_failures, only: c_text, perp_failure
    use perp_handles, only: perp_handle
    use perp_problems, only: perp_problem
    use perp_records, only: perp_info, perp_progress, perp_settings
    implicit none
    private
    public :: perp_progress_callback, perp_settings_init

    ! Called at every evaluation of eta, on the thread that solves. The result says whether to go
    ! on; .false. cancels. user: what set_callback was given, null where it was given none.
    abstract interface
        function perp_progress_callback(progress, user) result(go_on)
            import :: perp_progress
            type(perp_progress), intent(in) :: progress
            class(*), pointer, intent(in) :: user
            logical :: go_on
        end function perp_progress_callback
    end interface

    ! A method with settings and workspace. It shares its problem: the problem may be changed (the
    ! next solve sees it) or destroyed. Different solvers may be used by different threads at once.
    ! Assignment shares the solver, and the last variable that holds it destroys it. Results are
    ! allocated anew, and stay what they were on failure.
    type, public :: perp_solver
        private
        type(perp_handle) :: handle
    contains
        procedure :: create
        procedure :: get_settings
        procedure :: set_settings
        procedure, private :: set_text
        procedure, private :: set_real64
        procedure, private :: set_int32
        procedure, private :: set_int64
        generic :: set => set_text, set_real64, set_int32, set_int64
        procedure :: set_callback
        procedure :: solve
        procedure :: certificate
        procedure :: get_basic_set
        procedure :: set_basic_set
        procedure :: destroy
        procedure :: created
        procedure :: c_object
        procedure, private :: assign
        generic :: assignment(=) => assign
        final :: finalize
    end type perp_solver

    ! What a handle of a solver holds. It stays at its place in memory: C calls back with it.
    type :: solver_object
        type(c_ptr) :: c = c_null_ptr
        integer(int64) :: rows = 0  ! p
        procedure(perp_progress_callback), pointer, nopass :: callback => null()
        class(*), pointer :: user => null()
    end type solver_object

contains

    ! The defaults again. Settings have them by declaration.
    subroutine perp_settings_init(settings, stat, errmsg)
        type(perp_settings), intent(inout) :: settings
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check(c_perp_settings_init(settings, c_sizeof(settings)))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine perp_settings_init

    ! Fails with perp_bad_setting or perp_unsupported and the reason; `solver` is then what it was.
    subroutine create(solver, problem, settings, stat, errmsg)
        class(perp_solver), intent(inout) :: solver
        type(perp_problem), intent(in) :: problem
        type(perp_settings), intent(in), optional :: settings
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        type(perp_handle) :: handle
        type(solver_object), pointer :: object

        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) then
            allocate (object)
            object%rows = problem%rows()
            call failure%check(c_perp_solver_create(problem%c_object(), settings, object%c))
            if (.not. failure%happened()) then
                if (.not. handle%keep(c_loc(object))) &
                    call failure%set(perp_no_memory, "out of memory")
            end if
            if (failure%happened()) then
                call free(object)
            else
                call let_go(solver%handle, .false.)
                solver%handle = handle
            end if
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine create

    ! All settings, read ...
    subroutine get_settings(solver, settings, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        type(perp_settings), intent(inout) :: settings
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check_created("solver", solver%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_solver_get_settings(solver%c_object(), settings))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine get_settings

    ! ... and replaced. Fails with perp_bad_setting; they are then what they were.
    subroutine set_settings(solver, settings, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        type(perp_settings), intent(in) :: settings
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check_created("solver", solver%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_solver_set_settings(solver%c_object(), settings))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_settings

    ! One setting by its name in perp_settings, as text ("1e-8", "apgd", "bfs") ...
    subroutine set_text(solver, name, value, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name, value
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call set_by_name(failure, solver, name, value)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_text

    ! ... or as number.
    subroutine set_real64(solver, name, value, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name
        real(real64), intent(in) :: value
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        character(32) :: text

        write (text, "(es24.16e3)") value
        call set_by_name(failure, solver, name, adjustl(text))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_real64

    subroutine set_int64(solver, name, value, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name
        integer(int64), intent(in) :: value
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        character(32) :: text

        write (text, "(i0)") value
        call set_by_name(failure, solver, name, text)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_int64

    subroutine set_int32(solver, name, value, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name
        integer(int32), intent(in) :: value
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        character(32) :: text

        write (text, "(i0)") value
        call set_by_name(failure, solver, name, text)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_int32

    subroutine set_by_name(failure, solver, name, value)
        class(perp_failure), intent(inout) :: failure
        class(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name, value

        call failure%check_created("solver", solver%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_solver_set(solver%c_object(), c_text(name), &
                c_text(value)), verbatim=.true.)
    end subroutine set_by_name

    ! Kept until it is replaced or the solver is destroyed; absent: none any more. user: a variable
    ! with the attribute target (or a pointer's) that lives as long. A procedure that is contained
    ! in another one lives only as long as that one runs.
    subroutine set_callback(solver, callback, user, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        procedure(perp_progress_callback), optional :: callback
        class(*), target, optional :: user
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        type(solver_object), pointer :: object
        type(c_funptr) :: c_callback

        call find(solver, object, failure)
        if (.not. failure%happened()) then
            object%callback => null()
            object%user => null()
            c_callback = c_null_funptr
            if (present(callback)) then
                object%callback => callback
                c_callback = c_funloc(on_progress)
            end if
            if (present(user)) object%user => user
            call failure%check(c_perp_solver_set_callback(object%c, c_callback, c_loc(object)))
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_callback

    ! What C calls: user is the solver_object.
    function on_progress(progress, user) bind(C, name="") result(cancel)
        type(perp_progress), intent(in) :: progress
        type(c_ptr), value :: user
        integer(c_int32_t) :: cancel
        type(solver_object), pointer :: object

        call c_f_pointer(user, object)
        cancel = merge(0_c_int32_t, 1_c_int32_t, object%callback(progress, object%user))
    end function on_progress

    ! z (p): guess in (if settings%warm_start = 1), best iterate out. u (p): velocities of that z.
    ! Success means that the call worked; info%outcome says whether the problem is solved.
    subroutine solve(solver, z, u, info, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        real(real64), intent(inout) :: z(:)
        real(real64), allocatable, intent(inout), optional :: u(:)
        type(perp_info), intent(inout), optional :: info
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        real(real64), allocatable :: found(:)
        type(perp_failure) :: failure
        type(solver_object), pointer :: object

        call find(solver, object, failure)
        if (.not. failure%happened()) &
            call failure%check_size("z", size(z, kind=int64), object%rows)
        if (.not. failure%happened()) then
            if (present(u)) then
                allocate (found(object%rows))
                call failure%check(c_perp_solve(object%c, z, found, info))
                if (.not. failure%happened()) call move_alloc(found, u)
            else
                call failure%check(c_perp_solve(object%c, z, info=info))
            end if
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine solve

    ! After perp_no_solution: d (p) in the recession cone of K with W' d = 0 and r . d < 0, so that
    ! no z can satisfy the constraints. perp_unsupported when the last solve has none.
    subroutine certificate(solver, d, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        real(real64), allocatable, intent(inout) :: d(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        real(real64), allocatable :: found(:)
        type(perp_failure) :: failure
        type(solver_object), pointer :: object

        call find(solver, object, failure)
        if (.not. failure%happened()) then
            allocate (found(object%rows))
            call failure%check(c_perp_certificate(object%c, found))
            if (.not. failure%happened()) call move_alloc(found, d)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine certificate

    ! The basic set of the last solve by a pivoting method, one entry per row of z (p): -1 at lo,
    ! 0 basic, 1 at hi, 2 held (it depends on basic rows). perp_unsupported where there is none.
    subroutine get_basic_set(solver, set, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        integer(int8), allocatable, intent(inout) :: set(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        integer(int8), allocatable :: found(:)
        type(perp_failure) :: failure
        type(solver_object), pointer :: object

        call find(solver, object, failure)
        if (.not. failure%happened()) then
            allocate (found(object%rows))
            call failure%check(c_perp_solver_get_basic_set(object%c, found))
            if (.not. failure%happened()) call move_alloc(found, set)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine get_basic_set

    ! The set that the next solve by a pivoting method starts from.
    subroutine set_basic_set(solver, set, stat, errmsg)
        class(perp_solver), intent(in) :: solver
        integer(int8), intent(in) :: set(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure
        type(solver_object), pointer :: object

        call find(solver, object, failure)
        if (.not. failure%happened()) &
            call failure%check_size("set", size(set, kind=int64), object%rows)
        if (.not. failure%happened()) &
            call failure%check(c_perp_solver_set_basic_set(object%c, set))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_basic_set

    ! At once, for all variables that share it. A second time: nothing.
    subroutine destroy(solver)
        class(perp_solver), intent(inout) :: solver

        call let_go(solver%handle, .true.)
    end subroutine destroy

    ! Is there a solver?
    logical function created(solver)
        class(perp_solver), intent(in) :: solver

        created = c_associated(solver%handle%object())
    end function created

    ! For calls of the C interface (module perp_c): still owned by `solver`. Null: none.
    type(c_ptr) function c_object(solver)
        class(perp_solver), intent(in) :: solver
        type(c_ptr) :: held
        type(solver_object), pointer :: object

        c_object = c_null_ptr
        held = solver%handle%object()
        if (.not. c_associated(held)) return
        call c_f_pointer(held, object)
        c_object = object%c
    end function c_object

    impure elemental subroutine assign(to, from)
        class(perp_solver), intent(inout) :: to
        type(perp_solver), intent(in) :: from
        type(perp_handle) :: handle

        handle = from%handle
        call handle%share()
        call let_go(to%handle, .false.)
        to%handle = handle
    end subroutine assign

    impure elemental subroutine finalize(solver)
        type(perp_solver), intent(inout) :: solver

        call let_go(solver%handle, .false.)
    end subroutine finalize

    subroutine let_go(handle, all)
        type(perp_handle), intent(inout) :: handle
        logical, intent(in) :: all
        type(c_ptr) :: last
        type(solver_object), pointer :: object

        call handle%release(all, last)
        if (.not. c_associated(last)) return
        call c_f_pointer(last, object)
        call free(object)
    end subroutine let_go

    subroutine free(object)
        type(solver_object), pointer, intent(inout) :: object

        call c_perp_solver_destroy(object%c)
        deallocate (object)
    end subroutine free

    subroutine find(solver, object, failure)
        class(perp_solver), intent(in) :: solver
        type(solver_object), pointer, intent(out) :: object
        class(perp_failure), intent(inout) :: failure
        type(c_ptr) :: held

        object => null()
        held = solver%handle%object()
        call failure%check_created("solver", held)
        if (c_associated(held)) call c_f_pointer(held, object)
    end subroutine find
end module perp_solvers
