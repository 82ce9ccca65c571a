! Without stat a failure ends the program, with the message and an exit code that is not 0.
program stop_test
    use, intrinsic :: iso_fortran_env, only: real64
    use perp
    implicit none
    type(perp_triplets) :: M
    type(perp_system) :: system

    call M%set(1, 1, [1], [2], [1.0_real64])
    call system%create(M)
    print "(a)", "still running"
end program stop_test
