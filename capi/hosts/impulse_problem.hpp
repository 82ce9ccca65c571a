// Impulses on constraint rows of many kinds, where an engine hands over the dense matrix W of its
// rows and not masses and Jacobians:
//
//   v = v0 + W p,   W symmetric positive semidefinite,
//
// with p free, in bounds, on one side with Coulomb friction in a disc, or in a disc of a given
// radius. Signs: p acts along v. For the adapter in simbody.hpp.
//
// W is split into J J', so that perp gets a system with masses 1 and Jacobians J: contacts in exact
// cones (PERP_LAW_COULOMB), free rows and bounds in one problem. Neither of the matrix forms holds
// all of these: a Delassus form has no bounds, and the ties of a BLCP are a box, not a disc.
#ifndef PERP_HOSTS_IMPULSE_PROBLEM_HPP
#define PERP_HOSTS_IMPULSE_PROBLEM_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "perp/perp.hpp"

namespace perp {
namespace hosts {

// W = S L L' S, S diagonal with S_i^2 = W_ii, by Cholesky's method with complete pivoting. Rows
// that depend on others up to rounding then depend on them exactly.
class PsdFactor {
public:
    // entry(i, j): W_ij; the mean of W_ij and W_ji is taken. Throws where W is not finite or not
    // positive semidefinite.
    template <class Entry>
    PsdFactor(std::size_t n, Entry&& entry) : scale_(n) {
        std::vector<double> rest(n * n);
        for (std::size_t i = 0; i < n; ++i) {
            const double diagonal = entry(i, i);
            if (!std::isfinite(diagonal) || diagonal < 0.0)
                throw std::runtime_error("the matrix of the rows has a bad diagonal");
            scale_[i] = std::sqrt(diagonal);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const double mean = 0.5 * (entry(i, j) + entry(j, i));
                const double unit = scale_[i] * scale_[j];
                rest[i * n + j] = unit > 0.0 ? mean / unit : mean;
                if (!std::isfinite(rest[i * n + j]))
                    throw std::runtime_error("the matrix of the rows is not finite");
            }
        eliminate(rest);
        for (const double r : rest)
            if (!(std::abs(r) <= 1e-9))
                throw std::runtime_error("the matrix of the rows is not positive semidefinite");
    }

    std::size_t size() const noexcept { return scale_.size(); }
    std::size_t rank() const noexcept { return columns_.size(); }
    double scale(std::size_t i) const { return scale_[i]; }
    double diagonal(std::size_t i) const { return scale_[i] * scale_[i]; }
    const std::vector<double>& column(std::size_t k) const { return columns_[k]; }  // of L

private:
    void eliminate(std::vector<double>& rest) {
        const std::size_t n = scale_.size();
        std::vector<std::size_t> nonzero;
        while (columns_.size() < n) {
            std::size_t pivot = 0;
            for (std::size_t i = 1; i < n; ++i)
                if (rest[i * n + i] > rest[pivot * n + pivot]) pivot = i;
            if (rest[pivot * n + pivot] <= dependent) break;
            const double root = std::sqrt(rest[pivot * n + pivot]);
            std::vector<double> column(n);
            nonzero.clear();
            for (std::size_t i = 0; i < n; ++i) {
                column[i] = rest[i * n + pivot] / root;
                if (column[i] != 0.0) nonzero.push_back(i);
            }
            for (const std::size_t i : nonzero)
                for (const std::size_t j : nonzero) rest[i * n + j] -= column[i] * column[j];
            for (std::size_t i = 0; i < n; ++i) rest[i * n + pivot] = rest[pivot * n + i] = 0.0;
            columns_.push_back(std::move(column));
        }
    }

