// The basis from which Lemke's method starts: velocities, z of the free rows, w of all others.
#pragma once

#include "solvers/lemke.hpp"

namespace perp {

// Sets up rows, holders and factors. Free rows whose z find no pivot in the free rows are stated
// twice; `attempt` chooses the sign in which such a row meets its z. False: no basis to start from.
bool start_lemke(const MixedForm& form, LemkeWorkspace& work, int attempt);

}  // namespace perp
