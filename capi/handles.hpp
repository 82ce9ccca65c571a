// What the opaque handles hold, and how calls turn exceptions into statuses.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "perp/perp.h"
#include "problem/problem.hpp"
#include "problem/system.hpp"
#include "solvers/solver.hpp"
#include "step/stepper.hpp"

struct perp_system {
    std::shared_ptr<perp::System> system;  // replaced, never changed: problems share it
};

struct perp_problem {
    std::shared_ptr<perp::Problem> problem;
};

struct perp_solver {
    std::unique_ptr<perp::Solver> solver;
    perp_progress_callback callback = nullptr;
    void* user = nullptr;
};

struct perp_friction {
    std::unique_ptr<perp::Stepper> stepper;
};

namespace perp::capi {

// Stores the message for perp_last_message of this thread; never throws.
void remember(const char* message) noexcept;

// Runs `call`; whatever it throws becomes a status and a message.
template <class Call>
std::int32_t guarded(Call&& call) noexcept {
    try {
        call();
        return PERP_OK;
    } catch (const Error& error) {
        remember(error.what());
        return static_cast<std::int32_t>(error.status());
    } catch (const std::bad_alloc&) {
        remember("out of memory");
        return PERP_NO_MEMORY;
    } catch (const std::length_error&) {
        remember("out of memory: a size exceeds what can be addressed");
        return PERP_NO_MEMORY;
    } catch (const std::exception& error) {
        remember(error.what());
        return PERP_INTERNAL;
    } catch (...) {
        remember("unknown exception");
        return PERP_INTERNAL;
    }
}

template <class T>
T& required(T* pointer, const char* name) {
    if (pointer == nullptr) fail(Status::null_argument, "%s is NULL", name);
    return *pointer;
}

// All fields have eight bytes; a size between two of them is a mistake.
inline bool plausible_struct_size(std::int64_t size) {
    return size >= 8 && size <= (std::int64_t{1} << 16) && size % 8 == 0;
}

// The caller's sized struct as this version's: fields the caller does not know keep their defaults.
template <class T>
T read_struct(const T* given, const T& defaults, const char* name) {
    required(given, name);
    const std::int64_t size = given->struct_size;
    if (!plausible_struct_size(size))
        fail(Status::bad_size,
             "%s->struct_size = %lld; set it with the _init function or to sizeof", name,
             static_cast<long long>(size));
    const auto* bytes = reinterpret_cast<const unsigned char*>(given);
    if (std::any_of(bytes + std::min<std::size_t>(sizeof(T), static_cast<std::size_t>(size)),
                    bytes + size, [](unsigned char b) { return b != 0; }))
        fail(Status::unsupported,
             "%s has fields set that this version of perp does not know (struct_size %lld, known "
             "%zu)",
             name, static_cast<long long>(size), sizeof(T));
    T result = defaults;
    const auto known = std::min<std::size_t>(static_cast<std::size_t>(size), sizeof(T));
    std::memcpy(&result, given, known);
    result.struct_size = sizeof(T);
    return result;
}

// Writes the fields that the caller's struct has; its struct_size stays.
template <class T>
void write_struct(const T& value, T* out, const char* name) {
    required(out, name);
    const std::int64_t size = out->struct_size;
    if (!plausible_struct_size(size))
        fail(Status::bad_size, "%s->struct_size = %lld; set it to sizeof before the call", name,
             static_cast<long long>(size));
    T copy = value;
    copy.struct_size = size;
    std::memcpy(out, &copy, std::min<std::size_t>(static_cast<std::size_t>(size), sizeof(T)));
}

// For an _init function: defaults into a struct of the caller's size; later fields become zero.
template <class T>
void init_struct(const T& defaults, T* out, std::int64_t size, const char* name) {
    required(out, name);
    if (!plausible_struct_size(size))
        fail(Status::bad_size, "struct_size = %lld; pass sizeof of the struct",
             static_cast<long long>(size));
    std::memset(static_cast<void*>(out), 0, static_cast<std::size_t>(size));
    T copy = defaults;
    copy.struct_size = size;
    std::memcpy(static_cast<void*>(out), &copy,
                std::min<std::size_t>(static_cast<std::size_t>(size), sizeof(T)));
}

// NULL: an absent (empty) matrix.
inline Triplets triplets(const perp_triplets* given) {
    if (given == nullptr) return {};
    return {given->rows, given->cols,  given->count, given->row,
            given->col,  given->value, given->base};
}

// Vectors are copied before the matrix is looked at: a size that is a mistake stops here.
inline std::int64_t checked_size(std::int64_t size, const char* name) {
    if (size < 0 || size > std::numeric_limits<std::int32_t>::max())
        fail(Status::bad_size, "%s = %lld is outside 0..2147483647", name,
             static_cast<long long>(size));
    return size;
}

// A value of an enumeration, for its own check to judge.
inline std::int32_t choice(std::int64_t value, const char* name) {
    if (value < 0 || value > 1000)
        fail(Status::bad_setting, "%s = %lld is unknown", name, static_cast<long long>(value));
    return static_cast<std::int32_t>(value);
}

inline std::vector<double> copy_vector(const double* given, std::int64_t size) {
    return given == nullptr ? std::vector<double>() : std::vector<double>(given, given + size);
}

ContactRows copy_rows(const perp_rows* given, const System& system);
perp_settings to_c(const Settings& settings);
Settings from_c(const perp_settings& settings);

}  // namespace perp::capi
