// K: a product of contact cones (all of one shape) and intervals, with the place of every row.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
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
    bool exact = false;  // u + s e_n is in the dual cone, s De Saxce's shift, and not u
    std::vector<std::int32_t> scalar_row;
    std::vector<RowKind> scalar_kind;
    std::vector<double> lo, hi;  // one per interval
    std::int64_t scalars_first = 0;
    // Bounds that follow z: -coefficient z and coefficient z of the row `normal`, 0 where that z is
    // negative. -1: the bounds are lo and hi; else these are infinite.
    struct Tie {
        std::int32_t normal = -1;
        double coefficient = 0.0;
    };
    std::vector<Tie> tie;  // one per interval; empty: none is tied

    [[nodiscard]] bool tied() const { return !tie.empty(); }
    // Is the exact law another one than the relaxed: has any contact friction?
    [[nodiscard]] bool exact_friction() const {
        const auto some = [](const std::vector<double>& coefficients, int rows) {
            return rows > 0 && std::any_of(coefficients.begin(), coefficients.end(),
                                           [](double c) { return c > 0.0; });
        };
        return exact &&
               (some(mu, shape.tangential) || some(sigma, shape.spin) || some(rho, shape.roll));
    }
    [[nodiscard]] bool tied(std::int64_t scalar) const {
        return !tie.empty() && tie[scalar].normal >= 0;
    }
    [[nodiscard]] std::int64_t count_tied() const {
        return std::count_if(tie.begin(), tie.end(), [](const Tie& t) { return t.normal >= 0; });
    }
    // Of a tied interval at z, from its middle (0) to hi.
    [[nodiscard]] double half_width(std::int64_t scalar, std::span<const double> z) const {
        return tie[scalar].coefficient * std::max(z[tie[scalar].normal], 0.0);
    }
    [[nodiscard]] std::int64_t scalars() const {
        return static_cast<std::int64_t>(scalar_row.size());
    }
    [[nodiscard]] ConeCoefficients coefficients(std::int64_t contact) const {
        return {mu[contact], sigma[contact], rho[contact]};
    }
    // De Saxce's, of a contact whose rows have the velocities u.
    [[nodiscard]] double shift(std::int64_t contact, std::span<const double> u) const {
        std::array<double, 6> at{};
        const int k = shape.rows();
        for (int j = 0; j < k; ++j) at[j] = u[contact_row[contact * k + j]];
        return de_saxce_shift(shape, coefficients(contact), at.data());
    }
    void add_scalar(std::int64_t row, RowKind kind, double lower, double upper);
    // Throws bad_bounds or bad_value, naming `lo_name`/`hi_name` and the index.
    static void check_bounds(const std::vector<double>& lo, const std::vector<double>& hi,
                             const char* lo_name, const char* hi_name);
};

}  // namespace perp
