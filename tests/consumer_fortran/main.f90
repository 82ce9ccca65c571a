! A user's program: a point mass of 2 kg falls on the ground, one step.
program main
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none

    print "(a, i0)", "perp ", perp_version()
    call step()

contains

    subroutine step()
        type(perp_triplets) :: M, N
        type(perp_system) :: system
        type(perp_rows) :: rows
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(1)

        call M%set(1, 1, [1], [1], [2.0_real64])
        call N%set(1, 1, [1], [1], [1.0_real64])
        call system%create(M, N=N)
        rows%f = [2 * (-3.0_real64)]  ! it comes at 3 m/s
        call problem%cone_assemble(system, rows)
        call solver%create(problem)
        z = 0
        call solver%solve(z, info=info)
        print "(2a, f6.3, a)", perp_outcome_text(info%outcome), ", impulse", z(1), " N s"
        if (.not. abs(z(1) - 6) < 1e-9_real64) error stop "wrong impulse"
    end subroutine step
end program main
