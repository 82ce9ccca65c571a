// L D L' of a sparse symmetric quasi-definite matrix [F A'; A -G] of which any set of rows may be
// inactive, with rows added and deleted one by one.
//
// L keeps the pattern of the full matrix, whatever is active: an inactive row is a row of the
// identity and costs zeros. So nothing moves or grows, and the ordering is found once.
//
// Multifrontal on supernodes (Duff and Reid, ACM TOMS 9 (1983); Liu, SIAM Review 34 (1992)); row
// modifications after Davis and Hager, SIAM J. Matrix Anal. Appl. 26 (2005). Factors exist for
// every set and order (Vanderbei, SIAM J. Optim. 5 (1995)), without pivoting but with growth:
// refine solutions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sparse/csr.hpp"
#include "sparse/panel_kernels.hpp"
#include "sparse/supernodes.hpp"

namespace perp {

class UpdatedLdl {
public:
    UpdatedLdl() = default;
    // `k` holds both triangles; its diagonal is not read. The first `positive` rows are those of F.
    UpdatedLdl(const Csr& k, std::int64_t positive);

    // The same pattern, the same ordering, other values. False, and nothing changes, if the
    // pattern differs.
    bool renew(const Csr& k);
    // The same matrix with the values of other entries, in the order of `k`.
    void take_values(std::span<const double> k_value);
    // Memory for the factors, which factor() makes else: what they cost is known before. True if
    // there was none.
    bool make_room();
    // False where a pivot vanishes or has the wrong sign: then there are no factors.
    bool factor(std::span<const double> diagonal, std::span<const std::uint8_t> active);
    // One row more or less; the others stay as factorized. False as above: factor again.
    bool add_row(std::int64_t row, double diagonal);
    bool delete_row(std::int64_t row);
    // x <- K^-1 x on the active rows; inactive entries of x stay what they are.
    void solve(std::span<double> x);

    [[nodiscard]] std::int64_t size() const { return n_; }
    // Of L, below the diagonal, with the zeros that blocks store.
    [[nodiscard]] std::int64_t nonzeros() const { return nonzeros_; }
    // Multiplications of a factorization, of adding or deleting a row.
    [[nodiscard]] double factor_cost() const { return factor_cost_; }
    [[nodiscard]] double update_cost(std::int64_t row) const {
        return path_cost_[nodes_.of[nodes_.inverse[row]]];
    }

private:
    // Wider blocks are factorized in steps of so many columns, a multiple of 4.
    static constexpr std::int64_t columns_at_once = 32;
    // A supernode: its diagonal block (none for twins), the rows below it, inverses of the
    // diagonal block's steps, and what it leaves for its parent, all by columns with leading
    // dimensions that are multiples of 4.
    struct Block {
        std::int64_t width, height, ld_block, ld, block, panel, inverse, rest;
        int stack;          // which of the two its rest is in
        bool twins, stale;  // the inverses are older than the block
    };
    // So many rows of a child, from the first on, are so many of the parent's rows (its columns
    // come first).
    struct Stretch {
        std::int32_t child, parent, length;
    };

    struct Room {
        std::int64_t value, inverse, panel, width, height;
        std::array<std::int64_t, 2> stack;
    };

    void place_blocks();
    void place_entries(const Csr& k);
    void map_children();
    void list_rows();
    void fill(std::int64_t s, std::span<const double> diagonal);
    void gather(std::int64_t child);
    void eliminate(std::int64_t s);
    void eliminate_twins(std::int64_t s);
    void invert(Block& b);
    void solve_block(Block& b, double* x);
    void solve_block_transposed(Block& b, double* x);
    void forward(std::int64_t s);
    void backward(std::int64_t s);
    [[nodiscard]] bool right_signs(std::int64_t s) const;
    [[nodiscard]] bool right_sign(std::int64_t at) const;
    double add_columns(std::int64_t s, std::int64_t position);
    double add_own_columns(std::int64_t s, std::int64_t column);
    bool rank_one(std::int64_t s, std::int64_t column, double alpha);
    [[nodiscard]] std::int64_t above(std::int64_t s) const { return nodes_.parent[s]; }

    std::int64_t n_ = 0, positive_ = 0, nonzeros_ = 0;
    double factor_cost_ = 0.0;
    Room room_{};
    std::vector<double> path_cost_;  // of a rank-one change, from each supernode to its root
    Supernodes nodes_;
    const PanelKernels* kernels_ = &panel_kernels();
    std::vector<Block> blocks_;
    std::vector<double> value_, inverse_, pivot_, inverse_pivot_;
    // Entries of the lower triangle of P K P' by supernodes, where they go, from the beginning of
    // the supernode's block, and where they come from.
    struct Entry {
        std::int32_t row, column;
    };
    std::vector<std::int64_t> entry_start_{0}, entry_source_;
    std::vector<std::int64_t> entry_place_;
    std::vector<Entry> entry_;
    std::vector<double> entry_value_;
    std::vector<std::int64_t> pattern_start_;  // of the caller's matrix, to recognize it
    std::vector<std::int32_t> pattern_index_;
    std::vector<std::int64_t> child_start_, stretch_start_;
    std::vector<std::int32_t> child_;
    std::vector<Stretch> stretch_;
    // Of each row its entries of K, and the supernodes below whose columns it stands, with its
    // position among their rows.
    struct Occurrence {
        std::int32_t node, position;
    };
    std::vector<std::int64_t> neighbour_start_, occurrence_start_;
    std::vector<std::int64_t> neighbour_;  // entries
    std::vector<Occurrence> occurrence_;
    std::vector<std::uint8_t> active_;
    bool all_active_ = false;
    std::vector<double> work_;  // zero between calls
    // Of one block: columns times D, of panel and diagonal block; two vectors.
    std::vector<double> unscaled_, unscaled_block_, below_, beside_;
    std::array<std::vector<double>, 2> stack_;
};

}  // namespace perp
