// Sparse matrices as the two layouts store them, read into checked triplets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5_file.hpp"
#include "sparse/csr.hpp"

namespace perp {

struct TripletList {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<std::int64_t> row, col;
    std::vector<double> value;

    [[nodiscard]] Triplets view() const;
    void add(std::int64_t i, std::int64_t j, double x);
};

// Both readers are told the size that the vectors beside the matrix imply. A damaged file can
// claim any size; a vector's length cannot be larger than the file.

// perp: compressed columns, sizes as attributes.
TripletList read_compressed_columns(const hdf5::Group& parent, const std::string& name,
                                    std::int64_t rows, std::int64_t cols);
void write_compressed_columns(hdf5::Group& parent, const std::string& name, const Csr& matrix);

// FCLIB: `nz` >= 0 triplets (i rows, p columns), -1 compressed columns, -2 compressed rows. Arrays
// may be longer than what is used.
TripletList read_fclib_matrix(const hdf5::Group& parent, const std::string& name, std::int64_t rows,
                              std::int64_t cols);
void write_fclib_triplets(hdf5::Group& parent, const std::string& name, const TripletList& matrix);
void write_fclib_rows(hdf5::Group& parent, const std::string& name, const Csr& matrix);

}  // namespace perp
