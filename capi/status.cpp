// Texts: statuses, outcomes, the thread's last message, version and build.
#include <cstring>

#include "build_config.h"
#include "handles.hpp"

namespace perp::capi {
namespace {

constexpr std::size_t longest_message = 1024;
thread_local char last_message[longest_message] = "";

}  // namespace

void remember(const char* message) noexcept {
    std::strncpy(last_message, message, longest_message - 1);
    last_message[longest_message - 1] = '\0';
}

}  // namespace perp::capi

#ifdef _OPENMP
#define PERP_TEXT_OF_OPENMP \
    ", OpenMP runtime of the compiler (GCC: GPL-3.0+ with the runtime exception)"
#else
#define PERP_TEXT_OF_OPENMP ""
#endif
#if PERP_WITH_GPL
#define PERP_TEXT_OF_LU ""
#define PERP_TEXT_OF_GPL \
    "GPL parts: SuiteSparse UMFPACK (GPL-2.0+): this build is under the terms of the GPL\n"
#else
#define PERP_TEXT_OF_LU "SuiteSparse KLU (LGPL-2.1+), "
#define PERP_TEXT_OF_GPL "GPL parts: none\n"
#endif
#define PERP_TEXT_OF_LICENCES                                                              \
    "parts: SuiteSparse LDL (LGPL-2.1+), SuiteSparse AMD (BSD-3-Clause), " PERP_TEXT_OF_LU \
    "LAPACK, LAPACKE and HDF5 (BSD)" PERP_TEXT_OF_OPENMP "\n" PERP_TEXT_OF_GPL

const char* perp_status_text(int32_t status) {
    switch (status) {
        case PERP_OK:
            return "ok";
        case PERP_NULL_ARGUMENT:
            return "a required argument is NULL";
        case PERP_BAD_SIZE:
            return "sizes do not fit together or are out of range";
        case PERP_BAD_INDEX:
            return "an index is out of range";
        case PERP_BAD_VALUE:
            return "a value is not finite or not allowed";
        case PERP_BAD_BOUNDS:
            return "bounds leave no admissible value";
        case PERP_NOT_SYMMETRIC:
            return "the mass matrix is not symmetric";
        case PERP_NOT_POSITIVE_DEFINITE:
            return "the mass matrix is not positive definite";
        case PERP_BAD_PATTERN:
            return "values do not fit the sparsity pattern";
        case PERP_BAD_SETTING:
            return "a setting is unknown or out of range";
        case PERP_UNSUPPORTED:
            return "not supported for this problem";
        case PERP_FILE_NOT_FOUND:
            return "the file cannot be opened";
        case PERP_FILE_FORMAT:
            return "the file is not a readable instance";
        case PERP_FILE_WRITE:
            return "the file cannot be written";
        case PERP_NO_MEMORY:
            return "out of memory";
        case PERP_INTERNAL:
            return "internal error";
        default:
            return "unknown status";
    }
}

const char* perp_outcome_text(int64_t outcome) {
    switch (outcome) {
        case PERP_SOLVED:
            return "solved";
        case PERP_ITERATION_LIMIT:
            return "iteration limit";
        case PERP_TIME_LIMIT:
            return "time limit";
        case PERP_STALLED:
            return "stalled";
        case PERP_NO_SOLUTION:
            return "no solution";
        case PERP_CANCELLED:
            return "cancelled";
        case PERP_NUMERICAL_FAILURE:
            return "numerical failure";
        default:
            return "unknown outcome";
    }
}

const char* perp_last_message(void) { return perp::capi::last_message; }

int64_t perp_version(void) {
    return PERP_VERSION_MAJOR * 10000 + PERP_VERSION_MINOR * 100 + PERP_VERSION_PATCH;
}

const char* perp_build_info(void) {
    return "perp " PERP_VERSION_TEXT
           " (BSD-3-Clause)\n"
           "compiler: " PERP_COMPILER
           "\n"
           "build: " PERP_BUILD_TYPE " " PERP_CXX_FLAGS "\n" PERP_TEXT_OF_LICENCES
#if PERP_WITH_GPL
           "PERP_WITH_GPL=ON\n";
#else
           "PERP_WITH_GPL=OFF\n";
#endif
}
