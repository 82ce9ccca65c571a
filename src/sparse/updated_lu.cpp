#include "sparse/updated_lu.hpp"

#include <lapacke.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr double tiny_pivot = 1e-10;        // in the Schur complement of scaled columns
constexpr double acceptable_error = 1e-10;  // after refinement
constexpr double rounding_error = 2e-16;    // nothing to refine
constexpr int max_refinements = 3;
constexpr double worthwhile = 0.25;  // of the error may be left by a refinement step

// A factorization costs as much as this many operations per entry of the factors beyond its
// arithmetic: ordering, assembly, memory. Of 40, 80, 160 and 320 the last two were the fastest on
// walls, ropes and stacks.
constexpr double overhead_per_entry = 240.0;

bool equal(const SparseColumn& a, const SparseColumn& b) {
    return std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end()) &&
           std::equal(a.value.begin(), a.value.end(), b.value.begin(), b.value.end());
}

}  // namespace

SparseColumn UpdatedLu::column(std::int64_t position) const {
    const std::int32_t slot = slot_of_[position];
    return slot < 0 ? base_.column(position) : slots_[slot].column();
}

bool UpdatedLu::factor(const SparseColumns& a) {
    base_ = a;
    border_ = 0;
    const std::int64_t n = a.rows;
    slot_of_.assign(n, -1);
    for (std::vector<double>* v : {&right_, &residual_, &size_, &correction_}) v->resize(n);
    // The border may pass its limit by a pair of replacements before new factors make it empty.
    slots_.reserve(max_border + 2);
    schur_.reserve(max_border * max_border);
    small_.reserve(max_border);
    pivots_.reserve(max_border);
    return factor_base(0);
}

bool UpdatedLu::factor_base(int level) {
    ++factorizations_;
    border_operations_ = 0.0;
    updates_since_ = 0;
    backward_error_ = 0.0;
    tiny_pivot_ = false;
    regular_ = lu_.factor(base_, level);
    return regular_;
}

bool UpdatedLu::refactor() {
    // Factors that lost accuracy without an update need stricter pivoting.
    const bool inaccurate = regular_ && border_ == 0 && backward_error_ > acceptable_error;
    const int level = inaccurate ? std::min(lu_.level() + 1, LuFactor::levels - 1) : 0;
    if (border_ > 0) {
        next_.clear(base_.rows);
        for (std::int64_t j = 0; j < base_.rows; ++j) next_.append(column(j));
        std::swap(base_, next_);
        border_ = 0;
        std::fill(slot_of_.begin(), slot_of_.end(), -1);
    }
    return factor_base(level);
}

bool UpdatedLu::needs_refactor() const {
    const double factor_operations =
        lu_.operations() + overhead_per_entry * static_cast<double>(lu_.nonzeros());
    return !regular_ || tiny_pivot_ || border_ > max_border || updates_since_ >= max_updates ||
           backward_error_ > acceptable_error || border_operations_ > factor_operations;
}

void UpdatedLu::remove_slot(std::int64_t slot) {
    --border_;
    slot_of_[slots_[slot].position] = -1;
    if (slot == border_) return;
    std::swap(slots_[slot], slots_[border_]);
    slot_of_[slots_[slot].position] = static_cast<std::int32_t>(slot);
}

void UpdatedLu::place(const Replacement& replacement) {
    ++updates_;
    ++updates_since_;
    const std::int64_t position = replacement.position;
    if (equal(replacement.column, base_.column(position))) {
        if (slot_of_[position] >= 0) remove_slot(slot_of_[position]);
        return;
    }
    if (slot_of_[position] < 0) {
        if (border_ == static_cast<std::int64_t>(slots_.size())) slots_.emplace_back();
        slot_of_[position] = static_cast<std::int32_t>(border_++);
    }
    Slot& slot = slots_[slot_of_[position]];
    // A column that moves from one position to another is known already.
    const Slot* known = nullptr;
    for (std::int64_t s = 0; s < border_ && known == nullptr; ++s)
        if (&slots_[s] != &slot && equal(slots_[s].column(), replacement.column))
            known = &slots_[s];
    slot.position = position;
    slot.index.assign(replacement.column.index.begin(), replacement.column.index.end());
    slot.value.assign(replacement.column.value.begin(), replacement.column.value.end());
    if (!regular_ || border_ > max_border) return;  // new factors come
    if (known != nullptr) {
        slot.through_base = known->through_base;
        slot.scale = known->scale;
        return;
    }
    slot.through_base.resize(base_.rows);
    std::fill(right_.begin(), right_.end(), 0.0);
    for (std::size_t k = 0; k < slot.index.size(); ++k) right_[slot.index[k]] = slot.value[k];
    lu_.solve(right_, slot.through_base);
    slot.scale = 0.0;
    for (const double y : slot.through_base) slot.scale = std::max(slot.scale, std::abs(y));
    border_operations_ += 2.0 * static_cast<double>(lu_.nonzeros());
}

