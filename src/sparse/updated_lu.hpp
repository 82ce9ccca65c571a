// LU factors of a sparse matrix whose columns are replaced: the block-LU update (Bisschop and
// Meeraus, Math. Prog. 13 (1977); Gill, Murray, Saunders, Wright, SIAM J. Sci. Stat. Comput. 5
// (1984)). The factors of B0 stay as they are; a dense Schur complement of one row and column
// per replaced position corrects their solves. B0 moves on when the corrections have cost more
// floating point operations than new factors, or lose accuracy (algorithms.md 3.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/lu_factor.hpp"
#include "sparse/sparse_columns.hpp"

namespace perp {

class UpdatedLu {
public:
    static constexpr std::int64_t max_border = 64, max_updates = 500;

    struct Replacement {
        std::int64_t position = 0;
        SparseColumn column;  // may be borrowed from anywhere but this object
    };

    // Factorizes a square matrix, which is copied. False: singular up to rounding.
    bool factor(const SparseColumns& a);
    // Replaces columns, all at once; several positions must differ. False: the new matrix is
    // singular up to rounding: solves must wait until another replacement returns true.
    bool replace_column(std::int64_t position, const SparseColumn& column);
    bool replace_columns(std::span<const Replacement> replacements);
    // New factors of the current matrix. False: singular.
    bool refactor();

    // x <- B^-1 b and B^-T b with iterative refinement: a step, and up to three while each makes
    // the error at most a quarter. b and x must not overlap.
    void solve(std::span<const double> b, std::span<double> x);
    void solve_transposed(std::span<const double> b, std::span<double> x);
    // The factors should be renewed; the next replacement does it.
    [[nodiscard]] bool needs_refactor() const;

    [[nodiscard]] std::int64_t size() const { return base_.rows; }
    [[nodiscard]] SparseColumn column(std::int64_t position) const;  // until the next change
    [[nodiscard]] std::int64_t border() const { return border_; }
    [[nodiscard]] std::int64_t nonzeros() const { return lu_.nonzeros(); }
    [[nodiscard]] std::int64_t updates() const { return updates_; }  // replacements, in all
    [[nodiscard]] std::int64_t factorizations() const { return factorizations_; }
    // Of the last solve, after refinement: |b - B x| over |B| |x| + |b|, both at their largest.
    [[nodiscard]] double backward_error() const { return backward_error_; }
    [[nodiscard]] double largest_backward_error() const { return largest_error_; }
    void reset_statistics() {
        updates_ = factorizations_ = 0;
        largest_error_ = 0.0;
    }
    [[nodiscard]] double reciprocal_condition() const { return lu_.reciprocal_condition(); }

private:
    struct Slot {  // a replaced column
        std::int64_t position = 0;
        std::vector<std::int64_t> index;
        std::vector<double> value;
        std::vector<double> through_base;  // B0^-1 column
        double scale = 1.0;                // largest entry of it
        [[nodiscard]] SparseColumn column() const { return {index, value}; }
    };

    bool factor_base(int level);
    void place(const Replacement& replacement);
    void remove_slot(std::int64_t slot);
    bool factor_border();
    void solve_once(std::span<const double> b, std::span<double> x);
    void solve_transposed_once(std::span<const double> b, std::span<double> x);
    double residual(bool transposed, std::span<const double> b, std::span<const double> x);
    void refine(bool transposed, std::span<const double> b, std::span<double> x);

    LuFactor lu_;
    SparseColumns base_, next_;          // B0; room for its successor
    std::vector<Slot> slots_;            // the first border_ are in use
    std::vector<std::int32_t> slot_of_;  // per position; -1: as in B0
    std::int64_t border_ = 0;
    std::vector<double> schur_;  // LAPACK's factors, by columns, leading dimension border_
    std::vector<std::int32_t> pivots_;
    std::vector<double> right_, residual_, size_, correction_, small_;
    bool regular_ = false;            // can solve
    bool tiny_pivot_ = false;         // in the Schur complement
    double border_operations_ = 0.0;  // spent since the last factorization
    std::int64_t updates_ = 0, updates_since_ = 0, factorizations_ = 0;
    double backward_error_ = 0.0, largest_error_ = 0.0;
};

}  // namespace perp
