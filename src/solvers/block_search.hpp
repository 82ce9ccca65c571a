// All basic sets of a small dense block: every row with bounds at lo, basic or at hi, every other
// row basic. Finds the complementary set that fits best, or shows that there is none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/pivot_monitor.hpp"
#include "sparse/dense_factor.hpp"
#include "sparse/least_distance.hpp"

namespace perp {

// w = S z + q, lo <= z <= hi complementary to w.
struct DenseBlock {
    static constexpr std::int64_t most_rows = 60;
    static constexpr std::int64_t most_bounded = 12;

    std::int64_t rows = 0;
    std::vector<double> S;  // rows x rows, by columns
    std::vector<double> q, lo, hi;
};

// | z - clip(z - w, lo, hi) |
double block_residual(std::span<const double> z, std::span<const double> w,
                      std::span<const double> lo, std::span<const double> hi);

class BlockSearch {
public:
    BlockSearch();

    enum class Result : std::uint8_t {
        found,      // a point with a residual of at most `accepted`
        none,       // every set was refuted by more than rounding and `accepted`
        undecided,  // some set was not
        stopped,    // by the monitor
    };
    // `size`: of a typical velocity; `accepted`: residual of a point that is as good as a solution.
    Result run(const DenseBlock& block, double size, double accepted, PivotMonitor& monitor);
    [[nodiscard]] const std::vector<double>& z() const { return best_; }

private:
    bool visit_set(std::uint32_t mask);
    void choose(std::uint32_t mask);
    void fill_table();
    void solve_singular();
    bool visit_bounds(std::int64_t depth, double scale);
    bool visit_point(double scale);
    [[nodiscard]] double violation() const;
    bool move_in_null_space(double scale);
    bool gather_inequalities(double scale, double slack);
    void measure();
    [[nodiscard]] double threshold(double scale) const;
    [[nodiscard]] std::int64_t basic_count() const {
        return static_cast<std::int64_t>(basic_.size());
    }

    const DenseBlock* block_ = nullptr;
    PivotMonitor* monitor_ = nullptr;
    double size_ = 0.0, accepted_ = 0.0, margin_ = 0.0, best_residual_ = 0.0;
    bool undecided_ = false;
    int visited_ = 0;
    std::vector<std::int32_t> bounded_, basic_, bound_;
    std::int64_t nullity_ = 0, inequalities_ = 0;
    // By rows: z of the basic ones, w of the others, then what must vanish for a singular set to
    // have a solution; by columns: 1, then z of the rows at bounds.
    std::vector<double> table_, level_;
    std::vector<double> matrix_, right_;
    DenseFactor factor_;
    std::vector<double> null_, normals_, offsets_, move_;
    std::vector<std::int8_t> side_;  // of bound_
    std::vector<double> point_, z_, w_, best_;
    LeastDistance nearest_;
};

}  // namespace perp
