// When a direction d proves that a problem has no solution: d in the recession cone of K, S'd = 0
// and r . d < 0. Every solution z would have d . (S z + r) >= 0, so |z| >= -r . d / |S'd|, in
// energy norms: with a tiny S'd, a proof.
#pragma once

namespace perp {

// Below this fraction of |r| |d|, r . d is rounding and proves nothing.
constexpr double least_descent = 1e-10;
// To be taken for none, a solution would be this many times as large as the free velocity: a
// well-posed step has about 1, a mass ratio of 1e12 about 1e12.
constexpr double infeasible_ratio = 1e13;

// descent: -r . d; curvature: |S'd|, or what makes it, zero where it is.
constexpr bool is_proof(double descent, double curvature, double length, double free_norm) {
    return descent > least_descent * length * free_norm &&
           descent >= infeasible_ratio * curvature * free_norm;
}

}  // namespace perp
