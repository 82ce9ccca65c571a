! What a problem says about impulses: velocities, residual, matrix.
submodule (perp_problems) perp_problem_answers
    implicit none

contains

    module procedure constraint_velocity
        real(real64), allocatable :: found_u(:), found_v(:)
        type(perp_problem_info) :: info
        type(perp_failure) :: failure

        call info_of(problem, info, failure)
        call failure%check_size("z", size(z, kind=int64), info%rows)
        if (.not. failure%happened()) then
            allocate (found_u(info%rows))
            if (present(v)) then
                allocate (found_v(max(info%velocities, 1_int64)))  ! not null, also of none
                call failure%check(c_perp_constraint_velocity(problem%c_object(), z, found_u, &
                    found_v))
            else
                call failure%check(c_perp_constraint_velocity(problem%c_object(), z, found_u))
            end if
        end if
        if (.not. failure%happened()) then
            if (present(v)) v = found_v(:info%velocities)
            if (present(u)) call move_alloc(found_u, u)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure constraint_velocity

    module procedure form_matrix
        integer(int64), allocatable :: row(:), col(:)
        real(real64), allocatable :: value(:)
        type(perp_failure) :: failure
        integer(int64) :: count

        count = 0
        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_form_matrix(problem%c_object(), count))
        if (.not. failure%happened()) then
            allocate (row(count), col(count), value(count))
            if (count > 0) &
                call failure%check(c_perp_form_matrix(problem%c_object(), count, row, col, value))
        end if
        if (.not. failure%happened()) then
            matrix%rows = problem%rows()
            matrix%cols = matrix%rows
            matrix%row = row + 1
            matrix%col = col + 1
            call move_alloc(value, matrix%value)
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure form_matrix

    module procedure residual
        type(perp_problem_info) :: sizes
        type(perp_failure) :: failure

        call info_of(problem, sizes, failure)
        call failure%check_size("z", size(z, kind=int64), sizes%rows)
        if (.not. failure%happened()) then
            call failure%check(c_perp_residual(problem%c_object(), z, info))
            if (.not. failure%happened()) info%worst_row = info%worst_row + 1
        end if
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure residual

    module procedure supports
        type(perp_failure) :: failure
        integer :: status

        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_solver_supports(problem%c_object(), method))
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(status)
        if (present(stat)) stat = status
        supports = status == perp_ok
    end procedure supports
end submodule perp_problem_answers
