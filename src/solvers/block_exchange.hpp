// Júdice and Pires' basic-set pivoting on the proximal problem with fixed centre and delta
// (algorithms.md 2.1, 2.2): find z with
//
//   lo <= z <= hi complementary to w = S z + r + delta (z - centre).
//
// Every row is basic (w = 0), at lo or at hi. All rows that violate their bounds or signs are
// exchanged at once, in the primal-dual active set form (Hintermueller, Ito, Kunisch 2003: a row
// may jump from bound to bound), as long as the number of violations falls, or failed to at most
// `patience` times (Portugal, Judice, Vicente 1994; Kim, Park 2011). Then, and when a set comes
// back, rows are exchanged one at a time, the one of largest index (Murty): that ends for every
// P-matrix, but may take long.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/basis.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp {

class BlockExchange {
public:
    explicit BlockExchange(const MixedForm& form);

    enum class Result : std::uint8_t {
        converged,
        stalled,  // limits reached, or a set came back in the single phase
        failed,   // the basis is singular or has the wrong inertia
        stopped,  // by the monitor
    };
    struct Limits {
        int block_steps = 30;
        int single_pivots = 50;
        bool quick = false;  // stalled as soon as three block steps do not halve the violations
    };

    // The set that a point and its velocity suggest: z - w / d beyond lo, beyond hi, or between.
    void set_from(std::span<const double> z, std::span<const double> w);
    // A given set: -1 at lo, 0 basic, 1 at hi; corrected where bounds do not exist.
    void set_states(std::span<const std::int8_t> state);
    // Runs from the current set with delta (per row) and centre.
    Result run(Basis& basis, std::span<const double> delta, std::span<const double> centre,
               const Limits& limits, PivotMonitor& monitor);

    [[nodiscard]] const std::vector<std::int8_t>& states() const { return state_; }
    [[nodiscard]] const std::vector<double>& z() const { return z_; }
    [[nodiscard]] const std::vector<double>& w() const { return w_; }
    [[nodiscard]] int steps() const { return steps_; }           // systems solved by the last run
    [[nodiscard]] bool exchanged() const { return exchanged_; }  // its set changed

private:
    struct Change {
        std::int32_t row;
        std::int8_t state;
    };
    void solve(Basis& basis);
    void find_violations(double tolerance);
    void start(std::span<const double> delta, std::span<const double> centre);
    bool choose(bool again, const Limits& limits, Info& info);
    bool apply(Basis& basis);
    [[nodiscard]] std::uint64_t word(std::int64_t row, std::int8_t state) const;
    bool seen_before();
    bool too_slow(int block_step);

    const MixedForm& form_;
    std::vector<std::int8_t> state_;
    std::vector<double> z_, v_, w_, f_, g_, z_basic_, centre_, delta_;
    std::vector<Change> changes_;
    double worst_ = 0.0;  // violation
    std::uint64_t hash_ = 0;
    std::vector<std::uint64_t> seen_;
    std::size_t earlier_[3] = {};  // violations three, two, one block steps ago, in turn
    std::size_t fewest_ = 0;       // violations so far
    int left_ = 0;                 // block steps without fewer that are still allowed
    int steps_ = 0, block_steps_ = 0, single_pivots_ = 0;
    bool exchanged_ = false;
};

}  // namespace perp
