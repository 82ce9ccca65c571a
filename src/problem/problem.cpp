#include "problem/problem.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/vectors.hpp"

namespace perp {

Problem Problem::assemble(std::shared_ptr<const System> system, ContactRows rows, Law law) {
    Problem p;
    p.assembled_ = assemble_form(std::move(system), std::move(rows), law);
    p.set_ = assembled_set(*p.assembled_);
    p.refresh();
    return p;
}

Problem Problem::general_blcp(const Triplets& H, std::vector<double> q, std::vector<double> lo,
                              std::vector<double> hi) {
    Problem p;
    p.matrix_.emplace();
    p.matrix_->main = SparseMatrix(H, "H");
    if (H.rows != H.cols)
        fail(Status::bad_size, "H: %" PRId64 " x %" PRId64 " is not square", H.rows, H.cols);
    p.matrix_->q = std::move(q);
    p.set_ = blcp_set(H.rows, std::move(lo), std::move(hi));
    p.refresh();
    return p;
}

Problem Problem::delassus(const DelassusForm& form) {
    Problem p;
    p.matrix_ = delassus_matrices(form);
    p.set_ = delassus_set(form);
    p.refresh();
    return p;
}

void Problem::set_vectors(ContactRows rows) {
    if (!assembled_)
        fail(Status::unsupported, "rows: this problem has a matrix form; set q, lo and hi instead");
    take(assemble(assembled_->system, std::move(rows), assembled_->law));
}

void Problem::set_vectors(std::optional<std::vector<double>> q,
                          std::optional<std::vector<double>> lo,
                          std::optional<std::vector<double>> hi) {
    if (!matrix_)
        fail(Status::unsupported,
             "q, lo, hi: this problem was assembled from a system; set its rows instead");
    if (matrix_->delassus && (lo || hi))
        fail(Status::unsupported, "lo, hi: the Delassus form has cones, not bounds");
    if (q) {
        check_size(*q, matrix_->main.rows(), "q");
        check_finite(*q, "q");
    }
    ConstraintSet set = set_;
    if (lo) set.lo = std::move(*lo);
    if (hi) set.hi = std::move(*hi);
    ConstraintSet::check_bounds(set.lo, set.hi, "lo", "hi");
    check_tied_bounds(set);
    set_ = std::move(set);
    if (q) std::copy(q->begin(), q->end(), matrix_->q.begin());
    refresh();
}

void Problem::update_matrix(std::span<const double> values) {
    if (!matrix_)
        fail(Status::unsupported,
             "values: this problem was assembled from a system; update the system and assemble "
             "again");
    matrix_->main.update(values, matrix_->delassus ? "W" : "H");
    if (matrix_->delassus)
        matrix_->combined = combine(matrix_->main.csr(), matrix_->V.csr(), matrix_->R.csr());
    refresh();
}

void Problem::set_law(Law law) {
    if (this->law() == Law::box || law == Law::box)
        fail(Status::unsupported,
             "law: only the cone law and the exact Coulomb law of the same contacts can take each "
             "other's place");
    set_.exact = law == Law::coulomb;
    if (assembled_) assembled_->law = law;
    ++revision_;
}

Law Problem::law() const {
    if (assembled_) return assembled_->law;
    if (!matrix_->delassus) return Law::box;
    return set_.exact ? Law::coulomb : Law::cone;
}

ProductWorkspace Problem::make_workspace() const {
    const auto n = static_cast<std::size_t>(velocities());
    return {std::vector<double>(n), std::vector<double>(n)};
}

void Problem::take(Problem&& other) {
    const std::int64_t next = std::max(revision_, other.revision_) + 1;
    *this = std::move(other);
    revision_ = next;
}

void Problem::constraint_velocity(std::span<const double> z, std::span<double> u,
                                  ProductWorkspace& work) const {
    if (matrix_) {
        std::copy(matrix_->q.begin(), matrix_->q.end(), u.begin());
        multiply_add(matrix_->delassus ? matrix_->combined : matrix_->main.csr(), z, u);
        return;
    }
    const System& system = *assembled_->system;
    std::vector<double>& v = work.velocity;
    end_velocity(system, assembled_->rows.f, z, v, work.scratch);
    for (std::int64_t i = 0; i < rows(); ++i)
        u[i] = assembled_->compliance[i] * z[i] + assembled_->constant[i];
    std::int64_t first = 0;
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = system.matrix(which);
        multiply_add(jacobian, v, u.subspan(first, jacobian.rows));
        first += jacobian.rows;
    }
}

namespace {

// Finite input can still be too extreme for arithmetic. Better said here than met as a NaN later.
void check_range(const std::vector<double>& v, const char* what) {
    for (std::size_t i = 0; i < v.size(); ++i)
        if (!std::isfinite(v[i]))
            fail(Status::bad_value, "row %zu: its %s overflows (%g); the values are too extreme", i,
                 what, v[i]);
}

}  // namespace

