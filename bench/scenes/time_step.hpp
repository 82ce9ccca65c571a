// A time step as data, perp_step with it, and what it answers.
#pragma once

#include <cstdint>
#include <vector>

#include "handles.hpp"
#include "scene.hpp"

namespace perp::scenes {

// A scene, and what perp_contacts takes beside it, under the same names. Empty: absent.
struct TimeStep : Scene {
    std::vector<double> velocity, axes, facet_angle, normal_estimate;
    std::vector<int64_t> id;
};

struct TimeStepAnswer {
    std::vector<double> velocity;  // v+
    std::vector<double> z;         // impulses, rows A, N, D, S, B stacked
    std::vector<int8_t> states;    // of the contacts
    perp_step_info info = sized<perp_step_info>();
};

// Throw CallFailed.
FrictionHandle make_friction(const perp_friction_def& def);
TimeStepAnswer take_step(perp_friction* friction, const perp_system* system, const TimeStep& step,
                         const perp_settings& settings);

}  // namespace perp::scenes
