! perp: sparse solvers for contact and friction complementarity problems. What a Fortran program
! uses:
!
!     use perp
!
!     type(perp_system) :: system        mass matrix and Jacobians
!     type(perp_problem) :: problem      what is to be solved, of a system or of matrices
!     type(perp_solver) :: solver        a method, settings, workspace
!     type(perp_friction) :: friction    time steps under a friction model
!
! perp.h describes the mathematics, every vector, its unit and its sign. A C function
! perp_problem_set_law(problem, ...) is `call problem%set_law(...)` here; perp_cone_assemble, the
! first of a problem, is `call problem%cone_assemble(system, rows)`.
!
! Rules that hold for every procedure:
!  - Rows, columns and contacts count from 1, in arguments, results (info%worst_row) and messages.
!  - Arrays are real(real64) and integer(int64) of any stride; they are copied or read before the
!    call returns, and nothing of the caller's is kept. Sizes are checked.
!  - What is NULL in C is absent here, or a component that is not allocated.
!  - stat is perp_ok or what went wrong, and errmsg then names the argument, the index and the
!    value. Without stat a failure ends the program with `error stop` and that message.
!  - Results are written on success only. Allocatable ones are allocated as they need.
!  - Variables of the four types need no cleaning up: what they hold is destroyed with the last
!    variable that holds it (assignment shares it), or by `call x%destroy()` at once. gfortran 12
!    does not finalize function results: create by `call`, and not in functions that return one of
!    these types. Variables of a main program last until the system takes them.
!  - Different objects may be used by different threads at once; one by one thread at a time.
module perp
    use perp_constants
    use perp_records
    use perp_matrices, only: perp_triplets
    use perp_systems, only: perp_rows, perp_sizes, perp_system
    use perp_problems, only: perp_delassus_def, perp_problem
    use perp_solvers, only: perp_progress_callback, perp_settings_init, perp_solver
    use perp_steps, only: perp_contacts, perp_friction, perp_friction_def_init
    use perp_texts
    implicit none
    public
end module perp
