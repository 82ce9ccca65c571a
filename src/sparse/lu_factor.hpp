// Sparse P A Q = L U of a square matrix that need not be symmetric: by UMFPACK (T. A. Davis,
// Algorithm 832, ACM TOMS 30 (2004)) or, without parts under the GPL, by KLU (Davis and Palamadai
// Natarajan, Algorithm 907, ACM TOMS 37 (2010)).
//
// Matrices of complementarity problems have a large diagonal in the right order, so pivoting starts
// weak, for the sake of the fill (algorithms.md 3.3), and grows stricter where the factors are
// singular or do not solve.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sparse/sparse_columns.hpp"

namespace perp {

class LuFactor {
public:
    // Pivot tolerances, from the one that fills least to the one that is most accurate.
    static constexpr int levels = 3;

    LuFactor();
    ~LuFactor();
    LuFactor(LuFactor&&) noexcept;
    LuFactor& operator=(LuFactor&&) noexcept;

    // Factorizes with the first pivot tolerance, from `level` on, that gives regular factors which
    // solve a test system. False: singular up to rounding; the object cannot solve then. The
    // symbolic analysis is kept while the pattern stays the same. Throws bad_size where `a` is not
    // square, internal where the package fails.
    bool factor(const SparseColumns& a, int level = 0);
    // x <- A^-1 b and A^-T b, without refinement; b and x must not overlap.
    void solve(std::span<const double> b, std::span<double> x);
    void solve_transposed(std::span<const double> b, std::span<double> x);

    [[nodiscard]] std::int64_t size() const;
    [[nodiscard]] int level() const;              // of the tolerance in use
    [[nodiscard]] std::int64_t nonzeros() const;  // of L and U
    [[nodiscard]] double operations() const;      // floating point, of the factorization
    // Smallest over largest absolute value on U's diagonal: cheap, often optimistic.
    [[nodiscard]] double reciprocal_condition() const;

private:
    struct Package;  // the matrix and the package's objects
    std::unique_ptr<Package> package_;
};

}  // namespace perp
