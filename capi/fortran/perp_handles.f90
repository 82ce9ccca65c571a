! A variable's hold on an object of perp (perp_handle_table.c): assignment shares the object, the
! last variable that holds it destroys it, and one whose object is gone finds none.
module perp_handles
    use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_int64_t, c_null_ptr, c_ptr
    implicit none
    private

    type, public :: perp_handle
        private
        integer(c_int64_t) :: index = 0, serial = 0
    contains
        procedure :: keep
        procedure :: object
        procedure :: share
        procedure :: release
    end type perp_handle

    interface
        function perp_handle_keep(object, index) bind(C) result(serial)
            import :: c_int64_t, c_ptr
            type(c_ptr), value :: object
            integer(c_int64_t), intent(inout) :: index
            integer(c_int64_t) :: serial
        end function perp_handle_keep

        function perp_handle_find(index, serial) bind(C) result(object)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: index, serial
            type(c_ptr) :: object
        end function perp_handle_find

        subroutine perp_handle_share(index, serial) bind(C)
            import :: c_int64_t
            integer(c_int64_t), value :: index, serial
        end subroutine perp_handle_share

        function perp_handle_release(index, serial, all) bind(C) result(object)
            import :: c_int32_t, c_int64_t, c_ptr
            integer(c_int64_t), value :: index, serial
            integer(c_int32_t), value :: all
            type(c_ptr) :: object
        end function perp_handle_release
    end interface

contains

    ! Holds a new object in place of none. .false.: no memory, and the object is still the caller's.
    function keep(handle, object) result(kept)
        class(perp_handle), intent(inout) :: handle
        type(c_ptr), intent(in) :: object
        logical :: kept

        handle%serial = perp_handle_keep(object, handle%index)
        kept = handle%serial /= 0
    end function keep

    ! The object, or null: none was created, or it is gone.
    function object(handle)
        class(perp_handle), intent(in) :: handle
        type(c_ptr) :: object

        object = c_null_ptr
        if (handle%serial /= 0) object = perp_handle_find(handle%index, handle%serial)
    end function object

    ! To be called on the source of an assignment.
    subroutine share(handle)
        class(perp_handle), intent(in) :: handle

        if (handle%serial /= 0) call perp_handle_share(handle%index, handle%serial)
    end subroutine share

    ! Lets go; `all`: for all that share it. `last` is the object if it is to be destroyed now, else
    ! null.
    subroutine release(handle, all, last)
        class(perp_handle), intent(inout) :: handle
        logical, intent(in) :: all
        type(c_ptr), intent(out) :: last

        last = c_null_ptr
        if (handle%serial /= 0) &
            last = perp_handle_release(handle%index, handle%serial, merge(1_c_int32_t, &
                0_c_int32_t, all))
        handle%index = 0
        handle%serial = 0
    end subroutine release
end module perp_handles
