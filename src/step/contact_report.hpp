// What a step did: velocities at its end, the state of every contact, what friction took.
#pragma once

#include <span>

#include "step/stepper.hpp"

namespace perp {

// Fills velocity, z, state, and in info the counts by state and -(z_D . u_D + z_S . u_S). `use`:
// FrictionStep::sliding_use.
void report_contacts(const System& system, const ContactRows& rows, const StepImpulses& impulses,
                     std::span<const double> use, StepResult& result);

}  // namespace perp
