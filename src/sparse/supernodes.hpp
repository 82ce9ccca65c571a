// Columns of L with the same rows below, found from the pattern alone, so that dense blocks can do
// the work of a sparse factorization.
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/csr.hpp"

namespace perp {

// Of P K P' = L D L'. Supernode s has the columns first[s] .. first[s + 1] - 1 and below them the
// rows row[row_start[s] .. row_start[s + 1]), ascending; children come before their parents.
struct Supernodes {
    std::vector<std::int64_t> permutation, inverse;  // row k of P K P' is row permutation[k] of K
    std::vector<std::int32_t> first;
    // Its columns are not connected with each other: leaves with the same rows, as the rows of
    // contacts between the same two bodies are.
    std::vector<std::uint8_t> twins;
    std::vector<std::int64_t> row_start{0};
    std::vector<std::int32_t> row;
    std::vector<std::int32_t> parent;  // -1: a root
    std::vector<std::int32_t> of;      // the supernode of each column

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(parent.size()); }
    [[nodiscard]] std::int64_t width(std::int64_t s) const { return first[s + 1] - first[s]; }
    [[nodiscard]] std::int64_t height(std::int64_t s) const {
        return row_start[s + 1] - row_start[s];
    }
};

// `k` holds both triangles. Ordered by AMD, either all of it or after the elimination of the rows
// from `positive` on, whichever costs less; small supernodes are joined where dense work on zeros
// costs less than another block.
Supernodes find_supernodes(const Csr& k, std::int64_t positive);

}  // namespace perp
