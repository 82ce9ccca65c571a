! Texts and versions. Lengths of results are explicit for the sake of threads (perp_failures.f90).
module perp_texts
    use, intrinsic :: iso_c_binding, only: c_int32_t
    use, intrinsic :: iso_fortran_env, only: int64
    use perp_c
    use perp_failures, only: c_text, get_text, text_length
    implicit none
    private
    public :: perp_build_info, perp_last_message, perp_method_from_name, perp_method_name, &
        perp_outcome_text, perp_status_text, perp_version

contains

    ! What a status (`stat`) means, in English.
    function perp_status_text(status) result(text)
        integer, intent(in) :: status
        character(text_length(c_perp_status_text(int(status, c_int32_t)))) :: text
        character(:), allocatable :: found

        call get_text(c_perp_status_text(int(status, c_int32_t)), found)
        text = found
    end function perp_status_text

    ! What an outcome (info%outcome) means, in English.
    function perp_outcome_text(outcome) result(text)
        integer(int64), intent(in) :: outcome
        character(text_length(c_perp_outcome_text(outcome))) :: text
        character(:), allocatable :: found

        call get_text(c_perp_outcome_text(outcome), found)
        text = found
    end function perp_outcome_text

    ! The message of this thread's last C call that failed, as C gave it: its indices count from 0.
    ! "" if none failed. errmsg is what a Fortran program wants.
    subroutine perp_last_message(message)
        character(:), allocatable, intent(out) :: message

        call get_text(c_perp_last_message(), message)
    end subroutine perp_last_message

    ! Version as major * 10000 + minor * 100 + patch.
    integer(int64) function perp_version()
        perp_version = c_perp_version()
    end function perp_version

    ! Version, compiler, flags, linked parts and their licences; several lines.
    function perp_build_info() result(text)
        character(text_length(c_perp_build_info())) :: text
        character(:), allocatable :: found

        call get_text(c_perp_build_info(), found)
        text = found
    end function perp_build_info

    ! "pgs" of perp_pgs; "" for an unknown method.
    function perp_method_name(method) result(name)
        integer(int64), intent(in) :: method
        character(text_length(c_perp_method_name(method))) :: name
        character(:), allocatable :: found

        call get_text(c_perp_method_name(method), found)
        name = found
    end function perp_method_name

    ! The method of a name; 0 if unknown.
    integer(int64) function perp_method_from_name(name) result(method)
        character(*), intent(in) :: name

        method = c_perp_method_from_name(c_text(name))
    end function perp_method_from_name
end module perp_texts
