// Bounds of friction tied to normal impulses, as an outer iteration on the box problem that the
// bounds of the moment make: solve it, and move the bounds to where its impulses want them. Every
// round starts from the last one's point and basic set, and is solved only as far as the bounds are
// worth it.
//
// Solutions exist for positive definite S and any coefficients, but need not be unique, and the
// iteration need not find one where coefficients are large; without definiteness none may exist.
// `solved` is said by eta alone, which takes the bounds at the very z that is returned.
#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "problem/bound_iteration.hpp"
#include "problem/residual.hpp"
#include "solvers/engine.hpp"

namespace perp {
namespace {

constexpr double inner_share = 0.1;  // tolerance of a round: of the best eta, and of the tolerance
constexpr int patience = 20;         // rounds that do not lower the best eta by 10 %
constexpr double growth = 2.0;       // of eta over the best: begin the acceleration anew

std::vector<std::int32_t> tied_scalars(const ConstraintSet& set) {
    std::vector<std::int32_t> tied;
    for (std::int64_t s = 0; s < set.scalars(); ++s)
        if (set.tied(s)) tied.push_back(static_cast<std::int32_t>(s));
    return tied;
}

std::vector<double> energy_weights(const Problem& problem) {
    std::vector<double> weights;
    for (const std::int32_t s : tied_scalars(problem.set()))
        weights.push_back(1.0 / problem.weights().scalar[s]);
    return weights;
}

class TiedEngine : public Engine {
public:
    TiedEngine(const Problem& problem, const Settings& settings)
        : problem_(problem),
          frozen_(problem.frozen()),
          inner_(make_engine(frozen_, settings)),
          residual_(make_residual_workspace(problem)) {
        take_ties();
    }

    bool renew() override;
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] std::span<const std::int8_t> basic_set() const override {
        return inner_->basic_set();
    }
    void start_from(std::span<const std::int8_t> basic_set) override;

private:
    struct Rounds;
    void take_ties();
    void ask(std::span<const double> z);
    void start_opened_rows(std::span<const double> z);
    void limit(const Settings& settings, const Rounds& rounds);
    bool next(const Settings& settings, Rounds& rounds, std::span<const double> z);

    const Problem& problem_;
    Problem frozen_;
    std::unique_ptr<Engine> inner_;
    Settings inner_settings_;
    ResidualWorkspace residual_;
    std::vector<std::int32_t> tied_;  // intervals
    BoundIteration bounds_{{}};
    std::vector<double> asked_, before_;  // half widths: at z, of the round before
    std::vector<double> best_;
    std::vector<std::int8_t> given_, set_;  // basic sets: the caller's, the next round's
};

// What a run knows of its rounds.
struct TiedEngine::Rounds {
    Clock clock;
    Info info;  // of all rounds
    double best = 0.0, milestone = 0.0;
    int since_milestone = 0;
    bool cancelled = false;  // a round may end as solved all the same

