// The dense kernels of the supernodal factorization against plain loops, and to the bit the same
// for every instruction set.
#include "sparse/panel_kernels.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

std::int64_t in_fours(std::int64_t n) { return (n + 3) / 4 * 4; }

// A block by columns with zeros as padding.
struct Block {
    std::int64_t rows, cols, ld;
    Vector a;
    Block(std::int64_t r, std::int64_t c) : rows(r), cols(c), ld(in_fours(r)), a(ld * c, 0.0) {}
    Block(std::int64_t r, std::int64_t c, Random& random) : Block(r, c) {
        for (std::int64_t j = 0; j < c; ++j)
            for (std::int64_t i = 0; i < r; ++i) (*this)(i, j) = random.uniform();
    }
    double& operator()(std::int64_t i, std::int64_t j) { return a[i + j * ld]; }
    double operator()(std::int64_t i, std::int64_t j) const { return a[i + j * ld]; }
};

Block quasi_definite(std::int64_t n, Random& random) {
    Block a(n, n, random);
    for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < j; ++i) a(i, j) = 0.0;
        a(j, j) = (j % 3 == 1 ? -1.0 : 1.0) * random.uniform(1.0, 2.0) * static_cast<double>(n);
    }
    return a;
}

class Kernels : public testing::TestWithParam<const PanelKernels& (*)()> {
protected:
    const PanelKernels& kernels_ = GetParam()();
};

TEST_P(Kernels, FactorizeInvertAndSolve) {
    Random random(1);
    for (std::int64_t n = 1; n <= 33; ++n) {
        const Block a = quasi_definite(n, random);
        const std::int64_t below = 1 + n % 11;
        const Block under(below, n, random);
        Block l = a, rows = under, unscaled(below, n);
        Vector pivot(n), inverse_pivot(n);
        kernels_.factor_block(l.a.data(), l.ld, n, pivot.data(), inverse_pivot.data());
        kernels_.solve_rows(rows.a.data(), rows.ld, rows.ld, l.a.data(), l.ld, n,
                            inverse_pivot.data(), unscaled.a.data(), unscaled.ld);
        const auto entry = [&](std::int64_t i, std::int64_t k) { return i == k ? 1.0 : l(i, k); };
        for (std::int64_t j = 0; j < n; ++j) {
            for (std::int64_t i = j; i < n; ++i) {
                double sum = 0.0;
                for (std::int64_t k = 0; k <= j; ++k) sum += entry(i, k) * pivot[k] * entry(j, k);
                EXPECT_NEAR(sum, a(i, j), 1e-13 * static_cast<double>(n)) << n;
            }
            for (std::int64_t i = 0; i < below; ++i) {
                double sum = 0.0;
                for (std::int64_t k = 0; k <= j; ++k) sum += unscaled(i, k) * entry(j, k);
                EXPECT_NEAR(sum, under(i, j), 1e-13 * static_cast<double>(n));
                EXPECT_EQ(rows(i, j), unscaled(i, j) * inverse_pivot[j]);
            }
        }
        Block inverse(n + 8, n);  // with more rows than it needs
        kernels_.invert_block(l.a.data(), l.ld, n, inverse.a.data(), inverse.ld);
        Vector b = random.vector(n + 8);
        for (std::int64_t i = in_fours(n); i < n + 8; ++i) b[i] = not_a_number;  // not to be read
        Vector x = b, y = b;
        kernels_.apply_inverse(inverse.a.data(), inverse.ld, n, x.data());
        kernels_.apply_inverse_transposed(inverse.a.data(), inverse.ld, n, y.data());
        for (std::int64_t i = 0; i < n; ++i) {
            double forward = 0.0, backward = 0.0;
            for (std::int64_t k = 0; k <= i; ++k) forward += entry(i, k) * x[k];
            for (std::int64_t k = i; k < n; ++k) backward += entry(k, i) * y[k];
            EXPECT_NEAR(forward, b[i], 1e-13);
            EXPECT_NEAR(backward, b[i], 1e-13);
        }
        for (std::int64_t i = n; i < in_fours(n); ++i) {  // somebody else's
            EXPECT_EQ(x[i], b[i]);
            EXPECT_EQ(y[i], b[i]);
        }
    }
}

