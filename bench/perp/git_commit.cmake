# Writes OUT, a header with the commit that SOURCE stands at, "-dirty" behind it when a tracked file
# differs, "unknown" without git or where SOURCE is no checkout of its own. A header that is right
# already stays untouched, so that nothing is compiled again.
#
#   cmake -DSOURCE=DIR -DOUT=FILE -DGIT=PROGRAM -P git_commit.cmake
cmake_minimum_required(VERSION 3.25)

set(commit "unknown")
if(GIT)
    set(git "${GIT}" -c safe.directory=* -C "${SOURCE}")
    # Inside a larger repository the commit would be that of another project.
    execute_process(COMMAND ${git} rev-parse --show-prefix
                    OUTPUT_VARIABLE prefix RESULT_VARIABLE code ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(code EQUAL 0 AND prefix STREQUAL "")
        execute_process(COMMAND ${git} describe --always --dirty --abbrev=40 --exclude=*
                        OUTPUT_VARIABLE described RESULT_VARIABLE code ERROR_QUIET
                        OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(code EQUAL 0 AND NOT described STREQUAL "")
            set(commit "${described}")
        endif()
    endif()
endif()

set(text "#define PERP_GIT_COMMIT \"${commit}\"\n")
if(EXISTS "${OUT}")
    file(READ "${OUT}" before)
endif()
if(NOT "${before}" STREQUAL "${text}")
    file(WRITE "${OUT}" "${text}")
endif()
