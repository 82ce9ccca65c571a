#include "io/replace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "base/error.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_write(const std::string& path, const std::string& what) {
    throw Error(Status::file_write, path + ": " + what);
}

std::string last_error() { return std::strerror(errno); }

constexpr const char* temporary_prefix = ".perp-";
constexpr const char* temporary_suffix = ".tmp";

}  // namespace

void check_memory(int error) {
    if (error == ENOMEM) throw std::bad_alloc();
}

// A file under construction: removed again unless renamed to its place.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    void write(std::span<const std::byte> bytes);  // all of the file
    void move_to_target();

private:
    fs::path target_, path_;
    int descriptor_ = -1;
};

// Unique among the living objects of living processes; a dead one's file is stepped over.
TemporaryFile::TemporaryFile(const fs::path& target) : target_(target) {
    constexpr int most = 1000;
    for (int attempt = 0; attempt < most && descriptor_ < 0; ++attempt) {
        path_ = target.parent_path() / format("%s%ld-%p-%d%s", temporary_prefix,
                                              static_cast<long>(::getpid()),
                                              static_cast<void*>(this), attempt, temporary_suffix);
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0)
        fail_write(target_.string(), "no file can be made in its directory: " + last_error());
}

TemporaryFile::~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
}

void TemporaryFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            fail_write(
                target_.string(),
                "cannot be written: " + (written < 0 ? last_error() : std::string("no progress")));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    // Some file systems report a full disk only now.
    if (::fsync(descriptor_) != 0 && errno != EINVAL)
        fail_write(target_.string(), "cannot be written: " + last_error());
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_write(target_.string(), "cannot be written: " + last_error());
}

void TemporaryFile::move_to_target() {
    std::error_code ignored;
    const fs::file_status old = fs::status(target_, ignored);
    if (fs::exists(old)) fs::permissions(path_, old.permissions(), ignored);
    if (::rename(path_.c_str(), target_.c_str()) != 0)
        fail_write(target_.string(), "cannot be replaced: " + last_error());
    path_.clear();
}

namespace {

fs::path checked_target(const std::string& path) {
    std::error_code error;
    fs::path target = path;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status)) return target;
    if (fs::is_directory(status)) fail_write(path, "is a directory");
    if (!fs::is_regular_file(status)) fail_write(path, "is not a regular file");
    if (::access(path.c_str(), W_OK) != 0) fail_write(path, "cannot be replaced: " + last_error());
    fs::path real = fs::canonical(target, error);
    check_memory(error.value());  // a link that was not followed would be replaced itself
    return error ? target : real;
}

}  // namespace

FileReplacement::FileReplacement() = default;
FileReplacement::~FileReplacement() = default;

void FileReplacement::add(const std::string& path, std::span<const std::byte> bytes) {
    files_.push_back(std::make_unique<TemporaryFile>(checked_target(path)));
    files_.back()->write(bytes);
}

void FileReplacement::commit() {
    for (const auto& file : files_) file->move_to_target();
    files_.clear();
}

void replace_file(const std::string& path, std::span<const std::byte> bytes) {
    FileReplacement file;
    file.add(path, bytes);
    file.commit();
}

bool is_temporary_name(const std::string& name) {
    return name.starts_with(temporary_prefix) && name.ends_with(temporary_suffix);
}

std::vector<std::byte> read_whole_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(fs::status(path, error))) return {};
    const fs::path target = checked_target(path);
    const auto size = fs::file_size(target, error);
    errno = 0;
    std::ifstream in(target, std::ios::binary);
    if (!in) check_memory(errno);
    std::vector<std::byte> bytes(error ? 0 : static_cast<std::size_t>(size));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (error || !in) fail_write(path, "cannot be read before it is changed");
    return bytes;
}

std::uint64_t readable_size(const std::string& path) {
    const auto refuse = [&path](Status status, const std::string& why) {
        throw Error(status, path + ": " + why);
    };
    std::error_code error;
    const fs::file_status found = fs::status(path, error);
    if (found.type() == fs::file_type::not_found)
        refuse(Status::file_not_found, "there is no such file");
    if (found.type() == fs::file_type::none) refuse(Status::file_not_found, error.message());
    if (found.type() == fs::file_type::directory)
        refuse(Status::file_format, "is a directory, not a file");
    if (found.type() != fs::file_type::regular)
        refuse(Status::file_format, "is not a regular file");
    if (::access(path.c_str(), R_OK) != 0)
        refuse(Status::file_not_found, "cannot be opened: " + last_error());
    const std::uint64_t bytes = fs::file_size(path, error);
    if (error) refuse(Status::file_not_found, error.message());
    return bytes;
}

std::string read_text(const std::string& path) {
    std::string text(readable_size(path), '\0');
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) check_memory(errno);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!in) throw Error(Status::file_not_found, path + ": cannot be read to its end");
    return text;
}

}  // namespace perp
