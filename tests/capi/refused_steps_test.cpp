// Steps that are refused, or that have no answer: status, message, state and outputs as they were.
#include "step_support.hpp"

using namespace perp_test;

namespace {

struct Call {
    StepScene scene;
    perp_friction_def def = friction_def(PERP_FRICTION_BRISTLE);
    perp_settings settings = step_settings();
    Vector sticking_speed, stiffness, normal_estimate, facet_angle, rho;
    bool no_rows = false, no_contacts = false, no_velocity = false, no_f = false, no_mu = false;
};

struct Refused {
    const char* what;
    void (*spoil)(Call&);
    int32_t status;
    const char* message;
};

void PrintTo(const Refused& r, std::ostream* out) { *out << r.what; }

Call two_points() {
    Call c;
    StepScene& s = c.scene;
    s.matrices.M = Matrix::diagonal({1, 1, 1, 2, 2, 2});
    s.matrices.N = Matrix(2, 6, {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    s.matrices.D = Matrix(4, 6, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,  //
                                 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0});
    s.velocity = {1, 0, 0, 0, 1, 0};
    s.f = {1, 0, -0.01, 0, 2, -0.02};
    s.mu = {0.3, 0.4};
    s.id = {10, 20};
    return c;
}

const double* or_null(const Vector& v) { return v.empty() ? nullptr : v.data(); }

int32_t step(const Friction& f, const Call& c, StepOutput& out) {
    const System s = system(c.scene.matrices);
    perp_rows r = c.scene.step_rows();
    perp_contacts k = c.scene.contacts();
    k.sticking_speed = or_null(c.sticking_speed);
    k.stiffness = or_null(c.stiffness);
    k.normal_estimate = or_null(c.normal_estimate);
    k.facet_angle = or_null(c.facet_angle);
    r.rho = or_null(c.rho);
    if (c.no_velocity) k.velocity = nullptr;
    if (c.no_f) r.f = nullptr;
    if (c.no_mu) r.mu = nullptr;
    return perp_step(f.get(), s.get(), c.no_rows ? nullptr : &r, c.no_contacts ? nullptr : &k,
                     &c.settings, out.velocity.data(), out.z.data(), out.state.data(), &out.info);
}

StepOutput untouched() {
    StepOutput out;
    out.velocity.assign(6, -1.0);
    out.z.assign(12, -2.0);
    out.state.assign(2, 99);
    out.info.passes = 4711;
    return out;
}

class RefusedSteps : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSteps, LeaveEverythingAsItWas) {
    Call good = two_points(), bad = good;
    GetParam().spoil(bad);
    good.def = bad.def;
    const Friction f = friction(bad.def);
    StepOutput out = untouched();
    ASSERT_EQ(step(f, good, out), PERP_OK) << perp_last_message();
    const StepState before = state_of(f);
    out = untouched();
    EXPECT_FAILS(GetParam().status, GetParam().message, step(f, bad, out));
    EXPECT_EQ(out.velocity, Vector(6, -1.0));
    EXPECT_EQ(out.z, Vector(12, -2.0));
    EXPECT_EQ(out.state, std::vector<int8_t>(2, 99));
    EXPECT_EQ(out.info.passes, 4711);
    EXPECT_TRUE(same_state(state_of(f), before));
}

const Refused refused[] = {
    {"no_rows", [](Call& c) { c.no_rows = true; }, PERP_NULL_ARGUMENT, "rows"},
    {"no_contacts", [](Call& c) { c.no_contacts = true; }, PERP_NULL_ARGUMENT, "contacts"},
    {"no_f", [](Call& c) { c.no_f = true; }, PERP_NULL_ARGUMENT, "f"},
    {"no_mu", [](Call& c) { c.no_mu = true; }, PERP_NULL_ARGUMENT, "mu"},
    {"no_velocity", [](Call& c) { c.no_velocity = true; }, PERP_NULL_ARGUMENT, "velocity"},
    {"h_zero", [](Call& c) { c.scene.h = 0.0; }, PERP_BAD_VALUE, "h = 0"},
    {"h_negative", [](Call& c) { c.scene.h = -1.0; }, PERP_BAD_VALUE, "h = -1"},
    {"h_nan", [](Call& c) { c.scene.h = not_a_number; }, PERP_BAD_VALUE, "h = nan"},
    {"mu_negative", [](Call& c) { c.scene.mu[1] = -0.5; }, PERP_BAD_VALUE, "mu[1] = -0.5"},
    {"mu_nan", [](Call& c) { c.scene.mu[0] = not_a_number; }, PERP_BAD_VALUE, "mu[0] = nan"},
    {"f_nan", [](Call& c) { c.scene.f[3] = not_a_number; }, PERP_BAD_VALUE, "f[3] = nan"},
    {"f_extreme", [](Call& c) { c.scene.f[0] = 1e308 * -1.7; }, PERP_BAD_VALUE, "too extreme"},
    {"velocity_nan", [](Call& c) { c.scene.velocity[4] = not_a_number; }, PERP_BAD_VALUE,
     "velocity[4] = nan"},
    {"id_twice",
     [](Call& c) {
         c.scene.id = {20, 20};
     },
     PERP_BAD_VALUE, "id[1] = 20"},
    {"axes_not_unit", [](Call& c) { c.scene.axes = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 0}; },
     PERP_BAD_VALUE, "axes of contact 1"},
    {"axes_nan", [](Call& c) { c.scene.axes = Vector(12, not_a_number); }, PERP_BAD_VALUE,
     "axes[0] = nan"},
    {"sticking_speed_negative",
     [](Call& c) {
         c.sticking_speed = {1, -1};
     },
     PERP_BAD_VALUE, "sticking_speed[1] = -1"},
    {"stiffness_nan",
     [](Call& c) {
         c.stiffness = {not_a_number, 1};
     },
     PERP_BAD_VALUE, "stiffness[0] = nan"},
    {"normal_estimate_negative",
     [](Call& c) {
         c.normal_estimate = {0, -2};
     },
     PERP_BAD_VALUE, "normal_estimate[1] = -2"},
    {"facet_angle_nan",
     [](Call& c) {
         c.def.model = PERP_FRICTION_POLYGON;
         c.facet_angle = {not_a_number, 0};
     },
     PERP_BAD_VALUE, "facet_angle[0] = nan"},
    {"tolerance", [](Call& c) { c.settings.tolerance = -1.0; }, PERP_BAD_SETTING, "tolerance"},
    {"method", [](Call& c) { c.settings.method = 77; }, PERP_BAD_SETTING, "method = 77"},
    {"cone_by_pivoting",
     [](Call& c) {
         c.def.model = PERP_FRICTION_CONE;
         c.settings.method = PERP_PIVOTING;
     },
     PERP_UNSUPPORTED, "for the cone model take auto"},
    {"polygon_by_keller",
     [](Call& c) {
         c.def.model = PERP_FRICTION_POLYGON;
         c.settings.method = PERP_KELLER;
     },
     PERP_UNSUPPORTED, "for the polygon model take lemke"},
    {"rolling_bristle",
     [](Call& c) {
         c.scene.matrices.S = Matrix(2, 6, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});
     },
     PERP_UNSUPPORTED, "S has 2 rows"},
    {"rolling_polygon",
     [](Call& c) {
         c.def.model = PERP_FRICTION_POLYGON;
         c.scene.matrices.S = Matrix(2, 6, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});
     },
     PERP_UNSUPPORTED, "S has 2 rows"},
};

