#include <algorithm>

#include "solvers/cone_interior_point.hpp"
#include "solvers/engine.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {
namespace {

class InteriorPointEngine : public Engine {
public:
    explicit InteriorPointEngine(const Problem& problem)
        : problem_(problem),
          form_(problem, cone_scale(problem)),
          monitor_(problem, form_),
          interior_(problem, form_) {}

    bool renew() override;
    void take_bounds() override;
    bool prepare(const Settings& /*settings*/) override { return false; }
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;

private:
    const Problem& problem_;
    MixedForm form_;
    PivotMonitorWorkspace monitor_;
    ConeInteriorPoint interior_;
};

bool InteriorPointEngine::renew() {
    MixedForm next(problem_, cone_scale(problem_));
    if (next.n != form_.n || next.p != form_.p) return false;
    form_ = std::move(next);
    interior_.renew();
    return true;
}

void InteriorPointEngine::take_bounds() {
    form_.take_bounds(problem_);
    interior_.take_bounds();
}

// An interior point has no use for a guess: the solver keeps it where it is better.
Info InteriorPointEngine::run(const Settings& settings, const ProgressCallback& progress,
                              std::span<double> z, std::vector<double>& certificate) {
    PivotMonitor monitor(problem_, form_, settings, progress, monitor_);
    interior_.run(monitor);
    form_.to_user(monitor.best(), z);
    if (!monitor.certificate().empty()) {
        certificate.resize(problem_.rows());
        form_.to_user(monitor.certificate(), certificate);
    }
    return monitor.info();
}

}  // namespace

std::unique_ptr<Engine> make_interior_point_engine(const Problem& problem) {
    return std::make_unique<InteriorPointEngine>(problem);
}

}  // namespace perp
