// Stacks and walls of boxes in Bullet, with any constraint solver.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "btBulletDynamicsCommon.h"

namespace perp::test {

class BulletScene {
public:
    explicit BulletScene(btSequentialImpulseConstraintSolver& solver)
        : dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver, &configuration_) {
        world_.setGravity(btVector3(0, 0, btScalar(-9.81)));
        world_.getSolverInfo().m_minimumSolverBatchSize = 1;
        const btVector3 half(50, 50, 1);
        add(half, 0, btVector3(0, 0, -1));
    }
    ~BulletScene() {
        for (const auto& body : bodies_) world_.removeRigidBody(body.get());
    }
    BulletScene(const BulletScene&) = delete;
    BulletScene& operator=(const BulletScene&) = delete;

    btRigidBody& add_box(const btVector3& half, btScalar mass, const btVector3& centre) {
        starts_.push_back(centre);
        boxes_.push_back(&add(half, mass, centre));
        return *boxes_.back();
    }
    // Boxes of 1 m and 1 kg on top of each other.
    void add_stack(int height) {
        for (int i = 0; i < height; ++i)
            add_box(btVector3(0.5, 0.5, 0.5), 1, btVector3(0, 0, btScalar(0.5) + btScalar(i)));
    }
    // Bricks of 1 x 0.5 x 0.5 m in rows that overlap by half, with half bricks at the ends.
    void add_wall(int width, int height) {
        const btVector3 half(0.5, 0.25, 0.25), quarter(0.25, 0.25, 0.25);
        for (int j = 0; j < height; ++j) {
            const btScalar z = btScalar(0.25) + btScalar(0.5) * btScalar(j);
            const bool shifted = j % 2 == 1;
            const btScalar first = shifted ? btScalar(0.5) : btScalar(0);
            for (int i = 0; i < width - (shifted ? 1 : 0); ++i)
                add_box(half, 1, btVector3(first + btScalar(i), 0, z));
            if (!shifted) continue;
            add_box(quarter, btScalar(0.5), btVector3(btScalar(-0.25), 0, z));
            add_box(quarter, btScalar(0.5), btVector3(btScalar(width) - btScalar(0.75), 0, z));
        }
    }

    // Seconds that it took.
    double step(int count) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) world_.stepSimulation(btScalar(1) / 60, 0);
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    btDiscreteDynamicsWorld& world() { return world_; }
    const std::vector<btRigidBody*>& boxes() const { return boxes_; }
    // Largest distance, m, of a box's height from that at its start.
    double sunk() const {
        double worst = 0.0;
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            worst = std::max(worst, std::abs(double(height(i)) - double(starts_[i].z())));
        return worst;
    }
    btScalar height(std::size_t box) const {
        return boxes_[box]->getWorldTransform().getOrigin().z();
    }

private:
    btRigidBody& add(const btVector3& half, btScalar mass, const btVector3& centre) {
        shapes_.push_back(std::make_unique<btBoxShape>(half));
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shapes_.back()->calculateLocalInertia(mass, inertia);
        btTransform at;
        at.setIdentity();
        at.setOrigin(centre);
        states_.push_back(std::make_unique<btDefaultMotionState>(at));
        btRigidBody::btRigidBodyConstructionInfo info(mass, states_.back().get(),
                                                      shapes_.back().get(), inertia);
        info.m_friction = btScalar(0.7);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
        world_.addRigidBody(bodies_.back().get());
        return *bodies_.back();
    }

    std::vector<std::unique_ptr<btBoxShape>> shapes_;
    std::vector<std::unique_ptr<btDefaultMotionState>> states_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<btRigidBody*> boxes_;
    std::vector<btVector3> starts_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btDiscreteDynamicsWorld world_;
};

}  // namespace perp::test
