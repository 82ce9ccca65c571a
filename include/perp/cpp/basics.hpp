// Part of perp.hpp: errors, views of the caller's numbers, sparse matrices.
#ifndef PERP_CPP_BASICS_HPP
#define PERP_CPP_BASICS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "perp/perp.h"

namespace perp {
inline namespace cpp {

// A failed call. status(): PERP_BAD_SIZE, ... (perp_status). what(): the argument, index and value.
class PERP_API Error : public std::runtime_error {
public:
    Error(std::int32_t status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    std::int32_t status() const noexcept { return status_; }

private:
    std::int32_t status_;
};

// Numbers of the caller, borrowed: a std::vector<double>, or a pointer and a length. A View that
// nothing was assigned to means "not given". What it views must live until the call with it
// returns.
class View {
public:
    View() noexcept = default;
    View(const std::vector<double>& v) noexcept : View(v.data(), v.size()) {}
    View(std::vector<double>&&) = delete;  // would be gone before the call
    View(const double* data, std::size_t size) noexcept : data_(data), size_(size), given_(true) {}
    const double* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool given() const noexcept { return given_; }

private:
    const double* data_ = nullptr;
    std::size_t size_ = 0;
    bool given_ = false;
};

namespace detail {

inline void require(std::int32_t status) {
    if (status == PERP_OK) return;
    const std::string message = perp_last_message();
    throw Error(status, message.empty() ? perp_status_text(status) : message);
}

[[noreturn]] inline void wrong_size(const char* name, std::size_t size, std::int64_t expected) {
    throw Error(PERP_BAD_SIZE, std::string(name) + " has " + std::to_string(size) +
                                   " entries, expected " + std::to_string(expected));
}

// The array for the C function: NULL where not given; throws where the length is not `expected`.
inline const double* checked(const View& v, std::int64_t expected, const char* name) {
    if (!v.given()) return nullptr;
    if (static_cast<std::int64_t>(v.size()) != expected) wrong_size(name, v.size(), expected);
    if (v.data() == nullptr && expected > 0)
        throw Error(PERP_NULL_ARGUMENT, std::string(name) + " is NULL");
    return v.data();
}

// A C struct with struct_size set and everything else zero: for results.
template <class Struct>
Struct sized() noexcept {
    Struct s{};
    s.struct_size = static_cast<std::int64_t>(sizeof(Struct));
    return s;
}

// A C struct filled with its defaults.
template <class Struct>
Struct defaults(std::int32_t (*init)(Struct*, std::int64_t)) {
    Struct s{};
    require(init(&s, static_cast<std::int64_t>(sizeof(Struct))));
    return s;
}

template <class Handle, void (*destroy)(Handle*)>
struct Destroy {
    void operator()(Handle* handle) const noexcept { destroy(handle); }
};
template <class Handle, void (*destroy)(Handle*)>
using Owner = std::unique_ptr<Handle, Destroy<Handle, destroy>>;

inline std::vector<double> vector_of(std::int64_t size) {
    return std::vector<double>(static_cast<std::size_t>(size));
}

}  // namespace detail

// A sparse matrix under construction: entries in any order, duplicates are summed. Owns its arrays.
// Indices count from `base` (0 or 1). Range and finiteness are checked where the matrix is used.
class Triplets {
public:
    Triplets() = default;  // 0 x 0: an absent matrix
    Triplets(std::int64_t rows, std::int64_t cols, std::int64_t base = 0)
        : rows_(rows), cols_(cols), base_(base) {}

    void add(std::int64_t row, std::int64_t col, double value) {
        row_.push_back(row);
        col_.push_back(col);
        value_.push_back(value);
    }
    void reserve(std::size_t count) {
        row_.reserve(count);
        col_.reserve(count);
        value_.reserve(count);
    }
    void clear() noexcept {  // the size stays
        row_.clear();
        col_.clear();
        value_.clear();
    }
    std::int64_t rows() const noexcept { return rows_; }
    std::int64_t cols() const noexcept { return cols_; }
    std::int64_t base() const noexcept { return base_; }
    std::size_t count() const noexcept { return value_.size(); }
    const std::vector<std::int64_t>& row() const noexcept { return row_; }
    const std::vector<std::int64_t>& col() const noexcept { return col_; }
    // In the order of add(): what System::update and Problem::update take.
    const std::vector<double>& values() const noexcept { return value_; }

    // For the C functions. Points into this object: valid until it is changed or destroyed.
    perp_triplets view() const noexcept {
        perp_triplets t{};
        t.rows = rows_;
        t.cols = cols_;
        t.count = static_cast<std::int64_t>(value_.size());
        t.row = row_.data();
        t.col = col_.data();
        t.value = value_.data();
        t.base = base_;
        return t;
    }

private:
    std::int64_t rows_ = 0, cols_ = 0, base_ = 0;
    std::vector<std::int64_t> row_, col_;
    std::vector<double> value_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_CPP_BASICS_HPP
