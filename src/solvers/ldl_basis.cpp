#include "solvers/ldl_basis.hpp"

#include <algorithm>
#include <limits>

namespace perp {
namespace {

constexpr int most_refinements = 6;
constexpr std::int64_t most_updates = 500;  // then a fresh factorization (algorithms.md 3.4)

// [M J'; J -C], both triangles.
Csr kkt_matrix(const MixedForm& form) {
    Csr k;
    k.rows = k.cols = form.n + form.p;
    k.index.reserve(form.M.nonzeros() + 2 * form.J.nonzeros() + form.C.nonzeros());
    k.value.reserve(k.index.capacity());
    const auto append = [&k](const Csr& a, std::int64_t row, std::int64_t offset, double sign) {
        for (std::int64_t q = a.start[row]; q < a.start[row + 1]; ++q) {
            k.index.push_back(static_cast<std::int32_t>(a.index[q] + offset));
            k.value.push_back(sign * a.value[q]);
        }
    };
    for (std::int64_t i = 0; i < form.n; ++i) {
        append(form.M, i, 0, 1.0);
        append(form.Jt, i, form.n, 1.0);
        k.start.push_back(static_cast<std::int64_t>(k.index.size()));
    }
    for (std::int64_t i = 0; i < form.p; ++i) {
        append(form.J, i, 0, 1.0);
        append(form.C, i, form.n, -1.0);
        k.start.push_back(static_cast<std::int64_t>(k.index.size()));
    }
    return k;
}

}  // namespace

LdlBasis::LdlBasis(const MixedForm& form)
    : Basis(form),
      ldl_(kkt_matrix(form), form.n),
      diagonal_(form.n + form.p),
      solution_(form.n + form.p),
      rest_(form.n + form.p),
      active_(form.n + form.p, 1) {
    statistics_.nonzeros = ldl_.nonzeros();
    read_diagonals();
}

void LdlBasis::renew(const MixedForm& form) {
    form_ = &form;
    const Csr k = kkt_matrix(form);
    if (!ldl_.renew(k)) ldl_ = UpdatedLdl(k, form.n);
    basic_.assign(form.p, 0);
    delta_.assign(form.p, 0.0);
    for (auto* const v : {&diagonal_, &solution_, &rest_}) v->resize(form.n + form.p);
    active_.assign(form.n + form.p, 1);
    read_diagonals();
    factorized_ = false;
    statistics_ = {ldl_.nonzeros()};
}

bool LdlBasis::factor(std::span<const std::uint8_t> basic, std::span<const double> delta) {
    return factor_shifted(basic, delta, 0.0);
}

bool LdlBasis::factor_shifted(std::span<const std::uint8_t> basic, std::span<const double> delta,
                              double shift) {
    std::copy(basic.begin(), basic.end(), basic_.begin());
    std::copy(delta.begin(), delta.end(), delta_.begin());
    shift_ = shift;
    return refactor();
}

void LdlBasis::read_diagonals() {
    compliance_.resize(form_->p);
    for (std::int64_t i = 0; i < form_->n; ++i) diagonal_[i] = form_->M.at(i, i);
    for (std::int64_t i = 0; i < form_->p; ++i) compliance_[i] = form_->C.at(i, i);
}

bool LdlBasis::refactor() {
    const std::int64_t n = form_->n;
    for (std::int64_t i = 0; i < form_->p; ++i) {
        diagonal_[n + i] = -(compliance_[i] + delta_[i] + shift_);
        active_[n + i] = basic_[i];
    }
    ++statistics_.factorizations;
    updates_since_factor_ = 0;
    factorized_ = ldl_.factor(diagonal_, active_);
    return factorized_;
}

bool LdlBasis::exchange(std::span<const std::int32_t> rows) {
    double cost = 0.0;
    for (const std::int32_t i : rows) cost += ldl_.update_cost(form_->n + i);
    const auto count = static_cast<std::int64_t>(rows.size());
    const bool update =
        factorized_ && cost < ldl_.factor_cost() && updates_since_factor_ + count <= most_updates;
    bool good = true;
    for (const std::int32_t i : rows) {
        basic_[i] ^= 1U;
        if (!update || !good) continue;
        const std::int64_t row = form_->n + i;
        good = basic_[i] != 0 ? ldl_.add_row(row, diagonal_[row]) : ldl_.delete_row(row);
        ++statistics_.updates;
    }
    updates_since_factor_ += count;
    return update && good ? true : refactor();
}

void LdlBasis::start(std::span<const double> f, std::span<const double> g, std::span<double> v,
                     std::span<double> z) {
    const std::int64_t n = form_->n;
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(z.begin(), z.end(), 0.0);
    for (std::int64_t i = 0; i < n; ++i) rest_[i] = f.empty() ? 0.0 : f[i];
    for (std::int64_t i = 0; i < form_->p; ++i) rest_[n + i] = basic_[i] != 0 ? g[i] : 0.0;
}

void LdlBasis::add_solution(std::span<double> v, std::span<double> z) {
    std::copy(rest_.begin(), rest_.end(), solution_.begin());
    ldl_.solve(solution_);
    for (std::int64_t i = 0; i < form_->n; ++i) v[i] += solution_[i];
    for (std::int64_t i = 0; i < form_->p; ++i)
        if (basic_[i] != 0) z[i] -= solution_[form_->n + i];
}

void LdlBasis::solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                     std::span<double> z) {
    const std::span<double> rest_f = std::span(rest_).first(form_->n);
    const std::span<double> rest_g = std::span(rest_).subspan(form_->n);
    start(f, g, v, z);
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0;; ++step) {
        add_solution(v, z);
        const double error = residual(f, g, v, z, rest_f, rest_g);
        const bool stop = !(error <= 0.25 * before) || error == 0.0 || step == most_refinements;
        statistics_.backward_error = error;
        if (stop && step > 0) break;
        before = error;
    }
    statistics_.largest_error = std::max(statistics_.largest_error, statistics_.backward_error);
}

double LdlBasis::solve_roughly(std::span<const double> f, std::span<const double> g,
                               std::span<double> v, std::span<double> z, bool refine) {
    start(f, g, v, z);
    add_solution(v, z);
    if (!refine) return 0.0;
    const double error =
        residual(f, g, v, z, std::span(rest_).first(form_->n), std::span(rest_).subspan(form_->n));
    add_solution(v, z);
    return error;
}

}  // namespace perp
