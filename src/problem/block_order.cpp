#include "problem/block_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

namespace perp {
namespace {

constexpr std::int64_t least_blocks = 1024;        // below, the order given
constexpr std::int64_t blocks_per_strip = 512;     // at least
constexpr std::int64_t most_strips = 32;           // tasks for up to 16 threads
constexpr std::int32_t most_blocks_of_body = 128;  // bodies beyond have the last task

// Contacts and intervals as one list of blocks.
class Blocks {
public:
    Blocks(const BlockRows& contacts, const BlockRows& scalars, std::int64_t first,
           std::int64_t skipped)
        : contacts_(contacts), scalars_(scalars), first_(first), skipped_(skipped) {}

    [[nodiscard]] std::int32_t count() const {
        return static_cast<std::int32_t>(contacts_.blocks() + scalars_.blocks() - skipped_);
    }
    [[nodiscard]] std::int32_t contacts() const {
        return static_cast<std::int32_t>(contacts_.blocks());
    }
    // Of a block that is not a contact.
    [[nodiscard]] std::int32_t scalar(std::int32_t b) const {
        return static_cast<std::int32_t>(b - contacts_.blocks() + skipped_);
    }
    [[nodiscard]] std::span<const std::int32_t> first_velocities(std::int32_t b) const {
        const bool is_contact = b < contacts_.blocks();
        const BlockRows& rows = is_contact ? contacts_ : scalars_;
        const std::int32_t at = is_contact ? b : scalar(b);
        return {rows.first.data() + rows.start[at],
                static_cast<std::size_t>(rows.start[at + 1] - rows.start[at])};
    }
    template <class Visit>
    void for_each_tile(std::int32_t b, const Visit& visit) const {
        for (const std::int32_t v : first_velocities(b)) visit(v / contacts_.tile);
    }
    // Place within a task: intervals that come first, contacts, the other intervals.
    [[nodiscard]] int kind(std::int32_t b) const {
        return b < contacts() ? 1 : scalar(b) < first_ ? 0 : 2;
    }

private:
    const BlockRows& contacts_;
    const BlockRows& scalars_;
    std::int64_t first_, skipped_;
};

// Items sorted by a key in [0, keys), stable; returns where each key's items begin.
std::vector<std::int32_t> sort_by_key(const std::vector<std::int32_t>& key, std::int32_t keys,
                                      std::vector<std::int32_t>& items) {
    std::vector<std::int32_t> begin(keys + 1, 0);
    for (const std::int32_t item : items) ++begin[key[item] + 1];
    for (std::int32_t k = 0; k < keys; ++k) begin[k + 1] += begin[k];
    std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
    std::vector<std::int32_t> sorted(items.size());
    for (const std::int32_t item : items) sorted[next[key[item]]++] = item;
    items.swap(sorted);
    return begin;
}

// Bodies and the blocks that touch them.
class Bodies {
public:
    Bodies(const Blocks& blocks, std::int64_t tiles) : blocks_(blocks), start_(tiles + 1, 0) {
        for (std::int32_t b = 0; b < blocks.count(); ++b)
            blocks.for_each_tile(b, [&](std::int32_t t) { ++start_[t + 1]; });
        for (std::int64_t t = 0; t < tiles; ++t) start_[t + 1] += start_[t];
        touching_.resize(start_.back());
        std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
        for (std::int32_t b = 0; b < blocks.count(); ++b)
            blocks.for_each_tile(b, [&](std::int32_t t) { touching_[next[t]++] = b; });
    }
    [[nodiscard]] std::int32_t count() const {
        return static_cast<std::int32_t>(start_.size()) - 1;
    }
    [[nodiscard]] bool busy(std::int32_t t) const {
        return start_[t + 1] - start_[t] > most_blocks_of_body;
    }
    [[nodiscard]] bool idle(std::int32_t t) const { return start_[t + 1] == start_[t]; }

