! Time steps under a friction model.
module perp_steps
    use, intrinsic :: iso_c_binding, only: c_associated, c_loc, c_null_ptr, c_ptr, c_sizeof
    use, intrinsic :: iso_fortran_env, only: int64, int8, real64
    use perp_c
    use perp_constants, only: perp_contact_record, perp_no_memory
    use perp_failures, only: perp_failure
    use perp_handles, only: perp_handle
    use perp_matrices, only: pointer_to
    use perp_records, only: perp_friction_def, perp_settings, perp_step_info
    use perp_systems, only: as_c_rows, perp_rows, perp_sizes, perp_system
    implicit none
    private
    public :: perp_friction_def_init

    ! A law of friction, and what the contacts did in the step before. perp.h describes the models.
    ! Assignment shares the object, and the last variable that holds it destroys it.
    type, public :: perp_friction
        private
        type(perp_handle) :: handle
    contains
        procedure :: create
        procedure :: step
        procedure :: get_state
        procedure :: set_state
        procedure :: destroy
        procedure :: created
        procedure :: c_object
        procedure, private :: assign
        generic :: assignment(=) => assign
        final :: finalize
    end type perp_friction

    ! The contacts of a step, beside perp_rows. Not allocated: the default given.
    type, public :: perp_contacts
        real(real64) :: h = 0  ! s, > 0: length of the step. Required
        ! n: velocity at the start. Required by BRISTLE and by perp_axes_sliding.
        real(real64), allocatable :: velocity(:)
        ! r, all different: who a contact is from step to step; any numbers. Default: the number of
        ! its row, from 1.
        integer(int64), allocatable :: id(:)
        ! 3 t r: the axes of the sliding rows, orthonormal, in a frame that does not turn with them.
        ! Default: the axes do not turn.
        real(real64), allocatable :: axes(:)
        real(real64), allocatable :: sticking_speed(:)   ! r, m/s. That of the perp_friction
        real(real64), allocatable :: stiffness(:)        ! r, N/m. Same
        real(real64), allocatable :: normal_estimate(:)  ! r, N: force expected of new contacts. 0
        real(real64), allocatable :: facet_angle(:)      ! r, rad: POLYGON. 0
    end type perp_contacts

