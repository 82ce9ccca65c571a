// Reading numbers. A damaged file may claim any size or type, so everything that would
// be allocated is first compared with what the file holds.
#include <hdf5.h>

#include <cinttypes>
#include <limits>

#include "io/hdf5_detail.hpp"

namespace perp::hdf5 {
namespace {

std::string dimensions(const std::vector<hsize_t>& dims) {
    std::string text;
    for (const hsize_t d : dims) text += (text.empty() ? "" : " x ") + std::to_string(d);
    return text;
}

const char* class_text(H5T_class_t type) {
    switch (type) {
        case H5T_INTEGER:
            return "whole numbers";
        case H5T_FLOAT:
            return "real numbers";
        case H5T_STRING:
            return "text";
        default:
            return "values of another type";
    }
}

class Dataset {
public:
    Dataset(const Group& group, const std::string& name);
    // Throws unless the dataset is a vector (of `expected` values).
    std::int64_t vector_length(std::optional<std::int64_t> expected) const;
    std::uint64_t values() const;
    void require_numbers(bool whole) const;
    // Throws where the file cannot hold as many values as the dataset claims.
    void require_stored() const;
    void read(hid_t memory_type, void* out) const;
    const std::string& where() const { return where_; }

private:
    std::uint64_t stored_bytes() const;

