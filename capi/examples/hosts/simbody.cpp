// perp as the impulse solver of Simbody's time stepper: a brick slides over the ground and stops.
// (Debian's Simbody writes a trace of every step to standard output.)
#include <cmath>
#include <cstdio>

#include <Simbody.h>

#include "perp/hosts/simbody.hpp"

int main() {
    using SimTK::Vec3;
    const double mu = 0.5, g = 9.81, speed = 2.0, h = 1e-3;  // m/s^2, m/s, s
    const double wide = 0.2, half = 0.1;                     // m, half of the edges

    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter(system);
    SimTK::GeneralForceSubsystem forces(system);
    SimTK::Force::Gravity gravity(forces, matter, -SimTK::ZAxis, g);
    const SimTK::Body::Rigid body(
        SimTK::MassProperties(2.0, Vec3(0), SimTK::UnitInertia::brick(Vec3(wide, wide, half))));
    SimTK::MobilizedBody::Free brick(matter.Ground(), SimTK::Transform(), body, SimTK::Transform());
    for (const double x : {-wide, wide})
        for (const double y : {-wide, wide})
            matter.adoptUnilateralContact(
                new SimTK::PointPlaneContact(matter.Ground(), SimTK::UnitVec3(SimTK::ZAxis), 0.0,
                                             brick, Vec3(x, y, -half), 0.0, mu, mu, 0.0));

    SimTK::State state = system.realizeTopology();
    system.realizeModel(state);
    brick.setQToFitTranslation(state, Vec3(0, 0, half));
    brick.setUToFitLinearVelocity(state, Vec3(speed, 0, 0));

    SimTK::SemiExplicitEulerTimeStepper stepper(system);
    const double transition_speed = 1e-3;  // m/s: below, static friction
    stepper.setImpulseSolver(new perp::hosts::SimbodyImpulseSolver(transition_speed));
    stepper.initialize(state);
    for (int i = 0; i < 600; ++i) stepper.stepTo(stepper.getTime() + h);

    system.realize(stepper.getState(), SimTK::Stage::Velocity);
    const double way = brick.getBodyOriginLocation(stepper.getState())[0];
    const double left = brick.getBodyOriginVelocity(stepper.getState()).norm();
    const double coulomb = speed * speed / (2 * mu * g);
    std::fprintf(stderr, "slides %.3f m; by Coulomb's law %.3f m\n", way, coulomb);
    return std::abs(way - coulomb) < 0.02 && left < 1e-3 ? 0 : 1;
}
