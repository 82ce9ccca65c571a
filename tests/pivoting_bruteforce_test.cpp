// Thousands of small problems of every class against the enumeration of all their sets, by the
// pivoting method itself and through a Solver: solved exactly where a solution exists.
#include "enumerate_basis.hpp"
#include "pivoting_support.hpp"

namespace perp::test {
namespace {

enum class Matrix : std::uint8_t { p, semidefinite, monotone, indefinite, general };

struct Class {
    const char* name;
    Matrix matrix;
    bool integers;  // ties, dependent rows, often no solution
    int count;
};

void PrintTo(const Class& c, std::ostream* out) { *out << c.name; }

// Of few digits: products are exact, and dependent rows stay so.
Vector draw(std::int64_t n, Random& random, bool integers) {
    Vector v = random.vector(n, -2.0, 2.0);
    for (double& x : v) x = integers ? std::round(x) : std::round(1024.0 * x) / 1024.0;
    return v;
}

Dense square(std::int64_t n, Random& random, bool integers) {
    return {n, n, draw(n * n, random, integers)};
}

Dense draw_matrix(Matrix kind, std::int64_t n, Random& random, bool integers) {
    Dense R = square(n, random, integers);
    switch (kind) {
        case Matrix::p:  // dominant diagonal, or triangular
            if (random.below(2) == 0) {
                for (std::int64_t i = 0; i < n; ++i) {
                    R(i, i) = 1.0;
                    for (std::int64_t j = 0; j < i; ++j) R(i, j) = 0.0;
                }
                return R;
            }
            for (std::int64_t i = 0; i < n; ++i) {
                R(i, i) = integers ? 1.0 : 0.1;
                for (std::int64_t j = 0; j < n; ++j) R(i, i) += j == i ? 0.0 : std::abs(R(i, j));
            }
            return R;
        case Matrix::semidefinite:
        case Matrix::monotone: {
            const std::int64_t rank = random.below(n + 1);
            const Dense J(n, rank, draw(n * rank, random, integers));
            Dense H = rank == 0 ? Dense(n, n) : J * transposed(J);
            for (std::int64_t i = 0; kind == Matrix::monotone && i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) H(i, j) += R(i, j) - R(j, i);
            return H;
        }
        case Matrix::indefinite:
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < i; ++j) R(i, j) = R(j, i);
            return R;
        case Matrix::general:
            break;
    }
    return R;
}

// Lower, upper, both, none, equal.
void draw_bounds(SmallBlcp& p, Random& random, bool integers) {
    const std::int64_t n = p.size();
    p.lo.assign(n, -infinity);
    p.hi.assign(n, infinity);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t kind = random.below(8);
        const double first = random.below(2) == 0 ? 0.0 : draw(1, random, integers)[0];
        const double width =
            integers ? static_cast<double>(1 + random.below(2)) : random.uniform(0.1, 1.0);
        if (kind == 0) continue;
        if (kind != 1) p.lo[i] = first;
        if (kind == 1) p.hi[i] = first;
        if (kind == 2) p.hi[i] = first;
        if (kind >= 3 && kind <= 5) p.hi[i] = first + width;
    }
}

SmallBlcp draw_problem(const Class& c, int number, Random& random) {
    const std::int64_t n = number % 40 == 0 ? 6 + number / 40 % 3 : 1 + number % 5;
    SmallBlcp p;
    p.H = draw_matrix(c.matrix, n, random, c.integers);
    p.q = draw(n, random, c.integers);
    draw_bounds(p, random, c.integers);
    // Half of the singular ones with a solution by construction.
    if (c.matrix == Matrix::p || random.below(2) == 0) return p;
    Vector z = draw(n, random, c.integers);
    for (std::int64_t i = 0; i < n; ++i) z[i] = std::min(std::max(z[i], p.lo[i]), p.hi[i]);
    const Vector Hz = p.H * z;
    for (std::int64_t i = 0; i < n; ++i) {
        const double w = static_cast<double>(random.below(2));
        p.q[i] = (z[i] == p.lo[i] ? w : z[i] == p.hi[i] ? -w : 0.0) - Hz[i];
    }
    return p;
}

struct Tally {
    int solved = 0, proved = 0, missed = 0, denied = 0, wrong = 0, unproved = 0;
    std::string numbers;  // of the problems missed, denied or wrong
};

