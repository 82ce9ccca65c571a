// The mass matrix and the system, against dense references.
#include <numeric>

#include "sparse/mass_matrix.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

// Symmetric to the bit, positive definite, its blocks' degrees of freedom interleaved.
Dense mass_of(const std::vector<int>& blocks, std::uint64_t seed) {
    Random random(seed);
    const Dense m = random_mass(blocks, random);
    std::vector<std::int64_t> place(m.rows);
    std::iota(place.begin(), place.end(), 0);
    for (std::int64_t k = m.rows - 1; k > 0; --k) std::swap(place[k], place[random.below(k + 1)]);
    Dense p(m.rows, m.rows);
    for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int64_t j = 0; j < m.rows; ++j) p(place[i], place[j]) = 0.5 * (m(i, j) + m(j, i));
    return p;
}

Dense chain_mass(std::int64_t n, double coupling) {
    Dense m(n, n);
    for (std::int64_t i = 0; i < n; ++i) {
        m(i, i) = 2.0 + 0.01 * static_cast<double>(i);
        if (i > 0) m(i, i - 1) = m(i - 1, i) = coupling;
    }
    return m;
}

Dense halves_product(const MassMatrix& mass, const Dense& J) {
    const Csr rows = csr(J);
    Dense half[2] = {Dense(J.rows, J.cols), Dense(J.rows, J.cols)};
    MassMatrix::Scratch scratch;
    std::vector<std::int32_t> index;
    std::vector<double> value;
    for (const int side : {0, 1}) {
        for (std::int64_t i = 0; i < J.rows; ++i) {
            mass.half_row(side == 0 ? MassMatrix::Half::left : MassMatrix::Half::right,
                          rows.row_index(i), rows.row_value(i), index, value, scratch);
            EXPECT_TRUE(std::is_sorted(index.begin(), index.end()));
            for (std::size_t k = 0; k < index.size(); ++k) half[side](i, index[k]) = value[k];
        }
    }
    return half[0] * transposed(half[1]);
}

// solve and halves against the dense inverse, relative to the inverse's size.
void expect_inverts(const MassMatrix& mass, const Dense& M, double tolerance) {
    Random random(17);
    const std::int64_t n = M.rows;
    const Dense inverted = inverse(M);
    std::vector<double> x = random.vector(n), work(n);
    const std::vector<double> expected = inverted * x;
    mass.solve(x, work);
    EXPECT_LE(distance(x, expected), tolerance * std::max(1.0, largest(expected)));
    Dense J(8, n);
    for (std::int64_t i = 0; i < J.rows; ++i)
        for (int k = 0; k < 4; ++k) J(i, random.below(n)) = random.uniform();
    const Dense W = J * inverted * transposed(J);
    EXPECT_LE(distance(halves_product(mass, J).a, W.a), tolerance * std::max(1.0, largest(W.a)));
}

TEST(MassMatrix, InvertsBlocksOfEverySize) {
    const std::vector<std::vector<int>> cases = {{1, 1, 1, 1, 1},        {3, 3, 3}, {6, 6},
                                                 {1, 3, 6, 6, 3, 1, 17}, {128},     {128, 6, 1}};
    for (const auto& blocks : cases) {
        const Dense M = mass_of(blocks, 1 + blocks.size());
        const MassMatrix mass(csr(M), MassStorage::full, 1e-12);
        EXPECT_TRUE(mass.block_diagonal());
        EXPECT_EQ(mass.largest_block(), *std::max_element(blocks.begin(), blocks.end()));
        EXPECT_TRUE(mass.symmetric());
        expect_inverts(mass, M, 1e-11);
    }
}

TEST(MassMatrix, InvertsLargeCoupledPartsSparsely) {
    for (const auto& [M, block] : {std::pair{chain_mass(200, -0.9), 200},
                                   {mass_of({129}, 3), 129},
                                   {mass_of({3, 140, 1}, 4), 140}}) {
        const MassMatrix mass(csr(M), MassStorage::full, 1e-12);
        EXPECT_FALSE(mass.block_diagonal());
        EXPECT_EQ(mass.largest_block(), block);
        expect_inverts(mass, M, 1e-11);
    }
}

