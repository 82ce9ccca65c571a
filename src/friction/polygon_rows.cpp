#include "friction/polygon_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace perp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-15;  // of a direction's component: a facet along an axis

double safe(double d) { return d > 0.0 ? d : 1.0; }

double snapped(double x) { return std::abs(x) < rounding ? 0.0 : x; }

}  // namespace

struct PolygonRows::Matrix {  // triplets of the scaled one
    std::vector<std::int64_t> row, col;
    std::vector<double> value;
    std::span<const double> scale;

    void add(std::int64_t i, std::int64_t j, double x) {
        row.push_back(i);
        col.push_back(j);
        value.push_back(x * scale[i] * scale[j]);
    }
    // A constraint's row and, negative, its impulse's column.
    void add_pair(std::int64_t i, std::int64_t j, double x) {
        add(i, j, x);
        add(j, i, -x);
    }
    void add_rows(std::int64_t first, const Csr& jacobian) {
        for (std::int64_t i = 0; i < jacobian.rows; ++i)
            for (std::int64_t e = jacobian.start[i]; e < jacobian.start[i + 1]; ++e)
                add_pair(first + i, jacobian.index[e], jacobian.value[e]);
    }
};

PolygonRows::PolygonRows(const Problem& base, std::int64_t facets,
                         std::span<const double> facet_angle)
    : base_(base),
      n_(base.velocities()),
      m_(base.assembled()->system->bilateral()),
      k_(base.assembled()->system->boxes()),
      r_(base.assembled()->system->contacts()),
      t_(base.assembled()->system->shape().tangential) {
    first_A_ = n_;
    first_B_ = first_A_ + m_;
    first_N_ = first_B_ + k_;
    first_beta_ = first_N_ + r_;
    base_D_ = m_ + r_;
    base_B_ = base_D_ + t_ * r_;
    lay_out(facets, facet_angle);
    scale();
}

void PolygonRows::lay_out(std::int64_t facets, std::span<const double> facet_angle) {
    const std::int64_t count = t_ == 1 ? 2 : facets;
    facets_.resize(r_);
    rows_ = first_beta_;
    for (std::int64_t i = 0; i < r_; ++i) {
        if (t_ == 0 || base_.assembled()->rows.mu[i] == 0.0) continue;
        facets_[i].first = rows_;
        facets_[i].count = count;
        rows_ += count;
        for (std::int64_t j = 0; j < count; ++j) {
            const double angle =
                2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(count) +
                (facet_angle.empty() || t_ == 1 ? 0.0 : facet_angle[i]);
            direction_.push_back({snapped(std::cos(angle)), snapped(std::sin(angle))});
            contact_of_.push_back(static_cast<std::int32_t>(i));
        }
    }
    for (Facets& f : facets_)
        if (f.count > 0) f.slack = rows_++;
}

void PolygonRows::scale() {
    const std::vector<double>& diagonal = base_.diagonal();
    const Csr& M = base_.assembled()->system->mass().matrix();
    scale_.assign(rows_, 1.0);
    for (std::int64_t j = 0; j < n_; ++j) scale_[j] = 1.0 / std::sqrt(M.at(j, j));
    const auto copy = [&](std::int64_t first, std::int64_t base_first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            scale_[first + i] = 1.0 / std::sqrt(safe(diagonal[base_first + i]));
    };
    copy(first_A_, 0, m_);
    copy(first_B_, base_B_, k_);
    copy(first_N_, m_, r_);
    for (std::int64_t i = 0; i < r_; ++i) {
        const Facets& f = facets_[i];
        if (f.count == 0) continue;
        double sum = 0.0;
        for (int j = 0; j < t_; ++j) sum += diagonal[base_D_ + t_ * i + j];
        const double root = std::sqrt(safe(sum / t_));
        std::fill_n(scale_.begin() + f.first, f.count, 1.0 / root);
        scale_[f.slack] = root;
    }
}