class PivotingBruteForce : public testing::TestWithParam<Class> {
protected:
    // A verdict against all solutions.
    void judge(const SmallBlcp& p, const Enumeration& all, const Shared& problem, Outcome outcome,
               const Vector& z, const Vector& certificate, int number, Tally& tally) const {
        const Vector w = p.velocity(z);
        if (outcome == Outcome::solved) {
            ++tally.solved;
            EXPECT_LE(eta_of(*problem, z), 1e-9);
            EXPECT_LE(violation(p, z, w), 1e-7 * (1.0 + largest(z)));
            const bool unique = GetParam().matrix <= Matrix::semidefinite;
            const bool agrees =
                !unique || (all.solvable() &&
                            distance(w, all.w.front()) <= 1e-7 * (1.0 + largest(all.z.front())));
            if (agrees) return;
            ++tally.wrong;
            tally.numbers += " " + std::to_string(number);
            return;
        }
        if (all.solvable()) {
            ++(outcome == Outcome::no_solution ? tally.denied : tally.missed);
            tally.numbers += " " + std::to_string(number);
            return;
        }
        const bool proof = outcome == Outcome::no_solution && is_proof(*problem, certificate);
        ++(proof ? tally.proved : tally.unproved);
    }
    static void expect_right(const Class& c, const char* how, const Tally& tally) {
        SCOPED_TRACE(how + (", problems" + tally.numbers));
        RecordProperty(std::string(how) + "_solved", tally.solved);
        RecordProperty(std::string(how) + "_missed", tally.missed);
        EXPECT_EQ(tally.missed, 0) << "solvable, not solved; solved: " << tally.solved;
        EXPECT_EQ(tally.denied, 0) << "solvable, said to have no solution";
        EXPECT_EQ(tally.wrong, 0) << "another velocity";
        // Where no solution exists, a proof is owed for symmetric semidefinite matrices alone.
        if (c.matrix == Matrix::semidefinite) {
            EXPECT_EQ(tally.unproved, 0) << "no solution, not proved; proved: " << tally.proved;
            EXPECT_GT(tally.proved, c.count / 50);
        }
        EXPECT_GT(tally.solved, c.count / 4);
    }
};

TEST_P(PivotingBruteForce, SolvesWhatHasASolution) {
    const Class& c = GetParam();
    Random random(301 + static_cast<std::uint64_t>(c.matrix) * 2 + (c.integers ? 1 : 0));
    Tally direct, solver;
    for (int i = 0; i < c.count; ++i) {
        SCOPED_TRACE(i);
        const SmallBlcp p = draw_problem(c, i, random);
        const Enumeration all = enumerate_bases(p);
        const Shared problem = blcp(p.H, p.q, p.lo, p.hi);
        const Pivoted found = pivot(*problem, pivoting_settings(1e-11));
        judge(p, all, problem, found.info.outcome, found.z, found.certificate, i, direct);
        Solver s(problem, pivoting_settings(1e-11));
        Vector z(p.size(), 0.0);
        const Info info = s.solve(z, {});
        EXPECT_EQ(info.outcome == Outcome::solved, info.eta <= 1e-11);
        judge(p, all, problem, info.outcome, z, s.certificate(), i, solver);
    }
    expect_right(c, "run_pivoting", direct);
    expect_right(c, "Solver", solver);
}

INSTANTIATE_TEST_SUITE_P(
    Classes, PivotingBruteForce,
    testing::Values(Class{"P", Matrix::p, false, 1500}, Class{"PIntegers", Matrix::p, true, 1000},
                    Class{"Semidefinite", Matrix::semidefinite, false, 1500},
                    Class{"SemidefiniteIntegers", Matrix::semidefinite, true, 1500},
                    Class{"Monotone", Matrix::monotone, false, 750},
                    Class{"MonotoneIntegers", Matrix::monotone, true, 750},
                    Class{"Indefinite", Matrix::indefinite, false, 750},
                    Class{"IndefiniteIntegers", Matrix::indefinite, true, 750},
                    Class{"General", Matrix::general, false, 750},
                    Class{"GeneralIntegers", Matrix::general, true, 750}),
    [](const auto& c) { return c.param.name; });

}  // namespace
}  // namespace perp::test
