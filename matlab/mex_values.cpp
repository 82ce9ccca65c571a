#include "mex_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace perp_mex {

namespace {

std::int64_t rows_of(const mxArray* array) { return static_cast<std::int64_t>(mxGetM(array)); }
std::int64_t cols_of(const mxArray* array) { return static_cast<std::int64_t>(mxGetN(array)); }

std::string size_text(const mxArray* array) {
    std::string text;
    const mwSize* size = mxGetDimensions(array);
    for (mwSize k = 0; k < mxGetNumberOfDimensions(array); ++k)
        text += (k > 0 ? " x " : "") + std::to_string(static_cast<std::int64_t>(size[k]));
    return text;
}

void require_double(const Argument& argument) {
    if (!mxIsDouble(argument.array))
        refuse("perp:badType", std::string(argument.name) + " is of class " +
                                   mxGetClassName(argument.array) + ", expected double");
    if (mxIsComplex(argument.array))
        refuse("perp:badType", std::string(argument.name) + " is complex, expected real");
}

std::size_t length(std::int64_t size) { return static_cast<std::size_t>(size); }

// Indices of the interpreter as perp's: where only the sign of the type differs, the same memory.
template <class Index>
const std::int64_t* as_int64(const Index* given, std::int64_t count,
                             std::unique_ptr<std::int64_t[]>& own) {
    if constexpr (std::is_same_v<std::make_signed_t<Index>, std::int64_t>) {
        return reinterpret_cast<const std::int64_t*>(given);
    } else {
        own.reset(new std::int64_t[length(count)]);
        std::copy(given, given + count, own.get());
        return own.get();
    }
}

std::int64_t whole_number(double value, const char* name) {
    // Up to here every whole number is a double.
    if (!(std::abs(value) <= 9007199254740992.0) || value != std::floor(value))
        refuse("perp:badValue",
               std::string(name) + " = " + number_text(value) + " is not a whole number");
    return static_cast<std::int64_t>(value);
}

}  // namespace

bool given(const Argument& argument) {
    return argument.array != nullptr && !(mxIsDouble(argument.array) && mxIsEmpty(argument.array));
}

std::string text(const Argument& argument) {
    if (argument.array == nullptr || !mxIsChar(argument.array) ||
        (rows_of(argument.array) > 1 && !mxIsEmpty(argument.array)))
        refuse("perp:badType", std::string(argument.name) + " is not a text");
    char* const copy = mxArrayToString(argument.array);
    if (copy == nullptr)
        refuse("perp:noMemory", std::string(argument.name) + ": no memory for the text");
    std::string result;
    try {
        result = copy;
    } catch (...) {
        mxFree(copy);
        throw;
    }
    mxFree(copy);
    return result;
}

double scalar(const Argument& argument) {
    if (argument.array == nullptr)
        refuse("perp:nullArgument", std::string(argument.name) + " is missing");
    if (mxIsLogical(argument.array) && mxGetNumberOfElements(argument.array) == 1)
        return mxGetScalar(argument.array);
    require_double(argument);
    if (mxGetNumberOfElements(argument.array) != 1)
        refuse("perp:badSize", std::string(argument.name) + " is " + size_text(argument.array) +
                                   ", expected one number");
    return mxGetScalar(argument.array);
}

std::int64_t whole(const Argument& argument) {
    return whole_number(scalar(argument), argument.name);
}

Vector::Vector(const Argument& argument, std::int64_t expected, bool spread) {
    if (!given(argument)) return;
    require_double(argument);
    const std::int64_t rows = rows_of(argument.array), cols = cols_of(argument.array);
    const bool is_vector = mxGetNumberOfDimensions(argument.array) == 2 && (rows == 1 || cols == 1);
    const std::int64_t size = is_vector ? std::max(rows, cols) : -1;
    const bool one = size == 1 && spread;
    if (size != expected && !one)
        refuse("perp:badSize", std::string(argument.name) + " is " + size_text(argument.array) +
                                   ", expected a vector of " + std::to_string(expected));
    if (one && expected != 1) {
        own_.assign(length(expected), mxGetScalar(argument.array));
    } else if (mxIsSparse(argument.array)) {
        own_.assign(length(size), 0.0);
        const Matrix entries(argument);
        const perp_triplets& t = entries.triplets();
        for (std::int64_t k = 0; k < t.count; ++k) own_[length(t.row[k] + t.col[k])] = t.value[k];
    } else {
        data_ = mxGetDoubles(argument.array);
        return;
    }
    own_.reserve(1);  // no entries are still a vector that was given
    data_ = own_.data();
}

std::vector<std::int64_t> whole_numbers(const Argument& argument, std::int64_t expected) {
    std::vector<std::int64_t> result;
    if (given(argument) && mxIsInt64(argument.array) && !mxIsComplex(argument.array)) {
        const mxInt64* const values = mxGetInt64s(argument.array);
        result.assign(values, values + mxGetNumberOfElements(argument.array));
    } else if (given(argument)) {
        require_double(argument);
        const Vector values(
            argument, static_cast<std::int64_t>(mxGetNumberOfElements(argument.array)), false);
        for (std::size_t k = 0; k < mxGetNumberOfElements(argument.array); ++k)
            result.push_back(whole_number(
                values.data()[k],
                (std::string(argument.name) + "(" + std::to_string(k + 1) + ")").c_str()));
    }
    if (expected >= 0 && static_cast<std::int64_t>(result.size()) != expected)
        refuse("perp:badSize", std::string(argument.name) + " has " +
                                   std::to_string(result.size()) + " entries, expected " +
                                   std::to_string(expected));
    return result;
}

