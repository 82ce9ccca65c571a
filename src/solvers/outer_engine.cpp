#include "solvers/outer_engine.hpp"

#include <algorithm>

namespace perp {
namespace {

constexpr double inner_share = 0.1;  // tolerance of a round: of its worth, and of the tolerance
constexpr double growth = 2.0;       // of eta over the best

}  // namespace

// What a run knows of its rounds.
struct OuterEngine::Rounds {
    Clock clock;
    Info info;  // of all rounds
    double best = 0.0, milestone = 0.0;
    int since_milestone = 0;
    bool cancelled = false;  // a round may end as solved all the same

    void add(const Info& round);
};

void OuterEngine::Rounds::add(const Info& round) {
    info = joined(info, round);
    ++info.tie_rounds;
    ++info.products;  // eta under the law at z
}

bool OuterEngine::renew() {
    frozen_ = problem_.frozen();
    residual_ = make_residual_workspace(problem_);
    best_.resize(problem_.rows());
    take_problem();
    if (!inner_->renew()) inner_ = make_engine(frozen_, inner_settings_);
    return true;
}

bool OuterEngine::prepare(const Settings& settings) {
    inner_settings_ = settings;
    return inner_->prepare(settings);
}

// Settings of the next round: what is left of the limits.
void OuterEngine::limit(const Settings& settings, const Rounds& rounds) {
    inner_settings_ = settings_after(rounds.info, rounds.clock.seconds(), settings);
    inner_settings_.warm_start = settings.warm_start || rounds.info.tie_rounds > 0;
    inner_settings_.tolerance =
        inner_share *
        std::max(settings.tolerance, worth(settings.method, std::min(rounds.best, 1.0)));
    if (settings.stagnation_window < 0)
        inner_settings_.stagnation_window =
            std::max<std::int64_t>(200, settings.max_iterations / 5);
}

// After a round that ended at z: false if it was the last one, with the outcome.
bool OuterEngine::next(const Settings& settings, Rounds& rounds, std::span<double> z,
                       std::vector<double>& certificate) {
    Info& info = rounds.info;
    const double eta = residual(problem_, z, residual_).eta;
    if (eta < rounds.best) {
        rounds.best = eta;
        std::copy(z.begin(), z.end(), best_.begin());
    }
    if (eta <= settings.tolerance) {
        info.outcome = Outcome::solved;
        return false;
    }
    // A proof by exhaustion holds for the vectors of this round only.
    const bool forbidden = info.outcome == Outcome::no_solution && !certificate.empty();
    const bool moved = forbidden && !proves(certificate);
    if (moved || (info.outcome == Outcome::no_solution && !forbidden)) {
        info.outcome = Outcome::stalled;
        certificate.clear();
    }
    if (rounds.cancelled) info.outcome = Outcome::cancelled;
    const bool on = info.outcome == Outcome::solved || info.outcome == Outcome::stalled;
    if (!on) return false;
    ++rounds.since_milestone;
    if (rounds.best < 0.9 * rounds.milestone) {
        rounds.milestone = rounds.best;
        rounds.since_milestone = 0;
    }
    const bool stalled =
        rounds.since_milestone >= (info.outcome == Outcome::stalled && !moved ? 2 : patience_);
    info.outcome = stalled ? Outcome::stalled : Outcome::iteration_limit;
    if (stalled || info.tie_rounds >= settings.tie_rounds) return false;
    if (moved)
        std::copy(best_.begin(), best_.end(), z.begin());  // z has run away
    else
        advance(z, eta > growth * rounds.best);
    return true;
}

Info OuterEngine::run(const Settings& settings, const ProgressCallback& progress,
                      std::span<double> z, std::vector<double>& certificate) {
    Rounds rounds;
    rounds.best = rounds.milestone = residual(problem_, z, residual_).eta;
    std::copy(z.begin(), z.end(), best_.begin());
    start(z);
    const auto report = [&](const Progress& now) {
        Progress all = progress_after(rounds.info, 0.0, now);
        all.seconds = rounds.clock.seconds();
        const bool go_on = progress(all);
        rounds.cancelled = !go_on;
        return go_on;
    };
    const ProgressCallback inner_progress =
        progress ? ProgressCallback(std::ref(report)) : ProgressCallback();
    do {
        freeze();
        inner_->take_vectors();
        limit(settings, rounds);
        rounds.add(inner_->run(inner_settings_, inner_progress, z, certificate));
    } while (next(settings, rounds, z, certificate));
    std::copy(best_.begin(), best_.end(), z.begin());
    return rounds.info;
}

}  // namespace perp