void Problem::refresh() {
    if (matrix_) {
        diagonal_.resize(rows());
        const Csr& h = matrix_->delassus ? matrix_->combined : matrix_->main.csr();
        if (static_cast<std::int64_t>(matrix_->q.size()) != rows())
            fail(Status::bad_size, "q has %zu entries, the problem %" PRId64 " rows",
                 matrix_->q.size(), rows());
        check_finite(matrix_->q, "q");
        for (std::int64_t i = 0; i < rows(); ++i) diagonal_[i] = h.at(i, i);
        free_ = matrix_->q;
    } else {
        diagonal_ = assembled_diagonal(*assembled_);
        free_.assign(rows(), 0.0);
        ProductWorkspace work = make_workspace();
        constraint_velocity(std::vector<double>(rows(), 0.0), free_, work);
        check_velocity(work.velocity);
    }
    check_range(diagonal_, "diagonal entry of W");
    check_range(free_, "velocity without impulses");
    refresh_weights();
    if (matrix_) {
        const Csr& h = matrix_->delassus ? matrix_->combined : matrix_->main.csr();
        std::vector<double> weight = row_weights(set_, weights_);
        for (std::int64_t i = 0; i < rows(); ++i)
            if (diagonal_[i] > 0.0) weight[i] = 1.0 / diagonal_[i];
        asymmetry_ = relative_asymmetry(h, weight);
    } else {
        asymmetry_ = assembled_->system->mass().asymmetry();
    }
    ++revision_;
}

// Rows whose own diagonal gives no scale fall back to 1, a general BLCP's first to the row's
// largest entry.
void Problem::refresh_weights() {
    const auto safe = [](double d) { return d > 0.0 ? d : 1.0; };
    weights_.scalar.resize(set_.scalars());
    for (std::int64_t s = 0; s < set_.scalars(); ++s) {
        const std::int32_t row = set_.scalar_row[s];
        double d = diagonal_[row];
        if (!(d > 0.0) && matrix_ && !matrix_->delassus) {
            d = 0.0;
            for (const double x : matrix_->main.csr().row_value(row)) d = std::max(d, std::abs(x));
        }
        weights_.scalar[s] = 1.0 / safe(d);
    }
    const int translational = 1 + set_.shape.tangential;
    const int angular = set_.shape.angular();
    weights_.contact.resize(set_.contacts);
    weights_.angular.resize(angular > 0 ? set_.contacts : 0);
    for (std::int64_t i = 0; i < set_.contacts; ++i) {
        const std::int32_t* row = set_.contact_row.data() + i * set_.shape.rows();
        double sum = 0.0;
        for (int j = 0; j < translational; ++j) sum += diagonal_[row[j]];
        weights_.contact[i] = translational / safe(sum);
        if (angular == 0) continue;
        sum = 0.0;
        for (int j = 0; j < angular; ++j) sum += diagonal_[row[translational + j]];
        weights_.angular[i] = angular / safe(sum);
    }
    const std::vector<double> weight = row_weights(set_, weights_);
    for (std::int64_t i = 0; i < rows(); ++i)
        if (!std::isfinite(weight[i]) || !(weight[i] > 0.0))
            fail(Status::bad_value,
                 "row %" PRId64 ": its effective mass is %g; the values are too extreme", i,
                 weight[i]);
    double sum = 0.0;
    for (std::int64_t i = 0; i < rows(); ++i) sum += weight[i] * free_[i] * free_[i];
    free_norm_ = std::sqrt(sum);
    if (free_norm_ == 0.0) free_norm_ = norm_at_nearest_point(weight);
    if (!std::isfinite(free_norm_))
        fail(Status::bad_value,
             "the energy of the velocities without impulses overflows; the values are too extreme");
}

// Without free velocity 0 is the answer, unless bounds exclude it: then the velocity at the point
// of K nearest to 0 gives the scale.
double Problem::norm_at_nearest_point(const std::vector<double>& weight) const {
    std::vector<double> z(rows(), 0.0), u(rows());
    for (std::int64_t s = 0; s < set_.scalars(); ++s)
        z[set_.scalar_row[s]] = std::min(std::max(0.0, set_.lo[s]), set_.hi[s]);
    ProductWorkspace work = make_workspace();
    constraint_velocity(z, u, work);
    double sum = 0.0;
    for (std::int64_t i = 0; i < rows(); ++i) sum += weight[i] * u[i] * u[i];
    return std::sqrt(sum);
}

Csr Problem::form_matrix() const {
    if (matrix_) {
        const Csr& h = matrix_->delassus ? matrix_->combined : matrix_->main.csr();
        return without_zeros(h);
    }
    return form_delassus(*assembled_);
}

}  // namespace perp
