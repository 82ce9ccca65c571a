// Steps of a system under any friction model: what the account of a step promises, and that a step
// that is refused leaves state and outputs alone.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "make.hpp"

using namespace perp_fuzz;

namespace {

struct State {
    std::vector<std::int64_t> id;
    std::vector<double> record;
};

State state_of(const perp_friction* friction) {
    State s;
    std::int64_t count = 0;
    require(perp_friction_get_state(friction, &count, nullptr, nullptr) == PERP_OK, "a count");
    s.id.resize(static_cast<std::size_t>(count));
    s.record.resize(static_cast<std::size_t>(PERP_CONTACT_RECORD * count));
    require(perp_friction_get_state(friction, &count, s.id.data(), s.record.data()) == PERP_OK,
            "a state");
    return s;
}

bool same(const State& a, const State& b) { return a.id == b.id && same_bits(a.record, b.record); }

perp_friction* make_friction(Input& in) {
    perp_friction_def def;
    perp_friction_def_init(&def, sizeof def);
    def.model = in.seldom() ? in.integer() : 1 + in.below(5);
    def.bounds = in.seldom() ? in.integer() : in.below(3);
    def.axes = in.seldom() ? in.integer() : 1 + in.below(2);
    if (in.seldom()) def.facets = in.integer() % 40;
    def.max_passes = 1 + in.below(4);
    if (in.seldom()) def.pass_tolerance = in.real();
    if (in.flag()) def.stiffness = in.real();
    if (in.seldom()) def.sticking_speed = in.real();
    if (in.seldom()) def.recovery_speed = in.real();
    perp_friction* out = nullptr;
    const std::int32_t status = perp_friction_create(&def, &out);
    check_status(status);
    require((status == PERP_OK) == (out != nullptr), "a handle exactly on PERP_OK");
    return out;
}

// All finite; limits of what the contacts and the solver say.
void check_step(const perp_step_info& info, const std::vector<double>& velocity,
                const std::vector<double>& z, const std::vector<std::int8_t>& state) {
    for (const std::vector<double>* v : {&velocity, &z})
        for (const double x : *v) require(std::isfinite(x), "outputs are finite");
    for (const std::int8_t s : state) require(s >= PERP_OPEN && s <= PERP_ROLL, "a state");
    require(
        info.open + info.stick + info.slip + info.roll == static_cast<std::int64_t>(state.size()),
        "every contact has one state");
    require(perp_outcome_text(info.outcome) != nullptr && info.passes >= 1, "passes were solved");
    require(info.outcome != PERP_SOLVED || info.converged == 1, "solved means converged");
}

void step(Input& in, perp_friction* friction, const perp_system* system, const Sizes& sizes) {
    const RowVectors rows(in, sizes);
    perp_contacts contacts;
    perp_contacts_init(&contacts, sizeof contacts);
    contacts.h = in.seldom() ? in.real() : 0.01;
    const std::vector<double> velocity = in.reals(sizes.n), speed = in.reals(sizes.r),
                              stiffness = in.reals(sizes.r), axes = in.reals(3 * sizes.t);
    std::vector<std::int64_t> id;
    for (std::int64_t i = 0; i < sizes.r; ++i) id.push_back(in.seldom() ? in.integer() : 5 - i);
    contacts.velocity = in.seldom() ? nullptr : velocity.data();
    contacts.id = in.flag() ? id.data() : nullptr;
    contacts.axes = in.seldom() ? axes.data() : nullptr;
    contacts.sticking_speed = in.seldom() ? speed.data() : nullptr;
    contacts.stiffness = in.seldom() ? stiffness.data() : nullptr;
    perp_settings settings;
    perp_settings_init(&settings, sizeof settings);
    settings.method = in.flag() ? std::int64_t{PERP_AUTO} : in.below(11);
    settings.max_iterations = 20;

    const State before = state_of(friction);
    const std::int64_t all = sizes.m + sizes.r + sizes.t + sizes.a + sizes.k;
    const std::vector<double> no_v(static_cast<std::size_t>(sizes.n), 7.0),
        no_z(static_cast<std::size_t>(all), 7.0);
    std::vector<double> v = no_v, z = no_z;
    std::vector<std::int8_t> state(static_cast<std::size_t>(sizes.r), 7);
    perp_step_info info{};
    info.struct_size = sizeof info;
    const std::int32_t status =
        perp_step(friction, system, &rows.rows, &contacts, in.seldom() ? nullptr : &settings,
                  v.data(), z.data(), state.data(), &info);
    check_status(status);
    if (status == PERP_OK) {
        check_step(info, v, z, state);
        return;
    }
    require(same_bits(v, no_v) && same_bits(z, no_z) && info.passes == 0, "outputs are untouched");
    require(same(state_of(friction), before), "the state is what it was");
}

void change_state(Input& in, perp_friction* friction) {
    const State before = state_of(friction);
    State next = before;
    if (in.flag() && !next.record.empty()) next.record[0] = in.real();
    if (in.seldom() && !next.id.empty()) next.id[0] = in.integer();
    const std::int32_t status = perp_friction_set_state(
        friction, static_cast<std::int64_t>(next.id.size()), next.id.data(), next.record.data());
    check_status(status);
    if (status != PERP_OK) require(same(state_of(friction), before), "the state is what it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in(data, size);
    Sizes sizes[2];
    perp_friction* friction = make_friction(in);
    perp_system* systems[] = {make_system(in, sizes[0]), make_system(in, sizes[1])};
    for (int k = 0; friction != nullptr && k < 5; ++k) {
        const std::int64_t which = in.below(2);
        if (systems[which] == nullptr) continue;
        step(in, friction, systems[which], sizes[which]);
        if (in.flag()) change_state(in, friction);
    }
    perp_friction_destroy(friction);
    for (perp_system* system : systems) perp_system_destroy(system);
    return 0;
}
