! Solvers: settings, warm start, cancelling, basic sets, proofs.
module solvers_test_callbacks
    use perp
    implicit none

    type :: watch
        integer :: calls = 0
        integer :: allowed = huge(0)
        type(perp_progress) :: last
    end type watch

contains

    function count_calls(progress, user) result(go_on)
        type(perp_progress), intent(in) :: progress
        class(*), pointer, intent(in) :: user
        logical :: go_on

        go_on = .true.
        if (.not. associated(user)) return
        select type (user)
        type is (watch)
            user%calls = user%calls + 1
            user%last = progress
            go_on = user%calls < user%allowed
        end select
    end function count_calls

    function cancel(progress, user) result(go_on)
        type(perp_progress), intent(in) :: progress
        class(*), pointer, intent(in) :: user
        logical :: go_on

        go_on = progress%iteration < 0 .or. associated(user)
    end function cancel
end module solvers_test_callbacks

program solvers_test
    use, intrinsic :: iso_fortran_env, only: int64, int8, real64
    use perp
    use checks
    use solvers_test_callbacks
    implicit none

    call settings_by_name()
    call warm_start()
    call callbacks()
    call basic_sets()
    call proof()
    call end_of_test("solvers")

contains

    ! H = tridiagonal (-1 2 -1), lo = 0: z > 0 everywhere, and many sweeps to get there.
    subroutine chain(problem, rows)
        type(perp_problem), intent(inout) :: problem
        integer, intent(in) :: rows
        real(real64) :: H(rows, rows)
        type(perp_triplets) :: matrix
        integer :: i

        H = 0
        H(1, 1) = 2
        do i = 2, rows
            H(i, i) = 2
            H(i, i - 1) = -1
            H(i - 1, i) = -1
        end do
        call matrix%set_dense(H)
        call problem%blcp_create(matrix, spread(-1.0_real64, 1, rows), &
            lo=spread(0.0_real64, 1, rows))
    end subroutine chain

    subroutine create(solver, problem, tolerance)
        type(perp_solver), intent(inout) :: solver
        type(perp_problem), intent(in) :: problem
        real(real64), intent(in) :: tolerance

        call solver%create(problem, perp_settings(method=perp_pgs, tolerance=tolerance, &
            check_interval=1_int64))
    end subroutine create

    subroutine settings_by_name()
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_settings) :: settings

        call chain(problem, 3)
        call solver%create(problem)
        call solver%get_settings(settings)
        call expect(settings%method == perp_auto .and. abs(settings%tolerance - 1e-4_real64) <= 0, &
            "defaults")
        call solver%set("method", "pgs")
        call solver%set("tolerance", 0.1_real64 / 3)
        call solver%set("max_iterations", 77)
        call solver%set("seed", 5000000000_int64)
        call solver%set("sweep_order", "bfs")
        call solver%get_settings(settings)
        call expect(settings%method == perp_pgs .and. settings%max_iterations == 77 .and. &
            settings%seed == 5000000000_int64 .and. settings%sweep_order == perp_sweep_bfs, &
            "settings by name")
        call expect(abs(settings%tolerance - 0.1_real64 / 3) <= 0, "a real, to the bit")
        settings%threads = 2
        call solver%set_settings(settings)
        call solver%get_settings(settings)
        call expect(settings%threads == 2, "settings replaced")
    end subroutine settings_by_name

    subroutine warm_start()
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(20)
        real(real64), allocatable :: u(:)

        call chain(problem, 20)
        call create(solver, problem, 1e-8_real64)
        z = 0
        call solver%solve(z, u, info)
        call expect(info%outcome == perp_solved .and. info%iterations > 10, "cold start")
        call expect(size(u) == 20 .and. maxval(abs(u)) < 1e-6_real64, "u of the answer")
        call solver%set("warm_start", 1)
        call solver%solve(z, info=info)
        call expect(info%outcome == perp_solved .and. info%iterations == 0, "warm start")
        call problem%destroy()  ! the solver shares it
        call solver%solve(z)
    end subroutine warm_start

    subroutine callbacks()
        type(perp_problem) :: problem
        type(perp_solver) :: first, second
        type(perp_info) :: info
        type(watch), target :: one, two
        real(real64) :: z(20)

        call chain(problem, 20)
        call create(first, problem, 1e-8_real64)
        call create(second, problem, 1e-8_real64)
        two%allowed = 5
        call first%set_callback(count_calls, one)
        call second%set_callback(count_calls, two)
        z = 0
        call first%solve(z, info=info)
        call expect(info%outcome == perp_solved .and. one%calls > 5, "calls")
        call expect(two%calls == 0, "no calls of the other's")
        call expect(one%last%eta > 0 .and. one%last%best_eta <= one%last%eta .and. &
            one%last%iteration > 0 .and. one%last%products > 0, "what a callback is told")
        z = 0
        call second%solve(z, info=info)
        call expect(info%outcome == perp_cancelled .and. two%calls == 5, "cancelled")
        call second%set_callback(cancel)
        z = 0
        call second%solve(z, info=info)
        call expect(info%outcome == perp_cancelled .and. two%calls == 5, "another callback")
        call second%set_callback()
        z = 0
        call second%solve(z, info=info)
        call expect(info%outcome == perp_solved .and. two%calls == 5, "no callback any more")
    end subroutine callbacks

    subroutine basic_sets()
        type(perp_triplets) :: H
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_info) :: info
        integer(int8), allocatable :: set(:)
        real(real64) :: z(3)

        call H%set(3, 3, [1, 2, 3], [1, 2, 3], [1.0_real64, 1.0_real64, 1.0_real64])
        call problem%blcp_create(H, [-0.5_real64, 1.0_real64, -3.0_real64], &
            lo=spread(0.0_real64, 1, 3), hi=spread(1.0_real64, 1, 3))
        call solver%create(problem, perp_settings(method=perp_pivoting))
        z = 0
        call solver%solve(z, info=info)
        call expect_near(z, [0.5_real64, 0.0_real64, 1.0_real64], "z of a pivoting method")
        call solver%get_basic_set(set)
        call expect(all(set == [0, -1, 1]), "basic set")
        call solver%set_basic_set(set)
        call solver%solve(z, info=info)
        call expect(info%outcome == perp_solved, "solved from a basic set")
    end subroutine basic_sets

    subroutine proof()
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(2)
        real(real64), allocatable :: d(:)

        call problem%blcp_create(perp_triplets(rows=2, cols=2), [-1.0_real64, 1.0_real64], &
            lo=[0.0_real64, 0.0_real64])
        call solver%create(problem)
        z = 0
        call solver%solve(z, info=info)
        call expect(info%outcome == perp_no_solution, "no solution")
        call solver%certificate(d)
        call expect(size(d) == 2 .and. d(1) > 0, "proof")
    end subroutine proof
end program solvers_test
