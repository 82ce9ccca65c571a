// perp in DART.
#include <gtest/gtest.h>

#include <dart/collision/collision.hpp>
#include <dart/constraint/constraint.hpp>
#include <dart/dynamics/dynamics.hpp>
#include <dart/simulation/simulation.hpp>

#include "hosts/dart.hpp"

namespace perp::test {
namespace {

using dart::dynamics::BodyNode;
using dart::dynamics::Skeleton;
using dart::dynamics::SkeletonPtr;

// Counts what comes after perp: DART's secondary solver.
class Counting : public dart::constraint::BoxedLcpSolver {
public:
    const std::string& getType() const override {
        static const std::string type = "Counting";
        return type;
    }
    bool solve(int, double*, double*, double*, int, double*, double*, int*, bool) override {
        ++calls;
        return false;
    }
#ifndef NDEBUG
    bool canSolve(int, const double*) override { return true; }
#endif
    int calls = 0;
};

SkeletonPtr box(const std::string& name, const Eigen::Vector3d& size, double mass,
                const Eigen::Vector3d& centre) {
    SkeletonPtr skeleton = Skeleton::create(name);
    BodyNode* body = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>().second;
    auto shape = std::make_shared<dart::dynamics::BoxShape>(size);
    auto* node =
        body->createShapeNodeWith<dart::dynamics::VisualAspect, dart::dynamics::CollisionAspect,
                                  dart::dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(0.7);
    dart::dynamics::Inertia inertia;
    inertia.setMass(mass);
    inertia.setMoment(shape->computeInertia(mass));
    body->setInertia(inertia);
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation() = centre;
    dart::dynamics::FreeJoint::setTransformOf(body, at);
    return skeleton;
}

SkeletonPtr ground() {
    SkeletonPtr skeleton = Skeleton::create("ground");
    BodyNode* body = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
    auto shape = std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d(50, 50, 1));
    auto* node =
        body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
            shape);
    node->getDynamicsAspect()->setFrictionCoeff(0.7);
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.translation().z() = -0.5;
    body->getParentJoint()->setTransformFromParentBodyNode(at);
    return skeleton;
}

struct World {
    World() : world(dart::simulation::World::create()) {
        world->setConstraintSolver(
            std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(perp, secondary));
        world->getConstraintSolver()->setCollisionDetector(
            dart::collision::DARTCollisionDetector::create());
        world->setGravity(Eigen::Vector3d(0, 0, -9.81));
        world->setTimeStep(0.002);
        world->addSkeleton(ground());
    }
    void add(const SkeletonPtr& skeleton) {
        world->addSkeleton(skeleton);
        starts.push_back(height(skeleton));
        boxes.push_back(skeleton);
    }
    static double height(const SkeletonPtr& skeleton) {
        return skeleton->getBodyNode(0)->getTransform().translation().z();
    }
    [[nodiscard]] double sunk() const {
        double worst = 0.0;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            worst = std::max(worst, std::abs(height(boxes[i]) - starts[i]));
        return worst;
    }

    std::shared_ptr<hosts::DartBoxedLcpSolver> perp = std::make_shared<hosts::DartBoxedLcpSolver>();
    std::shared_ptr<Counting> secondary = std::make_shared<Counting>();
    dart::simulation::WorldPtr world;
    std::vector<SkeletonPtr> boxes;
    std::vector<double> starts;
};

// Where DART's own Dantzig solver writes "s <= 0".
TEST(Dart, AWallStandsInSilence) {
    World w;
    for (int j = 0; j < 4; ++j)
        for (int i = 0; i < 4; ++i)
            w.add(box("box" + std::to_string(j) + std::to_string(i), {1, 0.5, 0.5}, 1.0,
                      {1.0 * i, 0, 0.25 + 0.5 * j}));
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    for (int i = 0; i < 500; ++i) w.world->step();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(w.secondary->calls, 0) << w.perp->failure();
    EXPECT_LT(w.sunk(), 2e-3);
}

TEST(Dart, ABoxSlidesAndStops) {
    World w;
    w.add(box("box", {1, 1, 0.2}, 1.0, {0, 0, 0.1}));
    w.boxes[0]->getJoint(0)->setVelocity(3, 2.0);
    for (int i = 0; i < 500; ++i) w.world->step();
    const double x = w.boxes[0]->getBodyNode(0)->getTransform().translation().x();
    EXPECT_NEAR(x, 4.0 / (2 * 0.7 * 9.81), 0.02);
    EXPECT_EQ(w.secondary->calls, 0) << w.perp->failure();
}

// One row of almost no effective mass (dartsim/dart issue 3384): finite or refused.
TEST(Dart, NearZeroEffectiveMassIsFiniteOrRefused) {
    hosts::DartBoxedLcpSolver solver;
    for (const double mass : {1e-300, 1e-30, 1e-16, 1e-9, 0.0}) {
        double A[] = {mass}, x[] = {0.0}, b[] = {1.0};
        double lo[] = {0.0}, hi[] = {std::numeric_limits<double>::infinity()};
        int findex[] = {-1};
        const bool solved = solver.solve(1, A, x, b, 0, lo, hi, findex);
        EXPECT_TRUE(std::isfinite(x[0])) << mass;
        EXPECT_NEAR(mass * x[0], solved ? 1.0 : 0.0, 1e-6) << mass;
        EXPECT_EQ(solved, mass == 1e-9) << mass;
    }
}

// Padded rows, friction indices, and bounds that b asks for.
TEST(Dart, FrictionIndicesAndStride) {
    hosts::DartBoxedLcpSolver solver;
    double A[3 * 4] = {2, 0, 0, 99, 0, 1, 0, 99, 0, 0, 1, 99};
    double x[3] = {}, b[3] = {4, 5, -0.25};
    double lo[3] = {0, -0.5, -0.5}, hi[3] = {std::numeric_limits<double>::infinity(), 0.5, 0.5};
    int findex[3] = {-1, 0, 0};
    ASSERT_TRUE(solver.solve(3, A, x, b, 0, lo, hi, findex)) << solver.failure();
    EXPECT_NEAR(x[0], 2.0, 1e-8);
    EXPECT_NEAR(x[1], 1.0, 1e-8);  // mu x[0]
    EXPECT_NEAR(x[2], -0.25, 1e-8);
}

}  // namespace
}  // namespace perp::test
