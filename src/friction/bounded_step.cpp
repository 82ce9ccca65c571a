#include "friction/bounded_step.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "friction/stacked_rows.hpp"
#include "problem/bound_iteration.hpp"
#include "problem/vectors.hpp"

namespace perp {
namespace {

// The first passes are damped where they do not come nearer; only then are they accelerated. Where
// redundant contacts leave normal impulses open, bounds then stay near those of the step before.
constexpr std::int64_t damped_passes = 10;
constexpr double least_relaxation = 1.0 / 16.0;
// Passes that have not come nearer for so many end. A change that has grown by so much against the
// best one so far starts the acceleration anew.
constexpr std::int64_t patience = 25;
constexpr double growth = 2.0;
// Relative change of the bounds up to which those of the step before will do (automatic bounds).
constexpr double steady = 0.1;

void check_even_compliance(const ContactRows& rows) {
    for (std::size_t k = 0; k + 1 < rows.compliance_T.size(); k += 2)
        if (rows.compliance_T[k] != rows.compliance_T[k + 1])
            fail(Status::unsupported,
                 "compliance_T[%zu] = %.17g differs from compliance_T[%zu] = %.17g, but the model "
                 "turns the axes of contact %zu (0-based)",
                 k, rows.compliance_T[k], k + 1, rows.compliance_T[k + 1], k / 2);
}

class BoundedStep : public FrictionStep {
public:
    BoundedStep(const FrictionSettings& settings, std::shared_ptr<const System> system,
                const ContactRows& rows, const StepContacts& contacts, const ContactMemory& memory,
                BoundedRows model)
        : FrictionStep(*system, contacts, memory),
          settings_(settings),
          aligned_(std::move(system), std::move(model.first_axis)),
          model_(std::move(model)),
          rows_(rows) {
        const System& s = *aligned_.system();
        const std::int64_t sliding = s.contacts() * s.shape().tangential;
        for (std::vector<double>* part :
             {&model_.compliance, &model_.speed, &model_.target, &rows_.b_T, &rows_.compliance_T})
            fill_default(*part, sliding);
        fill_default(rows_.mu, s.contacts());  // without sliding rows it may be missing
        aligned_.to_aligned(rows_.b_T);
        b_T_ = rows_.b_T;
        compliance_T_ = rows_.compliance_T;
        aligned_.to_aligned(last_.D);
        bounded_by_ = last_.N;
        for (std::int64_t i = 0; i < s.contacts(); ++i) {
            const bool is_new = memory.find(frames_.ids()[i]) == nullptr;
            is_new_.push_back(is_new ? 1 : 0);
            any_new_ = any_new_ || is_new;
            if (is_new && !contacts.normal_estimate.empty())
                bounded_by_[i] = contacts.h * contacts.normal_estimate[i];
        }
        same_contacts_ =
            !any_new_ && static_cast<std::int64_t>(memory.ids().size()) == s.contacts();
        set_bounds();
        problem_ = std::make_shared<Problem>(Problem::assemble(aligned_.system(), rows_, Law::box));
        iteration_.emplace(bound_weights());
        iteration_->half_width = bounded_by_;
        asked_.resize(s.contacts());
    }

    void guess(std::span<double> z) const override { stack_rows(*aligned_.system(), last_, z); }

    bool next(std::span<const double> z) override {
        const std::span<const double> normal =
            z.subspan(aligned_.system()->bilateral(), aligned_.system()->contacts());
        if (settings_.bounds == FrictionBounds::previous) {
            const bool again =
                any_new_ && passes_ == 1 && settings_.passes > 1 && bound_new_contacts(normal);
            if (again) take_bounds();
            return again;
        }
        const double change = relative_change(normal);
        if (settings_.bounds == FrictionBounds::automatic && passes_ == 1 && same_contacts_ &&
            change <= steady)
            return false;
        converged_ = change <= settings_.pass_tolerance;
        if (change < best_change_) best_pass_ = passes_;
        const bool goes_on =
            !converged_ && passes_ < settings_.passes && passes_ - best_pass_ < patience;
        if (goes_on) move_bounds(normal, change);
        change_ = change;
        best_change_ = std::min(best_change_, change);
        if (!goes_on) return false;
        take_bounds();
        return true;
    }

    [[nodiscard]] bool converged() const override { return converged_; }
    // Eta does not see that the bounds are not yet those of the impulses.
    [[nodiscard]] double law_residual(std::span<const double>, double eta) const override {
        return converged_ ? eta : std::max(eta, change_);
    }

