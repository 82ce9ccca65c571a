// Matrices and vectors in the Matrix Market exchange format: text with a header line, comments, a
// line of sizes, and the entries (https://math.nist.gov/MatrixMarket/formats.html).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/stored_matrix.hpp"

namespace perp::matrix_market {

// Reading: `file` is named in messages, `text` is all that it holds. Real and integer values;
// coordinate (general, symmetric, skew-symmetric) and array (the same, by columns). Whatever is
// wrong is a file_format error that names file and line. Memory stays in proportion to the text,
// whatever sizes it claims.

struct Size {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

// Both triangles of symmetric matrices; zeros of arrays left out. Values are finite.
TripletList read_matrix(const std::string& file, std::string_view text,
                        std::optional<Size> expected = {});

enum class Values { finite, or_infinite };

// An array of one column.
std::vector<double> read_vector(const std::string& file, std::string_view text, Values values,
                                std::optional<std::int64_t> expected = {});

// Writing: every number comes back to the bit. `comments` may have several lines each.
std::string number_text(double x);
std::string matrix_text(const Csr& matrix, const std::vector<std::string>& comments);
std::string vector_text(std::span<const double> vector, const std::vector<std::string>& comments);

}  // namespace perp::matrix_market
