#include "output_folder.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace perp::tool {

OutputFolder::OutputFolder(const std::string& path) : path_(path) {
    if (path.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw std::runtime_error(path + ": " + error.message());
}

void OutputFolder::write(const std::string& name, const std::string& text) const {
    if (!wanted()) return;
    const std::string file = (std::filesystem::path(path_) / name).string();
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) throw std::runtime_error(file + ": cannot be written");
}

}  // namespace perp::tool
