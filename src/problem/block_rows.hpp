// Jacobian rows in blocks of K, laid out for streaming. The velocities are cut into tiles of W
// neighbours (a rigid body's six, say); a block stores the tiles it touches, each as a dense K x W
// part, row by row. So a body costs one index, products run along contiguous velocities, and a
// sweep reads one array from front to back. Rows of a matrix S over impulses have tiles of W = 1.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "base/inline.hpp"

namespace perp {

struct BlockRows {
    int rows_per_block = 1;              // K
    int tile = 1;                        // W: 1, 2, 3 or 6
    std::vector<std::int32_t> start{0};  // tiles of block b: start[b] .. start[b + 1]
    std::vector<std::int32_t> first;     // first velocity of each tile, a multiple of W
    std::vector<double> left;            // gathers velocities (J Q^-1), K W values per tile
    std::vector<double> right;           // scatters impulses (J R^-1); empty: equal to left

    [[nodiscard]] std::int64_t blocks() const {
        return static_cast<std::int64_t>(start.size()) - 1;
    }
    [[nodiscard]] const std::vector<double>& scattering() const {
        return right.empty() ? left : right;
    }
};

namespace block_detail {

// Two doubles in one register; the order of operations is the one written, on every machine.
using Pair = double __attribute__((vector_size(16)));

inline Pair load(const double* x) {
    Pair p;
    std::memcpy(&p, x, sizeof p);
    return p;
}
inline void store(double* x, Pair p) { std::memcpy(x, &p, sizeof p); }

}  // namespace block_detail

// u[0..K) += rows of block b times v.
template <int K, int W>
PERP_INLINE void gather(const BlockRows& rows, std::int64_t b, const double* v, double* u) {
    using namespace block_detail;
    const std::int32_t end = rows.start[b + 1];
    if constexpr (W % 2 == 0) {
        Pair sum[K] = {};
        for (std::int64_t t = rows.start[b]; t < end; ++t) {
            const double* x = v + rows.first[t];
            const double* a = rows.left.data() + t * K * W;
            for (int c = 0; c < W; c += 2) {
                const Pair xc = load(x + c);
                for (std::int64_t j = 0; j < K; ++j) sum[j] += load(a + j * W + c) * xc;
            }
        }
        for (int j = 0; j < K; ++j) u[j] += sum[j][0] + sum[j][1];
    } else {
        for (std::int64_t t = rows.start[b]; t < end; ++t) {
            const double* x = v + rows.first[t];
            const double* a = rows.left.data() + t * K * W;
            for (int c = 0; c < W; ++c)
                for (int j = 0; j < K; ++j) u[j] += a[j * W + c] * x[c];
        }
    }
}

// The same where tiles are single entries (W = 1), in two chains of sums, which take turns.
template <int K>
PERP_INLINE void gather_entries(const BlockRows& rows, std::int64_t b, const double* v, double* u) {
    const std::int32_t end = rows.start[b + 1];
    std::int64_t t = rows.start[b];
    constexpr std::int64_t k = K;
    const double* a = rows.left.data() + t * k;
    double even[K] = {}, odd[K] = {};
    for (; t + 1 < end; t += 2, a += 2 * k) {
        const double first = v[rows.first[t]], second = v[rows.first[t + 1]];
        for (int j = 0; j < K; ++j) even[j] += a[j] * first;
        for (int j = 0; j < K; ++j) odd[j] += a[K + j] * second;
    }
    if (t < end)
        for (int j = 0; j < K; ++j) even[j] += a[j] * v[rows.first[t]];
    for (int j = 0; j < K; ++j) u[j] += even[j] + odd[j];
}

// v += rows of block b, transposed, times z[0..K).
template <int K, int W>
PERP_INLINE void scatter(const BlockRows& rows, const double* values, std::int64_t b,
                         const double* z, double* v) {
    using namespace block_detail;
    const std::int32_t end = rows.start[b + 1];
    for (std::int64_t t = rows.start[b]; t < end; ++t) {
        double* x = v + rows.first[t];
        const double* a = values + t * K * W;
        if constexpr (W % 2 == 0) {
            for (int c = 0; c < W; c += 2) {
                Pair sum = load(a + c) * Pair{z[0], z[0]};
                for (std::int64_t j = 1; j < K; ++j) sum += load(a + j * W + c) * Pair{z[j], z[j]};
                store(x + c, load(x + c) + sum);
            }
        } else {
            for (int c = 0; c < W; ++c) {
                double sum = a[c] * z[0];
                for (int j = 1; j < K; ++j) sum += a[j * W + c] * z[j];
                x[c] += sum;
            }
        }
    }
}

// Calls f.template operator()<W>() for a tile width known at run time.
template <class F>
void with_tile(int w, F&& f) {
    switch (w) {
        case 6:
            f.template operator()<6>();
            return;
        case 3:
            f.template operator()<3>();
            return;
        case 2:
            f.template operator()<2>();
            return;
        default:
            f.template operator()<1>();
            return;
    }
}

}  // namespace perp
