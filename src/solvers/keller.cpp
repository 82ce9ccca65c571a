#include "solvers/keller.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "problem/dense_delassus.hpp"

namespace perp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = std::numeric_limits<double>::epsilon();
// A velocity below is zero, relative to the free velocity; rounding of large z comes on top.
constexpr double zero_velocity = 1e-13;
// A Schur complement below is zero, in units of the rounding in (e, S e), e = (1, -g).
constexpr double zero_curvature = 32.0;
constexpr double least_turning = 1e-9;  // curvature of an indefinite matrix
// Schur complements that a factorization takes for zero, relative to the diagonal: generous for
// the free rows (one that is refused is driven later, with a sharper test), sharp for a set given.
constexpr double dependent_free = 1e-8, dependent_given = 1e-13;
constexpr double no_rate = 1e-12;      // a basic row that moves less does not block
constexpr double least_schur = 1e-3;   // pricing trusts no smaller one
constexpr double small_drift = 1e-11;  // of w_F per unit of (e, S e)'s rows
// Velocities that no z can satisfy prove something only beyond (relative to the free velocity).
constexpr double least_descent = 1e-10;
constexpr double certificate_product = 1e-12;  // |S d| <= this |d|
constexpr std::int64_t refinements = 4;
constexpr std::int64_t rounds = 20;

enum Kind : std::int8_t { lower = -1, held = 0, upper = 1, basic = 2, fixed = 3, ignored = 4 };

class Keller {
public:
    Keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
           PivotMonitor& monitor)
        : form_(form), z_(z), work_(work), s_(work.s), inverse_(work.inverse), monitor_(monitor) {}

    // False: stopped, or proved to have no solution.
    bool run();
    void finish();

private:
    void start();
    bool settle();
    bool exchange();
    bool drive(std::int32_t i);
    void evaluate();
    void set_zero();
    std::int32_t choose_free() const;
    std::int32_t choose() const;
    [[nodiscard]] double violation(std::int64_t i) const;
    void direction(std::int32_t i);
    double find_slope(std::int32_t i);
    void find_curvature(std::int32_t i);
    void correct_rate();
    bool refactorize();
    [[nodiscard]] double largest_basic_velocity() const;
    void leave(std::int64_t place);
    void enter(std::int32_t i);
    bool prove(std::int32_t i, double sign);

    const MixedForm& form_;
    std::vector<double>& z_;
    KellerWorkspace& work_;
    const DenseDelassus& s_;
    PrincipalInverse& inverse_;
    PivotMonitor& monitor_;
    double zero_ = 0.0;        // violations below are none
    double resolution_ = 0.0;  // of impulses: distances from bounds below are none
    double curvature_ = 0.0, spread_ = 0.0;
    double decrease_ = 0.0;
    std::int64_t idle_ = 0;  // driven rows in a row that did not lower the objective
    bool least_index_ = false;
};

void Keller::evaluate() {
    double* w = work_.velocity.data();
    std::copy(form_.r.begin(), form_.r.end(), work_.velocity.begin());
    std::int64_t used = 0;
    for (std::int64_t i = 0; i < form_.p; ++i)
        if (z_[i] != 0.0) work_.candidates[used++] = static_cast<std::int32_t>(i);
    s_.add_columns(
        w, used, [&](std::int64_t k) { return z_[work_.candidates[k]]; },
        [&](std::int64_t k) { return work_.candidates[k]; });
    set_zero();
}

void Keller::set_zero() {
    double largest = 0.0, impulse = 0.0;
    for (const double x : form_.r) largest = std::max(largest, std::abs(x));
    for (const double x : z_) impulse = std::max(impulse, std::abs(x));
    resolution_ = 16.0 * rounding * impulse;
    zero_ = std::max(zero_velocity * form_.free_norm, 16.0 * rounding * std::max(impulse, largest));
}

