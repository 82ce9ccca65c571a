! What the tests of the Fortran modules share. A failed check is printed, and ends the program at
! last.
module checks
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    implicit none
    private
    public :: end_of_test, expect, expect_failure, expect_near, three_contacts
    integer :: failed = 0, done = 0

contains

    subroutine expect(is_so, what)
        logical, intent(in) :: is_so
        character(*), intent(in) :: what

        done = done + 1
        if (is_so) return
        failed = failed + 1
        print "(2a)", "wrong: ", what
    end subroutine expect

    subroutine expect_near(given, right, what)
        real(real64), intent(in) :: given(:), right(:)
        character(*), intent(in) :: what

        call expect(size(given) == size(right), what // ": size")
        if (size(given) == size(right)) &
            call expect(all(abs(given - right) <= 1e-9_real64 * (1 + abs(right))), what)
    end subroutine expect_near

    ! A call failed with this status and a message that contains `part`.
    subroutine expect_failure(stat, errmsg, status, part)
        integer, intent(in) :: stat, status
        character(:), allocatable, intent(inout) :: errmsg
        character(*), intent(in) :: part

        call expect(stat == status, "status of: " // part)
        call expect(allocated(errmsg), "message of: " // part)
        if (.not. allocated(errmsg)) return
        call expect(index(errmsg, part) > 0, errmsg // " | should contain: " // part)
        deallocate (errmsg)
    end subroutine expect_failure

    subroutine end_of_test(name)
        character(*), intent(in) :: name

        print "(2a, i0, a, i0, a)", name, ": ", done, " checks, ", failed, " failed"
        if (failed > 0) error stop "failed"
    end subroutine end_of_test

    ! A planar body of 2 kg, inertia 0.5 kg m^2, on three contacts in a line at -1, 0 and 1 m.
    subroutine three_contacts(M, N, D)
        type(perp_triplets), intent(out) :: M, N, D
        real(real64), parameter :: one = 1

        call M%set(3, 3, [1, 2, 3], [1, 2, 3], [2 * one, 2 * one, one / 2])
        call N%set(3, 3, [1, 1, 2, 3, 3], [2, 3, 2, 2, 3], [one, -one, one, one, one])
        call D%set(3, 3, [1, 2, 3], [1, 1, 1], [one, one, one])
    end subroutine three_contacts
end module checks
