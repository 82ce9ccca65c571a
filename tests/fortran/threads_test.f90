! Solvers with callbacks of their own, created, used and destroyed by several threads at once.
module threads_test_callbacks
    use perp
    implicit none

    type :: counter
        integer :: calls = 0, owner = -1
    end type counter

contains

    function count_calls(progress, user) result(go_on)
        type(perp_progress), intent(in) :: progress
        class(*), pointer, intent(in) :: user
        logical :: go_on

        go_on = progress%iteration >= 0
        select type (user)
        type is (counter)
            user%calls = user%calls + 1
        end select
    end function count_calls
end module threads_test_callbacks

program threads_test
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    use checks
    use threads_test_callbacks
    implicit none

    call share_a_problem()
    call end_of_test("threads")

contains

    subroutine share_a_problem()
        type(perp_triplets) :: M, N, D
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_rows) :: rows
        logical :: right(400)
        integer :: i

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        rows%f = [0.5_real64, -1.0_real64, 0.1_real64]
        rows%mu = [0.5_real64, 0.5_real64, 0.5_real64]
        call problem%cone_assemble(system, rows)
        !$omp parallel do num_threads(4) schedule(dynamic)
        do i = 1, size(right)
            call solve_once(problem, i, right(i))
        end do
        !$omp end parallel do
        call expect(all(right), "every thread's callback counted its own calls")
    end subroutine share_a_problem

    subroutine solve_once(problem, number, right)
        type(perp_problem), intent(in) :: problem
        integer, intent(in) :: number
        logical, intent(out) :: right
        type(perp_problem) :: copy
        type(perp_solver) :: solver, other
        type(perp_info) :: info
        type(counter), target :: mine
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64) :: z(6), first(6)

        copy = problem
        mine%owner = number
        call solver%create(copy, perp_settings(method=perp_pgs, tolerance=1e-9_real64, &
            check_interval=1))
        other = solver
        z = 0
        call solver%solve(z, info=info)
        first = z
        call other%set_callback(count_calls, mine)
        z = 0
        call solver%solve(z, info=info)
        right = info%outcome == perp_solved .and. mine%calls > 0 .and. mine%owner == number .and. &
            mine%calls <= info%iterations + 2 .and. all(abs(z - first) <= 0)
        call solver%solve(z(1:mod(number, 6)), stat=stat, errmsg=errmsg)
        right = right .and. stat == perp_bad_size .and. index(errmsg, "expected 6") > 0
    end subroutine solve_once
end program threads_test
