#include <algorithm>

#include "solvers/sweep.hpp"

namespace perp {
namespace {

// Blocks as sets of columns: tiles of velocities that they touch, or (matrix form) blocks that they
// couple to.
struct BlockColumns {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> column;
    std::int64_t columns = 0;

    void close() { start.push_back(static_cast<std::int64_t>(column.size())); }
};

BlockColumns columns_of(const ScaledProblem& problem) {
    BlockColumns out;
    const int k = problem.shape().rows();
    const std::int64_t contacts = problem.contacts();
    if (!problem.matrix_form()) {
        out.columns = problem.velocities();
        const auto add = [&out](const BlockRows& rows, std::int64_t blocks) {
            for (std::int64_t b = 0; b < blocks; ++b) {
                out.column.insert(out.column.end(), rows.first.begin() + rows.start[b],
                                  rows.first.begin() + rows.start[b + 1]);
                out.close();
            }
        };
        add(problem.contact_rows(), contacts);
        add(problem.scalar_rows(), problem.active_scalars());
        return out;
    }
    out.columns = contacts + problem.scalars();
    const auto block_of = [&](std::int64_t row) {
        return static_cast<std::int32_t>(row < contacts * k ? row / k
                                                            : contacts + (row - contacts * k));
    };
    for (std::int64_t b = 0; b < out.columns; ++b) {
        const BlockRows& rows = b < contacts ? problem.contact_rows() : problem.scalar_rows();
        const std::int64_t block = b < contacts ? b : b - contacts;
        for (std::int64_t t = rows.start[block]; t < rows.start[block + 1]; ++t)
            out.column.push_back(block_of(rows.first[t]));
        const auto first = out.column.begin() + out.start.back();
        std::sort(first, out.column.end());
        out.column.erase(std::unique(first, out.column.end()), out.column.end());
        out.close();
    }
    return out;
}

}  // namespace

std::vector<std::int32_t> breadth_first_order(const ScaledProblem& problem) {
    const BlockColumns of = columns_of(problem);
    const auto blocks = static_cast<std::int32_t>(of.start.size() - 1);
    std::vector<std::vector<std::int32_t>> touching(of.columns);
    for (std::int32_t b = 0; b < blocks; ++b)
        for (std::int64_t c = of.start[b]; c < of.start[b + 1]; ++c)
            touching[of.column[c]].push_back(b);

    std::vector<std::int32_t> by_size(blocks);
    for (std::int32_t b = 0; b < blocks; ++b) by_size[b] = b;
    const auto size = [&of](std::int32_t b) { return of.start[b + 1] - of.start[b]; };
    std::stable_sort(by_size.begin(), by_size.end(),
                     [&](std::int32_t a, std::int32_t b) { return size(a) < size(b); });

    std::vector<std::int32_t> order;
    std::vector<char> seen(blocks, 0);
    const auto visit = [&](std::int32_t b) {
        if (seen[b]) return;
        seen[b] = 1;
        order.push_back(b);
    };
    std::size_t next = 0;
    const auto drain = [&] {
        for (; next < order.size(); ++next)
            for (std::int64_t c = of.start[order[next]]; c < of.start[order[next] + 1]; ++c)
                for (const std::int32_t b : touching[of.column[c]]) visit(b);
    };
    const std::int64_t smallest = blocks > 0 ? size(by_size[0]) : 0;
    for (const std::int32_t b : by_size)
        if (size(b) == smallest) visit(b);
    drain();
    for (const std::int32_t b : by_size) {  // parts that touch no ground
        visit(b);
        drain();
    }
    return order;
}

}  // namespace perp
