#include "problem/bound_iteration.hpp"

#include <algorithm>
#include <utility>

namespace perp {
namespace {

constexpr std::size_t window = 5;

}  // namespace

BoundIteration::BoundIteration(std::vector<double> weights)
    : half_width(weights.size()),
      weights_(std::move(weights)),
      residual_(half_width.size()),
      asked_(half_width.size()),
      mixed_(half_width.size()),
      residual_change_(window, residual_),
      asked_change_(window, residual_),
      mixing_(window) {}

void BoundIteration::start() {
    steps_ = 0;
    half_step_ = false;
}

void BoundIteration::restart() {
    steps_ = 0;
    half_step_ = true;
}

// f = g - h, and what has changed since the step before.
void BoundIteration::remember(std::span<const double> asked) {
    const std::size_t slot = (steps_ + window - 1) % window;
    std::vector<double>& df = residual_change_[slot];
    std::vector<double>& dg = asked_change_[slot];
    for (std::size_t k = 0; k < asked.size(); ++k) {
        const double f = asked[k] - half_width[k];
        df[k] = f - residual_[k];
        dg[k] = asked[k] - asked_[k];
        residual_[k] = f;
        asked_[k] = asked[k];
    }
    for (std::size_t j = 0; j < std::min(steps_, window); ++j) {
        const std::vector<double>& other = residual_change_[j];
        double product = 0.0;
        double projection = 0.0;
        for (std::size_t k = 0; k < asked.size(); ++k) {
            product += weights_[k] * df[k] * other[k];
            projection += weights_[k] * residual_[k] * other[k];
        }
        mixing_.set_product(slot, j, product);
        mixing_.projection[j] = projection;
    }
}

// The mixed step replaces the plain one unless it points against it: where g grows faster than h,
// the mixed one leads away from impulses that jam.
void BoundIteration::advance(std::span<const double> asked) {
    remember(asked);
    const double share = std::exchange(half_step_, false) ? 0.5 : 1.0;
    const std::size_t filled = std::min(steps_++, window);
    const bool mixes = filled > 0 && mixing_.solve(filled);
    double along = 0.0;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        const double plain = share * (asked[k] - half_width[k]);
        double step = plain;
        for (std::size_t j = 0; j < (mixes ? filled : 0); ++j)
            step -= mixing_.weight[j] * asked_change_[j][k];
        mixed_[k] = step;
        along += weights_[k] * step * plain;
    }
    for (std::size_t k = 0; k < asked.size(); ++k) {
        const double step = along > 0.0 ? mixed_[k] : share * (asked[k] - half_width[k]);
        half_width[k] = std::max(half_width[k] + step, 0.0);
    }
}

}  // namespace perp
