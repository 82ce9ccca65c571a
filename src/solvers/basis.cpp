#include "solvers/basis.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

// Four maxima at a time, so that one does not wait for the other.
double largest_entry(std::span<const double> x) {
    double most[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= x.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) most[k] = std::max(most[k], std::abs(x[i + k]));
    for (; i < x.size(); ++i) most[0] = std::max(most[0], std::abs(x[i]));
    return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

}  // namespace

bool Basis::take(std::span<const std::int8_t> state, std::span<const double> delta) {
    taken_.resize(basic_.size());
    flips_.clear();
    for (std::size_t i = 0; i < basic_.size(); ++i) {
        taken_[i] = state[i] == 0 ? 1 : 0;
        if (taken_[i] != basic_[i]) flips_.push_back(static_cast<std::int32_t>(i));
    }
    if (!factorized_ || !std::equal(delta.begin(), delta.end(), delta_.begin()))
        return factor(taken_, delta);
    return flips_.empty() || exchange(flips_);
}

void Basis::solve_column(std::int64_t i, std::span<double> v, std::span<double> z) {
    std::vector<double> f(form_->n, 0.0), g(form_->p, 0.0);
    // With z_i = -1 at the left, S_FF z_F = S_Fi: M v - J_F' z_F = -J_i', w_F = 0.
    const auto columns = form_->J.row_index(i);
    const auto values = form_->J.row_value(i);
    for (std::size_t k = 0; k < columns.size(); ++k) f[columns[k]] = -values[k];
    for (std::int64_t j = 0; j < form_->p; ++j)
        if (basic_[j] != 0) g[j] = form_->C.at(j, i);
    solve(f, g, v, z);
}

double Basis::residual(std::span<const double> f, std::span<const double> g,
                       std::span<const double> v, std::span<const double> z,
                       std::span<double> rest_f, std::span<double> rest_g) const {
    const MixedForm& form = *form_;
    if (f.empty())
        std::fill(rest_f.begin(), rest_f.end(), 0.0);
    else
        std::copy(f.begin(), f.end(), rest_f.begin());
    form.panels.multiply_transposed_add(z, rest_f);
    for (std::int64_t i = 0; i < form.n; ++i)
        for (std::int64_t k = form.M.start[i]; k < form.M.start[i + 1]; ++k)
            rest_f[i] -= form.M.value[k] * v[form.M.index[k]];
    std::fill(rest_g.begin(), rest_g.end(), 0.0);
    form.panels.multiply_add(v, rest_g);
    double largest_g = 0.0;
    for (std::int64_t i = 0; i < form.p; ++i) {
        if (basic_[i] == 0) {
            rest_g[i] = 0.0;
            continue;
        }
        double sum = g[i] - delta_[i] * z[i] - rest_g[i];
        for (std::int64_t k = form.C.start[i]; k < form.C.start[i + 1]; ++k)
            sum -= form.C.value[k] * z[form.C.index[k]];
        rest_g[i] = sum;
        largest_g = std::max(largest_g, std::max(std::abs(g[i]), std::abs(delta_[i] * z[i])));
    }
    // Of the right sides and terms; M, J and C have entries of about 1.
    const double largest = std::max(std::max(largest_g, largest_entry(f)),
                                    std::max(largest_entry(v), largest_entry(z)));
    const double worst = std::max(largest_entry(rest_f), largest_entry(rest_g));
    return largest > 0.0 ? worst / largest : 0.0;
}

}  // namespace perp
