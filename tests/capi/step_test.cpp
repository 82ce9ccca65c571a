// perp_step on the public surface: every model on known answers and on scenes, its account of the
// step, its state.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "step_support.hpp"

using namespace perp_test;

namespace {

// First-order methods get no further on walls.
double reached(int64_t model) { return model == PERP_FRICTION_COULOMB ? 1e-6 : 1e-8; }

class Models : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(Step, Models, testing::ValuesIn(models), model_parameter);

TEST_P(Models, APointSlidesByItsLaw) {
    const int64_t model = GetParam();
    const double mass = 2.0, mu = 0.4, speed = 3.0;
    const StepScene s = point({speed, 0, 0}, mass, mu);
    const Friction f = friction(friction_def(model));
    const StepOutput out = take_step(f, s, step_settings(1e-13));
    EXPECT_EQ(out.info.outcome, PERP_SOLVED);
    EXPECT_EQ(out.info.converged, 1);
    const double normal = out.z[0], v = out.velocity[0];
    if (model == PERP_FRICTION_CONE) {
        // The relaxed law: u_N = mu |u_T|.
        EXPECT_NEAR(out.velocity[2], mu * v, 1e-12);
    } else {
        EXPECT_NEAR(normal, mass * gravity * s.h, 1e-12);
        EXPECT_NEAR(out.velocity[2], 0.0, 1e-12);
    }
    EXPECT_NEAR(v, speed - mu * normal / mass, 1e-12);
    EXPECT_NEAR(out.z[1], -mu * normal, 1e-12);
    EXPECT_NEAR(out.info.dissipation, mu * normal * v, 1e-12);
    EXPECT_EQ(out.state, std::vector<int8_t>{PERP_SLIP});
    EXPECT_EQ(out.info.slip, 1);
    EXPECT_EQ(out.info.remembered, 0);
    EXPECT_LE(out.info.law_residual, 1e-12);
    const StepState state = state_of(f);
    EXPECT_EQ(state.id, std::vector<int64_t>{0});
    expect_near(state.record, {normal / s.h, -mu * normal / s.h, 0, 0, 0, 0, 0, 0}, 1e-8);
}

TEST_P(Models, APointSticksAndLeaves) {
    const Friction f = friction(friction_def(GetParam()));
    const StepOutput rests = take_step(f, point({0, 0, 0}), step_settings(1e-13));
    EXPECT_EQ(rests.state, std::vector<int8_t>{PERP_STICK});
    expect_near(rests.velocity, {0, 0, 0}, 1e-13);
    EXPECT_NEAR(rests.info.dissipation, 0.0, 1e-15);
    const StepOutput leaves = take_step(f, point({1, 0, 1}), step_settings(1e-13));
    EXPECT_EQ(leaves.state, std::vector<int8_t>{PERP_OPEN});
    EXPECT_EQ(leaves.info.remembered, 1);
    EXPECT_EQ(leaves.z, Vector(3, 0.0));
    EXPECT_EQ(leaves.info.dissipation, 0.0);
    expect_near(leaves.velocity, {1, 0, 1 - 1e-3 * gravity}, 1e-15);
}

// M v+ = f + J'z, from the caller's own data.
void expect_momentum(const StepScene& s, const StepOutput& out) {
    Vector rest = s.f;
    double scale = 0.0;
    int64_t first = 0;
    for (const Matrix* J : {&s.matrices.A, &s.matrices.N, &s.matrices.D, &s.matrices.S}) {
        for (std::size_t k = 0; k < J->value.size(); ++k)
            rest[J->col[k]] += J->value[k] * out.z[first + J->row[k]];
        first += J->rows;
    }
    const Matrix& M = s.matrices.M;
    for (std::size_t k = 0; k < M.value.size(); ++k)
        rest[M.row[k]] -= M.value[k] * out.velocity[M.col[k]];
    for (const double x : s.f) scale = std::max(scale, std::abs(x));
    for (const double x : out.z) scale = std::max(scale, std::abs(x));
    for (const double x : rest) EXPECT_NEAR(x, 0.0, 1e-12 * scale);
}

TEST_P(Models, ScenesAreSteppedAndAccountedFor) {
    perp::scenes::PileOptions pile;
    pile.spheres = 30;
    for (const perp::scenes::Scene& g :
         {perp::scenes::wall(3, 3), perp::scenes::chain(6), perp::scenes::pile(pile)}) {
        SCOPED_TRACE(g.title);
        StepScene s = generated(g);
        const Friction f = friction(friction_def(GetParam()));
        const double tolerance = reached(GetParam());
        for (int64_t k = 0; k < 3; ++k) {
            const StepOutput out = take_step(f, s, step_settings(tolerance));
            EXPECT_EQ(out.info.outcome, PERP_SOLVED) << k << " " << out.info.law_residual << " "
                                                     << out.info.passes << " " << out.info.eta;
            EXPECT_LE(out.info.law_residual, 2.0 * tolerance);
            EXPECT_EQ(out.info.remembered, k == 0 ? 0 : g.contacts());
            EXPECT_EQ(out.info.open + out.info.stick + out.info.slip + out.info.roll, g.contacts());
            EXPECT_EQ(std::count(out.state.begin(), out.state.end(), PERP_OPEN), out.info.open);
            EXPECT_GE(out.info.dissipation, -1e-9) << k;
            EXPECT_GE(out.info.total_seconds, out.info.solve_seconds);
            expect_momentum(s, out);
            s.velocity = out.velocity;
            for (std::size_t j = 0; j < s.f.size(); ++j) s.f[j] = g.f[j];
        }
    }
}

// Steps after a restored state have the bits of those after the state came about.
TEST_P(Models, AStateContinuesToTheBit) {
    StepScene s = generated(perp::scenes::wall(3, 2));
    s.id.resize(s.mu.size());
    std::iota(s.id.begin(), s.id.end(), 1000);
    perp_friction_def def = friction_def(GetParam());
    def.stiffness = 1e6;
    const Friction f = friction(def), other = friction(def);
    const perp_settings settings = step_settings(reached(GetParam()));
    s.velocity = take_step(f, s, settings).velocity;
    const StepState before = state_of(f);
    for (double& x : s.f) x *= 1.1;
    const StepOutput first = take_step(f, s, settings);
    const StepState after = state_of(f);
    EXPECT_FALSE(same_state(before, after));
    ASSERT_EQ(set_state(f, before), PERP_OK);
    ASSERT_EQ(set_state(other, before), PERP_OK);
    for (const Friction* handle : {&f, &other}) {
        const StepOutput again = take_step(*handle, s, settings);
        EXPECT_TRUE(same_bits(again.velocity, first.velocity));
        EXPECT_TRUE(same_bits(again.z, first.z));
        EXPECT_EQ(again.info.iterations, first.info.iterations);
        EXPECT_TRUE(same_state(state_of(*handle), after));
    }
    ASSERT_EQ(perp_friction_set_state(f.get(), 0, nullptr, nullptr), PERP_OK);
    EXPECT_EQ(take_step(f, s).info.remembered, 0);
}

// Contact i of the scene becomes contact order[i].
StepScene reordered(const StepScene& s, const std::vector<int64_t>& order) {
    StepScene out = s;
    for (std::size_t i = 0; i < order.size(); ++i) {
        out.mu[order[i]] = s.mu[i];
        out.b_N[order[i]] = s.b_N[i];
        out.id[order[i]] = s.id[i];
    }
    for (int64_t& row : out.matrices.N.row) row = order[row];
    for (int64_t& row : out.matrices.D.row) row = 2 * order[row / 2] + row % 2;
    return out;
}

TEST_P(Models, MemoryFollowsTheIdAndNotTheRow) {
    // No more contacts than their impulses are unique: else bounds that follow them are not.
    StepScene s = generated(perp::scenes::chain(6));
    const auto r = static_cast<int64_t>(s.mu.size());
    s.id.resize(r);
    for (int64_t i = 0; i < r; ++i) s.id[i] = 7 * i - 3;
    std::vector<int64_t> order(r);
    for (int64_t i = 0; i < r; ++i) order[i] = (5 * i + 3) % r;
    ASSERT_NE(std::gcd(r, int64_t{5}), 5);
    const StepScene t = reordered(s, order);
    perp_friction_def def = friction_def(GetParam());
    def.stiffness = 1e6;
    const Friction f = friction(def), g = friction(def);
    for (int k = 0; k < 3; ++k) {
        const perp_settings settings = step_settings(0.1 * reached(GetParam()));
        const StepOutput a = take_step(f, s, settings), b = take_step(g, k == 1 ? s : t, settings);
        expect_near(b.velocity, a.velocity, 1e-6);
        EXPECT_EQ(state_of(f).id, state_of(g).id);
    }
}

// The velocities of the step do not depend on who solves it. What cannot take a model says so, and
// names what can.
TEST_P(Models, EveryMethodThatFitsGivesTheSameStep) {
    const StepScene s = generated(perp::scenes::chain(4));
    const StepOutput right = take_step(friction(friction_def(GetParam())), s, step_settings(1e-10));
    int fit = 0;
    for (const int64_t method :
         {PERP_PGS, PERP_APGD, PERP_AAPGS, PERP_PIVOTING, PERP_KELLER, PERP_LEMKE, PERP_IPM}) {
        SCOPED_TRACE(perp_method_name(method));
        perp_settings settings = step_settings(1e-9);
        settings.method = method;
        const Friction f = friction(friction_def(GetParam()));
        const System sys = system(s.matrices);
        const perp_rows r = s.step_rows();
        const perp_contacts c = s.contacts();
        Vector velocity(s.f.size());
        auto info = sized<perp_step_info>();
        const int32_t status = perp_step(f.get(), sys.get(), &r, &c, &settings, velocity.data(),
                                         nullptr, nullptr, &info);
        if (status == PERP_UNSUPPORTED) {
            EXPECT_NE(std::string(perp_last_message()).find(" take "), std::string::npos);
            continue;
        }
        ASSERT_EQ(status, PERP_OK) << perp_last_message();
        EXPECT_EQ(info.method, method);
        if (info.outcome != PERP_SOLVED) continue;  // honest
        ++fit;
        expect_near(velocity, right.velocity, 1e-6);
    }
    EXPECT_GE(fit, GetParam() == PERP_FRICTION_POLYGON ? 1 : 4);
}

TEST(Step, ContactsThatVanishAreForgotten) {
    const Friction f = friction(friction_def(PERP_FRICTION_BRISTLE));
    StepScene s = point({0, 0, 0});
    s.id = {42};
    take_step(f, s);
    s.id = {-7};
    EXPECT_EQ(take_step(f, s).info.remembered, 0);
    EXPECT_EQ(state_of(f).id, std::vector<int64_t>{-7});
    StepScene none;
    none.matrices.M = Matrix::diagonal({1, 1, 1});
    none.f = none.velocity = {1, 2, 3};
    const StepOutput out = take_step(f, none);
    EXPECT_EQ(out.velocity, none.f);
    EXPECT_TRUE(state_of(f).id.empty());
}

// What a handle keeps of a step fits the next one, whatever its size.
TEST_P(Models, SystemsGrowAndShrink) {
    const Friction f = friction(friction_def(GetParam()));
    for (const int64_t bodies : {1, 40, 3, 3, 0, 200, 1}) {
        StepScene s;
        s.matrices.M = Matrix::diagonal(Vector(3 * bodies, 2.0));
        const int64_t touching = bodies % 3;
        s.matrices.N = Matrix(touching, 3 * bodies);
        s.matrices.D = Matrix(2 * touching, 3 * bodies);
        for (int64_t i = 0; i < touching; ++i) {
            s.matrices.N.add(i, 3 * i + 2, 1.0);
            for (int64_t j = 0; j < 2; ++j) s.matrices.D.add(2 * i + j, 3 * i + j, 1.0);
        }
        s.velocity.assign(3 * bodies, 0.5);
        s.f.assign(3 * bodies, 1.0);
        for (int64_t i = 0; i < bodies; ++i) s.f[3 * i + 2] = -0.02;
        s.mu.assign(touching, 0.4);
        const StepOutput out = take_step(f, s),
                         fresh = take_step(friction(friction_def(GetParam())), s);
        EXPECT_EQ(out.info.outcome, PERP_SOLVED);
        expect_near(out.velocity, fresh.velocity, 1e-9);
    }
}

TEST(Step, RollingContactsAreTold) {
    // A disc that rolls without slipping: x, z, angle; gap h rho |w|, for the relaxed law.
    const double m = 2.0, R = 0.5, J = 0.25, rho = 0.02, w = -2.0;
    StepScene s;
    s.matrices.M = Matrix::diagonal({m, m, J});
    s.matrices.N = Matrix(1, 3, {0, 1, 0});
    s.matrices.D = Matrix(1, 3, {1, 0, R});
    s.matrices.S = Matrix(1, 3, {0, 0, 1});
    s.velocity = {-w * R, 0, w};
    s.f = {m * s.velocity[0], -m * gravity * s.h, J * w};
    s.mu = {0.5};
    const Vector length{rho};
    perp_rows step = s.step_rows();
    step.rho = length.data();
    const perp_contacts contacts = s.contacts();
    const perp_settings settings = step_settings(1e-13);
    const System sys = system(s.matrices);
    const Friction f = friction(friction_def(PERP_FRICTION_COULOMB));
    StepOutput out;
    out.velocity.resize(3);
    out.z.resize(3);
    int8_t state = 0;
    ASSERT_EQ(perp_step(f.get(), sys.get(), &step, &contacts, &settings, out.velocity.data(),
                        out.z.data(), &state, &out.info),
              PERP_OK)
        << perp_last_message();
    EXPECT_EQ(state, PERP_ROLL);
    EXPECT_EQ(out.info.roll, 1);
    const double deceleration = m * gravity * rho * R / (J + m * R * R);
    EXPECT_NEAR(out.velocity[0], s.velocity[0] - s.h * deceleration, 1e-12);
    EXPECT_NEAR(out.info.dissipation, -rho * m * gravity * s.h * out.velocity[2], 1e-10);
}

TEST(Step, RecoveryIsNoFasterThanAsked) {
    StepScene s = point({0, 0, 0});
    s.b_N = {-0.05 / s.h};
    for (const double most : {infinity, 1.0, 0.0}) {
        perp_friction_def def = friction_def(PERP_FRICTION_CONE);
        def.recovery_speed = most;
        EXPECT_NEAR(take_step(friction(def), s).velocity[2], std::min(most, 50.0), 1e-9);
    }
}

// b_N = e N v of the start: a point that falls with 3 m/s leaves with e times that.
TEST_P(Models, RestitutionIsInTheNormalRows) {
    StepScene s = point({0, 0, -3});
    s.f[2] = 2.0 * -3;  // an impact, without weight
    s.b_N = {0.5 * -3};
    const StepOutput out = take_step(friction(friction_def(GetParam())), s, step_settings(1e-12));
    EXPECT_NEAR(out.velocity[2], 1.5, 1e-10);
    EXPECT_EQ(out.info.stick, 1);
}

// Elastic energy is counted: what bristles give back they took before.
TEST(Step, BristlesKeepTheAccount) {
    for (const double stiffness : {1e3, 1e5, 1e7}) {
        perp_friction_def def = friction_def(PERP_FRICTION_BRISTLE);
        def.stiffness = stiffness;
        const Friction f = friction(def);
        Vector v{0.1, 0.05, 0};
        double held = 0.0, most = 0.0;
        for (int k = 0; k < 3000; ++k) {
            StepScene s = point(v);
            // Pushed about, and pressed by forces that jump.
            s.f[0] += 0.01 * ((k * 37) % 11 - 5);
            s.f[1] += 0.01 * ((k * 53) % 7 - 3);
            s.f[2] -= 0.05 * ((k * 29) % 5);
            const StepOutput out = take_step(f, s, step_settings(1e-12));
            EXPECT_EQ(out.info.outcome, PERP_SOLVED);
            EXPECT_GE(out.info.dissipation, -1e-14) << stiffness << " " << k;
            const double force = std::hypot(out.z[1], out.z[2]) / s.h;
            EXPECT_NEAR(out.info.elastic_energy, force * force / (2 * stiffness),
                        1e-12 * (1.0 + out.info.elastic_energy));
            const double work = -out.z[1] * out.velocity[0] - out.z[2] * out.velocity[1];
            EXPECT_NEAR(out.info.dissipation, work - (out.info.elastic_energy - held), 1e-12);
            held = out.info.elastic_energy;
            most = std::max(most, held);
            v = out.velocity;
        }
        EXPECT_GT(most, 0.0);
    }
}

TEST(Step, BoundsOfTheStepBeforeWhereNothingJumps) {
    const Friction f = friction(friction_def(PERP_FRICTION_BOX));
    EXPECT_GT(take_step(f, point({3, 0, 0})).info.passes, 1);  // new
    EXPECT_EQ(take_step(f, point({3, 0, 0})).info.passes, 1);
    EXPECT_GT(take_step(f, point({3, 0, -1})).info.passes, 1);  // an impact
    EXPECT_GT(take_step(f, point({3, 0, 0})).info.passes, 1);
    EXPECT_EQ(take_step(f, point({3, 0, 0})).info.passes, 1);
}

TEST(Step, BoundsThatAreStillDueAreInTheLawResidual) {
    for (const int64_t model : {PERP_FRICTION_BRISTLE, PERP_FRICTION_BOX}) {
        perp_friction_def def = friction_def(model);
        def.max_passes = 1;  // without friction: the contact is new
        const StepOutput out = take_step(friction(def), point({3, 0, 0}));
        EXPECT_EQ(out.info.outcome, PERP_ITERATION_LIMIT);
        EXPECT_EQ(out.info.law_residual, 1.0);  // all of the bound
        EXPECT_LE(out.info.eta, 1e-10);
    }
}

TEST(Step, PassesThatDoNotEndAreToldApart) {
    perp_friction_def def = friction_def(PERP_FRICTION_COULOMB);
    def.max_passes = 1;
    perp_settings rounds = step_settings();
    rounds.method = PERP_APGD;
    const StepOutput out = take_step(friction(def), point({3, 0, 0}), rounds);
    EXPECT_EQ(out.info.outcome, PERP_ITERATION_LIMIT);
    EXPECT_EQ(out.info.converged, 0);
    EXPECT_EQ(out.info.passes, 1);
    EXPECT_GT(out.info.law_residual, 1e-10);
    EXPECT_EQ(out.info.eta, out.info.law_residual);
}

}  // namespace
