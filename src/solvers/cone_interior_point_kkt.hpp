// The linear system of the interior point's steps, symmetric quasi-definite in (v, -z):
//
//   [ M   J'               ] [ v  ]   [ f ]
//   [ J  -(C + G'W^2 G)    ] [ -z ] = [ g ]
//
// in the frames of the contacts (ConeScaling): J and C change with these in every step, the
// pattern, with all rows of a contact alike, does not. Fixed rows (lo = hi) are left out. Where M
// or C deviate from symmetry their symmetric parts are taken: the steps are those of a neighbouring
// problem, what they aim at is not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/cone_interior_point_scaling.hpp"
#include "sparse/updated_ldl.hpp"

namespace perp {

class ConeKkt {
public:
    ConeKkt(const MixedForm& form, const ConeScaling& scaling);
    // Another problem; its ordering is kept if its pattern is the same.
    void renew(const MixedForm& form, const ConeScaling& scaling);

    // With `shift` more on the impulses' diagonal of the factors, which solves refine away down to
    // `kept`. False where there are no factors: the symmetric part is not positive semidefinite.
    bool factor(const MixedForm& form, const ConeScaling& scaling, double shift, double kept);
    // f: empty for zero; g and z in the frames and the order of the scaling. Returns the backward
    // error after so many refinements, or fewer where they gain nothing.
    double solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                 std::span<double> z, int refinements);

    [[nodiscard]] std::int64_t nonzeros() const { return ldl_.nonzeros(); }

private:
    void describe(const MixedForm& form, const ConeScaling& scaling);
    void fill(const ConeScaling& scaling);
    double rest();  // of the solution at hand; its largest entry over that of the terms

    std::int64_t n_ = 0, p_ = 0;
    Csr matrix_;                // of the scaling at hand
    std::vector<double> base_;  // its values without frames and cones
    std::vector<std::int64_t> diagonal_at_;
    // Of each row, where the columns of a contact begin, and which.
    struct Stretch {
        std::int64_t at;
        std::int32_t contact;
    };
    std::vector<std::int64_t> stretch_start_;
    std::vector<Stretch> stretch_;
    UpdatedLdl ldl_;
    std::vector<double> diagonal_, right_, solution_, last_, rest_, change_;
    std::vector<std::uint8_t> active_;
};

}  // namespace perp
