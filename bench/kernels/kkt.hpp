// Factorizations of the interior point's linear systems, beside CHOLMOD's where it is there.
#pragma once

namespace perp::kernels {

void register_kkt();

}  // namespace perp::kernels
