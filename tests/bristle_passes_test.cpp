// Bounds that follow the normal impulses from pass to pass.
#include "friction_support.hpp"

namespace perp::test {
namespace {

// Sliding couples to the normal force with a ratio c: lambda_N = (1 - c bound) beyond that.
FrictionScene coupled(double c, double speed) {
    FrictionScene s = point({speed, 0, 0}, 10.0);
    s.N(0, 0) = c;  // N v opens with sliding along x
    s.rows.f = {speed, 0, -0.01 - c * speed};
    return s;
}

TEST(BristlePasses, EndAtTheirOwnNormalForce) {
    for (const double c : {-3.0, -1.0, -0.3, 0.3, 1.0, 2.4, 3.0}) {
        FrictionScene s = coupled(c, 2.0);
        s.settings = bristle(0.0);
        s.settings.pass_tolerance = 1e-12;
        ContactMemory memory;
        const StepAnswer a = take_step(make_bristle_step, s, memory);
        EXPECT_TRUE(a.converged) << c;
        EXPECT_LE(a.passes, 20) << c;
        EXPECT_NEAR(a.impulses.D[0], -0.4 * a.impulses.N[0], 1e-12) << c;
        // Previous bounds, of a new contact: two passes.
        s.settings = bristle(0.0, FrictionBounds::previous);
        memory.clear();
        EXPECT_EQ(take_step(make_bristle_step, s, memory).passes, 2);
        EXPECT_EQ(take_step(make_bristle_step, s, memory).passes, 1);
    }
}

// A heavy body on a light lever: plain passes would swing ever wider (c < 0) or grow (c > 0: jams).
TEST(BristlePasses, ThatSwingAreDamped) {
    for (const double c : {-0.1, 0.1}) {
        FrictionScene s = coupled(c, 2.0);
        s.M(2, 2) = 100.0;
        s.rows.f[2] = -1.0 - 100.0 * c * 2.0;
        s.settings = bristle(0.0);
        ContactMemory memory;
        const StepAnswer a = take_step(make_bristle_step, s, memory);
        EXPECT_TRUE(a.converged);
        if (c < 0.0) {
            EXPECT_NEAR(a.impulses.D[0], -0.4 * a.impulses.N[0], 1e-8);
        } else {
            EXPECT_NEAR(a.v[0], 0.0, 1e-12);
        }
    }
}

TEST(BristlePasses, ThatDoNotEndAreTold) {
    FrictionScene s = coupled(2.4, 2.0);
    s.settings = bristle(0.0);
    s.settings.passes = 2;
    ContactMemory memory;
    const StepAnswer a = take_step(make_bristle_step, s, memory);
    EXPECT_FALSE(a.converged);
    EXPECT_EQ(a.passes, 2);
}

}  // namespace
}  // namespace perp::test
