#include "wheel_measures.hpp"

#include <algorithm>
#include <cmath>

namespace perp::scenes {
namespace {

// Root mean square of what `value` gives for the first `count` samples that `counts`.
template <class Counts, class Value>
double rms(std::size_t count, Counts counts, Value value) {
    double sum = 0.0;
    int64_t samples = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (!counts(k)) continue;
        sum += value(k) * value(k);
        ++samples;
    }
    return samples > 0 ? std::sqrt(sum / static_cast<double>(samples)) : 0.0;
}

// Degrees, of samples that slide faster than `speed`.
double misalignment(const WheelSamples& run, std::size_t count, double speed) {
    return rms(
        count, [&](std::size_t k) { return run[k].sliding_speed() > speed && run[k].normal > 0.0; },
        [&](std::size_t k) { return run[k].misalignment(); });
}

}  // namespace

double friction_deviation(const WheelSamples& run, const WheelSamples& reference,
                          std::size_t count) {
    return 100.0 * rms(
                       count, [](std::size_t) { return true; },
                       [&](std::size_t k) {
                           return run[k].normalized_friction() - reference[k].normalized_friction();
                       });
}

double distance(const Wheel::Sample& a, const Wheel::Sample& b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j)
        sum += (a.centre[j] - b.centre[j]) * (a.centre[j] - b.centre[j]);
    return std::sqrt(sum);
}

WheelDeviation deviation_of(const WheelSamples& run, const WheelSamples& reference) {
    const std::size_t in_window = std::min(run.size(), static_cast<std::size_t>(wheel_window));
    const Wheel::Sample &end = run[in_window - 1], &reference_end = reference[in_window - 1];
    return {friction_deviation(run, reference, in_window),
            friction_deviation(run, reference, run.size()),
            misalignment(run, in_window, wheel_sticking_speed),
            misalignment(run, run.size(), wheel_slow),
            100.0 * distance(end, reference_end) / distance(reference_end, reference[0]),
            end.energy - reference_end.energy};
}

}  // namespace perp::scenes
