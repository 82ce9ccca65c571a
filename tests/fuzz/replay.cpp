// Feeds files to a fuzz target without a fuzzer: the corpus as a regression test, with any
// compiler.
//   fuzz_NAME FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "input.hpp"

namespace fs = std::filesystem;

int main(int count, char** arguments) {
    std::vector<fs::path> files;
    for (int k = 1; k < count; ++k) {
        const fs::path given = arguments[k];
        if (!fs::is_directory(given)) {
            files.push_back(given);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(given)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::vector<char> text((std::istreambuf_iterator<char>(in)), {});
        if (in.bad() || !in.is_open()) {
            std::fprintf(stderr, "%s cannot be read\n", file.c_str());
            return 1;
        }
        // Exactly its size, so that reading beyond the end is seen; the name stays if it crashes.
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        std::fprintf(stderr, "%s\n", file.c_str());
        LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::printf("%zu inputs\n", files.size());
    return files.empty() ? 1 : 0;
}
