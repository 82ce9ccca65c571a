#include "sparse/csr.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace perp {

std::span<const std::int32_t> Csr::row_index(std::int64_t i) const {
    return {index.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
}

std::span<const double> Csr::row_value(std::int64_t i) const {
    return {value.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
}

double Csr::at(std::int64_t i, std::int64_t j) const {
    const auto columns = row_index(i);
    const auto found = std::lower_bound(columns.begin(), columns.end(), j);
    if (found == columns.end() || *found != j) return 0.0;
    return value[start[i] + (found - columns.begin())];
}

void multiply_add(const Csr& a, std::span<const double> x, std::span<double> y) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
        double sum = 0.0;
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k)
            sum += a.value[k] * x[a.index[k]];
        y[i] += sum;
    }
}

void multiply_transposed_add(const Csr& a, std::span<const double> x, std::span<double> y) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
        const double xi = x[i];
        if (xi == 0.0) continue;
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) y[a.index[k]] += a.value[k] * xi;
    }
}

Csr transpose(const Csr& a) {
    Csr t;
    t.rows = a.cols;
    t.cols = a.rows;
    t.start.assign(t.rows + 1, 0);
    for (const std::int32_t j : a.index) ++t.start[j + 1];
    for (std::int64_t j = 0; j < t.rows; ++j) t.start[j + 1] += t.start[j];
    t.index.resize(a.index.size());
    t.value.resize(a.value.size());
    std::vector<std::int64_t> next(t.start.begin(), t.start.end() - 1);
    for (std::int64_t i = 0; i < a.rows; ++i) {
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            const std::int64_t at = next[a.index[k]]++;
            t.index[at] = static_cast<std::int32_t>(i);
            t.value[at] = a.value[k];
        }
    }
    return t;
}

namespace {

constexpr std::int64_t largest_dimension = std::numeric_limits<std::int32_t>::max();

// More than a machine can address: the number is a mistake.
constexpr std::int64_t largest_count = std::int64_t{1} << 45;

void check_shape(const Triplets& t, const char* name) {
    if (t.rows < 0 || t.cols < 0 || t.count < 0)
        fail(Status::bad_size,
             "%s: negative size (rows %" PRId64 ", cols %" PRId64 ", count %" PRId64 ")", name,
             t.rows, t.cols, t.count);
    if (t.rows > largest_dimension || t.cols > largest_dimension)
        fail(Status::bad_size,
             "%s: %" PRId64 " x %" PRId64 " exceeds the largest dimension %" PRId64, name, t.rows,
             t.cols, largest_dimension);
    if (t.count > largest_count)
        fail(Status::bad_size, "%s: count %" PRId64 " exceeds the largest, %" PRId64, name, t.count,
             largest_count);
    if (t.base != 0 && t.base != 1)
        fail(Status::bad_value, "%s: index base %" PRId64 " is neither 0 nor 1", name, t.base);
    if (t.count > 0 && (t.row == nullptr || t.col == nullptr || t.value == nullptr))
        fail(Status::null_argument, "%s: count is %" PRId64 " but %s is NULL", name, t.count,
             t.row == nullptr   ? "row"
             : t.col == nullptr ? "col"
                                : "value");
}

void check_index(const char* name, const char* which, std::int64_t k, std::int64_t i,
                 std::int64_t size, std::int64_t base) {
    if (i >= base && i < size + base) return;
    const bool other_base = base == 0 ? i == size : i == 0;
    fail(Status::bad_index,
         "%s: %s[%" PRId64 "] = %" PRId64 " is outside %" PRId64 "..%" PRId64
         " (index base %" PRId64 ")%s",
         name, which, k, i, base, size + base - 1, base,
         other_base ? (base == 0 ? "; are the indices 1-based?" : "; are the indices 0-based?")
                    : "");
}

void check_finite(const char* name, std::int64_t k, double x) {
    if (!std::isfinite(x))
        fail(Status::bad_value, "%s: value[%" PRId64 "] = %g is not finite", name, k, x);
}

// Stable counting sort of `order` by key in [0, size).
void sort_by(const std::int64_t* key, std::int64_t base, std::int64_t size,
             std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> next(size + 1, 0);
    std::vector<std::int64_t> sorted(order.size());
    for (const std::int64_t k : order) ++next[key[k] - base + 1];
    for (std::int64_t i = 0; i < size; ++i) next[i + 1] += next[i];
    for (const std::int64_t k : order) sorted[next[key[k] - base]++] = k;
    order.swap(sorted);
}

}  // namespace

SparseMatrix::SparseMatrix(const Triplets& t, const char* name) : triplets_(t.count) {
    check_shape(t, name);
    bool sorted = true;
    for (std::int64_t k = 0; k < t.count; ++k) {
        check_index(name, "row", k, t.row[k], t.rows, t.base);
        check_index(name, "col", k, t.col[k], t.cols, t.base);
        check_finite(name, k, t.value[k]);
        if (k > 0)
            sorted = sorted && (t.row[k] > t.row[k - 1] ||
                                (t.row[k] == t.row[k - 1] && t.col[k] > t.col[k - 1]));
    }
    csr_.rows = t.rows;
    csr_.cols = t.cols;
    csr_.start.assign(t.rows + 1, 0);
    csr_.index.reserve(t.count);
    std::vector<std::int64_t> order;
    if (!sorted) {
        order.resize(t.count);
        for (std::int64_t k = 0; k < t.count; ++k) order[k] = k;
        sort_by(t.col, t.base, t.cols, order);
        sort_by(t.row, t.base, t.rows, order);
        slot_.resize(t.count);
    }
    std::int64_t last_row = -1;
    for (std::int64_t p = 0; p < t.count; ++p) {
        const std::int64_t k = sorted ? p : order[p];
        const std::int64_t i = t.row[k] - t.base;
        const auto j = static_cast<std::int32_t>(t.col[k] - t.base);
        if (i != last_row || csr_.index.back() != j) {
            csr_.index.push_back(j);
            ++csr_.start[i + 1];
            last_row = i;
        }
        if (!sorted) slot_[k] = static_cast<std::int64_t>(csr_.index.size()) - 1;
    }
    for (std::int64_t i = 0; i < t.rows; ++i) csr_.start[i + 1] += csr_.start[i];
    csr_.value.resize(csr_.index.size());
    accumulate(t.value);
}

void SparseMatrix::update(std::span<const double> values, const char* name) {
    if (static_cast<std::int64_t>(values.size()) != triplets_)
        fail(Status::bad_pattern,
             "%s: %zu values, but the pattern was made from %" PRId64 " triplets", name,
             values.size(), triplets_);
    for (std::size_t k = 0; k < values.size(); ++k)
        check_finite(name, static_cast<std::int64_t>(k), values[k]);
    accumulate(values.data());
}

void SparseMatrix::accumulate(const double* values) {
    if (slot_.empty()) {
        std::copy(values, values + triplets_, csr_.value.begin());
        return;
    }
    std::fill(csr_.value.begin(), csr_.value.end(), 0.0);
    for (std::int64_t k = 0; k < triplets_; ++k) csr_.value[slot_[k]] += values[k];
}

}  // namespace perp