// The Schur complement E' B0^-1 A of the replaced positions E and their columns A, each scaled so
// that the largest entry of B0^-1 A is 1: a small pivot then tells of a nearly singular matrix.
bool UpdatedLu::factor_border() {
    const std::int64_t k = border_;
    tiny_pivot_ = false;
    schur_.resize(k * k);
    small_.resize(k);
    pivots_.resize(k);
    if (k == 0) return true;
    for (std::int64_t j = 0; j < k; ++j)
        for (std::int64_t i = 0; i < k; ++i)
            schur_[j * k + i] = slots_[j].through_base[slots_[i].position] / slots_[j].scale;
    const auto size = static_cast<lapack_int>(k);
    const lapack_int info =
        LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, schur_.data(), size, pivots_.data());
    if (info < 0) fail(Status::internal, "dgetrf refuses argument %d", static_cast<int>(-info));
    for (std::int64_t i = 0; i < k; ++i)  // a NaN counts as tiny
        if (!(std::abs(schur_[i * k + i]) >= tiny_pivot)) tiny_pivot_ = true;
    border_operations_ += 2.0 / 3.0 * static_cast<double>(k * k * k);
    return !tiny_pivot_;
}

bool UpdatedLu::replace_column(std::int64_t position, const SparseColumn& column) {
    const Replacement replacement{position, column};
    return replace_columns({&replacement, 1});
}

bool UpdatedLu::replace_columns(std::span<const Replacement> replacements) {
    const bool renew = needs_refactor();
    for (const Replacement& r : replacements) {
        if (renew) regular_ = false;  // no solves with factors that go
        place(r);
    }
    if (renew || border_ > max_border) return refactor();
    // Without small pivots the matrix is regular; with them only new factors can tell.
    return factor_border() || refactor();
}

void UpdatedLu::solve_once(std::span<const double> b, std::span<double> x) {
    lu_.solve(b, x);
    if (border_ == 0) return;
    const std::int64_t n = base_.rows, k = border_;
    const auto size = static_cast<lapack_int>(k);
    for (std::int64_t s = 0; s < k; ++s) small_[s] = x[slots_[s].position];
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', size, 1, schur_.data(), size, pivots_.data(),
                        small_.data(), size);
    for (std::int64_t s = 0; s < k; ++s) small_[s] /= slots_[s].scale;
    for (std::int64_t s = 0; s < k; ++s) {
        const std::vector<double>& y = slots_[s].through_base;
        const double factor = small_[s];
        if (factor == 0.0) continue;
        for (std::int64_t i = 0; i < n; ++i) x[i] -= factor * y[i];
    }
    for (std::int64_t s = 0; s < k; ++s) x[slots_[s].position] = small_[s];
    border_operations_ += 2.0 * static_cast<double>(k * (n + k));
}

void UpdatedLu::solve_transposed_once(std::span<const double> b, std::span<double> x) {
    if (border_ == 0) {
        lu_.solve_transposed(b, x);
        return;
    }
    const std::int64_t n = base_.rows, k = border_;
    const auto size = static_cast<lapack_int>(k);
    std::copy(b.begin(), b.end(), right_.begin());
    for (std::int64_t s = 0; s < k; ++s) right_[slots_[s].position] = 0.0;
    for (std::int64_t s = 0; s < k; ++s) {
        const std::vector<double>& y = slots_[s].through_base;
        double sum = b[slots_[s].position];
        for (std::int64_t i = 0; i < n; ++i) sum -= y[i] * right_[i];
        small_[s] = sum / slots_[s].scale;
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', size, 1, schur_.data(), size, pivots_.data(),
                        small_.data(), size);
    for (std::int64_t s = 0; s < k; ++s) right_[slots_[s].position] = small_[s];
    lu_.solve_transposed(right_, x);
    border_operations_ += 2.0 * static_cast<double>(k * (n + k));
}

// Leaves b - B x (or b - B' x) in residual_ and returns the backward error.
double UpdatedLu::residual(bool transposed, std::span<const double> b, std::span<const double> x) {
    const std::int64_t n = base_.rows;
    for (std::int64_t i = 0; i < n; ++i) {
        residual_[i] = b[i];
        size_[i] = std::abs(b[i]);
    }
    for (std::int64_t j = 0; j < n; ++j) {
        const SparseColumn c = column(j);
        for (std::size_t k = 0; k < c.index.size(); ++k) {
            const std::int64_t i = c.index[k];
            const std::int64_t row = transposed ? j : i;
            const double term = c.value[k] * x[transposed ? i : j];
            residual_[row] -= term;
            size_[row] += std::abs(term);
        }
    }
    double error = 0.0, scale = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (!std::isfinite(residual_[i])) return std::numeric_limits<double>::infinity();
        error = std::max(error, std::abs(residual_[i]));
        scale = std::max(scale, size_[i]);
    }
    return error == 0.0 ? 0.0 : error / scale;
}

void UpdatedLu::refine(bool transposed, std::span<const double> b, std::span<double> x) {
    double error = residual(transposed, b, x);
    for (int step = 0; step < max_refinements && error > rounding_error; ++step) {
        if (transposed)
            solve_transposed_once(residual_, correction_);
        else
            solve_once(residual_, correction_);
        for (std::int64_t i = 0; i < base_.rows; ++i) x[i] += correction_[i];
        const double refined = residual(transposed, b, x);
        if (!(refined < error)) {  // the step did harm
            for (std::int64_t i = 0; i < base_.rows; ++i) x[i] -= correction_[i];
            break;
        }
        const bool enough = refined > worthwhile * error;
        error = refined;
        if (enough) break;
    }
    backward_error_ = error;
    largest_error_ = std::max(largest_error_, error);
}

void UpdatedLu::solve(std::span<const double> b, std::span<double> x) {
    solve_once(b, x);
    refine(false, b, x);
}

void UpdatedLu::solve_transposed(std::span<const double> b, std::span<double> x) {
    solve_transposed_once(b, x);
    refine(true, b, x);
}

}  // namespace perp
