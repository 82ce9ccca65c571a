#include "temporary.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "input.hpp"

// HDF5 loses memory of its own when a file is damaged. That perp closes all its handles is checked
// where files are read.
extern "C" [[gnu::visibility("default")]] const char* __lsan_default_suppressions();  // NOLINT
const char* __lsan_default_suppressions() { return "leak:libhdf5\n"; }                // NOLINT

namespace perp_fuzz {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const fs::path memory = "/dev/shm";
    const bool chosen = std::getenv("TMPDIR") != nullptr || !fs::is_directory(memory, error);
    const fs::path parent = chosen ? fs::temp_directory_path() : memory;
    std::string name = (parent / "perp-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

const TemporaryFolder& temporary() {
    static const TemporaryFolder folder;
    return folder;
}

void write_file(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace perp_fuzz
