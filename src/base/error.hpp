// Errors inside the library: one exception type, translated to a status at the C boundary.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace perp {

// Did the call work? Values equal those of perp_status in the C header.
enum class Status : std::int32_t {
    ok = 0,
    null_argument = 1,
    bad_size = 2,
    bad_index = 3,
    bad_value = 4,
    bad_bounds = 5,
    not_symmetric = 6,
    not_positive_definite = 7,
    bad_pattern = 8,
    bad_setting = 9,
    unsupported = 10,
    file_not_found = 11,
    file_format = 12,
    file_write = 13,
    no_memory = 14,
    internal = 15,
};

class Error : public std::exception {
public:
    Error(Status status, std::string message) : status_(status), message_(std::move(message)) {}
    [[nodiscard]] Status status() const noexcept { return status_; }
    [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

private:
    Status status_;
    std::string message_;
};

// printf-style text; numbers as %.17g where a user must find the value again.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

// Throws Error with a printf-style message that names argument, index and value.
[[noreturn, gnu::format(printf, 2, 3)]] void fail(Status status, const char* pattern, ...);

}  // namespace perp
