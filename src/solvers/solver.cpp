#include "solvers/solver.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "problem/mixed_form.hpp"
#include "solvers/engine.hpp"
#include "solvers/keller.hpp"
#include "solvers/least_norm.hpp"

namespace perp {
namespace {

constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t largest_window = 20;

bool empty_row(const Problem& problem, std::int64_t row) {
    if (problem.matrix() == nullptr)
        return problem.diagonal()[row] == 0.0;  // then the Jacobian row is zero
    const Csr& s =
        problem.matrix()->delassus ? problem.matrix()->combined : problem.matrix()->main.csr();
    const auto values = s.row_value(row);
    return std::all_of(values.begin(), values.end(), [](double x) { return x == 0.0; });
}

std::string missing_diagonal(const Problem& problem, Method method) {
    if (problem.matrix() == nullptr) return {};
    for (std::int64_t i = 0; i < problem.rows(); ++i) {
        const double d = problem.diagonal()[i];
        if (d > 0.0 || (d == 0.0 && empty_row(problem, i))) continue;
        return format("%s needs a positive diagonal (or an empty row), but entry (%" PRId64
                      ", %" PRId64 ") is %.6g (0-based)",
                      name(method), i, i, d);
    }
    return {};
}

// A row without any coupling has the velocity r_i whatever z is: its sign alone may contradict the
// bounds. Returns the scaled certificate's row, or -1.
std::int64_t contradictory_row(const Problem& problem, double tolerance) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        const std::int64_t row = set.scalar_row[s];
        const double r = problem.free_velocity()[row];
        if (r == 0.0 || set.tied(s) || std::isfinite(r > 0.0 ? set.lo[s] : set.hi[s]) ||
            !empty_row(problem, row))
            continue;
        if (std::abs(r) * std::sqrt(problem.weights().scalar[s]) > tolerance * problem.free_norm())
            return row;
    }
    return -1;
}

}  // namespace

const char* name(Method method) {
    switch (method) {
        case Method::pgs:
            return "pgs";
        case Method::apgd:
            return "apgd";
        case Method::aapgs:
            return "aapgs";
        case Method::pivoting:
            return "pivoting";
        case Method::keller:
            return "keller";
        case Method::lemke:
            return "lemke";
        case Method::automatic:
            return "auto";
        case Method::ipm:
            return "ipm";
        case Method::newton:
            return "newton";
        case Method::accurate:
            return "accurate";
    }
    return "?";
}

Method method_from_name(const std::string& text) {
    for (const Method method : methods)
        if (text == name(method)) return method;
    return Method{0};
}

Info joined(const Info& before, const Info& next) {
    Info sum = next;
    for (const auto count :
         {&Info::iterations, &Info::products, &Info::restarts, &Info::backtracks,
          &Info::accelerated, &Info::outer_loops, &Info::interior_steps, &Info::block_steps,
          &Info::single_pivots, &Info::factorizations, &Info::updates, &Info::tie_rounds})
        sum.*count += before.*count;
    sum.fallbacks |= before.fallbacks;
    sum.backward_error = std::max(sum.backward_error, before.backward_error);
    sum.setup_seconds += before.setup_seconds;
    sum.solve_seconds += before.solve_seconds;
    return sum;
}

Settings settings_after(const Info& before, double seconds, const Settings& settings) {
    Settings rest = settings;
    rest.max_iterations -= before.iterations;
    if (settings.time_limit > 0.0)
        rest.time_limit = std::max(settings.time_limit - seconds, 1e-9);  // 0: none
    return rest;
}

Progress progress_after(const Info& before, double seconds, Progress now) {
    now.iteration += before.iterations;
    now.products += before.products;
    now.seconds += seconds;
    return now;
}

bool pivots(Method method) { return method >= Method::pivoting && method <= Method::lemke; }

bool is_accurate(Method method) { return method >= Method::ipm; }

bool is_combined(Method method) {
    return method == Method::automatic || method == Method::accurate;
}

std::string unsupported_reason(const Problem& problem, Method method) {
    if (is_combined(method) && MixedForm::reason(problem).empty()) return {};
    if (method == Method::automatic) return unsupported_reason(problem, Method::pgs);
    if (pivots(method)) {
        std::string why = MixedForm::reason(problem);
        if (why.empty() && method == Method::keller)
            why = keller_reason(problem.rows(), MixedForm::is_symmetric(problem));
        return why.empty() ? why : std::string(name(method)) + " " + why;
    }
    const bool given_matrix = problem.matrix() != nullptr;  // a mass matrix has its own tolerance
    const bool exact_sweeps = method == Method::aapgs && problem.set().exact_friction();
    if (method != Method::pgs && !exact_sweeps && given_matrix &&
        problem.asymmetry() > most_asymmetry)
        return format(
            "%s needs a symmetric matrix: entries deviate by %.3g relative to the diagonal, %g "
            "is allowed",
            name(method), problem.asymmetry(), most_asymmetry);
    return missing_diagonal(problem, method);
}

