// z of an assembled problem: the impulses of A, N, D, S, B stacked.
#pragma once

#include <span>

#include "friction/friction_step.hpp"

namespace perp {

void split_rows(const System& system, std::span<const double> z, StepImpulses& out);
// Rows of A and B where `impulses` has none: zeros.
void stack_rows(const System& system, const StepImpulses& impulses, std::span<double> z);

}  // namespace perp
