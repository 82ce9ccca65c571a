#include "solvers/keller.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();
// Velocities that are zero, relative to the free one: a hundredth of the tolerance, within these
// limits. Rows that depend on others but for so little are not told from those that do: their z
// would be noise.
constexpr double zero_share = 0.01, least_zero = 1e-13, largest_zero = 1e-10;
// Schur complements that the first factorization of the free rows takes for zero: one that is
// refused is driven later, with a sharper test.
constexpr double dependent_free = 1e-8;
constexpr double no_rate = 1e-12;     // relative to |e|_1: a basic row that moves less is at rest
constexpr double least_schur = 1e-3;  // pricing trusts no smaller one
constexpr double indefinite = 1e-9;   // negative curvature that is not rounding
constexpr std::int64_t refinements = 4;
constexpr std::int64_t rounds = 20;  // of exchanges and corrections; one is the rule

// held: not at a bound and not basic. ignored: the same, and its velocity is rounding.
enum Kind : std::int8_t { lower, upper, held, basic, fixed, ignored };

struct Reach {
    double length = infinity;
    std::int64_t blocking = -1;  // place of the basic row that stops first
    bool at_bound = false;       // the driven row reaches its other bound
};

class Keller {
public:
    Keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
           PivotMonitor& monitor)
        : form_(form),
          z_(z),
          w_(work.velocity),
          kind_(work.kind),
          work_(work),
          basis_(work.basis),
          monitor_(monitor),
          nothing_(std::min(std::max(zero_share * monitor.settings().tolerance, least_zero),
                            largest_zero)) {}

    // False: stopped, or proved to have no solution.
    bool run();
    void finish(bool ran);

private:
    void start();
    void mark_basis();
    void evaluate();
    [[nodiscard]] double zero_schur() const;
    [[nodiscard]] double basic_velocity() const;
    bool settle();
    [[nodiscard]] Reach first_block(std::span<const double> step) const;
    bool exchange();
    [[nodiscard]] double violation(std::int64_t i) const;
    [[nodiscard]] std::int32_t choose() const;
    bool drive(std::int32_t i);
    bool no_end(std::int32_t i, double sign, Reach& reach);
    [[nodiscard]] Reach reach(std::int32_t i, double sign, bool curved) const;
    void move(std::int32_t i, double sign, double length);
    bool pivot();
    void put_at_bound(std::int32_t i, bool up);

    const MixedForm& form_;
    std::vector<double>&z_, &w_;
    std::vector<std::int8_t>& kind_;
    KellerWorkspace& work_;
    DenseBasis& basis_;
    PivotMonitor& monitor_;
    double nothing_;         // what is zero, relatively
    double largest_ = 0.0;   // of |r| and |z|
    double zero_ = 0.0;      // violations below are none
    double settled_ = 0.0;   // what w of basic rows may be
    double decrease_ = 0.0;  // of the objective
    bool proof_ = false;     // work_.certificate proves that w of an ignored row cannot vanish
    std::int64_t pivots_ = 0;
    bool exhausted_ = false;  // most_pivots
    std::int64_t idle_ = 0;   // driven rows in a row that did not lower it beyond rounding
};

// ------------------------------------------------------------------ start, velocities

// At bounds as the guess is, or as the set given says. Basic: the set given, else the free rows.
void Keller::start() {
    const bool given = work_.start_given;
    std::int64_t count = 0;
    basis_.clear();
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double lo = form_.lo[i], hi = form_.hi[i];
        const std::int8_t state = given ? work_.state[i] : std::int8_t{0};
        z_[i] = std::min(std::max(z_[i], lo), hi);
        if (state == -1 && std::isfinite(lo)) z_[i] = lo;
        if (state == 1 && std::isfinite(hi)) z_[i] = hi;
        if (given ? state == 0 && lo < hi : form_.is_free(i))
            work_.set[count++] = static_cast<std::int32_t>(i);
        kind_[i] = lo == hi ? fixed : z_[i] == lo ? lower : z_[i] == hi ? upper : held;
    }
    evaluate();
    if (count > 0)
        basis_.factorize({work_.set.data(), static_cast<std::size_t>(count)},
                         given ? std::max(zero_schur(), least_zero) : dependent_free);
    mark_basis();
}

