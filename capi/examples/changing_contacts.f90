! Warm start while contacts come and go: a plate slides over a row of supports.
!
! Planar: x along the row, y up, angle q(3). Every support under the plate is a contact. Supports
! are left behind and reached, and a collision detector finds them in an order of its own: from step
! to step the impulses belong to other rows of N and D. Ids tell perp which contact is which: its
! memory and its guess of the impulses follow the id, and not the row.
program changing_contacts
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    implicit none
    real(real64), parameter :: g = 9.81_real64, h = 1e-3_real64, mu = 0.3_real64  ! m/s^2, s
    real(real64), parameter :: mass = 10, half = 1, c = 0.05_real64               ! kg, m
    real(real64), parameter :: spacing = 0.199_real64, start_speed = 2            ! m, m/s
    real(real64), parameter :: inertia = mass * (half**2 + c**2) / 3
    real(real64), parameter :: way = start_speed**2 / (2 * mu * g)                ! Coulomb's law
    integer, parameter :: by_id = 1, none = 3  ! 2: by row
    character(6), parameter :: names(3) = [character(6) :: "by id", "by row", "none"]
    integer(int64) :: iterations(3)
    integer :: guess

    print "(a)", "guess    slides m  iterations"
    do guess = by_id, none
        call slide(guess, iterations(guess))
    end do
    if (.not. iterations(by_id) < iterations(none)) error stop "warm start is no help"

contains

    ! The supports under the plate, in an order that changes with the step.
    subroutine find_contacts(step, q, id, gap, N, D)
        integer, intent(in) :: step
        real(real64), intent(in) :: q(3)
        integer(int64), allocatable, intent(out) :: id(:)
        real(real64), allocatable, intent(out) :: gap(:), N(:, :), D(:, :)
        real(real64), allocatable :: arm(:)
        integer :: first, count, i

        first = ceiling((q(1) - half) / spacing)
        count = floor((q(1) + half) / spacing) - first + 1
        id = int([(first + mod(i + step, count), i = 0, count - 1)], int64)
        arm = real(id, real64) * spacing - q(1)
        gap = q(2) - c + arm * q(3)
        allocate (N(count, 3), D(count, 3))
        N(:, 1) = 0
        N(:, 2) = 1
        N(:, 3) = arm
        D(:, 1) = 1
        D(:, 2) = 0
        D(:, 3) = c
    end subroutine find_contacts

    subroutine slide(guess, iterations)
        integer, intent(in) :: guess
        integer(int64), intent(out) :: iterations
        type(perp_triplets) :: t_M, t_N, t_D
        type(perp_system) :: system
        type(perp_friction) :: friction
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_step_info) :: info
        real(real64), allocatable :: v(:), gap(:), N(:, :), D(:, :)
        integer(int64), allocatable :: id(:)
        real(real64) :: q(3)
        integer :: k

        call friction%create(perp_friction_def(model=perp_friction_coulomb))
        call t_M%set(3, 3, [1, 2, 3], [1, 2, 3], [mass, mass, inertia])
        contacts%h = h
        q = [0.01_real64, c, 0.0_real64]
        v = [start_speed, 0.0_real64, 0.0_real64]
        iterations = 0
        do k = 0, 899
            call find_contacts(k, q, id, gap, N, D)
            call t_N%set_dense(N)
            call t_D%set_dense(D)
            call system%create(t_M, N=t_N, D=t_D)
            rows%f = [mass * v(1), mass * (v(2) - h * g), inertia * v(3)]  ! M v + h forces
            rows%b_N = gap / h
            rows%mu = spread(mu, 1, size(gap))
            if (guess == by_id) contacts%id = id  ! else: the row's number
            if (guess == none) call friction%create(perp_friction_def(model=perp_friction_coulomb))
            call friction%step(system, rows, contacts, perp_settings(tolerance=1e-8_real64), &
                velocity=v, info=info)
            if (info%outcome /= perp_solved) error stop "step not solved"
            q = q + h * v
            iterations = iterations + info%iterations
        end do
        print "(a, f11.4, i12)", names(guess), q(1) - 0.01_real64, iterations
        if (.not. abs(q(1) - 0.01_real64 - way) < 2 * h * start_speed) error stop "wrong way"
        if (.not. abs(v(1)) < 1e-8_real64) error stop "no rest"
    end subroutine slide
end program changing_contacts
