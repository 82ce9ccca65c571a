// Matrix Market files: every format read, everything wrong named by its line, numbers that come
// back to the bit, and texts that lie about their size.
#include <gtest/gtest.h>

#include "io/matrix_market.hpp"
#include "io_support.hpp"

namespace perp::io_test {
namespace {

using matrix_market::Values;
using Dense = std::vector<std::vector<double>>;

// The sum of all entries at each place.
Dense dense(const TripletList& m) {
    Dense a(static_cast<std::size_t>(m.rows),
            std::vector<double>(static_cast<std::size_t>(m.cols), 0.0));
    for (std::size_t k = 0; k < m.value.size(); ++k) a[m.row[k]][m.col[k]] += m.value[k];
    return a;
}

Dense matrix(const std::string& text) { return dense(matrix_market::read_matrix("a.mtx", text)); }

std::vector<double> vector(const std::string& text, Values values = Values::finite) {
    return matrix_market::read_vector("a.mtx", text, values);
}

const std::string coordinate = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n";
const std::string integer = "%%MatrixMarket matrix coordinate integer general\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

TEST(MatrixMarket, ReadsEveryFormat) {
    const Dense general{{1.5, 0, -2}, {0, 0, 3e-5}};
    EXPECT_EQ(matrix(coordinate + "2 3 3\n1 1 1.5\n2 3 3e-5\n1 3 -2\n"), general);
    EXPECT_EQ(matrix(integer + "1 2 2\n1 2 -7\n1 1 +3\n"), (Dense{{3, -7}}));
    EXPECT_EQ(matrix(symmetric + "3 3 3\n1 1 4\n3 1 -1\n2 2 5\n"),
              (Dense{{4, 0, -1}, {0, 5, 0}, {-1, 0, 0}}));
    EXPECT_EQ(matrix(skew + "2 2 1\n2 1 6\n"), (Dense{{0, -6}, {6, 0}}));
    EXPECT_EQ(matrix(array + "2 3\n1.5\n0\n0\n0\n-2\n3e-5\n"), general);
    const std::string of = "%%MatrixMarket matrix array ";
    EXPECT_EQ(matrix(of + "integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"),
              (Dense{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}));
    EXPECT_EQ(matrix(of + "real skew-symmetric\n3 3\n1\n2\n3\n"),
              (Dense{{0, -1, -2}, {1, 0, -3}, {2, 3, 0}}));
    EXPECT_EQ(vector(array + "3 1\n1\n2\n3\n"), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(vector(array + "0 1\n"), std::vector<double>());
    EXPECT_EQ(matrix(coordinate + "2 2 0\n"), (Dense{{0, 0}, {0, 0}}));
}

TEST(MatrixMarket, ReadsEveryWayToWriteIt) {
    const Dense a{{1, 0}, {-0.5, 2}};
    EXPECT_EQ(matrix(coordinate + "2 2 3\n1 1 1\n2 1 -.5\n2 2 2."), a) << "no newline at the end";
    EXPECT_EQ(matrix("%%MatrixMarket matrix coordinate real general\r\n%\r\n2 2 3\r\n1 1 1\r\n"
                     "2 1 -5e-1\r\n2 2 2\r\n"),
              a);
    EXPECT_EQ(matrix("%%matrixmarket MATRIX Coordinate\tREAL  General \n% a\n\n  % b\n \t 2\t2 3\n"
                     "%% c\n\n  1 \t1 +1\n2 1 -5E-01\n\n2 2 2.000\n% d\n\n"),
              a);
    EXPECT_EQ(matrix(coordinate + "% " + std::string(100000, 'x') + "\n2 2 3\n1 1 1\n" +
                     std::string(100000, ' ') + "2 1 -0.5\n2 2 2\n"),
              a);
    EXPECT_EQ(matrix(coordinate + "1 1 3\n1 1 1\n1 1 2\n1 1 4\n"), (Dense{{7}}));
    EXPECT_EQ(matrix(symmetric + "2 2 2\n2 1 1\n2 1 2\n"), (Dense{{0, 3}, {3, 0}}));
    EXPECT_EQ(vector(array + "4 1\n1 2\n3\n 4 "), (std::vector<double>{1, 2, 3, 4}));
    for (const char* text : {"inf", "Inf", "INF", "+inf", "infinity", "Infinity", "+Infinity"})
        EXPECT_EQ(vector(array + "1 1\n" + text + "\n", Values::or_infinite)[0], infinity) << text;
    for (const char* text : {"-inf", "-Inf", "-INFINITY"})
        EXPECT_EQ(vector(array + "1 1\n" + text + "\n", Values::or_infinite)[0], -infinity) << text;
}

struct Wrong {
    int line;
    std::string message;
    std::string text;
};

TEST(MatrixMarket, NamesLineAndFault) {
    const std::string of = "%%MatrixMarket ";
    const std::vector<Wrong> all{
        {1, "expected the header", ""},
        {1, "expected the header", "\n" + coordinate + "1 1 0\n"},
        {1, "found \"1\"", "1 1 1\n"},
        {1, "found \"\?\?\?\?\"", std::string("\x89HD\0", 4).replace(1, 2, "\1\2") + "\n"},
        {1, "object \"vector\"", of + "vector array real general\n"},
        {1, "format \"dense\" cannot be read: expected coordinate or array",
         of + "matrix dense real general\n"},
        {1, "field \"complex\" cannot be read: expected real or integer",
         of + "matrix coordinate complex general\n1 1 1\n1 1 2 3\n"},
        {1, "field \"pattern\"", of + "matrix coordinate pattern general\n1 1 1\n1 1\n"},
        {1, "symmetry \"hermitian\"", of + "matrix coordinate real hermitian\n"},
        {1, "symmetry is missing", of + "matrix coordinate real\n"},
        {1, "\"x\" is one word too many after the header",
         of + "matrix coordinate real general x\n"},
        {1, "ends before the line of sizes", coordinate},
        {3, "ends before the line of sizes", coordinate + "% a\n\n"},
        {2, "number of columns is missing", coordinate + "2\n"},
        {2, "number of entries is missing", coordinate + "2 2\n1 1 1\n"},
        {3, "number of rows \"x\" is not a whole number", coordinate + "%\nx 2 1\n"},
        {2, "number of rows \"2.0\"", coordinate + "2.0 2 1\n"},
        {2, "number of columns -1 is negative", coordinate + "2 -1 1\n"},
        {2, "number of rows \"99999999999999999999\" is too large",
         coordinate + "99999999999999999999 1 1\n"},
        {2, "\"5\" is one word too many after the sizes", array + "1 1 5\n"},
        {2, "2 x 3 is not square", symmetric + "2 3 0\n"},
        {5, "row 3 is outside 1..2", coordinate + "2 2 2\n1 1 1\n\n3 1 1\n"},
        {3, "row 0 is outside 1..2", coordinate + "2 2 1\n0 1 1\n"},
        {3, "column 4 is outside 1..3", coordinate + "2 3 1\n1 4 1\n"},
        {3, "row \"1.5\" is not a whole number", coordinate + "2 2 1\n1.5 1 1\n"},
        {3, "column is missing", coordinate + "2 2 1\n1          \n"},
        {3, "the value is missing", coordinate + "2 2 1\n1 1       \n"},
        {3, "\"2\" is one word too many after the entry", coordinate + "2 2 1\n1 1 1 2\n"},
        {3, "\"1,5\" is not a number", coordinate + "2 2 1\n1 1 1,5\n"},
        {3, "\"0x10\" is not a number", coordinate + "2 2 1\n1 1 0x10\n"},
        {3, "\"+-1\" is not a number", coordinate + "2 2 1\n1 1 +-1\n"},
        {3, "\"+\" is not a number", coordinate + "2 2 1\n1 1 + \n"},
        {3, "\"1.0D0\" is not a number", coordinate + "2 2 1\n1 1 1.0D0\n"},
        {3, "\"inf\" is not finite", coordinate + "2 2 1\n1 1 inf\n"},
        {3, "\"nan\" is not a number that can be used", coordinate + "2 2 1\n1 1 nan\n"},
        {3, "\"1e400\" is outside the range of double", coordinate + "2 2 1\n1 1 1e400\n"},
        {3, "\"1.5\" is not a whole number", integer + "2 2 1\n1 1 1.5\n"},
        {3, "\"1e3\" is not a whole number", integer + "2 2 1\n1 1 1e3\n"},
        {3, "entry (1, 2) is above the diagonal", symmetric + "2 2 1\n1 2 3\n"},
        {3, "entry (1, 2) is above the diagonal", skew + "2 2 1\n1 2 3\n"},
        {4, "entry (2, 2) is on the diagonal", skew + "2 2 2\n2 1 1\n2 2 0\n"},
        {4, "the file ends after 2 of 3 entries", coordinate + "2 2 3\n1 1 1\n2 2 1.0000000\n"},
        {5, "ends after 1 of 2 entries", coordinate + "2 2 2\n1 1 1\n%\n% much text\n"},
        {5, "\"2\" follows after all of the 1 entries", coordinate + "2 2 1\n1 1 1\n\n2 2 1\n"},
        {3, "the file ends after 1 of 2 entries", array + "2 1\n1  \n"},
        {4, "\"3\" follows after all of the 2 entries", array + "2 1\n1 2\n3\n"},
        {3, "\"3\" is one word too many after the last entry", array + "2 1\n1 2 3\n"},
        {4, "\"x\" is not a number", array + "2 1\n1\nx\n"},
        {3, "\"" + std::string(40, 'z') + "...\"", array + "1 1\n" + std::string(99, 'z') + "\n"},
    };
    for (const Wrong& wrong : all) {
        SCOPED_TRACE(wrong.text);
        expect_error(Status::file_format,
                     {"a.mtx: line " + std::to_string(wrong.line) + ": ", wrong.message},
                     [&] { matrix(wrong.text); });
    }
}

TEST(MatrixMarket, RefusesWhatIsNoVector) {
    expect_error(Status::file_format, {"a.mtx: line 2", "1 column, found 2"},
                 [] { vector(array + "1 2\n1\n2\n"); });
    expect_error(Status::file_format, {"a.mtx: line 2", "array format, found coordinate"},
                 [] { vector(coordinate + "2 1 1\n1 1 1\n"); });
    expect_error(Status::file_format, {"a.mtx: line 4", "\"nan\""},
                 [] { vector(array + "2 1\n1\nnan\n", Values::or_infinite); });
    expect_error(Status::file_format, {"a.mtx: line 3", "\"-inf\" is not finite"},
                 [] { vector(array + "1 1\n-inf\n"); });
    expect_error(Status::file_format, {"a.mtx: line 2", "expected 3 x 1, found 2 x 1"}, [] {
        matrix_market::read_vector("a.mtx", array + "2 1\n1\n2\n", Values::finite, 3);
    });
    expect_error(Status::file_format, {"a.mtx: line 2", "expected 3 x 3, found 2 x 2"}, [] {
        matrix_market::read_matrix("a.mtx", coordinate + "2 2 0\n", matrix_market::Size{3, 3});
    });
}

// Sizes beyond memory: an error at once, where the file cannot hold what it claims.
TEST(MatrixMarket, SizesThatAreNotThere) {
    for (const char* sizes :
         {"1 1 9000000000000", "1 1 9223372036854775807", "9000000000 9000000000 7000000000"})
        expect_error(Status::file_format, {"line 2", "room for at most 1"},
                     [&] { matrix(coordinate + sizes + "\n1 1 1\n"); });
    for (const char* sizes : {"9000000000000 1", "1 9000000000000", "9223372036854775807 1",
                              "4000000000 4000000000", "9223372036854775807 9223372036854775807"})
        expect_error(Status::file_format, {"line 2", "room for at most 1"},
                     [&] { matrix(array + sizes + "\n1\n"); });
    for (const char* kind : {"symmetric", "skew-symmetric"})
        for (const char* sizes : {"3000000000 3000000000", "4000000000 4000000000"})
            expect_error(Status::file_format, {"line 2", "room for at most 1"}, [&] {
                matrix(std::string("%%MatrixMarket matrix array real ") + kind + "\n" + sizes +
                       "\n1\n");
            });
    expect_error(Status::file_format, {"line 2", "room for at most 1"},
                 [] { vector(array + "9000000000000 1\n1\n"); });
    // Nothing is as large as the sizes themselves.
    const TripletList large =
        matrix_market::read_matrix("a.mtx", coordinate + "9000000000000 9000000000000 1\n1 1 1\n");
    EXPECT_EQ(large.value.size(), 1U);
}

TEST(MatrixMarket, NumbersComeBackToTheBit) {
    std::vector<double> values{0.0,
                               -0.0,
                               0.1,
                               1.0 / 3.0,
                               -1e22,
                               123456789012345678.0,
                               infinity,
                               -infinity,
                               std::numeric_limits<double>::min(),
                               std::numeric_limits<double>::denorm_min(),
                               -std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::epsilon()};
    std::mt19937_64 random(5);
    while (values.size() < 5000) {
        const double x = std::bit_cast<double>(random());
        if (x == x) values.push_back(x);
    }
    EXPECT_TRUE(same_bits(
        vector(matrix_market::vector_text(values, {"any comment"}), Values::or_infinite), values));

    std::erase_if(values, [](double x) { return !(x - x == 0.0); });
    TripletList list;
    list.rows = 40;
    list.cols = static_cast<std::int64_t>(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        list.add(static_cast<std::int64_t>(7 * k % 40), static_cast<std::int64_t>(k), values[k]);
    const Csr a = SparseMatrix(list.view(), "a").csr();
    const TripletList read = matrix_market::read_matrix("a.mtx", matrix_market::matrix_text(a, {}));
    expect_same(SparseMatrix(read.view(), "a").csr(), a, "a");
}

TEST(MatrixMarket, CommentsAreCommentsWhateverTheyHold) {
    const std::string long_line(5000, 'x');
    std::string umlauts;
    for (int k = 0; k < 900; ++k) umlauts += "\u00e4";
    const std::string text = matrix_market::vector_text(
        std::vector{1.0, 2.0}, {"", "two\nlines\r\n3 1\r4 1\n", long_line, umlauts});
    EXPECT_EQ(vector(text), (std::vector<double>{1, 2}));
    EXPECT_NE(text.find("\n% two\n% lines\n% 3 1\n% 4 1\n"), std::string::npos) << text;
    std::istringstream lines(text);
    std::size_t xs = 0, longest = 0;
    for (std::string line; std::getline(lines, line); longest = std::max(longest, line.size())) {
        xs += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x'));
        EXPECT_FALSE(line.size() > 2 && (static_cast<unsigned char>(line[2]) & 0xC0U) == 0x80U)
            << "a character is cut in two";
    }
    EXPECT_EQ(xs, 5000 + 2U);  // and "matrix", "MatrixMarket"
    EXPECT_LE(longest, 1023U);
}

// Cut at every byte: an Error that names the file, or all entries (the last may lose digits).
TEST(MatrixMarket, TruncatedAnywhere) {
    const std::vector<std::string> texts{
        coordinate + "% comment\n3 3 4\n1 1 1.25\n2 2 -3.5e-1\n\n3 1 7\n3 3 12.5\n",
        symmetric + "2 2 2\r\n1 1 1.25\r\n2 1 -3.5e-1\r\n",
        "%%MatrixMarket matrix array integer symmetric\n2 2\n1\n20\n300\n"};
    for (const std::string& text : texts) {
        const std::size_t entries = matrix_market::read_matrix("a.mtx", text).value.size();
        int errors = 0;
        for (std::size_t size = 0; size < text.size(); ++size) {
            try {
                const std::string cut = text.substr(0, size);
                EXPECT_EQ(matrix_market::read_matrix("a.mtx", cut).value.size(), entries) << cut;
            } catch (const Error& error) {
                ++errors;
                EXPECT_EQ(error.status(), Status::file_format);
                EXPECT_TRUE(std::string(error.what()).starts_with("a.mtx: line ")) << error.what();
            }
        }
        EXPECT_GE(errors, static_cast<int>(text.size()) - 8);
    }
}

// Any byte changed to any of some others: an Error or a matrix, never anything else.
TEST(MatrixMarket, DamagedAnywhere) {
    const std::string good = symmetric + "3 3 4\n1 1 1.25\n2 2 -3.5e-1\n3 1 7\n3 3 12.5\n";
    int read = 0, refused = 0;
    for (std::size_t k = 0; k < good.size(); ++k)
        for (const char c : std::string("\0\n\r %-+09.eEx\xff", 15)) {
            std::string bad = good;
            bad[k] = c;
            try {
                matrix(bad);
                ++read;
            } catch (const Error& error) {
                EXPECT_EQ(error.status(), Status::file_format);
                ++refused;
            }
        }
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, read);
}

}  // namespace
}  // namespace perp::io_test
