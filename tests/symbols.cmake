# Checks of the built library:
#
#   cmake -DCHECK=exports -DNM=nm -DLIBRARY=libperp.so -P symbols.cmake
#   cmake -DCHECK=imports -DNM=nm -DOBJECTS=objects.txt -P symbols.cmake     (a path per line)
#   cmake -DCHECK=globals -DNM=nm -DOBJECTS=objects.txt -P symbols.cmake
#   cmake -DCHECK=links -DREADELF=readelf -DLIBRARY=libperp.so -P symbols.cmake
cmake_minimum_required(VERSION 3.25)

# Runs a command; its output lines become the list `lines`.
function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "[][;]" "_" text "${text}")
    string(REPLACE "\n" ";" text "${text}")
    set(lines "${text}" PARENT_SCOPE)
endfunction()

set(bad)
if(CHECK STREQUAL "exports")
    # Without this the check would pass on a library that exports nothing.
    set(found FALSE)
    run("${NM}" -D --defined-only "${LIBRARY}")
    foreach(line IN LISTS lines)
        if(line MATCHES " T perp_[a-z0-9_]+@@PERP_0$")
            set(found TRUE)
        elseif(NOT line STREQUAL "" AND NOT line MATCHES " A PERP_0(@@PERP_0)?$")
            list(APPEND bad "exported: ${line}")
        endif()
    endforeach()
    if(NOT found)
        list(APPEND bad "no function perp_* is exported")
    endif()

elseif(CHECK STREQUAL "imports")
    # The library neither ends its host nor writes to its terminal.
    set(forbidden exit _Exit _exit quick_exit abort printf vprintf __printf_chk __vprintf_chk puts
        putchar perror stdout stderr _ZSt4cout _ZSt4cerr _ZSt4clog)
    file(STRINGS "${OBJECTS}" objects)
    foreach(object IN LISTS objects)
        run("${NM}" --undefined-only --format=posix "${object}")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE " .*" "" symbol "${line}")
            if(symbol IN_LIST forbidden)
                list(APPEND bad "${object}: imports ${symbol}")
            endif()
        endforeach()
    endforeach()

elseif(CHECK STREQUAL "globals")
    # Columns: name | value | class | type | size | line | section. Thread-local data have type
    # TLS. Constants with relocations (.data.rel.ro: vtables, tables of pointers) are read-only
    # once loaded. The guard of a function's static variable says nothing beyond the variable.
    file(STRINGS "${OBJECTS}" objects)
    foreach(object IN LISTS objects)
        run("${NM}" --defined-only --format=sysv "${object}")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "[ \t]*\\|[ \t]*" ";" fields "${line}")
            list(LENGTH fields count)
            if(NOT count EQUAL 7)
                continue()
            endif()
            list(GET fields 0 name)
            list(GET fields 3 type)
            list(GET fields 6 section)
            # DW.ref.*: pointers to the exception handler, made by the compiler.
            if(section MATCHES "^(\\.data|\\.bss|\\*COM\\*)" AND NOT section MATCHES "\\.rel\\.ro"
               AND NOT type STREQUAL "TLS" AND NOT name MATCHES "^(_ZGV|DW\\.ref\\.)")
                list(APPEND bad "${object}: writable global ${name} in ${section}")
            endif()
        endforeach()
    endforeach()

elseif(CHECK STREQUAL "links")
    # `readelf` shows what libperp asks for, `ldd` what those libraries bring along.
    run("${READELF}" -d "${LIBRARY}")
    set(all ${lines})
    run(ldd "${LIBRARY}")
    list(APPEND all ${lines})
    foreach(line IN LISTS all)
        if(line MATCHES "lib(cholmod|umfpack|spqr|rbio)\\.")
            list(APPEND bad "linked: ${line}")
        endif()
    endforeach()

else()
    message(FATAL_ERROR "CHECK must be exports, imports, globals or links, not '${CHECK}'")
endif()

if(bad)
    list(JOIN bad "\n  " text)
    message(FATAL_ERROR "${CHECK}:\n  ${text}")
endif()