void Keller::start() {
    std::int64_t basic_rows = 0;
    inverse_.clear();
    for (std::int64_t i = 0; i < form_.p; ++i) {
        std::int8_t& kind = work_.place_kind[i];
        const double lo = form_.lo[i], hi = form_.hi[i];
        z_[i] = std::min(std::max(z_[i], lo), hi);
        work_.schur[i] = s_.row(i)[i];
        kind = held;
        if (work_.start_given) {
            if (work_.state[i] < 0 && std::isfinite(lo)) z_[i] = lo;
            if (work_.state[i] == 1 && std::isfinite(hi)) z_[i] = hi;
        }
        if (work_.start_given ? work_.state[i] == 0 && lo < hi : form_.is_free(i))
            work_.candidates[basic_rows++] = static_cast<std::int32_t>(i);
        if (lo == hi)
            kind = fixed;
        else if (z_[i] == lo)
            kind = lower;
        else if (z_[i] == hi)
            kind = upper;
    }
    if (basic_rows > 0) {
        inverse_.factorize(s_.dense,
                           {work_.candidates.data(), static_cast<std::size_t>(basic_rows)},
                           work_.start_given ? dependent_given : dependent_free);
        ++monitor_.info().factorizations;
        for (std::int64_t k = 0; k < inverse_.count(); ++k)
            work_.place_kind[inverse_.row(k)] = basic;
    }
    evaluate();
}

// Corrects z_F until w_F is rounding; a row that would pass a bound stops all there and leaves.
bool Keller::settle() {
    double last = infinity;
    for (std::int64_t k = 0; k < refinements + inverse_.count();) {
        const std::int64_t n = inverse_.count();
        double error = 0.0;
        for (std::int64_t m = 0; m < n; ++m) {
            work_.right[m] = -work_.velocity[inverse_.row(m)];
            error = std::max(error, std::abs(work_.right[m]));
        }
        if (error == 0.0 || (k > 0 && (error >= 0.5 * last || error <= 0.1 * zero_))) return true;
        inverse_.solve(work_.right, work_.step);
        double length = 1.0;
        std::int64_t blocking = -1;
        for (std::int64_t m = 0; m < n; ++m) {
            const std::int32_t i = inverse_.row(m);
            const double to = z_[i] + work_.step[m];
            const double past = std::max(form_.lo[i] - to, to - form_.hi[i]);
            if (past <= resolution_) continue;
            const double room = work_.step[m] > 0.0 ? form_.hi[i] - z_[i] : z_[i] - form_.lo[i];
            const double share = std::max(room, 0.0) / std::abs(work_.step[m]);
            if (share >= length) continue;
            length = share;
            blocking = m;
        }
        for (std::int64_t m = 0; m < n; ++m) {
            const std::int32_t i = inverse_.row(m);
            z_[i] = std::min(std::max(z_[i] + length * work_.step[m], form_.lo[i]), form_.hi[i]);
        }
        evaluate();
        if (blocking < 0) {
            last = error;
            ++k;
            continue;
        }
        if (monitor_.stop()) return false;
        ++monitor_.info().single_pivots;
        const std::int32_t i = inverse_.row(blocking);
        const bool up = work_.step[blocking] > 0.0;
        z_[i] = up ? form_.hi[i] : form_.lo[i];
        work_.place_kind[i] = up ? upper : lower;
        inverse_.invert();
        inverse_.remove(blocking);
        ++monitor_.info().updates;
        evaluate();
        last = infinity;
    }
    return true;
}

double Keller::violation(std::int64_t i) const {
    const double w = work_.velocity[i];
    switch (work_.place_kind[i]) {
        case lower:
            return -w;
        case upper:
            return w;
        case held:
            return std::abs(w);
        default:
            return 0.0;
    }
}

std::int32_t Keller::choose_free() const {
    double best = zero_;
    std::int64_t row = -1;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (work_.place_kind[i] != held || !form_.is_free(i)) continue;
        if (!(std::abs(work_.velocity[i]) > best)) continue;
        best = std::abs(work_.velocity[i]);
        row = i;
    }
    return static_cast<std::int32_t>(row);
}

