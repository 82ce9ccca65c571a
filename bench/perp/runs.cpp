#include "runs.hpp"

#include <cmath>
#include <limits>

#include "interrupt.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct Watch {
    std::string solver;
    ProgressLine line;
};

extern "C" int32_t on_progress(const perp_progress* progress, void* user) {
    Watch& watch = *static_cast<Watch*>(user);
    if (watch.line.due()) {
        watch.line.draw(watch.solver + "  iteration " + std::to_string(progress->iteration) +
                        "  eta " + scientific(progress->eta) + "  best " +
                        scientific(progress->best_eta) + "  " + seconds(progress->seconds) + " s");
    }
    return interrupted() ? 1 : 0;
}

std::optional<int64_t> certificate_row(const perp_solver* solver, std::size_t rows) {
    std::vector<double> d(rows);
    if (rows == 0 || perp_certificate(solver, d.data()) != PERP_OK) return std::nullopt;
    std::size_t largest = 0;
    for (std::size_t i = 1; i < rows; ++i) {
        if (std::abs(d[i]) > std::abs(d[largest])) largest = i;
    }
    return static_cast<int64_t>(largest);
}

SolverRun run_solver(const ProblemFile& file, const SolveRequest& request, int64_t method,
                     ProgressLine::Mode mode) {
    SolverRun run;
    run.solver = perp_method_name(method);
    run.not_run = reason_against(file, method);
    if (!run.ran()) {
        run.not_run = "not applicable: " + run.not_run;
        return run;
    }
    if (interrupted()) {
        run.not_run = "not run: interrupted";
        return run;
    }
    const SolverHandle solver = make_solver(file.problem.get(), request, method);
    run.settings = sized<perp_settings>();
    require(perp_solver_get_settings(solver.get(), &run.settings), run.solver);
    Watch watch{run.solver, ProgressLine(mode)};
    require(perp_solver_set_callback(solver.get(), on_progress, &watch), run.solver);

    run.z = request.warm;
    run.z.resize(static_cast<std::size_t>(file.info.rows), 0.0);
    run.info = sized<perp_info>();
    require(perp_solve(solver.get(), run.z.data(), nullptr, &run.info), run.solver);
    watch.line.clear();
    run.residual = residual_of(file, run.z);
    if (run.info.outcome == PERP_NO_SOLUTION)
        run.certificate_row = certificate_row(solver.get(), run.z.size());
    return run;
}

}  // namespace

std::vector<SolverRun> run_solvers(const ProblemFile& file, const SolveRequest& request,
                                   ProgressLine::Mode progress) {
    const InterruptGuard guard;
    std::vector<SolverRun> runs;
    for (const int64_t method : request.methods)
        runs.push_back(run_solver(file, request, method, progress));
    return runs;
}

const SolverRun* best_of(const std::vector<SolverRun>& runs) {
    const auto eta = [](const SolverRun& run) {
        return std::isnan(run.info.eta) ? std::numeric_limits<double>::infinity() : run.info.eta;
    };
    const SolverRun* best = nullptr;
    for (const SolverRun& run : runs) {
        if (run.ran() && (best == nullptr || eta(run) < eta(*best))) best = &run;
    }
    return best;
}

std::string outcome_name(int64_t outcome) {
    switch (outcome) {
        case PERP_SOLVED:
            return "solved";
        case PERP_ITERATION_LIMIT:
            return "iteration_limit";
        case PERP_TIME_LIMIT:
            return "time_limit";
        case PERP_STALLED:
            return "stalled";
        case PERP_NO_SOLUTION:
            return "no_solution";
        case PERP_CANCELLED:
            return "cancelled";
        case PERP_NUMERICAL_FAILURE:
            return "numerical_failure";
        default:
            return "outcome_" + std::to_string(outcome);
    }
}

}  // namespace perp::tool
