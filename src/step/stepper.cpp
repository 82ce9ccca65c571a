#include "step/stepper.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "friction/stacked_rows.hpp"
#include "step/contact_report.hpp"

namespace perp {
namespace {

// Of the tolerance: to what first-order methods solve problems that lead to others. Their errors
// would else keep the passes from coming to an end.
constexpr double inner_share = 0.1;

bool has_passes(const FrictionSettings& friction) {
    switch (friction.model) {
        case FrictionModel::bristle:
        case FrictionModel::box:
            return friction.bounds != FrictionBounds::previous;
        case FrictionModel::polygon:
        case FrictionModel::cone:
        case FrictionModel::coulomb:
            break;
    }
    return false;
}

// The passes of the exact law are rounds of its solver.
void limit_rounds(const FrictionSettings& friction, Settings& solver) {
    if (friction.model != FrictionModel::coulomb) return;
    solver.tie_rounds = friction.passes;
    if (friction.pass_tolerance > 0.0) solver.tolerance = friction.pass_tolerance;
}

const char* name(FrictionModel model) {
    switch (model) {
        case FrictionModel::bristle:
            return "bristle";
        case FrictionModel::box:
            return "box";
        case FrictionModel::polygon:
            return "polygon";
        case FrictionModel::cone:
            return "cone";
        case FrictionModel::coulomb:
            break;
    }
    return "coulomb";
}

void check_method(const Problem& problem, Method method, FrictionModel model) {
    const std::string reason = unsupported_reason(problem, method);
    if (reason.empty()) return;
    const Method other = method_for(model);
    fail(Status::unsupported, "method %s: %s; for the %s model take %s", name(method),
         reason.c_str(), name(model), name(other));
}

// Solves pass after pass, each from the solution of the one before. `asked`: the caller's
// tolerance; a pass that does not get to its own may still be good enough.
void solve_passes(FrictionStep& model, Solver& solver, double asked, std::vector<double>& z,
                  StepInfo& info) {
    const Clock clock;
    const double time_limit = solver.settings().time_limit;
    for (bool more = true; more;) {
        info.solver = joined(info.solver, solver.solve(z, {}));
        ++info.passes;
        info.outcome = info.solver.outcome;
        if (info.outcome == Outcome::stalled && info.solver.eta <= asked)
            info.outcome = Outcome::solved;
        more = info.outcome == Outcome::solved && model.next(z);
        if (!more || time_limit == 0.0) continue;
        Settings settings = solver.settings();
        settings.time_limit = time_limit - clock.seconds();
        more = settings.time_limit > 0.0;
        if (more)
            solver.set(settings);
        else
            info.outcome = Outcome::time_limit;
    }
    info.converged = info.outcome == Outcome::solved && model.converged();
    if (info.outcome == Outcome::solved && !info.converged) info.outcome = Outcome::iteration_limit;
    info.law_residual = model.law_residual(z, info.solver.eta);
}

}  // namespace

Method method_for(FrictionModel model) {
    switch (model) {
        case FrictionModel::bristle:
        case FrictionModel::box:
            return Method::pivoting;
        case FrictionModel::polygon:
            return Method::lemke;
        case FrictionModel::cone:
        case FrictionModel::coulomb:
            break;
    }
    return Method::automatic;
}

Stepper::Stepper(const FrictionSettings& friction, double recovery_speed)
    : friction_(friction), recovery_speed_(recovery_speed) {
    check_friction_settings(friction);
    if (!(recovery_speed >= 0.0))
        fail(Status::bad_setting, "recovery_speed = %g is negative", recovery_speed);
}

Solver& Stepper::prepare(FrictionStep& model, const Settings& settings, Workspace& work) {
    if (work.solver == nullptr) {
        work.problem = model.share_problem();
        work.solver = std::make_unique<Solver>(work.problem, settings);
    } else {
        work.solver->set(settings);
        work.solver->forget();
        model.put_problem(work.problem);
    }
    return *work.solver;
}

StepResult Stepper::step(const std::shared_ptr<const System>& system, ContactRows rows,
                         const StepContacts& contacts, const Settings& settings) {
    for (double& b : rows.b_N) b = std::max(b, -recovery_speed_);
    FrictionSettings friction = friction_;
    Settings solver = settings;
    if (solver.method == Method::automatic) solver.method = method_for(friction.model);
    limit_rounds(friction, solver);
    if (friction.pass_tolerance == 0.0) {
        friction.pass_tolerance = solver.tolerance;
        if (has_passes(friction) && !pivots(solver.method)) solver.tolerance *= inner_share;
    }
    const std::unique_ptr<FrictionStep> model =
        make_friction_step(friction, system, rows, contacts, memory_);
    check_method(*model->problem(), solver.method, friction.model);
    solver.warm_start = true;
    Workspace work = std::exchange(work_, {});  // lost where the step throws

    StepResult result;
    std::vector<double> z(model->problem()->rows());
    model->guess(z);
    solve_passes(*model, prepare(*model, solver, work), settings.tolerance, z, result.info);
    if (friction.model == FrictionModel::coulomb)
        result.info.passes = std::max<std::int64_t>(1, result.info.solver.tie_rounds);

    const Method last = result.info.solver.method;
    result.info.method = last == Method{0} ? solver.method : last;

    StepImpulses impulses;
    model->impulses(z, impulses);
    std::vector<double> use(system->contacts());
    model->sliding_use(z, use);
    report_contacts(*system, rows, impulses, use, result);
    const ElasticEnergy elastic = model->elastic_energy(z);
    result.info.dissipation -= elastic.after - elastic.before;
    result.info.elastic_energy = elastic.after;
    ContactMemory next;
    model->remember(impulses, next);
    for (const std::int64_t id : next.ids())
        if (memory_.find(id) != nullptr) ++result.info.remembered;
    const Outcome outcome = result.info.outcome;
    if (outcome != Outcome::no_solution && outcome != Outcome::numerical_failure)
        memory_ = std::move(next);
    work_ = std::move(work);
    return result;
}

}  // namespace perp
