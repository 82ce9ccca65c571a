#include "sparse/updated_ldl.hpp"

#include <algorithm>
#include <cmath>

namespace perp {

// Also refuses NaN.
bool UpdatedLdl::right_sign(std::int64_t at) const {
    const double d = pivot_[at];
    const bool positive = nodes_.permutation[at] < positive_ || active_[at] == 0;
    return std::isfinite(d) && (positive ? d > 0.0 : d < 0.0);
}

bool UpdatedLdl::right_signs(std::int64_t s) const {
    bool good = true;
    for (std::int64_t k = nodes_.first[s]; k < nodes_.first[s + 1]; ++k)
        good = good && right_sign(k);
    return good;
}

// The columns of the matrix, in the places of those of L; the diagonal also in pivot_.
void UpdatedLdl::fill(std::int64_t s, std::span<const double> diagonal) {
    const Block& b = blocks_[s];
    double* const value = value_.data() + b.block;
    std::fill(value, value_.data() + b.panel + b.ld * b.width, 0.0);
    const std::int64_t end = entry_start_[s + 1];
    for (std::int64_t e = entry_start_[s]; e < end && all_active_; ++e)
        value[entry_place_[e]] = entry_value_[e];
    for (std::int64_t e = entry_start_[s]; e < end && !all_active_; ++e)
        if (active_[entry_[e].row] != 0 && active_[entry_[e].column] != 0)
            value[entry_place_[e]] = entry_value_[e];
    const std::int64_t first = nodes_.first[s];
    for (std::int64_t j = 0; j < b.width; ++j) {
        const std::int64_t k = first + j;
        pivot_[k] = active_[k] != 0 ? diagonal[nodes_.permutation[k]] : 1.0;
        if (!b.twins) value_[b.block + j + j * b.ld_block] = pivot_[k];
    }
    double* const rest = stack_[b.stack].data() + b.rest;
    std::fill(rest, rest + b.ld * b.height, 0.0);
}

// Adds what a child left to its parent's columns and rest.
void UpdatedLdl::gather(std::int64_t child) {
    const std::int64_t s = above(child);
    const Block& b = blocks_[s];
    const Block& c = blocks_[child];
    const double* const from = stack_[c.stack].data() + c.rest;
    double* const rest = stack_[b.stack].data() + b.rest;
    const Stretch* const end = stretch_.data() + stretch_start_[child + 1];
    for (const Stretch* a = stretch_.data() + stretch_start_[child]; a < end; ++a)
        for (std::int32_t j = a->child; j < a->child + a->length; ++j) {
            const double* const column = from + j * c.ld;
            const std::int64_t target = a->parent + (j - a->child);
            const bool own = target < b.width;
            double* const upper = own ? value_.data() + b.block + target * b.ld_block : nullptr;
            double* const lower =
                own ? value_.data() + b.panel + target * b.ld : rest + (target - b.width) * b.ld;
            for (const Stretch* r = a; r < end; ++r) {
                const std::int32_t begin = std::max(j, r->child);
                const std::int64_t row = r->parent + (begin - r->child);
                double* const out = row < b.width ? upper + row : lower + (row - b.width);
                const double* const in = column + begin;
                const std::int32_t length = r->child + r->length - begin;
                for (std::int32_t i = 0; i < length; ++i) out[i] += in[i];
            }
        }
}

void UpdatedLdl::eliminate_twins(std::int64_t s) {
    const Block& b = blocks_[s];
    for (std::int64_t j = 0; j < b.width; ++j) {
        const std::int64_t k = nodes_.first[s] + j;
        const double inverse = inverse_pivot_[k] = 1.0 / pivot_[k];
        double* const column = value_.data() + b.panel + j * b.ld;
        double* const copy = unscaled_.data() + j * b.ld;
        for (std::int64_t i = 0; i < b.ld; ++i) {
            copy[i] = column[i];
            column[i] *= inverse;
        }
    }
}

void UpdatedLdl::eliminate(std::int64_t s) {
    Block& b = blocks_[s];
    double* const panel = value_.data() + b.panel;
    const std::int64_t first = nodes_.first[s];
    if (b.twins) eliminate_twins(s);
    b.stale = true;
    for (std::int64_t k = 0; k < b.width && !b.twins; k += columns_at_once) {
        const std::int64_t width = std::min(columns_at_once, b.width - k);
        const std::int64_t next = k + width;
        double* const corner = value_.data() + b.block + k + k * b.ld_block;
        double* const inverse = inverse_pivot_.data() + first + k;
        double* const unscaled = unscaled_.data() + k * b.ld;
        kernels_->factor_block(corner, b.ld_block, width, pivot_.data() + first + k, inverse);
        kernels_->solve_rows(panel + k * b.ld, b.ld, b.ld, corner, b.ld_block, width, inverse,
                             unscaled, b.ld);
        if (next == b.width) break;
        const std::int64_t rows = b.ld_block - next;
        double* const under = corner + width;
        double* const copy = unscaled_block_.data();
        kernels_->solve_rows(under, b.ld_block, rows, corner, b.ld_block, width, inverse, copy,
                             rows);
        kernels_->subtract_product(under + width * b.ld_block, b.ld_block, rows, b.width - next,
                                   under, b.ld_block, copy, rows, width, true);
        kernels_->subtract_product(panel + next * b.ld, b.ld, b.ld, b.width - next,
                                   panel + k * b.ld, b.ld, copy, rows, width, false);
    }
    if (b.height == 0) return;
    kernels_->subtract_product(stack_[b.stack].data() + b.rest, b.ld, b.ld, b.height, panel, b.ld,
                               unscaled_.data(), b.ld, b.width, true);
}

bool UpdatedLdl::factor(std::span<const double> diagonal, std::span<const std::uint8_t> active) {
    make_room();
    all_active_ = true;
    for (std::int64_t k = 0; k < n_; ++k) {
        active_[k] = active[nodes_.permutation[k]];
        all_active_ = all_active_ && active_[k] != 0;
    }
    for (std::int64_t s = 0; s < nodes_.count(); ++s) {
        fill(s, diagonal);
        for (std::int64_t c = child_start_[s]; c < child_start_[s + 1]; ++c) gather(child_[c]);
        eliminate(s);
        if (!right_signs(s)) return false;
    }
    return true;
}

void UpdatedLdl::invert(Block& b) {
    const std::int64_t ld = std::min(b.ld_block, columns_at_once);
    for (std::int64_t k = 0; k < b.width; k += columns_at_once)
        kernels_->invert_block(value_.data() + b.block + k + k * b.ld_block, b.ld_block,
                               std::min(columns_at_once, b.width - k),
                               inverse_.data() + b.inverse + k * ld, ld);
    b.stale = false;
}

// x <- L11^-1 x for the diagonal block L11.
void UpdatedLdl::solve_block(Block& b, double* x) {
    if (b.twins) return;
    if (b.stale) invert(b);
    const std::int64_t ld = std::min(b.ld_block, columns_at_once);
    for (std::int64_t k = 0; k < b.width; k += columns_at_once) {
        const std::int64_t width = std::min(columns_at_once, b.width - k);
        kernels_->apply_inverse(inverse_.data() + b.inverse + k * ld, ld, width, x + k);
        const std::int64_t next = k + width;
        if (next == b.width) break;
        kernels_->multiply(value_.data() + b.block + next + k * b.ld_block, b.ld_block,
                           b.ld_block - next, width, x + k, beside_.data());
        for (std::int64_t i = next; i < b.width; ++i) x[i] -= beside_[i - next];
    }
}

// x <- L11'^-1 x.
void UpdatedLdl::solve_block_transposed(Block& b, double* x) {
    if (b.twins) return;
    if (b.stale) invert(b);
    const std::int64_t ld = std::min(b.ld_block, columns_at_once);
    const std::int64_t last = (b.width - 1) / columns_at_once * columns_at_once;
    for (std::int64_t k = last; k >= 0; k -= columns_at_once) {
        const std::int64_t width = std::min(columns_at_once, b.width - k);
        const std::int64_t next = k + width;
        if (next < b.width) {
            kernels_->multiply_transposed(value_.data() + b.block + next + k * b.ld_block,
                                          b.ld_block, b.ld_block - next, width, x + next,
                                          beside_.data());
            for (std::int64_t j = 0; j < width; ++j) x[k + j] -= beside_[j];
        }
        kernels_->apply_inverse_transposed(inverse_.data() + b.inverse + k * ld, ld, width, x + k);
    }
}

// The columns of a supernode of L y = x, x in work_; L21 y is taken from the rows below.
void UpdatedLdl::forward(std::int64_t s) {
    Block& b = blocks_[s];
    double* const y = work_.data();
    const std::int32_t* const rows = nodes_.row.data() + nodes_.row_start[s];
    solve_block(b, y + nodes_.first[s]);
    kernels_->multiply(value_.data() + b.panel, b.ld, b.ld, b.width, y + nodes_.first[s],
                       below_.data());
    for (std::int64_t i = 0; i < b.height; ++i) y[rows[i]] -= below_[i];
}

// The same of D L' y = x, where the rows below are solved.
void UpdatedLdl::backward(std::int64_t s) {
    Block& b = blocks_[s];
    double* const y = work_.data();
    const std::int64_t first = nodes_.first[s];
    const std::int32_t* const rows = nodes_.row.data() + nodes_.row_start[s];
    for (std::int64_t i = 0; i < b.height; ++i) below_[i] = y[rows[i]];
    for (std::int64_t i = b.height; i < b.ld; ++i) below_[i] = 0.0;
    kernels_->multiply_transposed(value_.data() + b.panel, b.ld, b.ld, b.width, below_.data(),
                                  beside_.data());
    for (std::int64_t j = 0; j < b.width; ++j)
        y[first + j] = y[first + j] * inverse_pivot_[first + j] - beside_[j];
    solve_block_transposed(b, y + first);
}

void UpdatedLdl::solve(std::span<double> x) {
    for (std::int64_t k = 0; k < n_; ++k) work_[k] = x[nodes_.permutation[k]];
    for (std::int64_t s = 0; s < nodes_.count(); ++s) forward(s);
    for (std::int64_t s = nodes_.count() - 1; s >= 0; --s) backward(s);
    for (std::int64_t k = 0; k < n_; ++k) {
        x[nodes_.permutation[k]] = work_[k];
        work_[k] = 0.0;
    }
}

}  // namespace perp
