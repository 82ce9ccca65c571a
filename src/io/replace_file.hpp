// Whole files in and out, so that a write that fails leaves the old file as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace perp {

class TemporaryFile;

// Several files that change together: all new contents are on the disk before the first old file
// goes. Each is a temporary file in the same directory, renamed at the end and removed where that
// is never reached. A symbolic link is followed; a file that is read-only or not a regular file is
// not replaced. Both functions throw file_write.
class FileReplacement {
public:
    FileReplacement();
    ~FileReplacement();
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;
    void add(const std::string& path, std::span<const std::byte> bytes);
    void commit();

private:
    std::vector<std::unique_ptr<TemporaryFile>> files_;
};

// The same with one file.
void replace_file(const std::string& path, std::span<const std::byte> bytes);

// Is this the name of a temporary file that a process was not able to remove?
bool is_temporary_name(const std::string& name);

// Empty where there is no such file. Throws file_write: called before a file is replaced.
std::vector<std::byte> read_whole_file(const std::string& path);

// The size of a regular file that can be opened for reading. Throws file_not_found or file_format:
// opening a directory or a pipe would fail with a misleading message, or wait for ever.
std::uint64_t readable_size(const std::string& path);
// All of such a file.
std::string read_text(const std::string& path);

// Throws std::bad_alloc where this errno says that memory ran out: then the file is not at fault.
void check_memory(int error);

}  // namespace perp