// The basis may have dropped rows when it was factorized.
void Keller::mark_basis() {
    for (std::int8_t& kind : kind_)
        if (kind == basic) kind = held;
    for (std::int64_t k = 0; k < basis_.count(); ++k) kind_[basis_.row(k)] = basic;
}

void Keller::evaluate() {
    std::copy(form_.r.begin(), form_.r.end(), w_.begin());
    largest_ = 0.0;
    for (const double x : form_.r) largest_ = std::max(largest_, std::abs(x));
    std::int64_t used = 0;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (z_[i] == 0.0) continue;
        work_.rows[used++] = static_cast<std::int32_t>(i);
        largest_ = std::max(largest_, std::abs(z_[i]));
    }
    basis_.matrix().add_columns(
        w_.data(), used, [&](std::int64_t k) { return z_[work_.rows[k]]; },
        [&](std::int64_t k) { return work_.rows[k]; });
    const double floor = 16.0 * rounding * largest_;
    zero_ = std::max(nothing_ * form_.free_norm, floor);
    settled_ = std::max(least_zero * form_.free_norm, floor);
    basis_.set_zero_curvature(zero_schur());
}

// Curvatures that change no velocity noticeably, as far as any impulse goes.
double Keller::zero_schur() const { return largest_ > 0.0 ? 0.1 * zero_ / largest_ : 0.0; }

bool Keller::pivot() {
    if (monitor_.stop()) return false;
    exhausted_ = ++pivots_ > work_.most_pivots;
    monitor_.info().single_pivots += exhausted_ ? 0 : 1;
    return !exhausted_;
}

void Keller::put_at_bound(std::int32_t i, bool up) {
    z_[i] = up ? form_.hi[i] : form_.lo[i];
    kind_[i] = up ? upper : lower;
}

// ------------------------------------------------------------------ corrections

// How far z_F can go along `step`; passing a bound by rounding does not count.
Reach Keller::first_block(std::span<const double> step) const {
    double largest = 0.0;
    for (std::int64_t k = 0; k < basis_.count(); ++k)
        largest = std::max(largest, std::abs(z_[basis_.row(k)] + step[k]));
    Reach reach;
    reach.length = 1.0;
    for (std::int64_t k = 0; k < basis_.count(); ++k) {
        const std::int32_t i = basis_.row(k);
        const double to = z_[i] + step[k];
        if (std::max(form_.lo[i] - to, to - form_.hi[i]) <= 64.0 * rounding * largest) continue;
        const double room = step[k] > 0.0 ? form_.hi[i] - z_[i] : z_[i] - form_.lo[i];
        const double share = std::max(room, 0.0) / std::abs(step[k]);
        if (share >= reach.length) continue;
        reach.length = share;
        reach.blocking = k;
    }
    return reach;
}

double Keller::basic_velocity() const {
    double error = 0.0;
    for (std::int64_t k = 0; k < basis_.count(); ++k)
        error = std::max(error, std::abs(w_[basis_.row(k)]));
    return error;
}

