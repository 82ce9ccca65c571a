// Box friction: bounds of each axis, along the caller's axes or the sliding velocity.
#include "friction_support.hpp"

namespace perp::test {
namespace {

FrictionSettings box(FrictionBounds bounds = FrictionBounds::iterated,
                     BoxAxes axes = BoxAxes::given) {
    FrictionSettings s;
    s.model = FrictionModel::box;
    s.bounds = bounds;
    s.axes = axes;
    return s;
}

TEST(BoxStep, EachAxisHasItsBound) {
    for (const Method method : {Method::pivoting, Method::apgd}) {
        FrictionScene s = point({2, 1, 0});
        s.settings = box();
        s.contacts.velocity.clear();  // not needed with given axes
        ContactMemory memory;
        const StepAnswer a = take_step(make_box_step, s, memory, step_solver(method, 1e-12));
        EXPECT_EQ(a.outcome, Outcome::solved);
        EXPECT_LE(distance(a.impulses.D, {-0.004, -0.004}), 1e-13);
        EXPECT_NEAR(a.impulses.N[0], 0.01, 1e-13);
        EXPECT_TRUE(a.converged);
        EXPECT_EQ(memory.find(0)->sliding[0], a.impulses.D[0] / 1e-3);
    }
}

TEST(BoxStep, AxisOneLiesAlongTheSlidingVelocity) {
    FrictionScene s = point({1.2, -1.6, 0});
    s.settings = box(FrictionBounds::iterated, BoxAxes::sliding);
    ContactMemory memory;
    const StepAnswer a = take_step(make_box_step, s, memory);
    EXPECT_LE(distance(a.impulses.D, {-0.0024, 0.0032}), 1e-15);
    // At rest: against the last force, so that a push along it meets mu lambda_N.
    s = point({0, 0, 0});
    s.settings = box(FrictionBounds::iterated, BoxAxes::sliding);
    s.rows.f[0] = 0.12;
    s.rows.f[1] = -0.16;
    const StepAnswer pushed = take_step(make_box_step, s, memory);
    EXPECT_LE(distance(pushed.impulses.D, {-0.0024, 0.0032}), 1e-15);
}

TEST(BoxStep, PreviousBoundsAreThoseOfTheStepBefore) {
    FrictionScene s = point({2, 1, 0});
    s.settings = box(FrictionBounds::previous);
    ContactMemory memory;
    EXPECT_EQ(take_step(make_box_step, s, memory).passes, 2);  // a new contact
    s.rows.f[2] -= 0.01;
    StepAnswer a = take_step(make_box_step, s, memory);
    EXPECT_EQ(a.passes, 1);
    EXPECT_LE(distance(a.impulses.D, {-0.004, -0.004}), 1e-15);
    a = take_step(make_box_step, s, memory);
    EXPECT_LE(distance(a.impulses.D, {-0.008, -0.008}), 1e-15);
    s.contacts.h = 2e-3;  // forces are kept, not impulses
    a = take_step(make_box_step, s, memory);
    EXPECT_LE(distance(a.impulses.D, {-0.016, -0.016}), 1e-15);
    s.contacts.id = {7};  // another contact, with an estimate: frictionless without one
    s.contacts.normal_estimate = {5.0};
    s.settings.passes = 1;
    a = take_step(make_box_step, s, memory);
    EXPECT_LE(distance(a.impulses.D, {-0.004, -0.004}), 1e-15);
}

TEST(BoxStep, RedundantContactsTakeTheCallersCompliance) {
    FrictionScene s = point({0, 0, 0});
    s.N = Dense(2, 3, {0, 0, 1, 0, 0, 1});
    s.D = Dense(4, 3, {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0});
    s.rows.mu = {0.4, 0.4};
    s.rows.f[0] = 1e-3;
    s.settings = box();
    for (const double compliance : {0.0, 1e-6}) {
        s.rows.compliance_N = Vector(2, compliance);
        s.rows.compliance_T = Vector(4, compliance);
        ContactMemory memory;
        const StepAnswer a = take_step(make_box_step, s, memory);
        EXPECT_TRUE(a.converged);
        EXPECT_LE(std::abs(a.v[0]), compliance * 1e-3 + 1e-16);
        EXPECT_NEAR(a.impulses.D[0] + a.impulses.D[2], -1e-3, 1e-8);
        if (compliance > 0.0) {
            EXPECT_NEAR(a.impulses.D[0], a.impulses.D[2], 1e-12);
        }
    }
}

TEST(BoxStep, WithoutContactsOrSlidingRows) {
    FrictionScene s = point({0, 0, 0});
    s.settings = box(FrictionBounds::iterated, BoxAxes::sliding);
    s.D = Dense(0, 3);
    ContactMemory memory;
    EXPECT_NEAR(take_step(make_box_step, s, memory).impulses.N[0], 0.01, 1e-15);
    s.N = Dense(0, 3);
    s.rows.mu.clear();
    s.A = Dense(1, 3, {0, 0, 1});
    EXPECT_NEAR(take_step(make_box_step, s, memory).impulses.A[0], 0.01, 1e-15);
    EXPECT_TRUE(memory.ids().empty());
}

TEST(BoxStep, ErrorsNameTheArgument) {
    const ContactMemory memory;
    const auto fails = [&memory](Status status, const char* part, auto&& change) {
        FrictionScene s = point({1, 0, 0});
        s.settings = box(FrictionBounds::iterated, BoxAxes::sliding);
        change(s);
        EXPECT_FAILS(status, part,
                     make_box_step(s.settings, s.system(), s.rows, s.contacts, memory));
    };
    using S = FrictionScene;
    fails(Status::null_argument, "velocity is missing", [](S& s) { s.contacts.velocity.clear(); });
    fails(Status::unsupported, "compliance_T[0]", [](S& s) { s.rows.compliance_T = {0, 1}; });
    fails(Status::bad_size, "compliance_T has 1", [](S& s) { s.rows.compliance_T = {0}; });
    fails(Status::bad_setting, "bounds = 3", [](S& s) { s.settings.bounds = FrictionBounds{3}; });
    fails(Status::bad_setting, "axes = 9", [](S& s) { s.settings.axes = BoxAxes{9}; });
}

}  // namespace
}  // namespace perp::test
