// Jacobian rows in blocks of K: per block the union of its columns and a dense K x columns part,
// column by column, so that gathering velocities and scattering impulses stream one array.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

struct BlockRows {
    int rows_per_block = 1;
    std::vector<std::int64_t> start{0};  // columns of block b: start[b] .. start[b + 1]
    std::vector<std::int32_t> column;
    std::vector<double> left;   // gathers velocities (J Q^-1), rows_per_block values per column
    std::vector<double> right;  // scatters impulses (J R^-1); empty: equal to left

    [[nodiscard]] std::int64_t blocks() const {
        return static_cast<std::int64_t>(start.size()) - 1;
    }
    [[nodiscard]] const std::vector<double>& scattering() const {
        return right.empty() ? left : right;
    }
};

// u[0..K) += rows of block b times v.
template <int K>
void gather(const BlockRows& rows, std::int64_t b, const double* v, double* u) {
    const std::int64_t end = rows.start[b + 1];
    for (std::int64_t c = rows.start[b]; c < end; ++c) {
        const double x = v[rows.column[c]];
        const double* a = rows.left.data() + c * K;
        for (int j = 0; j < K; ++j) u[j] += a[j] * x;
    }
}

// v += rows of block b, transposed, times z[0..K).
template <int K>
void scatter(const BlockRows& rows, std::int64_t b, const double* z, double* v) {
    const double* values = rows.scattering().data();
    const std::int64_t end = rows.start[b + 1];
    for (std::int64_t c = rows.start[b]; c < end; ++c) {
        const double* a = values + c * K;
        double sum = 0.0;
        for (int j = 0; j < K; ++j) sum += a[j] * z[j];
        v[rows.column[c]] += sum;
    }
}

// Calls f.template operator()<K>() for a block size known at run time, 1 to 6.
template <class F>
void with_block_size(int k, F&& f) {
    switch (k) {
        case 1:
            f.template operator()<1>();
            return;
        case 2:
            f.template operator()<2>();
            return;
        case 3:
            f.template operator()<3>();
            return;
        case 4:
            f.template operator()<4>();
            return;
        case 5:
            f.template operator()<5>();
            return;
        default:
            f.template operator()<6>();
            return;
    }
}

}  // namespace perp