// Corrects z_F until w_F is rounding; a row that would pass a bound stops all there and leaves.
bool Keller::settle() {
    double last = infinity;
    bool fresh = false;
    for (std::int64_t k = 0; k < refinements;) {
        const double error = basic_velocity();
        if (error <= 0.1 * settled_) return true;
        if (error >= 0.5 * last) {
            if (fresh || error <= settled_) return true;
            fresh = true;  // the inverse has drifted
            basis_.refactorize();
            mark_basis();
        }
        const std::span<const double> step = basis_.correction(w_);
        const Reach reach = first_block(step);
        for (std::int64_t m = 0; m < basis_.count(); ++m) {
            const std::int32_t i = basis_.row(m);
            z_[i] = std::min(std::max(z_[i] + reach.length * step[m], form_.lo[i]), form_.hi[i]);
        }
        last = error;
        ++k;
        if (reach.blocking >= 0) {
            if (!pivot()) return false;
            put_at_bound(basis_.row(reach.blocking), step[reach.blocking] > 0.0);
            basis_.drop(reach.blocking);
            last = infinity;
            k = 0;
        }
        evaluate();
    }
    return true;
}

// ------------------------------------------------------------------ exchanges

double Keller::violation(std::int64_t i) const {
    switch (kind_[i]) {
        case lower:
            return -w_[i];
        case upper:
            return w_[i];
        case held:
            return std::abs(w_[i]);
        default:
            return 0.0;
    }
}

// Free rows first, then the row that promises most: violation^2 / Schur complement, twice its
// decrease if nothing blocks. Least index where that led nowhere.
std::int32_t Keller::choose() const {
    double best = 0.0;
    bool best_free = false;
    std::int64_t row = -1;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double v = violation(i);
        if (!(v > zero_)) continue;
        if (idle_ > form_.p) return static_cast<std::int32_t>(i);
        const bool free = kind_[i] == held && form_.is_free(i);
        if (best_free && !free) continue;
        const double gain = v * v / std::max(basis_.schur(i), least_schur);
        if (!(gain > best) && free == best_free) continue;
        best = gain;
        best_free = free;
        row = i;
    }
    return static_cast<std::int32_t>(row);
}

Reach Keller::reach(std::int32_t i, double sign, bool curved) const {
    Reach reach;
    if (curved) reach.length = std::abs(w_[i] / basis_.curvature());
    const double room = sign > 0.0 ? form_.hi[i] - z_[i] : z_[i] - form_.lo[i];
    if (room <= reach.length && std::isfinite(room)) {
        reach.length = room;
        reach.at_bound = true;
    }
    const double least = no_rate * basis_.spread();
    double steepest = 0.0;  // of equal blocks: the best pivot
    for (std::int64_t k = 0; k < basis_.count(); ++k) {
        const double rate = -sign * basis_.rate(k);
        if (std::abs(rate) <= least) continue;
        const std::int32_t j = basis_.row(k);
        const double way = rate > 0.0 ? form_.hi[j] - z_[j] : z_[j] - form_.lo[j];
        const double length = std::max(way, 0.0) / std::abs(rate);
        if (length > reach.length || std::isinf(length)) continue;
        if (length == reach.length && std::abs(rate) <= steepest) continue;
        reach.length = length;
        reach.blocking = k;
        steepest = std::abs(rate);
    }
    return reach;
}

void Keller::move(std::int32_t i, double sign, double length) {
    const double way = sign * length;
    z_[i] += way;
    for (std::int64_t k = 0; k < basis_.count(); ++k) {
        const std::int32_t j = basis_.row(k);
        z_[j] = std::min(std::max(z_[j] - way * basis_.rate(k), form_.lo[j]), form_.hi[j]);
    }
    for (std::int64_t j = 0; j < form_.p; ++j) w_[j] += way * basis_.slope(j);
}

