// Thousands of small problems against the enumeration of all their sets: degenerate, dependent,
// with and without a solution.
#include <numeric>
#include <tuple>

#include "keller_support.hpp"

namespace perp::test {
namespace {

struct Small {
    Dense H;
    Vector q, lo, hi;
};

// Sets as numbers of base 3: -1 at lo, 0 basic, 1 at hi.
bool next_set(std::vector<int>& set, const Small& p) {
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (++set[i]; set[i] <= 1; ++set[i]) {
            if (set[i] == 0 && p.lo[i] < p.hi[i]) return true;
            if (set[i] == 1 && std::isfinite(p.hi[i]) && p.lo[i] < p.hi[i]) return true;
        }
        set[i] = std::isfinite(p.lo[i]) ? -1 : 0;
    }
    return false;
}

// One solution of H_FF z_F = right by elimination with full pivoting, dependent unknowns at 0.
// False where there is none.
bool solve_consistent(Dense a, Vector& x) {
    const std::int64_t n = a.rows;
    std::vector<std::int64_t> column(n);
    std::iota(column.begin(), column.end(), 0);
    Vector b = x;
    std::int64_t rank = 0;
    for (; rank < n; ++rank) {
        std::int64_t pi = rank, pj = rank;
        for (std::int64_t i = rank; i < n; ++i)
            for (std::int64_t j = rank; j < n; ++j)
                if (std::abs(a(i, j)) > std::abs(a(pi, pj))) std::tie(pi, pj) = std::tuple(i, j);
        if (std::abs(a(pi, pj)) < 1e-10) break;
        for (std::int64_t j = 0; j < n; ++j) std::swap(a(rank, j), a(pi, j));
        std::swap(b[rank], b[pi]);
        for (std::int64_t i = 0; i < n; ++i) std::swap(a(i, rank), a(i, pj));
        std::swap(column[rank], column[pj]);
        for (std::int64_t i = 0; i < n; ++i) {
            const double factor = i == rank ? 0.0 : a(i, rank) / a(rank, rank);
            for (std::int64_t j = rank; j < n; ++j) a(i, j) -= factor * a(rank, j);
            b[i] -= factor * b[rank];
        }
    }
    x.assign(n, 0.0);
    for (std::int64_t i = 0; i < rank; ++i) x[column[i]] = b[i] / a(i, i);
    for (std::int64_t i = rank; i < n; ++i)
        if (std::abs(b[i]) > 1e-9) return false;
    return true;
}

// z of a set that satisfies all signs, empty where no set does. Solvable problems have such a set:
// of the minimizers of a convex quadratic, a vertex of their polyhedron makes H_FF regular.
Vector enumerate(const Small& p) {
    const std::int64_t n = p.H.rows;
    std::vector<int> set(n);
    for (std::int64_t i = 0; i < n; ++i) set[i] = std::isfinite(p.lo[i]) ? -1 : 0;
    do {
        Vector z(n, 0.0);
        std::vector<std::int64_t> F;
        for (std::int64_t i = 0; i < n; ++i) {
            if (set[i] == 0)
                F.push_back(i);
            else
                z[i] = set[i] < 0 ? p.lo[i] : p.hi[i];
        }
        const auto k = static_cast<std::int64_t>(F.size());
        const Vector fixed_part = p.H * z;
        Dense a(k, k);
        Vector x(k);
        for (std::int64_t i = 0; i < k; ++i) {
            x[i] = -p.q[F[i]] - fixed_part[F[i]];
            for (std::int64_t j = 0; j < k; ++j) a(i, j) = p.H(F[i], F[j]);
        }
        if (!solve_consistent(a, x)) continue;
        for (std::int64_t i = 0; i < k; ++i) z[F[i]] = x[i];
        const Vector product = p.H * z;
        bool fits = true;
        for (std::int64_t i = 0; i < n; ++i) {
            const double w = product[i] + p.q[i];
            fits = fits && z[i] >= p.lo[i] - 1e-9 && z[i] <= p.hi[i] + 1e-9;
            if (p.lo[i] == p.hi[i] || set[i] == 0) continue;
            fits = fits && (set[i] < 0 ? w >= -1e-9 : w <= 1e-9);
        }
        if (fits) return z;
    } while (next_set(set, p));
    return {};
}

// Entries and data from few integers: degenerate, dependent, often without a solution.
Small small_problem(std::int64_t n, Random& random) {
    Small p;
    const std::int64_t rank = random.below(n + 1);
    const bool integers = random.below(2) == 0;
    Dense J = random_rows(n, rank, random);
    if (integers)
        for (double& x : J.a) x = static_cast<double>(random.below(5)) - 2.0;
    p.H = rank == 0 ? Dense(n, n) : J * transposed(J);
    p.q.resize(n);
    p.lo.assign(n, -infinity);
    p.hi.assign(n, infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        p.q[i] = integers ? static_cast<double>(random.below(7)) - 3.0 : random.uniform(-2, 2);
        const std::int64_t kind = random.below(6);
        if (kind != 0 && kind != 2) p.lo[i] = static_cast<double>(random.below(3)) - 1.0;
        if (kind == 2) p.hi[i] = static_cast<double>(random.below(3));
        if (kind == 3 || kind == 4) p.hi[i] = p.lo[i] + static_cast<double>(random.below(3));
        if (kind == 5 && random.below(4) == 0) p.hi[i] = p.lo[i];
    }
    // Half of the velocities in the range of H: else most problems have no solution.
    if (random.below(2) == 0) {
        Vector z(n);
        for (std::int64_t i = 0; i < n; ++i)
            z[i] = std::min(std::max(random.uniform(), p.lo[i]), p.hi[i]);
        p.q = p.H * z;
        for (std::int64_t i = 0; i < n; ++i)
            p.q[i] = -p.q[i] + (z[i] == p.lo[i]   ? 1.0
                                : z[i] == p.hi[i] ? -1.0
                                                  : 0.0) *
                                   static_cast<double>(random.below(2));
    }
    return p;
}

TEST(KellerBruteForce, ThreeThousandSmallProblems) {
    Random random(201);
    int without = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::int64_t n = 1 + i % (i % 10 == 0 ? 8 : 6);
        const Small p = small_problem(n, random);
        const Vector expected = enumerate(p);
        const Shared problem = blcp(p.H, p.q, p.lo, p.hi);
        const Found found = keller(*problem, 1e-11);
        if (expected.empty()) {
            ++without;
            EXPECT_EQ(found.info.outcome, Outcome::no_solution) << i;
            continue;
        }
        EXPECT_EQ(found.info.outcome, Outcome::solved) << i << " eta " << eta_of(*problem, found.z);
        Vector u = p.H * expected;
        for (std::int64_t k = 0; k < n; ++k) u[k] += p.q[k];
        EXPECT_LE(distance(found.u, u), 1e-8 * (1.0 + largest(expected))) << i;
        const Found again = keller(*problem, 1e-11, found.state);
        EXPECT_EQ(again.info.outcome, Outcome::solved) << i;
        EXPECT_EQ(again.info.single_pivots, 0) << i;
    }
    EXPECT_GT(without, 100);
    EXPECT_LT(without, 2000);
}

}  // namespace
}  // namespace perp::test
