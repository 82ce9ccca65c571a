#include <algorithm>
#include <cmath>

#include "solvers/lemke_path.hpp"

namespace perp {
namespace {

using Holder = LemkeWorkspace::Holder;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Pivots below, of the largest rate, are computed again with new factors.
constexpr double doubtful_pivot = 1e-6;
// Ratios tie within this distance, of the variable's own size.
constexpr double tie_of_value = 1e-12;
constexpr double lexicographic_tie = 1e-9;

}  // namespace

// Of the basic variables per unit of the entering one's way.
void LemkePath::compute_rates() {
    std::fill(w_.right.begin(), w_.right.end(), 0.0);
    for (std::size_t e = 0; e < w_.entering.index.size(); ++e)
        w_.right[w_.entering.index[e]] = -direction_ * w_.entering.value[e];
    w_.lu.solve(w_.right, w_.rate);
    rate_size_ = 1.0;  // of the entering variable
    for (const double x : w_.rate) rate_size_ = std::max(rate_size_, std::abs(x));
}

double LemkePath::distance(std::int64_t at) const {
    const double way =
        w_.rate[at] < 0.0 ? w_.value[at] - w_.lower[at] : w_.upper[at] - w_.value[at];
    return std::max(way, 0.0);
}

// Does the variable have a bound in its way?
bool LemkePath::blocks(std::int64_t at) const {
    return std::abs(w_.rate[at]) > zero_lemke_rate * rate_size_ &&
           std::isfinite(w_.rate[at] < 0.0 ? w_.lower[at] : w_.upper[at]);
}

// The entering variable's way until the one at this position, or itself (-1), is at its bound.
double LemkePath::ratio(std::int64_t at) const {
    if (at >= 0) return distance(at) / std::abs(w_.rate[at]);
    return entering_ == Holder::impulse ? rows_.hi[entering_row_] - rows_.lo[entering_row_]
                                        : infinity;
}

double LemkePath::tolerance(std::int64_t at) const {
    return lemke_tie_of_data * data_size_ + tie_of_value * w_.magnitude[at];
}

LemkePath::Choice LemkePath::ratio_test() {
    // No variable may pass its bound by more than its tolerance (P. M. J. Harris, Math. Prog. 5
    // (1973)): what blocks earlier than this step ties.
    double step = infinity;
    if (entering_ == Holder::impulse)
        step = (rows_.hi[entering_row_] - rows_.lo[entering_row_]) * (1.0 + tie_of_value);
    for (std::int64_t at = rows_.n; at < rows_.size(); ++at)
        if (blocks(at))
            step = std::min(step, (distance(at) + tolerance(at)) / std::abs(w_.rate[at]));
    if (step == infinity) return {};
    return break_ties(step);
}

// Among the variables that block before `step`, t first: the path ends.
LemkePath::Choice LemkePath::break_ties(double step) {
    w_.ties.clear();
    if (blocks(covered()) && ratio(covered()) <= step) return {covered(), ratio(covered()), true};
    for (std::int64_t at = rows_.n; at < rows_.size(); ++at)
        if (blocks(at) && ratio(at) <= step) w_.ties.push_back(at);
    if (ratio(-1) <= step) w_.ties.push_back(-1);
    if (w_.ties.size() > 1) first_column_ties();
    if (w_.ties.size() > 1) compare_rows();
    const std::int64_t at = w_.ties.front();
    return {at, ratio(at), true};
}

// The first lexicographic column is a positive combination of the initial slacks, the same as
// their perturbation by small fixed numbers; one solve serves all ties. Few ties survive it.
void LemkePath::first_column_ties() {
    std::fill(w_.right.begin(), w_.right.end(), 0.0);
    for (std::int64_t k = 0; k < rows_.count(); ++k) w_.right[rows_.n + k] = -w_.perturbation[k];
    w_.lu.solve(w_.right, w_.lexicographic);
    const auto second = [this](std::int64_t at) {
        return at < 0 ? 0.0 : -w_.lexicographic[at] / w_.rate[at];
    };
    double least = infinity, size = 0.0;
    for (const std::int64_t at : w_.ties) {
        least = std::min(least, second(at));
        size = std::max(size, std::abs(second(at)));
    }
    // Relative to the least one, which is positive in exact arithmetic unless the entering
    // variable's own bound is among the ties.
    const double within = lexicographic_tie * std::max(std::abs(least), 1e-6 * std::min(size, 1.0));
    std::erase_if(w_.ties, [&](std::int64_t at) { return second(at) > least + within; });
}

// The other lexicographic columns, by rows of the inverse: those of the initial slacks in turn.
void LemkePath::compare_rows() {
    const auto load = [this](std::int64_t at, std::vector<double>& row) {
        std::fill(row.begin(), row.end(), 0.0);
        if (at < 0) return;
        std::fill(w_.right.begin(), w_.right.end(), 0.0);
        w_.right[at] = 1.0;
        w_.lu.solve_transposed(w_.right, row);
        for (double& x : row) x /= w_.rate[at];
    };
    std::int64_t best = w_.ties.front();
    load(best, w_.best_row);
    for (std::size_t c = 1; c < w_.ties.size(); ++c) {
        load(w_.ties[c], w_.row);
        for (std::int64_t k = 0; k < rows_.count(); ++k) {
            const double sign = w_.perturbation[k];
            const double own = sign * w_.row[rows_.n + k], other = sign * w_.best_row[rows_.n + k];
            if (std::abs(own - other) <= lexicographic_tie * (std::abs(own) + std::abs(other)))
                continue;
            if (own < other) {
                best = w_.ties[c];
                std::swap(w_.row, w_.best_row);
            }
            break;
        }
    }
    w_.ties.assign(1, best);
}

bool LemkePath::doubtful(const Choice& choice) const {
    if (w_.lu.border() == 0) return w_.lu.needs_refactor();
    if (!choice.found) return true;
    return w_.lu.backward_error() > zero_lemke_rate ||
           (choice.position >= 0 &&
            std::abs(w_.rate[choice.position]) < doubtful_pivot * rate_size_);
}

}  // namespace perp
