// Sparse M = P' L D L' P for a symmetric positive definite matrix, by SuiteSparse's LDL with an
// AMD ordering (T. A. Davis, Algorithm 849, ACM TOMS 31 (2005)). No GPL part is needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/csr.hpp"

namespace perp {

class LdlFactor {
public:
    LdlFactor() = default;
    // `m` holds both triangles and is symmetric. Throws not_positive_definite, naming the row.
    explicit LdlFactor(const Csr& m);
    // A quasi-definite matrix [F A'; A -G], F (the first `positive` rows) and G positive definite:
    // L D L' exists for every ordering (Vanderbei, SIAM J. Optim. 5 (1995)). `half` does not apply.
    // Throws internal when a pivot has the wrong sign or drowns in rounding.
    static LdlFactor quasi_definite(const Csr& k, std::int64_t positive);

    // x <- M^-1 x; `work` has the size of M.
    void solve(std::span<double> x, std::span<double> work) const;
    // y <- (D^-1/2 L^-1 P) x for sparse x. The result's columns are positions in the ordering;
    // only the union of elimination tree paths of x is visited (`dense`, `mark`: scratch, zero
    // and -1 outside calls).
    void half(std::span<const std::int32_t> index, std::span<const double> value,
              std::vector<std::int32_t>& out_index, std::vector<double>& out_value,
              std::vector<double>& dense, std::vector<std::int64_t>& mark) const;

    [[nodiscard]] std::int64_t size() const { return n_; }

private:
    // Orders and factorizes; returns the number of pivots reached.
    std::int64_t factorize(const Csr& m);

    std::int64_t n_ = 0;
    std::vector<std::int64_t> permutation_, inverse_, parent_, column_start_, row_;
    std::vector<double> value_, diagonal_, inverse_root_;
};

}  // namespace perp
