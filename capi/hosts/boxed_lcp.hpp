// Boxed LCPs with friction indices, as rigid-body engines hand them to their solvers:
//
//   A x = b + w,   lo <= x <= hi,   w >= 0 at lo, <= 0 at hi, = 0 between,
//   friction rows: -mu x[normal] <= x <= mu x[normal].
//
// A is dense in the engine and mostly zero. perp takes it as a sparse BLCP with tied bounds: the
// friction index is solved by an outer iteration (perp_problem_set_ties) until x obeys the bounds
// that it gives itself, not frozen once. For the adapters in bullet.hpp and dart.hpp.
#ifndef PERP_HOSTS_BOXED_LCP_HPP
#define PERP_HOSTS_BOXED_LCP_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answer.hpp"
#include "perp/perp.hpp"

namespace perp {
namespace hosts {

// Settings that suit an engine's step: exact answers of a pivoting method.
inline Settings engine_settings() {
    Settings s;
    s.method = PERP_PIVOTING;
    s.tolerance = 1e-8;
    s.warm_start = 1;
    return s;
}

// Several units of the last place of the engine's scalar.
template <class Scalar>
constexpr double rounding_of() {
    return sizeof(Scalar) == sizeof(float) ? 1e-6 : 1e-9;
}

// One boxed LCP after the other. Keeps problem and solver while A has the same nonzeros, so that
// the second solve of a step (split impulses: another b) begins with the factors of the first.
class BoxedLcp {
public:
    struct Row {
        double b, lo, hi;
        std::int64_t
            normal;  // index of its normal row: then hi is mu and lo is not looked at. Or -1
    };

    // regularization: what is added to the diagonal of A, relative to it; redundant contacts make A
    // singular up to the rounding of the engine. acceptable_eta: answers that are not solved to the
    // tolerance but as good as this are taken.
    explicit BoxedLcp(double regularization, const Settings& settings = engine_settings(),
                      double acceptable_eta = 1e-4)
        : settings_(settings), regularization_(regularization), acceptable_eta_(acceptable_eta) {}

    // entry(i, j): A_ij; the mean of A_ij and A_ji is taken. x: a guess in, the answer out. False,
    // and x stays: no answer, failure() tells why. Bounds from `infinity` on are none.
    template <class Entry>
    bool solve(std::int64_t n, Entry&& entry, const std::vector<Row>& rows, std::vector<double>& x,
               double infinity = std::numeric_limits<double>::infinity()) noexcept {
        try {
            failure_.clear();
            take_matrix(n, entry);
            take_rows(rows, infinity);
            z_ = x;
            info_ = solver_->solve(z_);
            if (!is_usable(info_, acceptable_eta_) || !all_finite(z_)) {
                failure_ = perp_outcome_text(info_.outcome);
                return false;
            }
            x = z_;
            return true;
        } catch (const std::exception& error) {
            solver_.reset();  // of a problem that may be half changed
            problem_.reset();
            failure_ = error.what();
            return false;
        }
    }

    const perp_info& info() const noexcept { return info_; }  // of the last solve
    // Why the last solve returned false; else empty.
    const std::string& failure() const noexcept { return failure_; }

private:
    // Entries that are zero now and then stay in the pattern, as long as these are few: the solver
    // then keeps its analysis of the matrix.
    template <class Entry>
    void take_matrix(std::int64_t n, Entry&& entry) {
        const auto size = static_cast<std::size_t>(n * n);
        const bool again = problem_ && h_.rows() == n;
        if (!again) stored_.assign(size, 0);
        mean_.resize(size);
        std::int64_t nonzeros = 0, fresh = 0;
        std::size_t k = 0;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j, ++k) {
                mean_[k] =
                    0.5 * (static_cast<double>(entry(i, j)) + static_cast<double>(entry(j, i)));
                if (i == j) mean_[k] *= 1.0 + regularization_;
                if (mean_[k] == 0.0) continue;
                ++nonzeros;
                fresh += stored_[k] == 0 ? 1 : 0;
            }
        const auto stored = static_cast<std::int64_t>(h_.count());
        const bool many_zeros = again && 4 * (stored + fresh) > 5 * nonzeros;
        if (many_zeros) stored_.assign(size, 0);
        Triplets h(n, n);
        k = 0;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j, ++k) {
                if (mean_[k] != 0.0) stored_[k] = 1;
                if (stored_[k] != 0) h.add(i, j, mean_[k]);
            }
        if (!again || fresh > 0 || many_zeros) {
            const std::vector<double> zero(static_cast<std::size_t>(n));
            solver_.reset();
            problem_.emplace(Problem::blcp(h, zero));
            solver_.emplace(*problem_, settings_);
            tied_.clear();
        } else if (h.values() != h_.values()) {
            problem_->update(h.values());
        }
        h_ = std::move(h);
    }

    void take_rows(const std::vector<Row>& rows, double infinity) {
        constexpr double none = std::numeric_limits<double>::infinity();
        q_.clear();
        lo_.clear();
        hi_.clear();
        std::vector<std::int64_t> tied, normal;
        std::vector<double> mu;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& row = rows[i];
            const bool friction = row.normal >= 0;
            q_.push_back(-row.b);
            lo_.push_back(friction || row.lo <= -infinity ? -none : row.lo);
            hi_.push_back(friction || row.hi >= infinity ? none : row.hi);
            if (!friction) continue;
            tied.push_back(static_cast<std::int64_t>(i));
            normal.push_back(row.normal);
            mu.push_back(row.hi);
        }
        if (!tied_.empty() && tied != tied_) problem_->set_ties({}, {}, View(mu.data(), 0));
        problem_->set_vectors(q_, lo_, hi_);
        if (!tied.empty() && (tied != tied_ || normal != normal_ || mu != mu_))
            problem_->set_ties(tied, normal, mu);
        tied_ = std::move(tied);
        normal_ = std::move(normal);
        mu_ = std::move(mu);
    }

    Settings settings_;
    double regularization_, acceptable_eta_;
    Triplets h_;
    std::vector<double> mean_;           // of A and A', dense
    std::vector<unsigned char> stored_;  // its entries that h_ has
    std::optional<Problem> problem_;
    std::optional<Solver> solver_;
    std::vector<std::int64_t> tied_, normal_;
    std::vector<double> mu_, q_, lo_, hi_, z_;
    perp_info info_ = detail::sized<perp_info>();
    std::string failure_;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_BOXED_LCP_HPP
