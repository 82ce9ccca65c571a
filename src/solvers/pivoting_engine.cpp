#include <algorithm>
#include <optional>

#include "solvers/engine.hpp"
#include "solvers/keller.hpp"
#include "solvers/pivot_monitor.hpp"
#include "solvers/pivoting.hpp"

namespace perp {
namespace {

// Problems that `pivoting` hands to Keller's method first: so small, or so dense, that sparse
// factors cost more.
constexpr std::int64_t small_rows = 64;
constexpr double dense_share = 0.25;

bool dense_is_cheaper(const MixedForm& form) {
    const auto p = static_cast<double>(form.p);
    return keller_reason(form.p, form.symmetric).empty() &&
           (form.p <= small_rows ||
            (form.n == 0 && static_cast<double>(form.C.nonzeros()) > dense_share * p * p));
}

bool same_matrices(const MixedForm& a, const MixedForm& b) {
    const auto same = [](const Csr& x, const Csr& y) {
        return x.start == y.start && x.index == y.index && x.value == y.value;
    };
    return same(a.M, b.M) && same(a.J, b.J) && same(a.C, b.C);
}

class PivotingEngine : public Engine {
public:
    explicit PivotingEngine(const Problem& problem)
        : problem_(problem),
          form_(problem),
          monitor_(problem, form_),
          z_(form_.p),
          guess_(form_.p) {}

    bool renew() override;
    void take_vectors() override { form_.take_vectors(problem_); }
    bool prepare(const Settings& settings) override;
    Info run(const Settings& settings, const ProgressCallback& progress, std::span<double> z,
             std::vector<double>& certificate) override;
    [[nodiscard]] std::span<const std::int8_t> basic_set() const override { return set_; }
    void forget() override {
        set_.clear();
        start_.clear();
        keller_.reset();
    }
    void start_from(std::span<const std::int8_t> basic_set) override {
        start_.assign(basic_set.begin(), basic_set.end());
    }

private:
    void run_method(Method method, bool warm, PivotMonitor& monitor);
    bool try_keller(PivotMonitor& monitor, bool last);

    const Problem& problem_;
    MixedForm form_;
    PivotMonitorWorkspace monitor_;
    std::vector<double> z_, guess_;
    std::vector<std::int8_t> set_, start_;  // of the last run; of the next one, empty: none
    std::unique_ptr<PivotingWorkspace> pivoting_;
    std::unique_ptr<KellerWorkspace> keller_;
    std::unique_ptr<LemkeWorkspace> lemke_;
};

bool PivotingEngine::renew() {
    MixedForm next = form_.renewed(problem_);
    if (next.n != form_.n || next.p != form_.p) return false;
    if (!same_matrices(form_, next)) keller_.reset();
    lemke_.reset();
    form_ = std::move(next);
    if (pivoting_) pivoting_->renew(form_);
    return true;
}

bool PivotingEngine::prepare(const Settings& settings) {
    const bool dense = settings.method == Method::keller ||
                       (settings.method == Method::pivoting && dense_is_cheaper(form_));
    const bool sparse = settings.method == Method::pivoting && !dense;
    const bool covering = settings.method == Method::lemke;
    const bool made = (dense && !keller_) || (sparse && !pivoting_) || (covering && !lemke_);
    if (covering && !lemke_) lemke_ = std::make_unique<LemkeWorkspace>(form_);
    if (dense && !keller_) keller_ = std::make_unique<KellerWorkspace>(form_);
    if (sparse && !pivoting_) pivoting_ = std::make_unique<PivotingWorkspace>(form_);
    return made;
}

// From the start set, if there is one. True: nothing is left to do.
bool PivotingEngine::try_keller(PivotMonitor& monitor, bool last) {
    keller_->most_pivots = last ? std::numeric_limits<std::int64_t>::max() : 200 + 20 * form_.p;
    keller_->start_given = !start_.empty();
    if (keller_->start_given) keller_->state = start_;
    run_keller(form_, z_, *keller_, monitor);
    set_ = keller_->state;
    return monitor.info().outcome != Outcome::stalled;
}

void PivotingEngine::run_method(Method method, bool warm, PivotMonitor& monitor) {
    if (method == Method::lemke) {
        run_lemke(form_, z_, *lemke_, monitor);
        set_ = lemke_->state;
        return;
    }
    guess_ = z_;
    const bool dense = method == Method::keller || dense_is_cheaper(form_);
    if (dense && (try_keller(monitor, method == Method::keller) || method == Method::keller))
        return;
    z_ = guess_;  // where Keller's method stalled is no better start
    if (!pivoting_) pivoting_ = std::make_unique<PivotingWorkspace>(form_);
    run_pivoting(form_, z_, start_, warm, *pivoting_, monitor);
    set_ = pivoting_->state;
    if (dense || monitor.info().outcome != Outcome::stalled || monitor.stopped() ||
        !keller_reason(form_.p, form_.symmetric).empty())
        return;
    monitor.info().fallbacks |= fallback::keller;
    if (!keller_) keller_ = std::make_unique<KellerWorkspace>(form_);
    z_ = guess_;
    try_keller(monitor, true);
}

Info PivotingEngine::run(const Settings& settings, const ProgressCallback& progress,
                         std::span<double> z, std::vector<double>& certificate) {
    PivotMonitor monitor(problem_, form_, settings, progress, monitor_);
    form_.from_user(z, z_);
    if (settings.warm_start && start_.empty()) start_ = set_;
    run_method(settings.method, settings.warm_start, monitor);
    start_.clear();
    form_.to_user(monitor.best(), z);
    if (!monitor.certificate().empty()) {  // a proof by exhaustion has none
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
