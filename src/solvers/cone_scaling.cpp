#include "solvers/cone_scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {

namespace second_order {

Point product(const Point& a, const Point& b) {
    return {dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
}

Point divide(const Point& a, const Point& q) {
    const double o = (a[0] * q[0] - a[1] * q[1] - a[2] * q[2]) / determinant(a);
    return {o, (q[1] - o * a[1]) / a[0], (q[2] - o * a[2]) / a[0]};
}

}  // namespace second_order

using namespace second_order;

namespace {

constexpr double least_determinant = 4.0 * std::numeric_limits<double>::epsilon();

// Of x against its bound: below, z has lost digits of x.
constexpr double least_slack = 1e-6;
// (v_0 + |v_1|)^2 from which on W is sharp.
constexpr double sharp = 6.0;

double safe_root(const Point& a) {
    return std::sqrt(std::max(determinant(a), least_determinant * a[0] * a[0]));
}

}  // namespace

ConeScaling::ConeScaling(const ConstraintSet& set, const MixedForm& form) : ConeFrames(set) {
    for (std::int64_t i = 0; i < contacts(); ++i) {
        const std::int64_t first = i * contact_rows();
        const auto before = count();
        first_cone_.push_back(before);
        for (const FrictionGroup& g :
             friction_groups(set.shape, scaled_coefficients(set, i, form.scale)))
            if (g.rows > 0 && g.coefficient > 0.0)
                cone_.push_back({first, g.first, 1 + g.rows, g.coefficient, 0.0});
        if (count() == before) cone_.push_back({first, 0, 1, 1.0, 0.0});
    }
    first_cone_.push_back(count());
    const std::size_t most = cone_.size() + 2 * set.scalar_row.size();
    cone_.reserve(most);
    beta_.assign(most, 1.0);
    root_.assign(most, 1.0);
    for (auto* const x : {&v_, &lambda_}) x->assign(most, {1.0, 0.0, 0.0});
    u_.assign(most, {0.0, 1.0, 0.0});
    take_bounds(form);
}

void ConeScaling::take_bounds(const MixedForm& form) {
    cone_.resize(first_cone_.back());
    const auto rows = static_cast<std::int64_t>(order().size());
    fixed_.resize(rows);
    for (std::int64_t k = 0; k < rows; ++k) fixed_[k] = form.is_fixed(order()[k]) ? 1 : 0;
    for (std::int64_t k = contacts() * contact_rows(); k < rows; ++k) {
        const std::int32_t i = order()[k];
        if (form.is_fixed(i)) continue;
        if (std::isfinite(form.lo[i])) cone_.push_back({k, 0, 1, 1.0, -form.lo[i]});
        if (std::isfinite(form.hi[i])) cone_.push_back({k, 0, 1, -1.0, form.hi[i]});
    }
}

void ConeScaling::start(const MixedForm& form, double size, double velocity, std::span<double> z) {
    std::fill(z.begin(), z.end(), 0.0);
    const auto rows = static_cast<std::int64_t>(order().size());
    for (std::int64_t k = 0; k < rows; ++k) {
        const std::int32_t i = order()[k];
        const double lo = form.lo[i];
        const double hi = form.hi[i];
        z[i] = form.is_fixed(i)                         ? lo
               : std::isfinite(lo) && std::isfinite(hi) ? lo + 0.5 * (hi - lo)
               : std::isfinite(lo)                      ? lo + size
               : std::isfinite(hi)                      ? hi - size
                                                        : 0.0;
    }
    for (std::int64_t q = 0; q < count(); ++q) {
        const Cone& c = cone_[q];
        const double x = std::max(c.factor * z[order()[c.row]] + c.offset, 1e-280);
        v_[q] = {1.0, 0.0, 0.0};
        u_[q] = {0.0, 1.0, 0.0};
        root_[q] = std::sqrt(velocity * size);
        beta_[q] = root_[q] / x;
        lambda_[q] = {root_[q], 0.0, 0.0};
    }
}

void ConeScaling::to_frame(std::int64_t contact, double* velocity, std::int64_t stride) const {
    for (std::int64_t q = first_cone_[contact]; q < first_cone_[contact + 1]; ++q) {
        const Cone& c = cone_[q];
        if (c.dimension == 1) continue;
        const Point& u = u_[q];
        double& along = velocity[c.tangent * stride];
        if (c.dimension == 2) {
            along *= u[1];
        } else {
            double& across = velocity[(c.tangent + 1) * stride];
            const double t = along;
            along = u[1] * t + u[2] * across;
            across = u[1] * across - u[2] * t;
        }
        velocity[0] -= c.factor * along;
    }
}

void ConeScaling::from_frame(std::int64_t contact, double* impulse) const {
    for (std::int64_t q = first_cone_[contact]; q < first_cone_[contact + 1]; ++q) {
        const Cone& c = cone_[q];
        if (c.dimension == 1) continue;
        const Point& u = u_[q];
        const double along = impulse[c.tangent] - c.factor * impulse[0];
        impulse[c.tangent] = u[1] * along;
        if (c.dimension == 2) continue;
        double& second = impulse[c.tangent + 1];
        const double across = second;
        impulse[c.tangent] -= u[2] * across;
        second = u[2] * along + u[1] * across;
    }
}

// beta (v_0 + |v_1|)^2, beta (v_0 - |v_1|)^2 and beta, squared; (1, u) has the length sqrt(2).
ConeScaling::Block ConeScaling::block(std::int64_t cone) const {
    const Cone& c = cone_[cone];
    const double square = beta_[cone] * beta_[cone];
    if (c.dimension == 1) return {0.0, 0.0, 0.0, square * c.factor * c.factor};
    const double k = v_[cone][0] + u_[cone][0];
    const double k4 = k * k * k * k;
    const double low = square / k4;  // of x_0 - u . x_1 = 2 factor n - y
    return {0.5 * (square * k4 + low), square, -c.factor * low, 2.0 * c.factor * c.factor * low};
}

void ConeScaling::terms(std::vector<Term>& out) const {
    out.clear();
    for (std::int64_t q = 0; q < count(); ++q) {
        const Cone& c = cone_[q];
        const Block b = block(q);
        out.push_back({c.row, 0, b.nn});
        if (c.dimension == 1) continue;
        out.push_back({c.row, c.tangent, b.ny});
        out.push_back({c.row + c.tangent, 0, b.yy});
        if (c.dimension == 3) out.push_back({c.row + c.tangent + 1, 0, b.aa});
    }
}

void ConeScaling::active(std::span<std::uint8_t> out) const {
    for (std::size_t k = 0; k < fixed_.size(); ++k) out[k] = fixed_[k] != 0 ? 0 : 1;
}

void ConeScaling::scale(std::span<const double> dz, std::span<Point> out) const {
    for (std::int64_t q = 0; q < count(); ++q) {
        const Cone& c = cone_[q];
        const double beta = beta_[q];
        const double x = c.factor * dz[c.row];
        if (c.dimension == 1) {
            out[q] = {beta * x, 0.0, 0.0};
            continue;
        }
        const Point& u = u_[q];
        const double k = (v_[q][0] + u[0]) * (v_[q][0] + u[0]);
        const double y = dz[c.row + c.tangent];
        const double high = 0.5 * beta * k * y;
        const double low = 0.5 * beta / k * (2.0 * x - y);
        const double across = c.dimension == 3 ? beta * dz[c.row + c.tangent + 1] : 0.0;
        out[q] = {high + low, u[1] * (high - low) - u[2] * across,
                  u[2] * (high - low) + u[1] * across};
    }
}

void ConeScaling::add_velocities(std::span<const Point> t, std::span<double> g) const {
    for (std::int64_t q = 0; q < count(); ++q) {
        const Cone& c = cone_[q];
        const double beta = beta_[q];
        if (c.dimension == 1) {
            g[c.row] += c.factor * beta * t[q][0];
            continue;
        }
        const Point& u = u_[q];
        const double k = (v_[q][0] + u[0]) * (v_[q][0] + u[0]);
        const double along = u[1] * t[q][1] + u[2] * t[q][2];
        const double high = 0.5 * beta * k * (t[q][0] + along);
        const double low = beta / k * (t[q][0] - along);
        g[c.row] += c.factor * low;
        g[c.row + c.tangent] += high - 0.5 * low;
        if (c.dimension == 3) g[c.row + c.tangent + 1] += beta * (u[1] * t[q][2] - u[2] * t[q][1]);
    }
}

double ConeScaling::gap(const ScaledDirection& d, double step) const {
    double sum = 0.0;
    for (std::int64_t q = 0; q < count(); ++q)
        for (int j = 0; j < 3; ++j)
            sum += (lambda_[q][j] + step * d.x[q][j]) * (lambda_[q][j] + step * d.s[q][j]);
    return sum / static_cast<double>(std::max<std::int64_t>(count(), 1));
}

// The direction where lambda is (1, 0, 0).
std::array<Point, 2> ConeScaling::rates(std::int64_t cone, const Point& dx, const Point& ds) const {
    const double inverse = 1.0 / root_[cone];
    const Point l{lambda_[cone][0] * inverse, lambda_[cone][1] * inverse,
                  lambda_[cone][2] * inverse};
    const auto rate = [&](const Point& d) -> Point {
        const double r = l[0] * d[0] - l[1] * d[1] - l[2] * d[2];
        const double t = (r + d[0]) / (l[0] + 1.0);
        return {inverse * r, inverse * (d[1] - t * l[1]), inverse * (d[2] - t * l[2])};
    };
    return {rate(dx), rate(ds)};
}

void ConeScaling::advance(const ScaledDirection& d, double step) {
    for (std::int64_t q = 0; q < count(); ++q) {
        Point x, s;
        for (int j = 0; j < 3; ++j) {
            x[j] = lambda_[q][j] + step * d.x[q][j];
            s[j] = lambda_[q][j] + step * d.s[q][j];
        }
        advance(q, x, s);
    }
}

void ConeScaling::recall(std::span<const double> z) {
    for (std::int64_t q = 0; q < count(); ++q) {
        const Cone& c = cone_[q];
        const std::int32_t* const row = order().data() + c.row;
        const double first = c.factor * z[row[0]] + c.offset;
        if (std::abs(first) < least_slack * std::abs(c.offset)) continue;
        const Point x{first, c.dimension > 1 ? z[row[c.tangent]] : 0.0,
                      c.dimension > 2 ? z[row[c.tangent + 1]] : 0.0};
        const Point moved = recalled(q, x);
        const Point& l = lambda_[q];
        const double change =
            std::abs(moved[0] - l[0]) + std::abs(moved[1] - l[1]) + std::abs(moved[2] - l[2]);
        const double room = root_[q] * root_[q] / (l[0] + length(l));
        if (change > 0.1 * room) continue;
        const Point s = l;
        advance(q, moved, s);
    }
}

// W x; in a sharp scaling, where x and s lie along (1, -u) and (1, u), without the second of these
// components: there z has lost the distance to the boundary, and lambda has it.
Point ConeScaling::recalled(std::int64_t cone, const Point& x) const {
    const Point& u = u_[cone];
    const Point& l = lambda_[cone];
    const double beta = beta_[cone];
    const double k = (v_[cone][0] + u[0]) * (v_[cone][0] + u[0]);
    const double lambda_along = l[1] * u[1] + l[2] * u[2];
    const double along = x[1] * u[1] + x[2] * u[2];
    const double low = 0.5 * (x[0] - along) * beta / k;
    const double high = k > sharp ? 0.5 * (l[0] + lambda_along) : 0.5 * (x[0] + along) * beta * k;
    const double across = beta * (x[2] * u[1] - x[1] * u[2]);
    return {high + low, u[1] * (high - low) - u[2] * across, u[2] * (high - low) + u[1] * across};
}

// To the scaling of W^-1 x and W s: v <- root of (2 v v' - J) u, u the scaling point of x and s.
void ConeScaling::advance(std::int64_t cone, const Point& x, const Point& s) {
    const double root_x = safe_root(x);
    const double root_s = safe_root(s);
    const Point a{x[0] / root_x, x[1] / root_x, x[2] / root_x};
    const Point b{s[0] / root_s, s[1] / root_s, s[2] / root_s};
    const double c = std::sqrt(0.5 * (1.0 + dot(a, b)));
    Point& v = v_[cone];
    const double va = v[0] * a[0] - v[1] * a[1] - v[2] * a[2];
    const double vb = dot(v, b);
    const double vu = 0.5 * (va + vb) / c;
    const double w0 = 2.0 * v[0] * vu - 0.5 * (a[0] + b[0]) / c;
    const double d = (v[0] * (vb - va) + 0.5 * (a[0] - b[0])) / (w0 + 1.0);
    root_[cone] = std::sqrt(root_x * root_s);
    Point& l = lambda_[cone];
    l[0] = root_[cone] * c;
    for (int j = 1; j < 3; ++j)
        l[j] = root_[cone] * (v[j] * (vb - va - 2.0 * d * vu) + 0.5 * (1.0 - d / c) * b[j] +
                              0.5 * (1.0 + d / c) * a[j]);
    const double norm = 1.0 / std::sqrt(2.0 * (w0 + 1.0));
    for (int j = 1; j < 3; ++j) v[j] = norm * (2.0 * v[j] * vu + 0.5 * (b[j] - a[j]) / c);
    const double size = length(v);
    v[0] = std::sqrt(1.0 + size * size);
    u_[cone] = {size, size > 0.0 ? v[1] / size : 1.0, size > 0.0 ? v[2] / size : 0.0};
    beta_[cone] *= std::sqrt(root_s / root_x);
}

}  // namespace perp
