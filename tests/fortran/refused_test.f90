! Refused input: status, a message that names argument, index (from 1) and value, and outputs that
! stay what they were.
program refused_test
    use, intrinsic :: ieee_arithmetic, only: ieee_quiet_nan, ieee_value
    use, intrinsic :: iso_fortran_env, only: int64, int8, real64
    use perp
    use perp_failures, only: one_based
    use checks
    implicit none

    call messages()
    call matrices()
    call rows_of_a_step()
    call problems()
    call ties()
    call solvers()
    call steps()
    call nothing_created()
    call files()
    call end_of_test("refused")

contains

    subroutine messages()
        call told("b_N[2] = nan is not finite", "b_N(3) = nan is not finite")
        call told("lo[9] = 2 exceeds hi[9] = 1", "lo(10) = 2 exceeds hi(10) = 1")
        call told("N: row[0] = 5 is outside 1..4 (index base 1)", &
            "N: row(1) = 5 is outside 1..4 (index base 1)")
        call told("M: entry (0, 12) (0-based) lies in the upper triangle", &
            "M: entry (1, 13) lies in the upper triangle")
        call told("M is not symmetric: M(0, 1) = 0.5 but M(1, 0) = 1e-05 (0-based); if one", &
            "M is not symmetric: M(1, 2) = 0.5 but M(2, 1) = 1e-05; if one")
        call told("the pivot -0.25 at degree of freedom 7 (0-based)", &
            "the pivot -0.25 at degree of freedom 8")
        call told("id[1] = 4 is also that of contact 0 (0-based)", &
            "id(2) = 4 is also that of contact 1")
        call told("D has 3 rows; 2 contacts need 0, 2 (planar) or 4", &
            "D has 3 rows; 2 contacts need 0, 2 (planar) or 4")
        call told("row 9: its effective mass is 0", "row 10: its effective mass is 0")
        call told("lo[1] = 0, but the bounds of row 1 are tied to row 0: a tied row", &
            "lo(2) = 0, but the bounds of row 2 are tied to row 1: a tied row")
        call told("row[1] = -1 is outside 0..3", "row(2) = 0 is outside 1..4", indices=.true.)
        call told("coefficient[1] = -1 is negative", "coefficient(2) = -1 is negative", &
            indices=.true.)
        call told("", "")
    end subroutine messages

    subroutine told(c, fortran, indices)
        character(*), intent(in) :: c, fortran
        logical, intent(in), optional :: indices
        character(:), allocatable :: text
        logical :: values

        values = .false.
        if (present(indices)) values = indices
        call one_based(c, values, text)
        call expect(text == fortran, text // " | " // fortran)
    end subroutine told

    real(real64) function nan()
        nan = ieee_value(1.0_real64, ieee_quiet_nan)
    end function nan

    subroutine matrices()
        type(perp_triplets) :: M, N, D, wrong
        type(perp_system) :: system
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64), parameter :: one = 1

        call three_contacts(M, N, D)
        call wrong%set(2, 3, [1, 2], [1], [one, one], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "row has 2, col 1 and value 2 entries")
        call expect(wrong%rows == 0 .and. .not. allocated(wrong%row), "a matrix not set")
        call wrong%set(2_int64, 3_int64, [1_int64], [1_int64], [one, one], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "row has 1, col 1 and value 2 entries")

        wrong = N
        wrong%value = [one]
        call system%create(M, N=wrong, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "N: row has 5, col 5 and value 1 entries")
        wrong = N
        wrong%row(2) = 4
        call system%create(M, N=wrong, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_index, "N: row(2) = 4 is outside 1..3")
        wrong = N
        wrong%col(5) = 0
        call system%create(M, N=wrong, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_index, "N: col(5) = 0 is outside 1..3")
        wrong = M
        wrong%value(3) = nan()
        call system%create(wrong, N=N, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "M: value(3) = nan is not finite")
        wrong%value = [one, -one, one]
        call system%create(wrong, N=N, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_not_positive_definite, "M(2, 2) = -1")
        call wrong%set_dense(reshape([one, one / 2, one / 4, one], [2, 2]))
        call system%create(wrong, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_not_symmetric, "M(1, 2) = 0.25 but M(2, 1) = 0.5")
        call system%create(M, N=N, mass_storage=7_int64, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "mass_storage = 7")
        call expect(.not. is_created(system), "no system of refused matrices")

        call system%create(M, N=N, stat=stat, errmsg=errmsg)
        call expect(stat == perp_ok .and. .not. allocated(errmsg), "success: no message")
        call system%update(perp_matrix_n, [one], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_pattern, "N: 1 values")
        call system%update(8589934592_int64, [one], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "matrix = ")
        call system%create(wrong, stat=stat, errmsg=errmsg)
        deallocate (errmsg)
        call expect(is_created(system), "a refused call leaves the old system")
    end subroutine matrices

    logical function is_created(system)
        type(perp_system), intent(in) :: system

        is_created = system%created()
    end function is_created

    subroutine rows_of_a_step()
        type(perp_triplets) :: M, N, D
        type(perp_system) :: system, nothing
        type(perp_problem) :: problem
        type(perp_rows) :: rows, good
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64) :: one(3) = 1

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        call problem%cone_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "f is missing")
        rows%f = one(1:2)
        call problem%cone_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "f has 2 entries, expected 3")
        rows%f = one
        rows%mu = one
        rows%lo_B = one
        call problem%blcp_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "lo_B has 3 entries, expected 0")
        deallocate (rows%lo_B)
        rows%mu(3) = -1
        call problem%cone_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "mu(3) = -1 is negative")
        rows%mu = one
        rows%lo_T = one
        rows%hi_T = -one
        call problem%blcp_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_bounds, "lo_T(1) = 1 exceeds hi_T(1) = -1")
        call expect(problem%rows() == 0, "no problem of refused rows")

        good%f = one
        good%mu = one
        call problem%cone_assemble(system, good)
        rows = good
        rows%b_T = [1.0_real64]
        call problem%set_rows(rows, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "b_T has 1 entries, expected 3")
        call problem%set_rows(good, nothing, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "system")
        call problem%set_vectors(one, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_unsupported, "set its rows instead")
        call problem%set_law(9_int64, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "law = 9")
        call problem%update(one, stat, errmsg)
        call expect_failure(stat, errmsg, perp_unsupported, "values: ")
    end subroutine rows_of_a_step

    subroutine problems()
        type(perp_triplets) :: H, empty
        type(perp_problem) :: problem
        type(perp_delassus_def) :: def
        type(perp_residual_info) :: residual
        type(perp_rows) :: rows
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64), allocatable :: u(:), v(:)
        real(real64), parameter :: one(3) = 1

        call H%set(3, 3, [1, 2, 3], [1, 2, 3], one)
        call problem%blcp_create(H, one(1:2), stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "q has 2 entries, expected 3")
        call problem%blcp_create(H, one, hi=one(1:1), stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "hi has 1 entries, expected 3")
        call problem%blcp_create(H, one, [0.0_real64, perp_infinity, 0.0_real64], stat=stat, &
            errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_bounds, "lo(2) = +inf")
        empty = perp_triplets(rows=-1, cols=-1)
        call problem%blcp_create(empty, one(1:0), stat=stat, errmsg=errmsg)
        call expect(stat == perp_bad_size, "negative size")
        deallocate (errmsg)

        call problem%blcp_create(H, one)
        call problem%residual(one(1:2), residual, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "z has 2 entries, expected 3")
        u = [7.0_real64]
        v = [8.0_real64]
        call problem%constraint_velocity([one, one], u, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "z has 6 entries, expected 3")
        call problem%constraint_velocity(one, u, v, stat, errmsg)
        call expect_failure(stat, errmsg, perp_unsupported, "v: a problem in matrix form")
        call expect_near([u, v], [7.0_real64, 8.0_real64], "outputs of refused calls")
        call problem%set_vectors(lo=[one, one], stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "lo has 6 entries, expected 3")
        call problem%set_rows(rows, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_unsupported, "rows: this problem has a matrix form")
        call problem%update(one(1:2), stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_pattern, "H: 2 values")
        call expect(.not. problem%supports(99_int64, stat, errmsg), "supports no method")
        call expect(stat /= perp_ok .and. allocated(errmsg), "why not")

        def%W = H
        def%q = one
        def%tangential_rows = 2
        def%mu = one
        call problem%delassus_create(def, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "mu has 3 entries, expected 1")
        def%tangential_rows = 5
        call problem%delassus_create(def, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "tangential_rows = 5")
    end subroutine problems

    subroutine ties()
        type(perp_triplets) :: H
        type(perp_problem) :: problem
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64), parameter :: one(2) = 1

        call H%set(2, 2, [1, 2], [1, 2], one)
        call problem%blcp_create(H, one)
        call problem%set_ties([1_int64, 2_int64], [1_int64], one, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "normal has 1 entries, expected 2")
        call problem%set_ties([3_int64], [1_int64], [1.0_real64], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_index, "row(1) = 3 is outside 1..2")
        call problem%set_ties([1_int64], [0_int64], [1.0_real64], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_index, "normal(1) = 0 is outside 1..2")
        call problem%set_ties([2_int64], [2_int64], [1.0_real64], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "normal(1) = 2 is the row")
        call problem%set_ties([2_int64], [1_int64], [-1.0_real64], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "coefficient(1) = -1 is negative")
        call problem%blcp_create(H, one, lo=0 * one)
        call problem%set_ties([2_int64], [1_int64], [1.0_real64], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_bounds, &
            "lo(2) = 0, but the bounds of row 2 are tied to row 1")
    end subroutine ties

    subroutine solvers()
        type(perp_triplets) :: H
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_settings) :: settings
        type(perp_info) :: info
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64) :: z(2)
        real(real64), allocatable :: d(:), u(:)
        integer(int8), allocatable :: set(:)

        call H%set(2, 2, [1, 2], [1, 2], [1.0_real64, 1.0_real64])
        call problem%blcp_create(H, [-1.0_real64, -1.0_real64])
        settings%tolerance = -1
        call solver%create(problem, settings, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "tolerance = -1")
        call solver%create(problem, perp_settings(method=perp_pgs))
        call solver%set("relaxtion", 1.0_real64, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "relaxtion")
        call solver%set("threads", 0, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "threads")
        call solver%set("method", "newtn", stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "newtn")
        call solver%set_settings(settings, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "tolerance = -1")
        z = 5
        u = [7.0_real64]
        call solver%solve(z(1:1), u, info, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "z has 1 entries, expected 2")
        call expect_near([z, u], [5.0_real64, 5.0_real64, 7.0_real64], "z and u of a refused call")
        call expect(info%outcome == 0, "info of a refused call")
        call solver%set("warm_start", 1)
        z(2) = nan()
        call solver%solve(z, u, info, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "z(2) = nan is not finite")
        z = 0
        call solver%solve(z)
        d = [9.0_real64]
        call solver%certificate(d, stat, errmsg)
        call expect(stat == perp_unsupported .and. allocated(errmsg), "no proof")
        call expect_near(d, [9.0_real64], "proof of a refused call")
        call solver%get_basic_set(set, stat, errmsg)
        call expect(stat == perp_unsupported .and. .not. allocated(set), "no basic set")
        call solver%set_basic_set([0_int8], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "set has 1 entries, expected 2")
        call solver%create(problem, perp_settings(method=perp_pivoting))
        call solver%set_basic_set([0_int8, 9_int8], stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "(2) = 9")
    end subroutine solvers

    subroutine steps()
        type(perp_triplets) :: M, N, D
        type(perp_system) :: system
        type(perp_friction) :: friction
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64), allocatable :: v(:), record(:, :)
        integer(int64), allocatable :: id(:)
        real(real64), parameter :: one(3) = 1

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        call friction%create(perp_friction_def(model=77_int64), stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_setting, "model = 77")
        call friction%create()
        rows%f = one
        rows%mu = one
        v = [7.0_real64]
        call friction%step(system, rows, contacts, velocity=v, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "h = 0")
        contacts%h = 1
        contacts%id = [1_int64, 2_int64]
        call friction%step(system, rows, contacts, velocity=v, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "id has 2 entries, expected 3")
        contacts%id = [5_int64, 2_int64, 5_int64]
        call friction%step(system, rows, contacts, velocity=v, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "id(3) = 5 is also that of contact 1")
        contacts%id = [5_int64, 2_int64, 6_int64]
        contacts%axes = one
        call friction%step(system, rows, contacts, velocity=v, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "axes has 3 entries, expected 9")
        call expect_near(v, [7.0_real64], "velocity of a refused step")
        call friction%set_state([1_int64], reshape(one, [3, 1]), stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_size, "record has 3 entries, expected 8")
        call friction%set_state([1_int64], reshape([real(real64) :: -1, 0, 0, 0, 0, 0, 0, 0], &
            [8, 1]), stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "record(1) = -1: the normal force")
        call friction%get_state(id, record)
        call expect(size(id) == 0, "refused steps and states leave no memory")
    end subroutine steps

    subroutine nothing_created()
        type(perp_triplets) :: W
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_solver) :: solver
        type(perp_friction) :: friction
        type(perp_rows) :: rows
        type(perp_contacts) :: contacts
        type(perp_settings) :: settings
        integer :: stat
        character(:), allocatable :: errmsg
        real(real64) :: z(0)

        call system%update(perp_matrix_m, z, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "system has not been created")
        call problem%cone_assemble(system, rows, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "system has not been created")
        call problem%form_matrix(W, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "problem has not been created")
        call problem%write("x.h5", stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "problem has not been created")
        call solver%create(problem, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "problem has not been created")
        call solver%solve(z, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "solver has not been created")
        call solver%get_settings(settings, stat, errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "solver has not been created")
        call solver%set_callback(stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "solver has not been created")
        call friction%step(system, rows, contacts, stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_null_argument, "friction has not been created")
    end subroutine nothing_created

    subroutine files()
        type(perp_problem) :: problem
        integer :: stat
        character(:), allocatable :: errmsg

        call problem%read("no such file[3].h5", stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_file_not_found, "no such file[3].h5")
        call problem%read("x.h5", 77_int64, stat, errmsg)
        call expect_failure(stat, errmsg, perp_bad_value, "law = 77")
        call problem%blcp_create(perp_triplets(rows=1, cols=1), [1.0_real64])
        call problem%write("no such folder/x.h5", stat=stat, errmsg=errmsg)
        call expect_failure(stat, errmsg, perp_file_write, "no such folder/x.h5")
    end subroutine files
end program refused_test