    // Appends the bodies of one component to `queue` by levels, numbered from `level` on in
    // `level_of`. Returns the number after the last one.
    std::int32_t search(std::int32_t from, std::int32_t level, std::vector<std::int32_t>& level_of,
                        std::vector<std::int32_t>& queue) const {
        std::size_t next = queue.size();
        level_of[from] = level;
        queue.push_back(from);
        for (; next < queue.size(); ++next) {
            const std::int32_t t = queue[next];
            level = level_of[t];
            for (std::int32_t k = start_[t]; k < start_[t + 1]; ++k)
                blocks_.for_each_tile(touching_[k], [&](std::int32_t other) {
                    if (level_of[other] >= 0 || busy(other)) return;
                    level_of[other] = level + 1;
                    queue.push_back(other);
                });
        }
        return level + 1;
    }

private:
    const Blocks& blocks_;
    std::vector<std::int32_t> start_, touching_;
};

// Bodies by levels, one component after the other, each from an outlying body; busy ones last.
struct Levels {
    std::vector<std::int32_t> of;     // level of each body, -1: busy or idle
    std::vector<std::int32_t> order;  // bodies
    std::int32_t count = 0;
};

Levels find_levels(const Bodies& bodies) {
    Levels levels;
    levels.of.assign(bodies.count(), -1);
    std::vector<std::int32_t> probe;
    for (std::int32_t t = 0; t < bodies.count(); ++t) {
        if (levels.of[t] >= 0 || bodies.busy(t) || bodies.idle(t)) continue;
        probe.clear();
        bodies.search(t, 0, levels.of, probe);
        for (const std::int32_t body : probe) levels.of[body] = -1;
        levels.count = bodies.search(probe.back(), levels.count, levels.of, levels.order);
    }
    for (std::int32_t t = 0; t < bodies.count(); ++t)
        if (bodies.busy(t)) levels.order.push_back(t);
    return levels;
}

// Levels cut into strips of about equally many blocks. Returns the strip of each level.
std::vector<std::int32_t> cut_strips(const Blocks& blocks, const Levels& levels) {
    std::vector<std::int64_t> weight(levels.count, 0);
    for (std::int32_t b = 0; b < blocks.count(); ++b) {
        std::int32_t lowest = levels.count;
        blocks.for_each_tile(b, [&](std::int32_t t) {
            if (levels.of[t] >= 0) lowest = std::min(lowest, levels.of[t]);
        });
        if (lowest < levels.count) ++weight[lowest];
    }
    const std::int64_t total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
    const std::int64_t strips = std::clamp<std::int64_t>(total / blocks_per_strip, 1, most_strips);
    std::vector<std::int32_t> strip(levels.count, 0);
    std::int64_t done = 0;
    std::int64_t last_part = 0;
    for (std::int32_t level = 0; level < levels.count; ++level) {
        // Of the middle of the level: whole levels, as near to equal parts as they allow.
        const std::int64_t part = (done + weight[level] / 2) * strips / (total + 1);
        done += weight[level];
        if (level > 0) strip[level] = strip[level - 1] + (part > last_part ? 1 : 0);
        last_part = part;
    }
    return strip;
}

// Task of every block: strips, even cuts, odd cuts, the busy bodies' one.
std::vector<std::int32_t> find_tasks(const Blocks& blocks, const Levels& levels,
                                     const std::vector<std::int32_t>& strip_of_level,
                                     BlockOrder& order) {
    const std::int32_t strips = strip_of_level.empty() ? 1 : strip_of_level.back() + 1;
    const std::int32_t even = strips / 2;  // cuts 0|1, 2|3, ...
    std::vector<std::int32_t> task(blocks.count());
    for (std::int32_t b = 0; b < blocks.count(); ++b) {
        std::int32_t lowest = strips;
        std::int32_t highest = -1;
        bool busy = false;
        blocks.for_each_tile(b, [&](std::int32_t t) {
            if (levels.of[t] < 0) {
                busy = true;
                return;
            }
            lowest = std::min(lowest, strip_of_level[levels.of[t]]);
            highest = std::max(highest, strip_of_level[levels.of[t]]);
        });
        if (busy)
            task[b] = 2 * strips - 1;
        else if (highest <= lowest)
            task[b] = std::min(lowest, strips - 1);
        else
            task[b] = strips + (lowest % 2 == 0 ? lowest / 2 : even + lowest / 2);
    }
    order.tasks.resize(2 * static_cast<std::size_t>(strips));
    order.round = {0, strips, strips + even, 2 * strips - 1, 2 * strips};
    return task;
}

// Greedy colours within each task; more than 64 share the last.
std::vector<std::int32_t> find_colours(const Blocks& blocks, std::int32_t bodies,
                                       const std::vector<std::int32_t>& by_task,
                                       const std::vector<std::int32_t>& begin) {
    std::vector<std::int32_t> colour(blocks.count(), 0);
    std::vector<std::uint64_t> taken(bodies, 0);
    for (std::size_t task = 0; task + 1 < begin.size(); ++task) {
        for (std::int32_t k = begin[task]; k < begin[task + 1]; ++k) {
            const std::int32_t b = by_task[k];
            std::uint64_t mask = 0;
            blocks.for_each_tile(b, [&](std::int32_t t) { mask |= taken[t]; });
            colour[b] = std::min(std::countr_one(mask), 63);
            const std::uint64_t bit = std::uint64_t{1} << colour[b];
            blocks.for_each_tile(b, [&](std::int32_t t) { taken[t] |= bit; });
        }
        for (std::int32_t k = begin[task]; k < begin[task + 1]; ++k)
            blocks.for_each_tile(by_task[k], [&](std::int32_t t) { taken[t] = 0; });
    }
    return colour;
}

// Fills contact, scalar and the ranges of the tasks from blocks sorted by task.
void list_blocks(const Blocks& blocks, const std::vector<std::int32_t>& sorted,
                 const std::vector<std::int32_t>& begin, BlockOrder& order) {
    for (std::size_t task = 0; task < order.tasks.size(); ++task) {
        BlockRange& range = order.tasks[task];
        range.contacts_begin = static_cast<std::int32_t>(order.contact.size());
        range.scalars_begin = static_cast<std::int32_t>(order.scalar.size());
        range.scalars_middle = range.scalars_begin;
        for (std::int32_t k = begin[task]; k < begin[task + 1]; ++k) {
            const std::int32_t b = sorted[k];
            if (blocks.kind(b) == 1)
                order.contact.push_back(b);
            else
                order.scalar.push_back(blocks.scalar(b));
            if (blocks.kind(b) == 0) ++range.scalars_middle;
        }
        range.contacts_end = static_cast<std::int32_t>(order.contact.size());
        range.scalars_end = static_cast<std::int32_t>(order.scalar.size());
    }
}

}  // namespace

BlockOrder given_block_order(std::int64_t contacts, std::int64_t scalars, std::int64_t first,
                             std::int64_t skipped) {
    BlockOrder order;
    order.contact.resize(contacts);
    std::iota(order.contact.begin(), order.contact.end(), 0);
    order.scalar.resize(scalars);
    std::iota(order.scalar.begin(), order.scalar.end(), 0);
    std::rotate(order.scalar.begin(), order.scalar.begin() + skipped, order.scalar.end());
    order.tasks = {{0, static_cast<std::int32_t>(contacts), 0,
                    static_cast<std::int32_t>(std::max<std::int64_t>(first - skipped, 0)),
                    static_cast<std::int32_t>(scalars - skipped)}};
    order.round = {0, 1};
    return order;
}

BlockOrder order_blocks(const BlockRows& contacts, const BlockRows& scalars, std::int64_t tiles,
                        std::int64_t first, std::int64_t skipped) {
    const Blocks blocks(contacts, scalars, first, skipped);
    if (blocks.count() < least_blocks) {
        BlockOrder order = given_block_order(contacts.blocks(), scalars.blocks(), first, skipped);
        order.tile.resize(tiles);
        std::iota(order.tile.begin(), order.tile.end(), 0);
        order.tiles = tiles;
        return order;
    }
    BlockOrder order;
    const Bodies bodies(blocks, tiles);
    const Levels levels = find_levels(bodies);
    const std::vector<std::int32_t> task =
        find_tasks(blocks, levels, cut_strips(blocks, levels), order);
    const auto tasks = static_cast<std::int32_t>(order.tasks.size());
    std::vector<std::int32_t> sorted(blocks.count());
    std::iota(sorted.begin(), sorted.end(), 0);
    std::vector<std::int32_t> begin = sort_by_key(task, tasks, sorted);
    const std::vector<std::int32_t> colour = find_colours(blocks, bodies.count(), sorted, begin);
    std::vector<std::int32_t> kind(blocks.count());
    for (std::int32_t b = 0; b < blocks.count(); ++b) kind[b] = blocks.kind(b);
    sort_by_key(colour, 64, sorted);  // stable: the last key sorted by is the first that counts
    sort_by_key(kind, 3, sorted);
    begin = sort_by_key(task, tasks, sorted);
    list_blocks(blocks, sorted, begin, order);
    for (std::int64_t s = 0; s < skipped; ++s) order.scalar.push_back(static_cast<std::int32_t>(s));

    order.tile.assign(tiles, -1);
    for (const std::int32_t t : levels.order)
        order.tile[t] = static_cast<std::int32_t>(order.tiles++);
    // Bodies that only rows outside the sweeps touch.
    for (std::int64_t s = 0; s < skipped; ++s)
        for (std::int32_t k = scalars.start[s]; k < scalars.start[s + 1]; ++k) {
            std::int32_t& place = order.tile[scalars.first[k] / scalars.tile];
            if (place < 0) place = static_cast<std::int32_t>(order.tiles++);
        }
    return order;
}

}  // namespace perp
