#include "solvers/dense_basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();
// Curvature below is zero: a change of S by rounding changes (e, S e) by as much.
constexpr double zero_curvature = 128.0 * rounding;
// Slope of w_F, which should vanish, per unit of |e|_1: beyond, the inverse has drifted.
constexpr double drift = 1e-11;

}  // namespace

DenseBasis::DenseBasis(const MixedForm& form)
    : s_(form),
      inverse_(form.p),
      rate_(form.p),
      slope_(form.p),
      schur_(form.p),
      column_(form.p),
      right_(form.p),
      step_(form.p),
      rows_(form.p) {}

void DenseBasis::clear() {
    inverse_.clear();
    factorizations_ = updates_ = 0;
    for (std::int64_t i = 0; i < s_.size(); ++i) schur_[i] = s_.row(i)[i];
}

void DenseBasis::factorize(std::span<const std::int32_t> rows, double dependent) {
    inverse_.factorize(s_.dense, rows, dependent);
    ++factorizations_;
}

void DenseBasis::refactorize() {
    const std::int64_t n = count();
    for (std::int64_t k = 0; k < n; ++k) rows_[k] = row(k);
    factorize({rows_.data(), static_cast<std::size_t>(n)}, rounding);
}

std::span<const double> DenseBasis::correction(std::span<const double> w) {
    for (std::int64_t k = 0; k < count(); ++k) right_[k] = -w[row(k)];
    inverse_.solve(right_, step_);
    return {step_.data(), static_cast<std::size_t>(count())};
}

void DenseBasis::remove(std::int64_t k) {
    inverse_.remove(k);
    ++updates_;
}

void DenseBasis::drop(std::int64_t k) {
    inverse_.invert();
    remove(k);
}

void DenseBasis::drive(std::int32_t i) {
    inverse_.invert();
    driven_ = i;
    solve_rate();
    if (find_slope() <= drift * spread_) return;
    refine();
    if (find_slope() <= drift * spread_) return;
    refactorize();
    inverse_.invert();
    solve_rate();
    find_slope();
    refine();
}

void DenseBasis::solve_rate() {
    const double* source = s_.row(driven_);
    for (std::int64_t k = 0; k < count(); ++k) right_[k] = source[row(k)];
    inverse_.solve(right_, rate_);
}

// Returns the largest slope of w_F.
double DenseBasis::find_slope() {
    const double* source = s_.row(driven_);
    std::copy(source, source + s_.size(), slope_.begin());
    s_.add_columns(
        slope_.data(), count(), [&](std::int64_t k) { return -rate_[k]; },
        [&](std::int64_t k) { return row(k); });
    double error = 0.0;
    for (std::int64_t k = 0; k < count(); ++k) error = std::max(error, std::abs(slope_[row(k)]));
    find_curvature();
    return error;
}

// In this form an error of the rate counts only squared.
void DenseBasis::find_curvature() {
    curvature_ = slope_[driven_];
    spread_ = 1.0;
    for (std::int64_t k = 0; k < count(); ++k) {
        curvature_ -= rate_[k] * slope_[row(k)];
        spread_ += std::abs(rate_[k]);
    }
}

void DenseBasis::refine() {
    for (std::int64_t k = 0; k < count(); ++k) right_[k] = slope_[row(k)];
    inverse_.solve(right_, step_);
    for (std::int64_t k = 0; k < count(); ++k) rate_[k] += step_[k];
    find_slope();
}

bool DenseBasis::dependent() const {
    return curvature_ <= std::max(zero_curvature * spread_ * spread_, zero_curvature_);
}

void DenseBasis::ray(const MixedForm& form, double sign, std::span<double> d) const {
    std::fill(d.begin(), d.end(), 0.0);
    d[driven_] = sign;
    for (std::int64_t k = 0; k < count(); ++k) {
        const std::int32_t j = row(k);
        const double rate = -sign * rate_[k];
        d[j] = std::isinf(rate > 0.0 ? form.hi[j] : form.lo[j]) ? rate : 0.0;
    }
}

void DenseBasis::leave(std::int64_t l) {
    const std::int64_t n = count();
    const double* inverse = inverse_.inverse_row(l);
    std::fill(column_.begin(), column_.end(), 0.0);
    s_.add_columns(
        column_.data(), n, [&](std::int64_t k) { return inverse[k]; },
        [&](std::int64_t k) { return row(k); });
    const double over = 1.0 / inverse[l];
    const double share = rate_[l] * over;
    for (std::int64_t j = 0; j < s_.size(); ++j) {
        slope_[j] += share * column_[j];
        schur_[j] += over * column_[j] * column_[j];
    }
    schur_[row(l)] = over;
    for (std::int64_t k = 0; k < n; ++k) rate_[k] -= share * inverse[k];
    rate_[l] = rate_[n - 1];
    remove(l);
    find_curvature();
}

void DenseBasis::enter() {
    const double over = 1.0 / curvature_;
    for (std::int64_t j = 0; j < s_.size(); ++j) schur_[j] -= over * slope_[j] * slope_[j];
    inverse_.append(driven_, rate_, curvature_);
    ++updates_;
}

}  // namespace perp
