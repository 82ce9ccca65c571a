// The rigid-body world of the experiments: contact geometry, rotation, motion.
#include "world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mechanism.hpp"

namespace {

using namespace perp::scenes;

void expect_near(Vec3 a, Vec3 b, double tolerance) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

RigidBody sphere_at(Vec3 position, double radius = 1.0) {
    RigidBody body = solid_sphere(radius, 1000.0);
    body.position = position;
    return body;
}

RigidBody box_at(Vec3 position, Vec3 half = {1.0, 1.0, 1.0}) {
    RigidBody body = solid_box(half, 1000.0);
    body.position = position;
    return body;
}

std::vector<TouchPoint> points_of(const RigidBody& a, const RigidBody& b, double margin = 0.1) {
    std::vector<TouchPoint> points;
    touch(a, b, margin, points);
    return points;
}

// ------------------------------------------------------------------ rotation

TEST(Rotation, ExponentialMap) {
    for (const double angle : {1e-9, 0.3, 1.7, 6.0, 40.0}) {
        const Quaternion q = exponential({0.0, 0.6 * angle, 0.8 * angle});
        EXPECT_NEAR(q.w, std::cos(0.5 * angle), 1e-14);
        EXPECT_EQ(q.x, 0.0);
        EXPECT_NEAR(q.y, 0.6 * std::sin(0.5 * angle), 1e-14);
        EXPECT_NEAR(q.z, 0.8 * std::sin(0.5 * angle), 1e-14);
    }
}

TEST(Rotation, AxesTurnCounterclockwise) {
    const Axes axes = axes_of(exponential({0.0, 0.0, std::acos(0.0)}));
    expect_near(axes[0], {0.0, 1.0, 0.0}, 1e-15);
    expect_near(axes[1], {-1.0, 0.0, 0.0}, 1e-15);
    const Vec3 v{1.0, 2.0, 3.0};
    expect_near(to_body(axes, to_world(axes, v)), v, 1e-15);
}

// ------------------------------------------------------------------ contacts

TEST(Touch, Spheres) {
    const auto points = points_of(sphere_at({0.0, 0.0, 2.05}), sphere_at({0.0, 0.0, 0.0}));
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(points[0].gap, 0.05, 1e-15);
    expect_near(points[0].normal, {0.0, 0.0, 1.0}, 0.0);
    expect_near(points[0].point, {0.0, 0.0, 1.025}, 1e-15);
    EXPECT_TRUE(points_of(sphere_at({0.0, 0.0, 2.1}), sphere_at({}), 0.05).empty());
}

TEST(Touch, SphereOnFaceEdgeAndCornerOfABox) {
    const RigidBody box = box_at({});
    const auto face = points_of(sphere_at({0.5, 0.2, 1.45}, 0.5), box);
    ASSERT_EQ(face.size(), 1U);
    EXPECT_NEAR(face[0].gap, -0.05, 1e-15);
    expect_near(face[0].normal, {0.0, 0.0, 1.0}, 0.0);
    const auto edge = points_of(sphere_at({1.3, 0.0, 1.4}, 0.5), box);
    ASSERT_EQ(edge.size(), 1U);
    EXPECT_NEAR(edge[0].gap, 0.0, 1e-15);
    expect_near(edge[0].normal, {0.6, 0.0, 0.8}, 1e-15);
    const auto corner = points_of(sphere_at({1.2, 1.2, 1.1}, 0.3), box);
    ASSERT_EQ(corner.size(), 1U);
    EXPECT_NEAR(corner[0].gap, 0.0, 1e-15);
    // Centre inside: out through the nearest face. Box first: the normal turns round.
    const auto inside = points_of(box, sphere_at({0.0, -0.9, 0.0}, 0.5));
    ASSERT_EQ(inside.size(), 1U);
    EXPECT_NEAR(inside[0].gap, -0.6, 1e-15);
    expect_near(inside[0].normal, {0.0, 1.0, 0.0}, 0.0);
}

TEST(Touch, CornersOfABoxOnAHalfSpace) {
    RigidBody box = box_at({0.0, 0.0, 1.02});
    std::vector<TouchPoint> points;
    touch(box, HalfSpace{}, 0.1, points);
    ASSERT_EQ(points.size(), 4U);
    for (const TouchPoint& point : points) {
        EXPECT_NEAR(point.gap, 0.02, 1e-15);
        EXPECT_NEAR(point.point.z, 0.01, 1e-15);
    }
    box.orientation = exponential({0.0, 0.1, 0.0});  // two corners go down
    points.clear();
    touch(box, HalfSpace{}, 0.1, points);
    EXPECT_EQ(points.size(), 2U);
}

std::vector<std::pair<double, double>> places(const std::vector<TouchPoint>& points) {
    std::vector<std::pair<double, double>> result;
    for (const TouchPoint& p : points)
        result.emplace_back(std::round(1e9 * p.point.x) * 1e-9 + 0.0,
                            std::round(1e9 * p.point.y) * 1e-9 + 0.0);
    std::sort(result.begin(), result.end());
    return result;
}

TEST(Touch, FacesOfBoxes) {
    using Places = std::vector<std::pair<double, double>>;
    const RigidBody lower = box_at({});
    const auto equal = points_of(box_at({0.0, 0.0, 2.01}), lower);
    ASSERT_EQ(equal.size(), 4U);
    for (const TouchPoint& point : equal) {
        EXPECT_NEAR(point.gap, 0.01, 1e-14);
        expect_near(point.normal, {0.0, 0.0, 1.0}, 1e-15);
        EXPECT_NEAR(point.point.z, 1.005, 1e-14);
    }
    EXPECT_EQ(places(equal), (Places{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}}));
    const auto shifted = points_of(box_at({1.25, 0.5, 1.99}), lower);
    EXPECT_EQ(places(shifted), (Places{{0.25, -0.5}, {0.25, 1}, {1, -0.5}, {1, 1}}));
    const auto small = points_of(box_at({0.5, 0.0, 1.25}, {0.25, 0.25, 0.25}), lower);
    EXPECT_EQ(places(small), (Places{{0.25, -0.25}, {0.25, 0.25}, {0.75, -0.25}, {0.75, 0.25}}));
    // The normal points from the second to the first, whatever the order.
    const auto swapped = points_of(lower, box_at({0.5, 0.0, 1.25}, {0.25, 0.25, 0.25}));
    ASSERT_EQ(swapped.size(), 4U);
    expect_near(swapped[0].normal, {0.0, 0.0, -1.0}, 1e-15);
    EXPECT_TRUE(points_of(box_at({2.05, 2.05, 2.05}), lower).empty());
}

