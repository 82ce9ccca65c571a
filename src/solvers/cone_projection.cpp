#include "solvers/cone_projection.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

// Smaller eigenvalues count as 0: of a contact that hardly touches.
constexpr double least_eigenvalue = 1e-12;

}  // namespace

ConeProjection::ConeProjection(const ConstraintSet& set, const MixedForm& form)
    : ConeFrames(set), shape_(set.shape) {
    for (std::int64_t i = 0; i < contacts(); ++i)
        coefficients_.push_back(scaled_coefficients(set, i, form.scale));
    lo_.resize(set.scalar_row.size());
    hi_.resize(set.scalar_row.size());
    turn_.resize(contacts());
    reflected_.assign(contacts(), 0.0);
    eigenvalue_.assign(order().size(), 0.0);
    delta_.assign(order().size(), 1.0);
    take_bounds(form);
}

void ConeProjection::take_bounds(const MixedForm& form) {
    const std::int64_t first = contacts() * contact_rows();
    for (std::size_t s = 0; s < lo_.size(); ++s) {
        lo_[s] = form.lo[order()[first + s]];
        hi_[s] = form.hi[order()[first + s]];
    }
}

void ConeProjection::project_contacts(std::span<const double> x, std::span<double> y) const {
    const int k = contact_rows();
    const std::span<const std::int32_t> row = order();
    with_shape(shape_, [&]<int T, int S, int R>() {
        for (std::int64_t i = 0; i < contacts(); ++i) {
            std::array<double, 6> at{};
            for (int j = 0; j < k; ++j) at[j] = x[row[i * k + j]];
            project_contact<T, S, R>(coefficients_[i], at.data());
            for (int j = 0; j < k; ++j) y[row[i * k + j]] = at[j];
        }
    });
}

void ConeProjection::project(std::span<const double> x, std::span<double> y) const {
    project_contacts(x, y);
    const std::int32_t* const row = order().data() + contacts() * contact_rows();
    for (std::size_t s = 0; s < lo_.size(); ++s)
        y[row[s]] = std::min(std::max(x[row[s]], lo_[s]), hi_[s]);
}

void ConeProjection::project_ray(std::span<const double> x, std::span<double> y) const {
    project_contacts(x, y);
    const std::int32_t* const row = order().data() + contacts() * contact_rows();
    for (std::size_t s = 0; s < lo_.size(); ++s) {
        const double d = x[row[s]];
        y[row[s]] = std::isfinite(d < 0.0 ? lo_[s] : hi_[s]) ? 0.0 : d;
    }
}

void ConeProjection::linearize(std::span<const double> x) {
    const int k = contact_rows();
    for (std::int64_t i = 0; i < contacts(); ++i) {
        std::array<double, 6> at{};
        for (int j = 0; j < k; ++j) at[j] = x[order()[i * k + j]];
        linearize_contact(i, at.data());
    }
    const std::int64_t first = contacts() * k;
    for (std::size_t s = 0; s < lo_.size(); ++s) {
        const double at = x[order()[first + s]];
        eigenvalue_[first + s] = at > lo_[s] && at < hi_[s] ? 1.0 : 0.0;
    }
}

void ConeProjection::linearize_contact(std::int64_t contact, const double* x) {
    std::array<double, 6> at{};
    std::copy_n(x, contact_rows(), at.begin());
    project_contact(shape_, coefficients_[contact], at.data());
    const double y = at[0];
    double* const eigenvalue = eigenvalue_.data() + contact * contact_rows();
    std::array<Turn, 3>& turn = turn_[contact];
    turn = {};
    reflected_[contact] = 0.0;
    std::fill_n(eigenvalue, contact_rows(), 0.0);
    if (!(y > 0.0)) return;
    eigenvalue[0] = 1.0;
    double sum = 0.0;  // of mu_k^2
    std::array<double, 3> along{};
    const auto all = friction_groups(shape_, coefficients_[contact]);
    for (int q = 0; q < 3; ++q) {
        const FrictionGroup& g = all[q];
        if (g.rows == 0 || !(g.coefficient > 0.0)) continue;
        const double* const t = x + g.first;
        const double l = g.rows == 1 ? std::abs(t[0]) : std::sqrt(t[0] * t[0] + t[1] * t[1]);
        const bool clipped = l > g.coefficient * y;
        for (int j = 0; j < g.rows; ++j) eigenvalue[g.first + j] = clipped ? 0.0 : 1.0;
        if (!clipped) continue;
        turn[q].axis = {t[0] / l, g.rows == 1 ? 0.0 : t[1] / l};
        if (g.rows == 2) {
            const double ratio = g.coefficient * y / l;
            eigenvalue[g.first + 1] = ratio > least_eigenvalue ? ratio : 0.0;
        }
        along[q] = g.coefficient;
        sum += g.coefficient * g.coefficient;
    }
    if (sum == 0.0) return;
    // I - 2 w w' with w along n - g takes n to g; |n - g|^2 = 2 (1 - g_n).
    const double root = std::sqrt(1.0 + sum);
    const double less = sum / (root * (root + 1.0));  // 1 - g_n
    const double size = std::sqrt(2.0 * less);
    reflected_[contact] = less / size;
    for (int q = 0; q < 3; ++q) turn[q].reflected = -along[q] / root / size;
}

