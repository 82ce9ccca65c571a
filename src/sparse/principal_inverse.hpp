// The inverse of a principal submatrix S_FF of a dense symmetric positive semidefinite matrix,
// while rows enter and leave F one at a time (bordering and its reverse: k^2 multiplications
// each). A factorization from scratch, S_FF = U' U, says which rows of a given set depend on
// others, and carries the first solves until an inverse is asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sparse/dense_kernels.hpp"

namespace perp {

// Row-major, not initialized: memory that is never written costs nothing.
class DenseMatrix {
public:
    DenseMatrix() = default;
    explicit DenseMatrix(std::int64_t n)
        : size_(n), stride_(n + (n & 1)), value_(new double[stride_ * n]) {}
    [[nodiscard]] std::int64_t size() const { return size_; }
    [[nodiscard]] double* row(std::int64_t i) { return value_.get() + i * stride_; }
    [[nodiscard]] const double* row(std::int64_t i) const { return value_.get() + i * stride_; }

private:
    std::int64_t size_ = 0, stride_ = 0;
    std::unique_ptr<double[]> value_;
};

class PrincipalInverse {
public:
    explicit PrincipalInverse(std::int64_t n);

    void clear();
    // F becomes `candidates` without those that depend on the others: whose Schur complement is
    // at most `dependent` times their diagonal entry. Nothing else of F is kept.
    void factorize(const DenseMatrix& s, std::span<const std::int32_t> candidates,
                   double dependent);
    // The inverse of what factorize() left; append() and remove() need it.
    void invert();
    // Row i, with g = S_FF^-1 S_Fi and the Schur complement d = S_ii - S_iF g > 0.
    void append(std::int32_t i, std::span<const double> g, double d);
    // The row in place k; the last one takes its place.
    void remove(std::int64_t k);

    [[nodiscard]] std::int64_t count() const { return count_; }
    // F, by places.
    [[nodiscard]] std::int32_t row(std::int64_t k) const { return rows_[k]; }
    [[nodiscard]] bool inverted() const { return inverted_; }
    [[nodiscard]] const double* inverse_row(std::int64_t k) const { return inverse_.row(k); }
    // y = S_FF^-1 x, by places. x and y must not overlap.
    void solve(std::span<const double> x, std::span<double> y) const;

private:
    void swap_candidates(std::int64_t a, std::int64_t b);

    std::int64_t count_ = 0;
    bool inverted_ = true;
    std::vector<std::int32_t> rows_;
    DenseMatrix inverse_;
    DenseMatrix upper_;  // U, its diagonal inverted
    std::vector<double> scratch_;
};

}  // namespace perp
