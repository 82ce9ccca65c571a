// perp in Bullet, in the precision of the Bullet that this is compiled for.
#include <gtest/gtest.h>

#include "BulletDynamics/MLCPSolvers/btDantzigSolver.h"
#include "bullet_scene.hpp"
#include "hosts/bullet.hpp"

namespace perp::test {
namespace {

constexpr bool single = sizeof(btScalar) == 4;

// Bullet's own Dantzig solver gives up in such scenes, and they sink.
template <class Build>
void expect_to_stand(btMLCPSolver& solver, const Build& build) {
    BulletScene scene(solver);
    build(scene);
    scene.step(600);
    EXPECT_EQ(solver.getNumFallbacks(), 0);
    EXPECT_LT(scene.sunk(), 1e-3);
}

class Stacks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Boxes, Stacks, testing::Values(1, 5, 10, 20));

TEST_P(Stacks, StandByTheirMatrices) {
    hosts::BulletMlcpSolver mlcp;
    btMLCPSolver solver(&mlcp);
    expect_to_stand(solver, [](BulletScene& scene) { scene.add_stack(GetParam()); });
    EXPECT_EQ(mlcp.info().outcome, PERP_SOLVED);
    EXPECT_EQ(mlcp.failure(), "");
}

TEST_P(Stacks, StandByTheirRows) {
    hosts::BulletSparseSolver solver;
    expect_to_stand(solver, [](BulletScene& scene) { scene.add_stack(GetParam()); });
    EXPECT_EQ(solver.info().outcome, PERP_SOLVED);
    EXPECT_EQ(solver.failure(), "");
}

TEST(Wall, StandsByItsRows) {
    hosts::BulletSparseSolver solver;
    expect_to_stand(solver, [](BulletScene& scene) { scene.add_wall(6, 5); });
}

TEST(Bullet, DantzigFallsBackWherePerpDoesNot) {
    btDantzigSolver dantzig;
    btMLCPSolver solver(&dantzig);
    BulletScene scene(solver);
    scene.add_stack(10);
    scene.step(60);
    EXPECT_GT(solver.getNumFallbacks(), 10) << "then these tests prove nothing";
}

// Impulses and velocities of both ways are those of the other.
TEST(Bullet, BothWaysMoveTheSame) {
    hosts::BulletMlcpSolver mlcp;
    btMLCPSolver by_matrix(&mlcp);
    hosts::BulletSparseSolver by_rows;
    BulletScene a(by_matrix), b(by_rows);
    for (BulletScene* scene : {&a, &b}) {
        scene->add_stack(3);
        scene->boxes()[2]->setLinearVelocity(btVector3(1, btScalar(0.3), 0));
        scene->step(20);
    }
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT((a.boxes()[i]->getWorldTransform().getOrigin() -
                   b.boxes()[i]->getWorldTransform().getOrigin())
                      .length(),
                  single ? 1e-2 : 1e-4);
}

// A box that slides with v0 stops after v0^2 / (2 mu g); the friction of Bullet's single row is
// along the velocity. mu is the product of both, 0.49.
TEST(Bullet, FrictionIsMuTimesTheNormalForce) {
    hosts::BulletSparseSolver solver;
    BulletScene scene(solver);
    btRigidBody& box =
        scene.add_box(btVector3(0.5, 0.5, btScalar(0.1)), 1, btVector3(0, 0, btScalar(0.1)));
    box.setLinearVelocity(btVector3(2, 0, 0));
    scene.step(60);
    EXPECT_NEAR(box.getLinearVelocity().length(), 0.0, 1e-3);
    EXPECT_NEAR(box.getWorldTransform().getOrigin().x(), 4.0 / (2 * 0.49 * 9.81), 0.03);
    EXPECT_EQ(solver.getNumFallbacks(), 0);
}

// The speed and height that a motor on a hinge gives to an arm above a base that does not turn.
std::pair<double, double> turned(btSequentialImpulseConstraintSolver& solver) {
    BulletScene scene(solver);
    btRigidBody& base = scene.add_box(btVector3(0.5, 0.5, 0.5), 1, btVector3(0, 0, 0.5));
    btRigidBody& arm = scene.add_box(btVector3(0.25, btScalar(0.1), btScalar(0.1)), btScalar(0.1),
                                     btVector3(0, 0, 2));
    base.setAngularFactor(btVector3(0, 0, 0));
    btHingeConstraint hinge(base, arm, btVector3(0, 0, btScalar(1.5)), btVector3(0, 0, 0),
                            btVector3(0, 0, 1), btVector3(0, 0, 1));
    hinge.enableAngularMotor(true, 2, 10);
    scene.world().addConstraint(&hinge, true);
    scene.step(60);
    scene.world().removeConstraint(&hinge);
    return {arm.getAngularVelocity().z(),
            arm.getWorldTransform().getOrigin().z() - base.getWorldTransform().getOrigin().z()};
}

// Joints come as rows without bounds, motors and limits with them; locked axes have no velocity.
TEST(Bullet, JointsAndMotors) {
    hosts::BulletSparseSolver solver;
    const auto [speed, height] = turned(solver);
    EXPECT_NEAR(std::abs(speed), 2.0, 1e-3);
    EXPECT_NEAR(height, 1.5, 1e-3);
    EXPECT_EQ(solver.getNumFallbacks(), 0);
    btSequentialImpulseConstraintSolver bullets_own;
    EXPECT_NEAR(speed, turned(bullets_own).first, 1e-2);
}

TEST(Bullet, RefusesWhatHasNoAnswer) {
    hosts::BulletMlcpSolver solver;
    btMatrixXu A(1, 1);
    btVectorXu b(1), x(1), lo(1), hi(1);
    btAlignedObjectArray<int> dependency;
    dependency.push_back(-1);
    A.setElem(0, 0, 0);
    b[0] = 1;  // 0 x = 1 + w with a free x
    x[0] = 7;
    lo[0] = -BT_INFINITY;
    hi[0] = BT_INFINITY;
    EXPECT_FALSE(solver.solveMLCP(A, b, x, lo, hi, dependency, 10));
    EXPECT_EQ(x[0], 7);
    EXPECT_NE(solver.failure(), "");
    A.setElem(0, 0, std::numeric_limits<btScalar>::quiet_NaN());
    EXPECT_FALSE(solver.solveMLCP(A, b, x, lo, hi, dependency, 10));
    EXPECT_NE(solver.failure().find("nan"), std::string::npos) << solver.failure();
    A.setElem(0, 0, 2);
    EXPECT_TRUE(solver.solveMLCP(A, b, x, lo, hi, dependency, 10));
    EXPECT_NEAR(x[0], 0.5, 1e-5);
    EXPECT_EQ(solver.failure(), "");
}

}  // namespace
}  // namespace perp::test