INSTANTIATE_TEST_SUITE_P(All, RefusedSteps, testing::ValuesIn(refused),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(RefusedFriction, SettingsAreNamed) {
    const auto fails = [](const char* message, auto&& spoil) {
        perp_friction_def def = friction_def(PERP_FRICTION_CONE);
        spoil(def);
        perp_friction* out = nullptr;
        EXPECT_FAILS(PERP_BAD_SETTING, message, perp_friction_create(&def, &out));
        EXPECT_EQ(out, nullptr);
    };
    using Def = perp_friction_def;
    fails("model = 0", [](Def& d) { d.model = 0; });
    fails("model = 6", [](Def& d) { d.model = 6; });
    fails("bounds = 3", [](Def& d) { d.bounds = 3; });
    fails("bounds = -1", [](Def& d) { d.bounds = -1; });
    fails("axes = 0", [](Def& d) { d.axes = 0; });
    fails("facets = 2", [](Def& d) { d.facets = 2; });
    fails("max_passes = 0", [](Def& d) { d.max_passes = 0; });
    fails("pass_tolerance = -1", [](Def& d) { d.pass_tolerance = -1; });
    fails("sticking_speed = -1", [](Def& d) { d.sticking_speed = -1; });
    fails("stiffness = nan", [](Def& d) { d.stiffness = not_a_number; });
    fails("recovery_speed = -1", [](Def& d) { d.recovery_speed = -1; });
}

TEST(RefusedFriction, NullArguments) {
    perp_friction* out = nullptr;
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "def", perp_friction_create(nullptr, &out));
    const perp_friction_def def = friction_def(PERP_FRICTION_CONE);
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "out", perp_friction_create(&def, nullptr));
    perp_friction_destroy(nullptr);
    const Call c = two_points();
    const System s = system(c.scene.matrices);
    const perp_rows r = c.scene.step_rows();
    const perp_contacts k = c.scene.contacts();
    const Friction f = friction(c.def);
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "friction",
                 perp_step(nullptr, s.get(), &r, &k, nullptr, nullptr, nullptr, nullptr, nullptr));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "system",
                 perp_step(f.get(), nullptr, &r, &k, nullptr, nullptr, nullptr, nullptr, nullptr));
    perp_step_info odd{};
    odd.struct_size = 3;
    EXPECT_FAILS(PERP_BAD_SIZE, "info",
                 perp_step(f.get(), s.get(), &r, &k, nullptr, nullptr, nullptr, nullptr, &odd));
    EXPECT_TRUE(state_of(f).id.empty());
    // No settings, no outputs: the step is taken.
    EXPECT_EQ(perp_step(f.get(), s.get(), &r, &k, nullptr, nullptr, nullptr, nullptr, nullptr),
              PERP_OK);
    EXPECT_EQ(state_of(f).id.size(), 2U);
    int64_t count = 0;
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "friction",
                 perp_friction_get_state(nullptr, &count, nullptr, nullptr));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "count",
                 perp_friction_get_state(f.get(), nullptr, nullptr, nullptr));
}

