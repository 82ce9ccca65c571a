// The layouts of open HDF5 files, and folders of Matrix Market files. Used by instance.cpp and
// solution.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

// The third layout, a folder: H.mtx, q.mtx, lo.mtx, hi.mtx and the solution z.mtx.
// Does the path lead to a folder, or say that it shall become one (by a slash at its end)?
bool is_folder(const std::string& path);
Problem read_market_folder(const std::string& folder, std::optional<Law> law);
void write_market_folder(const std::string& folder, const Problem& problem, const Caption& caption);
// z in the order of the problem's rows.
std::vector<double> read_market_solution(const std::string& folder, std::int64_t rows);
void write_market_solution(const std::string& folder, std::span<const double> z,
                           const std::string& solver, double eta);

// lo and hi of every row of a product of intervals.
struct Bounds {
    std::vector<double> lo, hi;
};
Bounds bounds_of(const ConstraintSet& set);

// Runs a constructor of System or Problem: its checks name a matrix or vector, this adds the file.
template <class Make>
auto built_from(const std::string& file, Make&& make) {
    try {
        return std::forward<Make>(make)();
    } catch (const Error& error) {
        hdf5::fail_at(error.status(), file, error.what());
    }
}

}  // namespace perp
