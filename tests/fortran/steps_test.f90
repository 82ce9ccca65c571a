! Time steps: outputs, states, memory of contacts by their ids, counted from 1.
program steps_test
    use, intrinsic :: iso_fortran_env, only: int64, int8, real64
    use perp
    use checks
    implicit none
    real(real64), parameter :: h = 1e-3_real64, g = 9.81_real64

    call rest_and_slide()
    call default_ids()
    call goes_on_from_state()
    call end_of_test("steps")

contains

    subroutine make(system, rows)
        type(perp_system), intent(inout) :: system
        type(perp_rows), intent(out) :: rows
        type(perp_triplets) :: M, N, D

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        rows%f = [0.0_real64, -2 * g * h, 0.0_real64]
        rows%mu = [0.5_real64, 0.5_real64, 0.5_real64]
    end subroutine make

    subroutine rest_and_slide()
        type(perp_system) :: system
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_friction) :: friction
        type(perp_step_info) :: info
        real(real64), allocatable :: v(:), z(:)
        integer(int8), allocatable :: state(:)

        call make(system, rows)
        call friction%create(perp_friction_def(model=perp_friction_coulomb))
        contacts%h = h
        call friction%step(system, rows, contacts, perp_settings(tolerance=1e-10_real64), v, z, &
            state, info)
        call expect(info%outcome == perp_solved .and. info%converged == 1, "solved")
        call expect_near(v, [0.0_real64, 0.0_real64, 0.0_real64], "at rest")
        call expect(size(z) == 6 .and. abs(sum(z(1:3)) - 2 * g * h) < 1e-8_real64, "impulses")
        call expect(size(state) == 3 .and. all(state /= perp_slip), "states at rest")
        rows%f(1) = 2 * 1.0_real64  ! 1 m/s along
        call friction%step(system, rows, contacts, velocity=v, info=info)
        call expect(abs(v(1) - (1 - 0.5_real64 * g * h)) < 1e-4_real64, "slides")
        call expect(info%slip > 0 .and. info%remembered == 3, "info of the second step")
        call friction%step(system, rows, contacts)  ! no outputs
    end subroutine rest_and_slide

    subroutine default_ids()
        type(perp_system) :: system
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_friction) :: friction
        type(perp_step_info) :: info
        integer(int64), allocatable :: id(:)
        real(real64), allocatable :: record(:, :)

        call make(system, rows)
        call friction%create()
        call friction%get_state(id, record)
        call expect(size(id) == 0 .and. size(record) == 0, "no memory")
        contacts%h = h
        call friction%step(system, rows, contacts)
        call friction%get_state(id, record)
        call expect(all(id == [1, 2, 3]), "ids count from 1")
        call expect(size(record, 1) == perp_contact_record .and. size(record, 2) == 3, "record")
        call expect(abs(sum(record(1, :)) - 2 * g) < 0.01_real64, "normal forces, N")
        contacts%id = [30_int64, 2_int64, 10_int64]
        call friction%step(system, rows, contacts, info=info)
        call expect(info%remembered == 1, "contact 2 is known")
        call friction%get_state(id, record)
        call expect(all(id == [2, 10, 30]), "ids ascend")
        call friction%set_state(id(1:0), record(:, 1:0))
        call friction%get_state(id, record)
        call expect(size(id) == 0, "forgotten")
    end subroutine default_ids

    ! A step from a state that was set equals the step that it was taken before, to the bit.
    subroutine goes_on_from_state()
        type(perp_system) :: system
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_friction) :: friction, other
        type(perp_friction_def) :: def
        integer(int64), allocatable :: id(:)
        real(real64), allocatable :: record(:, :), v(:), z(:), other_z(:)

        call make(system, rows)
        rows%f(1) = 0.005_real64
        rows%compliance_N = spread(1 / (h**2 * 1e6_real64), 1, 3)
        def%model = perp_friction_bristle
        def%stiffness = 1e5_real64
        call friction%create(def)
        call other%create(def)
        contacts%h = h
        v = [0.0_real64, 0.0_real64, 0.0_real64]
        contacts%velocity = v
        contacts%normal_estimate = spread(2 * g / 3, 1, 3)
        call friction%step(system, rows, contacts, velocity=v)
        call friction%get_state(id, record)
        call other%set_state(id, record)
        call friction%step(system, rows, contacts, z=z)
        call other%step(system, rows, contacts, z=other_z)
        call expect(all(abs(z - other_z) <= 0), "to the bit")
    end subroutine goes_on_from_state
end program steps_test
