// Keller's principal pivoting method for small symmetric problems, on the dense scaled S
// (E. L. Keller, Math. Program. 5 (1973); Cottle, Pang, Stone, The Linear Complementarity Problem
// (1992), 4.3; for bounds on both sides as in Baraff, SIGGRAPH (1994)). One row at a time is
// driven until its velocity vanishes or it reaches its other bound, while the basic rows keep
// w_F = 0 and leave F where they reach a bound. The objective z'Sz / 2 + r'z decreases with every
// driven row and is least for the set that is left, so no set comes back.
//
// What changes velocities by less than a hundredth of the tolerance counts as nothing.
//
// Positive semidefinite S needs no shift: a row that depends on F has no curvature; it moves
// along the null direction until a row of F leaves, or proves that there is no solution.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/dense_basis.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

constexpr std::int64_t keller_largest = 500;  // rows

// Why the method cannot take a problem of so many rows; empty: it can.
std::string keller_reason(std::int64_t rows, bool symmetric);

struct KellerWorkspace {
    // Forms S of this form; vectors (r, lo, hi) may change between solves, matrices may not.
    // Throws unsupported where keller_reason() says so.
    explicit KellerWorkspace(const MixedForm& form);

    // The set: -1 at lo, 0 basic, +1 at hi, 2 held: not basic, w = 0 all the same, z as guessed
    // (rows that depend on basic ones). Written by every solve; read at its start if
    // `start_given`; then a basic row that depends on others is held.
    std::vector<std::int8_t> state;
    bool start_given = false;
    // Beyond, the method gives up as stalled: rounding of nearly dependent rows leads in circles.
    std::int64_t most_pivots = std::numeric_limits<std::int64_t>::max();

    DenseBasis basis;
    std::vector<std::int8_t> kind;  // of rows: see keller.cpp
    std::vector<double> velocity, certificate;
    std::vector<std::int32_t> rows, set;
};

// z, scaled: a guess in (it matters for rows that end held), the answer out. Every pivot is an
// iteration. Ends with eta of z: solved, stalled where rounding keeps it above the tolerance, a
// proof where there is no solution, or what the monitor stopped for.
void run_keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
                PivotMonitor& monitor);

}  // namespace perp