void check_settings(const Settings& s) {
    if (std::find(std::begin(methods), std::end(methods), s.method) == std::end(methods))
        fail(Status::bad_setting, "method = %d is unknown", static_cast<int>(s.method));
    if (!(s.tolerance > 0.0) || std::isinf(s.tolerance))
        fail(Status::bad_setting, "tolerance = %g is not positive and finite", s.tolerance);
    if (s.max_iterations < 0)
        fail(Status::bad_setting, "max_iterations = %" PRId64 " is negative", s.max_iterations);
    if (!(s.time_limit >= 0.0))
        fail(Status::bad_setting, "time_limit = %g s is negative", s.time_limit);
    if (!(s.relaxation > 0.0 && s.relaxation < 2.0))
        fail(Status::bad_setting, "relaxation = %g is outside (0, 2)", s.relaxation);
    if (s.sweep_order != SweepOrder::given && s.sweep_order != SweepOrder::bfs &&
        s.sweep_order != SweepOrder::random && s.sweep_order != SweepOrder::coloured)
        fail(Status::bad_setting, "sweep_order = %d is unknown", static_cast<int>(s.sweep_order));
    if (s.check_interval < 1)
        fail(Status::bad_setting, "check_interval = %" PRId64 " is less than 1", s.check_interval);
    if (s.stagnation_window < -1)
        fail(Status::bad_setting, "stagnation_window = %" PRId64 " is less than -1",
             s.stagnation_window);
    if (s.threads < 1 || s.threads > most_threads)
        fail(Status::bad_setting, "threads = %" PRId64 " is outside 1..%" PRId64, s.threads,
             most_threads);
    if (s.tie_rounds < 1)
        fail(Status::bad_setting, "tie_rounds = %" PRId64 " is less than 1", s.tie_rounds);
    if (s.anderson_window < 1 || s.anderson_window > largest_window)
        fail(Status::bad_setting, "anderson_window = %" PRId64 " is outside 1..%" PRId64,
             s.anderson_window, largest_window);
}

// Without friction the relaxed law is the exact one. Sweeps know the exact law.
OuterKind outer_kind(const Problem& problem, Method method) {
    if (problem.set().tied()) return OuterKind::ties;
    const bool sweeps = method == Method::pgs || method == Method::aapgs;
    return problem.set().exact_friction() && !sweeps ? OuterKind::coulomb : OuterKind::none;
}

std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings) {
    const OuterKind outer = outer_kind(problem, settings.method);
    if (outer == OuterKind::ties) return make_tied_engine(problem, settings);
    if (outer == OuterKind::coulomb)
        return settings.method == Method::automatic ? make_sweeps_first(problem, settings)
                                                    : make_coulomb_engine(problem, settings);
    if (is_combined(settings.method)) return make_combined_engine(problem);
    if (is_accurate(settings.method)) return make_accurate_engine(problem);
    return pivots(settings.method) ? make_pivoting_engine(problem)
                                   : make_first_order_engine(problem, settings);
}

Solver::Solver(std::shared_ptr<const Problem> problem, const Settings& settings)
    : problem_(std::move(problem)), settings_(settings) {
    check_settings(settings_);
    prepare();
}

Solver::~Solver() = default;

void Solver::set(const Settings& settings) {
    check_settings(settings);
    if (settings.eliminate_bilateral != settings_.eliminate_bilateral) first_order_ = {};
    settings_ = settings;
}

Solver::Held& Solver::held() {
    if (is_combined(settings_.method)) return combined_;
    if (is_accurate(settings_.method)) return accurate_;
    return pivots(settings_.method) ? pivoting_ : first_order_;
}

