// L D L' of a quasi-definite matrix alone: rows added and deleted against fresh factors.
#include "sparse/updated_ldl.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

using Set = std::vector<std::uint8_t>;
using Vector = std::vector<double>;

// [F A'; A -G] with F, G sparse and diagonally dominant; entries of A may be large.
struct QuasiDefinite {
    std::int64_t n, positive;
    Dense k;
    Vector diagonal;

    QuasiDefinite(std::int64_t n_, std::int64_t positive_, Random& random)
        : n(n_), positive(positive_), k(n_, n_), diagonal(n_, 1.0) {
        for (std::int64_t e = 0; e < 2 * n; ++e) {
            const std::int64_t i = random.below(n), j = random.below(n);
            if (i == j) continue;
            const bool coupling = (i < positive) != (j < positive);
            k(i, j) = k(j, i) = random.uniform() * (coupling ? 3.0 : 1.0);
        }
        refresh();
    }
    void refresh() {
        for (std::int64_t i = 0; i < n; ++i) {
            double sum = 0.1;
            for (std::int64_t j = 0; j < n; ++j)
                if (j != i && (i < positive) == (j < positive)) sum += std::abs(k(i, j));
            diagonal[i] = i < positive ? sum : -sum;
            k(i, i) = diagonal[i];
        }
    }
    [[nodiscard]] Csr csr_matrix() const { return csr(k); }
    // |b - K x| on the active rows.
    [[nodiscard]] double residual(const Set& active, const Vector& x, const Vector& b) const {
        double worst = 0.0;
        for (std::int64_t i = 0; i < n; ++i) {
            if (active[i] == 0) continue;
            double sum = b[i];
            for (std::int64_t j = 0; j < n; ++j)
                if (active[j] != 0) sum -= k(i, j) * x[j];
            worst = std::max(worst, std::abs(sum));
        }
        return worst;
    }
};

void expect_solves(UpdatedLdl& ldl, const QuasiDefinite& q, const Set& active, Random& random) {
    const Vector b = random.vector(q.n);
    Vector x = b;
    ldl.solve(x);
    EXPECT_LE(q.residual(active, x, b), 1e-11 * (1.0 + largest(x)));
    for (std::int64_t i = 0; i < q.n; ++i)
        if (active[i] == 0) {
            EXPECT_EQ(x[i], b[i]);
        }
}

TEST(UpdatedLdl, RowsAddedAndDeletedEqualFreshFactors) {
    Random random(1);
    for (int round = 0; round < 10; ++round) {
        const QuasiDefinite q(40, 5 * round, random);  // none positive first
        const Csr k = q.csr_matrix();
        UpdatedLdl ldl(k, q.positive), fresh(k, q.positive);
        Set active(q.n);
        for (auto& x : active) x = static_cast<std::uint8_t>(random.below(2));
        ASSERT_TRUE(ldl.factor(q.diagonal, active));
        const double cost = ldl.factor_cost();
        for (int step = 0; step < 200; ++step) {
            const std::int64_t row = random.below(q.n);
            active[row] ^= 1U;
            EXPECT_GT(ldl.update_cost(row), 0.0);
            ASSERT_TRUE(active[row] != 0 ? ldl.add_row(row, q.diagonal[row]) : ldl.delete_row(row));
            expect_solves(ldl, q, active, random);
            ASSERT_TRUE(fresh.factor(q.diagonal, active));
            Vector b = random.vector(q.n), x = b, y = b;
            ldl.solve(x);
            fresh.solve(y);
            EXPECT_LE(distance(x, y), 1e-11 * (1.0 + largest(y)));
            ASSERT_FALSE(testing::Test::HasFailure()) << round << ", " << step;
        }
        EXPECT_EQ(ldl.factor_cost(), cost);
        EXPECT_EQ(ldl.nonzeros(), fresh.nonzeros());
    }
}

