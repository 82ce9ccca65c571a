// The methods that are made of others, by the rules of choice.hpp: auto and accurate.
#include <algorithm>
#include <limits>

#include "base/clock.hpp"
#include "problem/residual.hpp"
#include "solvers/choice.hpp"
#include "solvers/engine.hpp"

namespace perp {
namespace {

class CombinedEngine : public Engine {
public:
    explicit CombinedEngine(const Problem& problem)
        : problem_(problem), residual_(make_residual_workspace(problem)), best_(problem.rows()) {}

    bool renew() override;
    void take_vectors() override;
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] std::span<const std::int8_t> basic_set() const override {
        return pivoting_ ? pivoting_->basic_set() : std::span<const std::int8_t>{};
    }
    void forget() override;
    void start_from(std::span<const std::int8_t> basic_set) override {
        if (pivoting_) pivoting_->start_from(basic_set);
    }

private:
    struct Stages;
    std::unique_ptr<Engine>& engine(Method method);
    bool make(Method method, const Settings& settings);
    bool prepare(Method method, const Settings& settings);
    void run_products(Stages& stages, std::span<double> z, std::vector<double>& certificate);
    void run_factorizations(Stages& stages, std::span<double> z, std::vector<double>& certificate);
    void run_last_products(Stages& stages, std::span<double> z, std::vector<double>& certificate);
    void run_later_stage(Stages& stages, const Settings& stage, std::span<double> z,
                         std::vector<double>& certificate);
    void run_stage(Stages& stages, const Settings& stage, const ProgressCallback& watch,
                   std::span<double> z, std::vector<double>& certificate);

    const Problem& problem_;
    std::unique_ptr<Engine> first_order_, pivoting_, accurate_;
    ResidualWorkspace residual_;
    std::vector<double> best_;
};

// What a run knows of its stages.
struct CombinedEngine::Stages {
    const Settings& settings;
    const ProgressCallback& progress;
    Clock clock;
    Info info;  // of all
    double best = std::numeric_limits<double>::infinity();
    bool cancelled = false;

