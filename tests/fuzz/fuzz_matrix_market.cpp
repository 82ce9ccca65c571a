// A folder of Matrix Market files whose texts are the input, cut at zero bytes: H, q, lo, hi. What
// is left chooses the law and the solves; without it, the law is what the files say.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "hdf5_tree.hpp"
#include "temporary.hpp"

using namespace perp_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    std::size_t first = 0;
    for (const char* name : {"H.mtx", "q.mtx", "lo.mtx", "hi.mtx"}) {
        const std::string file = temporary().at(name);
        std::remove(file.c_str());
        if (first > size) continue;  // fewer parts than files: the others are absent
        const std::size_t end = all.find('\0', first);
        const std::string part = all.substr(first, end - first);
        first = end == std::string::npos ? size + 1 : end + 1;
        if (part != "-") write_file(file, part);
    }
    const std::size_t used = first < size ? first : size;
    Input in(data + used, size - used);
    read_and_use(in, temporary().path());
    return 0;
}
