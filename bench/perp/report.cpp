#include "report.hpp"

#include "text.hpp"

namespace perp::tool {
namespace {

std::string header_text(const ProblemFile& file, const SolveRequest& request) {
    std::string text = file.path + ": " + contents_text(file.info) + "\n" +
                       std::to_string(file.info.rows) + " rows, ";
    if (file.info.matrix_form == 0) text += std::to_string(file.info.velocities) + " velocities, ";
    text += std::to_string(file.info.nonzeros) + " nonzeros; solving to eta " +
            scientific(request.tolerance);
    if (!request.warm.empty()) text += " from a stored solution";
    for (const auto& [name, value] : request.settings) {
        text.append(", ").append(name).append(" = ").append(value);
    }
    return text + "\n";
}

std::string table_text(const std::vector<SolverRun>& runs, bool color) {
    Table table({"solver", "outcome", "eta", "bilateral", "normal", "friction", "box", "iterations",
                 "products", "setup s", "solve s"});
    for (const SolverRun& run : runs) {
        if (!run.ran()) {
            table.add({run.solver, run.not_run});
            continue;
        }
        const perp_residual_info& r = run.residual;
        const char* outcome = perp_outcome_text(run.info.outcome);
        table.add({run.solver, outcome, scientific(run.info.eta), scientific(r.eta_bilateral),
                   scientific(r.eta_normal), scientific(r.eta_friction), scientific(r.eta_box),
                   std::to_string(run.info.iterations), std::to_string(run.info.products),
                   seconds(run.info.setup_seconds), seconds(run.info.solve_seconds)});
    }
    std::string text = table.text();
    if (!color) return text;
    // Only the header is set off: colours of outcomes would repeat what the words say.
    const std::size_t end = text.find('\n');
    return "\x1b[1m" + text.substr(0, end) + "\x1b[0m" + text.substr(end);
}

std::string worst_text(const ProblemFile& file, const SolverRun& run) {
    std::string text = run.solver + ": worst " + row_text(file.info, run.residual.worst_row);
    if (file.info.contacts > 0) {
        text += ", penetration velocity " + scientific(run.residual.penetration_velocity) + " m/s";
    }
    if (file.info.bilateral > 0) {
        text += ", bilateral velocity " + scientific(run.residual.bilateral_velocity) + " m/s";
    }
    return text + "\n";
}

// What a pivoting method did; empty for the others.
std::string pivots_text(const SolverRun& run) {
    const perp_info& i = run.info;
    if (i.factorizations + i.updates + i.single_pivots + i.block_steps == 0) return {};
    std::string text = "  " + std::to_string(i.factorizations) + " factorizations, " +
                       std::to_string(i.updates) + " updates; " + std::to_string(i.block_steps) +
                       " block exchanges, " + std::to_string(i.single_pivots) + " single pivots";
    if (i.interior_steps > 0)
        text += ", " + std::to_string(i.interior_steps) + " interior-point steps";
    return text + "; backward error " + scientific(i.backward_error) + "\n";
}

// Which of its methods gave the answer of a method that is made of others, and why.
std::string choice_text(const SolverRun& run) {
    const perp_info& i = run.info;
    const bool combined = run.settings.method == PERP_AUTO || run.settings.method == PERP_ACCURATE;
    if (!combined || i.method == 0) return {};
    std::string text = "  by " + std::string(perp_method_name(i.method));
    if ((i.fallbacks & PERP_FALLBACK_FACTORIZE) != 0) text += ", apgd was too slow";
    if ((i.fallbacks & PERP_FALLBACK_COLD_START) != 0) text += ", the guess led nowhere";
    if ((i.fallbacks & PERP_FALLBACK_POLISH) != 0) text += ", the interior point stalled";
    return text + "\n";
}

std::string norm_text(const SolverRun& run) {
    if (run.settings.least_norm == 0) return {};
    return run.info.least_norm != 0 ? "  impulses of least energy norm\n"
                                    : "  not the impulses of least energy norm\n";
}

std::string rounds_text(const SolverRun& run) {
    if (run.info.tie_rounds == 0) return {};
    return "  " + std::to_string(run.info.tie_rounds) +
           " rounds of bounds tied to impulses or of the exact law\n";
}

Json fallbacks_json(int64_t bits) {
    static constexpr const char* names[] = {"interior_point", "single_pivots", "line_search",
                                            "general_basis",  "lemke",         "enumeration",
                                            "keller",         "polish",        "factorize"};
    Json list = Json::array();
    for (std::size_t k = 0; k < std::size(names); ++k)
        if ((bits >> k & 1) != 0) list.push_back(names[k]);
    return list;
}

// What to do about it, in a sentence.
std::string advice_text(const ProblemFile& file, const SolverRun& run) {
    switch (run.info.outcome) {
        case PERP_SOLVED:
            return {};
        case PERP_ITERATION_LIMIT:
            return "Not solved within " + std::to_string(run.info.iterations) +
                   " iterations: raise --max-iterations, or accept this accuracy with --tol.";
        case PERP_TIME_LIMIT:
            return "Not solved within the time limit: raise --time-limit, or go on from this "
                   "answer\n"
                   "  (--out, then --warm).";
        case PERP_STALLED:
            return "No more progress: try the other solvers (--solver all), accept this accuracy "
                   "with --tol,\n"
                   "  or give the rows compliance; redundant rows and large mass ratios stall "
                   "these methods.";
        case PERP_NO_SOLUTION:
            return "No impulses can satisfy these constraints, they contradict each other" +
                   (run.certificate_row
                        ? ": look at " + row_text(file.info, *run.certificate_row) + " first."
                        : std::string("."));
        case PERP_CANCELLED:
            return "Interrupted: this is the best answer found so far.";
        case PERP_NUMERICAL_FAILURE:
            return "Numbers overflowed: look for extreme values or wrong units in the file (perp "
                   "info).";
        default:
            return "Not solved.";
    }
}

Json settings_json(const perp_settings& s) {
    static constexpr const char* orders[] = {"given", "bfs", "random", "coloured"};
    return {{"method", perp_method_name(s.method)},
            {"tolerance", s.tolerance},
            {"max_iterations", s.max_iterations},
            {"time_limit", s.time_limit},
            {"warm_start", s.warm_start},
            {"relaxation", s.relaxation},
            {"sweep_order", orders[s.sweep_order]},
            {"symmetric_sweep", s.symmetric_sweep},
            {"seed", s.seed},
            {"check_interval", s.check_interval},
            {"stagnation_window", s.stagnation_window},
            {"threads", s.threads},
            {"eliminate_bilateral", s.eliminate_bilateral},
            {"anderson_window", s.anderson_window},
            {"least_norm", s.least_norm}};
}

}  // namespace

std::string report_text(const ProblemFile& file, const SolveRequest& request,
                        const std::vector<SolverRun>& runs, bool color) {
    std::string text = header_text(file, request) + "\n" + table_text(runs, color) + "\n";
    for (const SolverRun& run : runs) {
        if (!run.ran()) continue;
        if (run.residual.worst_row >= 0) text += worst_text(file, run);
        text += choice_text(run) + pivots_text(run) + rounds_text(run) + norm_text(run);
        const std::string advice = advice_text(file, run);
        if (!advice.empty()) text += "  " + advice + "\n";
    }
    if (best_of(runs) == nullptr) text += "No solver ran: there is no answer.\n";
    return text;
}

Json runs_json(const ProblemFile& file, const std::vector<SolverRun>& runs) {
    Json results = Json::array();
    for (const SolverRun& run : runs) {
        if (!run.ran()) {
            results.push_back({{"solver", run.solver}, {"ran", false}, {"reason", run.not_run}});
            continue;
        }
        Json result{{"solver", run.solver},
                    {"ran", true},
                    {"outcome", outcome_name(run.info.outcome)},
                    {"solved", run.solved()}};
        result.update(residual_json(file.info, run.residual));
        result.update(Json{
            {"iterations", run.info.iterations},
            {"products", run.info.products},
            {"restarts", run.info.restarts},
            {"backtracks", run.info.backtracks},
            {"outer_loops", run.info.outer_loops},
            {"interior_steps", run.info.interior_steps},
            {"block_steps", run.info.block_steps},
            {"single_pivots", run.info.single_pivots},
            {"factorizations", run.info.factorizations},
            {"updates", run.info.updates},
            {"fallbacks", fallbacks_json(run.info.fallbacks)},
            {"delta", run.info.delta},
            {"backward_error", run.info.backward_error},
            {"tie_rounds", run.info.tie_rounds},
            {"least_norm", run.info.least_norm != 0},
            {"method", run.info.method == 0 ? Json() : Json(perp_method_name(run.info.method))},
            {"setup_seconds", run.info.setup_seconds},
            {"solve_seconds", run.info.solve_seconds},
            {"certificate_row", run.certificate_row ? Json(*run.certificate_row) : Json()},
            {"settings", settings_json(run.settings)}});
        results.push_back(result);
    }
    return results;
}

}  // namespace perp::tool
