// Products by panels equal those by entries.
#include "sparse/row_panels.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

void expect_same_products(const Dense& a, Random& random) {
    const Csr sparse = csr(a);
    const RowPanels panels(sparse);
    const Vector x = random.vector(a.cols), z = random.vector(a.rows);
    const Vector y = random.vector(a.rows), f = random.vector(a.cols);
    Vector y1 = y, y2 = y, f1 = f, f2 = f;
    multiply_add(sparse, x, y1);
    panels.multiply_add(x, y2);
    multiply_transposed_add(sparse, z, f1);
    panels.multiply_transposed_add(z, f2);
    EXPECT_LE(distance(y1, y2), 1e-13);
    EXPECT_LE(distance(f1, f2), 1e-13);
    EXPECT_LE(panels.stored(), 2 * sparse.nonzeros() + 16 * a.rows);
}

TEST(RowPanels, MultiplyContactRows) {
    Random random(1);
    Dense a(90, 60);  // three rows each between two bodies of six velocities
    for (std::int64_t i = 0; i < a.rows; i += 3) {
        const std::int64_t one = 6 * random.below(10), other = 6 * random.below(10);
        for (std::int64_t r = i; r < i + 3; ++r)
            for (std::int64_t k = 0; k < 6; ++k) {
                a(r, one + k) = random.uniform();
                if (i % 2 == 0) a(r, other + k) = random.uniform();
            }
    }
    expect_same_products(a, random);
    EXPECT_LE(RowPanels(csr(a)).stored(), 90 * 12);
}

TEST(RowPanels, MultiplyAnyPattern) {
    Random random(2);
    for (const double density : {0.0, 0.02, 0.3, 1.0})
        for (int round = 0; round < 20; ++round) {
            Dense a(random.below(40), random.below(120));
            for (double& x : a.a)
                if (random.uniform(0.0, 1.0) < density) x = random.uniform();
            expect_same_products(a, random);
        }
}

}  // namespace
}  // namespace perp::test
