// A disc with a sharp rim on a plane (Peiret, Kovecses and Font-Llagunes 2016, section 5), and its
// motion under the exact Coulomb law, without perp.
//
// Coordinates: x, y, z of the centre and Euler angles z-x-y: psi about the vertical, theta about
// the horizontal diameter, phi about the axle. Generalized velocities are their rates. One contact,
// at the lowest point of the rim.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mechanism.hpp"

namespace perp::scenes {

class Wheel {
public:
    static constexpr double radius = 0.5, mass = 1.0;    // m, kg
    static constexpr double axial = 0.6, lateral = 0.3;  // kg m^2, as published
    static constexpr double mu = 0.3, gravity = 9.81;    // -, m/s^2

    enum class Positions { with_old_velocity, with_new_velocity };

    // One step: the centre and the energy (J) at its start, forces (N) and the sliding velocity at
    // its end.
    struct Sample {
        std::array<double, 3> centre{};
        double gap = 0.0;
        double normal = 0.0;
        std::array<double, 2> force{}, sliding{};
        double energy = 0.0;

        [[nodiscard]] double sliding_speed() const;
        [[nodiscard]] double normalized_friction() const;  // |force| / (mu normal)
        // Angle from the direction against sliding to the force, degrees.
        [[nodiscard]] double misalignment() const;
    };

    explicit Wheel(double gap = 0.0);  // m, at the start

    // Everything of a step of length h. Stabilized: b_N = gap / h, else 0. Tangents: the world's x
    // and y axes, turned by `angle` about the vertical.
    [[nodiscard]] TimeStep step(double h, bool stabilized, double angle = 0.0) const;
    // To the end of the step, with its velocities and contact impulses along normal and tangents.
    Sample advance(const TimeStep& step, const std::vector<double>& velocity, const double* impulse,
                   Positions positions);
    [[nodiscard]] double gap() const;
    [[nodiscard]] double heading() const { return q_[3]; }  // psi
    // Along the world's x and y axes, m/s.
    [[nodiscard]] std::array<double, 2> sliding() const;

private:
    [[nodiscard]] std::array<std::vector<double>, 2> sliding_rows() const;
    [[nodiscard]] std::vector<double> mass_times(const std::vector<double>& v) const;
    [[nodiscard]] std::vector<double> applied() const;
    [[nodiscard]] double energy() const;

    std::vector<double> q_, v_;
};

// Every `keep`-th of the steps of length h under the exact law, with the old velocity for
// positions. Throws std::runtime_error if a step has no solution.
std::vector<Wheel::Sample> wheel_under_coulomb(double h, int64_t steps, int64_t keep,
                                               StepCount& count);

}  // namespace perp::scenes
