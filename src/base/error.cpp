#include "base/error.hpp"

#include <cstdarg>
#include <cstdio>

namespace perp {
namespace {

std::string format_list(const char* pattern, std::va_list arguments) {
    char text[1024];
    // The callers start the list, which the analyzer does not follow.
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
    const int length = std::vsnprintf(text, sizeof text, pattern, arguments);
    return length < 0 ? std::string(pattern) : std::string(text);
}

}  // namespace

std::string format(const char* pattern, ...) {
    std::va_list arguments;
    va_start(arguments, pattern);
    std::string text = format_list(pattern, arguments);
    va_end(arguments);
    return text;
}

void fail(Status status, const char* pattern, ...) {
    std::va_list arguments;
    va_start(arguments, pattern);
    std::string text = format_list(pattern, arguments);
    va_end(arguments);
    throw Error(status, std::move(text));
}

}  // namespace perp
