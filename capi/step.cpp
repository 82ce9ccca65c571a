#include "step/stepper.hpp"

#include <cinttypes>
#include <cmath>

#include "base/clock.hpp"
#include "handles.hpp"

using namespace perp;
using namespace perp::capi;

namespace {

perp_friction_def to_c(const FrictionSettings& s) {
    perp_friction_def c{};
    c.struct_size = sizeof c;
    c.model = static_cast<std::int64_t>(s.model);
    c.bounds = static_cast<std::int64_t>(s.bounds);
    c.axes = static_cast<std::int64_t>(s.axes);
    c.facets = s.facets;
    c.max_passes = s.passes;
    c.sticking_speed = s.sticking_speed;
    c.stiffness = s.stiffness;
    c.recovery_speed = std::numeric_limits<double>::infinity();
    return c;
}

FrictionSettings from_c(const perp_friction_def& c) {
    FrictionSettings s;
    s.model = static_cast<FrictionModel>(choice(c.model, "model"));
    s.bounds = static_cast<FrictionBounds>(choice(c.bounds, "bounds"));
    s.axes = static_cast<BoxAxes>(choice(c.axes, "axes"));
    s.facets = c.facets;
    s.passes = c.max_passes;
    s.pass_tolerance = c.pass_tolerance;
    s.sticking_speed = c.sticking_speed;
    s.stiffness = c.stiffness;
    return s;
}

StepContacts copy_contacts(const perp_contacts* given, const System& system) {
    const perp_contacts c = read_struct(given, perp_contacts{}, "contacts");
    const std::int64_t r = system.contacts();
    StepContacts contacts;
    contacts.h = c.h;
    contacts.velocity = copy_vector(c.velocity, system.velocities());
    if (c.id != nullptr) contacts.id.assign(c.id, c.id + r);
    contacts.axes = copy_vector(c.axes, 3 * r * system.shape().tangential);
    contacts.sticking_speed = copy_vector(c.sticking_speed, r);
    contacts.stiffness = copy_vector(c.stiffness, r);
    contacts.normal_estimate = copy_vector(c.normal_estimate, r);
    contacts.facet_angle = copy_vector(c.facet_angle, r);
    return contacts;
}

Settings step_settings(const perp_settings* given) {
    return given == nullptr ? Settings{}
                            : capi::from_c(read_struct(given, capi::to_c(Settings{}), "settings"));
}

perp_step_info to_c(const StepInfo& info, double seconds) {
    perp_step_info c{};
    c.outcome = static_cast<std::int64_t>(info.outcome);
    c.method = static_cast<std::int64_t>(info.method);
    c.passes = info.passes;
    c.converged = info.converged ? 1 : 0;
    c.eta = info.solver.eta;
    c.law_residual = info.law_residual;
    c.dissipation = info.dissipation;
    c.elastic_energy = info.elastic_energy;
    c.open = info.contacts[static_cast<int>(ContactState::open)];
    c.stick = info.contacts[static_cast<int>(ContactState::stick)];
    c.slip = info.contacts[static_cast<int>(ContactState::slip)];
    c.roll = info.contacts[static_cast<int>(ContactState::roll)];
    c.remembered = info.remembered;
    c.iterations = info.solver.iterations;
    c.products = info.solver.products;
    c.factorizations = info.solver.factorizations;
    c.updates = info.solver.updates;
    c.fallbacks = info.solver.fallbacks;
    c.tie_rounds = info.solver.tie_rounds;
    c.least_norm = info.solver.least_norm ? 1 : 0;
    c.setup_seconds = info.solver.setup_seconds;
    c.solve_seconds = info.solver.solve_seconds;
    c.total_seconds = seconds;
    return c;
}

// A record as PERP_CONTACT_RECORD numbers, and back.
void write_record(const ContactRecord& record, double* out) {
    *out++ = record.normal;
    out = std::copy(record.sliding.begin(), record.sliding.end(), out);
    *out++ = record.spin;
    std::copy(record.rolling.begin(), record.rolling.end(), out);
}

ContactRecord read_record(const double* in, std::int64_t i) {
    for (int k = 0; k < PERP_CONTACT_RECORD; ++k)
        if (!std::isfinite(in[k]))
            fail(Status::bad_value, "record[%" PRId64 "] = %g is not finite",
                 PERP_CONTACT_RECORD * i + k, in[k]);
    if (in[0] < 0.0)
        fail(Status::bad_value, "record[%" PRId64 "] = %g: the normal force is negative",
             PERP_CONTACT_RECORD * i, in[0]);
    return {in[0], {in[1], in[2], in[3]}, in[4], {in[5], in[6], in[7]}};
}

}  // namespace

