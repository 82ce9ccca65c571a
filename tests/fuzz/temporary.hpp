// A folder in memory of this process, removed when it ends.
#pragma once

#include <string>
#include <string_view>

namespace perp_fuzz {

class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

// The one folder of the process.
const TemporaryFolder& temporary();

void write_file(const std::string& path, std::string_view bytes);
std::string read_file(const std::string& path);

}  // namespace perp_fuzz
