// Keller's principal pivoting method for small symmetric problems, on the dense scaled S
// (E. L. Keller, Math. Program. 5 (1973); Cottle, Pang, Stone, The Linear Complementarity Problem
// (1992), 4.3; for bounds on both sides as in Baraff, SIGGRAPH (1994)). One row at a time is
// driven until its velocity vanishes or it reaches its other bound, while the basic rows keep
// w_F = 0 and leave F where they reach a bound. The objective z'Sz / 2 + r'z decreases with every
// driven row and is least for the set that is left, so no set comes back.
//
// Positive semidefinite S needs no shift: a row that depends on F has no curvature; it moves
// along the null direction until a row of F leaves, or proves that there is no solution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/dense_delassus.hpp"
#include "problem/mixed_form.hpp"
#include "solvers/pivot_monitor.hpp"
#include "sparse/principal_inverse.hpp"

namespace perp {

constexpr std::int64_t keller_largest = 500;  // rows

// Why the method cannot take a problem; empty: it can.
std::string keller_reason(const MixedForm& form);

struct KellerWorkspace {
    // Forms S. Throws unsupported where keller_reason() is not empty.
    explicit KellerWorkspace(const MixedForm& form);

    // The set: -1 at lo, 0 basic, +1 at hi, 2 held: not basic, w = 0 all the same, z as guessed
    // (rows that depend on basic ones). Written by every solve; read at its start if
    // `start_given`; then a basic row that depends on others is held.
    std::vector<std::int8_t> state;
    bool start_given = false;

    DenseDelassus s;
    PrincipalInverse inverse;                 // of S_FF
    std::vector<double> velocity, schur;      // w; S_ii - S_iF S_FF^-1 S_Fi, for pricing
    std::vector<double> rate, slope, column;  // a driven row's S_FF^-1 S_Fi; of w; w per z_l
    std::vector<double> right, step;          // by places in F
    std::vector<std::int8_t> place_kind;      // see keller.cpp
    std::vector<std::int32_t> candidates;
};

// z: a guess in (rows between their bounds are held until a velocity asks for them), the answer
// out. Ends with eta of it; a proof where there is no solution.
void run_keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
                PivotMonitor& monitor);

}  // namespace perp
