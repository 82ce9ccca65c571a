#include "solvers/solver.hpp"

#include <charconv>
#include <cinttypes>
#include <cstring>

#include "handles.hpp"
#include "problem/residual.hpp"
#include "settings_table.hpp"

using namespace perp;
using namespace perp::capi;

namespace perp::capi {

perp_settings to_c(const Settings& s) {
    perp_settings c{};
    c.struct_size = sizeof c;
    c.method = static_cast<std::int64_t>(s.method);
    c.tolerance = s.tolerance;
    c.max_iterations = s.max_iterations;
    c.time_limit = s.time_limit;
    c.warm_start = s.warm_start ? 1 : 0;
    c.relaxation = s.relaxation;
    c.sweep_order = static_cast<std::int64_t>(s.sweep_order);
    c.symmetric_sweep = s.symmetric_sweep ? 1 : 0;
    c.seed = s.seed;
    c.check_interval = s.check_interval;
    c.stagnation_window = s.stagnation_window;
    c.threads = s.threads;
    c.eliminate_bilateral = s.eliminate_bilateral ? 1 : 0;
    c.anderson_window = s.anderson_window;
    c.tie_rounds = s.tie_rounds;
    c.least_norm = s.least_norm ? 1 : 0;
    return c;
}

namespace {

bool flag(std::int64_t value, const char* name) {
    if (value != 0 && value != 1)
        fail(Status::bad_setting, "%s = %" PRId64 " is neither 0 nor 1", name, value);
    return value == 1;
}

}  // namespace

Settings from_c(const perp_settings& c) {
    Settings s;
    s.method = static_cast<Method>(choice(c.method, "method"));
    s.tolerance = c.tolerance;
    s.max_iterations = c.max_iterations;
    s.time_limit = c.time_limit;
    s.warm_start = flag(c.warm_start, "warm_start");
    s.relaxation = c.relaxation;
    s.sweep_order = static_cast<SweepOrder>(choice(c.sweep_order, "sweep_order"));
    s.symmetric_sweep = flag(c.symmetric_sweep, "symmetric_sweep");
    s.seed = c.seed;
    s.check_interval = c.check_interval;
    s.stagnation_window = c.stagnation_window;
    s.threads = c.threads;
    s.eliminate_bilateral = flag(c.eliminate_bilateral, "eliminate_bilateral");
    s.anderson_window = c.anderson_window;
    s.tie_rounds = c.tie_rounds;
    s.least_norm = flag(c.least_norm, "least_norm");
    check_settings(s);
    return s;
}

}  // namespace perp::capi

namespace {

void set_field(perp_settings& settings, const char* name, const char* value) {
    for (const SettingWord& word : setting_words) {
        if (std::strcmp(word.setting, name) != 0 || std::strcmp(word.text, value) != 0) continue;
        for (const SettingField& field : setting_fields)
            if (std::strcmp(field.name, name) == 0) settings.*field.integer = word.value;
        return;
    }
    for (const SettingField& field : setting_fields) {
        if (std::strcmp(field.name, name) != 0) continue;
        const char* const end = value + std::strlen(value);
        const auto parse = [&](auto& to) {  // not strtod: it follows the host's locale
            const auto [stop, error] = std::from_chars(value, end, to);
            return error == std::errc() && stop == end;
        };
        const bool good =
            field.real != nullptr ? parse(settings.*field.real) : parse(settings.*field.integer);
        if (!good) fail(Status::bad_setting, "%s = \"%s\" is not understood", name, value);
        return;
    }
    fail(Status::bad_setting, "there is no setting \"%s\"", name);
}

}  // namespace

int32_t perp_settings_init(perp_settings* settings, int64_t struct_size) {
    return guarded([&] { init_struct(to_c(Settings{}), settings, struct_size, "settings"); });
}

const char* perp_method_name(int64_t method) {
    for (const SettingWord& word : setting_words)
        if (std::strcmp(word.setting, "method") == 0 && word.value == method) return word.text;
    return nullptr;
}

int64_t perp_method_from_name(const char* name) {
    if (name == nullptr) return 0;
    for (const SettingWord& word : setting_words)
        if (std::strcmp(word.setting, "method") == 0 && std::strcmp(word.text, name) == 0)
            return word.value;
    return 0;
}

int32_t perp_solver_supports(const perp_problem* problem, int64_t method) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        if (perp_method_name(method) == nullptr)
            fail(Status::bad_setting, "method = %" PRId64 " is unknown", method);
        const std::string reason = unsupported_reason(p, static_cast<Method>(method));
        if (!reason.empty()) fail(Status::unsupported, "%s", reason.c_str());
    });
}