// Drives row i to the end: basic, or at its other bound. Every basic row that leaves is a pivot.
bool Keller::drive(std::int32_t i) {
    double sign = w_[i] < 0.0 ? 1.0 : -1.0;
    double gained = 0.0;
    basis_.drive(i);
    mark_basis();
    // Rounded data may be indefinite. A free row has to become basic all the same: it turns round.
    const bool turned = form_.is_free(i) && basis_.curvature() < -indefinite;
    if (turned) sign = -sign;
    for (;;) {
        if (!pivot()) return false;
        Reach to = reach(i, sign, turned || !basis_.dependent());
        if (std::isinf(to.length)) {
            if (!no_end(i, sign, to)) return false;
            if (kind_[i] == ignored) return true;
        }
        gained += to.length * (std::abs(w_[i]) - 0.5 * to.length * basis_.curvature());
        move(i, sign, to.length);
        if (to.blocking < 0) {
            if (to.at_bound) {
                put_at_bound(i, sign > 0.0);
            } else {
                basis_.enter();
                kind_[i] = basic;
                w_[i] = 0.0;
            }
            break;
        }
        const std::int32_t j = basis_.row(to.blocking);
        put_at_bound(j, -sign * basis_.rate(to.blocking) > 0.0);
        w_[j] = 0.0;
        basis_.leave(to.blocking);
    }
    decrease_ += gained;
    idle_ = gained > rounding * decrease_ ? 0 : idle_ + 1;
    return true;
}

// Nothing stops row i. False: proved that there is no solution. Else its curvature was more than
// rounding after all (`to` then leads to w_i = 0), or its velocity is within the tolerance: the row
// is ignored, and eta of the end says whether the proof matters.
bool Keller::no_end(std::int32_t i, double sign, Reach& to) {
    basis_.refine();
    basis_.ray(form_, sign, work_.certificate);
    proof_ = monitor_.is_proof(work_.certificate);
    if (proof_ && std::abs(w_[i]) > monitor_.settings().tolerance * form_.free_norm) {
        monitor_.prove(work_.certificate);
        return false;
    }
    if (!proof_ && basis_.curvature() > 4.0 * rounding * basis_.spread()) to = reach(i, sign, true);
    if (std::isinf(to.length)) kind_[i] = ignored;
    return true;
}

bool Keller::exchange() {
    for (std::int32_t i = choose(); i >= 0; i = choose()) {
        if (!drive(i)) return false;
        if (idle_ > 4 * form_.p) break;
    }
    return true;
}

bool Keller::run() {
    start();
    if (!settle()) return false;
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::int64_t before = monitor_.info().single_pivots;
        if (!exchange()) return false;
        if (monitor_.info().single_pivots == before) break;
        evaluate();
        if (!settle()) return false;
    }
    return true;
}

void Keller::finish(bool ran) {
    constexpr std::int8_t states[] = {-1, 1, 2, 0, -1, 2};  // by kind
    for (std::int64_t i = 0; i < form_.p; ++i) work_.state[i] = states[kind_[i]];
    monitor_.info().factorizations += basis_.factorizations();
    monitor_.info().updates += basis_.updates();
    if (largest_ > 0.0) monitor_.info().backward_error = basic_velocity() / largest_;
    if (monitor_.solved(z_)) {
        if (monitor_.info().outcome != Outcome::no_solution) monitor_.finish(Outcome::solved);
    } else if (ran && proof_) {
        monitor_.prove(work_.certificate);
    } else if (ran || exhausted_) {
        monitor_.finish(Outcome::stalled);
    }
}

}  // namespace

std::string keller_reason(std::int64_t rows, bool symmetric) {
    if (!symmetric) return "needs a symmetric problem";
    if (rows > keller_largest)
        return format("takes at most %" PRId64 " rows, not %" PRId64, keller_largest, rows);
    return {};
}

namespace {

const MixedForm& checked(const MixedForm& form) {
    if (const std::string why = keller_reason(form.p, form.symmetric); !why.empty())
        fail(Status::unsupported, "keller %s", why.c_str());
    return form;
}

}  // namespace

KellerWorkspace::KellerWorkspace(const MixedForm& form)
    : state(form.p),
      basis(checked(form)),
      kind(form.p),
      velocity(form.p),
      certificate(form.p),
      rows(form.p),
      set(form.p) {}

void run_keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
                PivotMonitor& monitor) {
    Keller keller(form, z, work, monitor);
    const bool ran = keller.run();
    keller.finish(ran);
}

}  // namespace perp
