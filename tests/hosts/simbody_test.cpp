// perp in Simbody: scenes of the time stepper.
#include <gtest/gtest.h>

#include <cmath>

#include "hosts/simbody.hpp"
#include "simbody_scene.hpp"

namespace perp::test {
namespace {

constexpr double slow = 1e-3;

TEST(SimbodySteps, ABrickSlidesAndStops) {
    Scene scene;
    const double mu = 0.5, speed = 2.0, h = 0.002;
    auto& brick = scene.brick(scene.matter.Ground(), 0.0, mu);
    auto* solver = new hosts::SimbodyImpulseSolver(slow);
    scene.start(solver, [&](SimTK::State& s) {
        brick.setQToFitTranslation(s, Vec3(0, 0, Scene::half));
        brick.setUToFitLinearVelocity(s, Vec3(0.6 * speed, 0.8 * speed, 0));
    });
    scene.step(300, h);
    const double distance = speed * speed / (2.0 * mu * Scene::g) - 0.5 * speed * h;
    EXPECT_NEAR(scene.at(0)[0], 0.6 * distance, 1e-4);
    EXPECT_NEAR(scene.at(0)[1], 0.8 * distance, 1e-4);
    EXPECT_NEAR(scene.at(0)[2], Scene::half, 1e-4);
    EXPECT_LT(scene.stepper->getState().getU().normInf(), 1e-6);
    EXPECT_EQ(solver->refusals(), 0) << solver->failure();
}

TEST(SimbodySteps, AStackStands) {
    Scene scene;
    for (int k = 0; k < 4; ++k) {
        if (k == 0)
            scene.brick(scene.matter.Ground(), 0.0, 0.5);
        else
            scene.brick(*scene.bricks.back(), Scene::half, 0.5);
    }
    auto* solver = new hosts::SimbodyImpulseSolver(slow);
    scene.start(solver, [&](SimTK::State& s) {
        for (std::size_t k = 0; k < 4; ++k)
            scene.bricks[k]->setQToFitTranslation(
                s, Vec3(0.01 * static_cast<double>(k), 0, Scene::height(k)));
    });
    scene.step(300, 0.005);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(scene.at(k)[2], Scene::height(k), 1e-3);
        EXPECT_NEAR(scene.at(k)[0], 0.01 * static_cast<double>(k), 1e-3);
    }
    EXPECT_EQ(solver->refusals(), 0) << solver->failure();
}

// Restitution: Poisson's expansion impulse, then flight.
TEST(SimbodySteps, ABrickBounces) {
    Scene scene;
    auto& brick = scene.brick(scene.matter.Ground(), 0.0, 0.5, 0.5);
    auto* solver = new hosts::SimbodyImpulseSolver(slow);
    scene.start(solver, [&](SimTK::State& s) {
        brick.setQToFitTranslation(s, Vec3(0, 0, Scene::half));
        brick.setUToFitLinearVelocity(s, Vec3(1.0, 0, -2.0));
    });
    const double h = 0.001;
    scene.step(1, h);
    const Vec3 v = brick.getBodyOriginVelocity(scene.stepper->getState());
    EXPECT_NEAR(v[2], 1.0 - Scene::g * h, 1e-6);
    EXPECT_EQ(solver->refusals(), 0) << solver->failure();
}

// A ball on a rope: the period of a pendulum, and the length of the rope. The stepper of 3.7 hands
// no unconditional constraints to any solver, so that a taut rope is what it has of joints.
TEST(SimbodySteps, APendulumSwings) {
    Scene scene;
    const double length = 1.0, angle = 0.1;
    const SimTK::Body::Rigid ball(
        SimTK::MassProperties(1.0, Vec3(0), SimTK::UnitInertia::sphere(0.01)));
    SimTK::MobilizedBody::Translation body(scene.matter.Ground(), SimTK::Transform(), ball,
                                           SimTK::Transform());
    scene.matter.adoptUnilateralContact(
        new SimTK::Rope(scene.matter.Ground(), Vec3(0), body, Vec3(0), length, 0.0));
    auto* solver = new hosts::SimbodyImpulseSolver(slow);
    scene.start(solver, [&](SimTK::State& s) {
        body.setQToFitTranslation(s, length * Vec3(std::sin(angle), 0, -std::cos(angle)));
    });
    const double h = 0.001;
    const double period =
        2.0 * SimTK::Pi * std::sqrt(length / Scene::g) * (1.0 + angle * angle / 16.0);
    double crossed = 0.0, before = angle;
    int crossings = 0;
    while (crossings < 3 && scene.stepper->getTime() < 3.0 * period) {
        scene.step(1, h);
        scene.system.realize(scene.stepper->getState(), SimTK::Stage::Position);
        const Vec3 x = body.getBodyOriginLocation(scene.stepper->getState());
        EXPECT_NEAR(x.norm(), length, 1e-3);
        if (x[0] * before < 0.0) {
            ++crossings;
            crossed = scene.stepper->getTime();
        }
        before = x[0];
    }
    EXPECT_NEAR(crossed, 1.25 * period, 5e-3);
    EXPECT_EQ(solver->refusals(), 0) << solver->failure();
}

// A door falls onto its hard stop and stays there.
TEST(SimbodySteps, AJointStops) {
    Scene scene;
    const SimTK::Body::Rigid door(
        SimTK::MassProperties(1.0, Vec3(0, 0, -0.5),
                              SimTK::UnitInertia::sphere(0.1).shiftFromCentroid(Vec3(0, 0, -0.5))));
    SimTK::MobilizedBody::Pin pin(
        scene.matter.Ground(), SimTK::Transform(SimTK::Rotation(SimTK::Pi / 2, SimTK::XAxis)), door,
        SimTK::Transform(SimTK::Rotation(SimTK::Pi / 2, SimTK::XAxis)));
    scene.matter.adoptUnilateralContact(
        new SimTK::HardStopLower(pin, SimTK::MobilizerQIndex(0), 0.3, 0.0));
    auto* solver = new hosts::SimbodyImpulseSolver(slow);
    scene.start(solver, [&](SimTK::State& s) { pin.setAngle(s, 1.0); });
    scene.step(1000, 0.002);
    EXPECT_NEAR(pin.getAngle(scene.stepper->getState()), 0.3, 1e-3);
    EXPECT_NEAR(pin.getRate(scene.stepper->getState()), 0.0, 1e-6);
    EXPECT_EQ(solver->refusals(), 0) << solver->failure();
}

// Two bricks on each other, thrown: velocities of the whole system after a time.
SimTK::Vector thrown(ImpulseSolver* solver, const Scene::Feet& feet, double spin) {
    const double h = 0.002;
    Scene scene;
    scene.brick(scene.matter.Ground(), 0.0, 0.3, 0.0, feet);
    scene.brick(*scene.bricks.back(), Scene::half, 0.6, 0.0, feet);
    scene.start(solver, [&](SimTK::State& s) {
        for (std::size_t k = 0; k < 2; ++k) {
            scene.bricks[k]->setQToFitTranslation(s, Vec3(0, 0, Scene::height(k)));
            scene.bricks[k]->setUToFitLinearVelocity(s, Vec3(1.5, 0.5, 0));
            scene.bricks[k]->setUToFitAngularVelocity(s, Vec3(0, 0, spin));
        }
    });
    scene.step(100, h);
    return scene.stepper->getState().getU();
}

// On three feet impulses are unique, and friction turns the bricks in one way only.
TEST(SimbodySteps, MovesAsWithPlus) {
    const Scene::Feet three = {{0.2, 0.0}, {-0.1, 0.2}, {-0.1, -0.2}};
    for (const double spin : {0.0, 2.0}) {
        const SimTK::Vector ours = thrown(new hosts::SimbodyImpulseSolver(slow), three, spin);
        const SimTK::Vector plus = thrown(new SimTK::PLUSImpulseSolver(slow), three, spin);
        EXPECT_GT(ours.norm(), 0.5);
        EXPECT_LT((ours - plus).normInf(), 1e-3) << ours << plus;
    }
}

// On four feet by symmetry; on three, PGS turns the bricks: see
// FrictionIsAgainstTheSlidingWherePgsIsNot.
TEST(SimbodySteps, MovesAsWithPgs) {
    auto* pgs = new SimTK::PGSImpulseSolver(slow);
    pgs->setMaxIterations(2000);
    const SimTK::Vector theirs = thrown(pgs, Scene::corners(), 0.0);
    const SimTK::Vector ours = thrown(new hosts::SimbodyImpulseSolver(slow), Scene::corners(), 0.0);
    EXPECT_GT(ours.norm(), 0.5);
    EXPECT_LT((ours - theirs).normInf(), 1e-3) << ours << theirs;
}

}  // namespace
}  // namespace perp::test
