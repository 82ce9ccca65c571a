// Checked access to the arguments of a call, and the values it returns. Inputs are never written.
//
// mwIndex and mwSize are signed in Octave and unsigned in MATLAB: everything here is int64_t.
#ifndef PERP_MEX_VALUES_HPP
#define PERP_MEX_VALUES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mex.h"
#include "mex_errors.hpp"
#include "perp/perp.h"

namespace perp_mex {

// An argument and the name it has in messages (static text). NULL: as [].
struct Argument {
    const mxArray* array;
    const char* name;
};

// []: not given.
bool given(const Argument& argument);

// Throw perp:badType (class, complex), perp:badSize (not a scalar), perp:badValue (not whole).
std::string text(const Argument& argument);
double scalar(const Argument& argument);
std::int64_t whole(const Argument& argument);

// A vector of doubles, row or column, borrowed where it is stored in full. Its length is
// `expected`; where `spread`, one number stands for as many equal ones. [] is the vector that is
// not given. Throws perp:badType, perp:badSize.
class Vector {
public:
    Vector() = default;
    Vector(const Argument& argument, std::int64_t expected, bool spread);
    // NULL: not given.
    const double* data() const noexcept { return data_; }

private:
    std::vector<double> own_;
    const double* data_ = nullptr;
};

// Whole numbers, of class double or int64; any number of them where `expected` is negative. [] has
// none. Throws perp:badType, perp:badSize, perp:badValue.
std::vector<std::int64_t> whole_numbers(const Argument& argument, std::int64_t expected);

// A real matrix, sparse or full, as triplets column by column. Values, and where the types agree
// rows, are those of the argument: it must live as long as this. [] is 0 x 0. A full matrix has all
// its entries, zeros as well. Throws perp:badType, perp:badSize (more than two dimensions).
class Matrix {
public:
    explicit Matrix(const Argument& argument);
    const perp_triplets& triplets() const noexcept { return triplets_; }
    bool full() const noexcept { return full_; }
    const std::string& name() const noexcept { return name_; }
    Position position(std::int64_t k) const;
    Places places() const;

private:
    std::string name_;
    bool full_ = false;
    std::unique_ptr<std::int64_t[]> row_, col_;  // not initialized twice, unlike a std::vector
    perp_triplets triplets_{};
};

// The entries that a matrix had when it was handed over, to bring new values into their order.
class Pattern {
public:
    Pattern() = default;
    explicit Pattern(const Matrix& matrix);
    // The values of `matrix`, which has the same size and no entry outside the pattern; entries
    // that it lacks are 0. Borrowed from it where the pattern is the same, else held by `own`.
    // Throws perp:badSize, perp:badPattern.
    const double* values(const Matrix& matrix, std::vector<double>& own) const;
    std::int64_t count() const noexcept;
    Places places(const std::string& name) const;

private:
    bool same(const perp_triplets& given) const;

    std::int64_t rows_ = 0, cols_ = 0;
    bool full_ = true;
    std::vector<std::int64_t> row_, start_;  // of sparse ones: rows; first entry of each column
};

// Values to return. They belong to the interpreter.
mxArray* new_text(const char* text);
mxArray* new_scalar(double value);
mxArray* new_empty();
mxArray* new_column(std::int64_t size);  // zeros
mxArray* new_column(const double* values, std::int64_t size);

// A field of a struct to return.
struct Field {
    const char* name;
    mxArray* value;
};
mxArray* new_struct(const std::vector<Field>& fields);

}  // namespace perp_mex

#endif  // PERP_MEX_VALUES_HPP