TEST(MassMatrix, StoredZerosDoNotJoinBlocks) {
    Entries e(mass_of({1, 1, 1, 1}, 5));
    for (std::int64_t i = 0; i + 1 < e.rows; ++i) {
        e.add(i, i + 1, 0.0);
        e.add(i + 1, i, 0.0);
    }
    EXPECT_EQ(
        MassMatrix(SparseMatrix(e.view(), "M").csr(), MassStorage::full, 1e-12).largest_block(), 1);
}

Dense triangle(Dense m, bool lower) {
    for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int64_t j = 0; j < m.cols; ++j)
            if (lower ? j > i : j < i) m(i, j) = 0.0;
    return m;
}

TEST(MassMatrix, OneTriangleEqualsBothToTheBit) {
    for (const Dense& M : {mass_of({1, 3, 6}, 8), chain_mass(150, -0.7)}) {
        const MassMatrix full(csr(M), MassStorage::full, 0.0);
        for (const bool lower : {true, false}) {
            const MassStorage storage = lower ? MassStorage::lower : MassStorage::upper;
            const MassMatrix mass(csr(triangle(M, lower)), storage, 0.0);
            EXPECT_TRUE(same_bits(dense(mass.matrix()).a, M.a));
            Random random(1);
            std::vector<double> x = random.vector(M.rows), y = x, work(M.rows);
            full.solve(x, work);
            mass.solve(y, work);
            EXPECT_TRUE(same_bits(x, y));
            EXPECT_FAILS(Status::bad_pattern, "triangle",
                         MassMatrix(csr(triangle(M, !lower)), storage, 0.0));
            EXPECT_FAILS(Status::not_symmetric, "if one triangle is stored, say so",
                         MassMatrix(csr(triangle(M, lower)), MassStorage::full, 1e-12));
        }
    }
}

// M = R' Q: the two halves differ, their product is J M^-1 J' of the matrix as given.
TEST(MassMatrix, DeviationsWithinTheToleranceAreUsedAsGiven) {
    for (const double deviation : {1e-13, 1e-3}) {
        Dense M = mass_of({3, 6, 1}, 9);
        for (std::int64_t i = 0; i < M.rows; ++i)
            for (std::int64_t j = 0; j < i; ++j) M(i, j) *= 1.0 + deviation;
        const MassMatrix mass(csr(M), MassStorage::full, deviation);
        EXPECT_FALSE(mass.symmetric());
        EXPECT_GT(mass.asymmetry(), 0.0);
        EXPECT_LE(mass.asymmetry(), deviation);
        expect_inverts(mass, M, 1e-13);
        EXPECT_FAILS(Status::not_symmetric, "M is not symmetric: M(",
                     MassMatrix(csr(M), MassStorage::full, 0.01 * deviation));
    }
}

TEST(MassMatrix, LargeBlocksMayDeviateWithinTheToleranceToo) {
    Dense M = mass_of({140}, 4);
    M(3, 2) *= 1.0 + 1e-15;
    ASSERT_NE(M(3, 2), M(2, 3));
    const MassMatrix mass(csr(M), MassStorage::full, 1e-12);
    expect_inverts(mass, M, 1e-11);
}

TEST(MassMatrix, NamesTheEntryThatIsNotSymmetric) {
    Dense M = mass_of({6}, 2);
    M(4, 1) += 0.25;
    EXPECT_FAILS(Status::not_symmetric, "M(1, 4)", MassMatrix(csr(M), MassStorage::full, 1e-12));
    EXPECT_FAILS(Status::not_symmetric, "M(4, 1)", MassMatrix(csr(M), MassStorage::full, 1e-12));
}

TEST(MassMatrix, NamesTheDegreeOfFreedomThatIsNotPositive) {
    const auto fails = [](const Dense& M, const char* part) {
        EXPECT_FAILS(Status::not_positive_definite, part,
                     MassMatrix(csr(M), MassStorage::full, 1e-12));
    };
    Dense negative = mass_of({1, 3}, 2);
    negative(2, 2) = -1.0;
    fails(negative, "M(2, 2) = -1");
    Dense missing = mass_of({1, 1, 1}, 2);
    missing(1, 1) = 0.0;
    fails(missing, "M(1, 1) = 0");
    Dense indefinite(3, 3, {2, 0, 0, 0, 1, 2, 0, 2, 1});
    fails(indefinite, "degree of freedom 2");
    Dense singular(3, 3, {2, 0, 0, 0, 0.1, 0.3, 0, 0.3, 0.9});  // rank 2 up to rounding
    fails(singular, "degree of freedom 2");
    Dense long_indefinite = chain_mass(200, -0.9);
    long_indefinite(150, 150) = 0.01;
    fails(long_indefinite, "degree of freedom 1");
}

