! Instance files and their solutions.
submodule (perp_problems) perp_problem_files
    implicit none

contains

    module procedure read_problem
        type(perp_failure) :: failure
        type(c_ptr) :: made
        integer(int64) :: wanted

        made = c_null_ptr
        wanted = perp_law_auto
        if (present(law)) wanted = law
        call failure%check(c_perp_problem_read(c_text(path), as_int32(wanted), made), &
            verbatim=.true.)
        call hold(problem, made, failure)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure read_problem

    module procedure write_problem
        type(perp_failure) :: failure
        character(:), allocatable :: title_text, source_text
        integer(int64) :: wanted

        title_text = ""
        source_text = ""
        if (present(title)) title_text = title
        if (present(source)) source_text = source
        wanted = perp_layout_auto
        if (present(layout)) wanted = layout
        call failure%check_created("problem", problem%c_object())
        if (.not. failure%happened()) &
            call failure%check(c_perp_problem_write(problem%c_object(), c_text(path), &
                as_int32(wanted), c_text(title_text), c_text(source_text)), verbatim=.true.)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure write_problem

    module procedure solution_read
        real(real64), allocatable :: found(:)
        type(perp_problem_info) :: info
        type(perp_failure) :: failure

        call info_of(problem, info, failure)
        if (.not. failure%happened()) then
            allocate (found(info%rows))
            call failure%check(c_perp_solution_read(problem%c_object(), c_text(path), found), &
                verbatim=.true.)
        end if
        if (.not. failure%happened()) call move_alloc(found, z)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure solution_read

    module procedure solution_write
        type(perp_problem_info) :: info
        type(perp_failure) :: failure
        character(:), allocatable :: solver_text

        solver_text = ""
        if (present(solver)) solver_text = solver
        call info_of(problem, info, failure)
        call failure%check_size("z", size(z, kind=int64), info%rows)
        if (.not. failure%happened()) &
            call failure%check(c_perp_solution_write(problem%c_object(), c_text(path), z, &
                c_text(solver_text)), verbatim=.true.)
        if (present(errmsg)) call failure%explain(errmsg)
        call failure%report(stat)
    end procedure solution_write
end submodule perp_problem_files
