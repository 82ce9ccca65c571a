// The mass matrix: checked, and inverted by blocks where it is block diagonal (bodies), else
// factorized once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/csr.hpp"
#include "sparse/ldl_factor.hpp"

namespace perp {

enum class MassStorage : std::int32_t { full = 0, lower = 1, upper = 2 };

// M = R' Q with R, Q upper triangular after a symmetric permutation ("halves"): then
// J M^-1 J' = (J Q^-1)(J R^-1)', and for symmetric M both halves are the Cholesky factor L'.
// M is used as given, never symmetrized: where it deviates within the tolerance, blocks are
// factorized as they stand (R differs from Q), and `asymmetry` says by how much. Only the sparse
// factorization of a large coupled M averages what deviates by rounding.
class MassMatrix {
public:
    MassMatrix() = default;
    // The triplets of M as compressed, `storage` saying which triangles they hold. Entries may
    // deviate from symmetry by `tolerance` * sqrt(M_ii M_jj).
    // Throws not_symmetric (entry named), not_positive_definite (degree of freedom named).
    MassMatrix(const Csr& given, MassStorage storage, double tolerance);

    [[nodiscard]] std::int64_t size() const { return matrix_.rows; }
    [[nodiscard]] const Csr& matrix() const { return matrix_; }  // both triangles
    // Both halves are the same.
    [[nodiscard]] bool symmetric() const { return symmetric_; }
    [[nodiscard]] double asymmetry() const { return asymmetry_; }
    [[nodiscard]] bool block_diagonal() const { return blockwise_; }
    [[nodiscard]] std::int64_t largest_block() const { return largest_block_; }

    // x <- M^-1 x; `work` has the size of M.
    void solve(std::span<double> x, std::span<double> work) const;

    struct Scratch {  // for half_row: sized by the first call, reused after
        std::vector<double> dense;
        std::vector<std::int64_t> mark;
    };
    // One sparse row j: right half j R^-1 (scatters impulses) or left half j Q^-1 (gathers
    // velocities). Columns of the result are sorted, in the halves' own numbering.
    enum class Half : std::uint8_t { right, left };
    void half_row(Half half, std::span<const std::int32_t> index, std::span<const double> value,
                  std::vector<std::int32_t>& out_index, std::vector<double>& out_value,
                  Scratch& scratch) const;

private:
    void check_symmetry(double tolerance);
    void symmetrize_rounding();
    void find_blocks();
    void factor_block(std::int64_t b);
    void half_row_of_neighbours(Half half, std::span<const std::int32_t> index,
                                std::span<const double> value, std::vector<std::int32_t>& out_index,
                                std::vector<double>& out_value) const;

    Csr matrix_;
    double asymmetry_ = 0.0;
    bool symmetric_ = true;
    bool blockwise_ = true;
    bool contiguous_ = true;  // blocks of neighbouring degrees of freedom
    std::int64_t largest_block_ = 0;
    // Block b: degrees of freedom dof_[block_start_[b] ..], dense factors from factor_start_[b] on,
    // row-major: lower_ = R', upper_transposed_ = Q' (empty where symmetric: equal to lower_).
    std::vector<std::int64_t> block_start_, factor_start_;
    std::vector<std::int32_t> dof_, block_of_, place_;
    std::vector<double> lower_, upper_transposed_;
    LdlFactor sparse_;
};

}  // namespace perp
