#include "solvers/lu_basis.hpp"

#include <algorithm>

namespace perp {

LuBasis::LuBasis(const MixedForm& form)
    : Basis(form), Ct_(transpose(form.C)), right_(form.n + form.p), solution_(form.n + form.p) {}

SparseColumn LuBasis::row_column(std::int64_t i) {
    index_.clear();
    value_.clear();
    const std::int64_t n = form_->n;
    if (basic_[i] == 0) {
        index_.push_back(n + i);
        value_.push_back(-1.0);
        return {index_, value_};
    }
    for (std::int64_t k = form_->J.start[i]; k < form_->J.start[i + 1]; ++k) {
        index_.push_back(form_->J.index[k]);
        value_.push_back(-form_->J.value[k]);
    }
    for (std::int64_t k = Ct_.start[i]; k < Ct_.start[i + 1]; ++k) {
        index_.push_back(n + Ct_.index[k]);
        value_.push_back(Ct_.value[k] + (Ct_.index[k] == i ? delta_[i] : 0.0));
    }
    return {index_, value_};
}

bool LuBasis::factor(std::span<const std::uint8_t> basic, std::span<const double> delta) {
    std::copy(basic.begin(), basic.end(), basic_.begin());
    std::copy(delta.begin(), delta.end(), delta_.begin());
    const std::int64_t n = form_->n;
    matrix_.clear(n + form_->p);
    const Csr Mt = form_->symmetric ? Csr{} : transpose(form_->M);
    const Csr& columns = form_->symmetric ? form_->M : Mt;
    for (std::int64_t j = 0; j < n; ++j) {
        index_.assign(columns.index.begin() + columns.start[j],
                      columns.index.begin() + columns.start[j + 1]);
        value_.assign(columns.value.begin() + columns.start[j],
                      columns.value.begin() + columns.start[j + 1]);
        for (std::int64_t k = form_->Jt.start[j]; k < form_->Jt.start[j + 1]; ++k) {
            index_.push_back(n + form_->Jt.index[k]);
            value_.push_back(form_->Jt.value[k]);
        }
        matrix_.append({index_, value_});
    }
    for (std::int64_t i = 0; i < form_->p; ++i) matrix_.append(row_column(i));
    factorized_ = lu_.factor(matrix_);
    count();
    return factorized_;
}

bool LuBasis::exchange(std::span<const std::int32_t> rows) {
    // Beyond the border, or where the matrix in between might be singular: all at once.
    if (static_cast<std::int64_t>(rows.size()) + lu_.border() > UpdatedLu::max_border) {
        std::vector<std::uint8_t> basic(basic_);
        for (const std::int32_t i : rows) basic[i] ^= 1U;
        return factor(basic, std::vector<double>(delta_));
    }
    std::vector<std::vector<std::int64_t>> index;
    std::vector<std::vector<double>> value;
    for (const std::int32_t i : rows) {
        basic_[i] ^= 1U;
        static_cast<void>(row_column(i));
        index.push_back(index_);
        value.push_back(value_);
    }
    std::vector<UpdatedLu::Replacement> replacements;
    for (std::size_t k = 0; k < rows.size(); ++k)
        replacements.push_back({form_->n + rows[k], {index[k], value[k]}});
    factorized_ = lu_.replace_columns(replacements);
    count();
    return factorized_;
}

void LuBasis::count() {
    statistics_.nonzeros = lu_.nonzeros();
    statistics_.factorizations += lu_.factorizations();
    statistics_.updates += lu_.updates();
    lu_.reset_statistics();
}

void LuBasis::solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                    std::span<double> z) {
    const std::int64_t n = form_->n;
    std::fill(right_.begin(), right_.end(), 0.0);
    std::copy(f.begin(), f.end(), right_.begin());
    for (std::int64_t i = 0; i < form_->p; ++i)
        if (basic_[i] != 0) right_[n + i] = g[i];
    lu_.solve(right_, solution_);
    std::copy(solution_.begin(), solution_.begin() + n, v.begin());
    for (std::int64_t i = 0; i < form_->p; ++i) z[i] = basic_[i] != 0 ? solution_[n + i] : 0.0;
    statistics_.backward_error = lu_.backward_error();
    statistics_.largest_error = std::max(statistics_.largest_error, statistics_.backward_error);
}

}  // namespace perp
