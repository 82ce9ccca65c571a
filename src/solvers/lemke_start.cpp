#include "solvers/lemke_start.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

using Holder = LemkeWorkspace::Holder;

// z without a larger pivot is dependent on those before (S has a unit diagonal).
constexpr double regular_pivot = 1e-8;
constexpr double regular_basis = 1e-11;  // reciprocal condition of all free rows together

void resize(LemkeWorkspace& w) {
    const LemkeRows& rows = w.rows;
    for (std::vector<double>* v : {&w.value, &w.lower, &w.upper, &w.magnitude, &w.rate, &w.right,
                                   &w.lexicographic, &w.row, &w.best_row})
        v->assign(rows.size(), 0.0);
    w.z.assign(rows.count(), 0.0);
    w.perturbation.resize(rows.count());
    w.holder.resize(rows.count());
    for (std::int64_t k = 0; k < rows.count(); ++k)
        w.holder[k] = rows.is_free(k) ? Holder::impulse : Holder::slack;
}

bool factor(LemkeWorkspace& w) {
    const LemkeRows& rows = w.rows;
    w.matrix.clear(rows.size());
    for (std::int64_t j = 0; j < rows.n; ++j) {
        rows.velocity(j, w.column);
        w.matrix.append(w.column.view());
    }
    for (std::int64_t k = 0; k < rows.count(); ++k) {
        if (w.holder[k] == Holder::impulse)
            rows.impulse(k, w.column);
        else
            rows.slack(k, w.column);
        w.matrix.append(w.column.view());
    }
    return w.lu.factor(w.matrix);
}

// Brings z of the free rows into the basis one by one. Which equation of a free row goes with
// which z is a matter of choice, so a z without a pivot in its own row may take another one's.
class FreeRows {
public:
    explicit FreeRows(LemkeWorkspace& work) : w_(work), rows_(work.rows) {}

    void enter() {
        for (std::int64_t k = 0; k < rows_.count(); ++k) w_.holder[k] = Holder::slack;
        factor(w_);
        for (std::int64_t k = 0; k < rows_.count(); ++k)
            if (rows_.is_free(k) && !place(k, k)) left_.push_back(k);
        taken_.assign(rows_.count(), false);
        placed_.assign(rows_.count(), false);
        for (const std::int64_t k : left_) {
            const std::int64_t row = placed_[k] ? -1 : best_row(k);
            if (row < 0 || !take(k, row)) continue;
            // Monotone rows are skew by now: the pivot's mirror image keeps them monotone.
            if (row != k && !placed_[row] && !taken_[k]) take(row, k);
        }
        pair_the_rest();
    }

private:
    void solve_column(std::int64_t k) {
        rows_.impulse(k, w_.column);
        std::fill(w_.right.begin(), w_.right.end(), 0.0);
        for (std::size_t e = 0; e < w_.column.index.size(); ++e)
            w_.right[w_.column.index[e]] = w_.column.value[e];
        w_.lu.solve(w_.right, w_.rate);
    }
    [[nodiscard]] bool pivots(std::int64_t row) const {
        double largest = 1.0;
        for (const double x : w_.rate) largest = std::max(largest, std::abs(x));
        return std::abs(w_.rate[rows_.n + row]) > regular_pivot * largest;
    }
    bool place(std::int64_t k, std::int64_t row) {
        solve_column(k);
        if (!pivots(row)) return false;
        if (w_.lu.replace_column(rows_.n + row, w_.column.view())) return true;
        rows_.slack(row, w_.column);
        w_.lu.replace_column(rows_.n + row, w_.column.view());
        return false;
    }
    std::int64_t best_row(std::int64_t k) {
        solve_column(k);
        std::int64_t best = -1;
        for (const std::int64_t row : left_) {
            if (taken_[row]) continue;
            const double rate = std::abs(w_.rate[rows_.n + row]);
            if (best < 0 || rate > std::abs(w_.rate[rows_.n + best])) best = row;
        }
        return best;
    }
    bool take(std::int64_t k, std::int64_t row) {
        if (!place(k, row)) return false;
        placed_[k] = true;
        taken_[row] = true;
        rows_.equation[k] = row;
        return true;
    }
    void pair_the_rest() {
        w_.split.clear();
        for (const std::int64_t k : left_)
            if (!placed_[k]) w_.split.push_back(k);
        for (const std::int64_t k : w_.split) {
            std::int64_t row = k;
            // Not its own: the row, still free, of a z that went elsewhere.
            for (std::size_t i = 0; taken_[k] && (taken_[row] || !placed_[row]); ++i)
                row = left_[i];
            taken_[row] = true;
            rows_.equation[k] = row;
        }
    }

    LemkeWorkspace& w_;
    LemkeRows& rows_;
    std::vector<std::int64_t> left_;
    std::vector<bool> taken_, placed_;
};

}  // namespace

bool start_lemke(const MixedForm& form, LemkeWorkspace& work, int attempt) {
    work.rows.reset(form);
    resize(work);
    if (factor(work) && work.lu.reciprocal_condition() >= regular_basis) return true;
    FreeRows(work).enter();
    work.rows.split(work.split, attempt % 2 == 0 ? 1.0 : -1.0);
    resize(work);
    return factor(work);
}

}  // namespace perp
