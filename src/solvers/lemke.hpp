// Lemke's method with a covering vector (C. E. Lemke, Management Science 11 (1965); Cottle, Pang,
// Stone 1992, section 4.4) for bounds on both sides: ratio tests against both, and a lexicographic
// rule where they tie, so that no degenerate problem cycles. Bases are updated LU factors.
//
// It ends for every problem; with a solution for every P-matrix, and with a solution or a proof
// that there is none where S is positive semidefinite or copositive-plus. Any S may be tried.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/lemke_rows.hpp"
#include "solvers/pivot_monitor.hpp"
#include "sparse/updated_lu.hpp"

namespace perp {

struct LemkeWorkspace {
    explicit LemkeWorkspace(const MixedForm& form);

    // Where z of each row ended: -1 at lo, 0 basic, 1 at hi.
    std::vector<std::int8_t> state;
    // A proof, scaled, that there is no solution where S'd is not 0 (it is where S is symmetric),
    // so that the monitor cannot take it: d in the recession cone of the bounds, thus w . d >= 0,
    // but w . d = (S'd) . z + r . d < 0 for all z within the bounds. Else empty.
    std::vector<double> general_certificate;

    enum class Holder : std::uint8_t { slack, impulse, covering };  // w_k, z_k or t
    LemkeRows rows;
    UpdatedLu lu;
    SparseColumns matrix;
    std::vector<Holder> holder;        // which variable of row k is basic
    std::vector<std::int8_t> side;     // the bound at which z_k is or was last: -1 lo, 1 hi
    std::vector<double> perturbation;  // per row: first column of the lexicographic order
    // By position in the basis: velocities, then rows.
    std::vector<double> value, lower, upper, magnitude, rate, right, lexicographic, row, best_row;
    std::vector<double> z;             // per row
    std::vector<double> ray, product;  // per row of the form
    std::vector<std::int64_t> ties, split;
    LemkeColumn entering, covering, column;
};

// From any z, scaled, which says only at which end rows with two bounds start. Ends solved, with
// no_solution and a certificate, or stalled: a ray that proves nothing, or an accuracy that was
// lost.
void run_lemke(const MixedForm& form, std::vector<double>& z, LemkeWorkspace& work,
               PivotMonitor& monitor);

}  // namespace perp