// Wide blocks, deep trees, rows between the same columns: what contact problems have.
TEST(UpdatedLdl, RowsAddedAndDeletedInWideBlocks) {
    Random random(4);
    QuasiDefinite q(260, 90, random);
    for (std::int64_t i = 0; i < 70; ++i)  // a dense part, of several steps
        for (std::int64_t j = 0; j < i; ++j) q.k(i, j) = q.k(j, i) = random.uniform();
    for (std::int64_t i = 90; i < 260; ++i)
        for (std::int64_t j = 0; j < 6; ++j) {
            const std::int64_t column = 6 * (i / 12 % 15) + j;
            q.k(i, column) = q.k(column, i) = random.uniform();
        }
    q.refresh();
    const Csr k = q.csr_matrix();
    UpdatedLdl ldl(k, q.positive), fresh(k, q.positive);
    Set active(q.n, 1);
    ASSERT_TRUE(ldl.factor(q.diagonal, active));
    expect_solves(ldl, q, active, random);
    for (int step = 0; step < 300; ++step) {
        const std::int64_t row = random.below(q.n);
        active[row] ^= 1U;
        ASSERT_TRUE(active[row] != 0 ? ldl.add_row(row, q.diagonal[row]) : ldl.delete_row(row));
        if (step % 10 != 0) continue;
        expect_solves(ldl, q, active, random);
        ASSERT_TRUE(fresh.factor(q.diagonal, active));
        const Vector b = random.vector(q.n);
        Vector x = b, y = b;
        ldl.solve(x);
        fresh.solve(y);
        EXPECT_LE(distance(x, y), 1e-11 * (1.0 + largest(y)));
        ASSERT_FALSE(testing::Test::HasFailure()) << step;
    }
}

TEST(UpdatedLdl, TakesNewValuesAndRefusesAnotherPattern) {
    Random random(2);
    QuasiDefinite q(30, 12, random);
    UpdatedLdl ldl(q.csr_matrix(), q.positive);
    const std::int64_t nonzeros = ldl.nonzeros();
    const Set all(q.n, 1);
    ASSERT_TRUE(ldl.factor(q.diagonal, all));
    Vector before = random.vector(q.n);
    const Vector b = before;
    ldl.solve(before);

    Csr missing = q.csr_matrix();
    for (std::int64_t i = 0; i < q.n; ++i) {  // one entry less
        if (missing.start[i + 1] - missing.start[i] < 2) continue;
        missing.index.erase(missing.index.begin() + missing.start[i]);
        missing.value.erase(missing.value.begin() + missing.start[i]);
        for (std::int64_t k = i + 1; k <= q.n; ++k) --missing.start[k];
        break;
    }
    EXPECT_FALSE(ldl.renew(missing));
    EXPECT_FALSE(ldl.renew(csr(Dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1}))));
    Vector after = b;
    ldl.solve(after);
    EXPECT_TRUE(same_bits(after, before));
    ASSERT_TRUE(ldl.factor(q.diagonal, all));
    after = b;
    ldl.solve(after);
    EXPECT_TRUE(same_bits(after, before));

    for (std::int64_t i = 0; i < q.n; ++i)
        for (std::int64_t j = 0; j < i; ++j)
            if (q.k(i, j) != 0.0) q.k(i, j) = q.k(j, i) = random.uniform(0.1, 1.0);
    q.refresh();
    ASSERT_TRUE(ldl.renew(q.csr_matrix()));
    EXPECT_EQ(ldl.nonzeros(), nonzeros);
    ASSERT_TRUE(ldl.factor(q.diagonal, all));
    expect_solves(ldl, q, all, random);
    // The same to the bit as an object that never had other values: the same order.
    UpdatedLdl fresh(q.csr_matrix(), q.positive);
    ASSERT_TRUE(fresh.factor(q.diagonal, all));
    Vector x = b, y = b;
    ldl.solve(x);
    fresh.solve(y);
    EXPECT_TRUE(same_bits(x, y));
}

TEST(UpdatedLdl, RefusesWrongSigns) {
    const Csr k = csr(Dense(3, 3, {1, 2, 0, 2, -1, 0, 0, 0, -1}));
    UpdatedLdl ldl(k, 1);
    const Set all(3, 1);
    EXPECT_TRUE(ldl.factor(Vector{1, -1, -1}, all));
    EXPECT_FALSE(ldl.factor(Vector{-1, -1, -1}, all));
    EXPECT_FALSE(ldl.factor(Vector{1, -1, 1}, all));
    EXPECT_FALSE(ldl.factor(Vector{1, -1, 0}, all));
    EXPECT_FALSE(ldl.factor(Vector{1, -1, not_a_number}, all));
    EXPECT_TRUE(ldl.factor(Vector{1, -1, 1}, Set{1, 1, 0}));  // an inactive diagonal is not read
    EXPECT_FALSE(ldl.add_row(2, 1.0));
    EXPECT_TRUE(ldl.factor(Vector{1, -1, -1}, Set{1, 1, 0}));
    EXPECT_TRUE(ldl.add_row(2, -1.0));
    Vector x{5, 0, -3};  // rows: x0 + 2 x1, 2 x0 - x1, -x2
    ldl.solve(x);
    EXPECT_LE(distance(x, {1, 2, 3}), 1e-14);
    UpdatedLdl empty(Csr{}, 0);
    EXPECT_TRUE(empty.factor(Vector{}, Set{}));
}

}  // namespace
}  // namespace perp::test
