// What the adapters take for an answer of perp, and give the engine as one.
#ifndef PERP_HOSTS_ANSWER_HPP
#define PERP_HOSTS_ANSWER_HPP

#include <algorithm>
#include <cmath>
#include <iterator>

#include "perp/perp.hpp"

namespace perp {
namespace hosts {

// Solved, or as good as acceptable_eta; proved to have no solution is neither.
inline bool is_usable(const perp_info& info, double acceptable_eta) {
    return info.outcome == PERP_SOLVED ||
           (info.outcome != PERP_NO_SOLUTION && info.eta <= acceptable_eta);
}

template <class Vector>
bool all_finite(const Vector& impulses) {
    return std::all_of(std::begin(impulses), std::end(impulses),
                       [](double x) { return std::isfinite(x); });
}

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_ANSWER_HPP
