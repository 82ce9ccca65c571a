// One step's vectors beside the Jacobians of a System: right sides, bounds or cones, compliance.
// Plain data, written by the caller or by a friction model. Empty vectors mean the default.
#pragma once

#include <vector>

namespace perp {

// m bilateral rows, r contacts with t sliding and a angular rows each, k box rows. SI units;
// impulses in N s, velocities in m/s (angular rows: N m s, rad/s).
struct ContactRows {
    std::vector<double> f;              // n: h (f_app - c) + M v, N s
    std::vector<double> u;              // m: A v + E lambda = u. Default 0
    std::vector<double> b_N, b_T, b_S;  // r, t r, a r: constant terms of the contact velocities. 0
    std::vector<double> compliance_A, compliance_N, compliance_T, compliance_S;  // diagonal E. 0
    std::vector<double> mu, rho, sigma;  // r: sliding coefficient, rolling and spinning length (m)
    std::vector<double> lo_T, hi_T;      // t r: bounds of the friction impulse, box law only
    std::vector<double> b_B, compliance_B, lo_B, hi_B;  // k: box rows (motors, dry joint friction)
};

// What friction of a contact means: a cone coupled to the normal impulse, relaxed to a convex
// problem, a box with given bounds, or the cone with Coulomb's exact law (De Saxce).
enum class Law : int { cone = 1, box = 2, coulomb = 3 };

}  // namespace perp
