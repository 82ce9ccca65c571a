// L D L' of a sparse symmetric quasi-definite matrix [F A'; A -G] of which any set of rows may be
// inactive, with rows added and deleted one by one.
//
// L keeps the pattern of the full matrix, whatever is active: an inactive row is a row of the
// identity and costs zeros. So nothing moves or grows, and the ordering (AMD) is found once.
//
// Up-looking factorization after T. A. Davis, Algorithm 849, ACM TOMS 31 (2005); row modifications
// after Davis and Hager, SIAM J. Matrix Anal. Appl. 26 (2005). Factors exist for every set and
// order (Vanderbei, SIAM J. Optim. 5 (1995)), without pivoting but with growth: refine solutions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/csr.hpp"

namespace perp {

class UpdatedLdl {
public:
    UpdatedLdl() = default;
    // `k` holds both triangles; its diagonal is not read. The first `positive` rows are those of F.
    UpdatedLdl(const Csr& k, std::int64_t positive);

    // The same pattern, the same ordering, other values. False, and nothing changes, if the
    // pattern differs.
    bool renew(const Csr& k);
    // False where a pivot vanishes or has the wrong sign: then there are no factors.
    bool factor(std::span<const double> diagonal, std::span<const std::uint8_t> active);
    // One row more or less; the others stay as factorized. False as above: factor again.
    bool add_row(std::int64_t row, double diagonal);
    bool delete_row(std::int64_t row);
    // x <- K^-1 x on the active rows; inactive entries of x stay what they are.
    void solve(std::span<double> x);

    [[nodiscard]] std::int64_t size() const { return n_; }
    [[nodiscard]] std::int64_t nonzeros() const { return column_start_.back(); }  // of L
    // Multiplications of a factorization, of adding or deleting a row.
    [[nodiscard]] double factor_cost() const { return factor_cost_; }
    [[nodiscard]] double update_cost(std::int64_t row) const;

private:
    void take_upper_triangle(const Csr& k);
    void analyze();
    void find_runs();
    template <int W>
    double eliminate(std::int64_t j);
    template <int W>
    void forward(std::int64_t j, double* y) const;
    template <int W>
    void backward(std::int64_t j, double* y) const;
    [[nodiscard]] bool right_sign(std::int64_t at) const;
    bool rank_one(std::int64_t first, double alpha);

    std::int64_t n_ = 0, positive_ = 0;
    std::vector<std::int64_t> permutation_, inverse_, parent_;
    // Upper triangle of P K P' by columns, and where its entries are in the caller's matrix.
    std::vector<std::int64_t> upper_start_, upper_source_;
    std::vector<std::int32_t> upper_row_;
    std::vector<double> upper_value_;
    // The same below the diagonal, for adding a row: rows of column j and their entries above.
    std::vector<std::int64_t> lower_start_, lower_source_;
    std::vector<std::int32_t> lower_row_;
    std::vector<std::int64_t> pattern_start_;  // of the caller's matrix, to recognize it
    std::vector<std::int32_t> pattern_index_;
    // L by columns, rows ascending; of each row of L its columns and the entries' places.
    std::vector<std::int64_t> column_start_{0}, row_start_, row_place_;
    std::vector<std::int32_t> row_, row_column_;
    std::vector<double> value_, pivot_, inverse_pivot_;
    // Columns j .. run_end_[j] - 1 have the same rows below: they are worked on together.
    std::vector<std::int32_t> run_end_;
    std::vector<std::uint8_t> active_;
    std::vector<std::int64_t> filled_;
    std::vector<double> work_;  // zero between calls
    double factor_cost_ = 0.0;
};

}  // namespace perp