Matrix::Matrix(const Argument& argument) : name_(argument.name) {
    triplets_.base = 0;
    if (argument.array == nullptr) return;
    require_double(argument);
    if (mxGetNumberOfDimensions(argument.array) != 2)
        refuse("perp:badSize", name_ + " is " + size_text(argument.array) + ", expected a matrix");
    const std::int64_t rows = rows_of(argument.array), cols = cols_of(argument.array);
    triplets_.rows = rows;
    triplets_.cols = cols;
    triplets_.value = mxGetDoubles(argument.array);
    full_ = !mxIsSparse(argument.array);
    const mwIndex* const start = full_ ? nullptr : mxGetJc(argument.array);
    const std::int64_t count = full_ ? rows * cols : static_cast<std::int64_t>(start[cols]);
    triplets_.count = count;
    if (count == 0) return;
    col_.reset(new std::int64_t[length(count)]);
    triplets_.col = col_.get();
    if (full_) {
        row_.reset(new std::int64_t[length(count)]);
        for (std::int64_t k = 0; k < count; ++k) row_[length(k)] = k % rows;
        triplets_.row = row_.get();
    } else {
        triplets_.row = as_int64(mxGetIr(argument.array), count, row_);
    }
    for (std::int64_t j = 0; j < cols; ++j) {
        const std::int64_t first = full_ ? j * rows : static_cast<std::int64_t>(start[j]);
        const std::int64_t last = full_ ? first + rows : static_cast<std::int64_t>(start[j + 1]);
        std::fill(col_.get() + first, col_.get() + last, j);
    }
}

Position Matrix::position(std::int64_t k) const {
    return {triplets_.row[k] + 1, triplets_.col[k] + 1};
}

Places Matrix::places() const {
    return {name_, [this](std::int64_t k) { return position(k); }};
}

Pattern::Pattern(const Matrix& matrix)
    : rows_(matrix.triplets().rows), cols_(matrix.triplets().cols), full_(matrix.full()) {
    if (full_) return;
    const perp_triplets& t = matrix.triplets();
    row_.assign(t.row, t.row + t.count);
    start_.assign(length(cols_ + 1), 0);
    for (std::int64_t k = 0; k < t.count; ++k) ++start_[length(t.col[k] + 1)];
    for (std::size_t j = 1; j < start_.size(); ++j) start_[j] += start_[j - 1];
}

std::int64_t Pattern::count() const noexcept {
    return full_ ? rows_ * cols_ : static_cast<std::int64_t>(row_.size());
}

Places Pattern::places(const std::string& name) const {
    return {name, [this](std::int64_t k) {
                if (full_) return Position{k % rows_ + 1, k / rows_ + 1};
                const auto column = std::upper_bound(start_.begin(), start_.end(), k);
                return Position{row_[length(k)] + 1, column - start_.begin()};
            }};
}

bool Pattern::same(const perp_triplets& t) const {
    if (t.count != count()) return false;
    if (!std::equal(row_.begin(), row_.end(), t.row)) return false;
    for (std::int64_t j = 0; j < cols_; ++j) {
        const std::int64_t first = start_[length(j)], last = start_[length(j + 1)];
        if (first < last && (t.col[first] != j || t.col[last - 1] != j)) return false;
    }
    return true;
}

const double* Pattern::values(const Matrix& matrix, std::vector<double>& own) const {
    const perp_triplets& t = matrix.triplets();
    if (t.rows != rows_ || t.cols != cols_)
        refuse("perp:badSize", matrix.name() + " is " + std::to_string(t.rows) + " x " +
                                   std::to_string(t.cols) + ", but was " + std::to_string(rows_) +
                                   " x " + std::to_string(cols_));
    if (matrix.full() && full_) return t.value;
    if (!matrix.full() && !full_ && same(t)) return t.value;
    own.assign(length(count()), 0.0);
    for (std::int64_t k = 0; k < t.count; ++k) {
        const std::int64_t i = t.row[k], j = t.col[k];
        if (full_) {
            own[length(j * rows_ + i)] = t.value[k];
            continue;
        }
        const auto first = row_.begin() + start_[length(j)];
        const auto last = row_.begin() + start_[length(j + 1)];
        const auto found = std::lower_bound(first, last, i);
        if (found != last && *found == i) {
            own[length(found - row_.begin())] = t.value[k];
        } else if (t.value[k] != 0.0) {
            refuse("perp:badPattern", matrix.name() + "(" + std::to_string(i + 1) + ", " +
                                          std::to_string(j + 1) +
                                          ") is not among the entries that the matrix had at "
                                          "first");
        }
    }
    return own.data();
}

mxArray* new_text(const char* text) { return mxCreateString(text); }
mxArray* new_scalar(double value) { return mxCreateDoubleScalar(value); }
mxArray* new_empty() { return mxCreateDoubleMatrix(0, 0, mxREAL); }
mxArray* new_column(std::int64_t size) {
    return mxCreateDoubleMatrix(static_cast<mwSize>(size), 1, mxREAL);
}
mxArray* new_column(const double* values, std::int64_t size) {
    mxArray* const column = new_column(size);
    std::copy(values, values + size, mxGetDoubles(column));
    return column;
}

mxArray* new_struct(const std::vector<Field>& fields) {
    std::vector<const char*> names;
    for (const Field& field : fields) names.push_back(field.name);
    mxArray* const result =
        mxCreateStructMatrix(1, 1, static_cast<int>(names.size()), names.data());
    for (std::size_t k = 0; k < fields.size(); ++k)
        mxSetFieldByNumber(result, 0, static_cast<int>(k), fields[k].value);
    return result;
}

}  // namespace perp_mex
