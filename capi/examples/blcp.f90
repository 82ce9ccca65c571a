! General bounded complementarity problems, without any mechanics:
!
!     lo <= z <= hi,  u = H z + q,  u >= 0 where z = lo,  u <= 0 where z = hi,  u = 0 between.
!
! Three problems: a linear complementarity problem (LCP), the same with a new q, and a mixed problem
! with a free row; then one that has no solution.
program blcp
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none

    call solve_some()
    call prove_that_there_is_none()

contains

    subroutine create_solver(solver, problem)
        type(perp_solver), intent(inout) :: solver
        type(perp_problem), intent(in) :: problem
        type(perp_settings) :: settings

        settings%method = perp_pgs
        settings%tolerance = 1e-12_real64
        call solver%create(problem, settings)
    end subroutine create_solver

    ! Solves a problem of three rows, prints it and compares z with what is right.
    subroutine solve3(solver, name, right)
        type(perp_solver), intent(in) :: solver
        character(*), intent(in) :: name
        real(real64), intent(in) :: right(3)
        real(real64) :: z(3)
        real(real64), allocatable :: u(:)
        type(perp_info) :: info
        integer :: i

        z = 0
        call solver%solve(z, u, info)
        print "(a10, a)", [character(10) :: name], perp_outcome_text(info%outcome)
        do i = 1, 3
            print "(a, i0, a, f8.5, a, i0, a, f8.5)", "  z(", i, ") = ", abs(z(i)), "   u(", i, &
                ") = ", merge(0.0_real64, u(i), abs(u(i)) < 1e-9_real64)
        end do
        if (info%outcome /= perp_solved) error stop "not solved"
        if (.not. all(abs(z - right) < 1e-9_real64)) error stop "wrong impulses"
    end subroutine solve3

    subroutine solve_some()
        real(real64), parameter :: q(3) = [-1, 3, -5], zero(3) = 0
        type(perp_triplets) :: H
        type(perp_problem) :: lcp, mixed
        type(perp_solver) :: solver

        ! An LCP (z >= 0) on which pivoting by whole blocks cycles.
        call H%set_dense(reshape([real(real64) :: 22, -5, 18, -5, 6, -11, 18, -11, 25], [3, 3]))
        call lcp%blcp_create(H, q, lo=zero)  ! no upper bounds
        call create_solver(solver, lcp)
        call solve3(solver, "LCP", [0.0_real64, 0.0_real64, 0.2_real64])
        call lcp%set_vectors(q=2 * q)  ! lo and hi stay; the solver sees the change
        call solve3(solver, "2 q", [0.0_real64, 0.0_real64, 0.4_real64])

        ! A mixed problem: the first row is an equation, the last has two bounds.
        call H%set_dense(reshape([real(real64) :: 4, 1, 0, 1, 3, -1, 0, -1, 2], [3, 3]))
        call mixed%blcp_create(H, [real(real64) :: -1, 2, -6], &
            lo=[-perp_infinity, 0.0_real64, -1.0_real64], &
            hi=[perp_infinity, perp_infinity, 1.0_real64])
        call create_solver(solver, mixed)  ! in place of the one before
        call solve3(solver, "mixed", [0.25_real64, 0.0_real64, 1.0_real64])
    end subroutine solve_some

    ! z >= 0, u = 0 z - 1 >= 0 cannot be. The call works; the outcome says so, with a proof.
    subroutine prove_that_there_is_none()
        real(real64), parameter :: q(1) = -1
        type(perp_triplets) :: empty
        type(perp_problem) :: impossible
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(1)
        real(real64), allocatable :: d(:)

        empty = perp_triplets(rows=1, cols=1)  ! an empty 1 x 1 matrix
        call impossible%blcp_create(empty, q, lo=[0.0_real64])
        call create_solver(solver, impossible)
        z = 0
        call solver%solve(z, info=info)
        if (info%outcome /= perp_no_solution) error stop "a solution"
        call solver%certificate(d)
        print "(3a, f3.1, a, f4.1, a)", "H = 0, q = -1: ", perp_outcome_text(info%outcome), &
            "; along d = ", d(1), ", d . u = d . q = ", d(1) * q(1), " < 0 whatever z is"
        if (.not. d(1) > 0) error stop "no proof"
    end subroutine prove_that_there_is_none
end program blcp
