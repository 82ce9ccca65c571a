// How the pieces of a Problem are made and checked: used by Problem alone.
#pragma once

#include <vector>

#include "problem/problem.hpp"

namespace perp {

AssembledForm assemble_form(std::shared_ptr<const System> system, ContactRows rows, Law law);
ConstraintSet assembled_set(const AssembledForm& form);
std::vector<double> assembled_diagonal(const AssembledForm& form);
Csr form_delassus(const AssembledForm& form);

// Throws bad_bounds where a tied row has bounds of its own.
void check_tied_bounds(const ConstraintSet& set);
ConstraintSet blcp_set(std::int64_t rows, std::vector<double> lo, std::vector<double> hi);

MatrixForm delassus_matrices(const DelassusForm& form);
ConstraintSet delassus_set(const DelassusForm& form);
// [W V; V' R].
Csr combine(const Csr& W, const Csr& V, const Csr& R);

std::vector<double> row_weights(const ConstraintSet& set, const EnergyWeights& weights);
// Largest sqrt(w_i w_j) |a_ij - a_ji|.
double relative_asymmetry(const Csr& a, const std::vector<double>& weight);

}  // namespace perp
