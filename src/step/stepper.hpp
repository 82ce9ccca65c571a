// One time step under a friction model: the problems of the model, one after the other, each solved
// by the method that fits, and what the step did to every contact.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "friction/friction_step.hpp"
#include "solvers/solver.hpp"

namespace perp {

// Slips: sliding friction at its limit, or none possible. Rolls: not so, but rolling or spinning
// friction is at its limit.
enum class ContactState : std::int8_t { open = 0, stick = 1, slip = 2, roll = 3 };

struct StepInfo {
    Info solver;  // counts and times are sums over the passes, all else is of the last one
    Outcome outcome = Outcome::solved;  // of the passes together
    Method method = Method::apgd;
    std::int64_t passes = 0;
    bool converged = true;  // the model's passes came to an end of their own
    double law_residual = 0.0;
    double dissipation = 0.0;     // J: -(z_D . u_D + z_S . u_S) less what bristles gained
    double elastic_energy = 0.0;  // J: in bristles, at the end
    std::int64_t contacts[4] = {0, 0, 0, 0};  // by state
    std::int64_t remembered = 0;              // contacts that the step before knew
};

struct StepResult {
    std::vector<double> velocity;  // v+
    std::vector<double> z;         // rows A, N, D, S, B of the system
    std::vector<ContactState> state;
    StepInfo info;
};

// The law, and the memory of the contacts. A step that throws, finds that there is no solution or
// fails in its numbers leaves the memory as it was.
class Stepper {
public:
    // `recovery_speed`: b_N is taken as max(b_N, -recovery_speed). Throws bad_setting.
    explicit Stepper(const FrictionSettings& friction,
                     double recovery_speed = std::numeric_limits<double>::infinity());

    // Throws what make_friction_step and Solver throw; unsupported where the method cannot take the
    // model's problem, naming one that can.
    StepResult step(const std::shared_ptr<const System>& system, ContactRows rows,
                    const StepContacts& contacts, const Settings& settings);

    [[nodiscard]] const ContactMemory& memory() const { return memory_; }
    void set_memory(ContactMemory memory) { memory_ = std::move(memory); }

private:
    // The problem and the solver of the last step: the next one keeps what its pattern allows.
    struct Workspace {
        std::shared_ptr<Problem> problem;
        std::unique_ptr<Solver> solver;
    };
    static Solver& prepare(FrictionStep& model, const Settings& settings, Workspace& work);

    FrictionSettings friction_;
    double recovery_speed_;
    ContactMemory memory_;
    Workspace work_;
};

// The method for a model where the caller names none.
Method method_for(FrictionModel model);

}  // namespace perp
