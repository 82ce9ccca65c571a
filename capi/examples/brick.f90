! A brick of 2 kg on a slope of 30 degrees, friction 0.2: one step of 10 ms from rest.
subroutine brick
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none
    real(real64), parameter :: h = 0.01_real64, g = 9.81_real64, slope = acos(-1.0_real64) / 6
    real(real64), parameter :: x(4) = 0.1_real64 * [1, 1, -1, -1]   ! corners, m from the centre
    real(real64), parameter :: y(4) = 0.05_real64 * [1, -1, 1, -1], z = -0.03_real64
    real(real64) :: M(6, 6) = 0, N(4, 6) = 0, D(8, 6) = 0, impulses(12) = 0
    real(real64), allocatable :: v(:)
    type(perp_triplets) :: t_M, t_N, t_D
    type(perp_system) :: system
    type(perp_problem) :: problem
    type(perp_solver) :: solver
    type(perp_info) :: info
    integer :: i

    do i = 1, 4
        N(i, 3:5) = [1.0_real64, y(i), -x(i)]
        D(2 * i - 1, [1, 5, 6]) = [1.0_real64, z, -y(i)]
        D(2 * i, [2, 4, 6]) = [1.0_real64, -z, x(i)]
    end do
    do i = 1, 6
        M(i, i) = merge(2.0_real64, 0.01_real64, i <= 3)            ! kg, kg m^2
    end do
    call t_M%set_dense(M)     ! or t_M%set(rows, cols, row, col, value): triplets, from 1
    call t_N%set_dense(N)
    call t_D%set_dense(D)
    call system%create(t_M, N=t_N, D=t_D)
    call problem%cone_assemble(system, perp_rows(mu=spread(0.2_real64, 1, 4), &
        f=2 * h * g * [sin(slope), 0.0_real64, -cos(slope), 0.0_real64, 0.0_real64, 0.0_real64]))
    call solver%create(problem, perp_settings(tolerance=1e-10_real64))
    call solver%solve(impulses, info=info)
    call problem%constraint_velocity(impulses, v=v)
    print "(2a, f8.5, a, f8.5, a)", perp_outcome_text(info%outcome), ":", v(1), " m/s down,", &
        v(3), " m/s away"
    if (info%outcome /= perp_solved) error stop "not solved"
end subroutine brick

program main
    call brick
end program main
