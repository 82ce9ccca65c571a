// The basic rows F of Keller's method: the inverse of S_FF, how z_F and all velocities move when
// one more row is driven, and the Schur complements that price the rows outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/dense_delassus.hpp"
#include "sparse/principal_inverse.hpp"

namespace perp {

class DenseBasis {
public:
    explicit DenseBasis(const MixedForm& form);  // forms S

    // F becomes empty; counts start from 0.
    void clear();
    // Curvatures up to so much are zero, as well as those of rounding size.
    void set_zero_curvature(double zero) { zero_curvature_ = zero; }
    // F becomes `rows` without those whose Schur complement is at most `dependent` times their
    // diagonal entry.
    void factorize(std::span<const std::int32_t> rows, double dependent);
    // Afresh for the same F; rows that now turn out to depend on others are dropped.
    void refactorize();

    [[nodiscard]] const DenseDelassus& matrix() const { return s_; }
    [[nodiscard]] std::int64_t count() const { return inverse_.count(); }
    [[nodiscard]] std::int32_t row(std::int64_t k) const { return inverse_.row(k); }  // by places
    // step = -S_FF^-1 w_F, by places: what makes w_F vanish.
    std::span<const double> correction(std::span<const double> w);
    // The row in place k leaves F while no row is driven.
    void drop(std::int64_t k);

    // Row i outside F is driven: z_F moves by -rate, w by slope, per unit of z_i. May refactorize.
    void drive(std::int32_t i);
    // Corrects rate by its residual; a second call improves nothing.
    void refine();
    // The row in place k leaves F; the driven row's direction follows. The last one takes its
    // place.
    void leave(std::int64_t k);
    // The driven row becomes basic; its curvature must not vanish.
    void enter();
    [[nodiscard]] double rate(std::int64_t k) const { return rate_[k]; }
    [[nodiscard]] double slope(std::int64_t j) const { return slope_[j]; }
    // (e, S e) of e = (1, -rate): the Schur complement of the driven row.
    [[nodiscard]] double curvature() const { return curvature_; }
    [[nodiscard]] double spread() const { return spread_; }  // |e|_1
    // The driven row depends on F: its curvature is rounding.
    [[nodiscard]] bool dependent() const;
    // d <- the driven row's direction, without what is not in the recession cone of the bounds.
    void ray(const MixedForm& form, double sign, std::span<double> d) const;

    // S_ii - S_iF S_FF^-1 S_Fi of row i outside F: exact after a start from no row, an estimate
    // after factorize().
    [[nodiscard]] double schur(std::int64_t i) const { return schur_[i]; }
    [[nodiscard]] std::int64_t factorizations() const { return factorizations_; }
    [[nodiscard]] std::int64_t updates() const { return updates_; }

private:
    void solve_rate();
    double find_slope();
    void find_curvature();
    void remove(std::int64_t k);

    DenseDelassus s_;
    PrincipalInverse inverse_;
    std::vector<double> rate_, slope_, schur_;
    std::vector<double> column_, right_, step_;
    std::vector<std::int32_t> rows_;
    std::int32_t driven_ = 0;
    double curvature_ = 0.0, spread_ = 0.0, zero_curvature_ = 0.0;
    std::int64_t factorizations_ = 0, updates_ = 0;
};

}  // namespace perp
