// Every complementary solution of a small mixed BLCP by trying all states of all rows: the oracle
// of the pivoting methods.
#pragma once

#include "support.hpp"

namespace perp::test {

struct SmallBlcp {
    Dense H;
    std::vector<double> q, lo, hi;

    [[nodiscard]] std::int64_t size() const { return H.rows; }
    [[nodiscard]] std::vector<double> velocity(const std::vector<double>& z) const {
        std::vector<double> w = H * z;
        for (std::size_t i = 0; i < w.size(); ++i) w[i] += q[i];
        return w;
    }
};

// How far (z, w) is from complementary, in z's and w's own units: 0 at a solution.
inline double violation(const SmallBlcp& p, const std::vector<double>& z,
                        const std::vector<double>& w) {
    double worst = 0.0;
    for (std::int64_t i = 0; i < p.size(); ++i) {
        const double x = std::min(std::max(z[i] - w[i], p.lo[i]), p.hi[i]);
        worst = std::max(worst, std::abs(z[i] - x));
    }
    return std::isnan(worst) ? infinity : worst;
}

// Solves by elimination with complete pivoting; false where the matrix is singular and the system
// contradicts itself. Free unknowns are 0.
inline bool solve_any(Dense m, std::vector<double> right, std::vector<double>& x) {
    const std::int64_t n = m.rows;
    std::vector<std::int64_t> column(n);
    for (std::int64_t i = 0; i < n; ++i) column[i] = i;
    x.assign(n, 0.0);
    std::int64_t rank = 0;
    for (; rank < n; ++rank) {
        std::int64_t r = rank, c = rank;
        for (std::int64_t i = rank; i < n; ++i)
            for (std::int64_t j = rank; j < n; ++j)
                if (std::abs(m(i, j)) > std::abs(m(r, c))) {
                    r = i;
                    c = j;
                }
        if (std::abs(m(r, c)) < 1e-12) break;
        for (std::int64_t j = 0; j < n; ++j) std::swap(m(r, j), m(rank, j));
        for (std::int64_t i = 0; i < n; ++i) std::swap(m(i, c), m(i, rank));
        std::swap(right[r], right[rank]);
        std::swap(column[c], column[rank]);
        for (std::int64_t i = 0; i < n; ++i) {
            if (i == rank) continue;
            const double factor = m(i, rank) / m(rank, rank);
            for (std::int64_t j = 0; j < n; ++j) m(i, j) -= factor * m(rank, j);
            right[i] -= factor * right[rank];
        }
    }
    for (std::int64_t i = rank; i < n; ++i)
        if (std::abs(right[i]) > 1e-10) return false;
    for (std::int64_t i = 0; i < rank; ++i) x[column[i]] = right[i] / m(i, i);
    return true;
}

struct Enumeration {
    std::vector<std::vector<double>> z, w;  // of the solutions found, basic ones
    [[nodiscard]] bool solvable() const { return !z.empty(); }
};

// Tries all 3^p states. Finds every isolated solution; of a continuum its corners, and unless a
// singular basis hides it (its dependent unknowns are tried at 0 only) one point at least.
inline Enumeration enumerate_bases(const SmallBlcp& p, double tolerance = 1e-9) {
    const std::int64_t n = p.size();
    std::vector<int> state(n, 0);  // 0 basic, 1 at lo, 2 at hi
    Enumeration found;
    while (true) {
        Dense m(n, n);
        std::vector<double> right(n), z;
        bool possible = true;
        for (std::int64_t i = 0; i < n; ++i) {
            const double bound = state[i] == 1 ? p.lo[i] : p.hi[i];
            if (state[i] != 0) possible = possible && std::isfinite(bound);
            for (std::int64_t j = 0; j < n; ++j)
                m(i, j) = state[i] == 0 ? p.H(i, j) : (i == j ? 1.0 : 0.0);
            right[i] = state[i] == 0 ? -p.q[i] : bound;
        }
        if (possible && solve_any(m, right, z)) {
            const std::vector<double> w = p.velocity(z);
            if (violation(p, z, w) <= tolerance * (1.0 + largest(z))) {
                found.z.push_back(z);
                found.w.push_back(w);
            }
        }
        std::int64_t i = 0;
        while (i < n && state[i] == 2) state[i++] = 0;
        if (i == n) return found;
        ++state[i];
    }
}

}  // namespace perp::test
