#include "solvers/block_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr double regular_condition = 1e-8;  // reciprocal; below, singular values decide
// Singular values relative to the largest entry: below `vanishing` 0. What lies between the outer
// two might be either, and proves nothing.
constexpr double vanishing = 1e-10;
constexpr double surely_zero = 1e-14;
constexpr double surely_positive = 1e-9;
constexpr double rounding = 1e-9;     // of a point, relative to its largest number
constexpr double exact = 1e-12;       // residual, relative to a typical velocity: search no longer
constexpr double unreachable = 1e-9;  // 1 / distance in the null space
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int sets_between_checks = 256;

}  // namespace

double block_residual(std::span<const double> z, std::span<const double> w,
                      std::span<const double> lo, std::span<const double> hi) {
    double square = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        const double e = z[i] - std::min(std::max(z[i] - w[i], lo[i]), hi[i]);
        square += e * e;
    }
    return std::isnan(square) ? std::numeric_limits<double>::infinity() : std::sqrt(square);
}

BlockSearch::BlockSearch()
    : factor_(DenseBlock::most_rows),
      nearest_(DenseBlock::most_rows, 2 * DenseBlock::most_bounded) {
    constexpr auto m = DenseBlock::most_rows;
    constexpr auto k = DenseBlock::most_bounded;
    for (auto* const x : {&matrix_, &null_}) x->resize(m * m);
    for (auto* const x : {&right_, &move_}) x->resize(m * (k + 1));
    for (auto* const x : {&table_, &level_}) x->resize(2 * m * (k + 1));
    for (auto* const x : {&point_, &z_, &w_, &best_}) x->resize(m);
    normals_.resize(m * 2 * k);
    offsets_.resize(2 * k);
    side_.resize(k);
    for (auto* const x : {&bounded_, &bound_}) x->reserve(k);
    basic_.reserve(m);
}

BlockSearch::Result BlockSearch::run(const DenseBlock& block, double size, double accepted,
                                     PivotMonitor& monitor) {
    block_ = &block;
    monitor_ = &monitor;
    size_ = size;
    accepted_ = accepted;
    best_residual_ = std::numeric_limits<double>::infinity();
    undecided_ = false;
    visited_ = 0;
    bounded_.clear();
    for (std::int64_t i = 0; i < block.rows; ++i)
        if (std::isfinite(block.lo[i]) || std::isfinite(block.hi[i]))
            bounded_.push_back(static_cast<std::int32_t>(i));
    for (auto* const x : {&point_, &z_, &w_, &best_}) x->assign(block.rows, 0.0);
    const std::uint32_t sets = 1U << bounded_.size();
    for (std::uint32_t mask = 0; mask < sets; ++mask)
        if (visit_set(mask)) break;
    if (monitor.stopped()) return Result::stopped;
    if (best_residual_ <= accepted) return Result::found;
    return undecided_ ? Result::undecided : Result::none;
}

void BlockSearch::choose(std::uint32_t mask) {
    basic_.clear();
    bound_.clear();
    std::size_t k = 0;
    for (std::int32_t i = 0; i < block_->rows; ++i) {
        const bool is_bounded = k < bounded_.size() && bounded_[k] == i;
        const bool basic = !is_bounded || (mask >> k & 1U) != 0;
        (basic ? basic_ : bound_).push_back(i);
        if (is_bounded) ++k;
    }
}

// All choices of bounds for the rows that are not basic. True: search no longer.
bool BlockSearch::visit_set(std::uint32_t mask) {
    choose(mask);
    fill_table();
    double scale = size_;
    const auto height = block_->rows + nullity_;
    for (std::int64_t i = 0; i < height; ++i) {
        level_[i] = table_[i];
        scale = std::max(scale, std::abs(table_[i]));
    }
    return visit_bounds(0, scale);
}

