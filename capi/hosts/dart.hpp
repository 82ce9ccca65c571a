// perp in DART (6.12): a boxed LCP solver for BoxedLcpConstraintSolver.
//
//   world->setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(
//       std::make_shared<perp::hosts::DartBoxedLcpSolver>()));
//
// Friction rows stay within mu times their normal impulse, by an outer iteration. Where there is no
// answer it returns false with x = 0, and DART's secondary solver takes over; never true with an
// impulse that is not finite.
#ifndef PERP_HOSTS_DART_HPP
#define PERP_HOSTS_DART_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <dart/constraint/BoxedLcpSolver.hpp>

#include "boxed_lcp.hpp"

namespace perp {
namespace hosts {

class DartBoxedLcpSolver : public dart::constraint::BoxedLcpSolver {
public:
    // DART puts a relative 1e-5 on the diagonals of normal rows itself. largest_impulse: beyond, in
    // the engine's units, an answer is refused; a row of almost no effective mass asks for it.
    explicit DartBoxedLcpSolver(const Settings& settings = engine_settings(),
                                double regularization = rounding_of<double>(),
                                double largest_impulse = 1e12)
        : lcp_(regularization, settings), largest_impulse_(largest_impulse) {}

    const std::string& getType() const override { return getStaticType(); }
    static const std::string& getStaticType() {
        static const std::string type = "PerpBoxedLcpSolver";
        return type;
    }

    bool solve(int n, double* A, double* x, double* b, int /*nub*/, double* lo, double* hi,
               int* findex, bool /*earlyTermination*/ = false) override {
        const std::int64_t stride = n > 1 ? ((n - 1) | 3) + 1 : n;
        rows_.resize(static_cast<std::size_t>(n));
        x_.assign(x, x + n);
        for (int i = 0; i < n; ++i)
            rows_[static_cast<std::size_t>(i)] = {b[i], lo[i], hi[i],
                                                  findex[i] == i ? -1 : findex[i]};
        const auto entry = [A, stride](std::int64_t i, std::int64_t j) {
            return A[i * stride + j];
        };
        const bool solved = lcp_.solve(n, entry, rows_, x_) && sane();
        if (solved)
            std::copy(x_.begin(), x_.end(), x);
        else
            std::fill(x, x + n, 0.0);
        return solved;
    }

#ifndef NDEBUG
    bool canSolve(int /*n*/, const double* /*A*/) override { return true; }
#endif

    const perp_info& info() const noexcept { return lcp_.info(); }
    const std::string& failure() const noexcept { return lcp_.failure(); }

private:
    bool sane() const {
        return std::all_of(x_.begin(), x_.end(),
                           [this](double x) { return std::abs(x) <= largest_impulse_; });
    }

    BoxedLcp lcp_;
    double largest_impulse_;
    std::vector<BoxedLcp::Row> rows_;
    std::vector<double> x_;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_DART_HPP
