// Which spheres are close: a uniform grid, so that the cost grows with the count and not with its
// square.
#pragma once

#include <cstdint>
#include <vector>

#include "vec3.hpp"

namespace perp::scenes {

struct Pair {
    int64_t a = 0, b = 0;  // a > b
};

// All pairs whose surfaces are less than `margin` apart, ordered by a, then b.
std::vector<Pair> close_pairs(const std::vector<Vec3>& centres, const std::vector<double>& radii,
                              double margin);

}  // namespace perp::scenes