TEST(Touch, TurnedBoxKeepsFourPointsOfEight) {
    RigidBody upper = box_at({0.0, 0.0, 2.0});
    upper.orientation = exponential({0.0, 0.0, 0.25 * std::acos(-1.0)});
    const auto points = points_of(upper, box_at({}));
    ASSERT_EQ(points.size(), 4U);
    for (const TouchPoint& p : points)
        EXPECT_NEAR(std::max(std::abs(p.point.x), std::abs(p.point.y)), 1.0, 1e-12);
}

TEST(Touch, CrossedEdges) {
    RigidBody lower = box_at({}), upper = box_at({0.3, 0.2, 2.0 * std::sqrt(2.0) + 0.01});
    const double quarter = 0.25 * std::acos(-1.0);
    lower.orientation = exponential({quarter, 0.0, 0.0});  // an edge along x on top
    upper.orientation = exponential({0.0, quarter, 0.0});  // one along y at the bottom
    const auto points = points_of(upper, lower);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_NEAR(points[0].gap, 0.01, 1e-14);
    expect_near(points[0].normal, {0.0, 0.0, 1.0}, 1e-14);
    expect_near(points[0].point, {0.3, 0.0, std::sqrt(2.0) + 0.005}, 1e-14);
}

// ------------------------------------------------------------------ the world

TEST(World, ContactsKeepTheirIdsAndHaveDifferentOnes) {
    WorldDef def;
    def.margin = 0.05;
    World world(def);
    world.add(HalfSpace{});
    world.add(box_at({0.0, 0.0, 1.0}));
    world.add(box_at({0.5, 0.2, 3.0}));
    world.add(sphere_at({0.0, 0.0, 4.5}, 0.5));
    const auto ids = [&] {
        std::set<int64_t> result;
        for (const ContactPoint& contact : world.find_contacts()) result.insert(contact.id);
        return result;
    };
    const std::set<int64_t> before = ids();
    EXPECT_EQ(before.size(), 9U);
    EXPECT_EQ(world.find_contacts().size(), 9U);
    world.body(1).orientation = exponential({1e-4, -2e-4, 1e-3});
    world.body(1).position.x += 1e-3;
    EXPECT_EQ(ids(), before);
}

TEST(World, PositiveNormalVelocityOpens) {
    World world{WorldDef{}};
    world.add(sphere_at({0.0, 0.0, 0.0}));
    world.add(sphere_at({0.0, 1.2, 1.6}));
    const auto contacts = world.find_contacts();
    ASSERT_EQ(contacts.size(), 1U);
    EXPECT_EQ(contacts[0].a, 1);
    EXPECT_EQ(contacts[0].b, 0);
    const TimeStep problem = world.problem(contacts);
    double opening = 0.0;  // body 1 flies up
    for (std::size_t k = 0; k < problem.N.value.size(); ++k) {
        if (problem.N.col[k] == 8) opening += problem.N.value[k];
    }
    EXPECT_NEAR(opening, 0.8, 1e-15);
}

