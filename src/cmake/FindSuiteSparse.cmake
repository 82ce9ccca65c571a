# Finds parts of SuiteSparse, version 5 or 7:
#
#   find_package(SuiteSparse REQUIRED COMPONENTS AMD LDL)
#
# gives the imported targets SuiteSparse::AMD, SuiteSparse::LDL and SuiteSparse_VERSION.
# Known components: AMD CAMD COLAMD CCOLAMD LDL BTF KLU CHOLMOD UMFPACK SPQR.
#
# SuiteSparse 7 has a CMake package for each part; 5.12 has none, so header and library are then
# searched for.

# What each part calls. Shared libraries know this themselves, static ones do not.
set(_suitesparse_needs_KLU BTF COLAMD AMD)
set(_suitesparse_needs_CHOLMOD CCOLAMD CAMD COLAMD AMD)
set(_suitesparse_needs_UMFPACK CHOLMOD AMD)
set(_suitesparse_needs_SPQR CHOLMOD)

# Sets SuiteSparse_<part>_FOUND in the caller and makes the target.
function(_suitesparse_find part)
    if(NOT TARGET SuiteSparse::${part})
        find_package(${part} CONFIG QUIET)
        if(NOT TARGET SuiteSparse::${part} AND TARGET SuiteSparse::${part}_static)
            add_library(SuiteSparse::${part} INTERFACE IMPORTED)
            target_link_libraries(SuiteSparse::${part} INTERFACE SuiteSparse::${part}_static)
        endif()
    endif()
    if(NOT TARGET SuiteSparse::${part})
        string(TOLOWER "${part}" name)
        set(header ${name}.h)
        if(part STREQUAL "SPQR")
            set(header SuiteSparseQR_C.h)
        endif()
        find_path(SuiteSparse_${part}_INCLUDE_DIR ${header} PATH_SUFFIXES suitesparse)
        find_library(SuiteSparse_${part}_LIBRARY ${name})
        find_library(SuiteSparse_CONFIG_LIBRARY suitesparseconfig)
        mark_as_advanced(SuiteSparse_${part}_INCLUDE_DIR SuiteSparse_${part}_LIBRARY
                         SuiteSparse_CONFIG_LIBRARY)
        if(SuiteSparse_${part}_INCLUDE_DIR AND SuiteSparse_${part}_LIBRARY)
            set(links)
            foreach(need IN LISTS _suitesparse_needs_${part})
                _suitesparse_find(${need})
                if(TARGET SuiteSparse::${need})
                    list(APPEND links SuiteSparse::${need})
                endif()
            endforeach()
            if(SuiteSparse_CONFIG_LIBRARY)
                list(APPEND links "${SuiteSparse_CONFIG_LIBRARY}")
            endif()
            add_library(SuiteSparse::${part} UNKNOWN IMPORTED)
            set_target_properties(SuiteSparse::${part} PROPERTIES
                IMPORTED_LOCATION "${SuiteSparse_${part}_LIBRARY}"
                INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_${part}_INCLUDE_DIR}"
                INTERFACE_LINK_LIBRARIES "${links}")
        endif()
    endif()
    if(TARGET SuiteSparse::${part})
        set(SuiteSparse_${part}_FOUND TRUE PARENT_SCOPE)
        get_target_property(directories SuiteSparse::${part} INTERFACE_INCLUDE_DIRECTORIES)
        find_file(SuiteSparse_CONFIG_HEADER SuiteSparse_config.h HINTS ${directories}
                  PATH_SUFFIXES suitesparse)
        mark_as_advanced(SuiteSparse_CONFIG_HEADER)
    else()
        set(SuiteSparse_${part}_FOUND FALSE PARENT_SCOPE)
    endif()
endfunction()

foreach(_part IN LISTS SuiteSparse_FIND_COMPONENTS)
    _suitesparse_find(${_part})
endforeach()

if(SuiteSparse_CONFIG_HEADER)
    set(SuiteSparse_VERSION)
    foreach(_field MAIN SUB SUBSUB)
        file(STRINGS "${SuiteSparse_CONFIG_HEADER}" _line LIMIT_COUNT 1
             REGEX "^#define[ \t]+SUITESPARSE_${_field}_VERSION[ \t]+[0-9]+")
        string(REGEX MATCH "[0-9]+" _number "${_line}")
        list(APPEND SuiteSparse_VERSION "${_number}")
    endforeach()
    list(JOIN SuiteSparse_VERSION "." SuiteSparse_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse
    REQUIRED_VARS SuiteSparse_CONFIG_HEADER
    VERSION_VAR SuiteSparse_VERSION
    HANDLE_COMPONENTS)
