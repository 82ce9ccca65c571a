#include <algorithm>
#include <optional>

#include "solvers/engine.hpp"
#include "solvers/pivot_monitor.hpp"
#include "solvers/pivoting.hpp"

namespace perp {
namespace {

class PivotingEngine : public Engine {
public:
    explicit PivotingEngine(const Problem& problem)
        : problem_(problem), form_(problem), monitor_(problem, form_), z_(form_.p) {}

    bool renew() override;
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] std::span<const std::int8_t> basic_set() const override { return set_; }
    void start_from(std::span<const std::int8_t> basic_set) override {
        start_.assign(basic_set.begin(), basic_set.end());
    }

private:
    const Problem& problem_;
    MixedForm form_;
    PivotMonitorWorkspace monitor_;
    std::vector<double> z_;
    std::vector<std::int8_t> set_, start_;  // of the last run; of the next one, empty: none
    std::unique_ptr<PivotingWorkspace> pivoting_;
};

bool PivotingEngine::renew() {
    const std::int64_t n = form_.n;
    const std::int64_t p = form_.p;
    form_ = MixedForm(problem_);
    if (form_.n != n || form_.p != p) return false;
    if (pivoting_) pivoting_->renew(form_);
    return true;
}

bool PivotingEngine::prepare(const Settings& settings) {
    if (settings.method != Method::pivoting || pivoting_) return false;
    pivoting_ = std::make_unique<PivotingWorkspace>(form_);
    return true;
}

Info PivotingEngine::run(const Settings& settings, const ProgressCallback& progress,
                         std::span<double> z, std::vector<double>& certificate) {
    PivotMonitor monitor(problem_, form_, settings, progress, monitor_);
    form_.from_user(z, z_);
    if (settings.warm_start && start_.empty()) start_ = set_;
    run_pivoting(form_, z_, start_, settings.warm_start, *pivoting_, monitor);
    set_ = pivoting_->state;
    start_.clear();
    if (!monitor.best().empty()) form_.to_user(monitor.best(), z);
    if (monitor.info().outcome == Outcome::no_solution) {
        certificate.resize(problem_.rows());
        form_.to_user(monitor.certificate(), certificate);
    }
    return monitor.info();
}

}  // namespace

std::unique_ptr<Engine> make_pivoting_engine(const Problem& problem) {
    return std::make_unique<PivotingEngine>(problem);
}

}  // namespace perp
