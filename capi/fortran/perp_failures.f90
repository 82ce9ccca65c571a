! How a call of a Fortran procedure ends: the first thing that went wrong becomes `stat` and
! `errmsg`, or ends the program; C's messages, which count from 0, are told as Fortran counts.
!
! No function here has a result of deferred length: gfortran 12 keeps that length in a static
! variable where the function is called, and threads would share it.
module perp_failures
    use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int32_t, &
        c_null_char, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: int64
    use perp_c, only: c_perp_last_message
    use perp_constants, only: perp_bad_size, perp_null_argument, perp_ok
    implicit none
    private
    public :: as_int32, c_text, get_text, one_based, text_length, text_of

    type, public :: perp_failure
        integer :: status = perp_ok
        character(:), allocatable :: message
    contains
        procedure :: happened
        procedure :: set
        procedure :: check
        procedure :: check_size
        procedure :: check_created
        procedure :: explain
        procedure :: report
    end type perp_failure

    character(*), parameter :: digits = "0123456789"
    character(*), parameter :: name_end = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

    interface
        pure function strlen(text) bind(C, name="strlen") result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function strlen
    end interface

contains

    pure logical function happened(failure)
        class(perp_failure), intent(in) :: failure

        happened = failure%status /= perp_ok
    end function happened

    ! The first failure counts.
    subroutine set(failure, status, message)
        class(perp_failure), intent(inout) :: failure
        integer, intent(in) :: status
        character(*), intent(in) :: message

        if (failure%happened()) return
        failure%status = status
        failure%message = message
    end subroutine set

    ! The status of a C function. verbatim: the message is taken as it is (paths may look like
    ! array elements). indices: the values of row and normal in it are indices as well.
    subroutine check(failure, status, verbatim, indices)
        class(perp_failure), intent(inout) :: failure
        integer(c_int32_t), intent(in) :: status
        logical, intent(in), optional :: verbatim, indices
        logical :: as_it_is, values
        character(:), allocatable :: message, told

        if (status == perp_ok) return
        as_it_is = .false.
        values = .false.
        if (present(verbatim)) as_it_is = verbatim
        if (present(indices)) values = indices
        call get_text(c_perp_last_message(), message)
        if (as_it_is) then
            call failure%set(int(status), message)
        else
            call one_based(message, values, told)
            call failure%set(int(status), told)
        end if
    end subroutine check

    subroutine check_size(failure, name, size, expected)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        integer(int64), intent(in) :: size, expected

        if (size /= expected) &
            call failure%set(perp_bad_size, name // " has " // text_of(size) // &
                " entries, expected " // text_of(expected))
    end subroutine check_size

    subroutine check_created(failure, name, object)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        type(c_ptr), intent(in) :: object

        if (.not. c_associated(object)) &
            call failure%set(perp_null_argument, name // " has not been created, or is destroyed")
    end subroutine check_created

    ! The message, where there was a failure. gfortran 12 loses the length of an optional
    ! allocatable text that is passed on as optional: every procedure asks for its presence itself.
    subroutine explain(failure, errmsg)
        class(perp_failure), intent(in) :: failure
        character(:), allocatable, intent(inout) :: errmsg

        if (failure%happened()) errmsg = failure%message
    end subroutine explain

    ! As allocate does: without stat a failure ends the program.
    subroutine report(failure, stat)
        class(perp_failure), intent(in) :: failure
        integer, intent(out), optional :: stat

        if (present(stat)) then
            stat = failure%status
        else if (failure%happened()) then
            error stop "perp: " // failure%message
        end if
    end subroutine report

    pure function text_of(number) result(text)
        integer(int64), intent(in) :: number
        character(digits_of(number)) :: text

        write (text, "(i0)") number
    end function text_of

    ! Of a number as text, its sign included.
    pure integer function digits_of(number)
        integer(int64), intent(in) :: number
        character(20) :: buffer

        write (buffer, "(i0)") number
        digits_of = len_trim(buffer)
    end function digits_of

    ! For int32_t arguments: what does not fit is no legal value, and stays so.
    pure integer(c_int32_t) function as_int32(value)
        integer(int64), intent(in) :: value

        as_int32 = int(max(-1_int64, min(value, int(huge(0_c_int32_t), int64))), c_int32_t)
    end function as_int32

    ! A text for C: without trailing blanks, as in open(file=...).
    pure function c_text(text)
        character(*), intent(in) :: text
        character(kind=c_char, len=len_trim(text) + 1) :: c_text

        c_text = trim(text) // c_null_char
    end function c_text

    ! Of a text of C; 0 for NULL.
    pure integer function text_length(c)
        type(c_ptr), intent(in) :: c

        text_length = 0
        if (c_associated(c)) text_length = int(strlen(c))
    end function text_length

    ! A text of C; "" for NULL.
    subroutine get_text(c, text)
        type(c_ptr), intent(in) :: c
        character(:), allocatable, intent(out) :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: i, length

        length = text_length(c)
        allocate (character(length) :: text)
        if (length == 0) return
        call c_f_pointer(c, letters, [length])
        do i = 1, length
            text(i:i) = letters(i)
        end do
    end subroutine get_text

    ! C's message with indices as Fortran counts: f[2] becomes f(3), row 2 becomes row 3, and of
    ! what is said to be 0-based, contacts, velocities, degrees of freedom and entries as well.
    ! indices: the message is about arrays of indices, whose values then count from 1, too.
    pure subroutine one_based(message, indices, text)
        character(*), intent(in) :: message
        logical, intent(in) :: indices
        character(:), allocatable, intent(out) :: text
        logical :: zero_based, next_is_index
        integer :: at, last

        zero_based = index(message, "(0-based)") > 0
        text = ""
        next_is_index = .false.
        at = 1
        do while (at <= len(message))
            last = at + max(verify(message(at:) // " ", digits) - 1, 0) - 1  ! of digits from `at`
            if (last >= at .and. follows_index_word(text, zero_based, indices, next_is_index)) then
                call append_successor(text, message(at:last))
                next_is_index = .false.
            else if (last >= at) then
                text = text // message(at:last)
            else if (next_is_index .and. index(message(at:), "-1 ") == 1) then
                last = at + 1  ! C was given -1 for 0
                text = text // "0"
                next_is_index = .false.
            else if (is_element(message, at)) then
                last = at + index(message(at:), "]") - 1
                next_is_index = indices .and. (ends_with(message(:at - 1), "row") .or. &
                    ends_with(message(:at - 1), "normal"))
                text = text // "("
                call append_successor(text, message(at + 1:last - 1))
                text = text // ")"
            else if (index(message(at:), " (0-based)") == 1) then
                last = at + len(" (0-based)") - 1
            else
                last = at
                text = text // message(at:at)
            end if
            at = last + 1
        end do
    end subroutine one_based

    ! Is the number after `text` an index?
    pure logical function follows_index_word(text, zero_based, indices, next_is_index)
        character(*), intent(in) :: text
        logical, intent(in) :: zero_based, indices, next_is_index

        follows_index_word = ends_with(text, " row ") .or. text == "row " .or. &
            (next_is_index .and. ends_with(text, ") = ")) .or. &
            (indices .and. (ends_with(text, "outside ") .or. ends_with(text, ".."))) .or. &
            (zero_based .and. (ends_with(text, "contact ") .or. ends_with(text, "velocity ") .or. &
                ends_with(text, "degree of freedom ") .or. ends_with(text, "M(") .or. &
                ends_with(text, "entry (") .or. second_of_pair(text)))
    end function follows_index_word

    ! Does the text end with "(i, "?
    pure logical function second_of_pair(text)
        character(*), intent(in) :: text
        integer :: open

        second_of_pair = .false.
        if (.not. ends_with(text, ", ")) return
        open = index(text, "(", back=.true.)
        if (open == 0 .or. open > len(text) - 3) return
        second_of_pair = verify(text(open + 1:len(text) - 2), digits) == 0
    end function second_of_pair

    ! Is there a name before `at`, and [digits] from there on?
    pure logical function is_element(message, at)
        character(*), intent(in) :: message
        integer, intent(in) :: at
        integer :: close

        is_element = .false.
        if (at == 1 .or. message(at:at) /= "[") return
        close = index(message(at:), "]") - 1 + at
        if (close < at + 2) return
        is_element = scan(message(at - 1:at - 1), name_end) == 1 .and. &
            verify(message(at + 1:close - 1), digits) == 0
    end function is_element

    pure logical function ends_with(text, ending)
        character(*), intent(in) :: text, ending

        ends_with = .false.
        if (len(text) >= len(ending)) &
            ends_with = text(len(text) - len(ending) + 1:) == ending
    end function ends_with

    ! The next number, in digits.
    pure subroutine append_successor(text, number)
        character(:), allocatable, intent(inout) :: text
        character(*), intent(in) :: number
        character(20) :: buffer
        integer(int64) :: value
        integer :: status

        read (number, *, iostat=status) value
        if (status == 0 .and. value < huge(value)) then
            write (buffer, "(i0)") value + 1
            text = text // trim(buffer)
        else
            text = text // number
        end if
    end subroutine append_successor
end module perp_failures
