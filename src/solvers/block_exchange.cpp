#include "solvers/block_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr int patience = 5;
// Violations below these shares of the free velocity's norm are rounding: never exchanged, and
// accepted where a set comes back or the limits are reached.
constexpr double least_violation = 1e-13;
constexpr double accepted_violation = 1e-9;

// Finite only if every entry is.
double sum_of(std::span<const double> x) {
    double sum = 0.0;
    for (const double e : x) sum += std::abs(e);
    return sum;
}

}  // namespace

BlockExchange::BlockExchange(const MixedForm& form) : form_(form), state_(form.p, -1) {
    for (auto* const x : {&z_, &w_, &g_, &z_basic_, &centre_, &delta_}) x->assign(form.p, 0.0);
    for (auto* const x : {&v_, &f_}) x->assign(form.n, 0.0);
    changes_.reserve(form.p);
    seen_.reserve(4096);
}

void BlockExchange::set_from(std::span<const double> z, std::span<const double> w) {
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double d = form_.diagonal[i] > 0.0 ? form_.diagonal[i] : 1.0;
        const double t = z[i] - w[i] / d;
        const bool low = form_.is_fixed(i) || t <= form_.lo[i];
        state_[i] = static_cast<std::int8_t>(low ? -1 : t >= form_.hi[i] ? 1 : 0);
    }
}

void BlockExchange::set_states(std::span<const std::int8_t> state) {
    form_.admit_states(state, state_);
}

// z_B at its bounds, (v, z_F) from the basis, w everywhere.
void BlockExchange::solve(Basis& basis) {
    for (std::int64_t i = 0; i < form_.p; ++i)
        z_[i] = state_[i] < 0 ? form_.lo[i] : state_[i] > 0 ? form_.hi[i] : 0.0;
    std::fill(f_.begin(), f_.end(), 0.0);
    form_.panels.multiply_transposed_add(z_, f_);
    std::fill(w_.begin(), w_.end(), 0.0);
    multiply_add(form_.C, z_, w_);
    for (std::int64_t i = 0; i < form_.p; ++i) g_[i] = -form_.r[i] + delta_[i] * centre_[i] - w_[i];
    basis.solve(f_, g_, v_, z_basic_);
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (state_[i] == 0) z_[i] = z_basic_[i];
        w_[i] = form_.r[i] + delta_[i] * (z_[i] - centre_[i]);
    }
    form_.panels.multiply_add(v_, w_);
    multiply_add(form_.C, z_, w_);
    ++steps_;
}

void BlockExchange::find_violations(double tolerance) {
    changes_.clear();
    worst_ = 0.0;
    const auto add = [this](std::int64_t i, std::int8_t state, double violation) {
        changes_.push_back({static_cast<std::int32_t>(i), state});
        worst_ = std::max(worst_, violation);
    };
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double lo = form_.lo[i];
        const double hi = form_.hi[i];
        if (lo == hi) continue;
        if (state_[i] == 0) {
            if (z_[i] < lo - tolerance) add(i, -1, lo - z_[i]);
            if (z_[i] > hi + tolerance) add(i, 1, z_[i] - hi);
            continue;
        }
        const double d = std::max(form_.diagonal[i], 0.0) + delta_[i];
        const double t = z_[i] - w_[i] / (d > 0.0 ? d : 1.0);
        if (state_[i] < 0 && w_[i] < -tolerance) add(i, t >= hi ? 1 : 0, -w_[i]);
        if (state_[i] > 0 && w_[i] > tolerance) add(i, t <= lo ? -1 : 0, w_[i]);
    }
}

std::uint64_t BlockExchange::word(std::int64_t row, std::int8_t state) const {
    auto x = static_cast<std::uint64_t>(3 * row + state + 2) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

bool BlockExchange::seen_before() {
    if (std::find(seen_.begin(), seen_.end(), hash_) != seen_.end()) return true;
    if (seen_.size() < seen_.capacity()) seen_.push_back(hash_);
    return false;
}

bool BlockExchange::too_slow(int block_step) {
    std::size_t& earlier = earlier_[block_step % 3];
    const bool slow = block_step >= 3 && 2 * changes_.size() > earlier;
    earlier = changes_.size();
    return slow;
}

bool BlockExchange::apply(Basis& basis) {
    for (const Change& change : changes_) {
        hash_ ^= word(change.row, state_[change.row]) ^ word(change.row, change.state);
        state_[change.row] = change.state;
    }
    exchanged_ = true;
    return basis.take(state_, delta_);
}

void BlockExchange::start(std::span<const double> delta, std::span<const double> centre) {
    std::copy(delta.begin(), delta.end(), delta_.begin());
    std::copy(centre.begin(), centre.end(), centre_.begin());
    seen_.clear();
    hash_ = 0;
    for (std::int64_t i = 0; i < form_.p; ++i) hash_ ^= word(i, state_[i]);
    steps_ = block_steps_ = single_pivots_ = 0;
    exchanged_ = false;
    fewest_ = std::numeric_limits<std::size_t>::max();
    left_ = patience;
}

// Leaves in changes_ what to exchange: all of it, or one row. False: the limits are reached.
bool BlockExchange::choose(bool again, const Limits& limits, Info& info) {
    const bool fewer = changes_.size() < fewest_;
    if (fewer) {
        fewest_ = changes_.size();
        left_ = patience;
    }
    if (fewer || (left_ > 0 && !again)) {
        if (limits.quick && too_slow(block_steps_)) return false;
        if (!fewer) --left_;
        ++info.block_steps;
        return block_steps_++ < limits.block_steps;
    }
    left_ = 0;
    ++info.single_pivots;
    info.fallbacks |= fallback::single_pivots;
    Change change = changes_.back();
    if (state_[change.row] != 0) change.state = 0;
    changes_.assign(1, change);
    return single_pivots_++ < limits.single_pivots;
}

BlockExchange::Result BlockExchange::run(Basis& basis, std::span<const double> delta,
                                         std::span<const double> centre, const Limits& limits,
                                         PivotMonitor& monitor) {
    start(delta, centre);
    if (monitor.stop()) return Result::stopped;
    if (!basis.take(state_, delta_)) return Result::failed;
    while (true) {
        solve(basis);
        if (!std::isfinite(sum_of(z_) + sum_of(w_))) return Result::failed;
        find_violations(least_violation * form_.free_norm);
        if (changes_.empty()) return Result::converged;
        const bool again = seen_before();
        const bool slight = worst_ <= accepted_violation * form_.free_norm;
        if (again && slight) return Result::converged;
        if (monitor.stop()) return Result::stopped;
        if (!choose(again, limits, monitor.info()))
            return slight ? Result::converged : Result::stalled;
        if (!apply(basis)) return Result::failed;
    }
}

}  // namespace perp
