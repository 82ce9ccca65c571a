// LU factors and their updates against fresh factors and dense algebra.
#include "sparse/updated_lu.hpp"

#include "support.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

struct Column {
    std::vector<std::int64_t> index;
    Vector value;
    [[nodiscard]] SparseColumn view() const { return {index, value}; }
};

SparseColumns columns(const Dense& d) {
    SparseColumns a;
    a.clear(d.rows);
    for (std::int64_t j = 0; j < d.cols; ++j) {
        Column c;
        for (std::int64_t i = 0; i < d.rows; ++i)
            if (d(i, j) != 0.0) {
                c.index.push_back(i);
                c.value.push_back(d(i, j));
            }
        a.append(c.view());
    }
    return a;
}

Dense dense(const SparseColumns& a) {
    Dense d(a.rows, a.cols());
    for (std::int64_t j = 0; j < a.cols(); ++j)
        for (std::int64_t k = a.start[j]; k < a.start[j + 1]; ++k) d(a.index[k], j) = a.value[k];
    return d;
}

SparseColumns current(const UpdatedLu& lu) {
    SparseColumns a;
    a.clear(lu.size());
    for (std::int64_t j = 0; j < lu.size(); ++j) a.append(lu.column(j));
    return a;
}

// A column with a large diagonal and a few entries elsewhere.
Column random_column(std::int64_t n, std::int64_t diagonal, Random& random) {
    Column c;
    for (std::int64_t i = 0; i < n; ++i) {
        if (i != diagonal && random.below(n) > 3) continue;
        c.index.push_back(i);
        c.value.push_back(i == diagonal ? random.uniform(1.0, 4.0) : random.uniform());
    }
    return c;
}

SparseColumns random_matrix(std::int64_t n, Random& random) {
    SparseColumns a;
    a.clear(n);
    for (std::int64_t j = 0; j < n; ++j) a.append(random_column(n, j, random).view());
    return a;
}

// Solves of both kinds equal those of fresh factors.
void expect_fresh(UpdatedLu& lu, Random& random, double tolerance) {
    const std::int64_t n = lu.size();
    UpdatedLu fresh;
    ASSERT_TRUE(fresh.factor(current(lu)));
    const Vector b = random.vector(n);
    Vector x(n), y(n);
    lu.solve(b, x);
    fresh.solve(b, y);
    EXPECT_LE(distance(x, y), tolerance * (1.0 + largest(y)));
    EXPECT_LE(lu.backward_error(), 1e-14);
    lu.solve_transposed(b, x);
    fresh.solve_transposed(b, y);
    EXPECT_LE(distance(x, y), tolerance * (1.0 + largest(y)));
    EXPECT_LE(lu.backward_error(), 1e-14);
}

TEST(LuFactor, SolvesWithTheMatrixAndItsTranspose) {
    Random random(1);
    LuFactor lu;
    for (const std::int64_t n : {0, 1, 2, 7, 60}) {
        const SparseColumns a = random_matrix(n, random);
        ASSERT_TRUE(lu.factor(a));
        EXPECT_EQ(lu.size(), n);
        const Dense d = dense(a);
        const Vector b = random.vector(n);
        Vector x(n);
        lu.solve(b, x);
        EXPECT_LE(distance(d * x, b), 1e-10);
        lu.solve_transposed(b, x);
        EXPECT_LE(distance(transposed(d) * x, b), 1e-10);
        if (n == 0) continue;
        EXPECT_GE(lu.nonzeros(), n);
        EXPECT_GT(lu.reciprocal_condition(), 0.0);
        EXPECT_LE(lu.reciprocal_condition(), 1.0);
    }
}

TEST(LuFactor, FollowsNewValuesOnTheSamePattern) {
    Random random(2);
    SparseColumns a = random_matrix(30, random);
    LuFactor lu;
    ASSERT_TRUE(lu.factor(a));
    for (double& x : a.value) x *= 2.0;
    ASSERT_TRUE(lu.factor(a));
    const Vector b = random.vector(30);
    Vector x(30);
    lu.solve(b, x);
    EXPECT_LE(distance(dense(a) * x, b), 1e-12);
}

// A zero diagonal needs row exchanges; a tiny one must not cost the digits.
TEST(LuFactor, PivotsWhereTheDiagonalIsNoGood) {
    for (const double small : {0.0, 1e-20, 1e-12}) {
        Dense d(3, 3, {small, 1.0, 0.0, 1.0, small, 2.0, 0.0, 3.0, 1.0});
        UpdatedLu lu;
        ASSERT_TRUE(lu.factor(columns(d)));
        Vector x(3);
        const Vector b{1.0, 2.0, 4.0};
        lu.solve(b, x);
        EXPECT_LE(distance(d * x, b), 1e-14) << small;
    }
}

TEST(LuFactor, ReportsSingularMatrices) {
    const Dense empty_column(2, 2, {1.0, 0.0, 1.0, 0.0});
    const Dense empty_row(2, 2, {1.0, 2.0, 0.0, 0.0});
    const Dense equal_columns(3, 3, {1.0, 1.0, 0.0, 2.0, 2.0, 0.0, 0.5, 0.5, 1.0});
    LuFactor lu;
    for (const Dense& d : {empty_column, empty_row, equal_columns, Dense(1, 1)})
        EXPECT_FALSE(lu.factor(columns(d)));
    Random random(3);  // of rank n - 1 up to rounding
    for (int i = 0; i < 20; ++i) {
        const std::int64_t n = 2 + random.below(30);
        const Dense d = random_rows(n, n - 1, random) * random_rows(n - 1, n, random);
        EXPECT_FALSE(lu.factor(columns(d))) << n;
    }
    EXPECT_TRUE(lu.factor(columns(Dense(1, 1, {2.0}))));  // usable afterwards
    EXPECT_FAILS(Status::bad_size, "2 rows and 3 columns", lu.factor(columns(Dense(2, 3))));
}

