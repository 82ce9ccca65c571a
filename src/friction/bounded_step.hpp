// Friction impulses between bounds mu lambda_N of known normal impulses: what the bristle and the
// box have in common. The normal impulses are those of the last step or follow from pass to pass.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "friction/aligned_rows.hpp"
#include "friction/contact_frames.hpp"
#include "friction/friction_step.hpp"

namespace perp {

// w = B D v+ + b_T + (E + C) g - C g_target, |g| <= bound, one entry per sliding row (t r); E is
// the caller's compliance. C = compliance + speed / bound, g_target = target. A bound of 0 leaves
// g = 0 and takes no speed. Empty: zeros.
struct BoundedRows {
    std::vector<TangentAxis> first_axis;  // r; empty: the caller's axes
    std::vector<double> compliance;       // m/s per N s
    std::vector<double> speed;            // m/s, >= 0
    std::vector<double> target;           // N s
};

// What both models need of the caller. Throws with the argument named; `model` is for messages.
void check_bounded(const FrictionSettings& settings, const System& system, const ContactRows& rows,
                   const StepContacts& contacts, const char* model);
// Sliding velocity at the start of the step, D v + b_T. Throws where the velocity is missing.
std::vector<double> sliding_velocity(const System& system, const ContactRows& rows,
                                     const StepContacts& contacts, const char* why);
// r entries: those of the contacts, or the setting.
std::vector<double> per_contact(const std::vector<double>& given, double setting, std::int64_t r,
                                const char* name);
// Against a force: where the contact would slip. Axis 1 where there is no force.
TangentAxis slip_direction(const double* force);

// Arguments as check_bounded accepts them. Throws unsupported where the caller's compliance_T is
// not the same along both axes of a contact whose axes turn.
std::unique_ptr<FrictionStep> make_bounded_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory, BoundedRows model);

}  // namespace perp
