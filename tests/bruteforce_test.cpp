// A thousand small mixed BLCPs against the enumeration of all their bases.
#include <array>

#include "solver_support.hpp"
#include "solvers/solver.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

struct Blcp {
    Dense H;
    Vector q, lo, hi;

    [[nodiscard]] Vector velocity(const Vector& z) const {
        Vector u = H * z;
        for (std::size_t i = 0; i < u.size(); ++i) u[i] += q[i];
        return u;
    }
    [[nodiscard]] double objective(const Vector& z) const {
        const Vector u = velocity(z);
        double sum = 0.0;
        for (std::size_t i = 0; i < z.size(); ++i) sum += 0.5 * z[i] * (u[i] + q[i]);
        return sum;
    }
};

// Free, one-sided, boxed and fixed rows, around zero or not.
void draw_bounds(Blcp& p, Random& random) {
    const std::int64_t n = p.H.rows;
    p.lo.assign(n, -infinity);
    p.hi.assign(n, infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t kind = random.below(6);
        const double center = random.below(2) == 0 ? 0.0 : random.uniform();
        if (kind == 0) continue;
        if (kind != 1) p.lo[i] = center - (kind == 5 ? 0.0 : random.uniform(0.0, 0.5));
        if (kind != 2) p.hi[i] = kind == 5 ? p.lo[i] : center + random.uniform(0.0, 0.5);
    }
}

enum class Place : std::uint8_t { basic, lower, upper };

// The point of a basis: u = 0 in basic rows, the others at their bounds.
Vector point(const Blcp& p, const std::vector<Place>& place) {
    const std::int64_t n = p.H.rows;
    Dense system(n, n);
    Vector right(n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        if (place[i] == Place::basic) {
            for (std::int64_t j = 0; j < n; ++j) system(i, j) = p.H(i, j);
            right[i] = -p.q[i];
        } else {
            system(i, i) = 1.0;
            right[i] = place[i] == Place::lower ? p.lo[i] : p.hi[i];
        }
    }
    return inverse(system) * right;
}

double violation(const Blcp& p, const std::vector<Place>& place, const Vector& z) {
    const Vector u = p.velocity(z);
    double worst = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
        worst = std::max({worst, p.lo[i] - z[i], z[i] - p.hi[i]});
        if (p.lo[i] == p.hi[i]) continue;
        if (place[i] == Place::lower) worst = std::max(worst, -u[i]);
        if (place[i] == Place::upper) worst = std::max(worst, u[i]);
    }
    return std::isnan(worst) ? infinity : worst;
}

bool next(const Blcp& p, std::vector<Place>& place) {
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] == Place::basic && std::isfinite(p.lo[i])) {
            place[i] = Place::lower;
            return true;
        }
        if (place[i] != Place::upper && std::isfinite(p.hi[i]) && p.lo[i] != p.hi[i]) {
            place[i] = Place::upper;
            return true;
        }
        place[i] = p.lo[i] == p.hi[i] ? Place::lower : Place::basic;
    }
    return false;
}

// The best of all bases; its violation is at rounding where a solution exists.
Vector enumerate(const Blcp& p) {
    std::vector<Place> place(p.H.rows, Place::basic);
    for (std::size_t i = 0; i < place.size(); ++i)
        if (p.lo[i] == p.hi[i]) place[i] = Place::lower;
    Vector best;
    double least = infinity;
    do {
        const Vector z = point(p, place);
        const double v = violation(p, place, z);
        if (v >= least) continue;
        least = v;
        best = z;
    } while (next(p, place));
    EXPECT_LE(least, 1e-11);
    return best;
}

Vector solve(const Blcp& p, Method method, double tolerance) {
    Settings s;
    s.method = method;
    s.tolerance = tolerance;
    s.max_iterations = 1000000;
    const auto problem = std::make_shared<const Problem>(
        Problem::general_blcp(Entries(p.H).view(), p.q, p.lo, p.hi));
    Vector z(p.q.size());
    const Info info = Solver(problem, s).solve(z, {});
    EXPECT_EQ(info.outcome, Outcome::solved) << info.eta << " after " << info.iterations;
    return z;
}

Dense gram(std::int64_t n, std::int64_t rank, Random& random) {
    const Dense J = random_rows(n, rank, random);
    return J * transposed(J);
}

TEST(BruteForce, PositiveDefinite) {
    Random random(101);
    for (int i = 0; i < 400; ++i) {
        Blcp p;
        const std::int64_t n = 1 + i % 6;
        p.H = gram(n, n, random);
        for (std::int64_t k = 0; k < n; ++k) p.H(k, k) += 0.05;
        p.q = random.vector(n, -2.0, 2.0);
        draw_bounds(p, random);
        const Vector expected = enumerate(p);
        for (const Method method : iterating)
            EXPECT_LE(distance(solve(p, method, 1e-12), expected), 1e-8 * (1.0 + largest(expected)))
                << i << " " << name(method);
    }
}

// Singular H, q made from a solution, also where it is not strictly complementary: z need not be
// unique, u and the objective are.
TEST(BruteForce, PositiveSemidefinite) {
    Random random(102);
    for (int i = 0; i < 300; ++i) {
        Blcp p;
        const std::int64_t n = 2 + i % 5;
        p.H = gram(n, 1 + random.below(n - 1), random);
        draw_bounds(p, random);
        Vector z(n), u(n, 0.0);
        for (std::int64_t k = 0; k < n; ++k) {
            const double lo = std::max(p.lo[k], -1.0), hi = std::max(lo, std::min(p.hi[k], 1.0));
            z[k] = std::array{random.uniform(lo, hi), lo, hi}[random.below(3)];
            if (z[k] == p.lo[k]) u[k] = random.uniform(-0.5, 1.0);
            if (z[k] == p.hi[k]) u[k] = random.uniform(-1.0, 0.5);
            if (p.lo[k] != p.hi[k])
                u[k] = z[k] == p.lo[k] ? std::max(u[k], 0.0) : std::min(u[k], 0.0);
        }
        p.q = p.H * z;
        for (std::int64_t k = 0; k < n; ++k) p.q[k] = u[k] - p.q[k];
        for (const Method method : iterating) {
            const Vector found = solve(p, method, 1e-10);
            EXPECT_LE(distance(p.velocity(found), u), 1e-6) << i << " " << name(method);
            EXPECT_NEAR(p.objective(found), p.objective(z), 1e-8) << i << " " << name(method);
        }
    }
}

// Diagonally dominant, not symmetric: P-matrices on which Gauss-Seidel converges.
TEST(BruteForce, NotSymmetric) {
    Random random(103);
    for (int i = 0; i < 300; ++i) {
        Blcp p;
        const std::int64_t n = 1 + i % 6;
        p.H = random_rows(n, n, random);
        for (std::int64_t k = 0; k < n; ++k) {
            p.H(k, k) = 0.1;
            for (std::int64_t j = 0; j < n; ++j) p.H(k, k) += j == k ? 0.0 : std::abs(p.H(k, j));
        }
        p.q = random.vector(n, -2.0, 2.0);
        draw_bounds(p, random);
        const Vector expected = enumerate(p);
        EXPECT_LE(distance(solve(p, Method::pgs, 1e-13), expected),
                  1e-9 * (1.0 + largest(expected)))
            << i;
    }
}

}  // namespace
}  // namespace perp::test
