#include "sparse/mass_matrix.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace perp {
namespace {

// Connected blocks up to this size are factorized densely (a body has 1, 3 or 6, a small
// mechanism or a reduced flexible body some dozens); beyond, the sparse factorization is cheaper.
constexpr std::int64_t largest_dense_block = 128;
// Beyond it, only deviations of rounding size are taken, and the mean of both entries.
constexpr double rounding_asymmetry = 1e-12;

void check_triangle(const Csr& given, bool lower) {
    for (std::int64_t i = 0; i < given.rows; ++i) {
        for (const std::int32_t j : given.row_index(i)) {
            if (lower ? j <= i : j >= i) continue;
            fail(Status::bad_pattern,
                 "M: entry (%" PRId64
                 ", %d) (0-based) lies in the %s triangle, but only the %s "
                 "one is said to be stored",
                 i, j, lower ? "upper" : "lower", lower ? "lower" : "upper");
        }
    }
}

Csr both_triangles(const Csr& given, MassStorage storage) {
    if (storage == MassStorage::full) return given;
    const bool lower = storage == MassStorage::lower;
    check_triangle(given, lower);
    const Csr mirrored = transpose(given);
    const Csr& first = lower ? given : mirrored;
    const Csr& second = lower ? mirrored : given;
    Csr full;
    full.rows = given.rows;
    full.cols = given.cols;
    const auto append = [&full](const Csr& part, std::int64_t i, bool diagonal) {
        for (std::int64_t k = part.start[i]; k < part.start[i + 1]; ++k) {
            if (part.index[k] == i && !diagonal) continue;
            full.index.push_back(part.index[k]);
            full.value.push_back(part.value[k]);
        }
    };
    for (std::int64_t i = 0; i < given.rows; ++i) {
        append(first, i, true);
        append(second, i, false);
        full.start.push_back(static_cast<std::int64_t>(full.index.size()));
    }
    return full;
}

// Dense LU without pivoting of the n x n block `a` (row-major, leading dimension n), scaled to
// a = R' Q with equal diagonals; returns the first position whose pivot is not positive, or n.
std::int64_t split(std::int64_t n, std::vector<double>& a, double* lower,
                   double* upper_transposed) {
    for (std::int64_t k = 0; k < n; ++k) {
        const double reference = a[k * n + k];
        double pivot = reference;
        for (std::int64_t p = 0; p < k; ++p)
            pivot -= lower[k * n + p] * upper_transposed[k * n + p];
        const double rounding =
            static_cast<double>(n) * std::numeric_limits<double>::epsilon() * std::abs(reference);
        if (!(pivot > rounding)) return k;
        const double root = std::sqrt(pivot);
        lower[k * n + k] = upper_transposed[k * n + k] = root;
        for (std::int64_t i = k + 1; i < n; ++i) {
            double below = a[i * n + k];
            double right = a[k * n + i];
            for (std::int64_t p = 0; p < k; ++p) {
                below -= lower[i * n + p] * upper_transposed[k * n + p];
                right -= lower[k * n + p] * upper_transposed[i * n + p];
            }
            lower[i * n + k] = below / root;
            upper_transposed[i * n + k] = right / root;
        }
    }
    return n;
}

}  // namespace

MassMatrix::MassMatrix(const Csr& given, MassStorage storage, double tolerance) {
    if (given.rows != given.cols)
        fail(Status::bad_size, "M: %" PRId64 " x %" PRId64 " is not square", given.rows,
             given.cols);
    if (!(tolerance >= 0.0))
        fail(Status::bad_setting, "symmetry_tolerance = %g is negative", tolerance);
    matrix_ = both_triangles(given, storage);
    for (std::int64_t i = 0; i < size(); ++i) {
        const double d = matrix_.at(i, i);
        if (!(d > 0.0))
            fail(Status::not_positive_definite,
                 "M is not positive definite: M(%" PRId64 ", %" PRId64 ") = %.17g (0-based)", i, i,
                 d);
    }
    check_symmetry(tolerance);
    find_blocks();
    if (!blockwise_) {
        if (asymmetry_ > rounding_asymmetry)
            fail(Status::not_symmetric,
                 "M deviates from symmetry by %.3g; blocks of more than %" PRId64
                 " degrees of freedom may by %g",
                 asymmetry_, largest_dense_block, rounding_asymmetry);
        symmetrize_rounding();
        sparse_ = LdlFactor(matrix_);
        return;
    }
    const std::int64_t blocks = static_cast<std::int64_t>(block_start_.size()) - 1;
    factor_start_.assign(1, 0);
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t n = block_start_[b + 1] - block_start_[b];
        factor_start_.push_back(factor_start_[b] + n * n);
    }
    lower_.assign(factor_start_[blocks], 0.0);
    if (!symmetric()) upper_transposed_.assign(lower_.size(), 0.0);
    for (std::int64_t b = 0; b < blocks; ++b) factor_block(b);
}

