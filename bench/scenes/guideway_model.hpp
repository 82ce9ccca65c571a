// A carriage on two rows of balls (Tasora and Anitescu 2013, section 6.2), idealized: flat
// raceways, each ball touches rail and carriage along one normal, compliant contacts by Hertz, no
// gravity, the load pressing down. The two rows below the rail, which carry nothing, are left out.
//
// Bodies: carriage, then balls; velocities in world axes, linear then angular. x is along the rail.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanism.hpp"
#include "vec3.hpp"

namespace perp::scenes {

struct GuidewayOptions {
    bool inclined = false;  // contact normals at 45 degrees to the vertical, else vertical
    double rolling = 0.0;   // m: rolling and spinning length
    double seal = 0.0;      // N: largest friction force of the seal; 0: none
    bool driven = true;     // at `speed`, else free under `push`
    double speed = 0.1;     // m/s
    double push = 0.0;      // N, along the rail
};

class Guideway {
public:
    static constexpr double ball_radius = 3.2e-3, load = 490.0, published_seal = 5.3;  // m, N, N
    static constexpr double carriage_mass = 1.0;                                       // kg
    static constexpr double h = 1e-3;                                                  // s
    static constexpr int64_t balls_in_row = 9, rows = 2, balls = balls_in_row * rows;
    static constexpr int64_t contacts = 2 * balls;  // with the rail and with the carriage, by balls

    explicit Guideway(const GuidewayOptions& options);

    // Throws CallFailed.
    void advance();

    [[nodiscard]] double carriage_speed() const { return v_[0]; }    // m/s
    [[nodiscard]] double drive_force() const { return drive_; }      // N, of the last step
    [[nodiscard]] double normal_forces() const { return normals_; }  // N, all balls, once each
    [[nodiscard]] Stepper& stepper() { return stepper_; }

private:
    void add_contacts(int64_t ball, Vec3 centre, Vec3 normal);

    GuidewayOptions options_;
    TimeStep step_;
    std::vector<double> mass_, v_, force_, gap_;
    SystemHandle system_;
    Stepper stepper_;
    double drive_ = 0.0, normals_ = 0.0;
};

}  // namespace perp::scenes