int32_t perp_solver_create(const perp_problem* problem, const perp_settings* settings,
                           perp_solver** out) {
    return guarded([&] {
        required(out, "out");
        required(problem, "problem");
        const Settings given = settings == nullptr
                                   ? Settings{}
                                   : from_c(read_struct(settings, to_c(Settings{}), "settings"));
        auto handle = std::make_unique<perp_solver>();
        handle->solver = std::make_unique<Solver>(problem->problem, given);
        *out = handle.release();
    });
}

int32_t perp_solver_set(perp_solver* solver, const char* name, const char* value) {
    return guarded([&] {
        required(solver, "solver");
        required(name, "name");
        required(value, "value");
        perp_settings changed = to_c(solver->solver->settings());
        set_field(changed, name, value);
        solver->solver->set(from_c(changed));
    });
}

int32_t perp_solver_get_settings(const perp_solver* solver, perp_settings* settings) {
    return guarded([&] {
        write_struct(to_c(required(solver, "solver").solver->settings()), settings, "settings");
    });
}

int32_t perp_solver_set_settings(perp_solver* solver, const perp_settings* settings) {
    return guarded([&] {
        required(solver, "solver");
        solver->solver->set(from_c(read_struct(settings, to_c(Settings{}), "settings")));
    });
}

int32_t perp_solver_set_callback(perp_solver* solver, perp_progress_callback callback, void* user) {
    return guarded([&] {
        required(solver, "solver");
        solver->callback = callback;
        solver->user = user;
    });
}

int32_t perp_solve(perp_solver* solver, double* z, double* u, perp_info* info) {
    return guarded([&] {
        required(solver, "solver");
        const Problem& problem = solver->solver->problem();
        const auto p = static_cast<std::size_t>(problem.rows());
        if (p > 0) required(z, "z");
        if (info != nullptr) {
            perp_info probe{};
            probe.struct_size = info->struct_size;
            write_struct(perp_info{}, &probe, "info");  // a wrong size is refused before any work
        }
        ProgressCallback progress;
        if (solver->callback != nullptr) {
            progress = [solver](const Progress& now) {
                const perp_progress c{sizeof(perp_progress), now.iteration, now.products, now.eta,
                                      now.best_eta,          now.seconds};
                return solver->callback(&c, solver->user) == 0;
            };
        }
        ProductWorkspace work;  // made first: nothing may fail once z is written
        if (u != nullptr) work = problem.make_workspace();
        const Info result = solver->solver->solve({z, p}, progress);
        if (u != nullptr) problem.constraint_velocity({z, p}, {u, p}, work);
        if (info == nullptr) return;
        perp_info c{};
        c.outcome = static_cast<std::int64_t>(result.outcome);
        c.iterations = result.iterations;
        c.products = result.products;
        c.restarts = result.restarts;
        c.backtracks = result.backtracks;
        c.eta = result.eta;
        c.setup_seconds = result.setup_seconds;
        c.solve_seconds = result.solve_seconds;
        c.accelerated = result.accelerated;
        c.eliminated = result.eliminated;
        c.threads = result.threads;
        c.outer_loops = result.outer_loops;
        c.interior_steps = result.interior_steps;
        c.block_steps = result.block_steps;
        c.single_pivots = result.single_pivots;
        c.factorizations = result.factorizations;
        c.updates = result.updates;
        c.fallbacks = result.fallbacks;
        c.delta = result.delta;
        c.backward_error = result.backward_error;
        c.tie_rounds = result.tie_rounds;
        c.method = static_cast<std::int64_t>(result.method);
        c.least_norm = result.least_norm ? 1 : 0;
        write_struct(c, info, "info");
    });
}

int32_t perp_certificate(const perp_solver* solver, double* d) {
    return guarded([&] {
        required(solver, "solver");
        const std::vector<double>& certificate = solver->solver->certificate();
        if (certificate.empty())
            fail(Status::unsupported,
                 "the last solve did not end with PERP_NO_SOLUTION and a certificate");
        required(d, "d");
        std::copy(certificate.begin(), certificate.end(), d);
    });
}

int32_t perp_solver_get_basic_set(const perp_solver* solver, int8_t* set) {
    return guarded([&] {
        required(solver, "solver");
        const std::span<const std::int8_t> found = solver->solver->basic_set();
        if (found.empty() && solver->solver->problem().rows() > 0)
            fail(Status::unsupported, "the last solve has left no basic set");
        if (!found.empty()) required(set, "set");
        std::copy(found.begin(), found.end(), set);
    });
}

int32_t perp_solver_set_basic_set(perp_solver* solver, const int8_t* set) {
    return guarded([&] {
        required(solver, "solver");
        const auto p = static_cast<std::size_t>(solver->solver->problem().rows());
        if (p > 0) required(set, "set");
        solver->solver->set_basic_set({set, p});
    });
}

void perp_solver_destroy(perp_solver* solver) { delete solver; }
