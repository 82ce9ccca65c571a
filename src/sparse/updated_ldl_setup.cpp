// What is found once per pattern.
#include <algorithm>

#include "sparse/updated_ldl.hpp"

namespace perp {

UpdatedLdl::UpdatedLdl(const Csr& k, std::int64_t positive)
    : n_(k.rows),
      positive_(positive),
      nodes_(find_supernodes(k, positive)),
      pivot_(n_, 1.0),
      inverse_pivot_(n_, 1.0),
      pattern_start_(k.start),
      pattern_index_(k.index),
      active_(n_, 0),
      work_(n_ + 4, 0.0) {
    place_blocks();
    map_children();
    list_rows();
    place_entries(k);
    renew(k);
}

// The rests of children are the last ones in the stack of their level's parity when their parent
// takes them, and it leaves its own in the other: nothing has to move.
void UpdatedLdl::place_blocks() {
    const std::int64_t count = nodes_.count();
    std::vector<int> level(count, 0);
    for (std::int64_t s = count - 1; s >= 0; --s)
        if (above(s) >= 0) level[s] = 1 - level[above(s)];
    std::vector<std::int64_t> of_children(count, 0);
    std::int64_t size = 0, inverse = 0, top[2] = {0, 0}, highest[2] = {0, 0};
    std::int64_t largest_panel = 0, largest_width = 0, largest_height = 0;
    for (std::int64_t s = 0; s < count; ++s) {
        const std::int64_t width = nodes_.width(s), height = nodes_.height(s);
        const bool twins = nodes_.twins[s] != 0;
        Block b{width, height, in_fours(width), in_fours(height), size, 0, inverse, 0, level[s],
                twins, true};
        if (!twins) size += b.ld_block * width;
        if (!twins) inverse += in_fours(std::min(width, columns_at_once)) * width;
        b.panel = size;
        size += b.ld * width;
        top[1 - b.stack] -= of_children[s];
        b.rest = top[b.stack];
        top[b.stack] += b.ld * height;
        if (above(s) >= 0) of_children[above(s)] += b.ld * height;
        highest[b.stack] = std::max(highest[b.stack], top[b.stack]);
        blocks_.push_back(b);
        const auto w = static_cast<double>(width), h = static_cast<double>(height);
        factor_cost_ += 0.5 * w * h * (h + 3.0) + (twins ? 0.0 : w * w * (w / 6.0 + h / 2.0));
        nonzeros_ += width * height + (twins ? 0 : width * (width - 1) / 2);
        largest_panel = std::max(largest_panel, b.ld * width);
        largest_width = std::max(largest_width, b.ld_block);
        largest_height = std::max(largest_height, b.ld);
    }
    path_cost_.assign(count, 0.0);
    for (std::int64_t s = count - 1; s >= 0; --s) {
        const auto w = static_cast<double>(blocks_[s].width);
        path_cost_[s] = 2.0 * w * (0.5 * w + static_cast<double>(blocks_[s].height)) +
                        (above(s) >= 0 ? path_cost_[above(s)] : 0.0);
    }
    room_ = {size, inverse, largest_panel, largest_width, largest_height, {highest[0], highest[1]}};
}

bool UpdatedLdl::make_room() {
    bool made = false;
    const auto make = [&made](std::vector<double>& x, std::int64_t size) {
        if (x.size() == static_cast<std::size_t>(size)) return;
        x.assign(size, 0.0);
        made = true;
    };
    make(value_, room_.value);
    make(inverse_, room_.inverse);
    make(unscaled_, room_.panel);
    make(unscaled_block_, room_.width * columns_at_once);
    make(below_, room_.height);
    make(beside_, room_.width);
    for (std::size_t k = 0; k < stack_.size(); ++k) make(stack_[k], room_.stack[k]);
    return made;
}

void UpdatedLdl::place_entries(const Csr& k) {
    std::vector<std::int64_t> position(n_, 0);
    neighbour_start_.assign(n_ + 1, 0);
    for (std::int64_t s = 0; s < nodes_.count(); ++s) {
        const Block& b = blocks_[s];
        const std::int32_t first = nodes_.first[s], end = nodes_.first[s + 1];
        for (std::int64_t q = 0; q < b.height; ++q)
            position[nodes_.row[nodes_.row_start[s] + q]] = q;
        for (std::int32_t j = first; j < end; ++j) {
            const std::int64_t user = nodes_.permutation[j];
            for (std::int64_t q = k.start[user]; q < k.start[user + 1]; ++q) {
                const auto i = static_cast<std::int32_t>(nodes_.inverse[k.index[q]]);
                if (i <= j) continue;
                const std::int64_t column = j - first;
                entry_.push_back({i, j});
                entry_place_.push_back(i < end ? (i - first) + column * b.ld_block
                                               : b.panel - b.block + position[i] + column * b.ld);
                entry_source_.push_back(q);
                ++neighbour_start_[i + 1];
                ++neighbour_start_[j + 1];
            }
        }
        entry_start_.push_back(static_cast<std::int64_t>(entry_.size()));
    }
    entry_value_.assign(entry_.size(), 0.0);
    for (std::int64_t i = 0; i < n_; ++i) neighbour_start_[i + 1] += neighbour_start_[i];
    neighbour_.resize(neighbour_start_[n_]);
    std::vector<std::int64_t> next(neighbour_start_.begin(), neighbour_start_.end() - 1);
    for (std::size_t e = 0; e < entry_.size(); ++e) {
        neighbour_[next[entry_[e].row]++] = static_cast<std::int64_t>(e);
        neighbour_[next[entry_[e].column]++] = static_cast<std::int64_t>(e);
    }
}

void UpdatedLdl::map_children() {
    const std::int64_t count = nodes_.count();
    child_start_.assign(count + 1, 0);
    for (std::int64_t s = 0; s < count; ++s)
        if (above(s) >= 0) ++child_start_[above(s) + 1];
    for (std::int64_t s = 0; s < count; ++s) child_start_[s + 1] += child_start_[s];
    child_.resize(child_start_[count]);
    std::vector<std::int64_t> next(child_start_.begin(), child_start_.end() - 1);
    stretch_start_.assign(1, 0);
    for (std::int64_t s = 0; s < count; ++s) {
        if (const std::int64_t p = above(s); p >= 0) {
            child_[next[p]++] = static_cast<std::int32_t>(s);
            const std::int32_t first = nodes_.first[p], end = nodes_.first[p + 1];
            const auto width = end - first;
            std::int64_t at = nodes_.row_start[p];
            for (std::int32_t q = 0; q < blocks_[s].height; ++q) {
                const std::int32_t i = nodes_.row[nodes_.row_start[s] + q];
                while (i >= end && nodes_.row[at] < i) ++at;
                const auto place =
                    i < end ? i - first
                            : width + static_cast<std::int32_t>(at - nodes_.row_start[p]);
                const bool more = q > 0 && place != width &&
                                  place == stretch_.back().parent + stretch_.back().length;
                if (more)
                    ++stretch_.back().length;
                else
                    stretch_.push_back({q, place, 1});
            }
        }
        stretch_start_.push_back(static_cast<std::int64_t>(stretch_.size()));
    }
}

void UpdatedLdl::list_rows() {
    occurrence_start_.assign(n_ + 1, 0);
    for (const std::int32_t i : nodes_.row) ++occurrence_start_[i + 1];
    for (std::int64_t i = 0; i < n_; ++i) occurrence_start_[i + 1] += occurrence_start_[i];
    occurrence_.resize(occurrence_start_[n_]);
    std::vector<std::int64_t> next(occurrence_start_.begin(), occurrence_start_.end() - 1);
    for (std::int32_t s = 0; s < nodes_.count(); ++s)
        for (std::int32_t q = 0; q < blocks_[s].height; ++q)
            occurrence_[next[nodes_.row[nodes_.row_start[s] + q]]++] = {s, q};
}

bool UpdatedLdl::renew(const Csr& k) {
    if (k.start != pattern_start_ || k.index != pattern_index_) return false;
    take_values(k.value);
    return true;
}

void UpdatedLdl::take_values(std::span<const double> k_value) {
    for (std::size_t e = 0; e < entry_.size(); ++e) entry_value_[e] = k_value[entry_source_[e]];
}

}  // namespace perp