// right_ = S_FF^-1 right_ by singular values, with the solutions of least length. The parts of
// right_ that no solution reaches go below z and w in table_.
void BlockSearch::solve_singular() {
    const std::int64_t f = basic_count();
    if (!factor_.decompose(matrix_, f)) undecided_ = true;
    double largest = 0.0;
    for (const double x : block_->S) largest = std::max(largest, std::abs(x));
    std::int64_t rank = 0;
    for (std::int64_t k = 0; k < f; ++k) {
        const double s = factor_.singular_value(k);
        if (s > vanishing * largest) ++rank;
        if (!(s <= surely_zero * largest || s >= surely_positive * largest)) undecided_ = true;
    }
    nullity_ = f - rank;
    margin_ = rank == 0
                  ? rounding
                  : std::max(rounding, 50.0 * epsilon * largest / factor_.singular_value(rank - 1));
    const std::int64_t height = block_->rows + nullity_;
    const auto columns = static_cast<std::int64_t>(bound_.size()) + 1;
    for (std::int64_t c = 0; c < columns; ++c) {
        double* const x = right_.data() + c * f;
        std::copy_n(x, f, move_.begin());
        std::fill_n(x, f, 0.0);
        for (std::int64_t k = 0; k < f; ++k) {
            double part = 0.0;
            for (std::int64_t i = 0; i < f; ++i) part += factor_.left(i, k) * move_[i];
            if (k >= rank) {
                table_[c * height + block_->rows + k - rank] = part;
                continue;
            }
            part /= factor_.singular_value(k);
            for (std::int64_t i = 0; i < f; ++i) x[i] += part * factor_.right(i, k);
        }
    }
}

void BlockSearch::fill_table() {
    const std::int64_t m = block_->rows;
    const std::int64_t f = basic_count();
    const auto b = static_cast<std::int64_t>(bound_.size());
    const auto S = [this, m](std::int64_t i, std::int64_t j) { return block_->S[j * m + i]; };
    for (std::int64_t j = 0; j < f; ++j)
        for (std::int64_t i = 0; i < f; ++i) matrix_[j * f + i] = S(basic_[i], basic_[j]);
    for (std::int64_t i = 0; i < f; ++i) {
        right_[i] = block_->q[basic_[i]];
        for (std::int64_t j = 0; j < b; ++j) right_[(j + 1) * f + i] = S(basic_[i], bound_[j]);
    }
    const double condition = factor_.factor(matrix_, f);
    nullity_ = 0;
    if (condition >= regular_condition) {
        margin_ = std::max(rounding, 50.0 * epsilon / condition);
        factor_.solve({right_.data(), static_cast<std::size_t>(f * (b + 1))});
    } else {
        solve_singular();
    }
    const std::int64_t height = m + nullity_;
    for (std::int64_t c = 0; c <= b; ++c) {
        const double* const x = right_.data() + c * f;
        double* const column = table_.data() + c * height;
        for (std::int64_t i = 0; i < f; ++i) column[i] = -x[i];
        for (std::int64_t i = 0; i < b; ++i) {
            double sum = c == 0 ? block_->q[bound_[i]] : S(bound_[i], bound_[c - 1]);
            for (std::int64_t k = 0; k < f; ++k) sum -= S(bound_[i], basic_[k]) * x[k];
            column[f + i] = sum;
        }
    }
    for (std::int64_t k = 0; k < nullity_; ++k) {
        double* const direction = null_.data() + k * m;
        for (std::int64_t i = 0; i < f; ++i) direction[i] = factor_.right(i, f - nullity_ + k);
        for (std::int64_t i = 0; i < b; ++i) {
            double sum = 0.0;
            for (std::int64_t j = 0; j < f; ++j) sum += S(bound_[i], basic_[j]) * direction[j];
            direction[f + i] = sum;
        }
    }
}

// One row after the other goes to one of its bounds: a column is added, nothing solved again.
bool BlockSearch::visit_bounds(std::int64_t depth, double scale) {
    if (depth == static_cast<std::int64_t>(bound_.size())) return visit_point(scale);
    const std::int64_t height = block_->rows + nullity_;
    const double* const from = level_.data() + depth * height;
    double* const to = level_.data() + (depth + 1) * height;
    const double* const column = table_.data() + (depth + 1) * height;
    for (const std::int8_t side : {std::int8_t{-1}, std::int8_t{1}}) {
        const double bound = side < 0 ? block_->lo[bound_[depth]] : block_->hi[bound_[depth]];
        if (!std::isfinite(bound)) continue;
        side_[depth] = side;
        double larger = std::max(scale, std::abs(bound));
        for (std::int64_t i = 0; i < height; ++i) {
            const double part = bound * column[i];
            to[i] = from[i] + part;
            larger = std::max(larger, std::abs(part));
        }
        if (visit_bounds(depth + 1, larger)) return true;
    }
    return false;
}

double BlockSearch::threshold(double scale) const { return std::max(margin_ * scale, accepted_); }

