// Compiled with AVX2 where the compiler has it (src/CMakeLists.txt).
#include "sparse/panel_code.hpp"

namespace perp {

const PanelKernels& panel_kernels_avx2() { return compiled_kernels; }

}  // namespace perp
