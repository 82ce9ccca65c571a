// Triplets and compressed rows, against dense references.
#include "sparse/csr.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

// A sparse pattern with an empty row and an empty column.
Dense sample() {
    Random random(3);
    Dense d(7, 5);
    for (std::int64_t i = 0; i < d.rows; ++i)
        for (std::int64_t j = 0; j < d.cols; ++j)
            if (i != 2 && j != 3 && random.uniform() > 0.0) d(i, j) = random.uniform();
    return d;
}

void shuffle(Entries& e, std::uint64_t seed) {
    Random random(seed);
    for (std::int64_t k = static_cast<std::int64_t>(e.row.size()) - 1; k > 0; --k) {
        const std::int64_t l = random.below(k + 1);
        std::swap(e.row[k], e.row[l]);
        std::swap(e.col[k], e.col[l]);
        std::swap(e.value[k], e.value[l]);
    }
}

Entries halves(const Entries& e) {
    Entries h(e.rows, e.cols);
    for (std::size_t k = 0; k < e.row.size(); ++k) h.add(e.row[k], e.col[k], 0.5 * e.value[k]);
    for (std::size_t k = e.row.size(); k-- > 0;) h.add(e.row[k], e.col[k], 0.5 * e.value[k]);
    return h;
}

Entries with_noise(Entries e) {  // explicit zeros and pairs that cancel
    e.add(2, 3, 0.0);
    for (std::int64_t i = 0; i < e.rows; ++i) {
        e.add(i, 0, 1.0);
        e.add(i, 0, -1.0);
    }
    return e;
}

Entries one_based(Entries e) {
    for (std::int64_t& i : e.row) ++i;
    for (std::int64_t& j : e.col) ++j;
    e.base = 1;
    return e;
}

SparseMatrix compressed(const Entries& e) { return {e.view(), "X"}; }

void expect_sorted(const Csr& c) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
        const auto index = c.row_index(i);
        for (std::size_t k = 1; k < index.size(); ++k) EXPECT_LT(index[k - 1], index[k]);
    }
}

TEST(Triplets, FiveWaysGiveOneMatrix) {
    const Dense d = sample();
    const Entries canonical(d);
    Entries shuffled = canonical;
    shuffle(shuffled, 7);
    for (const Entries& e : {canonical, shuffled, halves(canonical), one_based(shuffled)}) {
        const SparseMatrix m = compressed(e);
        expect_sorted(m.csr());
        EXPECT_EQ(m.csr().nonzeros(), static_cast<std::int64_t>(canonical.row.size()));
        EXPECT_TRUE(same_bits(dense(m.csr()).a, d.a));
    }
    const SparseMatrix noisy = compressed(with_noise(canonical));
    expect_sorted(noisy.csr());
    EXPECT_LE(distance(dense(noisy.csr()).a, d.a), 1e-15);
    EXPECT_EQ(noisy.csr().at(2, 3), 0.0);
}

TEST(Triplets, DuplicatesAreSummedInTheOrderGiven) {
    Entries e(1, 1);
    for (const double x : {1.0, 1e100, 1.0, -1e100}) e.add(0, 0, x);
    EXPECT_EQ(compressed(e).csr().value[0], ((1.0 + 1e100) + 1.0) - 1e100);
    Entries f(1, 1);
    for (const double x : {1e100, -1e100, 1.0, 1.0}) f.add(0, 0, x);
    EXPECT_EQ(compressed(f).csr().value[0], 2.0);
}

TEST(Triplets, ZeroSizesAreLegal) {
    for (const auto& [rows, cols] : {std::pair{0, 0}, {0, 4}, {4, 0}, {3, 2}}) {
        const SparseMatrix m = compressed(Entries(rows, cols));
        EXPECT_EQ(m.rows(), rows);
        EXPECT_EQ(m.cols(), cols);
        EXPECT_EQ(m.csr().nonzeros(), 0);
        EXPECT_EQ(transpose(m.csr()).rows, cols);
    }
    EXPECT_NO_THROW(SparseMatrix(Triplets{}, "X"));
}

TEST(Triplets, UpdateEqualsAFreshMatrixToTheBit) {
    Random random(11);
    for (Entries e :
         {Entries(sample()), halves(Entries(sample())), with_noise(Entries(sample()))}) {
        shuffle(e, 5);
        SparseMatrix updated = compressed(e);
        e.value = random.vector(static_cast<std::int64_t>(e.value.size()));
        updated.update(e.value, "X");
        EXPECT_TRUE(same_bits(updated.csr().value, compressed(e).csr().value));
    }
}

