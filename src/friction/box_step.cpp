// Box friction (Lacoursiere): each sliding row bounded by mu times the normal impulse, along the
// caller's axes or along the sliding velocity. The answer depends much on the axes.
#include <cmath>

#include "friction/bounded_step.hpp"

namespace perp {
namespace {

// Axis 1 along the velocity; where the contact sticks, against its last force, which does not jump
// about as the direction of a velocity near 0 does.
std::vector<TangentAxis> sliding_axes(const FrictionSettings& settings, const System& system,
                                      const ContactRows& rows, const StepContacts& contacts,
                                      const ContactMemory& memory) {
    const ContactFrames frames(system, contacts);
    const std::int64_t r = system.contacts();
    const std::vector<double> velocity =
        sliding_velocity(system, rows, contacts, "the axes of the box lie along it");
    const std::vector<double> threshold =
        per_contact(contacts.sticking_speed, settings.sticking_speed, r, "sticking_speed");
    std::vector<TangentAxis> axes(r);
    for (std::int64_t i = 0; i < r; ++i) {
        const double* const v = velocity.data() + 2 * i;
        const double speed = std::hypot(v[0], v[1]);
        double force[2] = {0.0, 0.0};
        if (const ContactRecord* last = memory.find(frames.ids()[i]))
            frames.sliding(*last, i, force);
        axes[i] =
            speed > threshold[i] ? TangentAxis{v[0] / speed, v[1] / speed} : slip_direction(force);
    }
    return axes;
}

}  // namespace

std::unique_ptr<FrictionStep> make_box_step(const FrictionSettings& settings,
                                            std::shared_ptr<const System> system,
                                            const ContactRows& rows, const StepContacts& contacts,
                                            const ContactMemory& memory) {
    check_bounded(settings, *system, rows, contacts, "box");
    BoundedRows model;
    if (settings.axes == BoxAxes::sliding && system->shape().tangential == 2 &&
        system->contacts() > 0)
        model.first_axis = sliding_axes(settings, *system, rows, contacts, memory);
    return make_bounded_step(settings, std::move(system), rows, contacts, memory, std::move(model));
}

}  // namespace perp
