#include "problem/assembly.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_size(const std::vector<double>& v, std::int64_t size, const char* name) {
    if (static_cast<std::int64_t>(v.size()) != size)
        fail(Status::bad_size, "%s has %zu entries, expected %" PRId64, name, v.size(), size);
}

void check_not_negative(const std::vector<double>& v, const char* name) {
    check_finite(v, name);
    for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] < 0.0) fail(Status::bad_value, "%s[%zu] = %.17g is negative", name, i, v[i]);
}

void fill_default(std::vector<double>& v, std::int64_t size) {
    if (v.empty()) v.assign(size, 0.0);
}

void require(const std::vector<double>& v, std::int64_t size, const char* name, const char* why) {
    if (v.empty() && size > 0) fail(Status::null_argument, "%s is missing: %s", name, why);
}

struct Sizes {
    std::int64_t n, m, r, t, a, k;
};

Sizes sizes(const System& s) {
    const std::int64_t r = s.contacts();
    return {s.velocities(),           s.bilateral(),           r,
            r * s.shape().tangential, r * s.shape().angular(), s.boxes()};
}

void check_rows(const Sizes& size, ContactRows& rows, Law law) {
    require(rows.f, size.n, "f", "the right-hand side of M v+ = f + J' z is needed");
    const struct {
        std::vector<double>& v;
        std::int64_t size;
        const char* name;
    } finite[] = {{rows.f, size.n, "f"},     {rows.u, size.m, "u"},     {rows.b_N, size.r, "b_N"},
                  {rows.b_T, size.t, "b_T"}, {rows.b_S, size.a, "b_S"}, {rows.b_B, size.k, "b_B"}};
    const struct {
        std::vector<double>& v;
        std::int64_t size;
        const char* name;
    } not_negative[] = {{rows.compliance_A, size.m, "compliance_A"},
                        {rows.compliance_N, size.r, "compliance_N"},
                        {rows.compliance_T, size.t, "compliance_T"},
                        {rows.compliance_S, size.a, "compliance_S"},
                        {rows.compliance_B, size.k, "compliance_B"}};
    for (const auto& part : finite) {
        fill_default(part.v, part.size);
        check_size(part.v, part.size, part.name);
        check_finite(part.v, part.name);
    }
    for (const auto& part : not_negative) {
        fill_default(part.v, part.size);
        check_size(part.v, part.size, part.name);
        check_not_negative(part.v, part.name);
    }
    if (law == Law::cone)
        require(rows.mu, size.t, "mu", "the cone law needs a sliding coefficient per contact");
    for (const auto& [v, name] : {std::pair{&rows.mu, "mu"}, std::pair{&rows.rho, "rho"},
                                  std::pair{&rows.sigma, "sigma"}}) {
        fill_default(*v, size.r);
        check_size(*v, size.r, name);
        check_not_negative(*v, name);
    }
    require(rows.lo_B, size.k, "lo_B", "box rows need bounds");
    require(rows.hi_B, size.k, "hi_B", "box rows need bounds");
    check_size(rows.lo_B, size.k, "lo_B");
    check_size(rows.hi_B, size.k, "hi_B");
    ConstraintSet::check_bounds(rows.lo_B, rows.hi_B, "lo_B", "hi_B");
    if (law == Law::cone && rows.lo_T.empty() && rows.hi_T.empty()) return;
    require(rows.lo_T, size.t, "lo_T", "the box law needs bounds of the friction impulses");
    require(rows.hi_T, size.t, "hi_T", "the box law needs bounds of the friction impulses");
    check_size(rows.lo_T, size.t, "lo_T");
    check_size(rows.hi_T, size.t, "hi_T");
    ConstraintSet::check_bounds(rows.lo_T, rows.hi_T, "lo_T", "hi_T");
}

}  // namespace

AssembledForm assemble_form(std::shared_ptr<const System> system, ContactRows rows, Law law) {
    const Sizes size = sizes(*system);
    if (law == Law::box && size.a > 0)
        fail(Status::unsupported,
             "S has %" PRId64 " rows, but the box law has no rolling or spinning friction", size.a);
    check_rows(size, rows, law);
    const std::int64_t p = size.m + size.r + size.t + size.a + size.k;
    if (p > std::numeric_limits<std::int32_t>::max())
        fail(Status::bad_size, "the problem has %" PRId64 " rows, the largest number is %d", p,
             std::numeric_limits<std::int32_t>::max());
    AssembledForm form;
    for (const double x : rows.u) form.constant.push_back(-x);
    for (const auto* part : {&rows.b_N, &rows.b_T, &rows.b_S, &rows.b_B})
        form.constant.insert(form.constant.end(), part->begin(), part->end());
    for (const auto* part : {&rows.compliance_A, &rows.compliance_N, &rows.compliance_T,
                             &rows.compliance_S, &rows.compliance_B})
        form.compliance.insert(form.compliance.end(), part->begin(), part->end());
    form.system = std::move(system);
    form.rows = std::move(rows);
    form.law = law;
    return form;
}

