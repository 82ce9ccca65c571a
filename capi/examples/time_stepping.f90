! perp in an integrator of your own: a block slides over the ground and comes to rest.
!
! Planar: x along the ground, y up, angle q(3). The loop is yours: positions, gaps and Jacobians.
! perp gives the velocity at the end of the step. Two things make it right:
!  - The normal rows carry b_N = gap / h, and positions move with the NEW velocity (q = q + h v+).
!  - The impulses of one step are the guess of the next (warm start).
! System, problem and solver are made once: each step gives them new values.
program time_stepping
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    implicit none
    real(real64), parameter :: g = 9.81_real64, h = 1e-3_real64           ! m/s^2, s
    real(real64), parameter :: mass = 1, a = 0.1_real64, b = 0.05_real64  ! kg; half edges, m
    real(real64), parameter :: inertia = mass * (a**2 + b**2) / 3, friction = 0.5_real64
    real(real64), parameter :: start_speed = 2                            ! m/s
    real(real64), parameter :: time = start_speed / (friction * g)        ! Coulomb's law:
    real(real64), parameter :: way = start_speed * time / 2

    type :: result
        real(real64) :: x = 0, stop_time = 0, rest_speed = 0, lowest_gap = 1
        integer(int64) :: iterations = 0
    end type result
    type(result) :: warm, cold

    print "(a)", "  time         x     speed    gap mm"
    call simulate(1_int64, .true., warm)
    call simulate(0_int64, .false., cold)
    print "(a, f5.3, a, f6.4, a, f6.4, a, f6.4, a)", "rests after ", warm%stop_time, " s and ", &
        warm%x, " m (exact ", time, " s, ", way, " m)"
    print "(a, i0, a, i0, a)", "iterations: ", warm%iterations, " with warm start, ", &
        cold%iterations, " without"
    if (.not. abs(warm%stop_time - time) < 2 * h) error stop "wrong time"
    if (.not. abs(warm%x - way) < 2 * h * start_speed) error stop "wrong way"
    if (.not. warm%rest_speed < 1e-8_real64) error stop "no rest"
    if (.not. warm%lowest_gap > -1e-8_real64) error stop "penetration"
    if (.not. warm%iterations < cold%iterations) error stop "warm start is no help"

contains

    ! Gaps and Jacobian values of the two lower corners at position q; the pattern never changes:
    ! N has (0 1 x) and D has (1 0 -y) for a corner at (x, y) from the centre.
    pure subroutine corners(q, gap, N, D)
        real(real64), intent(in) :: q(3)
        real(real64), intent(out) :: gap(2), N(4), D(4)
        real(real64) :: x, y, side
        integer :: i

        do i = 1, 2
            side = merge(a, -a, i == 1)
            x = side * cos(q(3)) + b * sin(q(3))
            y = side * sin(q(3)) - b * cos(q(3))
            gap(i) = q(2) + y
            N(2 * i - 1:2 * i) = [1.0_real64, x]
            D(2 * i - 1:2 * i) = [1.0_real64, -y]
        end do
    end subroutine corners

    subroutine create_system(system, N, D)
        type(perp_system), intent(inout) :: system
        real(real64), intent(in) :: N(4), D(4)
        type(perp_triplets) :: t_M, t_N, t_D

        call t_M%set(3, 3, [1, 2, 3], [1, 2, 3], [mass, mass, inertia])
        call t_N%set(2, 3, [1, 1, 2, 2], [2, 3, 2, 3], N)
        call t_D%set(2, 3, [1, 1, 2, 2], [1, 3, 1, 3], D)  ! one sliding row a contact: planar
        call system%create(t_M, N=t_N, D=t_D)
    end subroutine create_system

    ! The rows of a step from the velocity v.
    pure function rows_of(gap, v) result(rows)
        real(real64), intent(in) :: gap(2), v(3)
        type(perp_rows) :: rows

        rows%f = [mass * v(1), mass * v(2) - h * mass * g, inertia * v(3)]  ! M v + h forces
        rows%b_N = gap / h
        rows%mu = [friction, friction]
    end function rows_of

    ! One step: from the velocity v to v+, in place.
    subroutine step(problem, solver, v, z, iterations)
        type(perp_problem), intent(in) :: problem
        type(perp_solver), intent(inout) :: solver
        real(real64), allocatable, intent(inout) :: v(:)
        real(real64), intent(inout) :: z(4)
        integer(int64), intent(inout) :: iterations
        type(perp_info) :: info

        call solver%solve(z, info=info)
        if (info%outcome /= perp_solved) error stop "step not solved"
        call problem%constraint_velocity(z, v=v)
        iterations = iterations + info%iterations
    end subroutine step

    subroutine simulate(warm_start, show, r)
        integer(int64), intent(in) :: warm_start
        logical, intent(in) :: show
        type(result), intent(out) :: r
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        real(real64), allocatable :: v(:)
        real(real64) :: q(3), gap(2), N(4), D(4), z(4)
        integer :: k

        ! The gap of steady sliding under the relaxed cone law, h mu v: from 0 the block would hop.
        q = [0.0_real64, b + h * friction * start_speed, 0.0_real64]
        v = [start_speed, 0.0_real64, 0.0_real64]
        z = 0
        call corners(q, gap, N, D)
        call create_system(system, N, D)
        call problem%cone_assemble(system, rows_of(gap, v))
        call solver%create(problem, perp_settings(tolerance=1e-8_real64, warm_start=warm_start))
        do k = 0, 599
            if (show .and. mod(k, 100) == 0) &
                print "(f6.1, 3f10.4)", k * h, q(1), v(1), 1e3_real64 * abs(minval(gap))
            call step(problem, solver, v, z, r%iterations)
            q = q + h * v
            if (v(1) > 1e-6_real64) r%stop_time = (k + 2) * h  ! the next step's end, or later
            call corners(q, gap, N, D)
            r%lowest_gap = min(r%lowest_gap, minval(gap))
            call system%update(perp_matrix_n, N)
            call system%update(perp_matrix_d, D)
            call problem%set_rows(rows_of(gap, v), system)  ! the solver follows
        end do
        r%x = q(1)
        r%rest_speed = maxval(abs(v))
    end subroutine simulate
end program time_stepping
