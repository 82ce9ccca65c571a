// How far a run of the wheel is from the reference.
#pragma once

#include "wheel_model.hpp"

namespace perp::scenes {

using WheelSamples = std::vector<Wheel::Sample>;

struct WheelDeviation {
    double rms_window, rms_run;  // % of the normalized friction force
    double angle_sliding;        // degrees, in the window and above the sticking speed
    double angle;                // degrees, in the run
    double position;             // % of the way, at the end of the window
    double energy;               // J, same
};

inline constexpr int64_t wheel_window = 2000;         // steps in which the wheel slides
inline constexpr double wheel_slow = 1e-3;            // m/s: slower samples have no direction
inline constexpr double wheel_sticking_speed = 0.01;  // m/s, as published

// RMS deviation of the normalized friction force in the first `count` steps, %.
double friction_deviation(const WheelSamples& run, const WheelSamples& reference,
                          std::size_t count);
// m
double distance(const Wheel::Sample& a, const Wheel::Sample& b);
WheelDeviation deviation_of(const WheelSamples& run, const WheelSamples& reference);

}  // namespace perp::scenes
