#include "time_step.hpp"

namespace perp::scenes {

FrictionHandle make_friction(const perp_friction_def& def) {
    perp_friction* created = nullptr;
    require(perp_friction_create(&def, &created), "friction model");
    return FrictionHandle(created);
}

TimeStepAnswer take_step(perp_friction* friction, const perp_system* system, const TimeStep& step,
                         const perp_settings& settings) {
    const perp_rows rows = make_rows(step);
    auto contacts = initialized(perp_contacts_init);
    contacts.h = step.h;
    contacts.velocity = data_or_null(step.velocity);
    contacts.id = data_or_null(step.id);
    contacts.axes = data_or_null(step.axes);
    contacts.facet_angle = data_or_null(step.facet_angle);
    contacts.normal_estimate = data_or_null(step.normal_estimate);
    TimeStepAnswer answer;
    answer.velocity.resize(static_cast<std::size_t>(step.M.rows));
    answer.z.resize(static_cast<std::size_t>(step.rows()));
    answer.states.resize(static_cast<std::size_t>(step.contacts()));
    require(perp_step(friction, system, &rows, &contacts, &settings, answer.velocity.data(),
                      answer.z.data(), answer.states.data(), &answer.info),
            "a time step");
    return answer;
}

}  // namespace perp::scenes
