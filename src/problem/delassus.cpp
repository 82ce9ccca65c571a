// The Delassus operator as a matrix: formed from a system on request, or given (FCLIB's local
// form).
#include <algorithm>
#include <cinttypes>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/vectors.hpp"

namespace perp {

Csr form_delassus(const AssembledForm& form) {
    const MassMatrix& mass = form.system->mass();
    Csr left, right;  // rows of J Q^-1 and J R^-1
    left.cols = right.cols = mass.size();
    MassMatrix::Scratch scratch;
    std::vector<std::int32_t> index;
    std::vector<double> value;
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = form.system->matrix(which);
        for (std::int64_t i = 0; i < jacobian.rows; ++i) {
            for (const bool is_left : {true, false}) {
                mass.half_row(is_left ? MassMatrix::Half::left : MassMatrix::Half::right,
                              jacobian.row_index(i), jacobian.row_value(i), index, value, scratch);
                Csr& to = is_left ? left : right;
                to.index.insert(to.index.end(), index.begin(), index.end());
                to.value.insert(to.value.end(), value.begin(), value.end());
                to.start.push_back(static_cast<std::int64_t>(to.index.size()));
                ++to.rows;
            }
        }
    }
    const Csr columns = transpose(right);
    Csr w;
    w.rows = w.cols = left.rows;
    std::vector<double> dense(w.cols, 0.0);
    std::vector<std::int64_t> mark(w.cols, -1);
    std::vector<std::int32_t> touched;
    for (std::int64_t i = 0; i < w.rows; ++i) {
        touched.assign(1, static_cast<std::int32_t>(i));
        mark[i] = i;
        dense[i] = form.compliance[i];
        for (std::int64_t k = left.start[i]; k < left.start[i + 1]; ++k) {
            for (std::int64_t l = columns.start[left.index[k]];
                 l < columns.start[left.index[k] + 1]; ++l) {
                const std::int32_t j = columns.index[l];
                if (mark[j] != i) {
                    mark[j] = i;
                    dense[j] = 0.0;
                    touched.push_back(j);
                }
                dense[j] += left.value[k] * columns.value[l];
            }
        }
        std::sort(touched.begin(), touched.end());
        for (const std::int32_t j : touched) {
            if (dense[j] == 0.0) continue;
            w.index.push_back(j);
            w.value.push_back(dense[j]);
        }
        w.start.push_back(static_cast<std::int64_t>(w.index.size()));
    }
    return w;
}

MatrixForm delassus_matrices(const DelassusForm& form) {
    MatrixForm m;
    m.delassus = true;
    m.main = SparseMatrix(form.W, "W");
    const std::int64_t p = form.W.rows;
    if (p != form.W.cols)
        fail(Status::bad_size, "W: %" PRId64 " x %" PRId64 " is not square", p, form.W.cols);
    m.V = SparseMatrix(form.V, "V");
    m.R = SparseMatrix(form.R, "R");
    const std::int64_t e = m.V.cols();
    if (e > 0 && m.V.rows() != p)
        fail(Status::bad_size, "V has %" PRId64 " rows, W %" PRId64, m.V.rows(), p);
    if (m.R.rows() == 0 && m.R.cols() == 0 && e > 0)
        m.R = SparseMatrix(Triplets{e, e, 0, nullptr, nullptr, nullptr, 0}, "R");
    if (m.R.rows() != e || m.R.cols() != e)
        fail(Status::bad_size, "R: %" PRId64 " x %" PRId64 ", but V has %" PRId64 " columns",
             m.R.rows(), m.R.cols(), e);
    if (p + e > std::numeric_limits<std::int32_t>::max())
        fail(Status::bad_size, "W and V have %" PRId64 " rows together, the largest number is %d",
             p + e, std::numeric_limits<std::int32_t>::max());
    m.q = form.q;
    check_size(m.q, p, "q");
    check_finite(m.q, "q");
    std::vector<double> s = form.s;
    fill_default(s, e);
    check_size(s, e, "s");
    check_finite(s, "s");
    m.q.insert(m.q.end(), s.begin(), s.end());
    m.combined = combine(m.main.csr(), m.V.csr(), m.R.csr());
    return m;
}

ConstraintSet delassus_set(const DelassusForm& form) {
    const int k = form.shape.rows();
    const std::int64_t p = form.W.rows;
    if (p % k != 0)
        fail(Status::bad_size, "W has %" PRId64 " rows, not a multiple of %d rows per contact", p,
             k);
    ConstraintSet set;
    set.shape = form.shape;
    set.contacts = p / k;
    set.rows = p + form.V.cols;
    set.mu = form.mu;
    set.rho = form.rho;
    set.sigma = form.sigma;
    if (form.shape.tangential > 0)
        require(set.mu, set.contacts, "mu", "a sliding coefficient per contact is needed");
    for (const auto& [v, name] :
         {std::pair{&set.mu, "mu"}, std::pair{&set.rho, "rho"}, std::pair{&set.sigma, "sigma"}}) {
        fill_default(*v, set.contacts);
        check_size(*v, set.contacts, name);
        check_not_negative(*v, name);
    }
    for (std::int64_t i = 0; i < p; ++i) set.contact_row.push_back(static_cast<std::int32_t>(i));
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (std::int64_t i = p; i < set.rows; ++i)
        set.add_scalar(i, RowKind::bilateral, -infinity, infinity);
    set.scalars_first = set.scalars();
    return set;
}

Csr combine(const Csr& W, const Csr& V, const Csr& R) {
    if (V.cols == 0) return W;
    const Csr Vt = transpose(V);
    Csr h;
    h.rows = h.cols = W.rows + R.rows;
    const auto append = [&h](const Csr& a, std::int64_t i, std::int64_t shift) {
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            h.index.push_back(static_cast<std::int32_t>(a.index[k] + shift));
            h.value.push_back(a.value[k]);
        }
    };
    for (std::int64_t i = 0; i < h.rows; ++i) {
        const bool upper = i < W.rows;
        append(upper ? W : Vt, upper ? i : i - W.rows, 0);
        append(upper ? V : R, upper ? i : i - W.rows, W.rows);
        h.start.push_back(static_cast<std::int64_t>(h.index.size()));
    }
    return h;
}

}  // namespace perp
