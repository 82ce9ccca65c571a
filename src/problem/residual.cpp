#include "problem/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perp {
namespace {

constexpr int largest_contact = 6;

struct Sums {
    double part[row_kinds] = {0, 0, 0, 0};
    double coulomb = 0.0;
    double worst = 0.0;
    std::int64_t worst_row = -1;

    void add(RowKind kind, double square) { part[static_cast<int>(kind)] += square; }
    void see(double square, std::int64_t row) {
        if (!(square > worst)) return;
        worst = square;
        worst_row = row;
    }
};

// One contact: energy-scaled impulses y and velocities w, natural map y - P(y - w).
void contact_share(const Problem& problem, std::int64_t i, std::span<const double> z,
                   std::span<const double> u, Sums& sums, Residual& out) {
    const ConstraintSet& set = problem.set();
    const int k = set.shape.rows();
    const std::int32_t* row = set.contact_row.data() + i * k;
    const double root = std::sqrt(problem.weights().contact[i]);
    const double angular_root =
        set.shape.angular() > 0 ? std::sqrt(problem.weights().angular[i]) : root;
    const ConeCoefficients given = set.coefficients(i);
    const ConeCoefficients scaled{given.sliding, given.spin * root / angular_root,
                                  given.roll * root / angular_root};

    double raw_z[largest_contact] = {}, raw_u[largest_contact] = {};
    double y[largest_contact] = {}, x[largest_contact] = {};
    double power = 0.0;
    for (int j = 0; j < k; ++j) {
        const double scale = j <= set.shape.tangential ? root : angular_root;
        raw_z[j] = z[row[j]];
        raw_u[j] = u[row[j]];
        power += raw_z[j] * raw_u[j];
        y[j] = raw_z[j] / scale;
        x[j] = y[j] - raw_u[j] * scale;
    }
    double exact[largest_contact];
    std::copy(x, x + k, exact);
    exact[0] -= de_saxce_shift(set.shape, given, raw_u) * root;
    project_contact(set.shape, scaled, exact);
    if (set.exact)
        std::copy(exact, exact + k, x);
    else
        project_contact(set.shape, scaled, x);
    const double normal = (y[0] - x[0]) * (y[0] - x[0]);
    double friction = 0.0;
    for (int j = 1; j < k; ++j) friction += (y[j] - x[j]) * (y[j] - x[j]);
    for (int j = 0; j < k; ++j) sums.coulomb += (y[j] - exact[j]) * (y[j] - exact[j]);
    sums.add(RowKind::normal, normal);
    sums.add(RowKind::friction, friction);
    sums.see(normal + friction, row[0]);
    out.penetration_velocity = std::max(out.penetration_velocity, -raw_u[0]);
    out.cone_violation = std::max(out.cone_violation, cone_violation(set.shape, given, raw_z));
    out.complementarity = std::max(out.complementarity, std::abs(power));
}

void scalar_share(const Problem& problem, std::int64_t s, std::span<const double> z,
                  std::span<const double> u, Sums& sums, Residual& out) {
    const ConstraintSet& set = problem.set();
    const std::int32_t row = set.scalar_row[s];
    const double weight = problem.weights().scalar[s];
    const bool tied = set.tied(s);
    const double hi = tied ? set.half_width(s, z) : set.hi[s];
    const double lo = tied ? -hi : set.lo[s];
    const double map = z[row] - std::min(std::max(z[row] - u[row] * weight, lo), hi);
    const double square = map * map / weight;
    sums.add(set.scalar_kind[s], square);
    sums.coulomb += square;
    sums.see(square, row);
    if (set.scalar_kind[s] == RowKind::bilateral) {
        out.bilateral_velocity = std::max(out.bilateral_velocity, std::abs(u[row]));
        return;
    }
    if (set.scalar_kind[s] == RowKind::normal)
        out.penetration_velocity = std::max(out.penetration_velocity, -u[row]);
    out.cone_violation = std::max({out.cone_violation, lo - z[row], z[row] - hi});
    // The distance to the bound that the velocity presses against (to 0 where there is none).
    double distance = u[row] > 0.0 ? z[row] - lo : hi - z[row];
    if (std::isinf(distance)) distance = z[row];
    out.complementarity = std::max(out.complementarity, std::abs(distance * u[row]));
}

}  // namespace

double energy_ratio(double square, double denominator) {
    if (square == 0.0) return 0.0;
    const double value = denominator > 0.0 ? std::sqrt(square) / denominator
                                           : std::numeric_limits<double>::infinity();
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

ResidualWorkspace make_residual_workspace(const Problem& problem) {
    return {problem.make_workspace(), std::vector<double>(problem.rows())};
}

Residual residual(const Problem& problem, std::span<const double> z, ResidualWorkspace& work) {
    problem.constraint_velocity(z, work.velocity, work.product);
    Residual out;
    Sums sums;
    for (std::int64_t i = 0; i < problem.set().contacts; ++i)
        contact_share(problem, i, z, work.velocity, sums, out);
    for (std::int64_t s = 0; s < problem.set().scalars(); ++s)
        scalar_share(problem, s, z, work.velocity, sums, out);
    double total = 0.0;
    for (int k = 0; k < row_kinds; ++k) {
        total += sums.part[k];
        out.part[k] = energy_ratio(sums.part[k], problem.free_norm());
    }
    out.eta = energy_ratio(total, problem.free_norm());
    out.eta_coulomb =
        problem.set().exact ? out.eta : energy_ratio(sums.coulomb, problem.free_norm());
    out.worst_row = sums.worst_row;
    return out;
}

}  // namespace perp
