! A brick with four contacts on a slope: one time step from rest, sticking and sliding.
!
! Axes: x down the slope, y across it, z away from it. The brick's velocity v is that of its centre
! (1..3) and its angular velocity (4..6). A corner at r from the centre moves at v + w x r: the z
! component is a row of N, the x and y components are two rows of D.
program brick_on_slope
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none
    real(real64), parameter :: pi = acos(-1.0_real64), g = 9.81_real64, h = 0.01_real64  ! m/s^2, s
    real(real64), parameter :: mass = 2, a = 0.1_real64, b = 0.05_real64, c = 0.03_real64 ! kg; m
    real(real64), parameter :: mu = 0.2_real64, slope = 30 * pi / 180
    real(real64), parameter :: coulomb = h * g * (sin(slope) - mu * cos(slope))  ! Coulomb's speed
    real(real64), parameter :: lifted = coulomb / (1 + mu**2)  ! the cone law's

    call three_steps()

contains

    subroutine three_steps()
        real(real64), allocatable :: v(:)

        call step(20 * pi / 180, 0.6_real64, 0.0_real64, v)  ! tan 20 = 0.36 < 0.6: sticks
        call check(v, 0.0_real64, 0.0_real64)
        call step(slope, mu, 0.0_real64, v)  ! tan 30 = 0.58 > 0.2: slides, and is lifted
        call check(v, lifted, mu * lifted)
        call step(slope, mu, h * mu * coulomb, v)  ! from the gap of steady sliding: Coulomb's speed
        call check(v, coulomb, 0.0_real64)
    end subroutine three_steps

    ! The velocity v at the end of a step that starts at rest with a gap (m) under all corners.
    subroutine step(slope, friction, gap, v)
        real(real64), intent(in) :: slope, friction, gap
        real(real64), allocatable, intent(inout) :: v(:)
        real(real64), parameter :: x(4) = [a, a, -a, -a], y(4) = [b, -b, b, -b], z = -c  ! corners
        real(real64) :: M(6, 6), N(4, 6), D(8, 6), impulses(12)
        type(perp_triplets) :: t_M, t_N, t_D
        type(perp_system) :: system
        type(perp_rows) :: rows
        type(perp_problem) :: problem
        type(perp_settings) :: settings
        type(perp_solver) :: solver
        type(perp_info) :: info
        integer :: i

        M = 0
        N = 0
        D = 0
        do i = 1, 3
            M(i, i) = mass
        end do
        M(4, 4) = mass * (b**2 + c**2) / 3
        M(5, 5) = mass * (a**2 + c**2) / 3
        M(6, 6) = mass * (a**2 + b**2) / 3
        do i = 1, 4
            N(i, 3:5) = [1.0_real64, y(i), -x(i)]
            D(2 * i - 1, [1, 5, 6]) = [1.0_real64, z, -y(i)]
            D(2 * i, [2, 4, 6]) = [1.0_real64, -z, x(i)]
        end do
        call t_M%set_dense(M)  ! large matrices: t_M%set(rows, cols, row, col, value)
        call t_N%set_dense(N)
        call t_D%set_dense(D)
        call system%create(t_M, N=t_N, D=t_D)

        rows%f = h * mass * g * [sin(slope), 0.0_real64, -cos(slope), 0.0_real64, 0.0_real64, &
            0.0_real64]  ! M v + h forces; v = 0
        rows%b_N = spread(gap / h, 1, 4)
        rows%mu = spread(friction, 1, 4)
        call problem%cone_assemble(system, rows)

        settings%tolerance = 1e-10_real64
        call solver%create(problem, settings)
        impulses = 0  ! 4 normal, then 4 x 2 of friction, N s
        call solver%solve(impulses, info=info)
        call problem%constraint_velocity(impulses, v=v)
        print "(a, i2, a, f3.1, a, f6.4, 3a, f7.5, a, f7.5, a)", "slope ", nint(slope * 180 / pi), &
            ", mu ", friction, ", gap ", 1e3_real64 * gap, " mm: ", &
            perp_outcome_text(info%outcome), "; ", abs(v(1)), " m/s down, ", abs(v(3)), &
            " m/s away"
        if (info%outcome /= perp_solved) error stop "not solved"
    end subroutine step

    subroutine check(v, down, away)
        real(real64), intent(in) :: v(:), down, away

        if (.not. all(abs(v - [down, 0.0_real64, away, 0.0_real64, 0.0_real64, 0.0_real64]) &
            < 1e-9_real64)) error stop "wrong velocity"
    end subroutine check
end program brick_on_slope
