#include "problem/vectors.hpp"

#include <cinttypes>
#include <cmath>

#include "base/error.hpp"

namespace perp {

void check_size(const std::vector<double>& v, std::int64_t size, const char* name) {
    if (static_cast<std::int64_t>(v.size()) != size)
        fail(Status::bad_size, "%s has %zu entries, expected %" PRId64, name, v.size(), size);
}

void check_finite(const std::vector<double>& v, const char* name) {
    for (std::size_t i = 0; i < v.size(); ++i)
        if (!std::isfinite(v[i]))
            fail(Status::bad_value, "%s[%zu] = %g is not finite", name, i, v[i]);
}

void check_not_negative(const std::vector<double>& v, const char* name) {
    check_finite(v, name);
    for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] < 0.0) fail(Status::bad_value, "%s[%zu] = %.17g is negative", name, i, v[i]);
}

void require(const std::vector<double>& v, std::int64_t size, const char* name, const char* why) {
    if (v.empty() && size > 0) fail(Status::null_argument, "%s is missing: %s", name, why);
}

void fill_default(std::vector<double>& v, std::int64_t size) {
    if (v.empty()) v.assign(size, 0.0);
}

}  // namespace perp