void Solver::prepare() {
    const Clock clock;
    setup_seconds_ = 0.0;
    if (const std::string reason = unsupported_reason(*problem_, settings_.method); !reason.empty())
        fail(Status::unsupported, "%s", reason.c_str());
    if (settings_.least_norm) prepare_least_norm();
    Held& current = held();
    const OuterKind outer = outer_kind(*problem_, settings_.method);
    const bool stale =
        !current.engine || current.revision != problem_->revision() || current.outer != outer;
    if (stale) {
        if (!current.engine || current.outer != outer || !current.engine->renew())
            current.engine = make_engine(*problem_, settings_);
        current.outer = outer;
        current.revision = problem_->revision();
    }
    const bool made = current.engine->prepare(settings_);
    if (work_.start.size() != static_cast<std::size_t>(problem_->rows()) ||
        work_.velocities != problem_->velocities()) {
        work_.residual = make_residual_workspace(*problem_);
        work_.start.resize(problem_->rows());
        work_.reached.resize(problem_->rows());
        work_.velocities = problem_->velocities();
    }
    if (stale || made) setup_seconds_ = clock.seconds();
}

void Solver::prepare_least_norm() {
    if (least_norm_ && least_norm_revision_ == problem_->revision()) return;
    if (const std::string reason = LeastNorm::unsupported_reason(*problem_); !reason.empty())
        fail(Status::unsupported, "%s", reason.c_str());
    if (least_norm_)
        least_norm_->renew();
    else
        least_norm_ = std::make_unique<LeastNorm>(*problem_);
    least_norm_revision_ = problem_->revision();
}

std::span<const std::int8_t> Solver::basic_set() const {
    return pivots(settings_.method) && pivoting_.engine ? pivoting_.engine->basic_set()
                                                        : std::span<const std::int8_t>{};
}

void Solver::forget() {
    for (const Held* kind : {&first_order_, &pivoting_, &accurate_, &combined_})
        if (kind->engine) kind->engine->forget();
}

void Solver::set_basic_set(std::span<const std::int8_t> set) {
    if (!pivots(settings_.method))
        fail(Status::unsupported, "%s does not start from a basic set", name(settings_.method));
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i] < -1 || set[i] > 2)
            fail(Status::bad_value, "set[%zu] = %d is neither -1, 0, 1 nor 2", i, set[i]);
    prepare();
    pivoting_.engine->start_from(set);
}

Info Solver::solve(std::span<double> z, const ProgressCallback& progress) {
    certificate_.clear();
    const double created_seconds = setup_seconds_;
    prepare();
    const Clock clock;
    const double setup_seconds = std::max(created_seconds, setup_seconds_);
    setup_seconds_ = 0.0;
    std::vector<double>& best = work_.start;
    if (settings_.warm_start) {
        for (std::size_t i = 0; i < z.size(); ++i)
            if (!std::isfinite(z[i]))
                fail(Status::bad_value, "z[%zu] = %g is not finite, but warm_start is set", i,
                     z[i]);
        std::copy(z.begin(), z.end(), best.begin());
    } else {
        std::fill(best.begin(), best.end(), 0.0);
    }
    Info info;
    Settings settings = settings_;
    if (settings.least_norm) settings.tolerance *= LeastNorm::share_of_tolerance;
    const double start_eta = residual(*problem_, best, work_.residual).eta;
    const std::int64_t contradiction = contradictory_row(*problem_, settings_.tolerance);
    if (start_eta <= settings.tolerance) {  // test first, iterate after
        info.outcome = Outcome::solved;
        info.eta = start_eta;
    } else if (contradiction >= 0) {
        info.outcome = Outcome::no_solution;
        info.eta = start_eta;
        certificate_.assign(problem_->rows(), 0.0);
        certificate_[contradiction] = problem_->free_velocity()[contradiction] > 0.0 ? -1.0 : 1.0;
    } else {
        std::copy(best.begin(), best.end(), work_.reached.begin());
        info = held().engine->run(settings, progress, work_.reached, certificate_);
        if (info.method == Method{0}) info.method = settings_.method;
        info.eta = residual(*problem_, work_.reached, work_.residual).eta;
        const bool better =
            info.eta <= start_eta && std::all_of(work_.reached.begin(), work_.reached.end(),
                                                 [](double x) { return std::isfinite(x); });
        if (better)
            best.swap(work_.reached);
        else
            info.eta = start_eta;  // the guess itself is the best point seen
        if (info.eta <= settings_.tolerance) info.outcome = Outcome::solved;
        // Within the tolerance some contradictions are no contradictions.
        if (info.outcome != Outcome::no_solution) certificate_.clear();
    }
    ++info.products;
    if (settings_.least_norm && info.outcome == Outcome::solved) {
        info.least_norm = least_norm_->run(best, settings_.tolerance, info);
        info.eta = residual(*problem_, best, work_.residual).eta;
    }
    std::copy(best.begin(), best.end(), z.begin());
    info.setup_seconds = setup_seconds;
    info.solve_seconds = clock.seconds();
    return info;
}

}  // namespace perp
