#include "solvers/solver.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "problem/residual.hpp"
#include "problem/scaled_problem.hpp"
#include "solvers/methods.hpp"
#include "solvers/monitor.hpp"

namespace perp {
namespace {

// Deviations of exported Delassus matrices reach 1e-3; beyond, descent tests lose their meaning.
constexpr double most_asymmetry = 1e-2;
constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t largest_window = 20;
constexpr std::int64_t rows_per_thread = 1000;  // below, waking a thread costs more than it does

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
        if (r == 0.0 || std::isfinite(r > 0.0 ? set.lo[s] : set.hi[s]) || !empty_row(problem, row))
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
    }
    return "?";
}

Method method_from_name(const std::string& text) {
    for (const Method method : methods)
        if (text == name(method)) return method;
    return Method{0};
}

std::string unsupported_reason(const Problem& problem, Method method) {
    const bool given_matrix = problem.matrix() != nullptr;  // a mass matrix has its own tolerance
    if (method != Method::pgs && given_matrix && problem.asymmetry() > most_asymmetry)
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
    if (s.anderson_window < 1 || s.anderson_window > largest_window)
        fail(Status::bad_setting, "anderson_window = %" PRId64 " is outside 1..%" PRId64,
             s.anderson_window, largest_window);
}

struct Solver::Workspace {
    Workspace(const Problem& problem, const Settings& settings)
        : scaled(problem, settings.eliminate_bilateral),
          monitor(problem, scaled),
          z(scaled.rows()),
          start(scaled.rows()) {}
    ScaledProblem scaled;
    MonitorWorkspace monitor;
    std::vector<double> z, start;
    std::unique_ptr<PgsWorkspace> pgs;
    std::unique_ptr<ApgdWorkspace> apgd;
    std::unique_ptr<AapgsWorkspace> aapgs;
};

Solver::Solver(std::shared_ptr<const Problem> problem, const Settings& settings)
    : problem_(std::move(problem)), settings_(settings) {
    check_settings(settings_);
    prepare();
}

Solver::~Solver() = default;

void Solver::set(const Settings& settings) {
    check_settings(settings);
    if (work_ && settings.eliminate_bilateral != settings_.eliminate_bilateral) work_.reset();
    if (work_ && settings.sweep_order != settings_.sweep_order) work_->pgs.reset();
    if (work_ && (settings.sweep_order != settings_.sweep_order ||
                  settings.anderson_window != settings_.anderson_window))
        work_->aapgs.reset();
    settings_ = settings;
}

// Sweeps in an order of the user's run on one thread, and so does what is too small to share.
std::int64_t Solver::threads() const {
    const bool sweeps = settings_.method != Method::apgd;
    const bool shared =
        parallel_loops &&
        !(sweeps && (settings_.sweep_order != SweepOrder::coloured || work_->scaled.matrix_form()));
    if (!shared) return 1;
    return std::min(settings_.threads,
                    std::max<std::int64_t>(1, work_->scaled.rows() / rows_per_thread));
}

void Solver::prepare() {
    const Clock clock;
    setup_seconds_ = 0.0;
    if (const std::string reason = unsupported_reason(*problem_, settings_.method); !reason.empty())
        fail(Status::unsupported, "%s", reason.c_str());
    const bool stale = !work_ || revision_ != problem_->revision();
    if (stale) {
        work_ = std::make_unique<Workspace>(*problem_, settings_);
        revision_ = problem_->revision();
    }
    if (settings_.method == Method::pgs && !work_->pgs)
        work_->pgs = std::make_unique<PgsWorkspace>(work_->scaled, settings_);
    else if (settings_.method == Method::apgd && !work_->apgd)
        work_->apgd = std::make_unique<ApgdWorkspace>(work_->scaled);
    else if (settings_.method == Method::aapgs && !work_->aapgs)
        work_->aapgs = std::make_unique<AapgsWorkspace>(work_->scaled, settings_);
    else if (!stale)
        return;
    setup_seconds_ = clock.seconds();
}

void Solver::iterate(Monitor& monitor) {
    Workspace& work = *work_;
    switch (settings_.method) {
        case Method::pgs:
            run_pgs(work.scaled, settings_, work.z, *work.pgs, monitor);
            return;
        case Method::apgd:
            run_apgd(work.scaled, work.z, *work.apgd, monitor);
            return;
        case Method::aapgs:
            run_aapgs(work.scaled, settings_, work.z, *work.aapgs, monitor);
            return;
    }
}

Info Solver::solve(std::span<double> z, const ProgressCallback& progress) {
    certificate_.clear();
    const double created_seconds = setup_seconds_;
    prepare();
    const Clock clock;
    Workspace& work = *work_;
    Monitor monitor(*problem_, work.scaled, settings_, progress, work.monitor);
    Info& info = monitor.info();
    info.setup_seconds = std::max(created_seconds, setup_seconds_);
    setup_seconds_ = 0.0;
    info.eliminated = work.scaled.eliminated();
    info.threads = threads();
    work.scaled.set_threads(static_cast<int>(info.threads));

    if (settings_.warm_start) {
        for (std::size_t i = 0; i < z.size(); ++i)
            if (!std::isfinite(z[i]))
                fail(Status::bad_value, "z[%zu] = %g is not finite, but warm_start is set", i,
                     z[i]);
        std::copy(z.begin(), z.end(), work.start.begin());
    } else {
        std::fill(work.start.begin(), work.start.end(), 0.0);
    }
    info.eta = residual(*problem_, work.start, work.monitor.residual).eta;
    info.products = 1;
    const std::int64_t contradiction = contradictory_row(*problem_, settings_.tolerance);
    if (info.eta <= settings_.tolerance) {  // test first, iterate after
        info.outcome = Outcome::solved;
    } else if (contradiction >= 0) {
        info.outcome = Outcome::no_solution;
        certificate_.assign(problem_->rows(), 0.0);
        certificate_[contradiction] = problem_->free_velocity()[contradiction] > 0.0 ? -1.0 : 1.0;
    } else {
        work.scaled.from_user(work.start, work.z);
        work.scaled.project(work.z);
        iterate(monitor);
        work.scaled.to_user(monitor.best(), work.monitor.user);
        const double reached = residual(*problem_, work.monitor.user, work.monitor.residual).eta;
        if (!(info.eta <= reached)) {  // else the guess itself is the best point seen
            info.eta = reached;
            work.start.swap(work.monitor.user);
        }
        if (info.eta <= settings_.tolerance) info.outcome = Outcome::solved;
        if (info.outcome == Outcome::no_solution) {
            certificate_.resize(problem_->rows());
            work.scaled.to_user(work.monitor.ray, certificate_);
        }
    }
    std::copy(work.start.begin(), work.start.end(), z.begin());
    info.solve_seconds = clock.seconds();
    return info;
}

}  // namespace perp
