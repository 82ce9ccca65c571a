// Products with a sparse matrix whose neighbouring rows meet the same columns, as the rows of a
// contact meet the velocities of its two bodies: small dense panels, zeros included where they are
// few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sparse/csr.hpp"
#include "sparse/panel_kernels.hpp"

namespace perp {

class RowPanels {
public:
    RowPanels() = default;
    explicit RowPanels(const Csr& a);

    // y += A x, and y += A' x.
    void multiply_add(std::span<const double> x, std::span<double> y) const;
    void multiply_transposed_add(std::span<const double> x, std::span<double> y) const;
    [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(value_.size()); }

private:
    // Rows first .. first + rows - 1; a row with many columns is in several panels. Transposed:
    // columns of the panel are rows of A.
    struct Panel {
        std::int32_t first, rows, columns, ld;
        std::int64_t column_start, value_start;
    };
    void close(const Csr& a, std::int64_t first, std::int64_t end,
               std::span<const std::int32_t> columns);

    const PanelKernels* kernels_ = &panel_kernels();
    std::vector<Panel> panels_;
    std::vector<std::int32_t> column_;
    std::vector<double> value_;
};

}  // namespace perp