// The row that promises most: violation^2 / Schur complement (its decrease if nothing blocks).
std::int32_t Keller::choose() const {
    double best = 0.0;
    std::int64_t row = -1;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const double v = violation(i);
        if (!(v > zero_)) continue;
        if (least_index_) return static_cast<std::int32_t>(i);
        const double gain = v * v / std::max(work_.schur[i], least_schur);
        if (!(gain > best)) continue;
        best = gain;
        row = i;
    }
    return static_cast<std::int32_t>(row);
}

// How F and all velocities move with z_i: g = S_FF^-1 S_Fi (z_F by -g), slope of w. Updates of
// the inverse leave an error in g that shows as slope of w_F: corrected once, else factorized
// afresh.
void Keller::direction(std::int32_t i) {
    const double* source = s_.row(i);
    for (std::int64_t k = 0; k < inverse_.count(); ++k) work_.right[k] = source[inverse_.row(k)];
    inverse_.solve(work_.right, work_.rate);
    const double error = find_slope(i);
    if (error <= small_drift * spread_) return;
    correct_rate();
    if (find_slope(i) <= small_drift * spread_ || !refactorize()) return;
    for (std::int64_t k = 0; k < inverse_.count(); ++k) work_.right[k] = source[inverse_.row(k)];
    inverse_.solve(work_.right, work_.rate);
    find_slope(i);
    correct_rate();
    find_slope(i);
}

// Slope of w from g; returns the largest one of w_F, which should be zero.
double Keller::find_slope(std::int32_t i) {
    const double* source = s_.row(i);
    const std::int64_t n = inverse_.count();
    std::copy(source, source + form_.p, work_.slope.begin());
    s_.add_columns(
        work_.slope.data(), n, [&](std::int64_t k) { return -work_.rate[k]; },
        [&](std::int64_t k) { return inverse_.row(k); });
    double error = 0.0;
    for (std::int64_t k = 0; k < n; ++k)
        error = std::max(error, std::abs(work_.slope[inverse_.row(k)]));
    find_curvature(i);
    return error;
}

void Keller::correct_rate() {
    for (std::int64_t k = 0; k < inverse_.count(); ++k)
        work_.right[k] = work_.slope[inverse_.row(k)];
    inverse_.solve(work_.right, work_.step);
    for (std::int64_t k = 0; k < inverse_.count(); ++k) work_.rate[k] += work_.step[k];
}

// (e, S e) of e = (1, -g), in which an error of g counts only squared.
void Keller::find_curvature(std::int32_t i) {
    curvature_ = work_.slope[i];
    spread_ = 1.0;
    for (std::int64_t k = 0; k < inverse_.count(); ++k) {
        curvature_ -= work_.rate[k] * work_.slope[inverse_.row(k)];
        spread_ += std::abs(work_.rate[k]);
    }
}

bool Keller::refactorize() {
    const std::int64_t n = inverse_.count();
    for (std::int64_t k = 0; k < n; ++k) work_.candidates[k] = inverse_.row(k);
    inverse_.factorize(s_.dense, {work_.candidates.data(), static_cast<std::size_t>(n)}, rounding);
    for (std::int64_t k = 0; k < n; ++k) work_.place_kind[work_.candidates[k]] = held;
    for (std::int64_t k = 0; k < inverse_.count(); ++k) work_.place_kind[inverse_.row(k)] = basic;
    inverse_.invert();
    ++monitor_.info().factorizations;
    return inverse_.count() == n;
}

