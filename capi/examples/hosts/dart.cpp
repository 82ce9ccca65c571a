// perp as the solver of a DART world: a box slides over the ground and stops.
#include <cmath>
#include <cstdio>
#include <memory>

#include <dart/collision/collision.hpp>
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/dynamics.hpp>
#include <dart/simulation/simulation.hpp>

#include "perp/hosts/dart.hpp"

namespace {

constexpr double friction = 0.5, g = 9.81, speed = 2.0, h = 1e-3;  // m/s^2, m/s, s

template <class Joint>
dart::dynamics::SkeletonPtr box(const char* name, const Eigen::Vector3d& size, double height) {
    auto skeleton = dart::dynamics::Skeleton::create(name);
    auto* body = skeleton->createJointAndBodyNodePair<Joint>().second;
    auto shape = std::make_shared<dart::dynamics::BoxShape>(size);
    body->template createShapeNodeWith<dart::dynamics::CollisionAspect,
                                       dart::dynamics::DynamicsAspect>(shape)
        ->getDynamicsAspect()
        ->setFrictionCoeff(friction);
    dart::dynamics::Inertia inertia;
    inertia.setMass(2.0);
    inertia.setMoment(shape->computeInertia(2.0));
    body->setInertia(inertia);
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation().z() = height;
    body->getParentJoint()->setTransformFromParentBodyNode(at);
    return skeleton;
}

}  // namespace

int main() {
    auto world = dart::simulation::World::create();
    auto perp_solver = std::make_shared<perp::hosts::DartBoxedLcpSolver>();
    world->setConstraintSolver(
        std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(perp_solver));
    world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create());
    world->setGravity({0, 0, -g});
    world->setTimeStep(h);
    world->addSkeleton(box<dart::dynamics::WeldJoint>("ground", {20, 20, 1}, -0.5));
    auto brick = box<dart::dynamics::FreeJoint>("brick", {0.4, 0.4, 0.2}, 0.1);
    brick->setVelocity(3, speed);
    world->addSkeleton(brick);
    for (int i = 0; i < 600; ++i) world->step();
    const double way = brick->getBodyNode(0)->getTransform().translation().x();
    const double coulomb = speed * speed / (2 * friction * g);
    std::printf("slides %.3f m; by Coulomb's law %.3f m\n", way, coulomb);
    return std::abs(way - coulomb) < 0.02 && brick->getVelocities().norm() < 1e-3 ? 0 : 1;
}
