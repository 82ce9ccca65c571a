// Bounds of friction tied to normal impulses: rounds of the box problem that the bounds of the
// moment make, each from the last one's point and basic set.
//
// Solutions exist for positive definite S and any coefficients, but need not be unique, and the
// iteration need not find one where coefficients are large; without definiteness none may exist.
#include <algorithm>
#include <functional>

#include "problem/bound_iteration.hpp"
#include "solvers/outer_engine.hpp"

namespace perp {
namespace {

constexpr int patience = 20;

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

class TiedEngine : public OuterEngine {
public:
    TiedEngine(const Problem& problem, const Settings& settings)
        : OuterEngine(problem, settings, patience) {
        take_ties();
    }

    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    void start_from(std::span<const std::int8_t> basic_set) override;

private:
    void take_problem() override { take_ties(); }
    void start(std::span<const double> z) override;
    void freeze() override { frozen_.set_half_widths(tied_, bounds_.half_width); }
    void advance(std::span<const double> z, bool worse) override;
    // Few factorizations more lead from half an answer to the whole.
    [[nodiscard]] double worth(Method method, double best) const override {
        return is_accurate(method) ? 0.0 : best;
    }
    bool proves(std::span<double> /*certificate*/) override { return true; }  // no tied rows in it

    void take_ties();
    void ask(std::span<const double> z);
    void start_opened_rows(std::span<const double> z);

    std::vector<std::int32_t> tied_;  // intervals
    BoundIteration bounds_{{}};
    std::vector<double> asked_, before_;    // half widths: at z, of the round before
    std::vector<double> reached_;           // from a guess
    std::vector<std::int8_t> given_, set_;  // basic sets: the caller's, the next round's
};

void TiedEngine::take_ties() {
    tied_ = tied_scalars(problem_.set());
    bounds_ = BoundIteration(energy_weights(problem_));
    asked_.resize(tied_.size());
    before_.resize(tied_.size());
    set_.reserve(problem_.rows());
    reached_.reserve(problem_.rows());
}

// Where a guess leads nowhere, another try from none: nearly dependent rows share their load as the
// guess does, and its bounds may hold it there.
Info TiedEngine::run(const Settings& settings, const ProgressCallback& progress,
                     std::span<double> z, std::vector<double>& certificate) {
    const Clock clock;
    const bool guess = settings.warm_start || !given_.empty();
    const Info first = OuterEngine::run(settings, progress, z, certificate);
    given_.clear();
    Settings cold = settings_after(first, clock.seconds(), settings);
    cold.tie_rounds -= first.tie_rounds;
    if (first.outcome != Outcome::stalled || !guess || cold.tie_rounds < 1) return first;
    const double eta = residual(problem_, z, residual_).eta;
    reached_.assign(z.begin(), z.end());
    std::fill(z.begin(), z.end(), 0.0);
    cold.warm_start = false;
    inner_->forget();
    inner_->prepare(cold);
    const double before = clock.seconds();
    const auto report = [&](const Progress& now) {
        return progress(progress_after(first, before, now));
    };
    const ProgressCallback all = progress ? ProgressCallback(std::ref(report)) : ProgressCallback();
    Info both = joined(first, OuterEngine::run(cold, all, z, certificate));
    both.fallbacks |= fallback::cold_start;
    if (residual(problem_, z, residual_).eta > eta)
        std::copy(reached_.begin(), reached_.end(), z.begin());
    return both;
}

void TiedEngine::start_from(std::span<const std::int8_t> basic_set) {
    given_.assign(basic_set.begin(), basic_set.end());
    inner_->start_from(basic_set);
}

void TiedEngine::ask(std::span<const double> z) {
    for (std::size_t k = 0; k < tied_.size(); ++k)
        asked_[k] = problem_.set().half_width(tied_[k], z);
}

void TiedEngine::start(std::span<const double> z) {
    bounds_.start();
    ask(z);
    bounds_.half_width = asked_;
}

void TiedEngine::advance(std::span<const double> z, bool worse) {
    if (worse) bounds_.restart();
    std::copy(bounds_.half_width.begin(), bounds_.half_width.end(), before_.begin());
    ask(z);
    bounds_.advance(asked_);
    start_opened_rows(z);
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

}  // namespace

std::unique_ptr<Engine> make_tied_engine(const Problem& problem, const Settings& settings) {
    return std::make_unique<TiedEngine>(problem, settings);
}

}  // namespace perp
