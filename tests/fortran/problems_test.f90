! Systems and problems: what goes in and comes out, counted from 1.
program problems_test
    use, intrinsic :: iso_fortran_env, only: int64, real64
    use perp
    use perp_c, only: c_perp_residual
    use checks
    implicit none
    real(real64), parameter :: weight = 2 * 9.81_real64 * 1e-3_real64

    call texts()
    call triplets()
    call assembled()
    call sections_and_expressions()
    call bounds()
    call ties()
    call delassus()
    call files()
    call end_of_test("problems")

contains

    subroutine texts()
        type(perp_problem) :: problem
        integer :: stat
        character(:), allocatable :: message

        call expect(perp_version() == 100, "version")
        call expect(index(perp_build_info(), "perp 0.1.0") == 1, "build info")
        call expect(perp_status_text(perp_bad_index) == "an index is out of range", "status text")
        call expect(perp_outcome_text(perp_solved) == "solved", "outcome text")
        call expect(perp_method_name(perp_apgd) == "apgd", "method name")
        call expect(len(perp_method_name(99_int64)) == 0, "no method's name")
        call expect(perp_method_from_name("lemke  ") == perp_lemke, "method from name")
        call expect(perp_method_from_name("none") == 0, "method from no name")
        call problem%blcp_create(perp_triplets(rows=1, cols=1), [perp_infinity], stat=stat)
        call perp_last_message(message)
        call expect(message == "q[0] = inf is not finite", "C's own message: " // message)
        call expect(perp_infinity > huge(1.0_real64), "infinity")
    end subroutine texts

    subroutine triplets()
        type(perp_triplets) :: a, b

        call a%set(2_int64, 3_int64, [1_int64, 2_int64], [3_int64, 1_int64], [5.0_real64, &
            7.0_real64])
        call b%set_dense(reshape([0.0_real64, 7.0_real64, 0.0_real64, 0.0_real64, 5.0_real64, &
            0.0_real64], [2, 3]))
        call expect(b%rows == 2 .and. b%cols == 3, "size of a dense matrix")
        call expect(all(b%row == [2, 1]) .and. all(b%col == [1, 3]), "entries of a dense matrix")
        call expect_near(b%value, a%value([2, 1]), "values of a dense matrix")
    end subroutine triplets

    subroutine assembled()
        type(perp_triplets) :: M, N, D, W
        type(perp_system) :: system
        type(perp_sizes) :: sizes
        type(perp_problem) :: problem
        type(perp_rows) :: rows
        type(perp_problem_info) :: info
        type(perp_residual_info) :: residual, c_residual
        real(real64), allocatable :: u(:), v(:)

        call three_contacts(M, N, D)
        call system%create(M, N=N, D=D)
        sizes = system%sizes()
        call expect(sizes%velocities == 3 .and. sizes%bilateral == 0 .and. sizes%contacts == 3 &
            .and. sizes%sliding == 3 .and. sizes%angular == 0 .and. sizes%boxes == 0, "sizes")
        call expect(problem%rows() == 0, "rows of no problem")
        rows%f = [0.0_real64, -weight, 0.0_real64]
        rows%mu = [0.5_real64, 0.5_real64, 0.5_real64]
        call problem%cone_assemble(system, rows)
        call problem%get_info(info)
        call expect(info%rows == 6 .and. info%velocities == 3 .and. info%contacts == 3 .and. &
            info%tangential_rows == 1 .and. info%law == perp_law_cone, "info of a cone problem")
        call expect(problem%rows() == 6, "rows")
        sizes = problem%sizes()
        call expect(sizes%sliding == 3, "sizes of a problem")

        ! The weight, 2 v = f: all on the contact in the middle is right; all on the third one turns
        ! the body: u_N = N v.
        call problem%residual([0.0_real64, weight, 0.0_real64, 0.0_real64, 0.0_real64, &
            0.0_real64], residual)
        call expect(residual%eta < 1e-14_real64, "eta of a solution")
        call expect(residual%worst_row == 0 .or. residual%eta > 0, "worst row of a solution")
        call problem%residual([0.0_real64, 0.0_real64, weight, 0.0_real64, 0.0_real64, &
            0.0_real64], residual)
        call expect(c_perp_residual(problem%c_object(), [0.0_real64, 0.0_real64, weight, &
            0.0_real64, 0.0_real64, 0.0_real64], c_residual) == perp_ok, "C's own")
        call expect(residual%worst_row == c_residual%worst_row + 1, "worst row counts from 1")
        call problem%constraint_velocity([0.0_real64, 0.0_real64, weight, 0.0_real64, 0.0_real64, &
            0.0_real64], u, v)
        call expect_near(v, [0.0_real64, 0.0_real64, 2 * weight], "v")
        call expect_near(u, 2 * weight * [-1, 0, 1, 0, 0, 0], "u")

        call problem%form_matrix(W)
        call expect(W%rows == 6 .and. W%cols == 6, "size of W")
        call expect(minval(W%row) == 1 .and. maxval(W%row) == 6, "rows of W count from 1")
        call expect(minval(W%col) == 1 .and. maxval(W%col) == 6, "columns of W count from 1")
        ! W(1, 1) = 1 / 2 + 1 / 0.5
        call expect_near(pack(W%value, W%row == 1 .and. W%col == 1), [2.5_real64], "W(1, 1)")

        rows%f = 2 * rows%f
        call problem%set_rows(rows)
        call problem%constraint_velocity(spread(0.0_real64, 1, 6), v=v)
        call expect_near(v, [0.0_real64, -2 * weight / 2, 0.0_real64], "v of new rows")
        call problem%set_law(perp_law_coulomb)
        call problem%get_info(info)
        call expect(info%law == perp_law_coulomb, "law")
        call expect(problem%supports(perp_pgs), "pgs takes cones")
        call expect(.not. problem%supports(perp_lemke), "lemke does not")

        ! The problem has its own copy of the system's values.
        call system%update(perp_matrix_m, 4 * M%value)
        call problem%constraint_velocity(spread(0.0_real64, 1, 6), v=v)
        call expect_near(v, [0.0_real64, -weight, 0.0_real64], "v of the old system")
        call problem%set_rows(rows, system)
        call problem%constraint_velocity(spread(0.0_real64, 1, 6), v=v)
        call expect_near(v, [0.0_real64, -weight / 4, 0.0_real64], "v with the new matrices")
        call problem%cone_assemble(system, rows)
        call problem%constraint_velocity(spread(0.0_real64, 1, 6), v=v)
        call expect_near(v, [0.0_real64, -weight / 4, 0.0_real64], "v of the new system")
    end subroutine assembled

    subroutine sections_and_expressions()
        type(perp_triplets) :: M, N, D
        type(perp_system) :: system
        type(perp_problem) :: problem
        type(perp_rows) :: rows
        type(perp_solver) :: solver
        type(perp_residual_info) :: residual
        real(real64) :: table(2, 12), z(6)
        integer(int64) :: index(3, 5)

        call three_contacts(M, N, D)
        index = 0
        index(2, :) = N%row
        table = 0
        table(1, 1:10:2) = N%value
        call N%set(3_int64, 3_int64, index(2, :), N%col, table(1, 1:10:2))
        call system%create(M, N=N)
        call system%update(perp_matrix_n, table(1, 1:10:2))
        call system%update(perp_matrix_n, N%value + 0)
        rows%f = [0.0_real64, -weight, 0.0_real64]
        call problem%cone_assemble(system, rows)
        call solver%create(problem, perp_settings(tolerance=1e-12_real64))
        table = -7
        call solver%solve(table(2, 12:2:-4))
        call problem%residual(table(2, 12:2:-4), residual)
        call expect(residual%eta <= 1e-12_real64, "solved into a section")
        call expect(all(abs(table(1, :) + 7) <= 0) .and. abs(table(2, 11) + 7) <= 0, &
            "beside a section")
        z = 0
        z(1:3) = table(2, [12, 8, 4])
        call problem%residual(2 * z(1:3) / 2, residual)
        call expect(residual%eta <= 1e-12_real64, "an expression")
    end subroutine sections_and_expressions

    subroutine bounds()
        type(perp_triplets) :: H
        type(perp_problem) :: problem
        type(perp_problem_info) :: info
        real(real64), allocatable :: u(:)
        real(real64), parameter :: q(2) = [-4, 1]

        call H%set_dense(reshape([2.0_real64, 0.0_real64, 0.0_real64, 4.0_real64], [2, 2]))
        call problem%blcp_create(H, q)
        call problem%get_info(info)
        call expect(info%boxes == 2 .and. info%matrix_form == 1, "a BLCP")
        call solved(problem, [2.0_real64, -0.25_real64], "no bounds")
        call problem%blcp_create(H, q, hi=[1.0_real64, perp_infinity])
        call solved(problem, [1.0_real64, -0.25_real64], "upper bounds")
        call problem%blcp_create(H, q, lo=[0.0_real64, 0.0_real64])
        call solved(problem, [2.0_real64, 0.0_real64], "lower bounds")
        call problem%set_vectors(lo=[3.0_real64, 1.0_real64])
        call solved(problem, [3.0_real64, 1.0_real64], "new lower bounds")
        call problem%set_vectors(hi=[3.0_real64, 1.0_real64], q=q - 100)
        call solved(problem, [3.0_real64, 1.0_real64], "new upper bounds and q")
        call problem%update([1.0_real64, 1.0_real64])
        call problem%constraint_velocity([1.0_real64, 1.0_real64], u)
        call expect_near(u, q - 99, "new values of H")
    end subroutine bounds

    subroutine solved(problem, right, what)
        type(perp_problem), intent(in) :: problem
        real(real64), intent(in) :: right(:)
        character(*), intent(in) :: what
        type(perp_solver) :: solver
        type(perp_info) :: info
        real(real64) :: z(size(right))

        z = 0
        call solver%create(problem, perp_settings(tolerance=1e-12_real64))
        call solver%solve(z, info=info)
        call expect(info%outcome == perp_solved, what // ": solved")
        call expect_near(z, right, what)
    end subroutine solved

    subroutine ties()
        type(perp_triplets) :: H
        type(perp_problem) :: problem
        type(perp_problem_info) :: info

        ! z(1) = 2 by itself; z(2) would be -5, and may be -0.5 * 2.
        call H%set_dense(reshape([1.0_real64, 0.0_real64, 0.0_real64, 1.0_real64], [2, 2]))
        call problem%blcp_create(H, [-2.0_real64, 5.0_real64], lo=[0.0_real64, -perp_infinity])
        call problem%set_ties([2_int64], [1_int64], [0.5_real64])
        call problem%get_info(info)
        call expect(info%tied == 1, "tied rows")
        call solved(problem, [2.0_real64, -1.0_real64], "tied bounds")
        call problem%set_ties([integer(int64) ::], [integer(int64) ::], [real(real64) ::])
        call solved(problem, [2.0_real64, -5.0_real64], "no ties")
    end subroutine ties

    ! One contact with an equation: u = W z + V y + q, V' z + s = 0.
    subroutine delassus()
        type(perp_delassus_def) :: def
        type(perp_problem) :: problem
        type(perp_problem_info) :: info
        real(real64), allocatable :: u(:)

        call def%W%set_dense(reshape([2.0_real64, 0.0_real64, 0.0_real64, 4.0_real64], [2, 2]))
        def%tangential_rows = 1
        def%q = [-1.0_real64, 0.5_real64]
        def%mu = [0.5_real64]
        call problem%delassus_create(def)
        call problem%get_info(info)
        call expect(info%rows == 2 .and. info%contacts == 1 .and. info%matrix_form == 2, "Delassus")
        allocate (def%V)
        call def%V%set(2, 1, [2], [1], [3.0_real64])
        def%s = [0.25_real64]
        call problem%delassus_create(def)
        call problem%constraint_velocity([1.0_real64, 2.0_real64, 10.0_real64], u)
        call expect_near(u, [1.0_real64, 38.5_real64, 6.25_real64], "u with an equation")
        call problem%set_vectors(q=[0.0_real64, 0.0_real64])
        call problem%constraint_velocity([1.0_real64, 2.0_real64, 10.0_real64], u)
        call expect_near(u, [2.0_real64, 38.0_real64, 6.25_real64], "u of a new q")
    end subroutine delassus

    subroutine files()
        type(perp_triplets) :: H, same
        type(perp_problem) :: problem, read
        real(real64), allocatable :: z(:)
        character(40) :: path  ! with blanks at its end, as in open

        path = "fortran_problems.h5"
        call H%set_dense(reshape([2.0_real64, 1.0_real64, 0.0_real64, 4.0_real64], [2, 2]))
        call problem%blcp_create(H, [1.0_real64, 2.0_real64])
        call problem%write(path, title="two rows")
        call read%read(path, perp_law_box)
        call read%form_matrix(same)
        call expect(all(same%row == [1, 2, 2]) .and. all(same%col == [1, 1, 2]), "H of a file")
        call expect_near(same%value, [2.0_real64, 1.0_real64, 4.0_real64], "values of a file")
        call problem%solution_write(path, [3.0_real64, 4.0_real64])
        call problem%solution_read(path, z)
        call expect_near(z, [3.0_real64, 4.0_real64], "solution of a file")
        call problem%write("fortran_problems/", perp_layout_matrix_market)
        call read%read("fortran_problems")
        call expect(read%rows() == 2, "rows of a folder")
    end subroutine files
end program problems_test