    static constexpr double dependent = 1e-12;  // what is left of a diagonal of 1
    std::vector<double> scale_;
    std::vector<std::vector<double>> columns_;
};

// The x of least norm among those of least |L L' x - b|: L K^-2 L' b with K = L' L.
// solve(solver, y): as Solver::solve, and throws where y is no answer.
template <class Solve>
std::vector<double> least_squares(const PsdFactor& factor, const std::vector<double>& b,
                                  const Settings& settings, Solve&& solve) {
    const std::size_t n = factor.size(), rank = factor.rank();
    std::vector<double> x(n), y(rank), minus(rank);
    if (rank == 0) return x;
    Triplets K(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(rank));
    const auto dot = [](const std::vector<double>& s, const std::vector<double>& t) {
        return std::inner_product(s.begin(), s.end(), t.begin(), 0.0);
    };
    for (std::size_t i = 0; i < rank; ++i)
        for (std::size_t j = 0; j < rank; ++j) {
            const double value = dot(factor.column(i), factor.column(j));
            if (value != 0.0)
                K.add(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), value);
        }
    for (std::size_t k = 0; k < rank; ++k) minus[k] = -dot(factor.column(k), b);
    Problem problem = Problem::blcp(K, minus);
    Solver solver(problem, settings);
    for (int times = 0; times < 2; ++times) {
        if (times == 1) {
            for (std::size_t k = 0; k < rank; ++k) minus[k] = -y[k];
            problem.set_vectors(minus);
        }
        solve(solver, y);
    }
    for (std::size_t k = 0; k < rank; ++k)
        for (std::size_t i = 0; i < n; ++i) x[i] += factor.column(k)[i] * y[k];
    return x;
}

class ImpulseProblem {
public:
    static constexpr double none = std::numeric_limits<double>::infinity();

    // v0: velocities of the rows without impulses. Each row is then added at most once; p is 0 in
    // rows that are not.
    ImpulseProblem(PsdFactor factor, std::vector<double> v0)
        : factor_(std::move(factor)), v0_(std::move(v0)), p_(v0_.size()) {}

    bool empty() const noexcept { return free_.empty() && boxes_.empty() && cones_.empty(); }
    void add_free(std::size_t row) { free_.push_back(row); }  // v = 0
    // lo <= p <= hi, v >= 0 at lo, v <= 0 at hi, v = 0 between.
    void add_box(std::size_t row, double lo, double hi) { boxes_.push_back({row, lo, hi}); }
    // sign p >= 0 and sign v >= 0, one of them 0; friction against sliding, up to
    // mu (|p of normal| + more).
    void add_contact(std::size_t normal, double sign, std::array<std::size_t, 2> friction,
                     double mu, double more) {
        cones_.push_back({normal, sign, 0.0, friction, mu});
        // A share of the same rows: both are against the same sliding, and so is their sum.
        if (mu * more > 0.0) cones_.push_back({fixed, 1.0, mu * more, friction, 1.0});
    }
    // Friction on one or two rows up to `radius`. Returns a name for set_radius.
    struct Disc {
        bool box = false;
        std::size_t index = 0;
    };
    Disc add_disc(const std::vector<std::size_t>& rows, double radius) {
        if (rows.size() == 1) {
            add_box(rows[0], -radius, radius);
            return {true, boxes_.size() - 1};
        }
        if (rows.size() != 2)
            throw std::runtime_error("friction in " + std::to_string(rows.size()) +
                                     " components: perp takes one or two");
        cones_.push_back({fixed, 1.0, radius, {rows[0], rows[1]}, 1.0});
        return {false, cones_.size() - 1};
    }
    void set_radius(const Disc& disc, double radius) {
        if (disc.box) {
            boxes_[disc.index].lo = -radius;
            boxes_[disc.index].hi = radius;
        } else {
            cones_[disc.index].radius = radius;
        }
    }

    // From the second time on from the last impulses. No more rows may then be added. Look at
    // outcome and eta: p() is the best found.
    perp_info solve(const Settings& settings) {
        const bool first = !problem_;
        take_vectors();
        if (first)
            assemble(settings);
        else
            problem_->set_rows(rows_);
        if (!first) solver_->set("warm_start", 1);
        const perp_info info = solver_->solve(z_);
        take_impulses();
        return info;
    }

    const std::vector<double>& p() const noexcept { return p_; }

private:
    static constexpr std::size_t fixed = static_cast<std::size_t>(-1);
    struct Box {
        std::size_t row;
        double lo, hi;
    };
    // normal = fixed: a normal impulse of `radius`, by a spring of its own that is loaded with it.
    struct Cone {
        std::size_t normal;
        double sign, radius;
        std::array<std::size_t, 2> friction;
        double mu;
    };

    double spring(const Cone& cone) const {
        const double mean =
            0.5 * (factor_.diagonal(cone.friction[0]) + factor_.diagonal(cone.friction[1]));
        return mean > 0.0 ? mean : 1.0;
    }

    void add_row(Triplets& to, std::size_t at, std::size_t row, double sign) const {
        const double scale = sign * factor_.scale(row);
        for (std::size_t k = 0; k < factor_.rank(); ++k) {
            const double value = factor_.column(k)[row];
            if (value != 0.0)
                to.add(static_cast<std::int64_t>(at), static_cast<std::int64_t>(k), scale * value);
        }
    }

