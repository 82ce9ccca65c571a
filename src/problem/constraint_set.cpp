#include "problem/constraint_set.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace perp {

void ConstraintSet::add_scalar(std::int64_t row, RowKind kind, double lower, double upper) {
    scalar_row.push_back(static_cast<std::int32_t>(row));
    scalar_kind.push_back(kind);
    lo.push_back(lower);
    hi.push_back(upper);
}

void ConstraintSet::check_bounds(const std::vector<double>& lo, const std::vector<double>& hi,
                                 const char* lo_name, const char* hi_name) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lo.size(); ++i) {
        if (std::isnan(lo[i])) fail(Status::bad_value, "%s[%zu] is NaN", lo_name, i);
        if (std::isnan(hi[i])) fail(Status::bad_value, "%s[%zu] is NaN", hi_name, i);
        if (lo[i] == infinity)
            fail(Status::bad_bounds, "%s[%zu] = +inf leaves no admissible value", lo_name, i);
        if (hi[i] == -infinity)
            fail(Status::bad_bounds, "%s[%zu] = -inf leaves no admissible value", hi_name, i);
        if (lo[i] > hi[i])
            fail(Status::bad_bounds, "%s[%zu] = %.17g exceeds %s[%zu] = %.17g", lo_name, i, lo[i],
                 hi_name, i, hi[i]);
    }
}

}  // namespace perp
