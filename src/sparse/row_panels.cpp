#include "sparse/row_panels.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace perp {
namespace {

constexpr std::int64_t most_rows = 16, most_columns = 32;

}  // namespace

// A row joins the panel before it where the dense sum is not much more than the entries.
RowPanels::RowPanels(const Csr& a) {
    std::vector<std::int32_t> columns, both;
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        const auto row = a.row_index(i);
        both.clear();
        std::set_union(columns.begin(), columns.end(), row.begin(), row.end(),
                       std::back_inserter(both));
        const auto width = static_cast<std::int64_t>(both.size());
        const std::int64_t entries = a.start[i + 1] - a.start[first];
        const bool joins = width <= most_columns && i - first < most_rows &&
                           2 * (i + 1 - first) * in_fours(width) <= 3 * entries + 16;
        if (!joins) {
            close(a, first, i, columns);
            first = i;
            both.assign(row.begin(), row.end());
        }
        columns.swap(both);
    }
    close(a, first, a.rows, columns);
}

void RowPanels::close(const Csr& a, std::int64_t first, std::int64_t end,
                      std::span<const std::int32_t> columns) {
    const auto count = static_cast<std::int64_t>(columns.size());
    if (first == end) return;
    for (std::int64_t from = 0; from < count; from += most_columns) {
        const std::int64_t width = std::min(most_columns, count - from);
        const auto part = columns.subspan(from, width);
        const std::int64_t ld = in_fours(width);
        panels_.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(end - first),
                           static_cast<std::int32_t>(width), static_cast<std::int32_t>(ld),
                           static_cast<std::int64_t>(column_.size()),
                           static_cast<std::int64_t>(value_.size())});
        column_.insert(column_.end(), part.begin(), part.end());
        for (std::int64_t i = first; i < end; ++i) {
            const std::size_t begin = value_.size();
            value_.resize(begin + ld, 0.0);
            const auto row = a.row_index(i);
            auto entry = std::lower_bound(row.begin(), row.end(), part.front());
            for (; entry != row.end() && *entry <= part.back(); ++entry) {
                const auto at = std::lower_bound(part.begin(), part.end(), *entry);
                value_[begin + (at - part.begin())] = a.row_value(i)[entry - row.begin()];
            }
        }
    }
}

void RowPanels::multiply_add(std::span<const double> x, std::span<double> y) const {
    std::array<double, most_columns> in;
    std::array<double, most_rows> out;
    for (const Panel& p : panels_) {
        const std::int32_t* const columns = column_.data() + p.column_start;
        for (std::int32_t k = 0; k < p.columns; ++k) in[k] = x[columns[k]];
        for (std::int32_t k = p.columns; k < p.ld; ++k) in[k] = 0.0;
        kernels_->multiply_transposed(value_.data() + p.value_start, p.ld, p.ld, p.rows, in.data(),
                                      out.data());
        for (std::int32_t i = 0; i < p.rows; ++i) y[p.first + i] += out[i];
    }
}

void RowPanels::multiply_transposed_add(std::span<const double> x, std::span<double> y) const {
    std::array<double, most_columns> out;
    for (const Panel& p : panels_) {
        const std::int32_t* const columns = column_.data() + p.column_start;
        kernels_->multiply(value_.data() + p.value_start, p.ld, p.ld, p.rows, x.data() + p.first,
                           out.data());
        for (std::int32_t k = 0; k < p.columns; ++k) y[columns[k]] += out[k];
    }
}

}  // namespace perp
