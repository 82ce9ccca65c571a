// A generated scene as a problem of the library, through a file as a user's would come.
#pragma once

#include "problem/problem.hpp"
#include "scene.hpp"

namespace perp::kernels {

Problem problem_of(const scenes::Scene& scene);

}  // namespace perp::kernels
