// Sliding rows turned in their tangent plane: values, pattern, what is shared.
#include "friction/aligned_rows.hpp"
#include "friction_support.hpp"

namespace perp::test {
namespace {

TEST(AlignedRows, ShareTheRestOfTheSystem) {
    FrictionScene s;
    s.M = Dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    s.N = Dense(1, 3, {0, 0, 1});
    s.D = Dense(2, 3, {1, 0, 0, 0, 1, 0});
    const auto given = s.system();
    const AlignedRows aligned(given, {{0.6, 0.8}});
    const System& turned = *aligned.system();
    EXPECT_EQ(&turned.mass(), &given->mass());
    EXPECT_EQ(&turned.matrix(SystemMatrix::N), &given->matrix(SystemMatrix::N));
    EXPECT_EQ(dense(turned.matrix(SystemMatrix::D)).a, (Vector{0.6, 0.8, 0, -0.8, 0.6, 0}));
    EXPECT_EQ(turned.matrix(SystemMatrix::D).nonzeros(), 4);
    EXPECT_EQ(AlignedRows(given, {{1.0, 0.0}}).system()->matrix(SystemMatrix::D).nonzeros(), 4);
    EXPECT_EQ(AlignedRows(given, {}).system(), given);
    Vector x{1, 2};
    aligned.to_aligned(x);
    EXPECT_LE(distance(x, {2.2, 0.4}), 1e-15);
    aligned.to_given(x);
    EXPECT_LE(distance(x, {1, 2}), 1e-15);
    System copy(given, given->matrix(SystemMatrix::D));
    EXPECT_FAILS(Status::unsupported, "D:", copy.update(SystemMatrix::D, Vector(2, 1.0)));
    EXPECT_FAILS(Status::bad_size, "D: 0 x 0", System(given, Csr()));
}

TEST(AlignedRows, KeepTheUnionOfBothPatterns) {
    Step step;
    Random random(5);
    step.M = random_mass({7}, random);
    step.N = random_rows(2, 7, random);
    step.D = Dense(4, 7);
    for (const auto& [i, j] : {std::pair{0, 0}, {0, 3}, {1, 3}, {1, 5}, {1, 6}, {3, 2}})
        step.D(i, j) = random.uniform();
    const auto given = system_of(step);
    const double a = 0.7, b = -2.0;
    const AlignedRows aligned(given, {{std::cos(a), std::sin(a)}, {std::cos(b), std::sin(b)}});
    const Csr& D = aligned.system()->matrix(SystemMatrix::D);
    EXPECT_EQ(D.start, (std::vector<std::int64_t>{0, 4, 8, 9, 10}));
    EXPECT_EQ(D.index, (std::vector<std::int32_t>{0, 3, 5, 6, 0, 3, 5, 6, 2, 2}));
    // D' B' (B z) = D' z.
    Vector z = random.vector(4), turned = z, x(7, 0.0), y(7, 0.0);
    aligned.to_aligned(turned);
    multiply_transposed_add(D, turned, x);
    multiply_transposed_add(given->matrix(SystemMatrix::D), z, y);
    EXPECT_LE(distance(x, y), 1e-15);
}

}  // namespace
}  // namespace perp::test
