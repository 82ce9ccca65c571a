// One step under a friction model: the problems to solve, one after the other, and what a solution
// means in the caller's rows. The solver is chosen elsewhere (room `step`).
//
// Models after Peiret, Kovecses and Font-Llagunes 2016 (regularized bristle), Lacoursiere (box),
// Anitescu and Potra 1997 (polygon), Tasora and Anitescu 2013 (cone with rolling and spinning), De
// Saxce and Feng 1998 (exact Coulomb). Unknowns are impulses, velocities those of the end of the
// step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "friction/contact_frames.hpp"
#include "friction/contact_memory.hpp"
#include "friction/step_contacts.hpp"
#include "problem/contact_rows.hpp"
#include "problem/problem.hpp"
#include "problem/system.hpp"

namespace perp {

enum class FrictionModel : std::int32_t {
    bristle = 1,
    box = 2,
    polygon = 3,
    cone = 4,
    coulomb = 5
};
// Bounds mu lambda_N of bristle and box: of the step before, or iterated within the step.
// Automatic: of the step before where it had the same contacts and their normal impulses have not
// changed much.
enum class FrictionBounds : std::int32_t { automatic = 0, previous = 1, iterated = 2 };
// Axes of the box: those of D, or along the sliding velocity at the start of the step.
enum class BoxAxes : std::int32_t { given = 1, sliding = 2 };

struct FrictionSettings {
    FrictionModel model = FrictionModel::cone;
    FrictionBounds bounds = FrictionBounds::automatic;
    BoxAxes axes = BoxAxes::given;
    std::int64_t facets = 4;  // of the polygon, >= 3
    // At most, of iterated bounds. The exact law is one problem: its rounds are the solver's.
    std::int64_t passes = 100;
    double pass_tolerance = 1e-10;  // relative change of bounds that ends the passes
    double sticking_speed = 1e-3;   // m/s, bristle: v_th, below which a contact sticks
    double stiffness = 0.0;         // N/m, bristle: k_T; 0 or infinite: rigid
};

// Throws bad_setting, naming the setting.
void check_friction_settings(const FrictionSettings& settings);

// Of the most that friction can be: from there on it cannot grow.
constexpr double at_limit = 1.0 - 1e-6;

// J: in bent bristles, with the stiffness of this step.
struct ElasticEnergy {
    double before = 0.0, after = 0.0;
};

class FrictionStep {
public:
    virtual ~FrictionStep() = default;
    FrictionStep(const FrictionStep&) = delete;
    FrictionStep& operator=(const FrictionStep&) = delete;

    // The problem of the pass that is due; the same object in every pass, with other vectors.
    [[nodiscard]] std::shared_ptr<const Problem> problem() const { return problem_; }
    // For solvers that are to outlive the step.
    [[nodiscard]] std::shared_ptr<Problem> share_problem() const { return problem_; }
    // Puts the problem in the place of another one, which a solver may hold: before the first pass.
    void put_problem(std::shared_ptr<Problem> place) {
        place->take(std::move(*problem_));
        problem_ = std::move(place);
    }
    // A guess of its solution from the step before, by contact; zeros for new ones.
    virtual void guess(std::span<double> z) const = 0;
    // Reads the solution of the pass. True: another pass is due, which may start from this z.
    virtual bool next(std::span<const double> z) = 0;
    // Whether the passes came to an end of their own. A model of one pass: always.
    [[nodiscard]] virtual bool converged() const { return true; }
    // Distance of z from the model's own law, relative as eta is: `eta` of the problem, or what
    // the passes have left of it.
    [[nodiscard]] virtual double law_residual(std::span<const double> /*z*/, double eta) const {
        return eta;
    }
    virtual void impulses(std::span<const double> z, StepImpulses& out) const = 0;
    // Sliding friction of each contact over the most it can be, r: it slips where that is 1, and
    // where none is possible. 0 without a normal impulse.
    virtual void sliding_use(std::span<const double> z, std::span<double> use) const = 0;
    [[nodiscard]] virtual ElasticEnergy elastic_energy(std::span<const double> /*z*/) const {
        return {};
    }
    // What the next step will need of this one.
    void remember(const StepImpulses& impulses, ContactMemory& memory) const {
        frames_.remember(impulses, memory);
    }

protected:
    // Checks the contacts; throws bad_size, bad_value.
    FrictionStep(const System& system, const StepContacts& contacts, const ContactMemory& memory)
        : frames_(system, contacts) {
        frames_.recall(memory, last_);
    }

    ContactFrames frames_;
    StepImpulses last_;                 // of the step before, in this one's rows
    std::shared_ptr<Problem> problem_;  // made by the model's constructor
};

// Throws bad_value, bad_size, unsupported with the argument named. Copies what it needs of `rows`,
// `contacts` and `memory`.
std::unique_ptr<FrictionStep> make_friction_step(const FrictionSettings& settings,
                                                 std::shared_ptr<const System> system,
                                                 const ContactRows& rows,
                                                 const StepContacts& contacts,
                                                 const ContactMemory& memory);

// One factory per model.
std::unique_ptr<FrictionStep> make_bristle_step(const FrictionSettings&,
                                                std::shared_ptr<const System>, const ContactRows&,
                                                const StepContacts&, const ContactMemory&);
std::unique_ptr<FrictionStep> make_box_step(const FrictionSettings&, std::shared_ptr<const System>,
                                            const ContactRows&, const StepContacts&,
                                            const ContactMemory&);
std::unique_ptr<FrictionStep> make_polygon_step(const FrictionSettings&,
                                                std::shared_ptr<const System>, const ContactRows&,
                                                const StepContacts&, const ContactMemory&);
std::unique_ptr<FrictionStep> make_cone_step(const FrictionSettings&, std::shared_ptr<const System>,
                                             const ContactRows&, const StepContacts&,
                                             const ContactMemory&);
std::unique_ptr<FrictionStep> make_coulomb_step(const FrictionSettings&,
                                                std::shared_ptr<const System>, const ContactRows&,
                                                const StepContacts&, const ContactMemory&);

}  // namespace perp