void MassMatrix::check_symmetry(double tolerance) {
    std::vector<double> root(size());
    for (std::int64_t i = 0; i < size(); ++i) root[i] = std::sqrt(matrix_.at(i, i));
    visit_mirrored(matrix_, [&](std::int64_t i, std::int64_t j, double value, double mirror) {
        const double deviation = std::abs(value - mirror) / (root[i] * root[j]);
        if (deviation > tolerance)
            fail(Status::not_symmetric,
                 "M is not symmetric: M(%" PRId64 ", %" PRId64 ") = %.17g but M(%" PRId64
                 ", %" PRId64 ") = %.17g (0-based)%s",
                 i, j, value, j, i, mirror,
                 value == 0.0 || mirror == 0.0 ? "; if one triangle is stored, say so" : "");
        asymmetry_ = std::max(asymmetry_, deviation);
    });
    symmetric_ = asymmetry_ == 0.0;
}

void MassMatrix::symmetrize_rounding() {
    if (symmetric()) return;
    const Csr mirrored = transpose(matrix_);
    for (std::int64_t i = 0; i < size(); ++i)
        for (std::int64_t k = matrix_.start[i]; k < matrix_.start[i + 1]; ++k)
            matrix_.value[k] = 0.5 * (matrix_.value[k] + mirrored.at(i, matrix_.index[k]));
    symmetric_ = true;
}

// Blocks are the connected components of the non-zero values, so that stored zeros never join
// bodies.
void MassMatrix::find_blocks() {
    const std::int64_t n = size();
    std::vector<std::int32_t> root(n);
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&root](std::int32_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t k = matrix_.start[i]; k < matrix_.start[i + 1]; ++k) {
            if (matrix_.value[k] == 0.0) continue;
            const std::int32_t a = find(static_cast<std::int32_t>(i));
            const std::int32_t b = find(matrix_.index[k]);
            root[std::max(a, b)] =
                std::min(a, b);  // the root is the block's first degree of freedom
        }
    }
    block_of_.assign(n, -1);
    place_.assign(n, 0);
    std::vector<std::int64_t> sizes;
    for (std::int32_t i = 0; i < n; ++i) {
        const std::int32_t first = find(i);
        if (first == i) {
            block_of_[i] = static_cast<std::int32_t>(sizes.size());
            sizes.push_back(0);
        }
        block_of_[i] = block_of_[first];
        place_[i] = static_cast<std::int32_t>(sizes[block_of_[i]]++);
    }
    block_start_.assign(1, 0);
    for (const std::int64_t s : sizes) {
        block_start_.push_back(block_start_.back() + s);
        largest_block_ = std::max(largest_block_, s);
    }
    dof_.resize(n);
    for (std::int32_t i = 0; i < n; ++i) dof_[block_start_[block_of_[i]] + place_[i]] = i;
    blockwise_ = largest_block_ <= largest_dense_block;
    contiguous_ = std::is_sorted(dof_.begin(), dof_.end());
}

void MassMatrix::factor_block(std::int64_t b) {
    const std::int64_t n = block_start_[b + 1] - block_start_[b];
    const std::int32_t* dof = dof_.data() + block_start_[b];
    std::vector<double> dense(n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t k = matrix_.start[dof[i]]; k < matrix_.start[dof[i] + 1]; ++k)
            if (matrix_.value[k] != 0.0) dense[i * n + place_[matrix_.index[k]]] = matrix_.value[k];
    }
    double* lower = lower_.data() + factor_start_[b];
    double* upper = symmetric() ? lower : upper_transposed_.data() + factor_start_[b];
    const std::int64_t reached = split(n, dense, lower, upper);
    if (reached < n)
        fail(Status::not_positive_definite,
             "M is not positive definite: elimination of its block of %" PRId64
             " reaches a pivot that is not positive at degree of freedom %d (0-based)",
             n, dof[reached]);
}

