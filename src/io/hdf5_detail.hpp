// Shared by the hdf5_*.cpp files alone.
#pragma once

#include <hdf5.h>

#include <string>

#include "io/hdf5_file.hpp"

namespace perp::hdf5 {

// The innermost message on HDF5's error stack, as " (HDF5: ...)", or nothing.
std::string reason();
// The handle of a call that worked; else an Error with HDF5's reason.
Handle checked(hid_t id, Handle::Close close, Status status, const std::string& where,
               const char* what);

}  // namespace perp::hdf5
