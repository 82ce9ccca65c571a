#include "wheel_runs.hpp"

#include <cmath>
#include <string>

namespace perp::scenes {
namespace {

constexpr double half_right_angle = 0.78539816339744830962;

WheelVariant bristle(const char* name, const char* label, int64_t bounds) {
    WheelVariant variant{name, label, "bristle"};
    variant.bounds = bounds;
    return variant;
}

WheelVariant rigid_bristle() {
    WheelVariant variant = bristle("bristle_rigid", "bristle, rigid", PERP_BOUNDS_PREVIOUS);
    variant.stiffness = 0.0;
    return variant;
}

WheelVariant box(const char* name, const char* label, WheelAxes axes,
                 int64_t bounds = PERP_BOUNDS_PREVIOUS) {
    WheelVariant variant{name, label, "box", axes};
    variant.bounds = bounds;
    return variant;
}

WheelVariant cone(const char* name, const char* label, bool stabilized, bool gap) {
    WheelVariant variant{name, label, "cone"};
    variant.stabilized = stabilized;
    variant.gap = gap;
    return variant;
}

perp_friction_def friction_of(const WheelVariant& variant) {
    auto def = initialized(perp_friction_def_init);
    def.model = model_of(variant.model);
    def.bounds = variant.bounds;
    def.axes = variant.axes == WheelAxes::sliding ? PERP_AXES_SLIDING : PERP_AXES_GIVEN;
    def.facets = variant.facets;
    def.pass_tolerance = 1e-12;
    def.sticking_speed = wheel_sticking_speed;
    def.stiffness = variant.stiffness;
    return def;
}

double angle_of(const Wheel& wheel, WheelAxes axes) {
    if (axes == WheelAxes::world) return 0.0;
    if (axes == WheelAxes::diagonal) return half_right_angle;
    const auto [x, y] = wheel.sliding();
    const bool slides = std::sqrt(x * x + y * y) > wheel_sticking_speed;
    return axes == WheelAxes::sliding && slides ? std::atan2(y, x) : wheel.heading();
}

TimeStep step_of(const Wheel& wheel, const WheelVariant& variant) {
    const std::string model = variant.model;
    const bool turned = model == "box" && variant.axes != WheelAxes::sliding;
    TimeStep step =
        wheel.step(wheel_step, variant.stabilized, turned ? angle_of(wheel, variant.axes) : 0.0);
    if (model == "polygon") step.facet_angle = {angle_of(wheel, variant.axes)};
    return step;
}

}  // namespace

const std::vector<WheelVariant>& wheel_variants() {
    constexpr int64_t previous = PERP_BOUNDS_PREVIOUS, iterated = PERP_BOUNDS_ITERATED;
    using Axes = WheelAxes;
    static const std::vector<WheelVariant> all = {
        bristle("bristle_previous", "bristle", previous),
        bristle("bristle_iterated", "bristle, bounds iterated", iterated),
        rigid_bristle(),
        {"polygon_4", "polygon, 4 directions", "polygon", Axes::world, 4},
        {"polygon_6", "polygon, 6 directions", "polygon", Axes::world, 6},
        {"polygon_8", "polygon, 8 directions", "polygon", Axes::world, 8},
        {"polygon_4_diagonal", "polygon 4 at 45 degrees", "polygon", Axes::diagonal, 4},
        {"polygon_4_heading", "polygon 4 along the heading", "polygon", Axes::heading, 4},
        {"polygon_8_heading", "polygon 8 along the heading", "polygon", Axes::heading, 8},
        {"polygon_4_sliding", "polygon 4 along the sliding velocity", "polygon", Axes::sliding, 4},
        box("box_previous", "box", Axes::world),
        box("box_iterated", "box, bounds iterated", Axes::world, iterated),
        box("box_diagonal", "box at 45 degrees", Axes::diagonal),
        box("box_heading", "box along the heading", Axes::heading),
        box("box_sliding", "box along the sliding velocity", Axes::sliding),
        {"coulomb", "exact law", "coulomb"},
        cone("cone", "cone", true, true),
        cone("cone_zero_gap", "cone, no gap at the start", true, false),
        cone("cone_not_stabilized", "cone, no gap in the rows", false, false),
    };
    return all;
}

WheelRun wheel_run(const WheelVariant& variant, int64_t steps, StepCount& count) {
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_AUTO;
    settings.tolerance = 1e-12;
    settings.max_iterations = 100000;
    Stepper stepper(friction_of(variant), settings);
    stepper.write_step(count.options(), std::string("wheel_") + variant.name, steps / 5);
    const auto [x, y] = Wheel().sliding();
    Wheel wheel(variant.gap ? wheel_step * Wheel::mu * std::sqrt(x * x + y * y) : 0.0);
    const auto positions = variant.stabilized ? Wheel::Positions::with_new_velocity
                                              : Wheel::Positions::with_old_velocity;
    WheelRun run;
    run.variant = &variant;
    for (int64_t k = 0; k < steps; ++k) {
        const TimeStep step = step_of(wheel, variant);
        const SystemHandle system = make_system(step);
        const TimeStepAnswer answer = stepper.step(system.get(), step);
        run.samples.push_back(wheel.advance(step, answer.velocity, answer.z.data(), positions));
        count.advance();
    }
    run.account = stepper.account();
    return run;
}

}  // namespace perp::scenes
