! Who destroys what: nothing twice, nothing never, whatever is copied. Run it under valgrind, too.
module lifetime_test_types
    use perp
    implicit none

    type :: simulation  ! a user's type: assigning it assigns its components
        type(perp_system) :: system
        type(perp_problem) :: problem
    end type simulation
end module lifetime_test_types

program lifetime_test
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    use checks
    use lifetime_test_types
    implicit none

    call many()
    call shared()
    call copied_bit_by_bit()
    call components()
    call arrays()
    call end_of_test("lifetime")

contains

    subroutine make(system, problem)
        type(perp_system), intent(inout) :: system
        type(perp_problem), intent(inout) :: problem
        type(perp_triplets) :: M, N, D
        type(perp_rows) :: rows

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        rows%f = [0.0_real64, -1.0_real64, 0.0_real64]
        rows%mu = [0.5_real64, 0.5_real64, 0.5_real64]
        call problem%cone_assemble(system, rows)
    end subroutine make

    subroutine many()
        integer :: i

        do i = 1, 1000
            call one(mod(i, 3) == 0)
        end do
    end subroutine many

    ! Ends without or with explicit destruction.
    subroutine one(explicitly)
        logical, intent(in) :: explicitly
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_friction) :: friction
        type(perp_contacts) :: contacts
        type(perp_rows) :: rows
        real(real64) :: z(6)
        logical :: created

        call make(system, problem)
        call solver%create(problem)
        call solver%create(problem)  ! in place of the first
        call friction%create()
        if (explicitly) call problem%destroy()
        z = 0
        call solver%solve(z)
        rows%f = [0.0_real64, -1.0_real64, 0.0_real64]
        rows%mu = [0.5_real64, 0.5_real64, 0.5_real64]
        contacts%h = 1
        call friction%step(system, rows, contacts)
        if (.not. explicitly) return
        call system%destroy()
        call solver%destroy()
        call solver%destroy()
        call friction%destroy()
        created = system%created()
        if (created) call expect(.false., "created after destroy")
    end subroutine one

    subroutine shared()
        type(perp_problem) :: kept
        integer :: stat

        call share(kept)
        call expect(kept%rows() == 6, "shared, and outlives the first")
        kept = kept
        call expect(kept%rows() == 6, "assigned to itself")
        call destroy_copy(kept)
        call expect(kept%rows() == 0, "destroyed for all")
        call kept%set_law(perp_law_cone, stat)
        call expect(stat == perp_null_argument, "what is destroyed refuses")
    end subroutine shared

    subroutine share(kept)
        type(perp_problem), intent(inout) :: kept
        type(perp_system) :: system
        type(perp_problem) :: problem, other

        call make(system, problem)
        other = problem
        kept = other
        call make(system, other)  ! a new one: lets go of the shared one
    end subroutine share

    subroutine destroy_copy(problem)
        type(perp_problem), intent(in) :: problem
        type(perp_problem) :: copy

        copy = problem
        call copy%destroy()
    end subroutine destroy_copy

    ! No procedure is called for these copies: at worst one finds its object gone.
    subroutine copied_bit_by_bit()
        type(perp_system) :: system
        type(perp_problem), allocatable :: first, second, third
        integer :: i

        do i = 1, 100
            allocate (first)
            call make(system, first)
            allocate (second, source=first)
            deallocate (first)
            allocate (third, source=second)
            deallocate (second)
            allocate (first, source=third)  ! perhaps at the old place
            call expect(mod(first%rows(), 6_int64) == 0, "alive or gone")
            deallocate (third)
            deallocate (first)
        end do
    end subroutine copied_bit_by_bit

    subroutine components()
        type(simulation) :: a, b
        type(simulation), allocatable :: c

        call make(a%system, a%problem)
        b = a
        call expect(b%problem%rows() == 6, "component of a copy")
        allocate (c)
        c = b
        call make(a%system, a%problem)
        deallocate (c)
        call expect(b%problem%rows() == 6, "component of a copy, after others ended")
    end subroutine components

    subroutine arrays()
        type(perp_system) :: systems(3), others(3)
        type(perp_problem) :: problems(3)
        type(perp_problem), allocatable :: moved(:), more(:)
        integer :: i

        do i = 1, 3
            call make(systems(i), problems(i))
        end do
        others = systems
        call systems(2)%destroy()
        call expect(count([(has_rows(others(i)), i=1, 3)]) == 2, "array of systems")
        allocate (moved(3))
        moved = problems
        call move_alloc(moved, more)
        call expect(more(3)%rows() == 6, "moved")
    end subroutine arrays

    logical function has_rows(system)
        type(perp_system), intent(in) :: system
        type(perp_sizes) :: sizes

        sizes = system%sizes()
        has_rows = sizes%contacts > 0
    end function has_rows
end program lifetime_test
