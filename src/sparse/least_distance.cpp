#include "sparse/least_distance.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr double least_gain = 1e-13;  // of a column, relative to its length

}  // namespace

LeastDistance::LeastDistance(std::int64_t unknowns, std::int64_t inequalities) {
    const std::int64_t rows = unknowns + 1;
    e_.resize(rows * inequalities);
    u_.resize(inequalities);
    is_passive_.resize(inequalities);
    barred_.resize(inequalities);
    rest_.resize(rows);
    // More columns than rows are never passive: they are linearly independent.
    factors_.resize(rows * rows);
    trial_.resize(rows);
    right_.resize(rows);
    work_.resize(64 * rows);
    passive_.reserve(rows);
}

// rest_ = f - E u with f the last unit vector.
void LeastDistance::residual() {
    std::fill(rest_.begin(), rest_.begin() + rows_, 0.0);
    rest_[rows_ - 1] = 1.0;
    for (const std::int32_t j : passive_)
        for (std::int64_t i = 0; i < rows_; ++i) rest_[i] -= u_[j] * e_[j * rows_ + i];
}

// The column along which the residual falls most; -1: none.
std::int64_t LeastDistance::most_wanted() const {
    std::int64_t best = -1;
    double most = least_gain;
    for (std::int64_t j = 0; j < columns_; ++j) {
        if (is_passive_[j] != 0 || barred_[j] != 0) continue;
        double gain = 0.0;
        double square = 0.0;
        for (std::int64_t i = 0; i < rows_; ++i) {
            gain += e_[j * rows_ + i] * rest_[i];
            square += e_[j * rows_ + i] * e_[j * rows_ + i];
        }
        gain /= std::sqrt(square);
        if (gain > most) {
            most = gain;
            best = j;
        }
    }
    return best;
}

// trial_ = the best multipliers of the passive columns, of any sign. False: they are dependent.
bool LeastDistance::least_squares() {
    const auto columns = static_cast<std::int64_t>(passive_.size());
    for (std::int64_t c = 0; c < columns; ++c)
        std::copy_n(e_.begin() + passive_[c] * rows_, rows_, factors_.begin() + c * rows_);
    std::fill(right_.begin(), right_.begin() + rows_, 0.0);
    right_[rows_ - 1] = 1.0;
    const auto m = static_cast<lapack_int>(rows_);
    const lapack_int info = LAPACKE_dgels_work(
        LAPACK_COL_MAJOR, 'N', m, static_cast<lapack_int>(columns), 1, factors_.data(), m,
        right_.data(), m, work_.data(), static_cast<lapack_int>(work_.size()));
    if (info < 0) fail(Status::internal, "dgels refuses argument %d", static_cast<int>(-info));
    std::copy_n(right_.begin(), columns, trial_.begin());
    return info == 0;
}

// From u towards trial_ as far as u stays >= 0; columns that reach 0 leave.
void LeastDistance::step_to_positive() {
    double step = 1.0;
    for (std::size_t c = 0; c < passive_.size(); ++c)
        if (trial_[c] <= 0.0)
            step = std::min(step, u_[passive_[c]] / (u_[passive_[c]] - trial_[c]));
    std::size_t kept = 0;
    for (std::size_t c = 0; c < passive_.size(); ++c) {
        const std::int32_t j = passive_[c];
        u_[j] += step * (trial_[c] - u_[j]);
        if (u_[j] > 0.0 && !(trial_[c] <= 0.0 && u_[j] <= 1e-15)) {
            passive_[kept++] = j;
        } else {
            u_[j] = 0.0;
            is_passive_[j] = 0;
        }
    }
    passive_.resize(kept);
}

double LeastDistance::solve(std::span<const double> G, std::span<const double> h,
                            std::span<double> x) {
    const auto unknowns = static_cast<std::int64_t>(x.size());
    rows_ = unknowns + 1;
    columns_ = static_cast<std::int64_t>(h.size());
    for (std::int64_t j = 0; j < columns_; ++j) {
        std::copy_n(G.begin() + j * unknowns, unknowns, e_.begin() + j * rows_);
        e_[j * rows_ + unknowns] = h[j];
    }
    std::fill(u_.begin(), u_.begin() + columns_, 0.0);
    std::fill(is_passive_.begin(), is_passive_.begin() + columns_, std::uint8_t{0});
    std::fill(barred_.begin(), barred_.begin() + columns_, std::uint8_t{0});
    passive_.clear();
    for (std::int64_t round = 0; round < 10 * (columns_ + 1); ++round) {
        residual();
        const std::int64_t next = most_wanted();
        if (next < 0 || static_cast<std::int64_t>(passive_.size()) == rows_) break;
        passive_.push_back(static_cast<std::int32_t>(next));
        is_passive_[next] = 1;
        // A column that rounding alone makes wanted would leave at once, for ever.
        if (!least_squares() || trial_[passive_.size() - 1] <= 0.0) {
            passive_.pop_back();
            is_passive_[next] = 0;
            barred_[next] = 1;
            continue;
        }
        std::fill(barred_.begin(), barred_.begin() + columns_, std::uint8_t{0});
        const auto negative = [this] {
            return std::any_of(trial_.begin(),
                               trial_.begin() + static_cast<std::ptrdiff_t>(passive_.size()),
                               [](double t) { return t <= 0.0; });
        };
        bool regular = true;
        while (regular && negative()) {
            step_to_positive();
            regular = !passive_.empty() && least_squares();
        }
        for (std::size_t c = 0; regular && c < passive_.size(); ++c) u_[passive_[c]] = trial_[c];
    }
    residual();
    double square = 0.0;
    for (std::int64_t i = 0; i < rows_; ++i) square += rest_[i] * rest_[i];
    const double last = rest_[unknowns];
    for (std::int64_t i = 0; i < unknowns; ++i) x[i] = last > 0.0 ? -rest_[i] / last : 0.0;
    return std::sqrt(square);
}

}  // namespace perp
