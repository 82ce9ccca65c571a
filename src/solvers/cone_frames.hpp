// The rows of a problem in the order that linear systems of cone solvers have them: contacts,
// `contact_rows` each, then intervals. Every contact has a frame in which what is added to its
// block of S has few entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/constraint_set.hpp"

namespace perp {

class ConeFrames {
public:
    // Entry (row, row + beside), and its mirror image.
    struct Term {
        std::int64_t row;
        int beside;
        double value;
    };

    explicit ConeFrames(const ConstraintSet& set)
        : contacts_(set.contacts), contact_rows_(set.shape.rows()), order_(set.contact_row) {
        order_.insert(order_.end(), set.scalar_row.begin(), set.scalar_row.end());
    }
    virtual ~ConeFrames() = default;
    ConeFrames(const ConeFrames&) = default;
    ConeFrames(ConeFrames&&) = default;
    ConeFrames& operator=(const ConeFrames&) = default;
    ConeFrames& operator=(ConeFrames&&) = default;

    [[nodiscard]] std::int64_t contacts() const { return contacts_; }
    [[nodiscard]] int contact_rows() const { return contact_rows_; }
    // The caller's row of every row here.
    [[nodiscard]] std::span<const std::int32_t> order() const { return order_; }

    // A contact's velocities, `stride` apart, to those of the frame; its frame's impulses to z.
    virtual void to_frame(std::int64_t contact, double* velocity, std::int64_t stride) const = 0;
    virtual void from_frame(std::int64_t contact, double* impulse) const = 0;
    // The same of all contacts.
    void velocities_to_frames(std::span<double> velocity) const {
        for (std::int64_t i = 0; i < contacts_; ++i)
            to_frame(i, velocity.data() + i * contact_rows_, 1);
    }
    void impulses_from_frames(std::span<double> impulse) const {
        for (std::int64_t i = 0; i < contacts_; ++i)
            from_frame(i, impulse.data() + i * contact_rows_);
    }
    // What is added to S in the frames, and the rows that take part.
    virtual void terms(std::vector<Term>& out) const = 0;
    virtual void active(std::span<std::uint8_t> out) const = 0;

private:
    std::int64_t contacts_ = 0;
    int contact_rows_ = 0;
    std::vector<std::int32_t> order_;
};

}  // namespace perp
