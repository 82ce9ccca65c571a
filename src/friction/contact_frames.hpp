// The contact rows of a step between the caller's axes and what the memory keeps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "friction/contact_memory.hpp"
#include "friction/step_contacts.hpp"
#include "problem/system.hpp"

namespace perp {

class ContactFrames {
public:
    // Checks h, id, axes (orthonormal to 1e-6, finite) and sizes; throws bad_size, bad_value.
    ContactFrames(const System& system, const StepContacts& contacts);

    [[nodiscard]] double h() const { return h_; }
    [[nodiscard]] std::span<const std::int64_t> ids() const { return ids_; }
    // The sliding force of a record in the caller's axes of contact i (t entries).
    void sliding(const ContactRecord& record, std::int64_t i, double* out) const;
    // Impulses of the last step in the caller's rows, scaled to this step's h: for a start.
    void recall(const ContactMemory& memory, StepImpulses& impulses) const;
    // The records of this step's impulses.
    void remember(const StepImpulses& impulses, ContactMemory& memory) const;

private:
    double h_;
    std::int64_t t_, a_;
    std::vector<std::int64_t> ids_;
    std::vector<double> axes_;
};

}  // namespace perp