    void assemble(const Settings& settings) {
        const auto n = static_cast<std::int64_t>(std::max<std::size_t>(factor_.rank(), 1));
        const auto rows = [n](std::size_t count) {
            return Triplets(static_cast<std::int64_t>(count), n);
        };
        Matrices m;
        m.M = Triplets(n, n);
        for (std::int64_t i = 0; i < n; ++i) m.M.add(i, i, 1.0);
        if (!free_.empty()) m.A = rows(free_.size());
        if (!boxes_.empty()) m.B = rows(boxes_.size());
        if (!cones_.empty()) {
            m.N = rows(cones_.size());
            m.D = rows(2 * cones_.size());
        }
        for (std::size_t i = 0; i < free_.size(); ++i) add_row(m.A, i, free_[i], 1.0);
        for (std::size_t i = 0; i < boxes_.size(); ++i) add_row(m.B, i, boxes_[i].row, 1.0);
        for (std::size_t i = 0; i < cones_.size(); ++i) {
            const Cone& cone = cones_[i];
            if (cone.normal != fixed) add_row(m.N, i, cone.normal, cone.sign);
            add_row(m.D, 2 * i, cone.friction[0], 1.0);
            add_row(m.D, 2 * i + 1, cone.friction[1], 1.0);
        }
        f_.assign(static_cast<std::size_t>(n), 0.0);
        rows_.f = f_;
        const System system(m);
        problem_.emplace(cones_.empty() ? Problem::box(system, rows_)
                                        : Problem::cone(system, rows_));
        if (!cones_.empty()) problem_->set_law(PERP_LAW_COULOMB);
        solver_.emplace(*problem_, settings);
    }

    void take_vectors() {
        u_.clear();
        for (auto* v : {&b_n_, &b_t_, &e_n_, &mu_, &b_b_, &lo_, &hi_}) v->clear();
        for (const std::size_t row : free_) u_.push_back(-v0_[row]);
        for (const Cone& cone : cones_) {
            const bool given = cone.normal == fixed;
            e_n_.push_back(given ? spring(cone) : 0.0);
            b_n_.push_back(given ? -spring(cone) * cone.radius : cone.sign * v0_[cone.normal]);
            for (const std::size_t row : cone.friction) b_t_.push_back(v0_[row]);
            mu_.push_back(cone.mu);
        }
        for (const Box& box : boxes_) {
            b_b_.push_back(v0_[box.row]);
            lo_.push_back(box.lo);
            hi_.push_back(box.hi);
        }
        rows_.u = u_;
        rows_.b_N = b_n_;
        rows_.b_T = b_t_;
        rows_.compliance_N = e_n_;
        rows_.mu = mu_;
        rows_.b_B = b_b_;
        rows_.lo_B = lo_;
        rows_.hi_B = hi_;
    }

    // Rows stacked as in perp.h; what rounding leaves outside of the bounds is cut off.
    void take_impulses() {
        p_.assign(p_.size(), 0.0);
        const double* z = z_.data();
        for (const std::size_t row : free_) p_[row] = *z++;
        const double* zt = z + cones_.size();
        for (std::size_t i = 0; i < cones_.size(); ++i, zt += 2) {
            const Cone& cone = cones_[i];
            const double normal = cone.normal == fixed ? cone.radius : std::max(0.0, z[i]);
            const double limit = cone.mu * normal, size = std::hypot(zt[0], zt[1]);
            const double cut = size > limit ? limit / size : 1.0;
            if (cone.normal != fixed) p_[cone.normal] = cone.sign * normal;
            p_[cone.friction[0]] += cut * zt[0];
            p_[cone.friction[1]] += cut * zt[1];
        }
        for (std::size_t i = 0; i < boxes_.size(); ++i, ++zt)
            p_[boxes_[i].row] = std::min(std::max(*zt, boxes_[i].lo), boxes_[i].hi);
    }

    PsdFactor factor_;
    std::vector<double> v0_, p_, z_;
    std::vector<std::size_t> free_;
    std::vector<Cone> cones_;
    std::vector<Box> boxes_;
    std::optional<Problem> problem_;
    std::optional<Solver> solver_;
    Rows rows_;
    std::vector<double> f_, u_, b_n_, b_t_, e_n_, mu_, b_b_, lo_, hi_;
};

}  // namespace hosts
}  // namespace perp

#endif  // PERP_HOSTS_IMPULSE_PROBLEM_HPP