// The basic row in place l stops at a bound; the direction of the driven row is corrected.
void Keller::leave(std::int64_t l) {
    const std::int64_t n = inverse_.count();
    const double* to_row = inverse_.inverse_row(l);
    std::fill(work_.column.begin(), work_.column.end(), 0.0);
    s_.add_columns(
        work_.column.data(), n, [&](std::int64_t k) { return to_row[k]; },
        [&](std::int64_t k) { return inverse_.row(k); });
    const double over = 1.0 / to_row[l];
    const double share = work_.rate[l] * over;
    for (std::int64_t j = 0; j < form_.p; ++j) {
        work_.slope[j] += share * work_.column[j];
        work_.schur[j] += over * work_.column[j] * work_.column[j];
    }
    work_.schur[inverse_.row(l)] = over;
    for (std::int64_t k = 0; k < n; ++k) work_.rate[k] -= share * to_row[k];
    work_.rate[l] = work_.rate[n - 1];
    inverse_.remove(l);
    ++monitor_.info().updates;
}

void Keller::enter(std::int32_t i) {
    const double over = 1.0 / curvature_;
    for (std::int64_t j = 0; j < form_.p; ++j)
        work_.schur[j] -= over * work_.slope[j] * work_.slope[j];
    inverse_.append(i, work_.rate, curvature_);
    ++monitor_.info().updates;
    work_.place_kind[i] = basic;
    work_.velocity[i] = 0.0;
}

bool Keller::drive(std::int32_t i) {
    inverse_.invert();
    double sign = work_.velocity[i] < 0.0 ? 1.0 : -1.0;
    double gained = 0.0;
    direction(i);
    // Rounded data may be indefinite. A free row has to become basic all the same: it turns round.
    const bool turned = form_.is_free(i) && curvature_ < -least_turning;
    if (turned) sign = -sign;
    for (;;) {
        if (monitor_.stop()) return false;
        ++monitor_.info().single_pivots;
        const bool curved = turned || curvature_ > zero_curvature * rounding * spread_ * spread_;
        double length = curved ? std::abs(work_.velocity[i] / curvature_) : infinity;
        const double room = sign > 0.0 ? form_.hi[i] - z_[i] : z_[i] - form_.lo[i];
        const bool own = room <= length;
        length = std::min(length, room);
        std::int64_t blocking = -1;
        const std::int64_t n = inverse_.count();
        double steepest = 0.0;
        for (std::int64_t k = 0; k < n; ++k) {
            const double rate = -sign * work_.rate[k];
            if (std::abs(rate) <= no_rate * spread_) continue;
            const std::int32_t j = inverse_.row(k);
            const double way =
                std::max(rate > 0.0 ? form_.hi[j] - z_[j] : z_[j] - form_.lo[j], 0.0);
            const double share = way / std::abs(rate);
            if (share > length || (share == length && std::abs(rate) <= steepest)) continue;
            length = share;
            steepest = std::abs(rate);
            blocking = k;
        }
        if (std::isinf(length)) return prove(i, sign);
        z_[i] += sign * length;
        for (std::int64_t k = 0; k < n; ++k) {
            const std::int32_t j = inverse_.row(k);
            z_[j] =
                std::min(std::max(z_[j] - sign * length * work_.rate[k], form_.lo[j]), form_.hi[j]);
        }
        gained += length * (std::abs(work_.velocity[i]) - 0.5 * length * curvature_);
        for (std::int64_t j = 0; j < form_.p; ++j)
            work_.velocity[j] += sign * length * work_.slope[j];
        if (blocking < 0) {
            if (own) {
                z_[i] = sign > 0.0 ? form_.hi[i] : form_.lo[i];
                work_.place_kind[i] = sign > 0.0 ? upper : lower;
            } else {
                enter(i);
            }
            break;
        }
        const std::int32_t l = inverse_.row(blocking);
        const bool up = -sign * work_.rate[blocking] > 0.0;
        z_[l] = up ? form_.hi[l] : form_.lo[l];
        work_.place_kind[l] = up ? upper : lower;
        work_.velocity[l] = 0.0;
        leave(blocking);
        find_curvature(i);
    }
    decrease_ += gained;
    idle_ = gained > rounding * decrease_ ? 0 : idle_ + 1;
    least_index_ = idle_ > form_.p;
    return true;
}

