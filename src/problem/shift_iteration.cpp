#include "problem/shift_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perp {
namespace {

constexpr std::size_t window = 5;
// A difference whose part across the newer ones is smaller, relative, is rounding.
constexpr double dependent = 1e-8;
// How much a change may grow before its step is taken back. Small factors cost convergence under
// strong friction (measured on random spheres, mu 0.6 to 2).
constexpr double growth = 10.0;

}  // namespace

ShiftIteration::ShiftIteration(std::vector<double> weights)
    : shift(weights.size(), 0.0),
      weights_(std::move(weights)),
      last_shift_(shift.size()),
      last_step_(shift.size()),
      asked_(shift.size()),
      step_(shift.size()),
      mixed_(shift.size()),
      rest_(shift.size()),
      history_(window, {shift, shift}),
      basis_(history_) {}

void ShiftIteration::start() {
    filled_ = 0;
    kept_ = false;
    bound_ = std::numeric_limits<double>::infinity();
}

double ShiftIteration::product(std::span<const double> a, std::span<const double> b) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += weights_[i] * a[i] * b[i];
    return sum;
}

void ShiftIteration::remember() {
    if (kept_) {
        std::rotate(history_.begin(), history_.end() - 1, history_.end());
        filled_ = std::min(filled_ + 1, window);
        for (std::size_t i = 0; i < shift.size(); ++i) {
            history_.front().shift[i] = shift[i] - last_shift_[i];
            history_.front().step[i] = step_[i] - last_step_[i];
        }
    }
    kept_ = true;
    std::copy(shift.begin(), shift.end(), last_shift_.begin());
    std::copy(step_.begin(), step_.end(), last_step_.begin());
}

// mixed <- step - (dS + dF) a, a the minimizer of |step - dF a|: Gram-Schmidt, which carries dS
// along, the newest difference first. Whether it points the same way as the step.
bool ShiftIteration::mix() {
    mixed_ = step_;
    rest_ = step_;
    std::size_t found = 0;
    for (std::size_t k = 0; k < filled_; ++k) {
        Difference& d = basis_[found];
        d = history_[k];
        const double before = product(d.step, d.step);
        for (std::size_t j = 0; j < found; ++j) {
            const Difference& other = basis_[j];
            const double share = product(d.step, other.step);
            for (std::size_t i = 0; i < step_.size(); ++i) {
                d.step[i] -= share * other.step[i];
                d.shift[i] -= share * other.shift[i];
            }
        }
        const double size = std::sqrt(product(d.step, d.step));
        if (!(size > dependent * std::sqrt(before))) continue;
        ++found;
        for (std::size_t i = 0; i < step_.size(); ++i) {
            d.step[i] /= size;
            d.shift[i] /= size;
        }
        const double share = product(rest_, d.step);
        for (std::size_t i = 0; i < step_.size(); ++i) {
            rest_[i] -= share * d.step[i];
            mixed_[i] -= share * (d.step[i] + d.shift[i]);
        }
    }
    return product(mixed_, step_) > 0.0;
}

void ShiftIteration::advance(std::span<const double> asked, std::span<const double> factors) {
    for (std::size_t i = 0; i < shift.size(); ++i) step_[i] = asked[i] - shift[i];
    change_ = std::sqrt(product(step_, step_));
    if (change_ > bound_) {
        start();
        std::copy(asked_.begin(), asked_.end(), shift.begin());
        return;
    }
    bound_ = growth * change_;
    std::copy(asked.begin(), asked.end(), asked_.begin());
    for (std::size_t i = 0; i < shift.size(); ++i) step_[i] *= factors[i];
    remember();
    // Factors change where contacts begin to slide or roll: differences across such a pass may
    // point backwards, for ever.
    const std::vector<double>& step = mix() ? mixed_ : step_;
    for (std::size_t i = 0; i < shift.size(); ++i) shift[i] = std::max(shift[i] + step[i], 0.0);
}

}  // namespace perp
