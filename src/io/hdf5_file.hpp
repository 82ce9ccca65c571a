// The part of HDF5 that instance files need: groups, vectors of numbers, attributes.
// No other file sees HDF5's header. Nothing is ever printed: a failure is a perp::Error that names
// the file, the path inside it, and what was expected and found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace perp::hdf5 {

// While it lives, HDF5 prints no errors in this thread; the caller's own setting comes back after.
// HDF5 built without thread safety is entered by one thread at a time.
class Session {
public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    std::unique_lock<std::recursive_mutex> lock_;
    unsigned second_version_ = 1;  // which of HDF5's two generations of handler was set
    int (*report_)(std::int64_t, void*) = nullptr;
    int (*old_report_)(void*) = nullptr;
    void* data_ = nullptr;
};

// Owns one HDF5 identifier (hid_t, which is an int64_t).
class Handle {
public:
    using Close = int (*)(std::int64_t);
    Handle() = default;
    Handle(std::int64_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept;
    Handle& operator=(Handle&& other) noexcept;
    ~Handle();
    [[nodiscard]] std::int64_t id() const { return id_; }
    int close();  // negative: failed

private:
    std::int64_t id_ = -1;
    Close close_ = nullptr;
};

// Where a group comes from: for messages, and to judge which sizes are possible.
struct Origin {
    Origin(std::string path, std::uint64_t size) : file(std::move(path)), bytes(size) {}
    std::string file;
    std::uint64_t bytes;
};

// A group of an open file; must not outlive it. `name` is always a direct member.
class Group {
public:
    Group(std::shared_ptr<const Origin> origin, std::string path, Handle handle);

    // Reading. Throws file_format.
    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] Group group(const std::string& name) const;
    [[nodiscard]] std::vector<std::string> names(std::size_t limit) const;
    // A vector of `expected` numbers (any number where not given). Whole numbers are read as reals
    // where reals are wanted, never the other way round.
    [[nodiscard]] std::vector<double> reals(const std::string& name,
                                            std::optional<std::int64_t> expected = {}) const;
    [[nodiscard]] std::vector<std::int64_t> integers(
        const std::string& name, std::optional<std::int64_t> expected = {}) const;
    // Empty where absent.
    [[nodiscard]] std::vector<double> optional_reals(const std::string& name,
                                                     std::int64_t expected) const;
    // One whole number: an attribute, or (FCLIB) a dataset of one value or an attribute.
    [[nodiscard]] std::int64_t integer_attribute(const std::string& name) const;
    [[nodiscard]] std::int64_t integer(const std::string& name) const;

    // Writing (files in memory). Throws file_write.
    Group create_group(const std::string& name);
    void remove(const std::string& name);
    void write(const std::string& name, std::span<const double> values);
    void write(const std::string& name, std::span<const std::int64_t> values);
    void write_int32(const std::string& name,
                     std::span<const std::int64_t> values);  // 64 bit where needed
    void write_text(const std::string& name, const std::string& text);
    void write_attribute(const std::string& name, std::int64_t value);
    void write_attribute(const std::string& name, double value);
    void write_attribute(const std::string& name, const std::string& text);
    void write_python_str(const std::string& name, const std::string& text);  // as attribute

    // "file.h5: /contacts/N", for messages.
    [[nodiscard]] std::string where() const;
    [[nodiscard]] std::string where(const std::string& name) const;
    [[nodiscard]] const Origin& origin() const { return *origin_; }
    [[nodiscard]] std::int64_t id() const { return handle_.id(); }

private:
    void write_array(const std::string& name, std::int64_t file_type, std::int64_t memory_type,
                     std::size_t count, const void* values);
    void write_one(const std::string& name, std::int64_t file_type, std::int64_t memory_type,
                   const void* value);

    std::shared_ptr<const Origin> origin_;
    std::string path_;
    Handle handle_;
};

// A file opened for reading. Throws file_not_found or file_format.
class File {
public:
    explicit File(const std::string& path);
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] Group root() const;

private:
    Session session_;  // first: the others' destructors call HDF5
    std::shared_ptr<const Origin> origin_;
    Handle handle_;
};

// The bytes of a file made by `change` from an empty one, or from the contents of an old one.
// `path` is where it will go and is only named in messages: no disk is touched.
std::vector<std::byte> make_image(const std::string& path, std::span<const std::byte> contents,
                                  const std::function<void(Group&)>& change);

// Throws Error with message "where: what".
[[noreturn]] void fail_at(Status status, const std::string& where, const std::string& what);

}  // namespace perp::hdf5