TEST(Triplets, AFailedUpdateChangesNothing) {
    Entries e = halves(Entries(sample()));
    SparseMatrix m = compressed(e);
    const std::vector<double> before = m.csr().value;
    std::vector<double> values = e.value;
    values[4] = not_a_number;
    EXPECT_FAILS(Status::bad_value, "X: value[4] = nan", m.update(values, "X"));
    values.pop_back();
    EXPECT_FAILS(Status::bad_pattern, "triplets", m.update(values, "X"));
    EXPECT_TRUE(same_bits(m.csr().value, before));
}

struct BadTriplets {
    const char* what;
    void (*spoil)(Triplets&, Entries&);
    Status status;
    const char* message;
};

const BadTriplets bad_triplets[] = {
    {"row_is_rows", [](Triplets&, Entries& e) { e.row[5] = 7; }, Status::bad_index,
     "row[5] = 7 is outside 0..6 (index base 0); are the indices 1-based?"},
    {"col_is_cols", [](Triplets&, Entries& e) { e.col[0] = 5; }, Status::bad_index,
     "col[0] = 5 is outside 0..4 (index base 0); are the indices 1-based?"},
    {"negative_row", [](Triplets&, Entries& e) { e.row[1] = -1; }, Status::bad_index,
     "row[1] = -1"},
    {"far_row", [](Triplets&, Entries& e) { e.row[1] = std::int64_t{1} << 62; }, Status::bad_index,
     "row[1] = 4611686018427387904"},
    {"zero_in_base_1", [](Triplets& t, Entries&) { t.base = 1; }, Status::bad_index,
     "are the indices 0-based?"},
    {"base_2", [](Triplets& t, Entries&) { t.base = 2; }, Status::bad_value, "index base 2"},
    {"no_rows_array", [](Triplets& t, Entries&) { t.row = nullptr; }, Status::null_argument,
     "row is NULL"},
    {"no_cols_array", [](Triplets& t, Entries&) { t.col = nullptr; }, Status::null_argument,
     "col is NULL"},
    {"no_values", [](Triplets& t, Entries&) { t.value = nullptr; }, Status::null_argument,
     "value is NULL"},
    {"nan", [](Triplets&, Entries& e) { e.value[3] = not_a_number; }, Status::bad_value,
     "value[3] = nan"},
    {"infinite", [](Triplets&, Entries& e) { e.value[3] = -infinity; }, Status::bad_value,
     "value[3] = -inf"},
    {"negative_rows", [](Triplets& t, Entries&) { t.rows = -1; }, Status::bad_size, "rows -1"},
    {"negative_cols", [](Triplets& t, Entries&) { t.cols = -3; }, Status::bad_size, "cols -3"},
    {"negative_count", [](Triplets& t, Entries&) { t.count = -2; }, Status::bad_size, "count -2"},
    {"huge_rows", [](Triplets& t, Entries&) { t.rows = std::int64_t{1} << 62; }, Status::bad_size,
     "4611686018427387904"},
    {"huge_cols", [](Triplets& t, Entries&) { t.cols = std::int64_t{1} << 31; }, Status::bad_size,
     "2147483648"},
    {"huge_count", [](Triplets& t, Entries&) { t.count = std::int64_t{1} << 62; }, Status::bad_size,
     "4611686018427387904"},
};

class BadTripletsTest : public testing::TestWithParam<BadTriplets> {};

TEST_P(BadTripletsTest, IsRefusedWithAMessage) {
    Entries e(sample());
    Triplets t = e.view();
    GetParam().spoil(t, e);
    EXPECT_FAILS(GetParam().status, GetParam().message, SparseMatrix(t, "X"));
    EXPECT_FAILS(GetParam().status, "X: ", SparseMatrix(t, "X"));
}

INSTANTIATE_TEST_SUITE_P(All, BadTripletsTest, testing::ValuesIn(bad_triplets),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(Csr, ProductsTransposeAndEntries) {
    const Dense d = sample();
    const Csr c = csr(d);
    Random random(2);
    const std::vector<double> x = random.vector(d.cols), y = random.vector(d.rows);
    std::vector<double> ax = random.vector(d.rows), aty = random.vector(d.cols);
    std::vector<double> ax_expected = d * x, aty_expected = transposed(d) * y;
    for (std::int64_t i = 0; i < d.rows; ++i) ax_expected[i] += ax[i];
    for (std::int64_t j = 0; j < d.cols; ++j) aty_expected[j] += aty[j];
    multiply_add(c, x, ax);
    multiply_transposed_add(c, y, aty);
    EXPECT_LE(distance(ax, ax_expected), 1e-15);
    EXPECT_LE(distance(aty, aty_expected), 1e-15);
    EXPECT_TRUE(same_bits(dense(transpose(c)).a, transposed(d).a));
    expect_sorted(transpose(c));
    for (std::int64_t i = 0; i < d.rows; ++i)
        for (std::int64_t j = 0; j < d.cols; ++j) EXPECT_EQ(c.at(i, j), d(i, j));
}

}  // namespace
}  // namespace perp::test
