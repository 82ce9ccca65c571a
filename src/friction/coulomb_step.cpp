// The exact Coulomb law (De Saxce and Feng, Math. Comput. Modelling 28 (1998)): cone problems, one
// after the other, whose normal velocities are shifted by what the last solution slides, rolls and
// spins (Acary, Cadoux, Lemarechal and Malick, ZAMM 91 (2011)):
//
//   b_N + s,   s+ = mu |u_T| + rho |u_r| + sigma |u_s|
//
// u are the velocities of the rows, with constant terms and compliance: the law whose distance
// residual().eta_coulomb measures. There may be several solutions, and there need not be one.
#include <cmath>

#include "base/error.hpp"
#include "friction/cone_use.hpp"
#include "friction/friction_step.hpp"
#include "friction/shift_iteration.hpp"
#include "friction/stacked_rows.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

class CoulombStep : public FrictionStep {
public:
    CoulombStep(const FrictionSettings& settings, std::shared_ptr<const System> system,
                const ContactRows& rows, const StepContacts& contacts, const ContactMemory& memory)
        : FrictionStep(*system, contacts, memory),
          settings_(settings),
          system_(std::move(system)),
          exact_(Problem::assemble(system_, rows, Law::cone)),
          iteration_(exact_.weights().contact),
          work_(make_residual_workspace(exact_)),
          asked_(system_->contacts()),
          factor_(asked_) {
        check_friction_settings(settings_);
        problem_ = std::make_shared<Problem>(exact_);
    }

    void guess(std::span<double> z) const override { stack_rows(*system_, last_, z); }
    bool next(std::span<const double> z) override;
    [[nodiscard]] bool converged() const override { return converged_; }
    [[nodiscard]] double law_residual(std::span<const double> z, double) const override {
        ResidualWorkspace work = make_residual_workspace(exact_);
        return residual(exact_, z, work).eta_coulomb;
    }
    void impulses(std::span<const double> z, StepImpulses& out) const override {
        split_rows(*system_, z, out);
    }
    void sliding_use(std::span<const double> z, std::span<double> use) const override {
        cone_use(exact_, z, use);
    }

private:
    void ask(std::int64_t contact, std::span<const double> z);

    FrictionSettings settings_;
    std::shared_ptr<const System> system_;
    Problem exact_;  // without shifts
    ShiftIteration iteration_;
    ResidualWorkspace work_;
    std::vector<double> asked_, factor_;
    std::int64_t passes_ = 0;
    bool converged_ = false, ended_ = false;
};

// The shift that a contact's velocities ask for, and by what its change is multiplied to be
// Newton's method for this contact alone: while it slides, mu |u_T| has the slope k / (1 + k) in s,
// k = mu^2 W_TT / W_nn, where W_nT = 0. Rows that stick or press nothing answer at once.
void CoulombStep::ask(std::int64_t contact, std::span<const double> z) {
    const ConstraintSet& set = exact_.set();
    const ContactShape& shape = set.shape;
    const std::int32_t* const row = set.contact_row.data() + contact * shape.rows();
    const ConeCoefficients c = set.coefficients(contact);
    double u[6] = {};
    for (int j = 0; j < shape.rows(); ++j) u[j] = work_.velocity[row[j]];
    asked_[contact] = de_saxce_shift(shape, c, u);
    factor_[contact] = 1.0;
    const double normal = z[row[0]], diagonal = exact_.diagonal()[row[0]];
    if (!(normal > 0.0) || !(diagonal > 0.0)) return;
    int first = 1;
    for (const auto& [count, coefficient] :
         {std::pair{shape.tangential, c.sliding}, {shape.spin, c.spin}, {shape.roll, c.roll}}) {
        double square = 0.0, trace = 0.0;
        for (int j = first; j < first + count; ++j) {
            square += z[row[j]] * z[row[j]];
            trace += exact_.diagonal()[row[j]];
        }
        if (coefficient > 0.0 && std::sqrt(square) >= at_limit * coefficient * normal)
            factor_[contact] += coefficient * coefficient * trace / (count * diagonal);
        first += count;
    }
}

bool CoulombStep::next(std::span<const double> z) {
    if (ended_) return false;
    ++passes_;
    const double distance = residual(exact_, z, work_).eta_coulomb;
    for (std::int64_t i = 0; i < exact_.set().contacts; ++i) ask(i, z);
    iteration_.advance(asked_, factor_);
    const double change = iteration_.change();
    // A change of the shifts moves the law's residual by no more; some change nothing.
    converged_ = change <= settings_.pass_tolerance * exact_.free_norm() ||
                 distance <= settings_.pass_tolerance;
    ended_ = converged_ || passes_ >= settings_.passes || !std::isfinite(change);
    if (ended_) return false;
    ContactRows rows = exact_.assembled()->rows;
    for (std::size_t i = 0; i < rows.b_N.size(); ++i) rows.b_N[i] += iteration_.shift[i];
    problem_->set_vectors(std::move(rows));
    return true;
}

}  // namespace

std::unique_ptr<FrictionStep> make_coulomb_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory) {
    return std::make_unique<CoulombStep>(settings, std::move(system), rows, contacts, memory);
}

}  // namespace perp
