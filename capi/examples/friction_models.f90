! A body slides on a floor, 30 degrees off the axes of D, until friction has stopped it: the same
! integrator of ten lines under every friction model.
!
! By Coulomb's law it stops after v / (mu g) = 0.408 s and v^2 / (2 mu g) = 0.408 m, and friction
! has taken m v^2 / 2 = 4 J.
program friction_models
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    implicit none
    real(real64), parameter :: mass = 2, mu = 0.5_real64, g = 9.81_real64, h = 1e-3_real64
    real(real64), parameter :: speed = 2, angle = 0.5236_real64

    print "(a)", "model    stops after s  distance m  aside m  height mm  friction took J"
    call slide("coulomb", perp_friction_coulomb, exact=.true.)
    call slide("bristle", perp_friction_bristle, exact=.true.)
    call slide("cone", perp_friction_cone, exact=.false.)
    call slide("polygon", perp_friction_polygon, exact=.false.)
    call slide("box", perp_friction_box, exact=.false.)

contains

    ! n = (0, 0, 1), sliding along x and y; neither matrix changes.
    subroutine floor_contact(system)
        type(perp_system), intent(inout) :: system
        type(perp_triplets) :: M, N, D

        call M%set(3, 3, [1, 2, 3], [1, 2, 3], [mass, mass, mass])
        call N%set(1, 3, [1], [3], [1.0_real64])
        call D%set(2, 3, [1, 2], [1, 2], [1.0_real64, 1.0_real64])
        call system%create(M, N=N, D=D)
    end subroutine floor_contact

    subroutine slide(name, model, exact)
        character(*), intent(in) :: name
        integer(int64), intent(in) :: model
        logical, intent(in) :: exact  ! does the model keep to Coulomb's law?
        type(perp_system) :: system
        type(perp_friction) :: friction
        type(perp_settings) :: settings  ! by default the method that fits the model
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_step_info) :: info
        real(real64), allocatable :: v(:)
        real(real64) :: x(3), time, height, taken, aside
        integer :: k

        call floor_contact(system)
        call friction%create(perp_friction_def(model=model))
        settings%tolerance = 1e-9_real64
        rows%mu = [mu]
        contacts%h = h
        x = 0
        v = [speed * cos(angle), speed * sin(angle), 0.0_real64]
        time = 0
        height = 0
        taken = 0
        do k = 1, 2000
            if (norm2(v(1:2)) <= 1e-6_real64) exit
            rows%f = mass * v - [0.0_real64, 0.0_real64, h * mass * g]
            rows%b_N = [x(3) / h]
            contacts%velocity = v
            call friction%step(system, rows, contacts, settings, velocity=v, info=info)
            if (info%outcome /= perp_solved) print "(a)", perp_outcome_text(info%outcome)
            x = x + h * v  ! with the velocity of the end
            time = time + h
            taken = taken + info%dissipation
            height = max(height, x(3))
        end do
        aside = abs(x(2) * cos(angle) - x(1) * sin(angle))
        print "(a7, 2x, f13.3, 2x, f10.4, 2x, f7.4, 2x, f9.2, 2x, f15.3)", &
            [character(7) :: name], time, norm2(x(1:2)), aside, 1e3_real64 * height, taken
        if (exact .and. .not. (abs(time - 0.408_real64) < 2e-3_real64 .and. aside < 1e-6_real64)) &
            error stop "not Coulomb's law"
        if (.not. (taken > 3.5_real64 .and. taken < 4.1_real64)) error stop "wrong energy"
    end subroutine slide
end program friction_models
