// Scenes of Simbody's time stepper for the tests of its adapter.
#ifndef PERP_TESTS_SIMBODY_SCENE_HPP
#define PERP_TESTS_SIMBODY_SCENE_HPP

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include <Simbody.h>

namespace perp::test {

using SimTK::ImpulseSolver;
using SimTK::Vec3;
using Stepper = SimTK::SemiExplicitEulerTimeStepper;

// Debian's Simbody writes a trace of every step: not to the report of the tests.
class Quiet {
public:
    Quiet() {
        flush();
        kept_ = dup(STDOUT_FILENO);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    ~Quiet() {
        flush();
        dup2(kept_, STDOUT_FILENO);
        close(kept_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    static void flush() {
        std::cout.flush();
        std::fflush(stdout);
    }
    int kept_ = -1;
};

// Gravity along -z. Bricks are 0.4 x 0.4 x 0.2 and 1 kg.
struct Scene {
    static constexpr double g = 9.81, half = 0.1, wide = 0.2;
    static double height(std::size_t k) { return half * (1.0 + 2.0 * static_cast<double>(k)); }

    using Feet = std::vector<std::pair<double, double>>;
    static Feet corners() { return {{-wide, -wide}, {-wide, wide}, {wide, -wide}, {wide, wide}}; }
    SimTK::MobilizedBody::Free& brick(SimTK::MobilizedBody& under, double plane, double mu,
                                      double restitution = 0.0, const Feet& feet = corners()) {
        const SimTK::Body::Rigid body(
            SimTK::MassProperties(1.0, Vec3(0), SimTK::UnitInertia::brick(Vec3(wide, wide, half))));
        bricks.push_back(std::make_unique<SimTK::MobilizedBody::Free>(
            matter.Ground(), SimTK::Transform(), body, SimTK::Transform()));
        for (const auto& [x, y] : feet)
            matter.adoptUnilateralContact(new SimTK::PointPlaneContact(
                under, SimTK::UnitVec3(SimTK::ZAxis), plane, *bricks.back(), Vec3(x, y, -half),
                restitution, mu, mu, 0.0));
        return *bricks.back();
    }
    // With the solver given, from here on.
    void start(ImpulseSolver* solver, const std::function<void(SimTK::State&)>& place) {
        const Quiet quiet;
        SimTK::State state = system.realizeTopology();
        system.realizeModel(state);
        place(state);
        stepper = std::make_unique<Stepper>(system);
        stepper->setImpulseSolver(solver);
        stepper->initialize(state);
    }
    void step(int steps, double h) {
        const Quiet quiet;
        for (int i = 0; i < steps; ++i) stepper->stepTo(stepper->getTime() + h);
    }
    [[nodiscard]] Vec3 at(std::size_t k) const {
        system.realize(stepper->getState(), SimTK::Stage::Velocity);
        return bricks[k]->getBodyOriginLocation(stepper->getState());
    }

    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    SimTK::GeneralForceSubsystem forces{system};
    SimTK::Force::Gravity gravity{forces, matter, -SimTK::ZAxis, g};
    std::vector<std::unique_ptr<SimTK::MobilizedBody::Free>> bricks;
    std::unique_ptr<Stepper> stepper;
};

}  // namespace perp::test

#endif  // PERP_TESTS_SIMBODY_SCENE_HPP
