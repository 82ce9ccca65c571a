// Which method solves what: the rules of `auto`, all of them.
//
// Bounds alone: pivoting, exact. A matrix that is not symmetric: pgs. Cones: products first (apgd),
// which for piles in motion is all it takes; where they are slow, factorizations, from the point
// reached: Newton where this is close, the interior point where it is not or Newton struggles, and
// Newton again where that stalls; and products where all this leads nowhere. `accurate` does the
// same from a guess; without one it begins with the interior point, where the matrix is symmetric.
//
// Under the exact Coulomb law, accelerated sweeps (aapgs) come first, which solve one contact after
// the other, as long as they are fast; then rounds of relaxed problems by these rules (SweepsFirst,
// CoulombEngine).
//
// Costs are counted in multiplications, not in time: the same problem gets the same answer, to the
// bit.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/solver.hpp"

namespace perp {

// The method to begin with.
Method first_method(const Problem& problem, const Settings& settings);

// Watches products with S, and tells when factorizations pay.
class ProductBudget {
public:
    // As if factorizations were cheap: finding out what they cost is not.
    explicit ProductBudget(const Settings& settings);
    // Of accelerated sweeps under the exact law.
    static ProductBudget of_sweeps(const Settings& settings);
    // A factorization costs as much as so many iterations.
    void set_cost(double iterations_per_factorization) {
        iterations_per_factorization_ = iterations_per_factorization;
    }
    // After `iteration` iterations the best eta is `eta`. True: go on.
    bool worth(std::int64_t iteration, double eta);

private:
    struct Mark {
        std::int64_t iteration;
        double eta;
    };
    double iterations_per_factorization_, patience_, tolerance_;
    std::vector<Mark> marks_;
};

// Of apgd, from multiplications of a factorization and entries of the matrices of a product.
double iterations_per_factorization(const Problem& problem, double factor_cost);

// Newton is begun from points as close as this: those of a guess know which contacts stick.
constexpr double close_eta = 1e-5;
constexpr double close_eta_of_guess = 1e-3;
// Where all that comes to more than this, there may be no solution: products again, to prove it.
constexpr double hopeless_eta = 1e-2;

}  // namespace perp
