// How much of their cones contacts use.
#pragma once

#include <span>

#include "problem/problem.hpp"

namespace perp {

// |z_T| / (mu z_N) of each contact of a problem of cones, r; 1 where mu = 0, 0 where z_N = 0.
void cone_use(const Problem& problem, std::span<const double> z, std::span<double> use);

}  // namespace perp