void MassMatrix::solve(std::span<double> x, std::span<double> work) const {
    if (!blockwise_) {
        sparse_.solve(x, work);
        return;
    }
    const std::int64_t blocks = static_cast<std::int64_t>(block_start_.size()) - 1;
    for (std::int64_t b = 0; b < blocks; ++b) {
        const std::int64_t n = block_start_[b + 1] - block_start_[b];
        const std::int32_t* dof = dof_.data() + block_start_[b];
        const double* lower = lower_.data() + factor_start_[b];
        const double* upper = symmetric() ? lower : upper_transposed_.data() + factor_start_[b];
        for (std::int64_t i = 0; i < n; ++i) {
            double sum = x[dof[i]];
            for (std::int64_t p = 0; p < i; ++p) sum -= lower[i * n + p] * work[p];
            work[i] = sum / lower[i * n + i];
        }
        for (std::int64_t i = n - 1; i >= 0; --i) {
            double sum = work[i];
            for (std::int64_t p = i + 1; p < n; ++p) sum -= upper[p * n + i] * work[p];
            work[i] = sum / upper[i * n + i];
            x[dof[i]] = work[i];
        }
    }
}

void MassMatrix::half_row(Half half, std::span<const std::int32_t> index,
                          std::span<const double> value, std::vector<std::int32_t>& out_index,
                          std::vector<double>& out_value, Scratch& scratch) const {
    scratch.dense.resize(size(), 0.0);
    scratch.mark.resize(size(), -1);
    if (!blockwise_) {
        sparse_.half(index, value, out_index, out_value, scratch.dense, scratch.mark);
        return;
    }
    // R'^-1 and Q'^-1 are forward substitutions within each block, from its first non-zero on.
    out_index.clear();
    out_value.clear();
    if (contiguous_) {
        half_row_of_neighbours(half, index, value, out_index, out_value);
        return;
    }
    for (std::size_t k = 0; k < index.size(); ++k) {
        if (value[k] == 0.0) continue;
        scratch.dense[index[k]] += value[k];
        const std::int32_t b = block_of_[index[k]];
        for (std::int64_t i = place_[index[k]]; i < block_start_[b + 1] - block_start_[b]; ++i) {
            const std::int32_t dof = dof_[block_start_[b] + i];
            if (scratch.mark[dof] == 0) break;
            scratch.mark[dof] = 0;
            out_index.push_back(dof);
        }
    }
    std::sort(out_index.begin(), out_index.end());
    const std::vector<double>& factor =
        half == Half::right || symmetric() ? lower_ : upper_transposed_;
    for (const std::int32_t dof : out_index) {
        const std::int32_t b = block_of_[dof];
        const std::int64_t n = block_start_[b + 1] - block_start_[b];
        const std::int64_t i = place_[dof];
        const double* row = factor.data() + factor_start_[b] + i * n;
        double sum = scratch.dense[dof];
        for (std::int64_t p = 0; p < i; ++p)
            sum -= row[p] * scratch.dense[dof_[block_start_[b] + p]];
        scratch.dense[dof] = sum / row[i];
        out_value.push_back(scratch.dense[dof]);
    }
    for (const std::int32_t dof : out_index) {
        scratch.dense[dof] = 0.0;
        scratch.mark[dof] = -1;
    }
}

// Blocks of neighbouring degrees of freedom: their results come in order, one block at a time.
void MassMatrix::half_row_of_neighbours(Half half, std::span<const std::int32_t> index,
                                        std::span<const double> value,
                                        std::vector<std::int32_t>& out_index,
                                        std::vector<double>& out_value) const {
    const std::vector<double>& factor =
        half == Half::right || symmetric() ? lower_ : upper_transposed_;
    // Room for whole blocks first, the right size last: growing piece by piece takes longer than
    // the arithmetic.
    out_index.resize(
        std::min<std::int64_t>(static_cast<std::int64_t>(index.size()) * largest_block_, size()));
    out_value.resize(out_index.size());
    std::int64_t count = 0;
    std::size_t k = 0;
    while (k < index.size()) {
        if (value[k] == 0.0) {
            ++k;
            continue;
        }
        const std::int32_t b = block_of_[index[k]];
        const std::int64_t base = block_start_[b];  // dof_ is the identity
        const std::int64_t n = block_start_[b + 1] - base;
        const std::int64_t from = index[k] - base;
        double* x = out_value.data() + count;  // x[i - from]: row i of the block
        for (std::int64_t i = from; i < n; ++i) {
            out_index[count + i - from] = static_cast<std::int32_t>(base + i);
            x[i - from] = 0.0;
        }
        for (; k < index.size() && index[k] < base + n; ++k) x[index[k] - base - from] += value[k];
        for (std::int64_t i = from; i < n; ++i) {
            const double* row = factor.data() + factor_start_[b] + i * n;
            double sum = x[i - from];
            for (std::int64_t p = from; p < i; ++p) sum -= row[p] * x[p - from];
            x[i - from] = sum / row[i];
        }
        count += n - from;
    }
    out_index.resize(count);
    out_value.resize(count);
}

}  // namespace perp
