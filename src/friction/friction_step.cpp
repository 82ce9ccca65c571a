#include "friction/friction_step.hpp"

#include <cmath>

#include "base/error.hpp"

namespace perp {
namespace {

void check_settings(const FrictionSettings& s) {
    if (s.passes < 1)
        fail(Status::bad_setting, "passes = %lld, at least 1 is needed",
             static_cast<long long>(s.passes));
    if (!(s.pass_tolerance > 0.0) || !std::isfinite(s.pass_tolerance))
        fail(Status::bad_setting, "pass_tolerance = %g is not positive and finite",
             s.pass_tolerance);
}

}  // namespace

std::unique_ptr<FrictionStep> make_friction_step(const FrictionSettings& settings,
                                                 std::shared_ptr<const System> system,
                                                 const ContactRows& rows,
                                                 const StepContacts& contacts,
                                                 const ContactMemory& memory) {
    check_settings(settings);
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