    [[nodiscard]] Settings next(Method method) const {
        Settings stage = settings_after(info, clock.seconds(), settings);
        stage.method = method;
        return stage;
    }
};

std::unique_ptr<Engine>& CombinedEngine::engine(Method method) {
    if (pivots(method)) return pivoting_;
    return is_accurate(method) ? accurate_ : first_order_;
}

bool CombinedEngine::renew() {
    for (const Method method : {Method::apgd, Method::pivoting, Method::accurate}) {
        std::unique_ptr<Engine>& held = engine(method);
        const bool fits = unsupported_reason(problem_, method).empty();
        if (held && !(fits && held->renew())) held.reset();
    }
    residual_ = make_residual_workspace(problem_);
    best_.resize(problem_.rows());
    return true;
}

void CombinedEngine::take_vectors() {
    for (std::unique_ptr<Engine>* const e : {&first_order_, &pivoting_, &accurate_})
        if (*e) (*e)->take_vectors();
}

void CombinedEngine::forget() {
    for (std::unique_ptr<Engine>* const e : {&first_order_, &pivoting_, &accurate_})
        if (*e) (*e)->forget();
}

bool CombinedEngine::make(Method method, const Settings& settings) {
    std::unique_ptr<Engine>& held = engine(method);
    if (held) return false;
    held = method == Method::accurate ? make_accurate_engine(problem_)
                                      : make_engine(problem_, settings);
    return true;
}

bool CombinedEngine::prepare(Method method, const Settings& settings) {
    Settings own = settings;
    own.method = method;
    const bool made = make(method, own);
    return engine(method)->prepare(own) || made;
}

bool CombinedEngine::prepare(const Settings& settings) {
    return prepare(first_method(problem_, settings), settings);
}

void CombinedEngine::run_stage(Stages& stages, const Settings& stage, const ProgressCallback& watch,
                               std::span<double> z, std::vector<double>& certificate) {
    prepare(stage.method, stage);
    const Info info = engine(stage.method)->run(stage, watch, z, certificate);
    stages.info = joined(stages.info, info);
    if (stages.info.method == Method{0}) stages.info.method = stage.method;
    if (stages.cancelled) stages.info.outcome = Outcome::cancelled;
    const double eta = residual(problem_, z, residual_).eta;
    ++stages.info.products;
    if (eta < stages.best) {
        stages.best = eta;
        std::copy(z.begin(), z.end(), best_.begin());
    } else {
        std::copy(best_.begin(), best_.end(), z.begin());
    }
    if (stages.best <= stages.settings.tolerance) stages.info.outcome = Outcome::solved;
}

void CombinedEngine::run_later_stage(Stages& stages, const Settings& stage, std::span<double> z,
                                     std::vector<double>& certificate) {
    const Info before = stages.info;
    const double seconds = stages.clock.seconds();
    const ProgressCallback watch = [&](const Progress& now) {
        Progress all = progress_after(before, seconds, now);
        all.best_eta = std::min(now.best_eta, stages.best);
        stages.cancelled = stages.progress && !stages.progress(all);
        return !stages.cancelled;
    };
    run_stage(stages, stage, watch, z, certificate);
}

// Products, until factorizations pay.
void CombinedEngine::run_products(Stages& stages, std::span<double> z,
                                  std::vector<double>& certificate) {
    bool enough = false, cost_known = false;
    const Settings stage = stages.next(Method::apgd);
    ProductBudget budget(stage);
    const ProgressCallback watch = [&](const Progress& now) {
        if (stages.progress && !stages.progress(now)) {
            stages.cancelled = true;
            return false;
        }
        enough = !budget.worth(now.iteration, now.best_eta);
        if (enough && !cost_known) {
            cost_known = true;
            make(Method::accurate, stage);
            budget.set_cost(iterations_per_factorization(problem_, accurate_->factor_cost()));
            enough = !budget.worth(now.iteration, now.best_eta);
        }
        return !enough;
    };
    run_stage(stages, stage, watch, z, certificate);
    if (enough && stages.info.outcome == Outcome::cancelled && !stages.cancelled)
        stages.info.outcome = Outcome::stalled;
}

void CombinedEngine::run_factorizations(Stages& stages, std::span<double> z,
                                        std::vector<double>& certificate) {
    stages.info.fallbacks |= fallback::factorize;
    Settings stage = stages.next(Method::accurate);
    stage.warm_start = stages.best <= (stages.settings.warm_start ? close_eta_of_guess : close_eta);
    run_later_stage(stages, stage, z, certificate);
}

// Far from any solution: products alone prove more contradictions of bodies that roll.
void CombinedEngine::run_last_products(Stages& stages, std::span<double> z,
                                       std::vector<double>& certificate) {
    Settings stage = stages.next(Method::apgd);
    stage.warm_start = true;
    run_later_stage(stages, stage, z, certificate);
}

Info CombinedEngine::run(const Settings& settings, const ProgressCallback& progress,
                         std::span<double> z, std::vector<double>& certificate) {
    Stages stages{settings, progress, {}, {}};
    std::copy(z.begin(), z.end(), best_.begin());
    const Method first = first_method(problem_, settings);
    if (first == Method::apgd)
        run_products(stages, z, certificate);
    else
        run_stage(stages, stages.next(first), progress, z, certificate);
    if (first == Method::apgd && stages.info.outcome == Outcome::stalled)
        run_factorizations(stages, z, certificate);
    if (first == Method::apgd && stages.info.outcome == Outcome::stalled &&
        stages.best > hopeless_eta)
        run_last_products(stages, z, certificate);
    return stages.info;
}

}  // namespace

std::unique_ptr<Engine> make_combined_engine(const Problem& problem) {
    return std::make_unique<CombinedEngine>(problem);
}

}  // namespace perp
