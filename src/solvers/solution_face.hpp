// The part of K that holds all solutions of a problem. Their velocity w is one and the same
// (algorithms.md 1.1), and a z of K with J'z = J'z*, C z = C z* solves where it is complementary to
// w: contacts that part have no impulse, and where one slides, rolls or spins, this kind of
// friction is at its limit and opposes the velocity. So z = fixed + T y with y in a product of
// cones and bounds of the same kind, where friction at its limit is part of the normal row:
//
//   n' = (n + sum c_k h_k) / sqrt(1 + sum c_k^2),   h_k = -w_k / |w_k|,   T'T = 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"

namespace perp {

class SolutionFace {
public:
    // Scaled so that the energy norm of z is the length of z^.
    explicit SolutionFace(const Problem& problem);

    // Of the solutions that have the scaled velocity w as far as `threshold`, and z*.
    void choose(std::span<const double> w, std::span<const double> z, double threshold);

    [[nodiscard]] const MixedForm& scaled() const { return scaled_; }  // the problem itself
    // The cones and bounds of y.
    [[nodiscard]] const ConstraintSet& set() const { return set_; }
    // Of y: M the identity, J'y the momentum of y, and C = 0. Where the problem has compliance or
    // is a matrix, C z = C z* is a part of J'y.
    [[nodiscard]] const MixedForm& form() const { return form_; }
    // J'y of the solutions.
    [[nodiscard]] const std::vector<double>& momentum() const { return momentum_; }
    // A y of z that is in the face, up to rounding.
    void to_face(std::span<const double> z, std::span<double> y) const;
    void from_face(std::span<const double> y, std::span<double> z) const;

private:
    void choose_interval(std::int64_t scalar, double w, double z, double threshold);
    void choose_contact(std::int64_t contact, std::span<const double> w, std::span<const double> z,
                        double threshold);
    void oppose(const FrictionGroup& group, const std::int32_t* row, std::span<const double> w,
                std::span<const double> z);
    void transform_rows();

    const Problem* problem_;
    MixedForm scaled_, form_;
    ConstraintSet set_;
    Csr whole_;                  // [J C], all rows of a contact with the same columns
    std::vector<double> fixed_;  // of z
    // Of each contact, how much of every row is in the normal row of y; 0 in all: it parts.
    std::vector<double> along_;
    std::vector<std::uint8_t> free_;  // rows of y that move
    std::vector<double> momentum_;
};

}  // namespace perp
