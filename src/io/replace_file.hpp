// Whole files in and out, so that a write that fails leaves the old file as it was.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perp {

// Writes a temporary file in the same directory and renames it at the end. A symbolic link is
// followed; a file that is read-only or not a regular file is not replaced. Throws file_write.
void replace_file(const std::string& path, std::span<const std::byte> bytes);

// Empty where there is no such file. Throws file_write: called before a file is replaced.
std::vector<std::byte> read_whole_file(const std::string& path);

}  // namespace perp
