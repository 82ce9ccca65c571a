! Sparse matrices as triplets.
module perp_matrices
    use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_ptr
    use, intrinsic :: iso_fortran_env, only: int32, int64, real64
    use perp_c, only: perp_c_triplets
    use perp_constants, only: perp_bad_size
    use perp_failures, only: perp_failure, text_of
    implicit none
    private
    public :: as_c_triplets, pointer_to, triplets_pointer

    ! A sparse matrix of rows x cols as triplets in any order: duplicates are summed, explicit
    ! zeros and matrices without triplets (arrays not allocated, or of size 0) are legal. Rows and
    ! columns count from 1. Range and finiteness are checked where the matrix is used.
    !
    !     call N%set(4, 6, row, col, value)       arrays of one size, int32 or int64
    !     call N%set_dense(array)                 the entries of array(:, :) that are not 0
    !     N%value = value                         or by its components
    type, public :: perp_triplets
        integer(int64) :: rows = 0, cols = 0
        integer(int64), allocatable :: row(:), col(:)
        real(real64), allocatable :: value(:)
    contains
        procedure, private :: set_int32
        procedure, private :: set_int64
        generic :: set => set_int32, set_int64
        procedure :: set_dense
    end type perp_triplets

contains

    ! perp_bad_size where the arrays have not one size; the matrix is then what it was.
    subroutine set_int64(matrix, rows, cols, row, col, value, stat, errmsg)
        class(perp_triplets), intent(inout) :: matrix
        integer(int64), intent(in) :: rows, cols
        integer(int64), intent(in) :: row(:), col(:)
        real(real64), intent(in) :: value(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call set_arrays(failure, matrix, rows, cols, row, col, value)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_int64

    subroutine set_int32(matrix, rows, cols, row, col, value, stat, errmsg)
        class(perp_triplets), intent(inout) :: matrix
        integer(int32), intent(in) :: rows, cols
        integer(int32), intent(in) :: row(:), col(:)
        real(real64), intent(in) :: value(:)
        integer, intent(out), optional :: stat
        character(:), allocatable, intent(inout), optional :: errmsg
        type(perp_failure) :: failure

        call set_arrays(failure, matrix, int(rows, int64), int(cols, int64), int(row, int64), &
            int(col, int64), value)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end subroutine set_int32

    subroutine set_arrays(failure, matrix, rows, cols, row, col, value)
        class(perp_failure), intent(inout) :: failure
        class(perp_triplets), intent(inout) :: matrix
        integer(int64), intent(in) :: rows, cols, row(:), col(:)
        real(real64), intent(in) :: value(:)

        call check_sizes(failure, "", size(row, kind=int64), size(col, kind=int64), &
            size(value, kind=int64))
        if (failure%happened()) return
        matrix%rows = rows
        matrix%cols = cols
        matrix%row = row
        matrix%col = col
        matrix%value = value
    end subroutine set_arrays

    ! Column by column. NaN is an entry.
    subroutine set_dense(matrix, array)
        class(perp_triplets), intent(inout) :: matrix
        real(real64), intent(in) :: array(:, :)
        integer(int64) :: i, j, k

        k = count(.not. abs(array) <= 0, kind=int64)
        if (allocated(matrix%row)) deallocate (matrix%row)
        if (allocated(matrix%col)) deallocate (matrix%col)
        if (allocated(matrix%value)) deallocate (matrix%value)
        allocate (matrix%row(k), matrix%col(k), matrix%value(k))
        matrix%rows = size(array, 1, int64)
        matrix%cols = size(array, 2, int64)
        k = 0
        do j = 1, matrix%cols
            do i = 1, matrix%rows
                if (.not. abs(array(i, j)) <= 0) then
                    k = k + 1
                    matrix%row(k) = i
                    matrix%col(k) = j
                    matrix%value(k) = array(i, j)
                end if
            end do
        end do
    end subroutine set_dense

    subroutine check_sizes(failure, name, row, col, value)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        integer(int64), intent(in) :: row, col, value

        if (row /= value .or. col /= value) &
            call failure%set(perp_bad_size, name // "row has " // text_of(row) // ", col " // &
                text_of(col) // " and value " // text_of(value) // " entries")
    end subroutine check_sizes

    ! The matrix for a C function, while `matrix` lives and does not change. `name`: in messages.
    subroutine as_c_triplets(failure, name, matrix, c)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        type(perp_triplets), intent(in), target :: matrix
        type(perp_c_triplets), intent(out) :: c
        integer(int64) :: row, col

        row = 0
        col = 0
        if (allocated(matrix%row)) row = size(matrix%row, kind=int64)
        if (allocated(matrix%col)) col = size(matrix%col, kind=int64)
        if (allocated(matrix%value)) c%count = size(matrix%value, kind=int64)
        call check_sizes(failure, name // ": ", row, col, c%count)
        c%rows = matrix%rows
        c%cols = matrix%cols
        if (c%count == 0 .or. failure%happened()) return
        c%row = c_loc(matrix%row)
        c%col = c_loc(matrix%col)
        c%value = c_loc(matrix%value)
    end subroutine as_c_triplets

    ! The same for a matrix that may be absent: c holds it, and the result is what C is given.
    function triplets_pointer(failure, name, matrix, c) result(pointer)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        type(perp_triplets), intent(in), target, optional :: matrix
        type(perp_c_triplets), intent(out), target :: c
        type(c_ptr) :: pointer

        pointer = c_null_ptr
        if (.not. present(matrix)) return
        call as_c_triplets(failure, name, matrix, c)
        pointer = c_loc(c)
    end function triplets_pointer

    ! What C is given for a vector: null where it is not allocated. `expected` is its right size.
    function pointer_to(failure, name, vector, expected) result(pointer)
        class(perp_failure), intent(inout) :: failure
        character(*), intent(in) :: name
        real(real64), allocatable, intent(in), target :: vector(:)
        integer(int64), intent(in) :: expected
        type(c_ptr) :: pointer

        pointer = c_null_ptr
        if (.not. allocated(vector)) return
        call failure%check_size(name, size(vector, kind=int64), expected)
        if (expected > 0 .and. .not. failure%happened()) pointer = c_loc(vector)
    end function pointer_to
end module perp_matrices
