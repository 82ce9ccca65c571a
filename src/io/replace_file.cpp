#include "io/replace_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace perp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_write(const std::string& path, const std::string& what) {
    throw Error(Status::file_write, path + ": " + what);
}

std::string last_error() { return std::strerror(errno); }

// A file under construction: removed again unless renamed to its place.
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& target);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    void write(std::span<const std::byte> bytes) const;
    void move_to_target();

private:
    fs::path target_, path_;
    int descriptor_ = -1;
};

// Unique among the living objects of living processes; a dead one's file is stepped over.
TemporaryFile::TemporaryFile(const fs::path& target) : target_(target) {
    constexpr int most = 1000;
    for (int attempt = 0; attempt < most && descriptor_ < 0; ++attempt) {
        path_ = target.parent_path() / format(".perp-%ld-%p-%d.tmp", static_cast<long>(::getpid()),
                                              static_cast<void*>(this), attempt);
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

void TemporaryFile::write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0)
            fail_write(
                target_.string(),
                "cannot be written: " + (written < 0 ? last_error() : std::string("no progress")));
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void TemporaryFile::move_to_target() {
    // Some file systems report a full disk only now.
    if (::fsync(descriptor_) != 0 && errno != EINVAL)
        fail_write(target_.string(), "cannot be written: " + last_error());
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_write(target_.string(), "cannot be written: " + last_error());
    std::error_code ignored;
    const fs::file_status old = fs::status(target_, ignored);
    if (fs::exists(old)) fs::permissions(path_, old.permissions(), ignored);
    if (::rename(path_.c_str(), target_.c_str()) != 0)
        fail_write(target_.string(), "cannot be replaced: " + last_error());
    path_.clear();
}

fs::path checked_target(const std::string& path) {
    std::error_code error;
    fs::path target = path;
    const fs::file_status status = fs::status(target, error);
    if (!fs::exists(status)) return target;
    if (fs::is_directory(status)) fail_write(path, "is a directory");
    if (!fs::is_regular_file(status)) fail_write(path, "is not a regular file");
    if (::access(path.c_str(), W_OK) != 0) fail_write(path, "cannot be replaced: " + last_error());
    fs::path real = fs::canonical(target, error);
    return error ? target : real;
}

}  // namespace

void replace_file(const std::string& path, std::span<const std::byte> bytes) {
    TemporaryFile file(checked_target(path));
    file.write(bytes);
    file.move_to_target();
}

std::vector<std::byte> read_whole_file(const std::string& path) {
    std::error_code error;
    if (!fs::exists(fs::status(path, error))) return {};
    const fs::path target = checked_target(path);
    const auto size = fs::file_size(target, error);
    std::ifstream in(target, std::ios::binary);
    std::vector<std::byte> bytes(error ? 0 : static_cast<std::size_t>(size));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (error || !in) fail_write(path, "cannot be read before it is changed");
    return bytes;
}

}  // namespace perp
