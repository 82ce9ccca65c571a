// The methods that solve cones with factorizations: ipm, newton, and accurate, which is both.
#include <algorithm>

#include "solvers/cone_interior_point.hpp"
#include "solvers/cone_newton.hpp"
#include "solvers/engine.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {
namespace {

constexpr ConeNewton::Limits alone{1e-2, 40, 5000, 12};
constexpr ConeNewton::Limits warm{1e-2, 8, 8, 4};
constexpr ConeNewton::Limits polish{1e-5, 40, 200, 4};

class AccurateEngine : public Engine {
public:
    explicit AccurateEngine(const Problem& problem)
        : problem_(problem),
          form_(problem, cone_scale(problem)),
          monitor_(problem, form_),
          kkt_(form_, ConeProjection(problem.set(), form_)),
          interior_(problem, form_, kkt_),
          newton_(problem, form_, kkt_),
          start_(form_.p) {}

    bool renew() override;
    void take_vectors() override;
    bool prepare(const Settings& /*settings*/) override { return kkt_.make_room(); }
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] double factor_cost() const override { return kkt_.factor_cost(); }

private:
    void run_interior(PivotMonitor& monitor);
    void run_newton(PivotMonitor& monitor, const ConeNewton::Limits& limits);
    void run_accurate(PivotMonitor& monitor);

    const Problem& problem_;
    MixedForm form_;
    PivotMonitorWorkspace monitor_;
    ConeKkt kkt_;
    ConeInteriorPoint interior_;
    ConeNewton newton_;
    std::vector<double> start_;
};

bool AccurateEngine::renew() {
    MixedForm next = form_.renewed(problem_);
    if (next.n != form_.n || next.p != form_.p) return false;
    form_ = std::move(next);
    interior_.renew();
    newton_.renew();
    kkt_.renew(form_, interior_.frames());
    return true;
}

void AccurateEngine::take_vectors() {
    form_.take_vectors(problem_);
    interior_.take_bounds();
    newton_.take_bounds();
}

void AccurateEngine::run_interior(PivotMonitor& monitor) {
    monitor.info().method = Method::ipm;
    interior_.run(monitor);
}

void AccurateEngine::run_newton(PivotMonitor& monitor, const ConeNewton::Limits& limits) {
    monitor.info().method = Method::newton;
    switch (newton_.run(start_, limits, monitor)) {
        case ConeNewton::Result::solved:
            return monitor.finish(Outcome::solved);
        case ConeNewton::Result::stalled:
            return monitor.finish(Outcome::stalled);
        case ConeNewton::Result::infeasible:  // the monitor knows
        case ConeNewton::Result::stopped:
            return;
    }
}

// From a guess Newton; where there is none, or it leads nowhere, the interior point; where this
// stalls, Newton from its best point.
void AccurateEngine::run_accurate(PivotMonitor& monitor) {
    const Settings& settings = monitor.settings();
    if (settings.warm_start) {
        run_newton(monitor, warm);
        if (monitor.info().outcome != Outcome::stalled) return;
        monitor.info().fallbacks |= fallback::interior_point;
    }
    run_interior(monitor);
    if (monitor.info().outcome != Outcome::stalled) return;
    std::copy(monitor.best().begin(), monitor.best().end(), start_.begin());
    monitor.info().fallbacks |= fallback::polish;
    run_newton(monitor, polish);
}

Info AccurateEngine::run(const Settings& settings, const ProgressCallback& progress,
                         std::span<double> z, std::vector<double>& certificate) {
    PivotMonitor monitor(problem_, form_, settings, progress, monitor_);
    form_.from_user(z, start_);
    if (settings.method == Method::ipm)  // which has no use for a guess
        run_interior(monitor);
    else if (settings.method == Method::newton)
        run_newton(monitor, alone);
    else
        run_accurate(monitor);
    form_.to_user(monitor.best(), z);
    if (!monitor.certificate().empty()) {
        certificate.resize(problem_.rows());
        form_.to_user(monitor.certificate(), certificate);
    }
    return monitor.info();
}

}  // namespace

std::unique_ptr<Engine> make_accurate_engine(const Problem& problem) {
    return std::make_unique<AccurateEngine>(problem);
}

}  // namespace perp
