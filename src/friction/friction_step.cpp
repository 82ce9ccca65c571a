#include "friction/friction_step.hpp"

#include <cinttypes>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr std::int64_t least_facets = 3, most_facets = 1000;

void check_choice(std::int32_t value, std::int32_t low, std::int32_t high, const char* name) {
    if (value < low || value > high) fail(Status::bad_setting, "%s = %d is unknown", name, value);
}

void check_not_negative(double value, const char* name) {
    if (!(value >= 0.0)) fail(Status::bad_setting, "%s = %g is negative or no number", name, value);
}

}  // namespace

void check_friction_settings(const FrictionSettings& s) {
    check_choice(static_cast<std::int32_t>(s.model), 1, 5, "model");
    check_choice(static_cast<std::int32_t>(s.bounds), 0, 2, "bounds");
    check_choice(static_cast<std::int32_t>(s.axes), 1, 2, "axes");
    if (s.facets < least_facets || s.facets > most_facets)
        fail(Status::bad_setting, "facets = %" PRId64 " is outside %" PRId64 "..%" PRId64, s.facets,
             least_facets, most_facets);
    if (s.passes < 1)
        fail(Status::bad_setting, "max_passes = %" PRId64 ", at least 1 is needed", s.passes);
    check_not_negative(s.pass_tolerance, "pass_tolerance");
    check_not_negative(s.sticking_speed, "sticking_speed");
    check_not_negative(s.stiffness, "stiffness");
}

std::unique_ptr<FrictionStep> make_friction_step(const FrictionSettings& settings,
                                                 std::shared_ptr<const System> system,
                                                 const ContactRows& rows,
                                                 const StepContacts& contacts,
                                                 const ContactMemory& memory) {
    check_friction_settings(settings);
    switch (settings.model) {
        case FrictionModel::bristle:
            return make_bristle_step(settings, std::move(system), rows, contacts, memory);
        case FrictionModel::box:
            return make_box_step(settings, std::move(system), rows, contacts, memory);
        case FrictionModel::polygon:
            return make_polygon_step(settings, std::move(system), rows, contacts, memory);
        case FrictionModel::cone:
            return make_cone_step(settings, std::move(system), rows, contacts, memory);
        case FrictionModel::coulomb:
            return make_coulomb_step(settings, std::move(system), rows, contacts, memory);
    }
    fail(Status::bad_setting, "model = %d is no friction model", static_cast<int>(settings.model));
}

}  // namespace perp
