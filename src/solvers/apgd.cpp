// Accelerated projected gradient descent (Nesterov) on min 1/2 z'Sz + r'z over K.
// Mazhar, Heyn, Tasora, Negrut, ACM TOG 34(3), 2015, algorithm 1, in scaled variables, with
//  - the descent test in its quadratic form  d'(S z+ - S y) <= L d'd,  d = z+ - y: two objective
//    values agree in all digits long before the iterate is accurate, their difference is noise;
//  - the gradient-map restart (y - z+) . (z+ - z) > 0 of O'Donoghue and Candes, FoCM 15 (2015);
//  - S y carried by linearity: one product with S per iteration, one more per rejected step.
//
//   step                                   function
//   z+ = P(y - (S y + r) / L)              projected_step
//   d'S d <= L d'd, else L <- 2 L          accepted
//   theta+, beta, y+ = z+ + beta (z+ - z)  extrapolate (or restart)
//
// Cost per iteration: one product, about ten passes over p-vectors. Fails (stalls) on indefinite S;
// slow where mass ratios stack up or bilateral chains are long.
#include <algorithm>
#include <cmath>

#include "solvers/methods.hpp"

namespace perp {
namespace {

constexpr double shrink = 0.9;      // of L after every step
constexpr int most_doublings = 30;  // of L per step
constexpr std::int64_t every_iteration_until = 64;
constexpr std::int64_t check_every = 5;

// ||S x|| / ||x|| for a fixed pseudo-random x: a first L that is of the right order.
double first_lipschitz(const ScaledProblem& problem, ApgdWorkspace& work) {
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    double square = 0.0;
    for (double& x : work.y) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x = static_cast<double>(state >> 11) * 0x1.0p-52 - 1.0;
        square += x * x;
    }
    problem.product(work.y, work.y_product, work.velocity);
    double product_square = 0.0;
    for (const double x : work.y_product) product_square += x * x;
    return square > 0.0 && product_square > 0.0 ? std::sqrt(product_square / square) : 1.0;
}

void projected_step(const ScaledProblem& problem, double lipschitz, ApgdWorkspace& work) {
    const double t = 1.0 / lipschitz;
    const std::vector<double>& r = problem.free_velocity();
    for (std::int64_t i = 0; i < problem.rows(); ++i)
        work.next[i] = work.y[i] - t * (work.y_product[i] + r[i]);
    problem.project(work.next);
}

bool accepted(double lipschitz, const ApgdWorkspace& work) {
    double curvature = 0.0;
    double size = 0.0;
    double scale = 0.0;
    for (std::size_t i = 0; i < work.next.size(); ++i) {
        const double d = work.next[i] - work.y[i];
        curvature += d * (work.next_product[i] - work.y_product[i]);
        size += d * d;
        scale += work.next[i] * work.next[i];
    }
    return curvature <= lipschitz * size || size <= 1e-30 * scale;
}

bool must_restart(const std::vector<double>& z, const ApgdWorkspace& work) {
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
        sum += (work.y[i] - work.next[i]) * (work.next[i] - z[i]);
    return sum > 0.0;
}

void extrapolate(double beta, const std::vector<double>& z, ApgdWorkspace& work) {
    for (std::size_t i = 0; i < z.size(); ++i) {
        work.y[i] = work.next[i] + beta * (work.next[i] - z[i]);
        work.y_product[i] = work.next_product[i] + beta * (work.next_product[i] - work.product[i]);
    }
}

}  // namespace

ApgdWorkspace::ApgdWorkspace(const ScaledProblem& problem)
    : product(problem.rows()),
      y(problem.rows()),
      y_product(problem.rows()),
      next(problem.rows()),
      next_product(problem.rows()),
      velocity(problem.velocities()) {}

void run_apgd(const ScaledProblem& problem, std::vector<double>& z, ApgdWorkspace& work,
              Monitor& monitor) {
    double lipschitz = first_lipschitz(problem, work);
    const double smallest_lipschitz = 1e-3 * lipschitz;  // steps below rounding teach nothing
    problem.product(z, work.product, work.velocity);
    monitor.count_product();
    monitor.count_product();
    if (monitor.stop(0, z, work.product)) return;
    std::copy(z.begin(), z.end(), work.y.begin());
    std::copy(work.product.begin(), work.product.end(), work.y_product.begin());
    double theta = 1.0;
    for (std::int64_t iteration = 1;; ++iteration) {
        for (int doubling = 0;; ++doubling) {
            projected_step(problem, lipschitz, work);
            problem.product(work.next, work.next_product, work.velocity);
            monitor.count_product();
            if (doubling == most_doublings || accepted(lipschitz, work)) break;
            lipschitz *= 2.0;
            ++monitor.info().backtracks;
        }
        const double next_theta = 0.5 * (-theta * theta + theta * std::sqrt(theta * theta + 4.0));
        if (must_restart(z, work)) {
            std::copy(work.next.begin(), work.next.end(), work.y.begin());
            std::copy(work.next_product.begin(), work.next_product.end(), work.y_product.begin());
            theta = 1.0;
            ++monitor.info().restarts;
        } else {
            extrapolate(theta * (1.0 - theta) / (theta * theta + next_theta), z, work);
            theta = next_theta;
        }
        z.swap(work.next);
        work.product.swap(work.next_product);
        lipschitz = std::max(shrink * lipschitz, smallest_lipschitz);
        const bool due = iteration <= every_iteration_until || iteration % check_every == 0 ||
                         monitor.last(iteration);
        if (due && monitor.stop(iteration, z, work.product)) return;
    }
}

}  // namespace perp
