#include "io/hdf5_file.hpp"

#include <hdf5.h>

#include <type_traits>
#include <utility>

#include "io/hdf5_detail.hpp"
#include "io/replace_file.hpp"

namespace perp::hdf5 {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>,
              "HDF5 1.10 or newer is needed");

// ---------------------------------------------------------------------------
// Errors

namespace {

// HDF5 1.10 loses memory of its own when it meets a damaged file, and says so on stderr when the
// process ends if errors are printed then. A thread's variables are destroyed before that.
struct SilentEnd {
    SilentEnd() = default;
    SilentEnd(const SilentEnd&) = delete;
    SilentEnd& operator=(const SilentEnd&) = delete;
    ~SilentEnd() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
    void arm() const {}  // the first use makes the variable
};

herr_t take_first(unsigned n, const H5E_error2_t* error, void* out) {
    if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
    return 0;
}

}  // namespace

std::string reason() {
    thread_local const SilentEnd silent;
    silent.arm();
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
    return text.empty() ? text : " (HDF5: " + text + ")";
}

void fail_at(Status status, const std::string& where, const std::string& what) {
    throw Error(status, where + ": " + what);
}

Handle checked(hid_t id, Handle::Close close, Status status, const std::string& where,
               const char* what) {
    if (id < 0) fail_at(status, where, what + reason());
    return {id, close};
}

// ---------------------------------------------------------------------------
// Session and handle

#ifndef H5_HAVE_THREADSAFE
namespace {

// This build of HDF5 takes one thread at a time: the only state of perp that threads share.
std::recursive_mutex& library_mutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

}  // namespace
#endif

Session::Session() {
#ifndef H5_HAVE_THREADSAFE
    lock_ = std::unique_lock(library_mutex());
#endif
    H5Eauto_is_v2(H5E_DEFAULT, &second_version_);
    if (second_version_ != 0) {
        H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    } else {
        H5Eget_auto1(&old_report_, &data_);
        H5Eset_auto1(nullptr, nullptr);
    }
}

Session::~Session() {
    H5Eclear2(H5E_DEFAULT);
    if (second_version_ != 0) {
        H5Eset_auto2(H5E_DEFAULT, report_, data_);
    } else {
        H5Eset_auto1(old_report_, data_);
    }
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
}

Handle::~Handle() {
    if (id_ >= 0) close_(id_);
}

int Handle::close() { return close_(std::exchange(id_, -1)); }

// ---------------------------------------------------------------------------
// File

File::File(const std::string& path)
    : origin_(std::make_shared<const Origin>(path, readable_size(path))) {
    if (H5Fis_hdf5(path.c_str()) == 0) fail_at(Status::file_format, path, "is not an HDF5 file");
    handle_ =
        checked(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, Status::file_format,
                path, "cannot be read: truncated or damaged, or locked by another program");
}

Group File::root() const {
    return {origin_, "",
            checked(H5Gopen2(handle_.id(), "/", H5P_DEFAULT), H5Gclose, Status::file_format,
                    origin_->file, "has no readable root group")};
}

// ---------------------------------------------------------------------------
// Group: places

Group::Group(std::shared_ptr<const Origin> origin, std::string path, Handle handle)
    : origin_(std::move(origin)), path_(std::move(path)), handle_(std::move(handle)) {}

std::string Group::where() const { return origin_->file + ": " + (path_.empty() ? "/" : path_); }

std::string Group::where(const std::string& name) const {
    return origin_->file + ": " + path_ + "/" + name;
}

bool Group::has(const std::string& name) const {
    const htri_t link = H5Lexists(id(), name.c_str(), H5P_DEFAULT);
    if (link < 0) fail_at(Status::file_format, where(name), "cannot be looked up" + reason());
    return link > 0 && H5Oexists_by_name(id(), name.c_str(), H5P_DEFAULT) > 0;
}

Group Group::group(const std::string& name) const {
    if (!has(name)) fail_at(Status::file_format, where(name), "expected a group, found nothing");
    Handle object = checked(H5Oopen(id(), name.c_str(), H5P_DEFAULT), H5Oclose, Status::file_format,
                            where(name), "cannot be opened");
    if (H5Iget_type(object.id()) != H5I_GROUP)
        fail_at(Status::file_format, where(name), "expected a group, found a dataset");
    return {origin_, path_ + "/" + name, std::move(object)};
}

std::vector<std::string> Group::names(std::size_t limit) const {
    std::vector<std::string> names;
    while (names.size() < limit) {
        const auto at = static_cast<hsize_t>(names.size());
        const ssize_t size =
            H5Lget_name_by_idx(id(), ".", H5_INDEX_NAME, H5_ITER_INC, at, nullptr, 0, H5P_DEFAULT);
        if (size < 0) break;
        std::string name(static_cast<std::size_t>(size) + 1, '\0');
        if (H5Lget_name_by_idx(id(), ".", H5_INDEX_NAME, H5_ITER_INC, at, name.data(), name.size(),
                               H5P_DEFAULT) < 0)
            break;
        name.pop_back();
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace perp::hdf5
