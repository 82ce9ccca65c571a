// Anderson acceleration of projected Gauss-Seidel (algorithms.md 5.4; Walker and Ni, SIAM J.
// Numer. Anal. 49 (2011), type II).
//
//   g = PGS(z), f = g - z                               Sweeper::sweep
//   dF, dG <- changes of f and g since the last sweep   remember
//   min |f - dF a|^2                                    MixingWeights (normal equations)
//   c = P(g - dG a)                                     mix
//   z+ = c if 1/2 z'Sz + r'z is lower there than at g   objective_change
//
// The objective falls at least as fast as by plain sweeps, so what they solve is solved. It needs a
// symmetric S. Cost per iteration: one sweep, one product with Jh', about 2 w + 10 passes over
// p-vectors for a window of w.
//
// The exact Coulomb law has no objective. There every c is taken, and given up after the next sweep
// where that moves much further than the shortest sweep so far: z goes back to g, and the window
// begins anew.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "solvers/methods.hpp"

namespace perp {
namespace {

constexpr double growth = 40.0;  // of |f|^2 over the least

// Changes of f and g into the window's `slot`, and the sums that they change: dF'dF and dF'f.
void remember(const ScaledProblem& problem, const std::vector<double>& z, std::size_t slot,
              std::size_t filled, AapgsWorkspace& work) {
    const std::size_t window = work.residual_change.size();
    parallel_parts(problem.threads(), problem.rows(),
                   [&](std::int64_t begin, std::int64_t end, std::int64_t p) {
                       double* df = work.residual_change[slot].data();
                       double* dg = work.next_change[slot].data();
                       for (std::int64_t i = begin; i < end; ++i) {
                           const double f = work.next[i] - z[i];
                           df[i] = f - work.residual[i];
                           dg[i] = work.next[i] - work.last_next[i];
                           work.residual[i] = f;
                           work.last_next[i] = work.next[i];
                       }
                       double* sums =
                           work.part_sums.data() + p * static_cast<std::int64_t>(2 * window);
                       for (std::size_t j = 0; j < filled; ++j) {
                           const double* other = work.residual_change[j].data();
                           double product = 0.0;
                           double projection = 0.0;
                           for (std::int64_t i = begin; i < end; ++i) {
                               product += df[i] * other[i];
                               projection += work.residual[i] * other[i];
                           }
                           sums[j] = product;
                           sums[window + j] = projection;
                       }
                   });
    for (std::size_t j = 0; j < filled; ++j) {
        double product = 0.0;
        double projection = 0.0;
        for (std::int64_t p = 0; p < parts_of(problem.rows()); ++p) {
            const double* sums = work.part_sums.data() + p * static_cast<std::int64_t>(2 * window);
            product += sums[j];
            projection += sums[window + j];
        }
        work.mixing.set_product(slot, j, product);
        work.mixing.projection[j] = projection;
    }
}

// z = P(g - dG a), v^ = Jh' z.
void mix(const ScaledProblem& problem, std::size_t filled, std::vector<double>& z,
         AapgsWorkspace& work) {
    parallel_parts(
        problem.threads(), problem.rows(), [&](std::int64_t begin, std::int64_t end, std::int64_t) {
            std::copy(work.next.begin() + begin, work.next.begin() + end, z.begin() + begin);
            for (std::size_t j = 0; j < filled; ++j) {
                const double* dg = work.next_change[j].data();
                const double a = work.mixing.weight[j];
                for (std::int64_t i = begin; i < end; ++i) z[i] -= a * dg[i];
            }
        });
    problem.project(z);
    work.sweeper.renew(problem, z, work.velocity);
}

// Of 1/2 z'Sz + r'z from g to z, as a sum of differences: two values would agree in all digits.
double objective_change(const ScaledProblem& problem, const std::vector<double>& z,
                        AapgsWorkspace& work) {
    const std::vector<double>& r = problem.free_velocity();
    std::vector<double>& sums = work.part_sums;
    const std::int64_t row_parts = parts_of(problem.rows());
    if (problem.matrix_form()) {  // (z - g) . (S (z + g) / 2 + r)
        for (std::size_t i = 0; i < z.size(); ++i) work.middle[i] = 0.5 * (z[i] + work.next[i]);
        problem.product(work.middle, work.product, work.velocity);
    }
    parallel_parts(problem.threads(), problem.rows(),
                   [&](std::int64_t begin, std::int64_t end, std::int64_t p) {
                       double sum = 0.0;
                       for (std::int64_t i = begin; i < end; ++i) {
                           const double slope =
                               problem.matrix_form()
                                   ? work.product[i]
                                   : 0.5 * problem.compliance(i) * (z[i] + work.next[i]);
                           sum += (z[i] - work.next[i]) * (slope + r[i]);
                       }
                       sums[p] = sum;
                   });
    parallel_parts(problem.threads(), problem.velocities(),
                   [&](std::int64_t begin, std::int64_t end, std::int64_t p) {
                       double sum = 0.0;
                       for (std::int64_t i = begin; i < end; ++i)
                           sum += 0.5 * (work.velocity[i] - work.next_velocity[i]) *
                                  (work.velocity[i] + work.next_velocity[i]);
                       sums[row_parts + p] = sum;
                   });
    double total = 0.0;
    for (std::int64_t p = 0; p < row_parts + parts_of(problem.velocities()); ++p) total += sums[p];
    return total;
}

// |f|^2.
double squared_residual(const ScaledProblem& problem, const std::vector<double>& z,
                        AapgsWorkspace& work) {
    std::vector<double>& sums = work.part_sums;
    parallel_parts(problem.threads(), problem.rows(),
                   [&](std::int64_t begin, std::int64_t end, std::int64_t p) {
                       double sum = 0.0;
                       for (std::int64_t i = begin; i < end; ++i) {
                           const double f = work.next[i] - z[i];
                           sum += f * f;
                       }
                       sums[p] = sum;
                   });
    double total = 0.0;
    for (std::int64_t p = 0; p < parts_of(problem.rows()); ++p) total += sums[p];
    return total;
}

// Of a run under the exact law.
struct Safeguard {
    double shortest = std::numeric_limits<double>::infinity();  // |f|^2