TEST_P(Kernels, MultiplyAndSubtract) {
    Random random(2);
    for (std::int64_t rows = 1; rows <= 40; ++rows) {
        const std::int64_t width = 1 + rows * 7 % 19, cols = 1 + rows * 5 % 23;
        const Block l(rows, width, random), c(cols, width, random), u(rows, cols, random);
        for (const bool lower : {false, true}) {
            if (lower && cols > rows) continue;
            Block out = u;
            kernels_.subtract_product(out.a.data(), out.ld, out.ld, cols, l.a.data(), l.ld,
                                      c.a.data(), c.ld, width, lower);
            for (std::int64_t j = 0; j < cols; ++j)
                for (std::int64_t i = lower ? j : 0; i < rows; ++i) {
                    double expected = u(i, j);
                    for (std::int64_t k = 0; k < width; ++k) expected -= l(i, k) * c(j, k);
                    EXPECT_NEAR(out(i, j), expected, 1e-14);
                }
        }
        const Vector x = random.vector(width);
        Vector t(l.ld), down(in_fours(rows), 0.0), s(width);
        for (std::int64_t i = 0; i < rows; ++i) down[i] = random.uniform();
        kernels_.multiply(l.a.data(), l.ld, l.ld, width, x.data(), t.data());
        kernels_.multiply_transposed(l.a.data(), l.ld, l.ld, width, down.data(), s.data());
        for (std::int64_t i = 0; i < rows; ++i) {
            double sum = 0.0;
            for (std::int64_t k = 0; k < width; ++k) sum += l(i, k) * x[k];
            EXPECT_NEAR(t[i], sum, 1e-14);
        }
        for (std::int64_t k = 0; k < width; ++k) {
            double sum = 0.0;
            for (std::int64_t i = 0; i < rows; ++i) sum += l(i, k) * down[i];
            EXPECT_NEAR(s[k], sum, 1e-14);
        }
        Block column(rows, 1, random);
        const Vector before = column.a, w = down;
        kernels_.rotate(column.a.data(), column.ld, 0.75, -0.5, down.data());
        for (std::int64_t i = 0; i < rows; ++i) {
            EXPECT_NEAR(down[i], w[i] - 0.75 * before[i], 1e-15);
            EXPECT_NEAR(column(i, 0), before[i] - 0.5 * (w[i] - 0.75 * before[i]), 1e-15);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Kernels,
                         testing::Values(panel_kernels_base, panel_kernels));

TEST(PanelKernels, GiveTheSameBitsOnEveryInstructionSet) {
    Random random(3);
    const PanelKernels& one = panel_kernels_base();
    const PanelKernels& other = panel_kernels();
    for (std::int64_t n = 1; n <= 33; ++n) {
        const Block a = quasi_definite(n, random), under(2 * n, n, random);
        const Vector b = random.vector(n + 4);
        const auto run = [&](const PanelKernels& kernels) {
            Block l = a, rows = under, unscaled(2 * n, n), inverse(n, n), u(2 * n, 2 * n);
            Vector pivot(n), inverse_pivot(n), x = b, y = b, t(rows.ld), s(n), all;
            kernels.factor_block(l.a.data(), l.ld, n, pivot.data(), inverse_pivot.data());
            kernels.solve_rows(rows.a.data(), rows.ld, rows.ld, l.a.data(), l.ld, n,
                               inverse_pivot.data(), unscaled.a.data(), unscaled.ld);
            kernels.subtract_product(u.a.data(), u.ld, u.ld, 2 * n, rows.a.data(), rows.ld,
                                     unscaled.a.data(), unscaled.ld, n, false);
            kernels.invert_block(l.a.data(), l.ld, n, inverse.a.data(), inverse.ld);
            kernels.apply_inverse(inverse.a.data(), inverse.ld, n, x.data());
            kernels.apply_inverse_transposed(inverse.a.data(), inverse.ld, n, y.data());
            kernels.multiply(rows.a.data(), rows.ld, rows.ld, n, x.data(), t.data());
            kernels.multiply_transposed(rows.a.data(), rows.ld, rows.ld, n, t.data(), s.data());
            kernels.rotate(rows.a.data(), rows.ld, 0.3, 0.7, t.data());
            for (const auto* const v : {&l.a, &rows.a, &unscaled.a, &inverse.a, &u.a, &pivot,
                                        &inverse_pivot, &x, &y, &t, &s})
                all.insert(all.end(), v->begin(), v->end());
            return all;
        };
        EXPECT_TRUE(same_bits(run(one), run(other))) << n;
    }
}

}  // namespace
}  // namespace perp::test
