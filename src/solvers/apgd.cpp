// Accelerated projected gradient descent (Nesterov) on min 1/2 z'Sz + r'z over K.
// Mazhar, Heyn, Tasora, Negrut, ACM TOG 34(3), 2015, algorithm 1, in scaled variables, with
//  - the descent test in its quadratic form  d'(S z+ - S y) <= L d'd,  d = z+ - y: two objective
//    values agree in all digits long before the iterate is accurate, their difference is noise;
//  - the gradient-map restart (y - z+) . (z+ - z) > 0 of O'Donoghue and Candes, FoCM 15 (2015);
//  - S y carried by linearity: one product with S per iteration, one more per rejected step.
//
//   step                                              where
//   y = z + beta (z - z_), z+ = P(y - (S y + r) / L)    Step: one pass, v^ = Jh' z+ with it
//   eliminated rows of z+ and v^                        ScaledProblem::eliminate
//   S z+;  d'S d <= L d'd, else L <- 2 L                Test: one pass
//   theta+, beta, or restart                            run_apgd
//
// y and S y are formed again where they are needed instead of being stored: an iteration moves the
// Jacobian twice and twelve p-vectors. With eliminated rows all of this is the method on the
// contacts alone: S z+ is affine in their part of z, and the weights 1 + beta, -beta add up to 1.
// Fails (stalls) on indefinite S; slow where mass ratios stack up or bilateral chains are long.
#include <algorithm>
#include <cmath>

#include "base/inline.hpp"
#include "problem/block_loops.hpp"
#include "solvers/methods.hpp"

namespace perp {
namespace {

constexpr double shrink = 0.9;      // of L after every step
constexpr int most_doublings = 30;  // of L per step
constexpr std::int64_t every_iteration_until = 64;
constexpr std::int64_t check_every = 5;

// Where y lies: y = z + beta (z - last), S y likewise.
struct Extrapolation {
    const double* z;
    const double* last;
    const double* product;
    const double* last_product;
    double beta;

    [[nodiscard]] double y(std::int64_t row) const { return z[row] + beta * (z[row] - last[row]); }
    [[nodiscard]] double y_product(std::int64_t row) const {
        return product[row] + beta * (product[row] - last_product[row]);
    }
};

// z+ = P(y - t (S y + r)), and v^ += Jh' z+.
struct Step {
    const ScaledProblem& problem;
    Extrapolation at;
    const double* r;
    double t;
    double* next;
    double* v;

    [[nodiscard]] double moved(std::int64_t row) const {
        return at.y(row) - t * (at.y_product(row) + r[row]);
    }
    // Projections in groups, then their products: a processor overlaps what is near together.
    template <int T, int S, int R, int W>
    void contacts(std::int64_t begin, std::int64_t end) const {
        std::int64_t i = begin;
        for (; i + 4 <= end; i += 4) several<4, T, S, R, W>(i);
        for (; i < end; ++i) several<1, T, S, R, W>(i);
    }
    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        several<1, T, S, R, W>(i);
    }
    template <int Count, int T, int S, int R, int W>
    PERP_INLINE void several(std::int64_t i) const {
        constexpr int k = 1 + T + S + R;
        double x[Count][k];
        for (int c = 0; c < Count; ++c) {
            for (int j = 0; j < k; ++j) x[c][j] = moved((i + c) * k + j);
            project_contact<T, S, R>(problem.coefficients(i + c), x[c]);
        }
        for (int c = 0; c < Count; ++c) {
            for (int j = 0; j < k; ++j) next[(i + c) * k + j] = x[c][j];
            scatter_block<k, W>(problem.contact_rows(), i + c, x[c], v);
        }
    }
    template <int W>
    void scalar(std::int64_t s) const {
        const std::int64_t row = problem.scalar_row(s);
        next[row] = std::min(std::max(moved(row), problem.lo()[s]), problem.hi()[s]);
        scatter_block<1, W>(problem.scalar_rows(), s, next + row, v);
    }
};

// S z+ (Jacobian form), and the sums that judge the step.
struct Test {
    const ScaledProblem& problem;
    Extrapolation at;
    const double* next;
    double* next_product;
    const double* v;
    Sums sums;  // d'S d, d'd, |z+|^2, (y - z+) . (z+ - z)

