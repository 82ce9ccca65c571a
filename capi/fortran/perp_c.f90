! The C interface of perp.h as it is: for the modules that perp is made of, and for experts. Indices
! count from what C says, arrays are as long as C says, and nothing checks either. Functions have
! the prefix c_ before their C name. What they do is written in perp.h.
module perp_c
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int32_t, c_int64_t, &
        c_int8_t, c_null_ptr, c_ptr
    use perp_records, only: perp_friction_def, perp_info, perp_problem_info, perp_residual_info, &
        perp_settings, perp_step_info
    implicit none
    public
    private :: c_char, c_double, c_funptr, c_int32_t, c_int64_t, c_int8_t, c_null_ptr, c_ptr
    private :: perp_friction_def, perp_info, perp_problem_info, perp_residual_info, &
        perp_settings, perp_step_info

    ! The structs of perp.h with pointers. Null: not given.
    type, bind(C) :: perp_c_triplets
        integer(c_int64_t) :: rows = 0, cols = 0, count = 0
        type(c_ptr) :: row = c_null_ptr, col = c_null_ptr, value = c_null_ptr
        integer(c_int64_t) :: base = 1
    end type perp_c_triplets

    type, bind(C) :: perp_c_system_def
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: M, A, N, D, S, B
        integer(c_int64_t) :: mass_storage
        real(c_double) :: symmetry_tolerance
    end type perp_c_system_def

    type, bind(C) :: perp_c_rows
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: f, u, b_N, b_T, b_S
        type(c_ptr) :: compliance_A, compliance_N, compliance_T, compliance_S
        type(c_ptr) :: mu, rho, sigma, lo_T, hi_T
        type(c_ptr) :: b_B, compliance_B, lo_B, hi_B
    end type perp_c_rows

    type, bind(C) :: perp_c_delassus_def
        integer(c_int64_t) :: struct_size
        type(c_ptr) :: W
        integer(c_int64_t) :: tangential_rows, angular_rows
        type(c_ptr) :: q, mu, rho, sigma, V, R, s
    end type perp_c_delassus_def

    type, bind(C) :: perp_c_contacts
        integer(c_int64_t) :: struct_size
        real(c_double) :: h
        type(c_ptr) :: velocity, id, axes, sticking_speed, stiffness, normal_estimate, facet_angle
    end type perp_c_contacts

    ! Texts.
    interface
        pure function c_perp_status_text(status) bind(C, name="perp_status_text") result(text)
            import :: c_int32_t, c_ptr
            integer(c_int32_t), value :: status
            type(c_ptr) :: text
        end function c_perp_status_text

        pure function c_perp_outcome_text(outcome) bind(C, name="perp_outcome_text") result(text)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: outcome
            type(c_ptr) :: text
        end function c_perp_outcome_text

        function c_perp_last_message() bind(C, name="perp_last_message") result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function c_perp_last_message

        function c_perp_version() bind(C, name="perp_version") result(version)
            import :: c_int64_t
            integer(c_int64_t) :: version
        end function c_perp_version

        pure function c_perp_build_info() bind(C, name="perp_build_info") result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function c_perp_build_info

        pure function c_perp_method_name(method) bind(C, name="perp_method_name") result(text)
            import :: c_int64_t, c_ptr
            integer(c_int64_t), value :: method
            type(c_ptr) :: text
        end function c_perp_method_name

        function c_perp_method_from_name(name) bind(C, name="perp_method_from_name") &
            result(method)
            import :: c_char, c_int64_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int64_t) :: method
        end function c_perp_method_from_name
    end interface

    ! Systems.
    interface
        function c_perp_system_def_init(def, struct_size) bind(C, name="perp_system_def_init") &
            result(status)
            import :: c_int32_t, c_int64_t, perp_c_system_def
            type(perp_c_system_def), intent(out) :: def
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_system_def_init

        function c_perp_system_create(def, out) bind(C, name="perp_system_create") result(status)
            import :: c_int32_t, c_ptr, perp_c_system_def
            type(perp_c_system_def), intent(in) :: def
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_system_create

        function c_perp_system_update(system, matrix, count, values) &
            bind(C, name="perp_system_update") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: system
            integer(c_int32_t), value :: matrix
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: values(*)
            integer(c_int32_t) :: status
        end function c_perp_system_update

        subroutine c_perp_system_destroy(system) bind(C, name="perp_system_destroy")
            import :: c_ptr
            type(c_ptr), value :: system
        end subroutine c_perp_system_destroy
    end interface

    ! Problems.
    interface
        function c_perp_rows_init(rows, struct_size) bind(C, name="perp_rows_init") result(status)
            import :: c_int32_t, c_int64_t, perp_c_rows
            type(perp_c_rows), intent(out) :: rows
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_rows_init

        function c_perp_cone_assemble(system, rows, out) bind(C, name="perp_cone_assemble") &
            result(status)
            import :: c_int32_t, c_ptr, perp_c_rows
            type(c_ptr), value :: system
            type(perp_c_rows), intent(in) :: rows
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_cone_assemble

        function c_perp_blcp_assemble(system, rows, out) bind(C, name="perp_blcp_assemble") &
            result(status)
            import :: c_int32_t, c_ptr, perp_c_rows
            type(c_ptr), value :: system
            type(perp_c_rows), intent(in) :: rows
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_blcp_assemble

        function c_perp_blcp_create(H, q, lo, hi, out) bind(C, name="perp_blcp_create") &
            result(status)
            import :: c_double, c_int32_t, c_ptr, perp_c_triplets
            type(perp_c_triplets), intent(in) :: H
            real(c_double), intent(in) :: q(*)
            real(c_double), intent(in), optional :: lo(*), hi(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_blcp_create

        function c_perp_delassus_def_init(def, struct_size) &
            bind(C, name="perp_delassus_def_init") result(status)
            import :: c_int32_t, c_int64_t, perp_c_delassus_def
            type(perp_c_delassus_def), intent(out) :: def
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_delassus_def_init

        function c_perp_delassus_create(def, out) bind(C, name="perp_delassus_create") &
            result(status)
            import :: c_int32_t, c_ptr, perp_c_delassus_def
            type(perp_c_delassus_def), intent(in) :: def
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_delassus_create

        function c_perp_problem_set_rows(problem, system, rows) &
            bind(C, name="perp_problem_set_rows") result(status)
            import :: c_int32_t, c_ptr, perp_c_rows
            type(c_ptr), value :: problem, system
            type(perp_c_rows), intent(in) :: rows
            integer(c_int32_t) :: status
        end function c_perp_problem_set_rows

        function c_perp_problem_set_vectors(problem, q, lo, hi) &
            bind(C, name="perp_problem_set_vectors") result(status)
            import :: c_double, c_int32_t, c_ptr
            type(c_ptr), value :: problem
            real(c_double), intent(in), optional :: q(*), lo(*), hi(*)
            integer(c_int32_t) :: status
        end function c_perp_problem_set_vectors

        function c_perp_problem_set_ties(problem, count, row, normal, coefficient) &
            bind(C, name="perp_problem_set_ties") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: problem
            integer(c_int64_t), value :: count
            integer(c_int64_t), intent(in) :: row(*), normal(*)
            real(c_double), intent(in) :: coefficient(*)
            integer(c_int32_t) :: status
        end function c_perp_problem_set_ties

        function c_perp_problem_set_law(problem, law) bind(C, name="perp_problem_set_law") &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: problem
            integer(c_int64_t), value :: law
            integer(c_int32_t) :: status
        end function c_perp_problem_set_law

        function c_perp_problem_update(problem, count, values) &
            bind(C, name="perp_problem_update") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: problem
            integer(c_int64_t), value :: count
            real(c_double), intent(in) :: values(*)
            integer(c_int32_t) :: status
        end function c_perp_problem_update

        subroutine c_perp_problem_destroy(problem) bind(C, name="perp_problem_destroy")
            import :: c_ptr
            type(c_ptr), value :: problem
        end subroutine c_perp_problem_destroy

        function c_perp_problem_get_info(problem, info) bind(C, name="perp_problem_get_info") &
            result(status)
            import :: c_int32_t, c_ptr, perp_problem_info
            type(c_ptr), value :: problem
            type(perp_problem_info), intent(inout) :: info
            integer(c_int32_t) :: status
        end function c_perp_problem_get_info

        function c_perp_constraint_velocity(problem, z, u, v) &
            bind(C, name="perp_constraint_velocity") result(status)
            import :: c_double, c_int32_t, c_ptr
            type(c_ptr), value :: problem
            real(c_double), intent(in) :: z(*)
            real(c_double), intent(inout), optional :: u(*), v(*)
            integer(c_int32_t) :: status
        end function c_perp_constraint_velocity

        function c_perp_form_matrix(problem, count, row, col, value) &
            bind(C, name="perp_form_matrix") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: problem
            integer(c_int64_t), intent(inout) :: count
            integer(c_int64_t), intent(inout), optional :: row(*), col(*)
            real(c_double), intent(inout), optional :: value(*)
            integer(c_int32_t) :: status
        end function c_perp_form_matrix

        function c_perp_residual(problem, z, info) bind(C, name="perp_residual") result(status)
            import :: c_double, c_int32_t, c_ptr, perp_residual_info
            type(c_ptr), value :: problem
            real(c_double), intent(in) :: z(*)
            type(perp_residual_info), intent(inout) :: info
            integer(c_int32_t) :: status
        end function c_perp_residual
    end interface

    ! Solvers.
    interface
        function c_perp_settings_init(settings, struct_size) &
            bind(C, name="perp_settings_init") result(status)
            import :: c_int32_t, c_int64_t, perp_settings
            type(perp_settings), intent(inout) :: settings
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_settings_init

        function c_perp_solver_supports(problem, method) bind(C, name="perp_solver_supports") &
            result(status)
            import :: c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: problem
            integer(c_int64_t), value :: method
            integer(c_int32_t) :: status
        end function c_perp_solver_supports

        function c_perp_solver_create(problem, settings, out) &
            bind(C, name="perp_solver_create") result(status)
            import :: c_int32_t, c_ptr, perp_settings
            type(c_ptr), value :: problem
            type(perp_settings), intent(in), optional :: settings
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_solver_create

        function c_perp_solver_get_settings(solver, settings) &
            bind(C, name="perp_solver_get_settings") result(status)
            import :: c_int32_t, c_ptr, perp_settings
            type(c_ptr), value :: solver
            type(perp_settings), intent(inout) :: settings
            integer(c_int32_t) :: status
        end function c_perp_solver_get_settings

        function c_perp_solver_set_settings(solver, settings) &
            bind(C, name="perp_solver_set_settings") result(status)
            import :: c_int32_t, c_ptr, perp_settings
            type(c_ptr), value :: solver
            type(perp_settings), intent(in) :: settings
            integer(c_int32_t) :: status
        end function c_perp_solver_set_settings

        function c_perp_solver_set(solver, name, value) bind(C, name="perp_solver_set") &
            result(status)
            import :: c_char, c_int32_t, c_ptr
            type(c_ptr), value :: solver
            character(kind=c_char), intent(in) :: name(*), value(*)
            integer(c_int32_t) :: status
        end function c_perp_solver_set

        function c_perp_solver_set_callback(solver, callback, user) &
            bind(C, name="perp_solver_set_callback") result(status)
            import :: c_funptr, c_int32_t, c_ptr
            type(c_ptr), value :: solver
            type(c_funptr), value :: callback
            type(c_ptr), value :: user
            integer(c_int32_t) :: status
        end function c_perp_solver_set_callback

        function c_perp_solve(solver, z, u, info) bind(C, name="perp_solve") result(status)
            import :: c_double, c_int32_t, c_ptr, perp_info
            type(c_ptr), value :: solver
            real(c_double), intent(inout) :: z(*)
            real(c_double), intent(inout), optional :: u(*)
            type(perp_info), intent(inout), optional :: info
            integer(c_int32_t) :: status
        end function c_perp_solve

        function c_perp_certificate(solver, d) bind(C, name="perp_certificate") result(status)
            import :: c_double, c_int32_t, c_ptr
            type(c_ptr), value :: solver
            real(c_double), intent(inout) :: d(*)
            integer(c_int32_t) :: status
        end function c_perp_certificate

        function c_perp_solver_get_basic_set(solver, set) &
            bind(C, name="perp_solver_get_basic_set") result(status)
            import :: c_int32_t, c_int8_t, c_ptr
            type(c_ptr), value :: solver
            integer(c_int8_t), intent(inout) :: set(*)
            integer(c_int32_t) :: status
        end function c_perp_solver_get_basic_set

        function c_perp_solver_set_basic_set(solver, set) &
            bind(C, name="perp_solver_set_basic_set") result(status)
            import :: c_int32_t, c_int8_t, c_ptr
            type(c_ptr), value :: solver
            integer(c_int8_t), intent(in) :: set(*)
            integer(c_int32_t) :: status
        end function c_perp_solver_set_basic_set

        subroutine c_perp_solver_destroy(solver) bind(C, name="perp_solver_destroy")
            import :: c_ptr
            type(c_ptr), value :: solver
        end subroutine c_perp_solver_destroy
    end interface

    ! Time steps under a friction model.
    interface
        function c_perp_friction_def_init(def, struct_size) &
            bind(C, name="perp_friction_def_init") result(status)
            import :: c_int32_t, c_int64_t, perp_friction_def
            type(perp_friction_def), intent(inout) :: def
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_friction_def_init

        function c_perp_friction_create(def, out) bind(C, name="perp_friction_create") &
            result(status)
            import :: c_int32_t, c_ptr, perp_friction_def
            type(perp_friction_def), intent(in) :: def
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_friction_create

        subroutine c_perp_friction_destroy(friction) bind(C, name="perp_friction_destroy")
            import :: c_ptr
            type(c_ptr), value :: friction
        end subroutine c_perp_friction_destroy

        function c_perp_contacts_init(contacts, struct_size) &
            bind(C, name="perp_contacts_init") result(status)
            import :: c_int32_t, c_int64_t, perp_c_contacts
            type(perp_c_contacts), intent(out) :: contacts
            integer(c_int64_t), value :: struct_size
            integer(c_int32_t) :: status
        end function c_perp_contacts_init

        function c_perp_step(friction, system, rows, contacts, settings, velocity, z, state, &
            info) bind(C, name="perp_step") result(status)
            import :: c_double, c_int32_t, c_int8_t, c_ptr, perp_c_contacts, perp_c_rows, &
                perp_settings, perp_step_info
            type(c_ptr), value :: friction, system
            type(perp_c_rows), intent(in) :: rows
            type(perp_c_contacts), intent(in) :: contacts
            type(perp_settings), intent(in), optional :: settings
            real(c_double), intent(inout), optional :: velocity(*), z(*)
            integer(c_int8_t), intent(inout), optional :: state(*)
            type(perp_step_info), intent(inout), optional :: info
            integer(c_int32_t) :: status
        end function c_perp_step

        function c_perp_friction_get_state(friction, count, id, record) &
            bind(C, name="perp_friction_get_state") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: friction
            integer(c_int64_t), intent(inout) :: count
            integer(c_int64_t), intent(inout), optional :: id(*)
            real(c_double), intent(inout), optional :: record(*)
            integer(c_int32_t) :: status
        end function c_perp_friction_get_state

        function c_perp_friction_set_state(friction, count, id, record) &
            bind(C, name="perp_friction_set_state") result(status)
            import :: c_double, c_int32_t, c_int64_t, c_ptr
            type(c_ptr), value :: friction
            integer(c_int64_t), value :: count
            integer(c_int64_t), intent(in) :: id(*)
            real(c_double), intent(in) :: record(*)
            integer(c_int32_t) :: status
        end function c_perp_friction_set_state
    end interface

    ! Instance files. Texts end with c_null_char.
    interface
        function c_perp_problem_read(path, law, out) bind(C, name="perp_problem_read") &
            result(status)
            import :: c_char, c_int32_t, c_ptr
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int32_t), value :: law
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: status
        end function c_perp_problem_read

        function c_perp_problem_write(problem, path, layout, title, source) &
            bind(C, name="perp_problem_write") result(status)
            import :: c_char, c_int32_t, c_ptr
            type(c_ptr), value :: problem
            character(kind=c_char), intent(in) :: path(*)
            integer(c_int32_t), value :: layout
            character(kind=c_char), intent(in) :: title(*), source(*)
            integer(c_int32_t) :: status
        end function c_perp_problem_write

        function c_perp_solution_read(problem, path, z) bind(C, name="perp_solution_read") &
            result(status)
            import :: c_char, c_double, c_int32_t, c_ptr
            type(c_ptr), value :: problem
            character(kind=c_char), intent(in) :: path(*)
            real(c_double), intent(inout) :: z(*)
            integer(c_int32_t) :: status
        end function c_perp_solution_read

        function c_perp_solution_write(problem, path, z, solver) &
            bind(C, name="perp_solution_write") result(status)
            import :: c_char, c_double, c_int32_t, c_ptr
            type(c_ptr), value :: problem
            character(kind=c_char), intent(in) :: path(*)
            real(c_double), intent(in) :: z(*)
            character(kind=c_char), intent(in) :: solver(*)
            integer(c_int32_t) :: status
        end function c_perp_solution_write
    end interface
end module perp_c
