// Commands of perp.Solver.
#include <algorithm>
#include <cstring>

#include "mex_commands.hpp"

namespace perp_mex {

namespace {

mxArray* new_count(std::int64_t value) { return new_scalar(static_cast<double>(value)); }

// A setting's value as perp_solver_set reads it.
std::string setting_text(const mxArray* value, const std::string& name) {
    if (value != nullptr && mxIsChar(value)) return text({value, name.c_str()});
    if (value != nullptr && (mxIsDouble(value) || mxIsLogical(value)) && !mxIsComplex(value) &&
        mxGetNumberOfElements(value) == 1)
        return number_text(mxGetScalar(value));
    refuse("perp:badSetting", name + " is neither one number nor a text");
}

// A solver of the smallest problem, to hear which settings perp knows.
Owner<perp_solver, perp_solver_destroy> any_solver() {
    const std::int64_t at = 0;
    const double one = 1.0;
    const perp_triplets H = {1, 1, 1, &at, &at, &one, 0};
    perp_problem* problem = nullptr;
    require(perp_blcp_create(&H, &one, nullptr, nullptr, &problem));
    const Owner<perp_problem, perp_problem_destroy> owner(problem);
    perp_solver* solver = nullptr;
    require(perp_solver_create(problem, nullptr, &solver));
    return Owner<perp_solver, perp_solver_destroy>(solver);
}

void change(perp_solver* solver, const Argument& argument) {
    if (argument.array == nullptr || !mxIsCell(argument.array))
        refuse("perp:badType", std::string(argument.name) + " is not a cell of names and values");
    const std::size_t count = mxGetNumberOfElements(argument.array);
    if (count % 2 != 0) refuse("perp:badOption", "options come in pairs of a name and a value");
    for (std::size_t k = 0; k < count; k += 2) {
        const mxArray* const given_name = mxGetCell(argument.array, static_cast<mwIndex>(k));
        if (given_name == nullptr || !mxIsChar(given_name))
            refuse("perp:badOption", "the name of an option is not a text");
        const std::string name = text({given_name, "name"});
        const std::string value =
            setting_text(mxGetCell(argument.array, static_cast<mwIndex>(k + 1)), name);
        require(perp_solver_set(solver, name.c_str(), value.c_str()));
    }
}

HeldSolver& solver_of(const Call& call) { return find<HeldSolver>(call.argument(0, "solver")); }

HeldSolver& solver_to_change(const Call& call) {
    return find_free<HeldSolver>(call.argument(0, "solver"));
}

perp_settings settings_now(const perp_solver* solver) {
    perp_settings settings{};
    settings.struct_size = sizeof settings;
    require(perp_solver_get_settings(solver, &settings));
    return settings;
}

// problem, settings
void create(const Call& call) {
    const auto problem = share<HeldProblem>(call.argument(0, "problem"));
    const perp_settings settings = settings_of(call.argument(1, "settings"));
    perp_solver* solver = nullptr;
    require(perp_solver_create(problem->problem.get(), &settings, &solver));
    Owner<perp_solver, perp_solver_destroy> owner(solver);
    auto held = std::make_unique<HeldSolver>();
    held->solver = std::move(owner);
    held->rows = problem->rows;
    held->problem = problem;
    call.output[0] = hold(std::move(held));
}

// solver, settings
void set(const Call& call) {
    HeldSolver& held = solver_to_change(call);
    const perp_settings before = settings_now(held.solver.get());
    try {
        change(held.solver.get(), call.argument(1, "settings"));
    } catch (...) {  // all or none
        perp_solver_set_settings(held.solver.get(), &before);
        throw;
    }
}

// solver
void get_settings(const Call& call) {
    const perp_settings s = settings_now(solver_of(call).solver.get());
    static const char* const orders[4] = {"given", "bfs", "random", "coloured"};
    call.output[0] = new_struct({{"method", new_text(perp_method_name(s.method))},
                                 {"tolerance", new_scalar(s.tolerance)},
                                 {"max_iterations", new_count(s.max_iterations)},
                                 {"time_limit", new_scalar(s.time_limit)},
                                 {"warm_start", new_count(s.warm_start)},
                                 {"relaxation", new_scalar(s.relaxation)},
                                 {"sweep_order", new_text(orders[s.sweep_order])},
                                 {"symmetric_sweep", new_count(s.symmetric_sweep)},
                                 {"seed", new_count(s.seed)},
                                 {"check_interval", new_count(s.check_interval)},
                                 {"stagnation_window", new_count(s.stagnation_window)},
                                 {"threads", new_count(s.threads)},
                                 {"eliminate_bilateral", new_count(s.eliminate_bilateral)},
                                 {"anderson_window", new_count(s.anderson_window)},
                                 {"tie_rounds", new_count(s.tie_rounds)},
                                 {"least_norm", new_count(s.least_norm)}});
}

// A progress function of MATLAB while perp solves. perp calls back on the thread that solves, and
// this is the interpreter's. Nothing may pass through perp: what goes wrong is kept until the end.
struct Watch {
    // [go_on, failure] = function(progress), made by perp.internal.watched: it catches errors.
    mxArray* function;
    mxArray* failure = nullptr;  // to return
    bool interrupted = false;
};

bool go_on(Watch& watch, const perp_progress& progress) {
    mxArray* arguments[2] = {watch.function,
                             new_struct({{"iteration", new_count(progress.iteration)},
                                         {"products", new_count(progress.products)},
                                         {"eta", new_scalar(progress.eta)},
                                         {"best_eta", new_scalar(progress.best_eta)},
                                         {"seconds", new_scalar(progress.seconds)}})};
    mxArray* results[2] = {nullptr, nullptr};
    mxArray* const trapped = mexCallMATLABWithTrap(2, results, 2, arguments, "feval");
    mxDestroyArray(arguments[1]);
    if (trapped != nullptr || results[0] == nullptr || results[1] == nullptr) {
        watch.interrupted = true;
        return false;
    }
    const bool wanted = mxGetScalar(results[0]) != 0.0;
    mxDestroyArray(results[0]);
    if (mxIsEmpty(results[1])) {
        mxDestroyArray(results[1]);
    } else {
        watch.failure = results[1];
    }
    return wanted;
}

std::int32_t on_progress(const perp_progress* progress, void* user) noexcept {
    Watch& watch = *static_cast<Watch*>(user);
    try {
        return go_on(watch, *progress) ? 0 : 1;
    } catch (...) {  // Octave's way to end what Ctrl-C interrupts
        watch.interrupted = true;
        return 1;
    }
}

mxArray* info_struct(const perp_info& i) {
    const char* const method = perp_method_name(i.method);
    return new_struct({{"outcome", new_text(perp_outcome_text(i.outcome))},
                       {"outcome_number", new_count(i.outcome)},
                       {"iterations", new_count(i.iterations)},
                       {"products", new_count(i.products)},
                       {"restarts", new_count(i.restarts)},
                       {"backtracks", new_count(i.backtracks)},
                       {"eta", new_scalar(i.eta)},
                       {"setup_seconds", new_scalar(i.setup_seconds)},
                       {"solve_seconds", new_scalar(i.solve_seconds)},
                       {"accelerated", new_count(i.accelerated)},
                       {"eliminated", new_count(i.eliminated)},
                       {"threads", new_count(i.threads)},
                       {"outer_loops", new_count(i.outer_loops)},
                       {"interior_steps", new_count(i.interior_steps)},
                       {"block_steps", new_count(i.block_steps)},
                       {"single_pivots", new_count(i.single_pivots)},
                       {"factorizations", new_count(i.factorizations)},
                       {"updates", new_count(i.updates)},
                       {"fallbacks", new_count(i.fallbacks)},
                       {"delta", new_scalar(i.delta)},
                       {"backward_error", new_scalar(i.backward_error)},
                       {"tie_rounds", new_count(i.tie_rounds)},
                       {"method", new_text(method == nullptr ? "" : method)},
                       {"least_norm", new_count(i.least_norm)}});
}

// A solver and its problem while it solves.
class InUse {
public:
    explicit InUse(std::shared_ptr<HeldSolver> solver) : solver_(std::move(solver)) {
        ++solver_->in_use;
        ++solver_->problem->in_use;
    }
    ~InUse() {
        --solver_->in_use;
        --solver_->problem->in_use;
    }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    std::shared_ptr<HeldSolver> solver_;
};

// The guess of a solve in `z` (zeros before), and whether there is one. One that is given is
// taken whatever the setting says; else the z of the solve before, where the setting asks for it.
bool guess(const HeldSolver& held, const Argument& start, bool warm, mxArray* z) {
    if (given(start)) {
        const Vector values(start, held.rows, false);
        std::copy(values.data(), values.data() + held.rows, mxGetDoubles(z));
        return true;
    }
    if (warm) std::copy(held.last.begin(), held.last.end(), mxGetDoubles(z));
    return warm;
}

// solver, z0, progress -> z, u, info, failure of the progress function
void solve(const Call& call) {
    HeldSolver& held = solver_to_change(call);
    const InUse in_use(share<HeldSolver>(call.argument(0, "solver")));
    perp_solver* const solver = held.solver.get();
    mxArray* const z = new_column(held.rows);
    mxArray* const u = call.outputs > 1 ? new_column(held.rows) : nullptr;
    const perp_settings kept = settings_now(solver);
    perp_settings settings = kept;
    settings.warm_start = guess(held, call.argument(1, "z0"), kept.warm_start != 0, z) ? 1 : 0;

    Watch watch{const_cast<mxArray*>(call.input[2])};  // feval does not change it
    const bool watched = given(call.argument(2, "progress"));
    perp_info info{};
    info.struct_size = sizeof info;
    require(perp_solver_set_settings(solver, &settings));
    require(perp_solver_set_callback(solver, watched ? on_progress : nullptr, &watch));
    const std::int32_t status =
        perp_solve(solver, mxGetDoubles(z), u == nullptr ? nullptr : mxGetDoubles(u), &info);
    perp_solver_set_callback(solver, nullptr, nullptr);
    perp_solver_set_settings(solver, &kept);  // were accepted before: keeps perp's last message
    if (watch.interrupted) refuse("perp:interrupted", "the progress function was interrupted");
    require(status);
    if (kept.warm_start != 0) held.last.assign(mxGetDoubles(z), mxGetDoubles(z) + held.rows);

    call.output[0] = z;
    if (u != nullptr) call.output[1] = u;
    if (call.outputs > 2) call.output[2] = info_struct(info);
    if (call.outputs > 3) call.output[3] = watch.failure == nullptr ? new_empty() : watch.failure;
}

// solver
void certificate(const Call& call) {
    const HeldSolver& held = solver_of(call);
    mxArray* const d = new_column(held.rows);
    require(perp_certificate(held.solver.get(), mxGetDoubles(d)));
    call.output[0] = d;
}

// solver
void get_basic_set(const Call& call) {
    const HeldSolver& held = solver_of(call);
    std::vector<std::int8_t> set(static_cast<std::size_t>(held.rows));
    require(perp_solver_get_basic_set(held.solver.get(), set.data()));
    mxArray* const result = new_column(held.rows);
    std::copy(set.begin(), set.end(), mxGetDoubles(result));
    call.output[0] = result;
}

// solver, set
void set_basic_set(const Call& call) {
    HeldSolver& held = solver_to_change(call);
    const auto numbers = whole_numbers(call.argument(1, "set"), held.rows);
    std::vector<std::int8_t> set;
    for (const std::int64_t k : numbers)  // what does not fit is no legal number either
        set.push_back(static_cast<std::int8_t>(std::clamp<std::int64_t>(k, -128, 127)));
    require(perp_solver_set_basic_set(held.solver.get(), set.data()));
}

}  // namespace

perp_settings settings_of(const Argument& argument) {
    const auto solver = any_solver();
    change(solver.get(), argument);
    return settings_now(solver.get());
}

const std::vector<Command>& solver_commands() {
    static const std::vector<Command> commands = {
        {"solver_create", 2, 1, create},
        {"solver_set", 2, 0, set},
        {"solver_settings", 1, 1, get_settings},
        {"solver_solve", 3, 4, solve},
        {"solver_certificate", 1, 1, certificate},
        {"solver_basic_set", 1, 1, get_basic_set},
        {"solver_set_basic_set", 2, 0, set_basic_set},
    };
    return commands;
}

}  // namespace perp_mex
