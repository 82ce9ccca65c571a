#include "friction/aligned_rows.hpp"

namespace perp {
namespace {

Csr turned(const Csr& given, std::span<const TangentAxis> first_axis) {
    const Csr rows = without_zeros(given);
    Csr out;
    out.rows = rows.rows;
    out.cols = rows.cols;
    out.start.reserve(rows.rows + 1);
    std::vector<double> second;
    for (std::size_t i = 0; i < first_axis.size(); ++i) {
        const auto [c, s] = first_axis[i];
        const auto row = static_cast<std::int64_t>(2 * i);
        const auto a_index = rows.row_index(row), b_index = rows.row_index(row + 1);
        const auto a = rows.row_value(row), b = rows.row_value(row + 1);
        const std::size_t first = out.index.size();
        second.clear();
        for (std::size_t p = 0, q = 0; p < a.size() || q < b.size();) {
            const bool of_a = p < a.size() && (q == b.size() || a_index[p] <= b_index[q]);
            const bool of_b = q < b.size() && (p == a.size() || b_index[q] <= a_index[p]);
            const double x = of_a ? a[p] : 0.0, y = of_b ? b[q] : 0.0;
            out.index.push_back(of_a ? a_index[p] : b_index[q]);
            out.value.push_back(c * x + s * y);
            second.push_back(c * y - s * x);
            p += of_a ? 1 : 0;
            q += of_b ? 1 : 0;
        }
        out.start.push_back(static_cast<std::int64_t>(out.index.size()));
        for (std::size_t k = 0; k < second.size(); ++k) out.index.push_back(out.index[first + k]);
        out.value.insert(out.value.end(), second.begin(), second.end());
        out.start.push_back(static_cast<std::int64_t>(out.index.size()));
    }
    return out;
}

}  // namespace

AlignedRows::AlignedRows(std::shared_ptr<const System> given, std::vector<TangentAxis> first_axis)
    : first_axis_(std::move(first_axis)), system_(std::move(given)) {
    if (first_axis_.empty()) return;
    Csr rows = turned(system_->matrix(SystemMatrix::D), first_axis_);
    system_ = std::make_shared<System>(system_, std::move(rows));
}

void AlignedRows::to_aligned(std::span<double> x) const {
    for (std::size_t i = 0; i < first_axis_.size(); ++i) {
        const auto [c, s] = first_axis_[i];
        const double a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = c * a + s * b;
        x[2 * i + 1] = c * b - s * a;
    }
}

void AlignedRows::to_given(std::span<double> x) const {
    for (std::size_t i = 0; i < first_axis_.size(); ++i) {
        const auto [c, s] = first_axis_[i];
        const double a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = c * a - s * b;
        x[2 * i + 1] = s * a + c * b;
    }
}

}  // namespace perp