// Of a row that is neither a velocity's nor a slack's: the component of u, which is of base's rows.
double PolygonRows::row_velocity(std::int64_t row, std::span<const double> u) const {
    if (row < first_B_) return u[row - first_A_];
    if (row < first_N_) return u[base_B_ + row - first_B_];
    if (row < first_beta_) return u[m_ + row - first_N_];
    const std::int64_t contact = contact_of_[row - first_beta_];
    double sum = 0.0;
    for (int j = 0; j < t_; ++j)
        sum += direction_[row - first_beta_][j] * u[base_D_ + t_ * contact + j];
    return sum;
}

// Row `row` of beta, a direction of contact i.
void PolygonRows::add_direction(std::int64_t i, std::int64_t row, Matrix& H) const {
    const AssembledForm& form = *base_.assembled();
    const Csr& D = form.system->matrix(SystemMatrix::D);
    const Facets& f = facets_[i];
    for (int k = 0; k < t_; ++k) {
        const double d = direction_[row - first_beta_][k];
        const std::int64_t own = t_ * i + k;
        if (d == 0.0) continue;
        for (std::int64_t e = D.start[own]; e < D.start[own + 1]; ++e)
            H.add_pair(row, D.index[e], d * D.value[e]);
        const double c = form.compliance[base_D_ + own];
        if (c == 0.0) continue;
        for (std::int64_t other = f.first; other < f.first + f.count; ++other)
            H.add(row, other, c * d * direction_[other - first_beta_][k]);
    }
    H.add(row, f.slack, 1.0);
    H.add(f.slack, row, -1.0);
}

void PolygonRows::add_compliance(std::int64_t first, std::int64_t base_first, std::int64_t count,
                                 Matrix& H) const {
    for (std::int64_t i = 0; i < count; ++i)
        if (const double c = base_.assembled()->compliance[base_first + i]; c != 0.0)
            H.add(first + i, first + i, c);
}

void PolygonRows::add_all(Matrix& H) const {
    const AssembledForm& form = *base_.assembled();
    const System& system = *form.system;
    const Csr& M = system.mass().matrix();
    for (std::int64_t i = 0; i < n_; ++i)
        for (std::int64_t e = M.start[i]; e < M.start[i + 1]; ++e) H.add(i, M.index[e], M.value[e]);
    H.add_rows(first_A_, system.matrix(SystemMatrix::A));
    H.add_rows(first_B_, system.matrix(SystemMatrix::B));
    H.add_rows(first_N_, system.matrix(SystemMatrix::N));
    add_compliance(first_A_, 0, m_, H);
    add_compliance(first_B_, base_B_, k_, H);
    add_compliance(first_N_, m_, r_, H);
    for (std::int64_t i = 0; i < r_; ++i) {
        const Facets& f = facets_[i];
        for (std::int64_t row = f.first; row < f.first + f.count; ++row) add_direction(i, row, H);
        if (f.count > 0) H.add(f.slack, first_N_ + i, form.rows.mu[i]);
    }
}

Problem PolygonRows::problem() const {
    const ContactRows& rows = base_.assembled()->rows;
    Matrix H{{}, {}, {}, scale_};
    add_all(H);
    std::vector<double> q(rows_, 0.0), lo(rows_, 0.0), hi(rows_, infinity);
    std::fill_n(lo.begin(), first_B_, -infinity);
    for (std::int64_t i = 0; i < k_; ++i) {
        lo[first_B_ + i] = rows.lo_B[i] / scale_[first_B_ + i];
        hi[first_B_ + i] = rows.hi_B[i] / scale_[first_B_ + i];
    }
    const auto first_slack = first_beta_ + static_cast<std::int64_t>(direction_.size());
    for (std::int64_t i = first_A_; i < first_slack; ++i)
        q[i] = scale_[i] * row_velocity(i, base_.free_velocity());
    Triplets triplets;
    triplets.rows = triplets.cols = rows_;
    triplets.count = static_cast<std::int64_t>(H.row.size());
    triplets.row = H.row.data();
    triplets.col = H.col.data();
    triplets.value = H.value.data();
    return Problem::general_blcp(triplets, std::move(q), std::move(lo), std::move(hi));
}

