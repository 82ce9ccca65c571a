// Cones of Coulomb, rolling and spinning friction, under the relaxed law (Tasora and Anitescu 2013;
// CCP) or the exact one (De Saxce and Feng 1998): one problem.
#include "friction/cone_use.hpp"
#include "friction/friction_step.hpp"
#include "friction/stacked_rows.hpp"

namespace perp {
namespace {

class ConeStep : public FrictionStep {
public:
    ConeStep(std::shared_ptr<const System> system, const ContactRows& rows,
             const StepContacts& contacts, const ContactMemory& memory, Law law)
        : FrictionStep(*system, contacts, memory), system_(std::move(system)) {
        problem_ = std::make_shared<Problem>(Problem::assemble(system_, rows, law));
    }

    void guess(std::span<double> z) const override { stack_rows(*system_, last_, z); }
    bool next(std::span<const double>) override { return false; }
    void impulses(std::span<const double> z, StepImpulses& out) const override {
        split_rows(*system_, z, out);
    }
    void sliding_use(std::span<const double> z, std::span<double> use) const override {
        cone_use(*problem_, z, use);
    }

private:
    std::shared_ptr<const System> system_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_cone_step(const FrictionSettings&,
                                             std::shared_ptr<const System> system,
                                             const ContactRows& rows, const StepContacts& contacts,
                                             const ContactMemory& memory) {
    return std::make_unique<ConeStep>(std::move(system), rows, contacts, memory, Law::cone);
}

std::unique_ptr<FrictionStep> make_coulomb_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory) {
    check_friction_settings(settings);
    return std::make_unique<ConeStep>(std::move(system), rows, contacts, memory, Law::coulomb);
}

}  // namespace perp
