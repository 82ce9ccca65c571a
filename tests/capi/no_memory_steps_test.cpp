// Steps with every allocation failing in turn: PERP_NO_MEMORY, outputs and friction state as they
// were.
#include "no_memory_support.hpp"
#include "step_support.hpp"

using namespace perp_test;

namespace {

class NoMemoryForSteps : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(Models, NoMemoryForSteps, testing::ValuesIn(models), model_parameter);

perp_settings short_steps() {
    perp_settings s = step_settings(1e-6);
    s.max_iterations = 20;
    return s;
}

TEST_P(NoMemoryForSteps, Steps) {
    const StepScene scene = generated(perp::scenes::wall(1, 1));
    const System s = system(scene.matrices);
    const perp_rows rows = scene.step_rows();
    const perp_contacts contacts = scene.contacts();
    const perp_settings settings = short_steps();
    perp_friction_def def = friction_def(GetParam());
    def.stiffness = 1e6;
    def.max_passes = 3;
    const Friction f = friction(def);
    ASSERT_EQ(perp_step(f.get(), s.get(), &rows, &contacts, &settings, nullptr, nullptr, nullptr,
                        nullptr),
              PERP_OK);
    const StepState before = state_of(f);
    const Vector nothing(scene.f.size(), -1.0);
    const auto take = [&](const Friction& g, Vector& velocity, perp_step_info& info) {
        return perp_step(g.get(), s.get(), &rows, &contacts, &settings, velocity.data(), nullptr,
                         nullptr, &info);
    };
    Vector expected = nothing;
    auto info = sized<perp_step_info>();
    ASSERT_EQ(take(f, expected, info), PERP_OK);
    const int64_t failed = fail_each("step", Uses::memory, [&](const Armed& armed) {
        const Friction g = friction(def);
        EXPECT_EQ(set_state(g, before), PERP_OK);
        Vector velocity = nothing;
        auto found = untouched<perp_step_info>();
        const int32_t status = armed([&] { return take(g, velocity, found); });
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(velocity, nothing));
            EXPECT_TRUE(is_untouched(found));
            EXPECT_TRUE(same_state(state_of(g), before));
            EXPECT_EQ(take(g, velocity, found), PERP_OK);
        }
        EXPECT_TRUE(same_bits(velocity, expected));
        return status;
    });
    EXPECT_GT(failed, 50);
}

TEST(NoMemoryForStates, CreateSetAndRead) {
    const perp_friction_def def = friction_def(PERP_FRICTION_CONE);
    fail_each("friction_create", Uses::memory, [&](const Armed& armed) {
        perp_friction* out = sentinel<perp_friction>();
        const int32_t status = armed([&] { return perp_friction_create(&def, &out); });
        EXPECT_EQ(status == PERP_OK, out != sentinel<perp_friction>());
        if (status == PERP_OK) perp_friction_destroy(out);
        return status;
    });
    const StepState old{{1}, Vector(PERP_CONTACT_RECORD, 1.0)};
    const StepState next{{4, 2, 9}, Vector(3 * PERP_CONTACT_RECORD, 2.0)};
    fail_each("friction_set_state", Uses::memory, [&](const Armed& armed) {
        const Friction f = friction(def);
        EXPECT_EQ(set_state(f, old), PERP_OK);
        const int32_t status = armed([&] { return set_state(f, next); });
        EXPECT_EQ(same_state(state_of(f), old), status != PERP_OK);
        return status;
    });
}

}  // namespace