    void add(std::int64_t row) {
        const double y = at.y(row);
        const double d = next[row] - y;
        sums.value[0] += d * (next_product[row] - at.y_product(row));
        sums.value[1] += d * d;
        sums.value[2] += next[row] * next[row];
        sums.value[3] -= d * (next[row] - at.z[row]);
    }
    template <int T, int S, int R, int W>
    PERP_INLINE void contact(std::int64_t i) {
        constexpr int k = 1 + T + S + R;
        if constexpr (W > 0) {
            double u[k];
            for (int j = 0; j < k; ++j) u[j] = problem.compliance(i * k + j) * next[i * k + j];
            gather<k, W>(problem.contact_rows(), i, v, u);
            for (int j = 0; j < k; ++j) next_product[i * k + j] = u[j];
        }
        for (int j = 0; j < k; ++j) add(i * k + j);
    }
    template <int W>
    void scalar(std::int64_t s) {
        const std::int64_t row = problem.scalar_row(s);
        if constexpr (W > 0) {
            double u = problem.compliance(row) * next[row];
            gather<1, W>(problem.scalar_rows(), s, v, &u);
            next_product[row] = u;
        }
        add(row);
    }
};

// ||S x|| / ||x|| for a fixed pseudo-random x: a first L that is of the right order.
double first_lipschitz(const ScaledProblem& problem, ApgdWorkspace& work) {
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;
    double square = 0.0;
    std::fill(work.next.begin(), work.next.end(), 0.0);
    for (std::int64_t i = 0; i < problem.active_rows(); ++i) {
        double& x = work.next[i];
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x = static_cast<double>(state >> 11) * 0x1.0p-52 - 1.0;
        square += x * x;
    }
    problem.product(work.next, work.next_product, work.velocity);
    double product_square = 0.0;
    for (std::int64_t i = 0; i < problem.active_rows(); ++i)
        product_square += work.next_product[i] * work.next_product[i];
    return square > 0.0 && product_square > 0.0 ? std::sqrt(product_square / square) : 1.0;
}

// S z with the eliminated rows of z set.
void first_product(const ScaledProblem& problem, std::vector<double>& z, ApgdWorkspace& work) {
    if (problem.eliminated() > 0) {
        problem.scatter_all(z, work.velocity);
        problem.eliminate(z, work.velocity, work.elimination);
    }
    problem.product(z, work.product, work.velocity);
}

// z+ and S z+ with the step 1 / L; returns the sums of Test.
Sums step(const ScaledProblem& problem, const Extrapolation& at, double lipschitz,
          ApgdWorkspace& work) {
    std::fill(work.velocity.begin(), work.velocity.end(), 0.0);
    const Step step{problem,
                    at,
                    problem.free_velocity().data(),
                    1.0 / lipschitz,
                    work.next.data(),
                    work.velocity.data()};
    visit_tasks(problem, false, [&] { return step; });
    problem.eliminate_from_zero(work.next, work.velocity, work.elimination);
    if (problem.matrix_form()) problem.product(work.next, work.next_product, work.velocity);
    problem.gather_eliminated(work.next, work.velocity, work.next_product);
    return sum_parts(problem, [&](std::int64_t) {
        return Test{problem, at, work.next.data(), work.next_product.data(), work.velocity.data(),
                    {}};
    });
}

}  // namespace

ApgdWorkspace::ApgdWorkspace(const ScaledProblem& problem)
    : product(problem.rows()),
      last(problem.rows()),
      last_product(problem.rows()),
      next(problem.rows()),
      next_product(problem.rows()),
      velocity(problem.velocities()),
      elimination(problem.elimination_work()) {}

void run_apgd(const ScaledProblem& problem, std::vector<double>& z, ApgdWorkspace& work,
              Monitor& monitor) {
    double lipschitz = first_lipschitz(problem, work);
    const double smallest_lipschitz = 1e-3 * lipschitz;  // steps below rounding teach nothing
    first_product(problem, z, work);
    monitor.count_product();
    monitor.count_product();
    if (monitor.stop(0, z, work.product)) return;
    std::copy(z.begin(), z.end(), work.last.begin());
    std::copy(work.product.begin(), work.product.end(), work.last_product.begin());
    double theta = 1.0;
    double beta = 0.0;
    for (std::int64_t iteration = 1;; ++iteration) {
        const Extrapolation at{z.data(), work.last.data(), work.product.data(),
                               work.last_product.data(), beta};
        Sums sums;
        for (int doubling = 0;; ++doubling) {
            sums = step(problem, at, lipschitz, work);
            monitor.count_product();
            const auto [curvature, size, scale, turn] = sums.value;
            if (doubling == most_doublings || curvature <= lipschitz * size ||
                size <= 1e-30 * scale)
                break;
            lipschitz *= 2.0;
            ++monitor.info().backtracks;
        }
        if (sums.value[3] > 0.0) {
            theta = 1.0;
            beta = 0.0;
            ++monitor.info().restarts;
        } else {
            const double next = 0.5 * (-theta * theta + theta * std::sqrt(theta * theta + 4.0));
            beta = theta * (1.0 - theta) / (theta * theta + next);
            theta = next;
        }
        work.last.swap(z);  // z+ becomes z, z becomes the last, the last's place is free
        work.last_product.swap(work.product);
        z.swap(work.next);
        work.product.swap(work.next_product);
        lipschitz = std::max(shrink * lipschitz, smallest_lipschitz);
        const bool due = iteration <= every_iteration_until || iteration % check_every == 0 ||
                         monitor.last(iteration);
        if (due && monitor.stop(iteration, z, work.product)) return;
    }
}

}  // namespace perp
