// The least-squares problem of Anderson acceleration (Walker and Ni, SIAM J. Numer. Anal. 49
// (2011), type II): min |f - dF a|^2 over the changes dF of the residuals f of a fixed point.
#pragma once

#include <cstdint>
#include <vector>

namespace perp {

struct MixingWeights {
    explicit MixingWeights(std::int64_t window);

    // dF_i . dF_j.
    void set_product(std::size_t i, std::size_t j, double product);
    // Finds `weight` for the first `filled` columns of dF, by the normal equations with a small
    // Tikhonov term. False where rounding leaves no direction. Does not allocate.
    bool solve(std::size_t filled);

    std::vector<double> projection;  // dF'f
    std::vector<double> weight;      // a

private:
    std::size_t window_;
    std::vector<double> gram_, factor_;  // dF'dF, its Cholesky factor
};

}  // namespace perp