    void impulses(std::span<const double> z, StepImpulses& out) const override {
        split_rows(*aligned_.system(), z, out);
        aligned_.to_given(out.D);
    }
    void sliding_use(std::span<const double> z, std::span<double> use) const override {
        const System& s = *aligned_.system();
        const int t = s.shape().tangential;
        const std::int64_t r = s.contacts();
        const std::span<const double> normal = z.subspan(s.bilateral(), r);
        const std::span<const double> sliding = z.subspan(s.bilateral() + r, t * r);
        for (std::int64_t i = 0; i < r; ++i) {
            use[i] = 0.0;
            if (!(normal[i] > 0.0)) continue;
            for (std::int64_t k = t * i; k < t * (i + 1); ++k)
                use[i] = std::max(use[i],
                                  rows_.hi_T[k] > 0.0 ? std::abs(sliding[k]) / rows_.hi_T[k] : 1.0);
            if (t == 0) use[i] = 1.0;
        }
    }
    [[nodiscard]] ElasticEnergy elastic_energy(std::span<const double> z) const override {
        const System& s = *aligned_.system();
        const std::span<const double> sliding =
            z.subspan(s.bilateral() + s.contacts(), last_.D.size());
        ElasticEnergy energy;
        for (std::size_t k = 0; k < last_.D.size(); ++k) {
            energy.before += 0.5 * model_.compliance[k] * last_.D[k] * last_.D[k];
            energy.after += 0.5 * model_.compliance[k] * sliding[k] * sliding[k];
        }
        return energy;
    }

private:
    // Largest change of a bound over the largest bound.
    [[nodiscard]] double relative_change(std::span<const double> normal) const {
        double change = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < normal.size(); ++i) {
            const double now = std::max(normal[i], 0.0), before = bounded_by_[i];
            change = std::max(change, rows_.mu[i] * std::abs(now - before));
            largest = std::max(largest, rows_.mu[i] * std::max(now, before));
        }
        return change > 0.0 ? change / largest : 0.0;
    }

    void move_bounds(std::span<const double> normal, double change) {
        for (std::size_t i = 0; i < normal.size(); ++i) asked_[i] = std::max(normal[i], 0.0);
        if (passes_ >= damped_passes) {
            if (change > growth * best_change_) iteration_->restart();
            iteration_->advance(asked_);
            bounded_by_ = iteration_->half_width;
            return;
        }
        if (change >= change_) relaxation_ = std::max(relaxation_ / 2.0, least_relaxation);
        for (std::size_t i = 0; i < asked_.size(); ++i)
            bounded_by_[i] += relaxation_ * (asked_[i] - bounded_by_[i]);
        iteration_->half_width = bounded_by_;
    }

    // New contacts alone have no step before: their bounds follow the impulses just found. True if
    // some change.
    bool bound_new_contacts(std::span<const double> normal) {
        bool changed = false;
        for (std::size_t i = 0; i < normal.size(); ++i) {
            if (is_new_[i] == 0) continue;
            changed = changed || bounded_by_[i] != std::max(normal[i], 0.0);
            bounded_by_[i] = std::max(normal[i], 0.0);
        }
        return changed;
    }

    // Of changes of the normal impulses in the bounds: energy of the friction that follows.
    [[nodiscard]] std::vector<double> bound_weights() const {
        const System& s = *aligned_.system();
        const int t = s.shape().tangential;
        const std::int64_t first = s.bilateral() + s.contacts();
        std::vector<double> weights(s.contacts(), 0.0);
        for (std::int64_t i = 0; i < s.contacts(); ++i)
            for (int j = 0; j < t; ++j)
                weights[i] += rows_.mu[i] * rows_.mu[i] * problem_->diagonal()[first + t * i + j];
        return weights;
    }

    void set_bounds() {
        const int t = aligned_.system()->shape().tangential;
        const std::size_t sliding = b_T_.size();
        rows_.lo_T.resize(sliding);
        rows_.hi_T.resize(sliding);
        for (std::size_t k = 0; k < sliding; ++k) {
            const double bound = rows_.mu[k / t] * bounded_by_[k / t];
            // Of impulses; where the quotient overflows the impulse is 0 but for rounding.
            const double viscous = bound > 0.0 ? model_.speed[k] / bound : 0.0;
            const bool held = std::isfinite(viscous);
            const double own = model_.compliance[k] + (held ? viscous : 0.0);
            rows_.hi_T[k] = held ? bound : 0.0;
            rows_.lo_T[k] = -rows_.hi_T[k];
            rows_.compliance_T[k] = compliance_T_[k] + own;
            rows_.b_T[k] = own > 0.0 ? b_T_[k] - own * model_.target[k] : b_T_[k];
        }
    }