int32_t perp_friction_def_init(perp_friction_def* def, int64_t struct_size) {
    return guarded([&] {
        perp_friction_def defaults = to_c(FrictionSettings{});
        init_struct(defaults, def, struct_size, "def");
    });
}

int32_t perp_friction_create(const perp_friction_def* def, perp_friction** out) {
    return guarded([&] {
        required(out, "out");
        const perp_friction_def c = read_struct(def, to_c(FrictionSettings{}), "def");
        auto handle = std::make_unique<perp_friction>();
        handle->stepper = std::make_unique<Stepper>(from_c(c), c.recovery_speed);
        *out = handle.release();
    });
}

void perp_friction_destroy(perp_friction* friction) { delete friction; }

int32_t perp_contacts_init(perp_contacts* contacts, int64_t struct_size) {
    return guarded([&] { init_struct(perp_contacts{}, contacts, struct_size, "contacts"); });
}

int32_t perp_step(perp_friction* friction, const perp_system* system, const perp_rows* rows,
                  const perp_contacts* contacts, const perp_settings* settings, double* velocity,
                  double* z, int8_t* state, perp_step_info* info) {
    return guarded([&] {
        const Clock clock;
        required(friction, "friction");
        const std::shared_ptr<const System> shared = required(system, "system").system;
        if (info != nullptr) {
            perp_step_info probe{};
            probe.struct_size = info->struct_size;
            write_struct(perp_step_info{}, &probe, "info");  // a wrong size: before any work
        }
        const StepResult result =
            friction->stepper->step(shared, copy_rows(rows, *shared),
                                    copy_contacts(contacts, *shared), step_settings(settings));
        if (velocity != nullptr)
            std::copy(result.velocity.begin(), result.velocity.end(), velocity);
        if (z != nullptr) std::copy(result.z.begin(), result.z.end(), z);
        for (std::size_t i = 0; state != nullptr && i < result.state.size(); ++i)
            state[i] = static_cast<std::int8_t>(result.state[i]);
        if (info != nullptr) write_struct(to_c(result.info, clock.seconds()), info, "info");
    });
}

int32_t perp_friction_get_state(const perp_friction* friction, int64_t* count, int64_t* id,
                                double* record) {
    return guarded([&] {
        const ContactMemory& memory = required(friction, "friction").stepper->memory();
        const auto known = static_cast<std::int64_t>(memory.ids().size());
        required(count, "count");
        if (id != nullptr || record != nullptr) {
            if (*count < known)
                fail(Status::bad_size,
                     "count = %" PRId64 ", but the state has %" PRId64 " contacts", *count, known);
            for (std::int64_t i = 0; i < known; ++i) {
                if (id != nullptr) id[i] = memory.ids()[i];
                if (record != nullptr)
                    write_record(memory.records()[i], record + PERP_CONTACT_RECORD * i);
            }
        }
        *count = known;
    });
}

int32_t perp_friction_set_state(perp_friction* friction, int64_t count, const int64_t* id,
                                const double* record) {
    return guarded([&] {
        required(friction, "friction");
        checked_size(count, "count");
        if (count > 0) required(id, "id");
        if (count > 0) required(record, "record");
        const std::vector<std::int64_t> ids(id, id + count);
        ContactMemory::check_ids(ids, "id");
        std::vector<ContactRecord> records;
        records.reserve(ids.size());
        for (std::int64_t i = 0; i < count; ++i)
            records.push_back(read_record(record + PERP_CONTACT_RECORD * i, i));
        ContactMemory memory;
        memory.replace(ids, records);
        friction->stepper->set_memory(std::move(memory));
    });
}
