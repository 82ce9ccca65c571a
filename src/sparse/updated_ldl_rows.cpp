// One row more or less (Davis and Hager, SIAM J. Matrix Anal. Appl. 26 (2005)).
#include <algorithm>
#include <utility>

#include "sparse/updated_ldl.hpp"

namespace perp {

// L D L' + alpha w w' from a column of supernode s on, w in work_ (zero afterwards).
bool UpdatedLdl::rank_one(std::int64_t s, std::int64_t column, double alpha) {
    double* const w = work_.data();
    bool good = true;
    for (; s >= 0; s = above(s), column = 0) {
        Block& b = blocks_[s];
        b.stale = true;
        const std::int64_t first = nodes_.first[s];
        const std::int32_t* const rows = nodes_.row.data() + nodes_.row_start[s];
        std::fill(beside_.begin(), beside_.begin() + b.ld_block, 0.0);
        for (std::int64_t j = column; j < b.width; ++j) {
            beside_[j] = w[first + j];
            w[first + j] = 0.0;
        }
        for (std::int64_t i = 0; i < b.height; ++i) below_[i] = w[rows[i]];
        for (std::int64_t i = b.height; i < b.ld; ++i) below_[i] = 0.0;
        for (std::int64_t j = column; j < b.width; ++j) {
            const double wj = beside_[j];
            if (wj == 0.0) continue;
            double& pivot = pivot_[first + j];
            const double before = pivot;
            pivot += alpha * wj * wj;
            inverse_pivot_[first + j] = 1.0 / pivot;
            good = good && right_sign(first + j);
            const double beta = alpha * wj / pivot;
            alpha *= before / pivot;
            double* const block = value_.data() + b.block + j * b.ld_block;
            for (std::int64_t i = j + 1; i < b.width; ++i) {
                beside_[i] -= wj * block[i];
                block[i] += beta * beside_[i];
            }
            kernels_->rotate(value_.data() + b.panel + j * b.ld, b.ld, wj, beta, below_.data());
        }
        for (std::int64_t i = 0; i < b.height; ++i) w[rows[i]] = below_[i];
    }
    return good;
}

bool UpdatedLdl::delete_row(std::int64_t row) {
    const std::int64_t k = nodes_.inverse[row];
    const std::int64_t s = nodes_.of[k];
    Block& b = blocks_[s];
    b.stale = true;
    const std::int64_t column = k - nodes_.first[s];
    for (std::int64_t q = occurrence_start_[k]; q < occurrence_start_[k + 1]; ++q) {
        const Block& below = blocks_[occurrence_[q].node];
        double* const from = value_.data() + below.panel + occurrence_[q].position;
        for (std::int64_t j = 0; j < below.width; ++j) from[j * below.ld] = 0.0;
    }
    const bool twins = b.twins;
    double* const block = value_.data() + b.block;
    for (std::int64_t j = 0; j < column && !twins; ++j) block[column + j * b.ld_block] = 0.0;
    for (std::int64_t i = column + 1; i < b.width && !twins; ++i)
        work_[nodes_.first[s] + i] = std::exchange(block[i + column * b.ld_block], 0.0);
    double* const panel = value_.data() + b.panel + column * b.ld;
    for (std::int64_t i = 0; i < b.height; ++i)
        work_[nodes_.row[nodes_.row_start[s] + i]] = std::exchange(panel[i], 0.0);
    const double d = pivot_[k];
    pivot_[k] = inverse_pivot_[k] = 1.0;
    active_[k] = 0;
    return twins ? rank_one(above(s), 0, d) : rank_one(s, column + 1, d);
}

// Row `position` below the columns of supernode s from what work_ holds there; returns what the
// row's pivot loses.
double UpdatedLdl::add_columns(std::int64_t s, std::int64_t position) {
    const Block& b = blocks_[s];
    double* const y = work_.data() + nodes_.first[s];
    if (std::all_of(y, y + b.width, [](double x) { return x == 0.0; })) return 0.0;
    forward(s);
    double loss = 0.0;
    for (std::int64_t j = 0; j < b.width; ++j) {
        const double l = y[j] * inverse_pivot_[nodes_.first[s] + j];
        value_[b.panel + position + j * b.ld] = l;
        loss += l * y[j];
        y[j] = 0.0;
    }
    return loss;
}

// The same in its own supernode, for the columns before it.
double UpdatedLdl::add_own_columns(std::int64_t s, std::int64_t column) {
    const Block& b = blocks_[s];
    double* const y = work_.data() + nodes_.first[s];
    const std::int32_t* const rows = nodes_.row.data() + nodes_.row_start[s];
    double loss = 0.0;
    for (std::int64_t j = 0; j < column; ++j) {
        const double yj = y[j];
        y[j] = 0.0;
        if (yj == 0.0) continue;
        double* const block = value_.data() + b.block + j * b.ld_block;
        const double* const panel = value_.data() + b.panel + j * b.ld;
        for (std::int64_t i = j + 1; i < b.width; ++i) y[i] -= block[i] * yj;
        for (std::int64_t i = 0; i < b.height; ++i) work_[rows[i]] -= panel[i] * yj;
        block[column] = yj * inverse_pivot_[nodes_.first[s] + j];
        loss += block[column] * yj;
    }
    return loss;
}

// l12 from L11 D11 l12 = a12, d = a22 - l12' D11 l12, l32 = (a32 - L31 D11 l12) / d, and L33 loses
// d l32 l32'.
bool UpdatedLdl::add_row(std::int64_t row, double diagonal) {
    const std::int64_t k = nodes_.inverse[row];
    const std::int64_t s = nodes_.of[k];
    Block& b = blocks_[s];
    b.stale = true;
    const std::int64_t column = k - nodes_.first[s];
    const bool twins = b.twins;
    double* const y = work_.data();
    active_[k] = 1;
    for (std::int64_t q = neighbour_start_[k]; q < neighbour_start_[k + 1]; ++q) {
        const Entry& e = entry_[neighbour_[q]];
        const std::int32_t other = e.row == k ? e.column : e.row;
        if (active_[other] != 0) y[other] = entry_value_[neighbour_[q]];
    }
    double d = diagonal;
    for (std::int64_t q = occurrence_start_[k]; q < occurrence_start_[k + 1]; ++q)
        d -= add_columns(occurrence_[q].node, occurrence_[q].position);
    if (!twins) d -= add_own_columns(s, column);
    y[k] = 0.0;
    pivot_[k] = d;
    inverse_pivot_[k] = 1.0 / d;
    const bool good = right_sign(k);
    const auto take = [&](double& w, double& l) { l = w = good ? w / d : 0.0; };
    for (std::int64_t i = column + 1; i < b.width && !twins; ++i)
        take(y[nodes_.first[s] + i], value_[b.block + i + column * b.ld_block]);
    for (std::int64_t i = 0; i < b.height; ++i)
        take(y[nodes_.row[nodes_.row_start[s] + i]], value_[b.panel + i + column * b.ld]);
    if (!good) return false;
    return twins ? rank_one(above(s), 0, -d) : rank_one(s, column + 1, -d);
}

}  // namespace perp