TEST(UpdatedLu, ThousandReplacementsEqualFreshFactors) {
    for (const std::int64_t n : {8, 40, 150}) {
        Random random(static_cast<std::uint64_t>(10 + n));
        UpdatedLu lu;
        ASSERT_TRUE(lu.factor(random_matrix(n, random)));
        for (int i = 0; i < 1000; ++i) {
            const std::int64_t j = random.below(n);
            ASSERT_TRUE(lu.replace_column(j, random_column(n, j, random).view()));
            if (i % 5 == 0 || n < 100) expect_fresh(lu, random, 1e-10);
        }
        EXPECT_EQ(lu.updates(), 1000);
        EXPECT_GE(lu.factorizations(), 1000 / UpdatedLu::max_updates);
        EXPECT_LE(lu.largest_backward_error(), 1e-12);
    }
}

TEST(UpdatedLu, ComesBackWithAnEmptyBorder) {
    Random random(20);
    const SparseColumns a = random_matrix(50, random);
    UpdatedLu lu;
    ASSERT_TRUE(lu.factor(a));
    for (const std::int64_t j : {3, 17, 3, 40, 3})
        ASSERT_TRUE(lu.replace_column(j, random_column(50, j, random).view()));
    EXPECT_EQ(lu.border(), 3);  // a position twice: one entry
    for (const std::int64_t j : {3, 40, 17}) ASSERT_TRUE(lu.replace_column(j, a.column(j)));
    EXPECT_EQ(lu.border(), 0);
    EXPECT_EQ(lu.factorizations(), 1);
    expect_fresh(lu, random, 1e-12);
}

// The columns of two positions change places; alone, either replacement would be singular.
TEST(UpdatedLu, ReplacesSeveralColumnsAtOnce) {
    Random random(21);
    const SparseColumns a = random_matrix(30, random);
    UpdatedLu lu;
    ASSERT_TRUE(lu.factor(a));
    const UpdatedLu::Replacement swap[] = {{4, a.column(9)}, {9, a.column(4)}};
    ASSERT_TRUE(lu.replace_columns(swap));
    EXPECT_EQ(lu.border(), 2);
    expect_fresh(lu, random, 1e-11);
    // The second moves on to a third position.
    const Column fresh = random_column(30, 4, random);
    const UpdatedLu::Replacement move[] = {{20, a.column(9)}, {4, fresh.view()}};
    ASSERT_TRUE(lu.replace_columns(move));
    expect_fresh(lu, random, 1e-10);
}

TEST(UpdatedLu, RefactorsByCountAndOnDemand) {
    Random random(22);
    UpdatedLu lu;
    const std::int64_t n = 400;
    ASSERT_TRUE(lu.factor(random_matrix(n, random)));
    ASSERT_TRUE(lu.replace_column(7, random_column(n, 7, random).view()));
    ASSERT_TRUE(lu.refactor());
    EXPECT_EQ(lu.border(), 0);
    EXPECT_EQ(lu.factorizations(), 2);
    expect_fresh(lu, random, 1e-11);
    for (std::int64_t j = 0; j < n; ++j) {
        ASSERT_TRUE(lu.replace_column(j, random_column(n, j, random).view()));
        ASSERT_LE(lu.border(), UpdatedLu::max_border);
    }
    EXPECT_GE(lu.factorizations(), 2 + n / UpdatedLu::max_border);
    expect_fresh(lu, random, 1e-10);
}

TEST(UpdatedLu, ReportsWhatBecomesSingularAndRecovers) {
    Random random(23);
    const SparseColumns a = random_matrix(25, random);
    UpdatedLu lu;
    ASSERT_TRUE(lu.factor(a));
    EXPECT_FALSE(lu.replace_column(3, a.column(4)));  // twice the same
    EXPECT_TRUE(lu.needs_refactor());
    EXPECT_FALSE(lu.replace_column(5, random_column(25, 5, random).view()));  // still
    EXPECT_TRUE(lu.replace_column(3, random_column(25, 3, random).view()));
    expect_fresh(lu, random, 1e-11);
    Column zero;
    EXPECT_FALSE(lu.replace_column(0, zero.view()));
    EXPECT_TRUE(lu.replace_column(0, a.column(0)));
    expect_fresh(lu, random, 1e-11);
}

TEST(UpdatedLu, KeepsNothingOfAnotherMatrix) {
    Random random(24);
    UpdatedLu lu;
    for (const std::int64_t n : {20, 5, 60}) {
        ASSERT_TRUE(lu.factor(random_matrix(n, random)));
        EXPECT_EQ(lu.border(), 0);
        ASSERT_TRUE(lu.replace_column(2, random_column(n, 2, random).view()));
        expect_fresh(lu, random, 1e-11);
    }
}

}  // namespace
}  // namespace perp::test