void PolygonRows::to_caller(std::span<const double> z, StepImpulses& out) const {
    const auto part = [&](std::int64_t first, std::int64_t count, std::vector<double>& to) {
        to.resize(count);
        for (std::int64_t i = 0; i < count; ++i) to[i] = scale_[first + i] * z[first + i];
    };
    part(first_A_, m_, out.A);
    part(first_B_, k_, out.B);
    part(first_N_, r_, out.N);
    out.S.clear();
    out.D.assign(t_ * r_, 0.0);
    for (std::int64_t i = 0; i < r_; ++i)
        for (std::int64_t row = facets_[i].first; row < facets_[i].first + facets_[i].count; ++row)
            for (int j = 0; j < t_; ++j)
                out.D[t_ * i + j] += scale_[row] * z[row] * direction_[row - first_beta_][j];
}

void PolygonRows::sliding_use(std::span<const double> z, std::span<double> use) const {
    for (std::int64_t i = 0; i < r_; ++i) {
        const Facets& f = facets_[i];
        const double normal = scale_[first_N_ + i] * z[first_N_ + i];
        double sum = 0.0;
        for (std::int64_t row = f.first; row < f.first + f.count; ++row)
            sum += scale_[row] * z[row];
        use[i] = 0.0;
        if (normal > 0.0)
            use[i] = f.count > 0 ? sum / (base_.assembled()->rows.mu[i] * normal) : 1.0;
    }
}

// A non-negative combination of the two directions next to the impulse (planar: of the one along
// it); at most mu times the normal impulse in all.
void PolygonRows::split_friction(std::int64_t contact, const double* impulse,
                                 std::span<double> z) const {
    const Facets& f = facets_[contact];
    double sum = 0.0;
    for (std::int64_t j = 0; j < f.count && sum == 0.0; ++j) {
        const std::int64_t row = f.first + j, next = f.first + (j + 1) % f.count;
        const Direction &a = direction_[row - first_beta_], &b = direction_[next - first_beta_];
        const double det = t_ == 1 ? a[0] : a[0] * b[1] - a[1] * b[0];
        const double x = (t_ == 1 ? impulse[0] : impulse[0] * b[1] - impulse[1] * b[0]) / det;
        const double y = t_ == 1 ? 0.0 : (a[0] * impulse[1] - a[1] * impulse[0]) / det;
        if (x < 0.0 || y < 0.0) continue;
        z[row] = x;
        z[next] = y;
        sum = x + y;
    }
    const double most = base_.assembled()->rows.mu[contact] * z[first_N_ + contact];
    if (sum > most)
        for (std::int64_t j = 0; j < f.count; ++j) z[f.first + j] *= most / sum;
}

void PolygonRows::from_caller(const StepImpulses& impulses, std::span<double> z) const {
    std::fill(z.begin(), z.end(), 0.0);
    std::copy(impulses.N.begin(), impulses.N.end(), z.begin() + first_N_);
    std::vector<double> stacked(base_.rows(), 0.0), u(base_.rows());
    std::copy(impulses.N.begin(), impulses.N.end(), stacked.begin() + m_);
    for (std::int64_t i = 0; i < r_; ++i) {
        const Facets& f = facets_[i];
        if (f.count > 0) split_friction(i, impulses.D.data() + t_ * i, z);
        for (std::int64_t row = f.first; row < f.first + f.count; ++row)
            for (int j = 0; j < t_; ++j)
                stacked[base_D_ + t_ * i + j] += z[row] * direction_[row - first_beta_][j];
    }
    ProductWorkspace work = base_.make_workspace();
    base_.constraint_velocity(std::vector<double>(base_.rows(), 0.0), u, work);
    const std::vector<double> free = work.velocity;
    base_.constraint_velocity(stacked, u, work);
    for (std::int64_t j = 0; j < n_; ++j) z[j] = work.velocity[j] - free[j];
    for (const Facets& f : facets_)
        for (std::int64_t row = f.first; row < f.first + f.count; ++row)
            z[f.slack] = std::max(z[f.slack], -row_velocity(row, u));
    for (std::int64_t i = 0; i < rows_; ++i) z[i] /= scale_[i];
}

}  // namespace perp