    std::string where_;
    std::uint64_t file_bytes_;
    Handle handle_, type_, space_;
    std::vector<hsize_t> dims_;
};

Dataset::Dataset(const Group& group, const std::string& name)
    : where_(group.where(name)), file_bytes_(group.origin().bytes) {
    if (!group.has(name)) fail_at(Status::file_format, where_, "expected a dataset, found nothing");
    handle_ = checked(H5Oopen(group.id(), name.c_str(), H5P_DEFAULT), H5Oclose, Status::file_format,
                      where_, "cannot be opened");
    if (H5Iget_type(handle_.id()) != H5I_DATASET)
        fail_at(Status::file_format, where_, "expected a dataset, found a group");
    type_ = checked(H5Dget_type(handle_.id()), H5Tclose, Status::file_format, where_,
                    "has no readable type");
    space_ = checked(H5Dget_space(handle_.id()), H5Sclose, Status::file_format, where_,
                     "has no readable shape");
    const int rank = H5Sget_simple_extent_ndims(space_.id());
    if (rank < 0 || H5Sget_simple_extent_type(space_.id()) == H5S_NULL)
        fail_at(Status::file_format, where_, "has no shape");
    dims_.resize(static_cast<std::size_t>(rank));
    if (rank > 0 && H5Sget_simple_extent_dims(space_.id(), dims_.data(), nullptr) < 0)
        fail_at(Status::file_format, where_, "has no readable shape");
}

std::int64_t Dataset::vector_length(std::optional<std::int64_t> expected) const {
    const std::string wanted =
        expected ? format("a vector of %" PRId64 " values", *expected) : "a vector";
    if (dims_.size() != 1)
        fail_at(Status::file_format, where_,
                "expected " + wanted + ", found " +
                    (dims_.empty() ? "a scalar" : "an array " + dimensions(dims_)));
    if (dims_[0] > static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max()) ||
        (expected && static_cast<std::int64_t>(dims_[0]) != *expected))
        fail_at(Status::file_format, where_,
                "expected " + wanted + ", found one of " + std::to_string(dims_[0]));
    return static_cast<std::int64_t>(dims_[0]);
}

std::uint64_t Dataset::values() const {
    std::uint64_t count = 1;
    for (const hsize_t d : dims_)
        count = d != 0 && count > std::numeric_limits<std::uint64_t>::max() / d
                    ? std::numeric_limits<std::uint64_t>::max()
                    : count * d;
    return count;
}

void Dataset::require_numbers(bool whole) const {
    const H5T_class_t found = H5Tget_class(type_.id());
    if (found == H5T_INTEGER || (found == H5T_FLOAT && !whole)) return;
    fail_at(Status::file_format, where_,
            std::string("expected ") + class_text(whole ? H5T_INTEGER : H5T_FLOAT) + ", found " +
                class_text(found));
}

// An upper bound of the bytes that the file can hold of this dataset.
std::uint64_t Dataset::stored_bytes() const {
    const Handle made = checked(H5Dget_create_plist(handle_.id()), H5Pclose, Status::file_format,
                                where_, "has no readable layout");
    if (H5Pget_layout(made.id()) != H5D_CHUNKED) return file_bytes_;
    std::vector<hsize_t> chunk(dims_.size());
    hsize_t chunks = 0;
    if (H5Pget_chunk(made.id(), static_cast<int>(chunk.size()), chunk.data()) < 0 ||
        H5Dget_num_chunks(handle_.id(), space_.id(), &chunks) < 0)
        fail_at(Status::file_format, where_, "has no readable layout" + reason());
    constexpr std::uint64_t best_compression = 1100;  // deflate: 1032 at most
    std::uint64_t bytes = H5Tget_size(type_.id());
    const std::uint64_t limit = best_compression * file_bytes_;
    for (const hsize_t c : chunk) bytes = c != 0 && bytes > limit / c ? limit : bytes * c;
    return chunks != 0 && bytes > limit / chunks ? limit : bytes * chunks;
}

void Dataset::require_stored() const {
    const std::size_t size = H5Tget_size(type_.id());
    const std::uint64_t bytes = stored_bytes();
    if (size == 0 || values() > bytes / size)
        fail_at(Status::file_format, where_,
                "claims " + dimensions(dims_) + " values, but the file holds at most " +
                    std::to_string(size == 0 ? 0 : bytes / size));
}

void Dataset::read(hid_t memory_type, void* out) const {
    if (H5Dread(handle_.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
        fail_at(Status::file_format, where_, "the values cannot be read" + reason());
}

}  // namespace

std::vector<double> Group::reals(const std::string& name,
                                 std::optional<std::int64_t> expected) const {
    const Dataset data(*this, name);
    data.require_numbers(false);
    const std::int64_t length = data.vector_length(expected);
    data.require_stored();
    std::vector<double> values(static_cast<std::size_t>(length));
    if (length > 0) data.read(H5T_NATIVE_DOUBLE, values.data());
    return values;
}

std::vector<double> Group::optional_reals(const std::string& name, std::int64_t expected) const {
    return has(name) ? reals(name, expected) : std::vector<double>{};
}

std::vector<std::int64_t> Group::integers(const std::string& name,
                                          std::optional<std::int64_t> expected) const {
    const Dataset data(*this, name);
    data.require_numbers(true);
    const std::int64_t length = data.vector_length(expected);
    data.require_stored();
    std::vector<std::int64_t> values(static_cast<std::size_t>(length));
    if (length > 0) data.read(H5T_NATIVE_INT64, values.data());
    return values;
}

std::int64_t Group::integer_attribute(const std::string& name) const {
    const std::string at = where() + ", attribute '" + name + "'";
    if (H5Aexists(id(), name.c_str()) <= 0) fail_at(Status::file_format, at, "is missing");
    const Handle handle = checked(H5Aopen(id(), name.c_str(), H5P_DEFAULT), H5Aclose,
                                  Status::file_format, at, "cannot be opened");
    const Handle type = checked(H5Aget_type(handle.id()), H5Tclose, Status::file_format, at,
                                "has no readable type");
    const Handle space = checked(H5Aget_space(handle.id()), H5Sclose, Status::file_format, at,
                                 "has no readable shape");
    const H5T_class_t found = H5Tget_class(type.id());
    const hssize_t values = H5Sget_simple_extent_npoints(space.id());
    if (found != H5T_INTEGER || values != 1)
        fail_at(Status::file_format, at,
                std::string("expected one whole number, found ") + std::to_string(values) + " " +
                    class_text(found));
    std::int64_t value = 0;
    if (H5Aread(handle.id(), H5T_NATIVE_INT64, &value) < 0)
        fail_at(Status::file_format, at, "cannot be read" + reason());
    return value;
}

std::int64_t Group::integer(const std::string& name) const {
    if (!has(name)) {
        if (H5Aexists(id(), name.c_str()) > 0) return integer_attribute(name);
        fail_at(Status::file_format, where(name), "expected a whole number, found nothing");
    }
    const Dataset data(*this, name);
    data.require_numbers(true);
    if (data.values() != 1)
        fail_at(Status::file_format, data.where(),
                "expected one value, found " + std::to_string(data.values()));
    data.require_stored();
    std::int64_t value = 0;
    data.read(H5T_NATIVE_INT64, &value);
    return value;
}

}  // namespace perp::hdf5
