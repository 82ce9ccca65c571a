// Matrices of an interior point's step in the middle of a solve, symmetric, both triangles stored:
//
//   kkt        [M J'; J -D], quasi-definite
//   condensed  M + J' D^-1 J, positive definite
//
// of the problem as the solver scales it: S = J M^-1 J' has a unit diagonal. The pattern is the
// solver's: all rows of a contact have the columns of any, and D has a dense block for each. D
// stands for C and cones together, so its eigenvalues are drawn between 1e-3 and 1e3. Bilateral
// rows, to which cones give nothing, have a small one, without which nothing could be condensed.
#pragma once

#include "problem/problem.hpp"
#include "sparse/csr.hpp"

namespace perp::kernels {

struct KktMatrices {
    explicit KktMatrices(const Problem& problem);

    Csr kkt, condensed;
    std::int64_t velocities = 0, contacts = 0;
};

}  // namespace perp::kernels
