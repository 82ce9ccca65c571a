// `auto` under the exact Coulomb law: accelerated sweeps, which solve one contact after the other
// exactly, as long as they are fast; then rounds of relaxed problems (CoulombEngine).
#include "base/clock.hpp"
#include "solvers/choice.hpp"
#include "solvers/engine.hpp"

namespace perp {
namespace {

class SweepsFirst : public Engine {
public:
    SweepsFirst(const Problem& problem, const Settings& settings)
        : problem_(problem), sweeps_(make_first_order_engine(problem, of_sweeps(settings))) {}

    bool renew() override {
        if (rounds_ && !rounds_->renew()) rounds_.reset();
        return sweeps_->renew();
    }
    void take_vectors() override {
        sweeps_->take_vectors();
        if (rounds_) rounds_->take_vectors();
    }
    bool prepare(const Settings& settings) override {
        return sweeps_->prepare(of_sweeps(settings));
    }
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    void forget() override {
        if (rounds_) rounds_->forget();
    }

private:
    [[nodiscard]] Settings of_sweeps(Settings settings) const {
        settings.method =
            unsupported_reason(problem_, Method::aapgs).empty() ? Method::aapgs : Method::pgs;
        return settings;
    }
    Info run_sweeps(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
                    std::vector<double>& certificate);

    const Problem& problem_;
    std::unique_ptr<Engine> sweeps_, rounds_;  // rounds: made when they are needed
};

Info SweepsFirst::run_sweeps(const Settings& settings, const ProgressCallback& progress,
                             std::span<double> z, std::vector<double>& certificate) {
    ProductBudget budget = ProductBudget::of_sweeps(settings);
    bool enough = false, cancelled = false;
    const ProgressCallback watch = [&](const Progress& now) {
        cancelled = progress && !progress(now);
        enough = !cancelled && !budget.worth(now.iteration, now.best_eta);
        return !cancelled && !enough;
    };
    Info info = sweeps_->run(settings, watch, z, certificate);
    info.method = settings.method;
    if (enough && info.outcome == Outcome::cancelled) info.outcome = Outcome::stalled;
    return info;
}

Info SweepsFirst::run(const Settings& settings, const ProgressCallback& progress,
                      std::span<double> z, std::vector<double>& certificate) {
    const Clock clock;
    const Info first = run_sweeps(of_sweeps(settings), progress, z, certificate);
    // Overflow is that of sweeps that run away, and rounds need not.
    if (first.outcome != Outcome::stalled && first.outcome != Outcome::numerical_failure)
        return first;
    if (!rounds_) rounds_ = make_coulomb_engine(problem_, settings);
    rounds_->prepare(settings);
    const double seconds = clock.seconds();
    Settings rest = settings_after(first, seconds, settings);
    rest.warm_start = true;
    const ProgressCallback later = [&](const Progress& now) {
        return progress(progress_after(first, seconds, now));
    };
    return joined(first, rounds_->run(rest, progress ? later : progress, z, certificate));
}

}  // namespace

std::unique_ptr<Engine> make_sweeps_first(const Problem& problem, const Settings& settings) {
    return std::make_unique<SweepsFirst>(problem, settings);
}

}  // namespace perp
