// Block projected Gauss-Seidel, matrix-free (algorithms.md 4). Blocks are contacts and intervals;
// v^ = Jh' zh is carried along, so a sweep streams every block's Jacobian once.
//
//   u_i = (S z + r)_i from v^;  z_i+ = P_i(z_i - omega g_i u_i);  v^ += Jh_i' (z_i+ - z_i)
//
// g_i = 1 / lambda_max(S_ii): with omega <= 1 the objective falls monotonically for every K
// (Tasora and Anitescu 2011 with a safe step; 3 / trace may exceed the bound). Intervals: exact.
// Sublinear on singular S: for accuracies of 1e-2 to 1e-3, as a smoother, or a few sweeps a frame.
//
// Under the exact Coulomb law a block is solved exactly, given the others (CoulombContact;
// Jourdan, Alart and Jean, Comput. Methods Appl. Mech. Engrg. 155 (1998)): fast where contacts are
// few or loosely coupled, without a proof that it converges.
#include "solvers/methods.hpp"

namespace perp {
PgsWorkspace::PgsWorkspace(const ScaledProblem& problem, const Settings& settings)
    : sweeper(problem, settings), product(problem.rows()), velocity(problem.velocities()) {}

void run_pgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
             PgsWorkspace& work, Monitor& monitor) {
    work.sweeper.start(problem, settings, z, work.velocity);
    for (std::int64_t iteration = 0;; ++iteration) {
        if (is_due(problem, settings, iteration) || monitor.last(iteration)) {
            problem.product(z, work.product, work.velocity);  // renews v^ as well
            monitor.count_product();
            if (monitor.stop(iteration, z, work.product)) return;
        }
        work.sweeper.sweep(problem, settings, z, work.velocity);
    }
}

}  // namespace perp
