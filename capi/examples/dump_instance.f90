! Write a problem to a file, read it back, solve it, add the solution to the file.
!
!     dump_instance [FILE]     default: brick_f90.h5
!
! The file stays for `perp info`, `perp solve`, `perp check`.
!
! problem%write on the problem that gave you trouble is all that a bug report needs.
program dump_instance
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none
    ! A planar brick of 2 kg that slides along the ground at 1 m/s, two contacts, friction 0.5, a
    ! step of 1 ms, with the gap of steady sliding. Rows of z: normal 1, normal 2, sliding 1, 2.
    real(real64), parameter :: h = 1e-3_real64, g = 9.81_real64, friction = 0.5_real64
    real(real64), parameter :: start_speed = 1                               ! m/s
    real(real64), parameter :: end_speed = start_speed - friction * g * h    ! by Coulomb's law

    call write_and_read(file_name())

contains

    function file_name() result(path)
        character(:), allocatable :: path
        integer :: length

        call get_command_argument(1, length=length)
        if (length > 0) then
            allocate (character(length) :: path)
            call get_command_argument(1, path)
        else
            path = "brick_f90.h5"
        end if
    end function file_name

    subroutine create_problem(problem)
        type(perp_problem), intent(inout) :: problem
        type(perp_triplets) :: M, N, D
        type(perp_system) :: system  ! ends here; the problem lives on
        type(perp_rows) :: rows

        call M%set(3, 3, [1, 2, 3], [1, 2, 3], [2.0_real64, 2.0_real64, 0.01_real64])
        call N%set(2, 3, [1, 1, 2, 2], [2, 3, 2, 3], [1.0_real64, 0.1_real64, 1.0_real64, &
            -0.1_real64])
        call D%set(2, 3, [1, 1, 2, 2], [1, 3, 1, 3], [1.0_real64, 0.05_real64, 1.0_real64, &
            0.05_real64])
        call system%create(M, N=N, D=D)
        rows%f = [2 * start_speed, -2 * g * h, 0.0_real64]
        rows%mu = [friction, friction]
        rows%b_N = [friction * end_speed, friction * end_speed]  ! gap / h, m/s
        call problem%cone_assemble(system, rows)
    end subroutine create_problem

    subroutine solve(problem, z, v, info)
        type(perp_problem), intent(in) :: problem
        real(real64), intent(out) :: z(:)
        real(real64), allocatable, intent(inout) :: v(:)
        type(perp_info), intent(inout) :: info
        type(perp_settings) :: settings
        type(perp_solver) :: solver

        settings%tolerance = 1e-10_real64
        call solver%create(problem, settings)
        z = 0
        call solver%solve(z, info=info)
        call problem%constraint_velocity(z, v=v)
    end subroutine solve

    subroutine write_and_read(path)
        character(*), intent(in) :: path
        type(perp_problem) :: problem, read
        type(perp_problem_info) :: size
        type(perp_residual_info) :: judged
        type(perp_info) :: info
        real(real64), allocatable :: z(:), z_memory(:), z_stored(:), v(:), v_memory(:)

        call create_problem(problem)
        call problem%write(path, title="sliding brick", source="capi/examples/dump_instance.f90")
        call read%read(path)
        call read%get_info(size)
        print "(2a, i0, a, i0, a, i0, a)", path, ": ", size%velocities, " velocities, ", &
            size%contacts, " contacts, ", size%rows, " rows"

        allocate (z(size%rows), z_memory(problem%rows()))
        call solve(problem, z_memory, v_memory, info)
        call solve(read, z, v, info)
        call read%solution_write(path, z, solver="apgd")
        call read%solution_read(path, z_stored)
        call read%residual(z_stored, judged)
        print "(2a, f8.6, a, f8.6, a)", perp_outcome_text(info%outcome), "; velocity ", v(1), &
            " m/s along, ", abs(v(2)), " m/s up"
        if (info%outcome /= perp_solved .or. .not. judged%eta <= 1e-10_real64) &
            error stop "not solved"
        if (.not. abs(v(1) - end_speed) < 1e-9_real64) error stop "wrong velocity"
        if (any(abs(z - z_memory) > 0) .or. any(abs(z - z_stored) > 0)) &
            error stop "not the same to the bit"
    end subroutine write_and_read
end program dump_instance