TEST(World, ClosingPairsAreContactsFromFarther) {
    World world{WorldDef{}};
    world.add(HalfSpace{});
    const int64_t ball = world.add(sphere_at({0.0, 0.0, 1.01}));
    EXPECT_TRUE(world.find_contacts().empty());
    world.body(ball).velocity = {0.0, 0.0, -20.0};
    EXPECT_EQ(world.find_contacts().size(), 1U);
}

TEST(World, BodiesFarApartAreNoBurden) {
    World world{WorldDef{}};
    for (const double x : {-1e6, 0.0, 1.9999, 1e6}) world.add(sphere_at({x, x, x}));
    world.body(2).position = {1.9999, 0.0, 0.0};
    EXPECT_EQ(world.find_contacts().size(), 1U);
}

TEST(World, FreeBodyKeepsMomentaAndNearlyItsEnergy) {
    WorldDef def;
    def.gravity = {};
    World world(def);
    RigidBody body = solid_box({0.1, 0.2, 0.3}, 1000.0);
    body.velocity = {1.0, -2.0, 0.5};
    body.spin = {0.1, 3.0, 0.2};  // about the axis that is not stable
    world.add(body);
    const Vec3 linear = world.linear_momentum(), angular = world.angular_momentum();
    const double energy = world.kinetic_energy();
    double flipped = 1.0;
    for (int64_t step = 0; step < 10000; ++step) {
        world.step();
        flipped = std::min(flipped, axes_of(world.bodies()[0].orientation)[1].y);
    }
    expect_near(world.linear_momentum(), linear, 1e-10 * length(linear));
    expect_near(world.angular_momentum(), angular, 1e-10 * length(angular));
    EXPECT_NEAR(world.kinetic_energy(), energy, 1e-2 * energy);
    EXPECT_LT(flipped, -0.9);
}

TEST(World, SphereFallsAndRests) {
    for (const char* model : {"cone", "coulomb", "polygon", "box", "bristle"}) {
        WorldDef def;
        def.friction.model = model_of(model);
        def.settings.tolerance = 1e-10;
        World world(def);
        world.add(HalfSpace{});
        world.add(sphere_at({0.0, 0.0, 0.15}, 0.1));
        for (int64_t step = 0; step < 200; ++step) {
            EXPECT_EQ(world.step().info.outcome, PERP_SOLVED);
        }
        expect_near(world.bodies()[0].position, {0.0, 0.0, 0.1}, 1e-9);
        expect_near(world.bodies()[0].velocity, {}, 1e-9);
        ASSERT_EQ(world.impulses().size(), 3U);
        EXPECT_NEAR(world.impulses()[0], def.h * 9.81 * world.bodies()[0].mass, 1e-9);
    }
}

TEST(World, DrivePushesUpToItsForce) {
    WorldDef def;
    def.gravity = {};
    def.settings.tolerance = 1e-12;
    World world(def);
    const int64_t body = world.add(sphere_at({}, 0.1));
    VelocityRow drive{body};
    drive.target = 0.1;
    drive.lo = -5.0;
    drive.hi = 5.0;
    world.add(drive);
    world.step();
    const double mass = world.bodies()[0].mass;
    EXPECT_NEAR(world.bodies()[0].velocity.x, def.h * 5.0 / mass, 1e-12);
    for (int64_t step = 0; step < 200; ++step) world.step();
    EXPECT_NEAR(world.bodies()[0].velocity.x, 0.1, 1e-12);
}

TEST(World, PendulumKeepsItsJoint) {
    WorldDef def;
    def.settings.tolerance = 1e-10;
    World world(def);
    const int64_t rod = world.add(box_at({0.5, 0.0, 1.0}, {0.5, 0.05, 0.05}));
    world.add(BallJoint{rod, ground, {-0.5, 0.0, 0.0}, {0.0, 0.0, 1.0}});
    const double energy = world.kinetic_energy() + world.potential_energy();
    for (int64_t step = 0; step < 300; ++step) {
        world.step();
        const RigidBody& body = world.bodies()[0];
        const Vec3 end = body.position + to_world(axes_of(body.orientation), {-0.5, 0.0, 0.0});
        expect_near(end, {0.0, 0.0, 1.0}, 1e-5);
    }
    EXPECT_LT(world.bodies()[0].position.z, 0.8);
    EXPECT_NEAR(world.kinetic_energy() + world.potential_energy(), energy,
                1e-2 * world.kinetic_energy());
}

}  // namespace
