// Where the slope of a convex function along a step is small.
#pragma once

#include <algorithm>
#include <cmath>

namespace perp {

// slope(t) grows with t; `first` = slope(0) < 0. The step 1 is taken where it is not too long.
template <class Slope>
double slope_search(double first, Slope&& slope) {
    constexpr double enough = 0.1;  // of the first slope, for a step to be long enough
    constexpr int most_trials = 40;
    const double last = slope(1.0);
    if (last <= enough * std::abs(first)) return 1.0;
    double low = 0.0, high = 1.0, at = 1.0;
    double slope_low = first, slope_high = last;
    for (int k = 0; k < most_trials; ++k) {
        const double guess = low - slope_low * (high - low) / (slope_high - slope_low);
        const double inside = 0.1 * (high - low);
        at = k % 2 == 0 ? std::min(std::max(guess, low + inside), high - inside)
                        : 0.5 * (low + high);
        const double now = slope(at);
        if (std::abs(now) <= enough * std::abs(first)) break;
        (now > 0.0 ? high : low) = at;
        (now > 0.0 ? slope_high : slope_low) = now;
    }
    return at;
}

}  // namespace perp