ConstraintSet assembled_set(const AssembledForm& form) {
    const System& system = *form.system;
    const Sizes size = sizes(system);
    const ContactRows& rows = form.rows;
    const int t = system.shape().tangential;
    const int a = system.shape().angular();
    ConstraintSet set;
    set.rows = size.m + size.r + size.t + size.a + size.k;
    set.shape = system.shape();
    for (std::int64_t i = 0; i < size.m; ++i)
        set.add_scalar(i, RowKind::bilateral, -infinity, infinity);
    set.scalars_first = size.m;
    const std::int64_t first_t = size.m + size.r;
    const std::int64_t first_s = first_t + size.t;
    if (form.law == Law::cone) {
        set.contacts = size.r;
        set.mu = rows.mu;
        set.rho = rows.rho;
        set.sigma = rows.sigma;
        set.contact_row.reserve(size.r * set.shape.rows());
        for (std::int64_t i = 0; i < size.r; ++i) {
            set.contact_row.push_back(static_cast<std::int32_t>(size.m + i));
            for (int j = 0; j < t; ++j)
                set.contact_row.push_back(static_cast<std::int32_t>(first_t + i * t + j));
            for (int j = 0; j < a; ++j)
                set.contact_row.push_back(static_cast<std::int32_t>(first_s + i * a + j));
        }
    } else {
        for (std::int64_t i = 0; i < size.r; ++i) {
            set.add_scalar(size.m + i, RowKind::normal, 0.0, infinity);
            for (std::int64_t j = i * t; j < (i + 1) * t; ++j)
                set.add_scalar(first_t + j, RowKind::friction, rows.lo_T[j], rows.hi_T[j]);
        }
    }
    for (std::int64_t i = 0; i < size.k; ++i)
        set.add_scalar(first_s + size.a + i, RowKind::box, rows.lo_B[i], rows.hi_B[i]);
    return set;
}

std::vector<double> assembled_diagonal(const AssembledForm& form) {
    std::vector<double> diagonal(form.compliance);
    const MassMatrix& mass = form.system->mass();
    MassMatrix::Scratch scratch;
    std::vector<std::int32_t> index, left_index;
    std::vector<double> value, left_value;
    std::int64_t row = 0;
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = form.system->matrix(which);
        for (std::int64_t i = 0; i < jacobian.rows; ++i, ++row) {
            mass.half_row(MassMatrix::Half::right, jacobian.row_index(i), jacobian.row_value(i),
                          index, value, scratch);
            double sum = 0.0;
            if (mass.symmetric()) {
                for (const double x : value) sum += x * x;
            } else {
                mass.half_row(MassMatrix::Half::left, jacobian.row_index(i), jacobian.row_value(i),
                              left_index, left_value, scratch);
                for (std::size_t k = 0; k < value.size(); ++k) sum += value[k] * left_value[k];
            }
            diagonal[row] += sum;
        }
    }
    return diagonal;
}

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

ConstraintSet blcp_set(std::int64_t rows, std::vector<double> lo, std::vector<double> hi) {
    if (lo.empty()) lo.assign(rows, -infinity);
    if (hi.empty()) hi.assign(rows, infinity);
    check_size(lo, rows, "lo");
    check_size(hi, rows, "hi");
    ConstraintSet::check_bounds(lo, hi, "lo", "hi");
    ConstraintSet set;
    set.rows = rows;
    for (std::int64_t i = 0; i < rows; ++i) set.add_scalar(i, RowKind::box, lo[i], hi[i]);
    return set;
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

Csr without_zeros(const Csr& a) {
    Csr b;
    b.rows = a.rows;
    b.cols = a.cols;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            if (a.value[k] == 0.0) continue;
            b.index.push_back(a.index[k]);
            b.value.push_back(a.value[k]);
        }
        b.start.push_back(static_cast<std::int64_t>(b.index.size()));
    }
    return b;
}

std::vector<double> row_weights(const ConstraintSet& set, const EnergyWeights& weights) {
    std::vector<double> weight(set.rows, 0.0);
    for (std::int64_t s = 0; s < set.scalars(); ++s) weight[set.scalar_row[s]] = weights.scalar[s];
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts; ++i)
        for (int j = 0; j < k; ++j)
            weight[set.contact_row[i * k + j]] =
                j <= set.shape.tangential ? weights.contact[i] : weights.angular[i];
    return weight;
}

double relative_asymmetry(const Csr& a, const std::vector<double>& weight) {
    const Csr t = transpose(a);
    double worst = 0.0;
    for (const auto& [x, y] : {std::pair{&a, &t}, std::pair{&t, &a}}) {
        for (std::int64_t i = 0; i < x->rows; ++i) {
            std::int64_t q = y->start[i];
            for (std::int64_t k = x->start[i]; k < x->start[i + 1]; ++k) {
                const std::int32_t j = x->index[k];
                while (q < y->start[i + 1] && y->index[q] < j) ++q;
                const double mirror = q < y->start[i + 1] && y->index[q] == j ? y->value[q] : 0.0;
                worst = std::max(worst,
                                 std::sqrt(weight[i] * weight[j]) * std::abs(x->value[k] - mirror));
            }
        }
    }
    return worst;
}

}  // namespace perp
