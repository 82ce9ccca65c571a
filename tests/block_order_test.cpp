// The order of the blocks: tasks that run at the same time share no body, nothing gets lost.
#include "problem/block_order.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "support.hpp"

namespace perp::test {
namespace {

constexpr int tile_width = 6;

BlockRows blocks_of(const std::vector<std::vector<std::int32_t>>& bodies) {
    BlockRows rows;
    rows.tile = tile_width;
    for (const auto& touched : bodies) {
        for (const std::int32_t body : touched) rows.first.push_back(body * tile_width);
        rows.start.push_back(static_cast<std::int32_t>(rows.first.size()));
    }
    return rows;
}

using Touched = std::vector<std::vector<std::int32_t>>;

// Neighbours in a box of bodies, the lowest layer on the ground.
Touched lattice(std::int32_t width, std::int32_t height) {
    Touched touched;
    const auto body = [&](std::int32_t x, std::int32_t y, std::int32_t z) {
        return (z * width + y) * width + x;
    };
    for (std::int32_t z = 0; z < height; ++z)
        for (std::int32_t y = 0; y < width; ++y)
            for (std::int32_t x = 0; x < width; ++x) {
                if (z == 0) touched.push_back({body(x, y, z)});
                if (x > 0) touched.push_back({body(x - 1, y, z), body(x, y, z)});
                if (y > 0) touched.push_back({body(x, y - 1, z), body(x, y, z)});
                if (z > 0) touched.push_back({body(x, y, z - 1), body(x, y, z)});
            }
    return touched;
}

struct Case {
    Touched contacts, scalars;
    std::int64_t bodies = 0, first = 0, skipped = 0;
};

void expect_permutation(std::vector<std::int32_t> order, std::size_t size) {
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> all(size);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
}

// Checks everything that sweeps rely on; returns the number of rounds with more than one task.
int check(const Case& c) {
    const BlockRows contacts = blocks_of(c.contacts);
    const BlockRows scalars = blocks_of(c.scalars);
    const BlockOrder order = order_blocks(contacts, scalars, c.bodies, c.first, c.skipped);
    expect_permutation(order.contact, c.contacts.size());
    expect_permutation(order.scalar, c.scalars.size());

    std::set<std::int32_t> places;
    std::set<std::int32_t> used;
    for (const Touched* touched : {&c.contacts, &c.scalars})
        for (const auto& block : *touched) used.insert(block.begin(), block.end());
    for (const std::int32_t body : used) {
        EXPECT_GE(order.tile[body], 0);
        EXPECT_LT(order.tile[body], order.tiles);
        EXPECT_TRUE(places.insert(order.tile[body]).second) << "two bodies at one place";
    }

    int shared = 0;
    std::int64_t contacts_seen = 0;
    std::int64_t scalars_seen = 0;
    EXPECT_EQ(order.round.back(), static_cast<std::int32_t>(order.tasks.size()));
    for (std::size_t r = 0; r + 1 < order.round.size(); ++r) {
        std::vector<int> owner(c.bodies, -1);
        int busy = 0;
        for (int t = order.round[r]; t < order.round[r + 1]; ++t) {
            const BlockRange& task = order.tasks[t];
            EXPECT_EQ(task.contacts_begin, contacts_seen) << "tasks follow each other";
            EXPECT_EQ(task.scalars_begin, scalars_seen);
            contacts_seen = task.contacts_end;
            scalars_seen = task.scalars_end;
            const auto claim = [&](const std::vector<std::int32_t>& block) {
                for (const std::int32_t body : block) {
                    EXPECT_TRUE(owner[body] == -1 || owner[body] == t) << "tasks share a body";
                    owner[body] = t;
                }
            };
            for (int i = task.contacts_begin; i < task.contacts_end; ++i)
                claim(c.contacts[order.contact[i]]);
            for (int s = task.scalars_begin; s < task.scalars_end; ++s) {
                claim(c.scalars[order.scalar[s]]);
                EXPECT_EQ(order.scalar[s] < c.first, s < task.scalars_middle);
                EXPECT_GE(order.scalar[s], c.skipped) << "skipped intervals are in no task";
            }
            if (task.contacts_end > task.contacts_begin || task.scalars_end > task.scalars_begin)
                ++busy;
        }
        if (busy > 1) ++shared;
    }
    EXPECT_EQ(contacts_seen, static_cast<std::int64_t>(c.contacts.size()));
    EXPECT_EQ(scalars_seen, static_cast<std::int64_t>(c.scalars.size()) - c.skipped);
    return shared;
}

TEST(BlockOrder, SharesALatticeAmongTasks) {
    Case c{lattice(12, 20), {}, 12 * 12 * 20};
    EXPECT_GE(check(c), 2);
    c.scalars = lattice(12, 20);  // the same again as intervals, some before the contacts
    c.first = 300;
    EXPECT_GE(check(c), 2);
    c.skipped = 300;
    EXPECT_GE(check(c), 2);
}

TEST(BlockOrder, ManyComponentsAndBodiesWithoutBlocks) {
    Case c;
    for (std::int32_t stack = 0; stack < 500; ++stack)
        for (std::int32_t k = 0; k < 5; ++k) {
            const std::int32_t body = stack * 8 + k;  // three of eight touch nothing
            if (k == 0)
                c.contacts.push_back({body});
            else
                c.contacts.push_back({body - 1, body});
        }
    c.bodies = 4000;
    EXPECT_GE(check(c), 1);
}

// A tray below everything, and a star: no neighbourhood to cut. Correct, if not parallel.
TEST(BlockOrder, BodiesThatTouchEverything) {
    Case tray{lattice(12, 20), {}, 12 * 12 * 20 + 1};
    for (auto& block : tray.contacts)
        if (block.size() == 1) block.push_back(12 * 12 * 20);
    EXPECT_GE(check(tray), 2);
    Case star;
    for (std::int32_t k = 1; k < 3000; ++k) star.contacts.push_back({0, k});
    star.bodies = 3000;
    check(star);
    Case crowd;  // everybody with everybody
    for (std::int32_t a = 0; a < 60; ++a)
        for (std::int32_t b = 0; b < a; ++b) crowd.contacts.push_back({b, a});
    crowd.bodies = 60;
    check(crowd);
}

TEST(BlockOrder, OddBlocks) {
    Random random(7);
    for (int round = 0; round < 20; ++round) {
        Case c;
        c.bodies = 40 + 50 * round;
        for (Touched* list : {&c.contacts, &c.scalars})
            for (int k = 0; k < 1500; ++k) {
                std::set<std::int32_t> bodies;  // 0 to 3
                for (int j = 0; j < 3; ++j) {
                    const auto body = static_cast<std::int32_t>(
                        random.uniform(0.0, 1.3 * static_cast<double>(c.bodies)));
                    if (body < c.bodies) bodies.insert(body);
                }
                list->emplace_back(bodies.begin(), bodies.end());
            }
        c.first = 50 * round;
        c.skipped = 30 * round;
        check(c);
    }
}

TEST(BlockOrder, KeepsSmallProblemsAsGiven) {
    Case c{lattice(4, 4), {{0}, {1}, {2}}, 64, 2, 1};
    check(c);
    const BlockOrder order = order_blocks(blocks_of(c.contacts), blocks_of(c.scalars), 64, 2, 1);
    EXPECT_TRUE(std::is_sorted(order.contact.begin(), order.contact.end()));
    EXPECT_EQ(order.scalar, (std::vector<std::int32_t>{1, 2, 0}));
}

}  // namespace
}  // namespace perp::test
