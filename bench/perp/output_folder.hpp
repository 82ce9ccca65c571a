// The folder that --out names.
#pragma once

#include <string>

namespace perp::tool {

// Writes files into a folder, which it makes; does nothing where the folder has no name.
class OutputFolder {
public:
    // Throws std::runtime_error naming the folder.
    explicit OutputFolder(const std::string& path);
    [[nodiscard]] bool wanted() const { return !path_.empty(); }
    // Throws std::runtime_error naming the file.
    void write(const std::string& name, const std::string& text) const;

private:
    std::string path_;
};

}  // namespace perp::tool
