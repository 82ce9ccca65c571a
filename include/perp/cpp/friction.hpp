// Part of perp.hpp: time steps under friction models.
#ifndef PERP_CPP_FRICTION_HPP
#define PERP_CPP_FRICTION_HPP

#include <cstdint>
#include <vector>

#include "perp/cpp/solver.hpp"

namespace perp {
inline namespace cpp {

// The contacts of a step (perp_contacts). Not given: the default. Views must live until the call
// that takes them returns.
struct Contacts {
    double h = 0.0;                                 // s: length of the step. Required
    View velocity;                                  // n: at the start; bristle, sliding axes
    const std::vector<std::int64_t>* id = nullptr;  // r, all different. The row's number
    View axes;                                      // 3 t r
    View sticking_speed, stiffness;                 // r. Those of the Friction
    View normal_estimate;                           // r, N. 0
    View facet_angle;                               // r, rad. 0
};

// perp_friction_def with the defaults filled in; change what you like.
struct FrictionDef : perp_friction_def {
    FrictionDef() : perp_friction_def(detail::defaults(perp_friction_def_init)) {}
};

// What a step returns: v+, impulses (rows A, N, D, S, B stacked), PERP_OPEN, ... of each contact.
struct StepResult {
    std::vector<double> velocity, z;
    std::vector<std::int8_t> state;
    perp_step_info info = detail::sized<perp_step_info>();
};

// What a Friction remembers (perp_friction_get_state): PERP_CONTACT_RECORD numbers for each id.
struct FrictionState {
    std::vector<std::int64_t> id;
    std::vector<double> record;
};

// A law of friction, and what the contacts did in the step before.
class Friction {
public:
    // Throws PERP_BAD_SETTING.
    explicit Friction(const FrictionDef& def = {}) {
        perp_friction* handle = nullptr;
        detail::require(perp_friction_create(&def, &handle));
        handle_.reset(handle);
    }

    // One step (perp_step), by the method that fits the model, or with settings of one's own. Look
    // at info.outcome. Throws PERP_BAD_SIZE, PERP_BAD_VALUE, PERP_UNSUPPORTED, ...; the state is
    // then what it was.
    [[nodiscard]] StepResult step(const System& system, const Rows& rows,
                                  const Contacts& contacts) {
        Settings settings;
        settings.method = PERP_AUTO;
        return step(system, rows, contacts, settings);
    }
    [[nodiscard]] StepResult step(const System& system, const Rows& rows, const Contacts& contacts,
                                  const Settings& settings) {
        const Sizes& size = system.sizes();
        const perp_rows c = detail::c_rows(rows, size);
        const perp_contacts k = c_contacts(contacts, size);
        StepResult result;
        result.velocity = detail::vector_of(size.velocities);
        result.z = detail::vector_of(size.bilateral + size.contacts + size.sliding + size.angular +
                                     size.boxes);
        result.state.resize(static_cast<std::size_t>(size.contacts));
        detail::require(perp_step(handle_.get(), system.get(), &c, &k, &settings,
                                  result.velocity.data(), result.z.data(), result.state.data(),
                                  &result.info));
        return result;
    }

    FrictionState state() const {
        FrictionState state;
        std::int64_t count = 0;
        detail::require(perp_friction_get_state(handle_.get(), &count, nullptr, nullptr));
        state.id.resize(static_cast<std::size_t>(count));
        state.record = detail::vector_of(PERP_CONTACT_RECORD * count);
        if (count > 0)
            detail::require(perp_friction_get_state(handle_.get(), &count, state.id.data(),
                                                    state.record.data()));
        return state;
    }
    // Throws PERP_BAD_SIZE, PERP_BAD_VALUE.
    void set_state(const FrictionState& state) {
        const auto count = static_cast<std::int64_t>(state.id.size());
        if (static_cast<std::int64_t>(state.record.size()) != PERP_CONTACT_RECORD * count)
            detail::wrong_size("record", state.record.size(), PERP_CONTACT_RECORD * count);
        detail::require(
            perp_friction_set_state(handle_.get(), count, state.id.data(), state.record.data()));
    }

    const perp_friction* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    static perp_contacts c_contacts(const Contacts& given, const Sizes& size) {
        perp_contacts c = detail::defaults(perp_contacts_init);
        c.h = given.h;
        c.velocity = detail::checked(given.velocity, size.velocities, "velocity");
        if (given.id != nullptr) {
            if (static_cast<std::int64_t>(given.id->size()) != size.contacts)
                detail::wrong_size("id", given.id->size(), size.contacts);
            c.id = given.id->data();
        }
        c.axes = detail::checked(given.axes, 3 * size.sliding, "axes");
        c.sticking_speed = detail::checked(given.sticking_speed, size.contacts, "sticking_speed");
        c.stiffness = detail::checked(given.stiffness, size.contacts, "stiffness");
        c.normal_estimate =
            detail::checked(given.normal_estimate, size.contacts, "normal_estimate");
        c.facet_angle = detail::checked(given.facet_angle, size.contacts, "facet_angle");
        return c;
    }

    detail::Owner<perp_friction, perp_friction_destroy> handle_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_CPP_FRICTION_HPP
