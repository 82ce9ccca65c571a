! Every struct has the same layout in Fortran as in C (layout.c): the size, and the place of each
! component. All fields have eight bytes, so none can be forgotten on both sides. And what
! declarations fill in are the defaults that C fills in.
program layout_test
    use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_intptr_t, c_loc, c_ptr, c_sizeof
    use perp
    use perp_c
    use checks
    implicit none

    abstract interface
        function layout_function(out, room) bind(C) result(count)
            import :: c_int64_t
            integer(c_int64_t), intent(inout) :: out(*)
            integer(c_int64_t), value :: room
            integer(c_int64_t) :: count
        end function layout_function
    end interface

    interface same
        procedure :: same_integers, same_reals
    end interface same

    procedure(layout_function), bind(C) :: perp_triplets_layout
    procedure(layout_function), bind(C) :: perp_system_def_layout
    procedure(layout_function), bind(C) :: perp_rows_layout
    procedure(layout_function), bind(C) :: perp_delassus_def_layout
    procedure(layout_function), bind(C) :: perp_contacts_layout
    procedure(layout_function), bind(C) :: perp_settings_layout
    procedure(layout_function), bind(C) :: perp_info_layout
    procedure(layout_function), bind(C) :: perp_problem_info_layout
    procedure(layout_function), bind(C) :: perp_residual_info_layout
    procedure(layout_function), bind(C) :: perp_progress_layout
    procedure(layout_function), bind(C) :: perp_friction_def_layout
    procedure(layout_function), bind(C) :: perp_step_info_layout

    call check_perp_triplets()
    call check_perp_system_def()
    call check_perp_rows()
    call check_perp_delassus_def()
    call check_perp_contacts()
    call check_perp_settings()
    call check_perp_info()
    call check_perp_problem_info()
    call check_perp_residual_info()
    call check_perp_progress()
    call check_perp_friction_def()
    call check_perp_step_info()
    call check_defaults()
    call end_of_test("layout")

