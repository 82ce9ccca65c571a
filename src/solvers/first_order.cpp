#include <algorithm>

#include "base/parallel.hpp"
#include "problem/scaled_problem.hpp"
#include "solvers/engine.hpp"
#include "solvers/methods.hpp"
#include "solvers/monitor.hpp"

namespace perp {
namespace {

constexpr std::int64_t rows_per_thread = 1000;  // below, waking a thread costs more than it does

class FirstOrderEngine : public Engine {
public:
    FirstOrderEngine(const Problem& problem, const Settings& settings)
        : problem_(problem),
          made_for_(settings),
          scaled_(problem, settings.eliminate_bilateral),
          monitor_(problem, scaled_),
          z_(scaled_.rows()) {}

    void take_vectors() override { scaled_.take_vectors(problem_); }
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;

private:
    void iterate(const Settings& settings, Monitor& monitor);
    [[nodiscard]] std::int64_t threads(const Settings& settings) const;

    const Problem& problem_;
    Settings made_for_;
    ScaledProblem scaled_;
    MonitorWorkspace monitor_;
    std::vector<double> z_;
    std::unique_ptr<PgsWorkspace> pgs_;
    std::unique_ptr<ApgdWorkspace> apgd_;
    std::unique_ptr<AapgsWorkspace> aapgs_;
};

bool FirstOrderEngine::prepare(const Settings& settings) {
    const bool other_order = settings.sweep_order != made_for_.sweep_order;
    if (other_order) pgs_.reset();
    if (other_order || settings.anderson_window != made_for_.anderson_window) aapgs_.reset();
    made_for_ = settings;
    if (settings.method == Method::pgs && !pgs_)
        pgs_ = std::make_unique<PgsWorkspace>(scaled_, settings);
    else if (settings.method == Method::apgd && !apgd_)
        apgd_ = std::make_unique<ApgdWorkspace>(scaled_);
    else if (settings.method == Method::aapgs && !aapgs_)
        aapgs_ = std::make_unique<AapgsWorkspace>(scaled_, settings);
    else
        return false;
    return true;
}

// Sweeps in an order of the user's run on one thread, and so does what is too small to share.
std::int64_t FirstOrderEngine::threads(const Settings& settings) const {
    const bool sweeps = settings.method != Method::apgd;
    const bool shared =
        parallel_loops &&
        !(sweeps && (settings.sweep_order != SweepOrder::coloured || scaled_.matrix_form()));
    if (!shared) return 1;
    return std::min(settings.threads, std::max<std::int64_t>(1, scaled_.rows() / rows_per_thread));
}

void FirstOrderEngine::iterate(const Settings& settings, Monitor& monitor) {
    if (settings.method == Method::pgs)
        run_pgs(scaled_, settings, z_, *pgs_, monitor);
    else if (settings.method == Method::apgd)
        run_apgd(scaled_, z_, *apgd_, monitor);
    else
        run_aapgs(scaled_, settings, z_, *aapgs_, monitor);
}

Info FirstOrderEngine::run(const Settings& settings, const ProgressCallback& progress,
                           std::span<double> z, std::vector<double>& certificate) {
    Monitor monitor(problem_, scaled_, settings, progress, monitor_);
    Info& info = monitor.info();
    info.threads = threads(settings);
    info.eliminated = scaled_.eliminated();
    scaled_.set_threads(static_cast<int>(info.threads));
    scaled_.from_user(z, z_);
    scaled_.project(z_);
    iterate(settings, monitor);
    scaled_.to_user(monitor.best(), z);
    if (info.outcome == Outcome::no_solution) {
        certificate.resize(problem_.rows());
        scaled_.to_user(monitor_.ray, certificate);
    }
    return info;
}

}  // namespace

std::unique_ptr<Engine> make_first_order_engine(const Problem& problem, const Settings& settings) {
    return std::make_unique<FirstOrderEngine>(problem, settings);
}

}  // namespace perp
