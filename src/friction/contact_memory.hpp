// What friction keeps from one step to the next: the last forces of each contact, found again by
// the contact's id, in a frame that does not turn with the caller's tangent axes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace perp {

// Forces (N) and torques (N m): impulses over the length of the step. Vectors are in the frame of
// the axes that came with the contact; without axes, in the caller's tangent axes (third entry 0).
struct ContactRecord {
    double normal = 0.0;
    std::array<double, 3> sliding{};
    double spin = 0.0;
    std::array<double, 3> rolling{};
    bool operator==(const ContactRecord&) const = default;
};

class ContactMemory {
public:
    // Throws bad_value where an id is repeated, naming `name`, both indices and the id.
    static void check_ids(std::span<const std::int64_t> ids, const char* name);

    // The record of an id, or null: a new contact.
    [[nodiscard]] const ContactRecord* find(std::int64_t id) const;
    // These contacts and no others. Ids as check_ids accepts them; the order does not matter.
    void replace(std::span<const std::int64_t> ids, std::span<const ContactRecord> records);
    void clear();

    // All of it, ids ascending.
    [[nodiscard]] std::span<const std::int64_t> ids() const { return ids_; }
    [[nodiscard]] std::span<const ContactRecord> records() const { return records_; }

private:
    std::vector<std::int64_t> ids_;  // ascending
    std::vector<ContactRecord> records_;
};

}  // namespace perp
