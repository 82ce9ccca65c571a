// One time step under a friction model: the passes of the model, each solved by the method that fits
// it, and what the step did to every contact.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "friction/friction_step.hpp"
#include "solvers/solver.hpp"

namespace perp {

enum class ContactState : std::int8_t { open = 0, stick = 1, slip = 2, roll = 3 };

struct StepSettings {
    FrictionSettings friction;
    Settings solver;
    bool choose_method = true;  // by the model, in place of solver.method
};

struct StepInfo {
    Info solver;                 // sums over the passes; eta and outcome are those of the last
    Method method = Method::apgd;
    std::int64_t passes = 0;
    bool converged = true;       // the model's own passes came to an end
    double dissipation = 0.0;    // J: taken by friction, -(z_D . u_D + z_S . u_S)
    std::int64_t contacts[4] = {0, 0, 0, 0};  // by state
};

struct StepResult {
    std::vector<double> velocity;  // v+
    StepImpulses impulses;
    std::vector<ContactState> state;
    StepInfo info;
};

// The memory of the contacts and the step itself. A step that throws leaves the memory as it was.
class Stepper {
public:
    explicit Stepper(const StepSettings& settings);

    StepResult step(std::shared_ptr<const System> system, const ContactRows& rows,
                    const StepContacts& contacts, const ProgressCallback& progress);

    [[nodiscard]] const StepSettings& settings() const { return settings_; }
    void set(const StepSettings& settings);
    [[nodiscard]] const ContactMemory& memory() const { return memory_; }
    void set_memory(ContactMemory memory) { memory_ = std::move(memory); }

private:
    StepSettings settings_;
    ContactMemory memory_;
};

// The method for a model where the caller does not name one.
Method method_for(FrictionModel model);

}  // namespace perp
