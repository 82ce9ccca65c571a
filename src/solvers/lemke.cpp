#include "solvers/lemke.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/lemke_path.hpp"
#include "solvers/lemke_start.hpp"

namespace perp {
namespace {

using Holder = LemkeWorkspace::Holder;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double zero_in_proof = 1e-11;
constexpr std::int64_t pivots_between_reports = 64;
// Covering vectors that are tried while paths end in rays that prove nothing: 1 in all rows, then
// different numbers. (No vector is right for every matrix outside the classes named above.)
constexpr int max_attempts = 4;

// Fixed numbers in [1, 2), different for all rows and attempts.
double weight_of_row(std::int64_t k, int attempt) {
    std::uint64_t x =
        static_cast<std::uint64_t>(k) * max_attempts + static_cast<std::uint64_t>(attempt);
    x = (x + 1) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
    return 1.0 + static_cast<double>((x ^ (x >> 32)) >> 12) * 0x1.0p-52;
}

}  // namespace

void LemkePath::choose_sides() {
    w_.side.resize(rows_.count());
    for (std::int64_t k = 0; k < rows_.count(); ++k) {
        const std::int64_t i = rows_.owner[k];
        bool high = std::isinf(rows_.lo[k]);
        if (rows_.is_boxed(k) && (attempt_ > 0 || z_[i] > rows_.lo[k]))
            high = (attempt_ == 0 && z_[i] >= rows_.hi[k]) || form_.r[i] < 0.0;
        w_.side[k] = high ? 1 : -1;
    }
}

void LemkePath::hold(std::int64_t k, Holder holder) {
    w_.holder[k] = holder;
    const std::int64_t at = rows_.n + k;
    w_.lower[at] = -infinity;
    w_.upper[at] = infinity;
    if (holder == Holder::impulse) {
        w_.lower[at] = rows_.lo[k];
        w_.upper[at] = rows_.hi[k];
    } else if (holder == Holder::covering) {
        w_.lower[at] = 0.0;
    } else if (complementary(k)) {
        (w_.side[k] < 0 ? w_.lower[at] : w_.upper[at]) = 0.0;
    }
}

// The covering vector and the perturbation, both into the feasible side of every w.
void LemkePath::choose_covering() {
    for (std::int64_t k = 0; k < rows_.count(); ++k) {
        const double inward = complementary(k) ? -static_cast<double>(w_.side[k]) : 0.0;
        const double weight = weight_of_row(k, attempt_);
        rows_.cover[k] = attempt_ == 0 ? inward : inward * std::pow(weight, 2 * attempt_);
        w_.perturbation[k] = inward * weight;
    }
    rows_.covering(w_.covering);
    data_size_ = 0.0;
    for (std::int64_t k = 0; k < rows_.count(); ++k) {
        data_size_ = std::max(data_size_, std::abs(form_.r[rows_.owner[k]]));
        if (!rows_.is_free(k)) data_size_ = std::max(data_size_, std::abs(bound(k)));
    }
}

// Basic variables of the basis at hand, t at 0 if it is not basic.
void LemkePath::compute_values() {
    for (std::int64_t k = 0; k < rows_.count(); ++k)
        w_.z[k] = w_.holder[k] == Holder::impulse ? 0.0 : bound(k);
    rows_.right_side(w_.z, w_.right);
    w_.lu.solve(w_.right, w_.value);
    for (std::int64_t i = 0; i < rows_.size(); ++i)
        w_.magnitude[i] = std::max(w_.magnitude[i], std::abs(w_.value[i]));
    factorizations_seen_ = w_.lu.factorizations();
}

// Brings t into the basis at the level at which all w are feasible. False: they are without it.
bool LemkePath::cover_infeasibility() {
    double level = 0.0;
    for (std::int64_t k = 0; k < rows_.count(); ++k)
        if (w_.holder[k] == Holder::slack && complementary(k))
            level = std::max(level, -w_.value[rows_.n + k] / rows_.cover[k]);
    if (level <= lemke_tie_of_data * data_size_) return false;
    // The perturbed levels decide among equal ones.
    std::int64_t last = -1;
    double least = infinity;
    for (std::int64_t k = 0; k < rows_.count(); ++k) {
        if (w_.holder[k] != Holder::slack || !complementary(k)) continue;
        const double size = std::abs(rows_.cover[k]);
        const double own = -w_.value[rows_.n + k] / rows_.cover[k];
        if (own < level - tolerance(rows_.n + k) / size) continue;
        const double second = std::abs(w_.perturbation[k]) / size;
        if (last >= 0 && second >= least) continue;
        last = k;
        least = second;
    }
    set_entering(last, Holder::impulse);
    hold(last, Holder::covering);
    w_.lu.replace_column(covered(), w_.covering.view());
    return true;
}

void LemkePath::set_entering(std::int64_t row, Holder holder) {
    entering_row_ = row;
    entering_ = holder;
    direction_ = -static_cast<double>(w_.side[row]);  // z from its bound, w from 0
    if (holder == Holder::impulse)
        rows_.impulse(row, w_.entering);
    else
        rows_.slack(row, w_.entering);
}

void LemkePath::move(double step) {
    way_ = step;
    for (std::int64_t at = 0; at < rows_.size(); ++at) {
        const double change = step * w_.rate[at];
        w_.value[at] += change;
        w_.magnitude[at] = std::max({w_.magnitude[at], std::abs(w_.value[at]), std::abs(change)});
    }
}

// The variable at `position` leaves for the entering one. False: the basis became singular.
bool LemkePath::pivot(std::int64_t position) {
    const std::int64_t k = position - rows_.n, entered = entering_row_;
    const double from = entering_ == Holder::impulse ? bound(entered) : 0.0;
    const std::int64_t place = covered();
    const bool ends = position == place;
    const double covering = w_.value[place];
    const Holder left = w_.holder[k];
    const bool at_upper = w_.rate[position] > 0.0;

    UpdatedLu::Replacement replacements[] = {{place, w_.entering.view()},
                                             {position, w_.covering.view()}};
    const bool regular = w_.lu.replace_columns({replacements, ends ? 1UL : 2UL});
    hold(entered, entering_);
    w_.magnitude[place] = std::abs(from) + std::abs(way_);
    w_.value[place] = from + direction_ * way_;
    if (ends) return regular;
    if (left == Holder::impulse) w_.side[k] = at_upper ? 1 : -1;
    hold(k, Holder::covering);
    w_.value[position] = covering;
    w_.magnitude[position] = std::abs(covering);
    set_entering(k, left == Holder::impulse ? Holder::slack : Holder::impulse);
    return regular;
}

// The entering z reached its opposite bound: the basis stays, w of the same row leaves 0.
void LemkePath::flip() {
    w_.side[entering_row_] = static_cast<std::int8_t>(-w_.side[entering_row_]);
    set_entering(entering_row_, Holder::slack);
}

LemkePath::Step LemkePath::advance() {
    // Where t is rounding, so may be its rate, and it would never leave.
    if (w_.value[covered()] <= lemke_tie_of_data * data_size_ && at_solution()) return Step::end;
    compute_rates();
    Choice choice = ratio_test();
    if (doubtful(choice)) {
        if (!w_.lu.refactor()) return Step::broken;
        compute_values();
        compute_rates();
        choice = ratio_test();
    }
    if (!choice.found) return Step::ray;
    ++monitor_.info().single_pivots;
    move(choice.step);
    if (choice.position < 0) {
        flip();
        return Step::on;
    }
    const bool ends = choice.position == covered();
    if (!pivot(choice.position)) return Step::broken;
    if (ends) return Step::end;
    if (w_.lu.factorizations() == factorizations_seen_)
        ++updates_;
    else
        compute_values();
    return Step::on;
}

// Within the bounds, which rounding may have passed.
void LemkePath::read_z() {
    for (std::int64_t k = 0; k < rows_.count(); ++k) {
        const double x = w_.holder[k] == Holder::impulse ? w_.value[rows_.n + k] : bound(k);
        w_.z[k] = std::min(std::max(x, rows_.lo[k]), rows_.hi[k]);
    }
    rows_.merge(w_.z, z_);
}

bool LemkePath::at_solution() {
    read_z();
    return monitor_.solved(z_);
}

// The change of z along the ray, of the form's rows, with its largest entry at 1.
void LemkePath::read_ray() {
    for (std::int64_t k = 0; k < rows_.count(); ++k)
        w_.z[k] = w_.holder[k] == Holder::impulse ? w_.rate[rows_.n + k] : 0.0;
    if (entering_ == Holder::impulse) w_.z[entering_row_] = direction_;
    rows_.merge(w_.z, w_.ray);
    double largest = 0.0;
    for (const double x : w_.ray) largest = std::max(largest, std::abs(x));
    if (largest == 0.0) return;
    for (double& x : w_.ray) {
        x /= largest;
        if (std::abs(x) < zero_in_proof) x = 0.0;
    }
    for (std::int64_t j = 0; j < rows_.n; ++j) w_.rate[j] /= largest;
}

// Every z within the bounds with a w complementary to it has w . d >= 0 for d in the recession cone
// of the bounds; w . d = (S'd) . z + r . d, whose largest value over the bounds is negative then.
bool LemkePath::prove() {
    read_ray();
    const std::vector<double>& d = w_.ray;
    if (monitor_.is_proof(d)) {
        monitor_.prove(d);
        return true;
    }
    std::vector<double>& g = w_.product;
    std::fill(g.begin(), g.end(), 0.0);  // S'd; the ray has M v = J'd
    if (rows_.n > 0) multiply_add(form_.J, std::span(w_.rate).first(rows_.n), g);
    multiply_transposed_add(form_.C, d, g);
    double sum = 0.0, size = 0.0, slope = 0.0;
    bool any = false;
    for (std::int64_t i = 0; i < form_.p; ++i) {
        if (d[i] < 0.0 && std::isfinite(form_.lo[i])) return false;
        if (d[i] > 0.0 && std::isfinite(form_.hi[i])) return false;
        any = any || d[i] != 0.0;
        sum += form_.r[i] * d[i];
        size += std::abs(form_.r[i] * d[i]);
        if (std::abs(g[i]) <= zero_in_proof) continue;
        slope = std::max(slope, std::abs(g[i]));
        const double most = g[i] * (g[i] > 0.0 ? form_.hi[i] : form_.lo[i]);
        if (!std::isfinite(most)) return false;
        sum += most;
        size += std::abs(most);
    }
    if (!any || !(sum < -zero_lemke_rate * size)) return false;
    if (slope > 0.0) w_.general_certificate = d;
    return false;
}

// True: the outcome is known.
bool LemkePath::finish(Step last) {
    if (last == Step::end && w_.lu.refactor()) compute_values();
    if (at_solution() || monitor_.best_eta() <= monitor_.settings().tolerance) {
        monitor_.finish(Outcome::solved);
        return true;
    }
    if (last == Step::ray && prove()) return true;
    monitor_.finish(Outcome::stalled);
    return last != Step::ray || !w_.general_certificate.empty();
}

void LemkePath::count() {
    Info& info = monitor_.info();
    info.factorizations += w_.lu.factorizations();
    info.updates += updates_;
    info.backward_error = std::max(info.backward_error, w_.lu.largest_backward_error());
    for (std::int64_t i = 0; i < form_.p; ++i) {
        const bool basic = rows_.twin[i] >= 0 || w_.holder[i] == Holder::impulse;
        w_.state[i] = static_cast<std::int8_t>(basic ? 0 : w_.side[i]);
    }
}

// From the start until t is 0 or nothing blocks. True: the outcome is known.
bool LemkePath::follow() {
    if (!start_lemke(form_, w_, attempt_)) return finish(Step::broken);
    choose_sides();
    choose_covering();
    std::fill(w_.lower.begin(), w_.lower.begin() + rows_.n, -infinity);
    std::fill(w_.upper.begin(), w_.upper.begin() + rows_.n, infinity);
    for (std::int64_t k = 0; k < rows_.count(); ++k) hold(k, w_.holder[k]);
    compute_values();
    Step last = Step::end;
    if (cover_infeasibility()) {
        compute_values();
        last = Step::on;
    }
    for (std::int64_t pivots = 1; last == Step::on; ++pivots) {
        if (monitor_.stop()) {
            if (at_solution()) monitor_.finish(Outcome::solved);
            return true;
        }
        last = advance();
        if (pivots % pivots_between_reports == 0 && last == Step::on) at_solution();
    }
    return finish(last);
}

// Where r = 0, the point of the bounds nearest to 0 may be the solution, and eta knows no scale.
bool LemkePath::at_nearest_point() {
    for (std::int64_t i = 0; i < form_.p; ++i) {
        z_[i] = std::min(std::max(0.0, form_.lo[i]), form_.hi[i]);
        const bool low = z_[i] == form_.lo[i], high = z_[i] == form_.hi[i];
        w_.state[i] = static_cast<std::int8_t>(low ? -1 : (high ? 1 : 0));
    }
    if (!monitor_.solved(z_)) return false;
    monitor_.finish(Outcome::solved);
    return true;
}

void LemkePath::run() {
    w_.general_certificate.clear();
    w_.lu.reset_statistics();
    if (form_.free_norm == 0.0 && at_nearest_point()) return;
    while (!follow() && attempt_ + 1 < max_attempts) ++attempt_;
    count();
    z_ = monitor_.best();
}

LemkeWorkspace::LemkeWorkspace(const MixedForm& form)
    : state(form.p), ray(form.p), product(form.p) {
    for (std::vector<std::int64_t>* v : {&ties, &split}) v->reserve(2 * form.p + 1);
}

void run_lemke(const MixedForm& form, std::vector<double>& z, LemkeWorkspace& work,
               PivotMonitor& monitor) {
    LemkePath(form, z, work, monitor).run();
}

}  // namespace perp