contains

    ! The defaults again. A definition has them by declaration.
    subroutine perp_friction_def_init(def, stat, errmsg)
        type(perp_friction_def), intent(inout) :: def
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check(c_perp_friction_def_init(def, c_sizeof(def)))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine perp_friction_def_init

    ! Without memory of contacts. def: cones by default. Fails with perp_bad_setting; `friction` is
    ! then what it was.
    subroutine create(friction, def, stat, errmsg)
        class(perp_friction), intent(inout) :: friction
        type(perp_friction_def), intent(in), optional :: def
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_friction_def) :: wanted
        type(perp_failure) :: failure
        type(perp_handle) :: handle
        type(c_ptr) :: made

        made = c_null_ptr
        if (present(def)) wanted = def
        call failure%check(c_perp_friction_create(wanted, made))
        if (.not. failure%happened()) then
            if (handle%keep(made)) then
                call let_go(friction%handle, .false.)
                friction%handle = handle
            else
                call c_perp_friction_destroy(made)
                call failure%set(perp_no_memory, "out of memory")
            end if
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine create

    ! One step (perp_step): v+ and impulses at its end. settings: those of the solver, defaults
    ! where absent. Results, allocated anew: velocity (n) v+; z impulses (rows A, N, D, S, B of the
    ! system stacked); state (r) perp_open and so on. velocity may be the variable that
    ! contacts%velocity was copied from. Look at info%outcome.
    ! On failure results and the friction's state are what they were.
    subroutine step(friction, system, rows, contacts, settings, velocity, z, state, info, stat, &
        errmsg)
        class(perp_friction), intent(in) :: friction
        type(perp_system), intent(in) :: system
        type(perp_rows), intent(in), target :: rows
        type(perp_contacts), intent(in), target :: contacts
        type(perp_settings), intent(in), optional :: settings
        real(real64), allocatable, intent(inout), optional :: velocity(:), z(:)
        integer(int8), allocatable, intent(inout), optional :: state(:)
        type(perp_step_info), intent(inout), optional :: info
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_c_rows) :: c_rows
        type(perp_c_contacts) :: c_contacts
        integer(int64), allocatable, target :: id(:)
        real(real64), allocatable :: found_velocity(:), found_z(:)
        integer(int8), allocatable :: found_state(:)
        type(perp_sizes) :: sizes
        type(perp_failure) :: failure

        call failure%check_created("friction", friction%c_object())
        call failure%check_created("system", system%c_object())
        sizes = system%sizes()
        call as_c_rows(failure, rows, sizes, c_rows)
        call as_c_contacts(failure, contacts, sizes, id, c_contacts)
        if (.not. failure%happened()) then
            allocate (found_velocity(sizes%velocities), found_state(sizes%contacts))
            allocate (found_z(sizes%bilateral + sizes%contacts + sizes%sliding + sizes%angular &
                + sizes%boxes))
            call failure%check(c_perp_step(friction%c_object(), system%c_object(), c_rows, &
                c_contacts, settings, found_velocity, found_z, found_state, info))
        end if
        if (.not. failure%happened()) then
            if (present(velocity)) call move_alloc(found_velocity, velocity)
            if (present(z)) call move_alloc(found_z, z)
            if (present(state)) call move_alloc(found_state, state)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine step

    ! The whole state, ids ascending: id (count), record (8, count), each column a contact's force
    ! and torque in the step before: normal, sliding in 3 components, spin, rolling in 3; N and N m.
    subroutine get_state(friction, id, record, stat, errmsg)
        class(perp_friction), intent(in) :: friction
        integer(int64), allocatable, intent(inout) :: id(:)
        real(real64), allocatable, intent(inout) :: record(:, :)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        integer(int64), allocatable :: found_id(:)
        real(real64), allocatable :: found(:, :)
        type(perp_failure) :: failure
        integer(int64) :: count

        count = 0
        call failure%check_created("friction", friction%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_friction_get_state(friction%c_object(), count))
        if (.not. failure%happened()) then
            allocate (found_id(count), found(perp_contact_record, count))
            if (count > 0) &
                call failure%check(c_perp_friction_get_state(friction%c_object(), count, &
                    found_id, found))
        end if
        if (.not. failure%happened()) then
            call move_alloc(found_id, id)
            call move_alloc(found, record)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine get_state

    ! Replaces the whole state; size 0 forgets all contacts. Fails with perp_bad_value: an id twice,
    ! a record that is not finite or whose normal force is negative. The state then stays. What a
    ! message calls record(k) is its k-th entry, column by column.
    subroutine set_state(friction, id, record, stat, errmsg)
        class(perp_friction), intent(in) :: friction
        integer(int64), intent(in) :: id(:)
        real(real64), intent(in) :: record(:, :)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call failure%check_created("friction", friction%c_object())
        call failure%check_size("record", size(record, kind=int64), &
            perp_contact_record * size(id, kind=int64))
        if (size(id) > 0) call failure%check_size("record(:, 1)", size(record, 1, int64), &
            perp_contact_record)
        if (.not. failure%happened()) &
            call failure%check(c_perp_friction_set_state(friction%c_object(), &
                size(id, kind=int64), id, record))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_state

    ! At once, for all variables that share it. A second time: nothing.
    subroutine destroy(friction)
        class(perp_friction), intent(inout) :: friction

        call let_go(friction%handle, .true.)
    end subroutine destroy

    ! Is there a friction object?
    logical function created(friction)
        class(perp_friction), intent(in) :: friction

        created = c_associated(friction%c_object())
    end function created

    ! For calls of the C interface (module perp_c): still owned by `friction`. Null: none.
    type(c_ptr) function c_object(friction)
        class(perp_friction), intent(in) :: friction

        c_object = friction%handle%object()
    end function c_object

    impure elemental subroutine assign(to, from)
        class(perp_friction), intent(inout) :: to
        type(perp_friction), intent(in) :: from
        type(perp_handle) :: handle

        handle = from%handle
        call handle%share()
        call let_go(to%handle, .false.)
        to%handle = handle
    end subroutine assign

    impure elemental subroutine finalize(friction)
        type(perp_friction), intent(inout) :: friction

        call let_go(friction%handle, .false.)
    end subroutine finalize

    subroutine let_go(handle, all)
        type(perp_handle), intent(inout) :: handle
        logical, intent(in) :: all
        type(c_ptr) :: last

        call handle%release(all, last)
        call c_perp_friction_destroy(last)
    end subroutine let_go

    ! The contacts for C, while `contacts` and `id` live. id: 1, 2, ... where none are given.
    subroutine as_c_contacts(failure, contacts, sizes, id, c)
        class(perp_failure), intent(inout) :: failure
        type(perp_contacts), intent(in), target :: contacts
        type(perp_sizes), intent(in) :: sizes
        integer(int64), allocatable, intent(out), target :: id(:)
        type(perp_c_contacts), intent(out) :: c
        integer(int64) :: i

        call failure%check(c_perp_contacts_init(c, c_sizeof(c)))
        if (allocated(contacts%id)) then
            id = contacts%id
        else
            id = [(i, i=1, sizes%contacts)]
        end if
        call failure%check_size("id", size(id, kind=int64), sizes%contacts)
        c%h = contacts%h
        if (size(id) > 0) c%id = c_loc(id)
        c%velocity = pointer_to(failure, "velocity", contacts%velocity, sizes%velocities)
        c%axes = pointer_to(failure, "axes", contacts%axes, 3 * sizes%sliding)
        associate (r => sizes%contacts)
            c%sticking_speed = pointer_to(failure, "sticking_speed", contacts%sticking_speed, r)
            c%stiffness = pointer_to(failure, "stiffness", contacts%stiffness, r)
            c%normal_estimate = pointer_to(failure, "normal_estimate", contacts%normal_estimate, r)
            c%facet_angle = pointer_to(failure, "facet_angle", contacts%facet_angle, r)
        end associate
    end subroutine as_c_contacts
end module perp_steps