    void take_bounds() {
        set_bounds();
        problem_->set_vectors(rows_);
        ++passes_;
    }

    FrictionSettings settings_;
    AlignedRows aligned_;
    BoundedRows model_;
    ContactRows rows_;                        // of this pass, in aligned rows
    std::vector<double> b_T_, compliance_T_;  // the caller's, aligned
    std::vector<double> bounded_by_, asked_;  // N s: normal impulses in the bounds, and after them
    std::optional<BoundIteration> iteration_;
    std::vector<char> is_new_;
    bool any_new_ = false, same_contacts_ = false;
    std::int64_t passes_ = 1;
    std::int64_t best_pass_ = 1;
    double best_change_ = std::numeric_limits<double>::infinity();
    double change_ = std::numeric_limits<double>::infinity();  // of the last pass
    double relaxation_ = 1.0;
    bool converged_ = true;
};

}  // namespace

void check_bounded(const FrictionSettings& settings, const System& system, const ContactRows& rows,
                   const StepContacts& contacts, const char* model) {
    check_friction_settings(settings);
    const std::int64_t r = system.contacts();
    if (system.shape().angular() > 0)
        fail(Status::unsupported,
             "S has %" PRId64
             " rows, but the %s has no rolling or spinning friction; cone and "
             "coulomb have",
             system.matrix(SystemMatrix::S).rows, model);
    if (system.shape().tangential > 0) {
        require(rows.mu, r, "mu", "bounds are mu times normal impulses");
        check_size(rows.mu, r, "mu");
        check_not_negative(rows.mu, "mu");
        for (const auto& [v, name] :
             {std::pair{&rows.b_T, "b_T"}, std::pair{&rows.compliance_T, "compliance_T"}}) {
            if (!v->empty()) check_size(*v, r * system.shape().tangential, name);
            check_finite(*v, name);
        }
    }
    if (!rows.lo_T.empty() || !rows.hi_T.empty())
        fail(Status::unsupported,
             "%s is given, but the bounds of the %s are mu times normal impulses",
             rows.lo_T.empty() ? "hi_T" : "lo_T", model);
    if (contacts.normal_estimate.empty()) return;
    check_size(contacts.normal_estimate, r, "normal_estimate");
    check_not_negative(contacts.normal_estimate, "normal_estimate");
}

std::vector<double> sliding_velocity(const System& system, const ContactRows& rows,
                                     const StepContacts& contacts, const char* why) {
    const Csr& D = system.matrix(SystemMatrix::D);
    std::vector<double> speed(D.rows, 0.0);
    if (D.rows == 0) return speed;
    require(contacts.velocity, system.velocities(), "velocity", why);
    check_size(contacts.velocity, system.velocities(), "velocity");
    check_finite(contacts.velocity, "velocity");
    if (!rows.b_T.empty()) speed = rows.b_T;
    multiply_add(D, contacts.velocity, speed);
    check_finite(speed, "D velocity");
    return speed;
}

std::vector<double> per_contact(const std::vector<double>& given, double setting, std::int64_t r,
                                const char* name) {
    if (!given.empty()) check_size(given, r, name);
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!(given[i] >= 0.0))
            fail(Status::bad_value, "%s[%zu] = %.17g is negative", name, i, given[i]);
    return given.empty() ? std::vector<double>(r, setting) : given;
}

TangentAxis slip_direction(const double* force) {
    const double size = std::hypot(force[0], force[1]);
    if (!(size > 0.0)) return {1.0, 0.0};
    return {-force[0] / size, -force[1] / size};
}

std::unique_ptr<FrictionStep> make_bounded_step(const FrictionSettings& settings,
                                                std::shared_ptr<const System> system,
                                                const ContactRows& rows,
                                                const StepContacts& contacts,
                                                const ContactMemory& memory, BoundedRows model) {
    if (!model.first_axis.empty()) check_even_compliance(rows);
    return std::make_unique<BoundedStep>(settings, std::move(system), rows, contacts, memory,
                                         std::move(model));
}

}  // namespace perp
