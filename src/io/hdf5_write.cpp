// Writing into files in memory. Texts have fixed length, as FCLIB's own library writes them, or
// variable length as h5py does: then Python reads a str and not bytes, but the text lies in a heap
// whose space is never used again when the attribute is replaced.
#include <hdf5.h>

#include <algorithm>
#include <limits>

#include "io/hdf5_detail.hpp"

namespace perp::hdf5 {

Group Group::create_group(const std::string& name) {
    Handle made = checked(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                          H5Gclose, Status::file_write, where(name), "the group cannot be made");
    return {origin_, path_ + "/" + name, std::move(made)};
}

void Group::remove(const std::string& name) {
    if (H5Ldelete(id(), name.c_str(), H5P_DEFAULT) < 0)
        fail_at(Status::file_write, where(name), "cannot be removed" + reason());
}

void Group::write_array(const std::string& name, hid_t file_type, hid_t memory_type,
                        std::size_t count, const void* values) {
    const auto size = static_cast<hsize_t>(count);
    const Handle space = checked(H5Screate_simple(1, &size, nullptr), H5Sclose, Status::file_write,
                                 where(name), "no memory for its shape");
    const Handle data =
        checked(H5Dcreate2(id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT),
                H5Dclose, Status::file_write, where(name), "the dataset cannot be made");
    if (count > 0 && H5Dwrite(data.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        fail_at(Status::file_write, where(name), "the values cannot be written" + reason());
}

void Group::write(const std::string& name, std::span<const double> values) {
    write_array(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void Group::write(const std::string& name, std::span<const std::int64_t> values) {
    write_array(name, H5T_STD_I64LE, H5T_NATIVE_INT64, values.size(), values.data());
}

void Group::write_int32(const std::string& name, std::span<const std::int64_t> values) {
    const bool small = std::ranges::all_of(
        values, [](std::int64_t x) { return x == static_cast<std::int32_t>(x); });
    write_array(name, small ? H5T_STD_I32LE : H5T_STD_I64LE, H5T_NATIVE_INT64, values.size(),
                values.data());
}

namespace {

Handle text_type(std::size_t size, const std::string& where) {
    Handle type =
        checked(H5Tcopy(H5T_C_S1), H5Tclose, Status::file_write, where, "no memory for its type");
    if (H5Tset_size(type.id(), size) < 0 || H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0)
        fail_at(Status::file_write, where, "no type for its text" + reason());
    return type;
}

}  // namespace

void Group::write_text(const std::string& name, const std::string& text) {
    const Handle type = text_type(text.size() + 1, where(name));  // with the closing zero
    const Handle space = checked(H5Screate(H5S_SCALAR), H5Sclose, Status::file_write, where(name),
                                 "no memory for its shape");
    const Handle data =
        checked(H5Dcreate2(id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT),
                H5Dclose, Status::file_write, where(name), "the dataset cannot be made");
    if (H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0)
        fail_at(Status::file_write, where(name), "the text cannot be written" + reason());
}

void Group::write_one(const std::string& name, hid_t file_type, hid_t memory_type,
                      const void* value) {
    const std::string at = where() + ", attribute '" + name + "'";
    const Handle space =
        checked(H5Screate(H5S_SCALAR), H5Sclose, Status::file_write, at, "no memory for its shape");
    const Handle made =
        checked(H5Acreate2(id(), name.c_str(), file_type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                H5Aclose, Status::file_write, at, "cannot be made");
    if (H5Awrite(made.id(), memory_type, value) < 0)
        fail_at(Status::file_write, at, "cannot be written" + reason());
}

void Group::write_attribute(const std::string& name, std::int64_t value) {
    write_one(name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void Group::write_attribute(const std::string& name, double value) {
    write_one(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}

void Group::write_attribute(const std::string& name, const std::string& text) {
    const Handle type = text_type(text.size() + 1, where());
    write_one(name, type.id(), type.id(), text.c_str());
}

void Group::write_python_str(const std::string& name, const std::string& text) {
    const Handle type = text_type(H5T_VARIABLE, where());
    const char* start = text.c_str();
    write_one(name, type.id(), type.id(), &start);
}

}  // namespace perp::hdf5
