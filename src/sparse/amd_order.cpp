#include "sparse/amd_order.hpp"

#include <amd.h>

#include <new>

#include "base/error.hpp"

namespace perp {

std::vector<std::int64_t> amd_order(const Csr& a) {
    std::vector<std::int64_t> permutation(a.rows);
    if (a.rows == 0) return permutation;  // AMD takes no null pointers
    const std::vector<std::int64_t> index(a.index.begin(), a.index.end());
    const auto status =
        amd_l_order(a.rows, a.start.data(), index.data(), permutation.data(), nullptr, nullptr);
    if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (status < AMD_OK)
        fail(Status::internal, "AMD ordering failed with status %d", static_cast<int>(status));
    return permutation;
}

}  // namespace perp
