// Júdice-Pires pivoting for the mixed BLCP inside a proximal point loop (algorithms.md 2.2-2.8).
//
//   cold:  block exchanges while they are quick; else an interior point to 1e-8, then exchanges;
//          line searches where these fail
//   warm:  exchanges from the given set
//   unsymmetric, or not positive semidefinite: exchanges with LU factors, then Lemke's method;
//   at last all basic sets of small blocks
//
// The proximal loop moves its centre to the solution of the inner problem, which has
// delta = 1e-4 ... 1e-9 of the row's own diagonal on rows with bounds, and 1e-9 on bilateral rows:
// bases are never singular, redundant rows do no harm, and the limit is the exact solution.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/block_exchange.hpp"
#include "solvers/box_interior_point.hpp"
#include "solvers/box_line_search.hpp"
#include "solvers/ldl_basis.hpp"
#include "solvers/lemke.hpp"
#include "solvers/lu_basis.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

struct PivotingWorkspace {
    explicit PivotingWorkspace(const MixedForm& form);
    // The form has other values, perhaps another pattern, and the same size.
    void renew(const MixedForm& form);
    // The symmetric side, and what stands in where it does not fit; each made when needed.
    std::unique_ptr<LdlBasis> ldl;
    std::unique_ptr<BoxLineSearch> line_search;
    std::unique_ptr<LuBasis> lu;
    std::unique_ptr<LemkeWorkspace> lemke;
    BlockExchange exchange;
    BoxInteriorPoint interior;
    std::vector<double> delta, w, ray, ray_velocity, ray_product, ray_next;
    std::vector<std::int8_t> state;  // the final basic set
};

// z: scaled, a guess in; the answer is monitor.best(). A start set (-1, 0, 1 per row) may be given;
// else `warm` says that the guess tells the set.
void run_pivoting(const MixedForm& form, std::vector<double>& z, std::span<const std::int8_t> set,
                  bool warm, PivotingWorkspace& work, PivotMonitor& monitor);

// The last stage of the symmetric side alone: the proximal loop around line searches, from delta
// down. n > 0 and symmetric. False: it gave up.
bool run_line_search(const MixedForm& form, std::vector<double>& z, double delta,
                     PivotingWorkspace& work, PivotMonitor& monitor);

}  // namespace perp
