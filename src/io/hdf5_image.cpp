// Files made in memory, so that disks can fail without HDF5 noticing halfway. HDF5's own copy of
// an open file (H5Fget_file_image) has a wrong checksum in every format that has one (HDFGroup/hdf5
// issue 1915); the buffer that it would free when the file is closed is right.
#include <hdf5.h>

#include <cstdlib>
#include <cstring>

#include "io/hdf5_detail.hpp"

namespace perp::hdf5 {
namespace {

// The file's buffer, taken over when HDF5 closes the file.
struct Buffer {
    void* bytes = nullptr;
    std::size_t capacity = 0;

    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { std::free(bytes); }
};

void* image_malloc(std::size_t size, H5FD_file_image_op_t operation, void* buffer) {
    if (operation == H5FD_FILE_IMAGE_OP_FILE_OPEN) static_cast<Buffer*>(buffer)->capacity = size;
    return std::malloc(size);
}

void* image_memcpy(void* to, const void* from, std::size_t size, H5FD_file_image_op_t, void*) {
    return std::memcpy(to, from, size);
}

void* image_realloc(void* bytes, std::size_t size, H5FD_file_image_op_t, void* buffer) {
    void* larger = std::realloc(bytes, size);
    if (larger != nullptr) static_cast<Buffer*>(buffer)->capacity = size;
    return larger;
}

herr_t image_free(void* bytes, H5FD_file_image_op_t operation, void* buffer) {
    if (operation == H5FD_FILE_IMAGE_OP_FILE_CLOSE) {
        static_cast<Buffer*>(buffer)->bytes = bytes;
    } else {
        std::free(bytes);
    }
    return 0;
}

void* keep_buffer(void* buffer) { return buffer; }
herr_t leave_buffer(void*) { return 0; }

// Formats of HDF5 1.8 and later, whose metadata carry checksums: damage is found, not interpreted.
Handle memory_access(const std::string& path, std::span<const std::byte> contents, Buffer& buffer) {
    constexpr std::size_t growth = std::size_t{1} << 20;
    H5FD_file_image_callbacks_t callbacks = {image_malloc, image_memcpy, image_realloc, image_free,
                                             keep_buffer,  leave_buffer, &buffer};
    Handle access = checked(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, Status::no_memory, path,
                            "no memory for an HDF5 file");
    bool good = H5Pset_fapl_core(access.id(), growth, 0) >= 0;
    good = good && H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0;
    good = good && H5Pset_file_image_callbacks(access.id(), &callbacks) >= 0;
    if (!contents.empty())  // copied by HDF5, not changed
        good = good && H5Pset_file_image(access.id(), const_cast<std::byte*>(contents.data()),
                                         contents.size()) >= 0;
    if (!good) fail_at(Status::no_memory, path, "no memory for an HDF5 file" + reason());
    return access;
}

Handle open_in_memory(const std::string& path, std::span<const std::byte> contents,
                      Buffer& buffer) {
    // HDF5 takes two files in memory of the same name for one and the same file.
    const std::string name = format("perp-%p.h5", static_cast<const void*>(&buffer));
    const Handle access = memory_access(path, contents, buffer);
    if (contents.empty())
        return checked(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose,
                       Status::file_write, path, "an HDF5 file cannot be made");
    return checked(H5Fopen(name.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose, Status::file_write,
                   path,
                   "exists and is not an HDF5 file, or truncated or damaged; it is not changed");
}

}  // namespace

std::vector<std::byte> make_image(const std::string& path, std::span<const std::byte> contents,
                                  const std::function<void(Group&)>& change) {
    const Session session;
    Buffer buffer;
    Handle file = open_in_memory(path, contents, buffer);
    {
        Group root(std::make_shared<const Origin>(path, contents.size()), "",
                   checked(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose, Status::file_write,
                           path, "has no root group"));
        change(root);
    }
    const bool flushed = H5Fflush(file.id(), H5F_SCOPE_LOCAL) >= 0;
    const ssize_t size =
        H5Fget_file_image(file.id(), nullptr, 0);  // without the spare room at the end
    const bool closed = flushed && size > 0 && file.close() >= 0;
    if (!closed) fail_at(Status::file_write, path, "an HDF5 file cannot be made" + reason());
    if (buffer.bytes == nullptr || static_cast<std::size_t>(size) > buffer.capacity)
        fail_at(Status::internal, path, "HDF5 did not hand over the file");
    const auto* first = static_cast<const std::byte*>(buffer.bytes);
    return {first, first + size};
}

}  // namespace perp::hdf5
