#include "step/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"

namespace perp {
namespace {

// Impulses below this fraction of the largest normal impulse are none; a friction impulse above
// the complement of that fraction of its limit slips.
constexpr double open_fraction = 1e-9, limit_fraction = 1e-6;

void add(Info& sum, const Info& pass) {
    const Info before = sum;
    sum = pass;
    sum.iterations += before.iterations;
    sum.products += before.products;
    sum.restarts += before.restarts;
    sum.backtracks += before.backtracks;
    sum.accelerated += before.accelerated;
    sum.outer_loops += before.outer_loops;
    sum.interior_steps += before.interior_steps;
    sum.block_steps += before.block_steps;
    sum.single_pivots += before.single_pivots;
    sum.factorizations += before.factorizations;
    sum.updates += before.updates;
    sum.fallbacks |= before.fallbacks;
    sum.backward_error = std::max(sum.backward_error, before.backward_error);
    sum.tie_rounds += before.tie_rounds;
    sum.setup_seconds += before.setup_seconds;
    sum.solve_seconds += before.solve_seconds;
}

double norm(const double* x, std::int64_t n) {
    double square = 0.0;
    for (std::int64_t k = 0; k < n; ++k) square += x[k] * x[k];
    return std::sqrt(square);
}

// Velocities J v + b of sliding and angular rows.
std::vector<double> row_velocity(const System& system, SystemMatrix which,
                                 std::span<const double> velocity) {
    std::vector<double> u(system.matrix(which).rows, 0.0);
    multiply_add(system.matrix(which), velocity, u);
    return u;
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
    return Method::apgd;
}

Stepper::Stepper(const StepSettings& settings) { set(settings); }

void Stepper::set(const StepSettings& settings) { settings_ = settings; }

StepResult Stepper::step(std::shared_ptr<const System> system, const ContactRows& rows,
                         const StepContacts& contacts, const ProgressCallback& progress) {
    const std::unique_ptr<FrictionStep> model =
        make_friction_step(settings_.friction, system, rows, contacts, memory_);
    StepResult result;
    Settings solver_settings = settings_.solver;
    if (settings_.choose_method) solver_settings.method = method_for(settings_.friction.model);
    result.info.method = solver_settings.method;
    solver_settings.warm_start = true;
    Solver solver(model->problem(), solver_settings);
    std::vector<double> z(model->problem()->rows());
    model->guess(z);
    bool more = true;
    while (more) {
        add(result.info.solver, solver.solve(z, progress));
        ++result.info.passes;
        const Outcome outcome = result.info.solver.outcome;
        more = outcome == Outcome::solved && model->next(z);
    }
    result.info.converged = result.info.solver.outcome == Outcome::solved && model->converged();
    model->impulses(z, result.impulses);
    result.velocity = velocity_after(*system, rows, result.impulses);
    describe(*system, rows, result);
    ContactMemory next;
    model->remember(z, next);
    memory_ = std::move(next);
    return result;
}

}  // namespace perp
