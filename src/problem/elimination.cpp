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

}  // namespace

Elimination::Elimination(const BlockRows& rows, std::int64_t count,
                         std::span<const double> compliance, std::span<const double> free_velocity)
    : compliance_(compliance.begin(), compliance.end()),
      free_(free_velocity.begin(), free_velocity.end()) {
    const std::int64_t m = count;
    const int w = rows.tile;
    std::int64_t velocities = 0;
    for (const std::int32_t v : rows.first)
        velocities = std::max<std::int64_t>(velocities, std::int64_t{v} + w);
    std::vector<std::int32_t> place(velocities, -1);
    std::vector<std::vector<std::pair<std::int32_t, double>>> below;  // entries of A by velocity
    for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t t = rows.start[i]; t < rows.start[i + 1]; ++t) {
            for (int c = 0; c < w; ++c) {
                const double a = rows.left[t * w + c];
                if (a == 0.0) continue;
                std::int32_t& at = place[rows.first[t] + c];
                if (at < 0) {
                    at = static_cast<std::int32_t>(touched_++);
                    below.emplace_back();
                }
                below[at].emplace_back(static_cast<std::int32_t>(i), a);
            }
        }
    }
    Csr k;
    k.rows = k.cols = touched_ + m;
    const auto close_row = [&k] { k.start.push_back(static_cast<std::int64_t>(k.index.size())); };
    for (std::int64_t v = 0; v < touched_; ++v) {
        k.index.push_back(static_cast<std::int32_t>(v));
        k.value.push_back(1.0);
        for (const auto& [i, a] : below[v]) {
            k.index.push_back(static_cast<std::int32_t>(touched_ + i));
            k.value.push_back(a);
        }
        close_row();
    }
    std::vector<std::pair<std::int32_t, double>> entries;
    for (std::int64_t i = 0; i < m; ++i) {
        entries.clear();
        for (std::int64_t t = rows.start[i]; t < rows.start[i + 1]; ++t)
            for (int c = 0; c < w; ++c)
                if (rows.left[t * w + c] != 0.0)
                    entries.emplace_back(place[rows.first[t] + c], rows.left[t * w + c]);
        std::sort(entries.begin(), entries.end());
        for (const auto& [v, a] : entries) {
            k.index.push_back(v);
            k.value.push_back(a);
        }
        k.index.push_back(static_cast<std::int32_t>(touched_ + i));
        k.value.push_back(-(compliance_.empty() ? 0.0 : compliance_[i]) - regularization);
        close_row();
    }
    factor_ = LdlFactor::quasi_definite(k, touched_);
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
