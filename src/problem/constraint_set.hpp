// K: a product of contact cones (all of one shape) and intervals, with the place of every row.
#pragma once

#include <cstdint>
#include <vector>

#include "cones/contact_cone.hpp"

namespace perp {

// What a row is to the user: the parts in which the residual is reported.
enum class RowKind : std::uint8_t { bilateral = 0, normal = 1, friction = 2, box = 3 };
constexpr int row_kinds = 4;

// Rows are numbered as the caller gave them. Contact i owns rows contact_row[i k .. i k + k) in
// the order n, t1, t2, spin, roll1, roll2 (those it has). Every other row is an interval: free
// (bilateral), one-sided, boxed or fixed. Intervals are listed in sweep order, the first
// `scalars_first` of them before the contacts.
struct ConstraintSet {
    std::int64_t rows = 0;
    ContactShape shape;
    std::int64_t contacts = 0;
    std::vector<std::int32_t> contact_row;
    std::vector<double> mu, rho, sigma;  // one per contact each
    std::vector<std::int32_t> scalar_row;
    std::vector<RowKind> scalar_kind;
    std::vector<double> lo, hi;  // one per interval
    std::int64_t scalars_first = 0;

    [[nodiscard]] std::int64_t scalars() const {
        return static_cast<std::int64_t>(scalar_row.size());
    }
    [[nodiscard]] ConeCoefficients coefficients(std::int64_t contact) const {
        return {mu[contact], sigma[contact], rho[contact]};
    }
    void add_scalar(std::int64_t row, RowKind kind, double lower, double upper);
    // Throws bad_bounds or bad_value, naming `lo_name`/`hi_name` and the index.
    static void check_bounds(const std::vector<double>& lo, const std::vector<double>& hi,
                             const char* lo_name, const char* hi_name);
};

}  // namespace perp
