// The problem of polygonal friction (Anitescu and Potra 1997) as a general BLCP, and its z in the
// caller's rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "friction/friction_step.hpp"

namespace perp {

// Rows of z: n changes of velocity against the free one, A, B, N, then d magnitudes of friction
// impulse of each contact with friction, then the slack s of each of these contacts.
//
//   M dv - A'l_A - B'l_B - N'g_n - D'E beta = 0             dv free
//   A dv + C l_A + r_A = 0,   B dv + C l_B + r_B            l_A free, l_B boxed
//   N dv + C g_n + r_N                                      >= 0, g_n >= 0
//   E'(D dv + C E beta + r_D) + s 1                         >= 0, beta >= 0
//   mu g_n - 1'beta                                         >= 0, s >= 0
//
// r: the free constraint velocities, columns of E: the directions. A general BLCP weights a row
// without a diagonal entry by the largest entry of its row, that is, as if it were of unit mass. So
// rows and columns are scaled: dv by the root of M_jj, impulses by that of their effective mass
// 1 / W_ii, of beta by the mean over the contact's sliding rows, s inversely. Then eta is that of
// assembled problems but for factors near 1, and units and masses drop out.
class PolygonRows {
public:
    // `base`: the same step under the cone law, whose checks it has passed.
    PolygonRows(const Problem& base, std::int64_t facets, std::span<const double> facet_angle);

    [[nodiscard]] Problem problem() const;
    void to_caller(std::span<const double> z, StepImpulses& out) const;
    // Sum of the magnitudes over mu times the normal impulse; 1 without friction, 0 without a
    // normal impulse.
    void sliding_use(std::span<const double> z, std::span<double> use) const;
    // From impulses of N and D; others are 0. Friction that is not of the polygon is shortened.
    void from_caller(const StepImpulses& impulses, std::span<double> z) const;

private:
    struct Facets {  // of a contact
        std::int64_t first = 0, count = 0, slack = -1;
    };
    using Direction = std::array<double, 2>;
    struct Matrix;

    void lay_out(std::int64_t facets, std::span<const double> facet_angle);
    void scale();
    void add_direction(std::int64_t i, std::int64_t row, Matrix& H) const;
    void add_compliance(std::int64_t first, std::int64_t base_first, std::int64_t count,
                        Matrix& H) const;
    void add_all(Matrix& H) const;
    [[nodiscard]] double row_velocity(std::int64_t row, std::span<const double> u) const;
    void split_friction(std::int64_t contact, const double* impulse, std::span<double> z) const;

    const Problem& base_;
    std::int64_t n_, m_, k_, r_, rows_ = 0;
    int t_;
    std::int64_t first_A_ = 0, first_B_ = 0, first_N_ = 0, first_beta_ = 0;
    std::int64_t base_D_ = 0, base_B_ = 0;  // rows of `base`
    std::vector<Facets> facets_;
    std::vector<Direction> direction_;      // per row of beta
    std::vector<std::int32_t> contact_of_;  // likewise
    std::vector<double> scale_;
};

}  // namespace perp
