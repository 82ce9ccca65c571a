// The order in which sweeps and products visit the blocks of a problem: cache-friendly, and in
// tasks that threads can share.
//
// Bodies (tiles of velocities) are put in breadth-first levels from an outlying one; levels are
// cut into strips. A block touches one strip or two neighbouring ones, so three rounds of tasks
// suffice: blocks inside each strip, blocks across every even cut, blocks across every odd cut.
// Tasks of a round share no body and run at the same time. Blocks of bodies with very many
// contacts (a tray) form a last task of their own. Within a task blocks are listed by greedy
// colours: neighbours in the list share no body, so a processor overlaps their work.
// The order follows from the problem alone, never from the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/block_rows.hpp"

namespace perp {

// Blocks that are visited one after the other: intervals before the contacts (bilateral rows),
// contacts, intervals after them.
struct BlockRange {
    std::int32_t contacts_begin = 0, contacts_end = 0;
    std::int32_t scalars_begin = 0, scalars_middle = 0, scalars_end = 0;
};

struct BlockOrder {
    std::vector<std::int32_t> contact;   // the given number of the contact at each place
    std::vector<std::int32_t> scalar;    // the same for intervals
    std::vector<std::int32_t> tile;      // new place of each tile, -1: no block touches it
    std::int64_t tiles = 0;              // in use
    std::vector<BlockRange> tasks;       // in the order of a sweep
    std::vector<std::int32_t> round{0};  // tasks of round r: round[r] .. round[r + 1]
};

// `tiles` is the number of tiles of the velocities. The first `first` intervals come before the
// contacts; the first `skipped` of them take no part in sweeps and go to the end.
BlockOrder order_blocks(const BlockRows& contacts, const BlockRows& scalars, std::int64_t tiles,
                        std::int64_t first, std::int64_t skipped);
// All blocks in the order given, in one task (matrix forms).
BlockOrder given_block_order(std::int64_t contacts, std::int64_t scalars, std::int64_t first,
                             std::int64_t skipped);

}  // namespace perp
