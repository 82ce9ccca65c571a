// perp as the solver of a Bullet world (double precision: pkg-config bullet-float64): a box at
// rest.
#include <cstdio>

#include "btBulletDynamicsCommon.h"
#include "perp/hosts/bullet.hpp"

int main() {
    perp::hosts::BulletSparseSolver solver;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.getSolverInfo().m_minimumSolverBatchSize = 1;
    btBoxShape shape(btVector3(1, 1, 1));
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &shape));
    btVector3 inertia;
    shape.calculateLocalInertia(1, inertia);
    btRigidBody box(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, &shape, inertia));
    btTransform at = btTransform::getIdentity();
    at.setOrigin(btVector3(0, 2, 0));
    box.setWorldTransform(at);
    world.addRigidBody(&ground);
    world.addRigidBody(&box);
    for (int i = 0; i < 60; ++i) world.stepSimulation(btScalar(1) / 60, 0);
    const double height = box.getWorldTransform().getOrigin().y();
    std::printf("height %.6f m, %d fallbacks\n", height, solver.getNumFallbacks());
    world.removeRigidBody(&box);
    world.removeRigidBody(&ground);
    return height > 1.999 && height < 2.001 && solver.getNumFallbacks() == 0 ? 0 : 1;
}
