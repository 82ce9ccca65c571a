#include "sparse/panel_kernels.hpp"

#include "sparse/panel_code.hpp"

namespace perp {

const PanelKernels& panel_kernels_base() { return compiled_kernels; }

const PanelKernels& panel_kernels() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") != 0) return panel_kernels_avx2();
#endif
    return panel_kernels_base();
}

}  // namespace perp
