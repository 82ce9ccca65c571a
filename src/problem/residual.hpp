// Eta, the one residual: the energy norm of the natural map over the energy norm of the free
// constraint velocity (algorithms.md 1.4). Dimensionless, invariant under units and admissible row
// scaling, computed from the caller's data in the caller's rows, apart from every solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/problem.hpp"

namespace perp {

struct Residual {
    double eta = 0.0;
    double part[row_kinds] = {0, 0, 0, 0};  // same denominator: bilateral, normal, friction, box
    std::int64_t worst_row = -1;  // the caller's row (a contact's normal row for cones), -1: none
    // The same with De Saxce's shift: distance from the exact Coulomb law. Eta where that law
    // holds.
    double eta_coulomb = 0.0;
    // Reported in SI units, never a stopping rule:
    double penetration_velocity = 0.0;  // largest max(0, -u_n), m/s
    double cone_violation = 0.0;        // largest violation of z in K (cones and intervals), N s
    double complementarity = 0.0;       // largest |<z_i, u_i>| of a contact or interval, J
    double bilateral_velocity = 0.0;    // largest |u| of the bilateral rows, m/s
};

// sqrt(square) / denominator; 0 for 0 / 0, infinity where only the denominator vanishes or
// numbers overflowed: never NaN.
double energy_ratio(double square, double denominator);

struct ResidualWorkspace {
    ProductWorkspace product;
    std::vector<double> velocity;  // u of the last evaluation, the caller's rows
};

ResidualWorkspace make_residual_workspace(const Problem& problem);
// Bounds tied to normal impulses are those at z. Does not allocate.
Residual residual(const Problem& problem, std::span<const double> z, ResidualWorkspace& work);

}  // namespace perp
