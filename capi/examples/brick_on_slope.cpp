// brick_on_slope.c with perp.hpp: handles release themselves, failing calls throw.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "perp/perp.hpp"

namespace {

constexpr double pi = 3.14159265358979324, g = 9.81, h = 0.01;  // m/s^2, s
constexpr double m = 2.0, a = 0.1, b = 0.05, c = 0.03;          // kg; half the edges, m

perp::System make_brick() {
    const double x[] = {a, a, -a, -a}, y[] = {b, -b, b, -b}, z = -c;  // corners
    const double inertia[] = {m * (b * b + c * c) / 3, m * (a * a + c * c) / 3,
                              m * (a * a + b * b) / 3};
    perp::Matrices matrices;
    matrices.M = perp::Triplets(6, 6);
    matrices.N = perp::Triplets(4, 6);
    matrices.D = perp::Triplets(8, 6);
    for (std::int64_t i = 0; i < 3; ++i) {
        matrices.M.add(i, i, m);
        matrices.M.add(3 + i, 3 + i, inertia[i]);
    }
    for (std::int64_t i = 0; i < 4; ++i) {  // the velocity of a corner at r: v + w x r
        matrices.N.add(i, 2, 1);
        matrices.N.add(i, 3, y[i]);
        matrices.N.add(i, 4, -x[i]);
        matrices.D.add(2 * i, 0, 1);
        matrices.D.add(2 * i, 4, z);
        matrices.D.add(2 * i, 5, -y[i]);
        matrices.D.add(2 * i + 1, 1, 1);
        matrices.D.add(2 * i + 1, 3, -z);
        matrices.D.add(2 * i + 1, 5, x[i]);
    }
    return perp::System(matrices);
}

// The velocity (6) at the end of a step that starts at rest with a gap (m) under all corners.
std::vector<double> step(const perp::System& brick, double slope, double friction, double gap) {
    const double down = m * g * std::sin(slope), away = -m * g * std::cos(slope);  // forces, N
    const std::vector<double> f{h * down, 0, h * away, 0, 0, 0};  // M v + h forces; v = 0
    const std::vector<double> mu(4, friction), b_N(4, gap / h);
    perp::Rows rows;
    rows.f = f;
    rows.mu = mu;
    rows.b_N = b_N;
    const perp::Problem problem = perp::Problem::cone(brick, rows);

    perp::Settings settings;
    settings.tolerance = 1e-10;
    std::vector<double> impulses;  // 4 normal, then 4 x 2 of friction, N s
    const perp_info info = perp::Solver(problem, settings).solve(impulses);
    std::vector<double> v = problem.velocity(impulses);
    std::printf("slope %2.0f, mu %.1f, gap %.4f mm: %s; %.5f m/s down, %.5f m/s away\n",
                slope * 180 / pi, friction, 1e3 * gap, perp_outcome_text(info.outcome),
                std::fabs(v[0]), std::fabs(v[2]));
    if (info.outcome != PERP_SOLVED) throw std::runtime_error("not solved");
    return v;
}

bool is(const std::vector<double>& v, double down, double away) {
    const double right[] = {down, 0, away, 0, 0, 0};
    for (std::size_t i = 0; i < 6; ++i)
        if (!(std::fabs(v[i] - right[i]) < 1e-9)) return false;
    return true;
}

}  // namespace

int main() {
    try {
        const double mu = 0.2, slope = 30 * pi / 180;
        const double coulomb = h * g * (std::sin(slope) - mu * std::cos(slope));
        const perp::System brick = make_brick();
        const double lifted = coulomb / (1 + mu * mu);
        const bool right = is(step(brick, 20 * pi / 180, 0.6, 0), 0, 0) &&
                           is(step(brick, slope, mu, 0), lifted, mu * lifted) &&
                           is(step(brick, slope, mu, h * mu * coulomb), coulomb, 0);
        return right ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
