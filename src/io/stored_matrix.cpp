#include "io/stored_matrix.hpp"

#include <cinttypes>
#include <utility>

#include "base/error.hpp"

namespace perp {
namespace {

using hdf5::fail_at;
using hdf5::Group;

std::int64_t size(const std::vector<std::int64_t>& v) {
    return static_cast<std::int64_t>(v.size());
}

void check_size(const Group& group, std::int64_t rows, std::int64_t cols, std::int64_t found_rows,
                std::int64_t found_cols) {
    if (rows == found_rows && cols == found_cols) return;
    fail_at(Status::file_format, group.where(),
            format("expected a %" PRId64 " x %" PRId64 " matrix, found %" PRId64 " x %" PRId64,
                   rows, cols, found_rows, found_cols));
}

[[noreturn]] void fail_entry(const std::string& where, std::size_t k, std::int64_t found,
                             const std::string& what) {
    fail_at(Status::file_format, where + format("[%zu] = %" PRId64, k, found), what);
}

// 0 = start[0] <= start[1] <= ... <= start[last] <= available.
void check_starts(const std::string& where, const std::vector<std::int64_t>& start,
                  std::int64_t available) {
    if (start.empty()) return;
    if (start[0] != 0) fail_entry(where, 0, start[0], "expected 0");
    for (std::size_t k = 1; k < start.size(); ++k) {
        if (start[k] < start[k - 1])
            fail_entry(where, k, start[k],
                       format("less than the one before, %" PRId64, start[k - 1]));
        if (start[k] > available)
            fail_entry(where, k, start[k], format("but there are %" PRId64 " entries", available));
    }
}

void check_indices(const std::string& where, const std::vector<std::int64_t>& index,
                   std::int64_t count, std::int64_t limit, const char* hint = "") {
    for (std::int64_t k = 0; k < count; ++k) {
        if (index[k] >= 0 && index[k] < limit) continue;
        fail_entry(where, static_cast<std::size_t>(k), index[k],
                   format("outside 0..%" PRId64 "%s", limit - 1, hint));
    }
}

std::vector<std::int64_t> expand_starts(const std::vector<std::int64_t>& start) {
    std::vector<std::int64_t> major;
    if (start.empty()) return major;
    major.reserve(static_cast<std::size_t>(start.back()));
    for (std::size_t j = 0; j + 1 < start.size(); ++j)
        major.insert(major.end(), static_cast<std::size_t>(start[j + 1] - start[j]),
                     static_cast<std::int64_t>(j));
    return major;
}

void require_entries(const std::string& where, std::int64_t found, std::int64_t needed) {
    if (found < needed)
        fail_at(Status::file_format, where,
                format("expected at least %" PRId64 " values, found %" PRId64, needed, found));
}

}  // namespace

Triplets TripletList::view() const {
    return {rows,         cols, static_cast<std::int64_t>(value.size()), row.data(), col.data(),
            value.data(), 0};
}

void TripletList::add(std::int64_t i, std::int64_t j, double x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
}

TripletList read_compressed_columns(const Group& parent, const std::string& name, std::int64_t rows,
                                    std::int64_t cols) {
    const Group group = parent.group(name);
    check_size(group, rows, cols, group.integer_attribute("rows"), group.integer_attribute("cols"));
    const std::vector<std::int64_t> start = group.integers("col_ptr", cols + 1);
    TripletList m;
    m.rows = rows;
    m.cols = cols;
    m.row = group.integers("row_idx");
    check_starts(group.where("col_ptr"), start, size(m.row));
    if (start.back() != size(m.row))
        fail_at(Status::file_format, group.where("row_idx"),
                format("expected %" PRId64 " values (the last of col_ptr), found %zu", start.back(),
                       m.row.size()));
    check_indices(group.where("row_idx"), m.row, size(m.row), rows);
    m.value = group.reals("values", size(m.row));
    m.col = expand_starts(start);
    return m;
}

void write_compressed_columns(Group& parent, const std::string& name, const Csr& matrix) {
    const Csr columns = transpose(matrix);
    Group group = parent.create_group(name);
    group.write_attribute("rows", matrix.rows);
    group.write_attribute("cols", matrix.cols);
    group.write("col_ptr", columns.start);
    group.write("row_idx", std::vector<std::int64_t>(columns.index.begin(), columns.index.end()));
    group.write("values", columns.value);
}

TripletList read_fclib_matrix(const Group& parent, const std::string& name, std::int64_t rows,
                              std::int64_t cols) {
    const Group group = parent.group(name);
    check_size(group, rows, cols, group.integer("m"), group.integer("n"));
    const std::int64_t storage = group.integer("nz");
    if (storage < -2)
        fail_at(
            Status::file_format, group.where("nz"),
            format("storage %" PRId64 " is unknown (>= 0 triplets, -1 columns, -2 rows)", storage));
    std::vector<std::int64_t> i = group.integers("i");
    std::vector<std::int64_t> p = group.integers("p");
    TripletList m;
    m.rows = rows;
    m.cols = cols;
    m.value = group.reals("x");
    std::int64_t count = storage;
    if (storage >= 0) {
        require_entries(group.where("i"), size(i), count);
        require_entries(group.where("p"), size(p), count);
        check_indices(group.where("i"), i, count, rows, " (rows)");
        check_indices(group.where("p"), p, count, cols, " (columns)");
        p.resize(static_cast<std::size_t>(count));
    } else {
        const std::int64_t major = storage == -1 ? cols : rows;
        if (size(p) != major + 1 && !(major == 0 && p.empty()))
            fail_at(Status::file_format, group.where("p"),
                    format("expected %" PRId64 " values, found %zu", major + 1, p.size()));
        check_starts(group.where("p"), p, size(i));
        count = p.empty() ? 0 : p.back();
        check_indices(group.where("i"), i, count, storage == -1 ? rows : cols);
        p = expand_starts(p);
    }
    require_entries(group.where("x"), static_cast<std::int64_t>(m.value.size()), count);
    i.resize(static_cast<std::size_t>(count));
    m.value.resize(static_cast<std::size_t>(count));
    if (storage == -2) std::swap(i, p);
    m.row = std::move(i);
    m.col = std::move(p);
    return m;
}

namespace {

Group fclib_header(Group& parent, const std::string& name, std::int64_t rows, std::int64_t cols,
                   std::int64_t count, std::int64_t storage) {
    Group group = parent.create_group(name);
    group.write_int32("m", std::vector{rows});
    group.write_int32("n", std::vector{cols});
    group.write_int32("nz", std::vector{storage});
    group.write_int32("nzmax", std::vector{count});
    return group;
}

}  // namespace

void write_fclib_triplets(Group& parent, const std::string& name, const TripletList& matrix) {
    const auto count = static_cast<std::int64_t>(matrix.value.size());
    Group group = fclib_header(parent, name, matrix.rows, matrix.cols, count, count);
    group.write_int32("i", matrix.row);
    group.write_int32("p", matrix.col);
    group.write("x", matrix.value);
}

void write_fclib_rows(Group& parent, const std::string& name, const Csr& matrix) {
    Group group = fclib_header(parent, name, matrix.rows, matrix.cols, matrix.nonzeros(), -2);
    group.write_int32("p", matrix.start);
    group.write_int32("i", std::vector<std::int64_t>(matrix.index.begin(), matrix.index.end()));
    group.write("x", matrix.value);
}

}  // namespace perp
