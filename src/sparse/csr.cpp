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

Csr diagonal_matrix(std::span<const double> d) {
    Csr c;
    c.rows = c.cols = static_cast<std::int64_t>(d.size());
    for (std::int64_t i = 0; i < c.rows; ++i) {
        c.index.push_back(static_cast<std::int32_t>(i));
        c.start.push_back(i + 1);
    }
    c.value.assign(d.begin(), d.end());
    return c;
}

Csr without_zeros(const Csr& a, const Csr& keep, std::int64_t first) {
    Csr b;
    b.rows = a.rows;
    b.cols = a.cols;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        const std::int32_t* kept = keep.index.data() + keep.start[first + i];
        const std::int32_t* const end = keep.index.data() + keep.start[first + i + 1];
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            kept = std::find_if(kept, end, [&](std::int32_t j) { return j >= a.index[k]; });
            if (a.value[k] == 0.0 && (kept == end || *kept != a.index[k])) continue;
            b.index.push_back(a.index[k]);
            b.value.push_back(a.value[k]);
        }
        b.start.push_back(static_cast<std::int64_t>(b.index.size()));
    }
    return b;
}

Csr without_zeros(const Csr& a) {
    Csr nothing;
    nothing.start.assign(a.rows + 1, 0);
    return without_zeros(a, nothing, 0);
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

// Triplets are numbered in 32 bits; more take 100 GB of the caller's memory.
constexpr std::int64_t largest_count = std::numeric_limits<std::uint32_t>::max();

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

// True if the triplets come by rows and columns without duplicates.
bool check_entries(const Triplets& t, const char* name) {
    bool sorted = true;
    for (std::int64_t k = 0; k < t.count; ++k) {
        check_index(name, "row", k, t.row[k], t.rows, t.base);
        check_index(name, "col", k, t.col[k], t.cols, t.base);
        check_finite(name, k, t.value[k]);
        if (k > 0)
            sorted = sorted && (t.row[k] > t.row[k - 1] ||
                                (t.row[k] == t.row[k - 1] && t.col[k] > t.col[k - 1]));
    }
    return sorted;
}

struct Entry {
    std::int32_t col;
    std::uint32_t source;
};

// By column, equal ones as they are. Rows are short as a rule.
void sort_row(Entry* begin, Entry* end) {
    constexpr std::ptrdiff_t longest = 32;
    const auto less = [](const Entry& a, const Entry& b) {
        return a.col != b.col ? a.col < b.col : a.source < b.source;
    };
    if (end - begin > longest) {
        std::sort(begin, end, less);
        return;
    }
    for (Entry* i = begin; i < end; ++i) {
        const Entry entry = *i;
        Entry* to = i;
        for (; to > begin && less(entry, to[-1]); --to) *to = to[-1];
        *to = entry;
    }
}

struct Place {
    std::int32_t row, col;
    std::uint32_t source;
};

// Triplets in groups of neighbouring rows, each small enough for a cache; order within kept.
struct Buckets {
    int shift = 0;  // group of row i: i >> shift
    std::vector<std::int64_t> start{0};
    std::vector<Place> places;

    explicit Buckets(const Triplets& t) {
        constexpr std::int64_t places_per_bucket = 8192;
        constexpr std::int64_t most = 1024;
        const std::int64_t wanted = std::clamp<std::int64_t>(t.count / places_per_bucket, 1, most);
        while ((t.rows >> shift) >= wanted) ++shift;
        start.resize((t.rows >> shift) + 2, 0);
        for (std::int64_t k = 0; k < t.count; ++k) ++start[((t.row[k] - t.base) >> shift) + 1];
        for (std::size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
        std::vector<std::int64_t> next(start.begin(), start.end() - 1);
        places.resize(t.count);
        for (std::int64_t k = 0; k < t.count; ++k) {
            const std::int64_t row = t.row[k] - t.base;
            places[next[row >> shift]++] = {static_cast<std::int32_t>(row),
                                            static_cast<std::int32_t>(t.col[k] - t.base),
                                            static_cast<std::uint32_t>(k)};
        }
    }
};

// The triplets by rows, sorted within each; start[i] is where row i begins.
std::vector<Entry> by_rows(const Triplets& t, std::vector<std::int64_t>& start) {
    const Buckets buckets(t);
    std::vector<Entry> entries(t.count);
    std::vector<std::int64_t> next;
    for (std::size_t b = 0; b + 1 < buckets.start.size(); ++b) {
        const std::int64_t first = static_cast<std::int64_t>(b) << buckets.shift;
        const std::int64_t end =
            std::min(t.rows, (static_cast<std::int64_t>(b) + 1) << buckets.shift);
        const std::span<const Place> places(buckets.places.data() + buckets.start[b],
                                            buckets.places.data() + buckets.start[b + 1]);
        for (const Place& place : places) ++start[place.row + 1];
        for (std::int64_t i = first; i < end; ++i) start[i + 1] += start[i];
        next.assign(start.begin() + std::min(first, t.rows), start.begin() + end);
        for (const Place& place : places)
            entries[next[place.row - first]++] = {place.col, place.source};
        for (std::int64_t i = first; i < end; ++i)
            sort_row(entries.data() + start[i], entries.data() + start[i + 1]);
    }
    return entries;
}

}  // namespace

SparseMatrix::SparseMatrix(const Triplets& t, const char* name) : triplets_(t.count) {
    check_shape(t, name);
    const bool sorted = check_entries(t, name);
    csr_.rows = t.rows;
    csr_.cols = t.cols;
    csr_.start.assign(t.rows + 1, 0);
    if (!sorted) {
        compress(t, name);
        return;
    }
    csr_.index.resize(t.count);
    for (std::int64_t k = 0; k < t.count; ++k) {
        ++csr_.start[t.row[k] - t.base + 1];
        csr_.index[k] = static_cast<std::int32_t>(t.col[k] - t.base);
    }
    for (std::int64_t i = 0; i < t.rows; ++i) csr_.start[i + 1] += csr_.start[i];
    csr_.value.assign(t.value, t.value + t.count);
}

void SparseMatrix::compress(const Triplets& t, const char* name) {
    std::vector<std::int64_t> start(t.rows + 1, 0);
    const std::vector<Entry> entries = by_rows(t, start);
    std::int64_t duplicates = 0;
    for (std::int64_t i = 0; i < t.rows; ++i) {
        for (std::int64_t p = start[i] + 1; p < start[i + 1]; ++p)
            if (entries[p].col == entries[p - 1].col) ++duplicates;
        csr_.start[i + 1] = start[i + 1] - duplicates;
    }
    source_.resize(t.count);
    csr_.index.resize(t.count - duplicates);
    if (duplicates > 0) first_.resize(t.count - duplicates + 1);
    std::int64_t e = 0;
    for (std::int64_t i = 0; i < t.rows; ++i) {
        for (std::int64_t p = start[i]; p < start[i + 1]; ++p) {
            source_[p] = entries[p].source;
            if (p > start[i] && entries[p].col == entries[p - 1].col) continue;
            if (duplicates > 0) first_[e] = static_cast<std::uint32_t>(p);
            csr_.index[e++] = entries[p].col;
        }
    }
    if (duplicates > 0) first_[e] = static_cast<std::uint32_t>(t.count);
    accumulate(t.value, name, csr_.value);
}

void SparseMatrix::update(std::span<const double> values, const char* name) {
    if (static_cast<std::int64_t>(values.size()) != triplets_)
        fail(Status::bad_pattern,
             "%s: %zu values, but the pattern was made from %" PRId64 " triplets", name,
             values.size(), triplets_);
    for (std::size_t k = 0; k < values.size(); ++k)
        check_finite(name, static_cast<std::int64_t>(k), values[k]);
    std::vector<double> sums;
    accumulate(values.data(), name, sums);
    csr_.value.swap(sums);
}

void SparseMatrix::accumulate(const double* values, const char* name,
                              std::vector<double>& sums) const {
    if (source_.empty()) {
        sums.assign(values, values + triplets_);
        return;
    }
    sums.resize(csr_.index.size());
    if (first_.empty()) {
        for (std::size_t e = 0; e < sums.size(); ++e) sums[e] = values[source_[e]];
        return;
    }
    for (std::size_t e = 0; e < sums.size(); ++e) {
        double sum = 0.0;
        for (std::uint32_t p = first_[e]; p < first_[e + 1]; ++p) sum += values[source_[p]];
        if (!std::isfinite(sum))
            fail(Status::bad_value,
                 "%s: value[%" PRIu32 "] = %g and the others at its place sum to %g", name,
                 source_[first_[e]], values[source_[first_[e]]], sum);
        sums[e] = sum;
    }
}

}  // namespace perp
