// Instances in three layouts: HDF5 files in that of FCLIB and our own ("perp"), and folders of
// Matrix Market files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace perp {

enum class Layout { automatic = 0, perp = 1, fclib = 2, matrix_market = 3 };

// Reads every layout. Without a law the file decides: boxes where it has bounds of friction, else
// cones. Throws file_not_found, file_format, or what System and Problem throw for the data.
Problem read_problem(const std::string& path, std::optional<Law> law);

// The problem that read_problem gives back to the bit (from a folder: as a general BLCP).
// Automatic: FCLIB for Delassus forms, perp for all others. Throws unsupported (with the reason) or
// file_write; then a file that was there before is unchanged.
void write_problem(const Problem& problem, const std::string& path, Layout layout,
                   const std::string& title, const std::string& source);

// z in the problem's row order, from the /solution group of any file, or z.mtx of a folder.
std::vector<double> read_solution(const Problem& problem, const std::string& path);

// Adds /solution to an instance or solution file (z.mtx to a folder), replacing an older one, or
// makes a new file.
void write_solution(const Problem& problem, const std::string& path, std::span<const double> z,
                    const std::string& solver, double eta);

}  // namespace perp