double BlockSearch::violation() const {
    const std::int64_t f = basic_count();
    double worst = 0.0;
    for (std::int64_t i = 0; i < f; ++i) {
        worst = std::max(worst, block_->lo[basic_[i]] - point_[i]);
        worst = std::max(worst, point_[i] - block_->hi[basic_[i]]);
    }
    for (std::size_t i = 0; i < bound_.size(); ++i)
        worst = std::max(worst, side_[i] * point_[f + static_cast<std::int64_t>(i)]);
    return worst;
}

bool BlockSearch::visit_point(double scale) {
    if (++visited_ % sets_between_checks == 0 && monitor_->stop()) return true;
    const std::int64_t m = block_->rows;
    const double* const level =
        level_.data() + static_cast<std::int64_t>(bound_.size()) * (m + nullity_);
    for (std::int64_t k = 0; k < nullity_; ++k)
        if (std::abs(level[m + k]) > threshold(scale)) return false;
    std::copy_n(level, m, point_.begin());
    if (violation() > threshold(scale) && (nullity_ == 0 || !move_in_null_space(scale)))
        return false;
    measure();
    return best_residual_ <= exact * size_;
}

// normal . move >= offset for bounds of the basic rows and signs of the others, lengths and
// `scale` divided out. False: a row that does not move contradicts.
bool BlockSearch::gather_inequalities(double scale, double slack) {
    const std::int64_t m = block_->rows;
    const std::int64_t f = basic_count();
    inequalities_ = 0;
    const auto add = [&](std::int64_t at, double sign, double bound) {
        if (!std::isfinite(bound)) return true;
        double square = 0.0;
        for (std::int64_t k = 0; k < nullity_; ++k) square += null_[k * m + at] * null_[k * m + at];
        const double length = std::sqrt(square);
        const double lack = sign * (bound - point_[at]) - slack;
        if (length <= vanishing) return lack <= 0.0 || slack == 0.0;
        double* const normal = normals_.data() + inequalities_ * nullity_;
        for (std::int64_t k = 0; k < nullity_; ++k) normal[k] = sign * null_[k * m + at] / length;
        offsets_[inequalities_++] = lack / (length * scale);
        return true;
    };
    for (std::int64_t i = 0; i < f; ++i)
        if (!add(i, 1.0, block_->lo[basic_[i]]) || !add(i, -1.0, block_->hi[basic_[i]]))
            return false;
    for (std::size_t i = 0; i < bound_.size(); ++i)
        if (!add(f + static_cast<std::int64_t>(i), -side_[i], 0.0)) return false;
    return true;
}

// A singular set has more solutions: the nearest one within all bounds and signs. False: none, or
// undecided.
bool BlockSearch::move_in_null_space(double scale) {
    const std::int64_t m = block_->rows;
    const std::span<double> move{move_.data(), static_cast<std::size_t>(nullity_)};
    for (const double slack : {0.0, threshold(scale)}) {
        if (!gather_inequalities(scale, slack)) return false;
        const auto count = static_cast<std::size_t>(inequalities_);
        const double reach =
            nearest_.solve({normals_.data(), count * move.size()}, {offsets_.data(), count}, move);
        if (reach <= unreachable) {
            if (slack > 0.0) return false;
            continue;
        }
        w_.assign(point_.begin(), point_.end());
        for (std::int64_t k = 0; k < nullity_; ++k)
            for (std::int64_t i = 0; i < m; ++i) point_[i] += scale * move[k] * null_[k * m + i];
        if (violation() <= 2.0 * threshold(scale / reach)) return true;
        point_.swap(w_);
    }
    undecided_ = true;
    return false;
}

// The residual of the point as the caller will see it: within its bounds, w from S.
void BlockSearch::measure() {
    const std::int64_t m = block_->rows;
    const std::int64_t f = basic_count();
    for (std::int64_t i = 0; i < f; ++i)
        z_[basic_[i]] = std::min(std::max(point_[i], block_->lo[basic_[i]]), block_->hi[basic_[i]]);
    for (std::size_t i = 0; i < bound_.size(); ++i)
        z_[bound_[i]] = side_[i] < 0 ? block_->lo[bound_[i]] : block_->hi[bound_[i]];
    std::copy(block_->q.begin(), block_->q.end(), w_.begin());
    for (std::int64_t j = 0; j < m; ++j)
        for (std::int64_t i = 0; i < m; ++i) w_[i] += block_->S[j * m + i] * z_[j];
    const double residual = block_residual(z_, w_, block_->lo, block_->hi);
    if (residual < best_residual_) {
        best_residual_ = residual;
        best_ = z_;
    }
    if (!(residual <= accepted_)) undecided_ = true;
}

}  // namespace perp
