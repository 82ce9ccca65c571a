// Compressed sparse columns with 64-bit indices, the shape in which LU factorizations take
// matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

// Row indices of a column ascend, without duplicates. The entries are borrowed.
struct SparseColumn {
    std::span<const std::int64_t> index;
    std::span<const double> value;
};

struct SparseColumns {
    std::int64_t rows = 0;
    std::vector<std::int64_t> start{0}, index;
    std::vector<double> value;

    [[nodiscard]] std::int64_t cols() const { return static_cast<std::int64_t>(start.size()) - 1; }
    [[nodiscard]] std::int64_t nonzeros() const { return start.back(); }
    [[nodiscard]] SparseColumn column(std::int64_t j) const {
        const auto first = static_cast<std::size_t>(start[j]);
        const auto count = static_cast<std::size_t>(start[j + 1]) - first;
        return {std::span(index).subspan(first, count), std::span(value).subspan(first, count)};
    }
    // Empties the matrix; the memory is kept.
    void clear(std::int64_t row_count) {
        rows = row_count;
        start.assign(1, 0);
        index.clear();
        value.clear();
    }
    void append(const SparseColumn& column) {
        index.insert(index.end(), column.index.begin(), column.index.end());
        value.insert(value.end(), column.value.begin(), column.value.end());
        start.push_back(static_cast<std::int64_t>(index.size()));
    }
};

}  // namespace perp