    // Whether the sweep from the mixed point z went so far that z is to be given up.
    bool rejects(double squared, bool mixed) {
        if (mixed && !(squared <= growth * shortest)) return true;
        shortest = std::min(shortest, squared);
        return false;
    }
};

}  // namespace

AapgsWorkspace::AapgsWorkspace(const ScaledProblem& problem, const Settings& settings)
    : sweeper(problem, settings),
      next(problem.rows()),
      last_next(problem.rows()),
      residual(problem.rows()),
      product(problem.rows()),
      middle(problem.matrix_form() ? problem.rows() : 0),
      velocity(problem.velocities()),
      next_velocity(problem.velocities()),
      mixing(settings.anderson_window) {
    const auto window = static_cast<std::size_t>(settings.anderson_window);
    next_change.assign(window, std::vector<double>(problem.rows()));
    residual_change = next_change;
    part_sums.resize(std::max(parts_of(problem.rows()) * 2 * settings.anderson_window,
                              parts_of(problem.rows()) + parts_of(problem.velocities())));
}

void run_aapgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
               AapgsWorkspace& work, Monitor& monitor) {
    const std::size_t window = work.residual_change.size();
    work.sweeper.start(problem, settings, z, work.velocity);
    Safeguard safeguard;
    std::size_t sweeps = 0;  // of this window: the first only makes what later changes refer to
    bool mixed = false;      // z
    for (std::int64_t iteration = 0;; ++iteration) {
        if (is_due(problem, settings, iteration) || monitor.last(iteration)) {
            problem.product(z, work.product, work.velocity);  // renews v^ as well
            monitor.count_product();
            if (monitor.stop(iteration, z, work.product)) return;
        }
        std::copy(z.begin(), z.end(), work.next.begin());
        std::copy(work.velocity.begin(), work.velocity.end(), work.next_velocity.begin());
        work.sweeper.sweep(problem, settings, work.next, work.next_velocity);
        if (problem.exact() && safeguard.rejects(squared_residual(problem, z, work), mixed)) {
            z.swap(work.last_next);
            work.sweeper.renew(problem, z, work.velocity);
            monitor.count_product();
            --monitor.info().accelerated;
            sweeps = 0;
            mixed = false;
            continue;
        }
        const std::size_t filled = std::min(sweeps, window);
        remember(problem, z, (sweeps + window - 1) % window, filled, work);
        ++sweeps;
        mixed = filled > 0 && work.mixing.solve(filled);
        if (mixed) {
            mix(problem, filled, z, work);
            monitor.count_product();
        }
        mixed = mixed && (problem.exact() || objective_change(problem, z, work) < 0.0);
        if (mixed) {
            ++monitor.info().accelerated;
        } else {
            z.swap(work.next);
            work.velocity.swap(work.next_velocity);
        }
    }
}

}  // namespace perp
