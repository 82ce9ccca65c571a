! Is my answer right? problem%residual judges any z, wherever it comes from, and a failing call says
! what is wrong with it.
!
! A block of 2 kg rests on four contacts in a line (planar, no friction). Any impulses that carry
! its weight without a moment are right: the impulses are not unique, the velocity is.
program residual
    use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none
    real(real64), parameter :: weight = 2 * 9.81_real64 * 1e-3_real64  ! impulse of 1 ms, N s
    real(real64), parameter :: exactly = 1e-14_real64  ! what remains is rounding

    call judge_answers()
    call refused_input()

contains

    subroutine mass(M)
        type(perp_triplets), intent(out) :: M

        call M%set(3, 3, [1, 2, 3], [1, 2, 3], [2.0_real64, 2.0_real64, 0.5_real64])
    end subroutine mass

    subroutine normals(N)
        type(perp_triplets), intent(out) :: N

        call N%set(4, 3, [1, 1, 2, 2, 3, 3, 4, 4], [2, 3, 2, 3, 2, 3, 2, 3], [1.0_real64, &
            -0.5_real64, 1.0_real64, -0.2_real64, 1.0_real64, 0.2_real64, 1.0_real64, 0.5_real64])
    end subroutine normals

    ! Impulses in shares of the weight, and the limits of their eta.
    subroutine judge(problem, name, share, least, most)
        type(perp_problem), intent(in) :: problem
        character(*), intent(in) :: name
        real(real64), intent(in) :: share(4), least, most
        type(perp_residual_info) :: r

        call problem%residual(share * weight, r)
        if (r%eta < exactly) then
            print "(a15, a)", [character(15) :: name], "eta below 1e-14: right"
        else
            print "(a15, a, es8.2, a, i0, a, es8.2, a, es8.2, a)", [character(15) :: name], &
                "eta ", r%eta, ", worst row ", r%worst_row, ", penetration ", &
                r%penetration_velocity, " m/s, cone violation ", r%cone_violation, " N s"
        end if
        if (.not. (r%eta >= least .and. r%eta <= most)) error stop "wrong eta"
    end subroutine judge

    subroutine judge_answers()
        type(perp_triplets) :: M, N
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_rows) :: rows
        real(real64), parameter :: half = 0.5_real64

        call mass(M)
        call normals(N)
        call system%create(M, N=N)  ! no D: frictionless
        rows%f = [0.0_real64, -weight, 0.0_real64]
        call problem%cone_assemble(system, rows)
        call judge(problem, "a quarter each", spread(half / 2, 1, 4), 0.0_real64, exactly)
        call judge(problem, "the outer two", half * [1, 0, 0, 1], 0.0_real64, exactly)
        call judge(problem, "the inner two", half * [0, 1, 1, 0], 0.0_real64, exactly)
        call judge(problem, "1 % too little", spread(0.2475_real64, 1, 4), 0.00999999_real64, &
            0.01000001_real64)
        call judge(problem, "lopsided", 0.1_real64 * [1, 2, 3, 4], 0.2_real64, 0.3_real64)
        call judge(problem, "pulling", 0.1_real64 * [6, -1, -1, 6], 0.05_real64, 0.15_real64)
        call judge(problem, "nothing", spread(0.0_real64, 1, 4), 0.99999999_real64, &
            1.00000001_real64)
        call judge_unfinished(problem)
    end subroutine judge_answers

    ! The best that a solver found in one sweep: its own eta is that of the same function.
    subroutine judge_unfinished(problem)
        type(perp_problem), intent(in) :: problem
        type(perp_settings) :: settings
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(4)

        z = 0
        settings%method = perp_pgs
        settings%max_iterations = 1
        call solver%create(problem, settings)
        call solver%solve(z, info=info)
        call judge(problem, "one sweep", z / weight, info%eta * (1 - 1e-12_real64), &
            info%eta * (1 + 1e-12_real64))
        print "(4a, es8.2)", "  its outcome  ", perp_outcome_text(info%outcome), ", ", "eta ", &
            info%eta
        if (info%outcome /= perp_iteration_limit) error stop "wrong outcome"
    end subroutine judge_unfinished

    ! Calls that must fail, and do so with a reason. Nothing is created, nothing to clean up.
    subroutine refused_input()
        type(perp_triplets) :: M, N, N_wrong
        type(perp_system) :: system, none
        type(perp_problem) :: problem
        type(perp_rows) :: rows
        integer :: stat
        character(:), allocatable :: errmsg

        call mass(M)
        call normals(N)
        N_wrong = N
        N_wrong%row = N%row - 1  ! counted from 0
        call none%create(M, N=N_wrong, stat=stat, errmsg=errmsg)
        call refused(stat, errmsg, perp_bad_index)
        call system%create(M, N=N)
        rows%f = [0.0_real64, -weight, 0.0_real64]
        rows%b_N = [0.0_real64, 0.0_real64, ieee_value(1.0_real64, ieee_quiet_nan), 0.0_real64]
        call problem%cone_assemble(system, rows, stat, errmsg)
        call refused(stat, errmsg, perp_bad_value)
        rows%b_N = [0.0_real64, 0.0_real64, 0.0_real64]
        call problem%cone_assemble(system, rows, stat, errmsg)
        call refused(stat, errmsg, perp_bad_size)
        call problem%cone_assemble(none, rows, stat, errmsg)
        call refused(stat, errmsg, perp_null_argument)
        if (none%created()) error stop "a system made by a refused call"
        if (problem%created()) error stop "a problem made by a refused call"
    end subroutine refused_input

    subroutine refused(stat, errmsg, expected)
        integer, intent(in) :: stat, expected
        character(*), intent(in) :: errmsg

        print "(a52, 1x, a)", [character(52) :: perp_status_text(stat)], errmsg
        if (stat /= expected) error stop "wrong status"
    end subroutine refused
end program residual
