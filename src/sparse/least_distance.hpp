// The point nearest to the origin that satisfies small dense inequalities G x >= h, or none
// (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23): problem LDP by NNLS.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace perp {

class LeastDistance {
public:
    // At most so many unknowns and inequalities.
    LeastDistance(std::int64_t unknowns, std::int64_t inequalities);

    // G: unknowns x inequalities, a column an inequality, each of unit length. Returns
    // 1 / sqrt(1 + |x|^2), which is 0 where the inequalities contradict each other; x then is 0.
    double solve(std::span<const double> G, std::span<const double> h, std::span<double> x);

private:
    void residual();
    std::int64_t most_wanted() const;
    bool least_squares();
    void step_to_positive();

    std::int64_t rows_ = 0, columns_ = 0;  // of E = [G; h']
    std::vector<double> e_, u_, rest_, factors_, trial_, right_, work_;
    std::vector<std::int32_t> passive_;
    std::vector<std::uint8_t> is_passive_, barred_;
};

}  // namespace perp
