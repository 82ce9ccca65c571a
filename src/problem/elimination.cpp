#include "problem/elimination.hpp"

#include <algorithm>
#include <limits>

namespace perp {
namespace {

// Rows have a diagonal of about 1 in the scaled variables. Smaller, and pivots of redundant rows
// drown in rounding; larger, and rows that depend on each other take more steps.
constexpr double regularization = 1e-13;
constexpr int most_steps = 8;
constexpr double accuracy = 1e-13;  // of the rows' velocities, relative to those at the start

// The first `count` rows by their velocities, numbered in the order in which rows touch them.
struct Touched {
    std::int64_t velocities = 0;
    std::vector<std::vector<std::pair<std::int32_t, double>>> by_row, by_velocity;

    Touched(const BlockRows& rows, std::int64_t count) : by_row(count) {
        const int w = rows.tile;
        std::int64_t all = 0;
        for (const std::int32_t v : rows.first) all = std::max<std::int64_t>(all, v + w);
        std::vector<std::int32_t> place(all, -1);
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t q = std::int64_t{rows.start[i]} * w;
                 q < std::int64_t{rows.start[i + 1]} * w; ++q)
                if (rows.left[q] != 0.0) add(i, place[rows.first[q / w] + q % w], rows.left[q]);
        for (auto& row : by_row) std::sort(row.begin(), row.end());
    }

private:
    void add(std::int64_t row, std::int32_t& velocity, double value) {
        if (velocity < 0) {
            velocity = static_cast<std::int32_t>(velocities++);
            by_velocity.emplace_back();
        }
        by_row[row].emplace_back(velocity, value);
        by_velocity[velocity].emplace_back(static_cast<std::int32_t>(row), value);
    }
};

// [1  A'; A  -E - delta], both triangles.
Csr saddle_matrix(const Touched& a, const std::vector<double>& compliance) {
    const auto count = static_cast<std::int64_t>(a.by_row.size());
    Csr k;
    k.rows = k.cols = a.velocities + count;
    const auto add = [&k](std::int64_t column, double value) {
        k.index.push_back(static_cast<std::int32_t>(column));
        k.value.push_back(value);
    };
    const auto close_row = [&k] { k.start.push_back(static_cast<std::int64_t>(k.index.size())); };
    for (std::int64_t v = 0; v < a.velocities; ++v) {
        add(v, 1.0);
        for (const auto& [row, value] : a.by_velocity[v]) add(a.velocities + row, value);
        close_row();
    }
    for (std::int64_t i = 0; i < count; ++i) {
        for (const auto& [velocity, value] : a.by_row[i]) add(velocity, value);
        add(a.velocities + i, -(compliance.empty() ? 0.0 : compliance[i]) - regularization);
        close_row();
    }
    return k;
}

}  // namespace

Elimination::Elimination(const BlockRows& rows, std::int64_t count,
                         std::span<const double> compliance, std::span<const double> free_velocity)
    : compliance_(compliance.begin(), compliance.end()),
      free_(free_velocity.begin(), free_velocity.end()) {
    const Touched touched(rows, count);
    touched_ = touched.velocities;
    factor_ = LdlFactor::quasi_definite(saddle_matrix(touched, compliance_), touched_);
}

void Elimination::solve(const BlockRows& rows, std::int64_t first, std::span<double> l,
                        std::span<double> v, std::span<double> work) const {
    const auto m = static_cast<std::int64_t>(free_.size());
    const std::span<double> x = work.first(factor_.size());
    with_tile(rows.tile, [&]<int W>() {
        double start = 0.0;
        double before = std::numeric_limits<double>::infinity();
        for (int step = 0; step <= most_steps; ++step) {
            double square = 0.0;
            for (std::int64_t i = 0; i < m; ++i) {
                double u = free_[i] + (compliance_.empty() ? 0.0 : compliance_[i]) * l[i];
                gather<1, W>(rows, first + i, v.data(), &u);
                x[touched_ + i] = -u;
                square += u * u;
            }
            if (step == 0) start = square;
            const bool accurate = square <= accuracy * accuracy * start;
            if (accurate || step == most_steps || !(square < 0.25 * before)) return;
            before = square;
            std::fill(x.begin(), x.begin() + touched_, 0.0);
            factor_.solve(x, work.subspan(factor_.size()));
            for (std::int64_t i = 0; i < m; ++i) {
                const double change = -x[touched_ + i];
                l[i] += change;
                scatter<1, W>(rows, rows.left.data(), first + i, &change, v.data());
            }
        }
    });
}

}  // namespace perp
