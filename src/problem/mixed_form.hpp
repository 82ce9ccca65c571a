// The problem as factorizing solvers see it: mixed in velocities and impulses, rows and velocities
// scaled, every matrix sparse and in the caller's order (algorithms.md 0.1, 2.1).
//
//   M v = J' z,   w = J v + C z + r,   lo <= z <= hi complementary to w
//
// v is the change of the velocity against the free one, so r is the free constraint velocity. M
// has a unit diagonal, and so has S = J M^-1 J' + C where the caller's is positive: units drop
// out. An assembled problem has C = E, diagonal; a matrix form has no velocities and C = H.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "problem/problem.hpp"
#include "sparse/row_panels.hpp"

namespace perp {

struct MixedForm {
    // Throws unsupported where reason() is not empty.
    explicit MixedForm(const Problem& problem);
    // With cones: rows of contacts have factors that keep them (cone_scale), and bounds only where
    // they have no friction. eta() is not for these.
    MixedForm(const Problem& problem, std::vector<double> row_scale);
    // The form of a problem that takes this one's place: zeros stay where this one has entries, so
    // that matrices whose zeros come and go keep their pattern, and factors their analysis.
    [[nodiscard]] MixedForm renewed(const Problem& problem) const;
    // Why the problem has no such form: a contact whose cone couples its rows. Empty: it has.
    static std::string reason(const Problem& problem);
    // Would `symmetric` be set?
    static bool is_symmetric(const Problem& problem);

    // The problem has other bounds and another free velocity, and the same of everything else.
    // Does not allocate.
    void take_vectors(const Problem& problem);

    std::int64_t n = 0;  // velocities; 0 for matrix forms
    std::int64_t p = 0;  // rows
    Csr M;               // n x n, both triangles
    Csr J, Jt;           // p x n and its transpose
    RowPanels panels;    // of J, for its products
    Csr C;               // p x p; the diagonal is always stored
    std::vector<double> r, lo, hi;
    // Of S as the caller's z and w see it: z = scale * z^, w = w^ / scale. S^_ii in `diagonal`.
    std::vector<double> scale, diagonal;
    // M, and C, deviate from symmetry by rounding only.
    bool symmetric = true;
    bool cones = false;
    double free_norm = 0.0;  // eta's denominator

    [[nodiscard]] bool is_free(std::int64_t i) const;   // bilateral
    [[nodiscard]] bool is_fixed(std::int64_t i) const;  // lo = hi
    // out <- states (-1 at lo, 0 basic, 1 at hi; else basic), basic where there is no such bound,
    // at lo where lo = hi.
    void admit_states(std::span<const std::int8_t> states, std::span<std::int8_t> out) const;
    void from_user(std::span<const double> z, std::span<double> scaled) const;
    void to_user(std::span<const double> scaled, std::span<double> z) const;
    // w <- J v + C z + r
    void constraint_velocity(std::span<const double> v, std::span<const double> z,
                             std::span<double> w) const;
    // f <- J'z - M v, what is left of the equation of motion
    void motion_residual(std::span<const double> v, std::span<const double> z,
                         std::span<double> f) const;
    // Eta of z^ with its velocity w^: equals residual().eta up to rounding.
    [[nodiscard]] double eta(std::span<const double> z, std::span<const double> w) const;

private:
    MixedForm(const Problem& problem, std::vector<double> row_scale, bool with_cones,
              const MixedForm* before);
};

// One factor per row, such that the length of z^ is the energy norm of eta.
std::vector<double> energy_scale(const Problem& problem);
// One factor per row, such that diagonals are about 1 and cones stay cones of the same shape
// (algorithms.md 1.3, rule S2): normal, sliding and angular rows of a contact have one each.
std::vector<double> cone_scale(const Problem& problem);
// A contact's coefficients in rows with such factors.
ConeCoefficients scaled_coefficients(const ConstraintSet& set, std::int64_t contact,
                                     std::span<const double> row_scale);

}  // namespace perp
