// The linear system of the steps of cone solvers, symmetric quasi-definite in (v, -z):
//
//   [ M   J'       ] [ v  ]   [ f ]
//   [ J  -(C + D)  ] [ -z ] = [ g ]
//
// in the frames of the contacts (ConeFrames), which give D and the rows that take part: J and C
// change with the frames in every step, the pattern, with all rows of a contact alike, does not.
// Where M or C deviate from symmetry their symmetric parts are taken: the steps are those of a
// neighbouring problem, what they aim at is not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/cone_frames.hpp"
#include "sparse/updated_ldl.hpp"

namespace perp {

class ConeKkt {
public:
    ConeKkt(const MixedForm& form, const ConeFrames& frames);
    // Another problem; its ordering is kept if its pattern is the same.
    void renew(const MixedForm& form, const ConeFrames& frames);

    // With `shift` more on the impulses' diagonal of the factors, which solves refine away down to
    // `kept`. False where there are no factors: the symmetric part is not positive semidefinite.
    bool factor(const ConeFrames& frames, double shift, double kept);
    // f: empty for zero; g and z in the frames and their order. Returns the backward
    // error after so many refinements, or fewer where they gain nothing.
    double solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                 std::span<double> z, int refinements);

    bool make_room() { return ldl_.make_room(); }
    [[nodiscard]] std::int64_t nonzeros() const { return ldl_.nonzeros(); }
    [[nodiscard]] double factor_cost() const { return ldl_.factor_cost(); }

private:
    void describe(const MixedForm& form, const ConeFrames& frames);
    void fill(const ConeFrames& frames);
    double rest();  // of the solution at hand; its largest entry over that of the terms

    std::int64_t n_ = 0, p_ = 0;
    Csr matrix_;                // of the frames at hand
    std::vector<double> base_;  // its values without frames and terms
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
    std::vector<ConeFrames::Term> terms_;
};

}  // namespace perp