TEST(RefusedFriction, StatesThatAreNone) {
    const Friction f = friction(friction_def(PERP_FRICTION_CONE));
    const StepState good{{5, 3}, Vector(2 * PERP_CONTACT_RECORD, 1.0)};
    ASSERT_EQ(set_state(f, good), PERP_OK);
    const StepState kept = state_of(f);
    EXPECT_EQ(kept.id, (std::vector<int64_t>{3, 5}));
    StepState bad = good;
    bad.id = {5, 5};
    EXPECT_FAILS(PERP_BAD_VALUE, "id[1] = 5", set_state(f, bad));
    bad = good;
    bad.record[9] = infinity;
    EXPECT_FAILS(PERP_BAD_VALUE, "record[9] = inf", set_state(f, bad));
    bad = good;
    bad.record[8] = -1.0;
    EXPECT_FAILS(PERP_BAD_VALUE, "record[8] = -1", set_state(f, bad));
    EXPECT_FAILS(PERP_BAD_SIZE, "count = -1",
                 perp_friction_set_state(f.get(), -1, good.id.data(), good.record.data()));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "record",
                 perp_friction_set_state(f.get(), 2, good.id.data(), nullptr));
    EXPECT_TRUE(same_state(state_of(f), kept));
    int64_t count = 1;
    Vector record(PERP_CONTACT_RECORD, 7.0);
    EXPECT_FAILS(PERP_BAD_SIZE, "count = 1",
                 perp_friction_get_state(f.get(), &count, nullptr, record.data()));
    EXPECT_EQ(count, 1);
    EXPECT_EQ(record, Vector(PERP_CONTACT_RECORD, 7.0));
}

// Bilateral rows that contradict each other: said so, and the memory stays.
TEST(RefusedFriction, NoSolutionLeavesTheState) {
    for (const int64_t model : models) {
        Call c = two_points();
        c.def.model = model;
        c.settings.tolerance = 1e-6;
        const Friction f = friction(c.def);
        StepOutput out = untouched();
        ASSERT_EQ(step(f, c, out), PERP_OK);
        const StepState before = state_of(f);
        c.scene.matrices.A = Matrix(2, 6, {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0});
        c.scene.u = {0.0, 1.0};
        out.z.resize(14);
        ASSERT_EQ(step(f, c, out), PERP_OK);
        EXPECT_EQ(out.info.outcome, PERP_NO_SOLUTION) << model_name(model);
        EXPECT_EQ(out.info.converged, 0);
        EXPECT_TRUE(same_state(state_of(f), before));
    }
}

}  // namespace
