// Bilateral rows solved exactly, once per product or sweep, so that first-order methods iterate on
// the contacts alone (architecture.md 3). In scaled variables (M = 1), with the velocities v that
// all impulses together cause, the bilateral rows want
//
//   A v + E l = -r_A.    One factorization of  [1  A'; A  -E - delta]  gives the change of l:
//   (A A' + E + delta) dl = -r_A - A v - E l,   l += dl,   v += A' dl.
//
// Started from l = 0 and v = Jc' zc this is v = P Jc' zc + const, P the projection on A v = 0: the
// contacts see the projected Delassus operator Jc P Jc'. delta is far below the rows' unit
// diagonal and keeps redundant rows harmless; repeated steps remove what it leaves behind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "problem/block_rows.hpp"
#include "sparse/ldl_factor.hpp"

namespace perp {

class Elimination {
public:
    // The first `count` of `rows` (one row per block, symmetric mass); E (empty: zero) and r_A of
    // each. Throws internal when the factorization fails.
    Elimination(const BlockRows& rows, std::int64_t count, std::span<const double> compliance,
                std::span<const double> free_velocity);

    // r_A has changed.
    void take_free_velocity(std::span<const double> free_velocity) {
        std::copy(free_velocity.begin(), free_velocity.end(), free_.begin());
    }

    [[nodiscard]] std::int64_t rows() const { return static_cast<std::int64_t>(free_.size()); }
    // Exact steps on the bilateral impulses l and velocities v, until the rows hold to rounding
    // (one step, or two, where rows do not depend on each other). `first` is where the rows are
    // now; `work` has work_size() entries.
    void solve(const BlockRows& rows, std::int64_t first, std::span<double> l, std::span<double> v,
               std::span<double> work) const;
    [[nodiscard]] std::int64_t work_size() const { return 2 * factor_.size(); }

private:
    std::int64_t touched_ = 0;  // velocities that the rows touch: the upper part of the system
    std::vector<double> compliance_, free_;
    LdlFactor factor_;
};

}  // namespace perp