void ConeProjection::reflect(std::int64_t contact, double* x, std::int64_t stride) const {
    const double n = reflected_[contact];
    if (n == 0.0) return;
    const std::array<Turn, 3>& turn = turn_[contact];
    const std::array<int, 3> first{1, 1 + shape_.tangential, 1 + shape_.tangential + shape_.spin};
    double along = n * x[0];
    for (int q = 0; q < 3; ++q)
        if (turn[q].reflected != 0.0) along += turn[q].reflected * x[first[q] * stride];
    x[0] -= 2.0 * along * n;
    for (int q = 0; q < 3; ++q)
        if (turn[q].reflected != 0.0) x[first[q] * stride] -= 2.0 * along * turn[q].reflected;
}

void ConeProjection::to_frame(std::int64_t contact, double* velocity, std::int64_t stride) const {
    const std::array<Turn, 3>& turn = turn_[contact];
    const std::array<int, 3> rows{shape_.tangential, shape_.spin, shape_.roll};
    for (int q = 0, first = 1; q < 3; first += rows[q++]) {
        if (rows[q] == 0 || turn[q].reflected == 0.0) continue;
        double& a = velocity[first * stride];
        const auto [c, s] = turn[q].axis;
        if (rows[q] == 1) {
            a *= c;
            continue;
        }
        double& b = velocity[(first + 1) * stride];
        const double t = a;
        a = c * t + s * b;
        b = c * b - s * t;
    }
    reflect(contact, velocity, stride);
}

void ConeProjection::from_frame(std::int64_t contact, double* impulse) const {
    reflect(contact, impulse, 1);
    const std::array<Turn, 3>& turn = turn_[contact];
    const std::array<int, 3> rows{shape_.tangential, shape_.spin, shape_.roll};
    for (int q = 0, first = 1; q < 3; first += rows[q++]) {
        if (rows[q] == 0 || turn[q].reflected == 0.0) continue;
        double& a = impulse[first];
        const auto [c, s] = turn[q].axis;
        if (rows[q] == 1) {
            a *= c;
            continue;
        }
        double& b = impulse[first + 1];
        const double t = a;
        a = c * t - s * b;
        b = s * t + c * b;
    }
}

void ConeProjection::terms(std::vector<Term>& out) const {
    out.clear();
    for (std::size_t k = 0; k < eigenvalue_.size(); ++k)
        if (eigenvalue_[k] > 0.0)
            out.push_back({static_cast<std::int64_t>(k), 0, delta_[k] / eigenvalue_[k]});
}

void ConeProjection::active(std::span<std::uint8_t> out) const {
    for (std::size_t k = 0; k < eigenvalue_.size(); ++k) out[k] = eigenvalue_[k] > 0.0 ? 1 : 0;
}

bool is_proof(const ConeProjection& projection, std::span<const double> ray, std::span<double> work,
              PivotMonitor& monitor) {
    double largest = 0.0;
    for (const double d : ray) largest = std::max(largest, std::abs(d));
    if (!(largest > 0.0) || !std::isfinite(largest)) return false;
    projection.project_ray(ray, work);
    for (double& d : work) d /= largest;
    if (!monitor.is_proof(work)) return false;
    monitor.prove(work);
    return true;
}

}  // namespace perp
