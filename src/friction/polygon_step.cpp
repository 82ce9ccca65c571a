// Polygonal friction (Anitescu and Potra, Nonlinear Dynamics 14 (1997)): one problem, for Lemke's
// method. Its matrix is copositive, not symmetric: there is a solution where the gaps have one.
#include <cinttypes>

#include "base/error.hpp"
#include "friction/friction_step.hpp"
#include "friction/polygon_rows.hpp"
#include "problem/vectors.hpp"

namespace perp {
namespace {

std::int64_t checked_facets(const FrictionSettings& settings, const System& system,
                            const StepContacts& contacts) {
    check_friction_settings(settings);
    if (const std::int64_t rows = system.matrix(SystemMatrix::S).rows; rows > 0)
        fail(Status::unsupported,
             "S has %" PRId64 " rows, but the polygon has no rolling or spinning friction", rows);
    if (!contacts.facet_angle.empty()) {
        check_size(contacts.facet_angle, system.contacts(), "facet_angle");
        check_finite(contacts.facet_angle, "facet_angle");
    }
    return settings.facets;
}

class PolygonStep : public FrictionStep {
public:
    PolygonStep(const FrictionSettings& settings, std::shared_ptr<const System> system,
                const ContactRows& rows, const StepContacts& contacts, const ContactMemory& memory)
        : FrictionStep(*system, contacts, memory),
          facets_(checked_facets(settings, *system, contacts)),
          base_(Problem::assemble(std::move(system), rows, Law::cone)),
          rows_(base_, facets_, contacts.facet_angle) {
        problem_ = std::make_shared<Problem>(rows_.problem());
    }

    void guess(std::span<double> z) const override { rows_.from_caller(last_, z); }
    bool next(std::span<const double>) override { return false; }
    void impulses(std::span<const double> z, StepImpulses& out) const override {
        rows_.to_caller(z, out);
    }
    void sliding_use(std::span<const double> z, std::span<double> use) const override {
        rows_.sliding_use(z, use);
    }

private:
    std::int64_t facets_;
    Problem base_;
    PolygonRows rows_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_polygon_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory) {
    return std::make_unique<PolygonStep>(settings, std::move(system), rows, contacts, memory);
}

}  // namespace perp
