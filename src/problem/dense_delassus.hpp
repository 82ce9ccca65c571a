// S^ = J M^-1 J' + C of the mixed form as a dense matrix, for small problems.
#pragma once

#include "problem/mixed_form.hpp"
#include "sparse/principal_inverse.hpp"

namespace perp {

// For symmetric forms; both triangles equal to the bit. Throws not_positive_definite.
DenseMatrix dense_delassus(const MixedForm& form);

}  // namespace perp
