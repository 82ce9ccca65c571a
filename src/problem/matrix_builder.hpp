// The scaled rows of a matrix over impulses, in blocks whose rows share their columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "cones/contact_cone.hpp"
#include "problem/block_rows.hpp"
#include "sparse/csr.hpp"

namespace perp {

class MatrixBuilder {
public:
    MatrixBuilder(const Csr& given, const std::vector<std::int32_t>& user_row,
                  const std::vector<double>& scale)
        : given_(given), user_row_(user_row), scale_(scale), scaled_row_(user_row.size()) {
        for (std::size_t i = 0; i < user_row.size(); ++i)
            scaled_row_[user_row[i]] = static_cast<std::int32_t>(i);
    }

    // `count` blocks of k rows from the scaled row `first` on.
    void fill(int k, std::int64_t first, std::int64_t count, BlockRows& out) {
        out.rows_per_block = k;
        out.tile = 1;
        out.start.reserve(count + 1);
        std::int64_t entries = 0;
        for (std::int64_t row = first; row < first + count * k; ++row)
            entries += given_.start[user_row_[row] + 1] - given_.start[user_row_[row]];
        out.first.reserve(entries / k + count);
        out.left.reserve(entries + count * k);
        for (std::int64_t row = first; row < first + count * k; row += k) {
            for (int j = 0; j < k; ++j) read(row + j, entries_[j]);
            append(k, out);
            if (out.first.size() > std::numeric_limits<std::int32_t>::max())
                fail(Status::bad_size, "the matrix has more than 2^31 - 1 blocks of entries");
            out.start.push_back(static_cast<std::int32_t>(out.first.size()));
        }
    }

private:
    using Entry = std::pair<std::int32_t, double>;  // column, value

    void read(std::int64_t i, std::vector<Entry>& entries) const {
        const auto less = [](const Entry& a, const Entry& b) { return a.first < b.first; };
        entries.clear();
        const std::int64_t row = user_row_[i];
        for (std::int64_t q = given_.start[row]; q < given_.start[row + 1]; ++q) {
            const std::int32_t j = scaled_row_[given_.index[q]];
            if (given_.value[q] != 0.0)
                entries.emplace_back(j, given_.value[q] * scale_[i] * scale_[j]);
        }
        if (!std::is_sorted(entries.begin(), entries.end(), less))
            std::sort(entries.begin(), entries.end(), less);
    }

    // Rows with the same columns, as full blocks have, need no search.
    [[nodiscard]] bool same_columns(int k) const {
        const auto same = [](const Entry& a, const Entry& b) { return a.first == b.first; };
        return std::all_of(entries_ + 1, entries_ + k, [&](const std::vector<Entry>& row) {
            return std::equal(row.begin(), row.end(), entries_[0].begin(), entries_[0].end(), same);
        });
    }

    void append(int k, BlockRows& out) {
        if (!same_columns(k)) {
            merge(k, out);
            return;
        }
        const std::size_t count = entries_[0].size(), tiles = out.first.size();
        out.first.resize(tiles + count);
        out.left.resize((tiles + count) * k);
        double* left = out.left.data() + tiles * k;
        for (std::size_t t = 0; t < count; ++t) {
            out.first[tiles + t] = entries_[0][t].first;
            for (int j = 0; j < k; ++j) *left++ = entries_[j][t].second;
        }
    }

    void merge(int k, BlockRows& out) {
        std::size_t next[ContactShape::most_rows] = {};
        for (;;) {
            constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
            std::int32_t column = none;
            for (int j = 0; j < k; ++j)
                if (next[j] < entries_[j].size())
                    column = std::min(column, entries_[j][next[j]].first);
            if (column == none) return;
            out.first.push_back(column);
            for (int j = 0; j < k; ++j) {
                const bool here =
                    next[j] < entries_[j].size() && entries_[j][next[j]].first == column;
                out.left.push_back(here ? entries_[j][next[j]++].second : 0.0);
            }
        }
    }

    const Csr& given_;
    const std::vector<std::int32_t>& user_row_;
    const std::vector<double>& scale_;
    std::vector<std::int32_t> scaled_row_;
    std::vector<Entry> entries_[ContactShape::most_rows];  // of each row of a block
};

}  // namespace perp