// No bound stops row i and its velocity never vanishes.
bool Keller::prove(std::int32_t i, double sign) {
    const auto n = inverse_.count();
    std::vector<double>& d = work_.column;
    std::fill(d.begin(), d.end(), 0.0);
    d[i] = sign;
    for (std::int64_t k = 0; k < n; ++k) {
        const std::int32_t j = inverse_.row(k);
        const double rate = -sign * work_.rate[k];
        const bool allowed = std::isinf(rate > 0.0 ? form_.hi[j] : form_.lo[j]);
        d[j] = allowed ? rate : 0.0;
    }
    double size = 0.0, product = 0.0, descent = 0.0;
    for (std::int64_t j = 0; j < form_.p; ++j) {
        size += std::abs(d[j]);
        descent += form_.r[j] * d[j];
        product = std::max(product, std::abs(dot(s_.row(j), d.data(), form_.p)));
    }
    if (product <= certificate_product * size && descent < -least_descent * form_.free_norm) {
        monitor_.prove(d);
        return false;
    }
    work_.place_kind[i] = ignored;  // rounding: eta will say what it amounts to
    return true;
}

bool Keller::exchange() {
    for (std::int32_t i = choose_free(); i >= 0; i = choose_free())
        if (!drive(i)) return false;
    for (std::int32_t i = choose(); i >= 0; i = choose()) {
        if (!drive(i)) return false;
        if (idle_ > 4 * form_.p) break;
    }
    return true;
}

bool Keller::run() {
    start();
    if (inverse_.count() > 0 && !settle()) return false;
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::int64_t before = monitor_.info().single_pivots;
        if (!exchange()) return false;
        if (round > 0 && monitor_.info().single_pivots == before) break;
        evaluate();
        if (!settle()) return false;
        if (largest_basic_velocity() > zero_) {
            refactorize();
            if (!settle()) return false;
        }
    }
    return true;
}

double Keller::largest_basic_velocity() const {
    double largest = 0.0;
    for (std::int64_t k = 0; k < inverse_.count(); ++k)
        largest = std::max(largest, std::abs(work_.velocity[inverse_.row(k)]));
    return largest;
}

void Keller::finish() {
    for (std::int64_t i = 0; i < form_.p; ++i) {
        switch (work_.place_kind[i]) {
            case basic:
                work_.state[i] = 0;
                break;
            case upper:
                work_.state[i] = 1;
                break;
            case held:
            case ignored:
                work_.state[i] = 2;
                break;
            default:
                work_.state[i] = -1;
        }
    }
}

}  // namespace

std::string keller_reason(const MixedForm& form) {
    if (!form.symmetric) return "needs a symmetric problem";
    if (form.p > keller_largest)
        return format("takes at most %" PRId64 " rows, not %" PRId64, keller_largest, form.p);
    return {};
}

KellerWorkspace::KellerWorkspace(const MixedForm& form) : inverse(0) {
    if (const std::string why = keller_reason(form); !why.empty())
        fail(Status::unsupported, "keller %s", why.c_str());
    s = DenseDelassus(form);
    inverse = PrincipalInverse(form.p);
    state.resize(form.p);
    place_kind.resize(form.p);
    candidates.resize(form.p);
    for (auto* v : {&velocity, &schur, &rate, &slope, &column, &right, &step}) v->resize(form.p);
}

void run_keller(const MixedForm& form, std::vector<double>& z, KellerWorkspace& work,
                PivotMonitor& monitor) {
    Keller keller(form, z, work, monitor);
    const bool ran = keller.run();
    keller.finish();
    if (monitor.solved(z))
        monitor.finish(Outcome::solved);
    else if (ran)
        monitor.finish(Outcome::stalled);
}

}  // namespace perp