// A free chain of springs: positive semidefinite, its null vector is (1, ..., 1).
TEST(MassMatrix, RefusesSemidefiniteMatricesOfEverySize) {
    for (const std::int64_t n : {2, 10, 100, 128, 129, 200, 500}) {
        for (const double stiffness : {1.0, 0.1, 1.0 / 3.0}) {
            Dense M(n, n);
            for (std::int64_t i = 0; i + 1 < n; ++i) {
                const double k = stiffness * (1.0 + 0.1 * static_cast<double>(i % 7));
                M(i, i) += k;
                M(i + 1, i + 1) += k;
                M(i, i + 1) = M(i + 1, i) = -k;
            }
            EXPECT_FAILS(Status::not_positive_definite, "degree of freedom",
                         MassMatrix(csr(M), MassStorage::full, 1e-12));
        }
    }
}

TEST(MassMatrix, ChecksShapeAndTolerance) {
    EXPECT_FAILS(Status::bad_size, "2 x 3", MassMatrix(csr(Dense(2, 3)), MassStorage::full, 1e-12));
    for (const double bad : {-1.0, not_a_number})
        EXPECT_FAILS(Status::bad_setting, "symmetry_tolerance",
                     MassMatrix(csr(mass_of({3}, 1)), MassStorage::full, bad));
    EXPECT_EQ(MassMatrix(Csr(), MassStorage::full, 1e-12).size(), 0);
}

// ------------------------------------------------------------------ system

TEST(System, UpdatesEqualAFreshSystemToTheBit) {
    const Step step = random_step({.blocks = {3, 6, 1}});
    const Step other = random_step({.blocks = {3, 6, 1}, .seed = 2});
    for (const int which : {0, 1, 2, 3, 5}) {
        const auto matrix = static_cast<SystemMatrix>(which);
        System updated = *system_of(step);
        Step changed = step;
        const Dense* from[] = {&other.M, &other.A, &other.N, &other.D, &other.S, &other.B};
        Dense* to[] = {&changed.M, &changed.A, &changed.N, &changed.D, &changed.S, &changed.B};
        *to[which] = *from[which];
        updated.update(matrix, Entries(*from[which]).value);
        const Problem a = Problem::assemble(std::make_shared<System>(updated), step.rows, step.law);
        const Problem b = problem_of(changed);
        EXPECT_TRUE(same_bits(a.form_matrix().value, b.form_matrix().value)) << name(matrix);
        EXPECT_TRUE(same_bits(a.free_velocity(), b.free_velocity())) << name(matrix);
    }
}

TEST(System, AMassMatrixThatFailsLeavesTheOldOne) {
    const Step step = random_step({});
    System system = *system_of(step);
    std::vector<double> values = Entries(step.M).value;
    values[0] = -1.0;
    EXPECT_FAILS(Status::not_positive_definite, "M(0, 0)", system.update(SystemMatrix::M, values));
    EXPECT_TRUE(same_bits(dense(system.matrix(SystemMatrix::M)).a, step.M.a));
    values[0] = 2.0 * step.M(0, 0);
    EXPECT_NO_THROW(system.update(SystemMatrix::M, values));
    EXPECT_EQ(system.matrix(SystemMatrix::M).at(0, 0), values[0]);
}

TEST(System, CountsMustFitTogether) {
    const auto fails = [](const char* part, auto&& change) {
        Step s = random_step({.shape = {2, 1, 2}});
        change(s);
        EXPECT_FAILS(Status::bad_size, part, system_of(s));
    };
    fails("D has 7 rows", [](Step& s) { s.D = Dense(7, 6); });
    fails("S has 5 rows", [](Step& s) { s.S = Dense(5, 6); });
    fails("D has 8 rows, but N has none", [](Step& s) { s.N = Dense(0, 6); });
    fails("A has 5 columns", [](Step& s) { s.A = Dense(1, 5); });
    fails("B has 7 columns", [](Step& s) { s.B = Dense(2, 7); });
    for (const ContactShape& shape : all_shapes())
        EXPECT_EQ(system_of(random_step({.shape = shape}))->shape(), shape) << shape_name(shape);
}

}  // namespace
}  // namespace perp::test
