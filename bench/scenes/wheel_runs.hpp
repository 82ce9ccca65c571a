// The wheel under every friction model that perp_step knows, with several axes and bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "wheel_measures.hpp"

namespace perp::scenes {

inline constexpr double wheel_step = 1e-3;  // s

// Of boxes and polygons: the world's x axis; turned from it by 45 degrees; the heading; the sliding
// velocity at the start of the step.
enum class WheelAxes { world, diagonal, heading, sliding };

struct WheelVariant {
    const char* name = "";   // in names of figures
    const char* label = "";  // in plots and tables
    const char* model = "";
    WheelAxes axes = WheelAxes::world;
    int64_t facets = 4;
    int64_t bounds = PERP_BOUNDS_PREVIOUS;
    double stiffness = 1e10;  // N/m, of bristles; as published
    bool stabilized = false;  // by the gap; positions then move with the new velocity
    bool gap = false;         // starts with the gap h mu |v_T| of a cone that slides
};

// In the order of the record.
const std::vector<WheelVariant>& wheel_variants();

struct WheelRun {
    const WheelVariant* variant = nullptr;
    WheelSamples samples;
    StepAccount account;
};

// Throws CallFailed.
WheelRun wheel_run(const WheelVariant& variant, int64_t steps, StepCount& count);

}  // namespace perp::scenes
