#include "friction/contact_memory.hpp"

#include <algorithm>
#include <cinttypes>
#include <numeric>

#include "base/error.hpp"

namespace perp {
namespace {

// Positions in the order of the ids; equal ids in the order given.
std::vector<std::int64_t> sorted(std::span<const std::int64_t> ids) {
    std::vector<std::int64_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&ids](std::int64_t a, std::int64_t b) {
        return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    return order;
}

}  // namespace

void ContactMemory::check_ids(std::span<const std::int64_t> ids, const char* name) {
    const std::vector<std::int64_t> order = sorted(ids);
    for (std::size_t k = 1; k < order.size(); ++k)
        if (ids[order[k]] == ids[order[k - 1]])
            fail(Status::bad_value,
                 "%s[%" PRId64 "] = %" PRId64 " is also that of contact %" PRId64 " (0-based)",
                 name, order[k], ids[order[k]], order[k - 1]);
}

const ContactRecord* ContactMemory::find(std::int64_t id) const {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    return at != ids_.end() && *at == id ? &records_[at - ids_.begin()] : nullptr;
}

void ContactMemory::replace(std::span<const std::int64_t> ids,
                            std::span<const ContactRecord> records) {
    const std::vector<std::int64_t> order = sorted(ids);
    std::vector<std::int64_t> next_ids(order.size());
    std::vector<ContactRecord> next(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        next_ids[k] = ids[order[k]];
        next[k] = records[order[k]];
    }
    ids_.swap(next_ids);
    records_.swap(next);
}

void ContactMemory::clear() {
    ids_.clear();
    records_.clear();
}

}  // namespace perp
