#include "solvers/lemke_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace perp {

void LemkeColumn::clear() {
    index.clear();
    value.clear();
}

void LemkeColumn::add(std::int64_t row, double x) {
    index.push_back(row);
    value.push_back(x);
}

void LemkeRows::reset(const MixedForm& f) {
    form = &f;
    n = f.n;
    owner.resize(f.p);
    for (std::int64_t i = 0; i < f.p; ++i) owner[i] = i;
    equation = place = owner;
    permuted_ = false;
    sign.assign(f.p, 1.0);
    factor.assign(f.p, 1.0);
    twin.assign(f.p, -1);
    lo = f.lo;
    hi = f.hi;
    cover.assign(f.p, 0.0);
    Ct = transpose(f.C);
    merged_z.resize(f.p);
    product.resize(f.p);
}

void LemkeRows::split(std::span<const std::int64_t> free_rows, double of_equations) {
    for (std::int64_t k = 0; k < form->p; ++k) {
        place[equation[k]] = k;
        permuted_ = permuted_ || equation[k] != k;
    }
    for (const std::int64_t i : free_rows) {
        twin[i] = count();
        owner.push_back(i);
        sign.push_back(-1.0);
        factor[i] = of_equations;
        factor.push_back(-of_equations);
        lo[i] = 0.0;
        lo.push_back(0.0);
        hi.push_back(std::numeric_limits<double>::infinity());
        cover.push_back(0.0);
    }
}

bool LemkeRows::is_free(std::int64_t k) const { return std::isinf(lo[k]) && std::isinf(hi[k]); }

bool LemkeRows::is_boxed(std::int64_t k) const {
    return std::isfinite(lo[k]) && std::isfinite(hi[k]);
}

// Rows of twins follow all others, in the order of their owners.
void LemkeRows::add_row(std::int64_t row, double x, LemkeColumn& column, bool twins) const {
    const std::int64_t k = place[row];
    if (!twins)
        column.add(n + k, factor[k] * x);
    else if (twin[k] >= 0)
        column.add(n + twin[k], -factor[k] * x);
}

// By insertion: all but a few entries are in order.
void LemkeRows::sort(LemkeColumn& column) const {
    if (!permuted_) return;
    for (std::size_t e = 1; e < column.index.size(); ++e)
        for (std::size_t f = e; f > 0 && column.index[f] < column.index[f - 1]; --f) {
            std::swap(column.index[f], column.index[f - 1]);
            std::swap(column.value[f], column.value[f - 1]);
        }
}

void LemkeRows::velocity(std::int64_t j, LemkeColumn& column) const {
    column.clear();
    const Csr& M = form->M;  // symmetric: rows are columns
    for (std::int64_t k = M.start[j]; k < M.start[j + 1]; ++k) column.add(M.index[k], M.value[k]);
    const Csr& Jt = form->Jt;
    for (const bool twins : {false, true})
        for (std::int64_t k = Jt.start[j]; k < Jt.start[j + 1]; ++k)
            add_row(Jt.index[k], Jt.value[k], column, twins);
    sort(column);
}

void LemkeRows::impulse(std::int64_t k, LemkeColumn& column) const {
    column.clear();
    const std::int64_t i = owner[k];
    if (n > 0) {
        const Csr& J = form->J;
        for (std::int64_t e = J.start[i]; e < J.start[i + 1]; ++e)
            column.add(J.index[e], -sign[k] * J.value[e]);
    }
    for (const bool twins : {false, true})
        for (std::int64_t e = Ct.start[i]; e < Ct.start[i + 1]; ++e)
            add_row(Ct.index[e], sign[k] * Ct.value[e], column, twins);
    sort(column);
}

void LemkeRows::slack(std::int64_t k, LemkeColumn& column) const {
    column.clear();
    column.add(n + k, -1.0);
}

void LemkeRows::covering(LemkeColumn& column) const {
    column.clear();
    for (std::int64_t k = 0; k < count(); ++k)
        if (cover[k] != 0.0) column.add(n + k, cover[k]);
}

void LemkeRows::merge(std::span<const double> z, std::span<double> merged) const {
    for (std::int64_t i = 0; i < form->p; ++i) merged[i] = twin[i] < 0 ? z[i] : z[i] - z[twin[i]];
}

void LemkeRows::right_side(std::span<const double> z, std::span<double> b) {
    merge(z, merged_z);
    std::fill(b.begin(), b.end(), 0.0);
    if (n > 0) multiply_add(form->Jt, merged_z, b.first(n));
    product = form->r;
    multiply_add(form->C, merged_z, product);
    for (std::int64_t k = 0; k < count(); ++k) b[n + k] = -factor[k] * product[equation[owner[k]]];
}

}  // namespace perp
