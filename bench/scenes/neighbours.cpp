#include "neighbours.hpp"

#include <algorithm>
#include <array>

namespace perp::scenes {
namespace {

using Cell = std::array<int64_t, 3>;

// Cells as wide as the largest reach: partners lie in the same cell or one next to it.
class Grid {
public:
    Grid(const std::vector<Vec3>& centres, double width) : width_(width), origin_(centres.front()) {
        Vec3 top = origin_;
        for (const Vec3& c : centres) {
            origin_ = {std::min(origin_.x, c.x), std::min(origin_.y, c.y),
                       std::min(origin_.z, c.z)};
            top = {std::max(top.x, c.x), std::max(top.y, c.y), std::max(top.z, c.z)};
        }
        // Bodies far apart: wider cells rather than many empty ones.
        const double most = 64.0 + 16.0 * static_cast<double>(centres.size());
        const auto cells = [&](double x) { return x / width_ + 1.0; };
        const Vec3 room = top - origin_;
        while (cells(room.x) * cells(room.y) * cells(room.z) > most) width_ *= 1.5;
        size_ = {1, 1, 1};
        const Cell last = cell(top);
        for (std::size_t k = 0; k < 3; ++k) size_[k] = last[k] + 1;
        sort(centres);
    }

    [[nodiscard]] Cell cell(const Vec3& p) const {
        const Vec3 d = (1.0 / width_) * (p - origin_);
        return {static_cast<int64_t>(d.x), static_cast<int64_t>(d.y), static_cast<int64_t>(d.z)};
    }

    // Calls visit(member) for the members of the 27 cells around p.
    template <class Visit>
    void around(const Vec3& p, Visit visit) const {
        const Cell c = cell(p);
        for (int64_t x = std::max<int64_t>(c[0] - 1, 0); x <= std::min(c[0] + 1, size_[0] - 1);
             ++x) {
            for (int64_t y = std::max<int64_t>(c[1] - 1, 0); y <= std::min(c[1] + 1, size_[1] - 1);
                 ++y) {
                for (int64_t z = std::max<int64_t>(c[2] - 1, 0);
                     z <= std::min(c[2] + 1, size_[2] - 1); ++z) {
                    const std::size_t k = index({x, y, z});
                    for (std::size_t i = start_[k]; i < start_[k + 1]; ++i) visit(members_[i]);
                }
            }
        }
    }

private:
    [[nodiscard]] std::size_t index(const Cell& c) const {
        return static_cast<std::size_t>((c[0] * size_[1] + c[1]) * size_[2] + c[2]);
    }

    void sort(const std::vector<Vec3>& centres) {  // counting sort by cell
        start_.assign(static_cast<std::size_t>(size_[0] * size_[1] * size_[2]) + 1, 0);
        for (const Vec3& c : centres) ++start_[index(cell(c)) + 1];
        for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
        std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
        members_.resize(centres.size());
        for (std::size_t i = 0; i < centres.size(); ++i) {
            members_[next[index(cell(centres[i]))]++] = static_cast<int64_t>(i);
        }
    }

    double width_;
    Vec3 origin_;
    Cell size_{};
    std::vector<std::size_t> start_;
    std::vector<int64_t> members_;
};

}  // namespace

std::vector<Pair> close_pairs(const std::vector<Vec3>& centres, const std::vector<double>& radii,
                              double margin) {
    std::vector<Pair> pairs;
    if (centres.empty()) return pairs;
    const Grid grid(centres, 2.0 * *std::max_element(radii.begin(), radii.end()) + margin);
    std::vector<int64_t> partners;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        partners.clear();
        grid.around(centres[i], [&](int64_t j) {
            const auto other = static_cast<std::size_t>(j);
            if (other >= i) return;
            const double reach = radii[i] + radii[other] + margin;
            const Vec3 d = centres[i] - centres[other];
            if (dot(d, d) < reach * reach) partners.push_back(j);
        });
        std::sort(partners.begin(), partners.end());
        for (const int64_t j : partners) pairs.push_back({static_cast<int64_t>(i), j});
    }
    return pairs;
}

}  // namespace perp::scenes
