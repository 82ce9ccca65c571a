// The two layouts and the solution group, on open files. Used by instance.cpp and solution.cpp.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "io/hdf5_file.hpp"
#include "problem/problem.hpp"

namespace perp {

// What a file says about itself: not part of the problem.
struct Caption {
    std::string title, source;
};

// The file's own layout; neither: not an instance.
bool holds_perp_instance(const hdf5::Group& root);
bool holds_fclib_instance(const hdf5::Group& root);

Problem read_perp(const hdf5::Group& root, std::optional<Law> law);
Problem read_fclib(const hdf5::Group& root, std::optional<Law> law);

// Throw unsupported, with the reason, where the layout cannot hold the problem.
void write_perp(hdf5::Group& root, const Problem& problem, const Caption& caption);
void write_fclib(hdf5::Group& root, const Problem& problem, const Caption& caption);

// Runs a constructor of System or Problem: its checks name a matrix or vector, this adds the file.
template <class Make>
auto built_from(const hdf5::Group& root, Make&& make) {
    try {
        return std::forward<Make>(make)();
    } catch (const Error& error) {
        hdf5::fail_at(error.status(), root.origin().file, error.what());
    }
}

}  // namespace perp
