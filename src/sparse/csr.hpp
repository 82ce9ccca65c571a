// Compressed sparse rows, and the front door that makes them: checked triplets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

// Compressed rows: columns sorted, no duplicates. Row starts are 64 bit (counts may pass 2^31),
// column indices 32 bit (a dimension may not).
struct Csr {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> index;
    std::vector<double> value;

    [[nodiscard]] std::int64_t nonzeros() const { return start.back(); }
    [[nodiscard]] std::span<const std::int32_t> row_index(std::int64_t i) const;
    [[nodiscard]] std::span<const double> row_value(std::int64_t i) const;
    // The stored value at (i, j), 0 where nothing is stored; binary search.
    [[nodiscard]] double at(std::int64_t i, std::int64_t j) const;
};

// y += A x and y += A' x.
void multiply_add(const Csr& a, std::span<const double> x, std::span<double> y);
void multiply_transposed_add(const Csr& a, std::span<const double> x, std::span<double> y);
Csr transpose(const Csr& a);
Csr diagonal_matrix(std::span<const double> d);

// The same matrix without the zeros that are stored.
Csr without_zeros(const Csr& a);
// But zeros stay where the rows of `keep` from `first` on have entries.
Csr without_zeros(const Csr& a, const Csr& keep, std::int64_t first);

// Calls visit(i, j, a_ij, a_ji) for every stored (i, j) of A and of A'.
template <class Visit>
void visit_mirrored(const Csr& a, Visit&& visit) {
    const Csr t = transpose(a);
    const auto walk = [&visit](const Csr& x, const Csr& y, bool swapped) {
        for (std::int64_t i = 0; i < x.rows; ++i) {
            std::int64_t q = y.start[i];
            for (std::int64_t k = x.start[i]; k < x.start[i + 1]; ++k) {
                const std::int32_t j = x.index[k];
                while (q < y.start[i + 1] && y.index[q] < j) ++q;
                const bool both = q < y.start[i + 1] && y.index[q] == j;
                const double mirror = both ? y.value[q] : 0.0;
                visit(i, std::int64_t{j}, swapped ? mirror : x.value[k],
                      swapped ? x.value[k] : mirror);
            }
        }
    };
    walk(a, t, false);
    walk(t, a, true);
}

// The caller's triplets: any order, duplicates summed, index base 0 or 1. Borrowed, never kept.
struct Triplets {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t count = 0;
    const std::int64_t* row = nullptr;
    const std::int64_t* col = nullptr;
    const double* value = nullptr;
    std::int64_t base = 0;
};

// Triplets compressed once, with the map from entry to triplets, so that new values can follow.
// Duplicates are summed in the order given; thus an update equals a fresh matrix to the bit.
class SparseMatrix {
public:
    SparseMatrix() = default;
    // `name` is the argument's name in messages. Throws bad_size, bad_index, bad_value.
    SparseMatrix(const Triplets& triplets, const char* name);

    [[nodiscard]] const Csr& csr() const { return csr_; }
    [[nodiscard]] std::int64_t rows() const { return csr_.rows; }
    [[nodiscard]] std::int64_t cols() const { return csr_.cols; }
    [[nodiscard]] std::int64_t triplets() const { return triplets_; }
    // Values in the triplets' original order. Throws bad_pattern on another count, bad_value on
    // NaN or infinity; the matrix is unchanged then.
    void update(std::span<const double> values, const char* name);

private:
    void compress(const Triplets& triplets, const char* name);
    // Sums of `values` per entry. Throws bad_value where finite values overflow.
    void accumulate(const double* values, const char* name, std::vector<double>& sums) const;

    Csr csr_;
    std::int64_t triplets_ = 0;
    // Triplets in the order of the entries, equal places as given; empty: sorted as given.
    std::vector<std::uint32_t> source_;
    // Triplets of entry e: source_[first_[e]] .. source_[first_[e + 1]]; empty: one each.
    std::vector<std::uint32_t> first_;
};

}  // namespace perp
