// The last resort for problems on which everything else failed: the problem falls apart into
// blocks that share neither bodies nor entries of C, and small blocks have few basic sets, which
// are all tried.
#pragma once

#include <vector>

#include "problem/mixed_form.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

// z: scaled, the best point known in and out; blocks that it solves already, large blocks
// (DenseBlock) and those without a result keep it. True: decided. The outcome is `solved`, or
// no_solution where a block has no complementary set: a proof by exhaustion, without a certificate.
// False: nothing is known, or the monitor stopped the search.
bool run_enumeration(const MixedForm& form, std::vector<double>& z, PivotMonitor& monitor);

}  // namespace perp