contains

    integer(c_int64_t) function address(pointer)
        type(c_ptr), intent(in) :: pointer

        address = transfer(pointer, 0_c_intptr_t)
    end function address

    ! places: of all components, struct first.
    subroutine compare(name, layout, size_of, places)
        character(*), intent(in) :: name
        procedure(layout_function) :: layout
        integer(c_int64_t), intent(in) :: size_of, places(:)
        integer(c_int64_t) :: c(64), count

        c = -1
        count = layout(c, size(c, kind=c_int64_t))
        call expect(count == size(places), name // ": number of components")
        call expect(8 * (count - 1) == c(1), name // ": components of eight bytes")
        call expect(size_of == c(1), name // ": size")
        if (count == size(places)) &
            call expect(all(places(2:) - places(1) == c(2:count)), name // ": places")
    end subroutine compare

    subroutine check_perp_triplets()
        type(perp_c_triplets), target :: x
        integer(c_int64_t) :: places(8)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%rows))
        places(3) = address(c_loc(x%cols))
        places(4) = address(c_loc(x%count))
        places(5) = address(c_loc(x%row))
        places(6) = address(c_loc(x%col))
        places(7) = address(c_loc(x%value))
        places(8) = address(c_loc(x%base))
        call compare("perp_triplets", perp_triplets_layout, c_sizeof(x), places)
    end subroutine check_perp_triplets

    subroutine check_perp_system_def()
        type(perp_c_system_def), target :: x
        integer(c_int64_t) :: places(10)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%M))
        places(4) = address(c_loc(x%A))
        places(5) = address(c_loc(x%N))
        places(6) = address(c_loc(x%D))
        places(7) = address(c_loc(x%S))
        places(8) = address(c_loc(x%B))
        places(9) = address(c_loc(x%mass_storage))
        places(10) = address(c_loc(x%symmetry_tolerance))
        call compare("perp_system_def", perp_system_def_layout, c_sizeof(x), places)
    end subroutine check_perp_system_def

    subroutine check_perp_rows()
        type(perp_c_rows), target :: x
        integer(c_int64_t) :: places(20)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%f))
        places(4) = address(c_loc(x%u))
        places(5) = address(c_loc(x%b_N))
        places(6) = address(c_loc(x%b_T))
        places(7) = address(c_loc(x%b_S))
        places(8) = address(c_loc(x%compliance_A))
        places(9) = address(c_loc(x%compliance_N))
        places(10) = address(c_loc(x%compliance_T))
        places(11) = address(c_loc(x%compliance_S))
        places(12) = address(c_loc(x%mu))
        places(13) = address(c_loc(x%rho))
        places(14) = address(c_loc(x%sigma))
        places(15) = address(c_loc(x%lo_T))
        places(16) = address(c_loc(x%hi_T))
        places(17) = address(c_loc(x%b_B))
        places(18) = address(c_loc(x%compliance_B))
        places(19) = address(c_loc(x%lo_B))
        places(20) = address(c_loc(x%hi_B))
        call compare("perp_rows", perp_rows_layout, c_sizeof(x), places)
    end subroutine check_perp_rows

    subroutine check_perp_delassus_def()
        type(perp_c_delassus_def), target :: x
        integer(c_int64_t) :: places(12)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%W))
        places(4) = address(c_loc(x%tangential_rows))
        places(5) = address(c_loc(x%angular_rows))
        places(6) = address(c_loc(x%q))
        places(7) = address(c_loc(x%mu))
        places(8) = address(c_loc(x%rho))
        places(9) = address(c_loc(x%sigma))
        places(10) = address(c_loc(x%V))
        places(11) = address(c_loc(x%R))
        places(12) = address(c_loc(x%s))
        call compare("perp_delassus_def", perp_delassus_def_layout, c_sizeof(x), places)
    end subroutine check_perp_delassus_def

    subroutine check_perp_contacts()
        type(perp_c_contacts), target :: x
        integer(c_int64_t) :: places(10)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%h))
        places(4) = address(c_loc(x%velocity))
        places(5) = address(c_loc(x%id))
        places(6) = address(c_loc(x%axes))
        places(7) = address(c_loc(x%sticking_speed))
        places(8) = address(c_loc(x%stiffness))
        places(9) = address(c_loc(x%normal_estimate))
        places(10) = address(c_loc(x%facet_angle))
        call compare("perp_contacts", perp_contacts_layout, c_sizeof(x), places)
    end subroutine check_perp_contacts

    subroutine check_perp_settings()
        type(perp_settings), target :: x
        integer(c_int64_t) :: places(18)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%method))
        places(4) = address(c_loc(x%tolerance))
        places(5) = address(c_loc(x%max_iterations))
        places(6) = address(c_loc(x%time_limit))
        places(7) = address(c_loc(x%warm_start))
        places(8) = address(c_loc(x%relaxation))
        places(9) = address(c_loc(x%sweep_order))
        places(10) = address(c_loc(x%symmetric_sweep))
        places(11) = address(c_loc(x%seed))
        places(12) = address(c_loc(x%check_interval))
        places(13) = address(c_loc(x%stagnation_window))
        places(14) = address(c_loc(x%threads))
        places(15) = address(c_loc(x%eliminate_bilateral))
        places(16) = address(c_loc(x%anderson_window))
        places(17) = address(c_loc(x%tie_rounds))
        places(18) = address(c_loc(x%least_norm))
        call compare("perp_settings", perp_settings_layout, c_sizeof(x), places)
    end subroutine check_perp_settings

    subroutine check_perp_info()
        type(perp_info), target :: x
        integer(c_int64_t) :: places(25)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%outcome))
        places(4) = address(c_loc(x%iterations))
        places(5) = address(c_loc(x%products))
        places(6) = address(c_loc(x%restarts))
        places(7) = address(c_loc(x%backtracks))
        places(8) = address(c_loc(x%eta))
        places(9) = address(c_loc(x%setup_seconds))
        places(10) = address(c_loc(x%solve_seconds))
        places(11) = address(c_loc(x%accelerated))
        places(12) = address(c_loc(x%eliminated))
        places(13) = address(c_loc(x%threads))
        places(14) = address(c_loc(x%outer_loops))
        places(15) = address(c_loc(x%interior_steps))
        places(16) = address(c_loc(x%block_steps))
        places(17) = address(c_loc(x%single_pivots))
        places(18) = address(c_loc(x%factorizations))
        places(19) = address(c_loc(x%updates))
        places(20) = address(c_loc(x%fallbacks))
        places(21) = address(c_loc(x%delta))
        places(22) = address(c_loc(x%backward_error))
        places(23) = address(c_loc(x%tie_rounds))
        places(24) = address(c_loc(x%method))
        places(25) = address(c_loc(x%least_norm))
        call compare("perp_info", perp_info_layout, c_sizeof(x), places)
    end subroutine check_perp_info

    subroutine check_perp_problem_info()
        type(perp_problem_info), target :: x
        integer(c_int64_t) :: places(16)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%rows))
        places(4) = address(c_loc(x%velocities))
        places(5) = address(c_loc(x%bilateral))
        places(6) = address(c_loc(x%contacts))
        places(7) = address(c_loc(x%tangential_rows))
        places(8) = address(c_loc(x%angular_rows))
        places(9) = address(c_loc(x%boxes))
        places(10) = address(c_loc(x%law))
        places(11) = address(c_loc(x%matrix_form))
        places(12) = address(c_loc(x%nonzeros))
        places(13) = address(c_loc(x%largest_mass_block))
        places(14) = address(c_loc(x%asymmetry))
        places(15) = address(c_loc(x%free_velocity_norm))
        places(16) = address(c_loc(x%tied))
        call compare("perp_problem_info", perp_problem_info_layout, c_sizeof(x), places)
    end subroutine check_perp_problem_info

    subroutine check_perp_residual_info()
        type(perp_residual_info), target :: x
        integer(c_int64_t) :: places(13)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%eta))
        places(4) = address(c_loc(x%eta_bilateral))
        places(5) = address(c_loc(x%eta_normal))
        places(6) = address(c_loc(x%eta_friction))
        places(7) = address(c_loc(x%eta_box))
        places(8) = address(c_loc(x%worst_row))
        places(9) = address(c_loc(x%eta_coulomb))
        places(10) = address(c_loc(x%penetration_velocity))
        places(11) = address(c_loc(x%cone_violation))
        places(12) = address(c_loc(x%complementarity))
        places(13) = address(c_loc(x%bilateral_velocity))
        call compare("perp_residual_info", perp_residual_info_layout, c_sizeof(x), places)
    end subroutine check_perp_residual_info

    subroutine check_perp_progress()
        type(perp_progress), target :: x
        integer(c_int64_t) :: places(7)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%iteration))
        places(4) = address(c_loc(x%products))
        places(5) = address(c_loc(x%eta))
        places(6) = address(c_loc(x%best_eta))
        places(7) = address(c_loc(x%seconds))
        call compare("perp_progress", perp_progress_layout, c_sizeof(x), places)
    end subroutine check_perp_progress

    subroutine check_perp_friction_def()
        type(perp_friction_def), target :: x
        integer(c_int64_t) :: places(11)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%model))
        places(4) = address(c_loc(x%bounds))
        places(5) = address(c_loc(x%axes))
        places(6) = address(c_loc(x%facets))
        places(7) = address(c_loc(x%max_passes))
        places(8) = address(c_loc(x%pass_tolerance))
        places(9) = address(c_loc(x%sticking_speed))
        places(10) = address(c_loc(x%stiffness))
        places(11) = address(c_loc(x%recovery_speed))
        call compare("perp_friction_def", perp_friction_def_layout, c_sizeof(x), places)
    end subroutine check_perp_friction_def

    subroutine check_perp_step_info()
        type(perp_step_info), target :: x
        integer(c_int64_t) :: places(25)

        places(1) = address(c_loc(x))
        places(2) = address(c_loc(x%struct_size))
        places(3) = address(c_loc(x%outcome))
        places(4) = address(c_loc(x%method))
        places(5) = address(c_loc(x%passes))
        places(6) = address(c_loc(x%converged))
        places(7) = address(c_loc(x%eta))
        places(8) = address(c_loc(x%law_residual))
        places(9) = address(c_loc(x%dissipation))
        places(10) = address(c_loc(x%elastic_energy))
        places(11) = address(c_loc(x%open))
        places(12) = address(c_loc(x%stick))
        places(13) = address(c_loc(x%slip))
        places(14) = address(c_loc(x%roll))
        places(15) = address(c_loc(x%remembered))
        places(16) = address(c_loc(x%iterations))
        places(17) = address(c_loc(x%products))
        places(18) = address(c_loc(x%factorizations))
        places(19) = address(c_loc(x%updates))
        places(20) = address(c_loc(x%fallbacks))
        places(21) = address(c_loc(x%tie_rounds))
        places(22) = address(c_loc(x%setup_seconds))
        places(23) = address(c_loc(x%solve_seconds))
        places(24) = address(c_loc(x%total_seconds))
        places(25) = address(c_loc(x%least_norm))
        call compare("perp_step_info", perp_step_info_layout, c_sizeof(x), places)
    end subroutine check_perp_step_info

    subroutine same_integers(a, b, what)
        integer(c_int64_t), intent(in) :: a, b
        character(*), intent(in) :: what

        call expect(a == b, what)
    end subroutine same_integers

    subroutine same_reals(a, b, what)
        real(c_double), intent(in) :: a, b
        character(*), intent(in) :: what

        call expect(.not. (a < b .or. a > b), what)
    end subroutine same_reals

    subroutine check_defaults()
        call check_settings()
        call check_friction_def()
    end subroutine check_defaults

    subroutine check_settings()
        type(perp_settings) :: declared, given

        given%method = -1
        given%tolerance = -1
        call perp_settings_init(given)
        call same(declared%struct_size, given%struct_size, &
            "perp_settings: struct_size")
        call same(declared%method, given%method, &
            "perp_settings: method")
        call same(declared%tolerance, given%tolerance, &
            "perp_settings: tolerance")
        call same(declared%max_iterations, given%max_iterations, &
            "perp_settings: max_iterations")
        call same(declared%time_limit, given%time_limit, &
            "perp_settings: time_limit")
        call same(declared%warm_start, given%warm_start, &
            "perp_settings: warm_start")
        call same(declared%relaxation, given%relaxation, &
            "perp_settings: relaxation")
        call same(declared%sweep_order, given%sweep_order, &
            "perp_settings: sweep_order")
        call same(declared%symmetric_sweep, given%symmetric_sweep, &
            "perp_settings: symmetric_sweep")
        call same(declared%seed, given%seed, &
            "perp_settings: seed")
        call same(declared%check_interval, given%check_interval, &
            "perp_settings: check_interval")
        call same(declared%stagnation_window, given%stagnation_window, &
            "perp_settings: stagnation_window")
        call same(declared%threads, given%threads, &
            "perp_settings: threads")
        call same(declared%eliminate_bilateral, given%eliminate_bilateral, &
            "perp_settings: eliminate_bilateral")
        call same(declared%anderson_window, given%anderson_window, &
            "perp_settings: anderson_window")
        call same(declared%tie_rounds, given%tie_rounds, &
            "perp_settings: tie_rounds")
        call same(declared%least_norm, given%least_norm, &
            "perp_settings: least_norm")
    end subroutine check_settings

    subroutine check_friction_def()
        type(perp_friction_def) :: declared, given

        given%model = -1
        given%recovery_speed = -1
        call perp_friction_def_init(given)
        call same(declared%struct_size, given%struct_size, &
            "perp_friction_def: struct_size")
        call same(declared%model, given%model, &
            "perp_friction_def: model")
        call same(declared%bounds, given%bounds, &
            "perp_friction_def: bounds")
        call same(declared%axes, given%axes, &
            "perp_friction_def: axes")
        call same(declared%facets, given%facets, &
            "perp_friction_def: facets")
        call same(declared%max_passes, given%max_passes, &
            "perp_friction_def: max_passes")
        call same(declared%pass_tolerance, given%pass_tolerance, &
            "perp_friction_def: pass_tolerance")
        call same(declared%sticking_speed, given%sticking_speed, &
            "perp_friction_def: sticking_speed")
        call same(declared%stiffness, given%stiffness, &
            "perp_friction_def: stiffness")
        call same(declared%recovery_speed, given%recovery_speed, &
            "perp_friction_def: recovery_speed")
    end subroutine check_friction_def
end program layout_test
