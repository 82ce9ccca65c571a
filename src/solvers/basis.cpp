#include "solvers/basis.hpp"

#include <algorithm>
#include <cmath>

namespace perp {

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
    double worst = 0.0;
    double largest = 0.0;  // of the right sides and terms; M, J and C have entries of about 1
    const auto grow = [](double& most, double x) { most = std::max(most, std::abs(x)); };
    for (std::int64_t i = 0; i < form.n; ++i) {
        double sum = f.empty() ? 0.0 : f[i];
        grow(largest, sum);
        grow(largest, v[i]);
        for (std::int64_t k = form.M.start[i]; k < form.M.start[i + 1]; ++k)
            sum -= form.M.value[k] * v[form.M.index[k]];
        for (std::int64_t k = form.Jt.start[i]; k < form.Jt.start[i + 1]; ++k)
            sum += form.Jt.value[k] * z[form.Jt.index[k]];
        rest_f[i] = sum;
        grow(worst, sum);
    }
    for (std::int64_t i = 0; i < form.p; ++i) {
        rest_g[i] = 0.0;
        if (basic_[i] == 0) continue;
        double sum = g[i] - delta_[i] * z[i];
        grow(largest, g[i]);
        grow(largest, z[i]);
        grow(largest, delta_[i] * z[i]);
        for (std::int64_t k = form.J.start[i]; k < form.J.start[i + 1]; ++k)
            sum -= form.J.value[k] * v[form.J.index[k]];
        for (std::int64_t k = form.C.start[i]; k < form.C.start[i + 1]; ++k)
            sum -= form.C.value[k] * z[form.C.index[k]];
        rest_g[i] = sum;
        grow(worst, sum);
    }
    return largest > 0.0 ? worst / largest : 0.0;
}

}  // namespace perp
