// What an integrator tells of the contacts of a step, and what it gets back.
#pragma once

#include <cstdint>
#include <vector>

namespace perp {

// The contacts of a step, beside ContactRows. Empty vectors mean the default.
struct StepContacts {
    double h = 0.0;  // s, length of the step
    // n: at the start of the step. Bristle, sliding axes: contacts slide with D velocity + b_T.
    std::vector<double> velocity;
    std::vector<std::int64_t> id;        // r: who it is; default: the row's number
    std::vector<double> axes;            // 3 t r: the tangent axes of D in a frame that stays
    std::vector<double> sticking_speed;  // r; default: the setting
    std::vector<double> stiffness;       // r; default: the setting
    // r, N: expected of contacts without a record (bristle, box: their first bounds). Default 0.
    std::vector<double> normal_estimate;
    std::vector<double> facet_angle;  // r, rad: polygon, of the first direction from axis 1. 0
};

// Impulses in the caller's rows and axes.
struct StepImpulses {
    std::vector<double> A, N, D, S, B;
};

}  // namespace perp
