// The projection P onto the cones and bounds of a problem with scaled rows, and its generalized
// Jacobian V (algorithms.md 1.2, 6.2), symmetric with eigenvalues from 0 to 1.
//
// Of a contact with P(x) = (y, ...), y > 0, let l_k = |x_k| be the lengths of its groups that are
// clipped, l_k > mu_k y, h_k = x_k / l_k their directions. V leaves the other groups as they are,
// and its eigenvectors are
//
//   g = (1, mu_k h_k) / sqrt(1 + sum mu_k^2)   with eigenvalue 1,
//   across h_k                                 with mu_k y / l_k,
//   what is left of n and the h_k              with 0.
//
// These are the frames: g in the place of n, the last in those of the h_k.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/cone_frames.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class ConeProjection : public ConeFrames {
public:
    ConeProjection(const ConstraintSet& set, const MixedForm& form);
    // The form has other bounds. Does not allocate.
    void take_bounds(const MixedForm& form);

    // y <- P(x), both in the caller's rows.
    void project(std::span<const double> x, std::span<double> y) const;
    // The same onto the recession cone of K.
    void project_ray(std::span<const double> x, std::span<double> y) const;
    // The frames and eigenvalues of V at x.
    void linearize(std::span<const double> x);
    // Eigenvalue of each row of the frames.
    [[nodiscard]] std::span<const double> eigenvalues() const { return eigenvalue_; }
    // What the eigenvalues weigh in terms(): delta / eigenvalue, a delta for every row.
    void weigh(std::span<const double> delta) { delta_.assign(delta.begin(), delta.end()); }

    void to_frame(std::int64_t contact, double* velocity, std::int64_t stride) const override;
    void from_frame(std::int64_t contact, double* impulse) const override;
    void terms(std::vector<Term>& out) const override;
    void active(std::span<std::uint8_t> out) const override;

private:
    // One clipped or unclipped group of a contact: the first axis is turned to `axis`.
    struct Turn {
        std::array<double, 2> axis{1.0, 0.0};
        double reflected = 0.0;  // of the reflection that takes n to g: its part along h
    };
    void project_contacts(std::span<const double> x, std::span<double> y) const;
    void linearize_contact(std::int64_t contact, const double* x);
    void reflect(std::int64_t contact, double* x, std::int64_t stride) const;

    ContactShape shape_;
    std::vector<ConeCoefficients> coefficients_;  // of the scaled rows
    std::vector<double> lo_, hi_;                 // of the intervals
    std::vector<std::array<Turn, 3>> turn_;
    std::vector<double> reflected_;  // along n
    std::vector<double> eigenvalue_, delta_;
};

// Does the ray prove that there is no solution? Then the monitor is told. `work` is of its size.
bool is_proof(const ConeProjection& projection, std::span<const double> ray, std::span<double> work,
              PivotMonitor& monitor);

}  // namespace perp