    void add(const Info& round);
};

void TiedEngine::Rounds::add(const Info& round) {
    info = joined(info, round);
    ++info.tie_rounds;
    ++info.products;  // eta with the bounds at z
}

void TiedEngine::take_ties() {
    tied_ = tied_scalars(problem_.set());
    bounds_ = BoundIteration(energy_weights(problem_));
    asked_.resize(tied_.size());
    before_.resize(tied_.size());
    best_.resize(problem_.rows());
    set_.reserve(problem_.rows());
}

bool TiedEngine::renew() {
    frozen_ = problem_.frozen();
    take_ties();
    if (!inner_->renew()) inner_ = make_engine(frozen_, inner_settings_);
    return true;
}

bool TiedEngine::prepare(const Settings& settings) {
    inner_settings_ = settings;
    return inner_->prepare(settings);
}

void TiedEngine::start_from(std::span<const std::int8_t> basic_set) {
    given_.assign(basic_set.begin(), basic_set.end());
    inner_->start_from(basic_set);
}

void TiedEngine::ask(std::span<const double> z) {
    for (std::size_t k = 0; k < tied_.size(); ++k)
        asked_[k] = problem_.set().half_width(tied_[k], z);
}

// A basic set says nothing of rows whose bounds were 0: there, the caller's set or a projected step
// along the velocity (of the last residual) tells where the row will be.
void TiedEngine::start_opened_rows(std::span<const double> z) {
    const std::span<const std::int8_t> last = inner_->basic_set();
    if (last.empty()) return;
    set_.assign(last.begin(), last.end());
    bool opened = false;
    for (std::size_t k = 0; k < tied_.size(); ++k) {
        const double h = bounds_.half_width[k];
        if (before_[k] > 0.0 || !(h > 0.0)) continue;
        const std::int32_t row = problem_.set().scalar_row[tied_[k]];
        const double step = z[row] - residual_.velocity[row] * problem_.weights().scalar[tied_[k]];
        const int side = step <= -h ? -1 : step >= h ? 1 : 0;
        set_[row] = given_.empty() ? static_cast<std::int8_t>(side) : given_[row];
        opened = true;
    }
    if (opened) inner_->start_from(set_);
}

// Settings of the next round: what is left of the limits.
void TiedEngine::limit(const Settings& settings, const Rounds& rounds) {
    inner_settings_ = settings;
    inner_settings_.warm_start = settings.warm_start || rounds.info.tie_rounds > 0;
    // Few factorizations more lead from half an answer to the whole.
    const double worth = is_accurate(settings.method) ? 0.0 : std::min(rounds.best, 1.0);
    inner_settings_.tolerance = inner_share * std::max(settings.tolerance, worth);
    inner_settings_.max_iterations = settings.max_iterations - rounds.info.iterations;
    if (settings.stagnation_window < 0)
        inner_settings_.stagnation_window =
            std::max<std::int64_t>(200, settings.max_iterations / 5);
    if (settings.time_limit > 0.0)
        inner_settings_.time_limit =
            std::max(settings.time_limit - rounds.clock.seconds(), 1e-9);  // 0: none
}

// After a round that ended at z: false if it was the last one, with the outcome.
bool TiedEngine::next(const Settings& settings, Rounds& rounds, std::span<const double> z) {
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
    if (rounds.cancelled) info.outcome = Outcome::cancelled;
    const bool on = info.outcome == Outcome::solved || info.outcome == Outcome::stalled;
    if (!on) return false;
    ++rounds.since_milestone;
    if (rounds.best < 0.9 * rounds.milestone) {
        rounds.milestone = rounds.best;
        rounds.since_milestone = 0;
    }
    const bool stalled =
        rounds.since_milestone >= (info.outcome == Outcome::stalled ? 2 : patience);
    info.outcome = stalled ? Outcome::stalled : Outcome::iteration_limit;
    if (stalled || info.tie_rounds >= settings.tie_rounds) return false;
    if (eta > growth * rounds.best) bounds_.restart();
    std::copy(bounds_.half_width.begin(), bounds_.half_width.end(), before_.begin());
    ask(z);
    bounds_.advance(asked_);
    start_opened_rows(z);
    return true;
}

Info TiedEngine::run(const Settings& settings, const ProgressCallback& progress,
                     std::span<double> z, std::vector<double>& certificate) {
    Rounds rounds;
    rounds.best = rounds.milestone = residual(problem_, z, residual_).eta;
    std::copy(z.begin(), z.end(), best_.begin());
    bounds_.start();
    ask(z);
    bounds_.half_width = asked_;
    const auto report = [&](const Progress& now) {
        Progress all = now;
        all.iteration += rounds.info.iterations;
        all.products += rounds.info.products;
        all.seconds = rounds.clock.seconds();
        const bool go_on = progress(all);
        rounds.cancelled = !go_on;
        return go_on;
    };
    const ProgressCallback inner_progress =
        progress ? ProgressCallback(std::ref(report)) : ProgressCallback();
    do {
        frozen_.set_half_widths(tied_, bounds_.half_width);
        inner_->take_bounds();
        limit(settings, rounds);
        rounds.add(inner_->run(inner_settings_, inner_progress, z, certificate));
    } while (next(settings, rounds, z));
    // A proof by exhaustion holds for the last bounds only. A certificate has no tied rows.
    if (rounds.info.outcome == Outcome::no_solution && certificate.empty())
        rounds.info.outcome = Outcome::stalled;
    given_.clear();
    std::copy(best_.begin(), best_.end(), z.begin());
    return rounds.info;
}

}  // namespace

std::unique_ptr<Engine> make_tied_engine(const Problem& problem, const Settings& settings) {
    return std::make_unique<TiedEngine>(problem, settings);
}

}  // namespace perp
