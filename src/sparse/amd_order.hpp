// Fill-reducing ordering of a symmetric pattern: AMD (Amestoy, Davis, Duff, ACM TOMS 30 (2004)).
#pragma once

#include <cstdint>
#include <vector>

#include "sparse/csr.hpp"

namespace perp {

// Position k of the order is row permutation[k]. `a` holds both triangles.
std::vector<std::int64_t> amd_order(const Csr& a);

}  // namespace perp
