// Shares of a corrector that an interior point tries, to take the one that allows the longest step
// (Colombo and Gondzio, Comput. Optim. Appl. 41 (2008)).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace perp {

using Shares = std::array<double, 8>;

// From 1 down to `least`, evenly.
inline Shares shares_from(double least) {
    Shares share;
    for (std::size_t k = 0; k < share.size(); ++k)
        share[k] =
            1.0 - (1.0 - least) * static_cast<double>(k) / static_cast<double>(share.size() - 1);
    return share;
}

// The first of the longest.
inline std::size_t longest(const Shares& step) {
    return static_cast<std::size_t>(std::max_element(step.begin(), step.end()) - step.begin());
}

}  // namespace perp
