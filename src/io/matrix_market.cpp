#include "io/matrix_market.hpp"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <system_error>

#include "base/error.hpp"

namespace perp::matrix_market {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

// ---------------------------------------------------------------------------
// Lines and words

// A word as it may stand in a message: short and printable.
std::string quoted(std::string_view word) {
    constexpr std::size_t most = 40;
    std::string text(word.substr(0, most));
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return "\"" + text + (word.size() > most ? "...\"" : "\"");
}

std::string lower_case(std::string_view word) {
    std::string text(word);
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// Walks through the words of a text, line by line.
class Words {
public:
    Words(const std::string& file, std::string_view text) : file_(file), rest_(text) {}

    // To the next line, whatever it holds; false at the end of the text.
    bool next_line() {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        return true;
    }
    // To the next line with words that are no comment.
    bool next_data() {
        while (next_line()) {
            const std::size_t first = line_.find_first_not_of(blanks);
            if (first != std::string_view::npos && line_[first] != '%') return true;
        }
        return false;
    }
    // The next word of this line; empty: there is none.
    std::string_view word() {
        line_.remove_prefix(std::min(line_.find_first_not_of(blanks), line_.size()));
        const std::size_t end = std::min(line_.find_first_of(blanks), line_.size());
        const std::string_view found = line_.substr(0, end);
        line_.remove_prefix(end);
        return found;
    }
    void no_more_words(const char* after) {
        const std::string_view extra = word();
        if (!extra.empty()) fail(quoted(extra) + " is one word too many after " + after);
    }
    // Bytes behind this line.
    [[nodiscard]] std::int64_t room() const { return static_cast<std::int64_t>(rest_.size()); }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(
            Status::file_format,
            file_ + ": line " + std::to_string(std::max<std::int64_t>(number_, 1)) + ": " + what);
    }

private:
    const std::string& file_;
    std::string_view line_, rest_;
    std::int64_t number_ = 0;
};

// ---------------------------------------------------------------------------
// Numbers

// std::from_chars knows no plus sign.
std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
}

template <class Number>
std::errc parse(std::string_view word, Number& x) {
    word = without_plus(word);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error == std::errc::invalid_argument || end != word.data() + word.size())
        return std::errc::invalid_argument;
    return error;
}

std::int64_t whole_number(Words& words, const char* name) {
    const std::string_view word = words.word();
    std::int64_t x = 0;
    if (word.empty()) words.fail(std::string(name) + " is missing");
    const std::errc error = parse(word, x);
    if (error == std::errc::result_out_of_range)
        words.fail(std::string(name) + " " + quoted(word) + " is too large");
    if (error != std::errc())
        words.fail(std::string(name) + " " + quoted(word) + " is not a whole number");
    return x;
}

std::int64_t size_number(Words& words, const char* name) {
    const std::int64_t x = whole_number(words, name);
    if (x < 0) words.fail(format("%s %" PRId64 " is negative", name, x));
    return x;
}

std::int64_t index_number(Words& words, const char* name, std::int64_t limit) {
    const std::int64_t x = whole_number(words, name);
    if (x < 1 || x > limit)
        words.fail(format("%s %" PRId64 " is outside 1..%" PRId64, name, x, limit));
    return x - 1;
}

// ---------------------------------------------------------------------------
// Header

enum class Symmetry { general, symmetric, skew };

struct Header {
    bool array = false;
    bool integer = false;
    Symmetry symmetry = Symmetry::general;
    Size size;
    std::int64_t entries = 0;  // stored, of one triangle where that is enough
};

[[noreturn]] void fail_word(const Words& words, const char* what, std::string_view found,
                            const char* expected) {
    words.fail(std::string(what) +
               (found.empty() ? " is missing" : " " + quoted(found) + " cannot be read") +
               ": expected " + expected);
}

Header read_first_line(Words& words) {
    words.next_line();
    const std::string_view banner = words.word();
    if (lower_case(banner) != "%%matrixmarket")
        words.fail("expected the header \"%%MatrixMarket matrix ...\", found " +
                   (banner.empty() ? std::string("nothing") : quoted(banner)));
    const std::string object = lower_case(words.word()), layout = lower_case(words.word()),
                      field = lower_case(words.word()), symmetry = lower_case(words.word());
    Header header;
    header.array = layout == "array";
    header.integer = field == "integer";
    if (object != "matrix") fail_word(words, "object", object, "matrix");
    if (!header.array && layout != "coordinate")
        fail_word(words, "format", layout, "coordinate or array");
    if (!header.integer && field != "real")  // complex and pattern too
        fail_word(words, "field", field, "real or integer");
    if (symmetry == "symmetric") {
        header.symmetry = Symmetry::symmetric;
    } else if (symmetry == "skew-symmetric") {
        header.symmetry = Symmetry::skew;
    } else if (symmetry != "general") {  // hermitian too
        fail_word(words, "symmetry", symmetry, "general, symmetric or skew-symmetric");
    }
    words.no_more_words("the header");
    return header;
}

// At the largest number where there are more.
std::int64_t array_entries(const Header& header) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const auto [rows, cols] = header.size;
    if (rows > 0 && cols > most / rows) return most;
    const std::int64_t all = rows * cols;
    if (header.symmetry == Symmetry::general) return all;
    const std::int64_t triangle = (all - rows) / 2;
    return header.symmetry == Symmetry::skew ? triangle : triangle + rows;
}

Header read_header(Words& words, std::optional<Size> expected) {
    Header header = read_first_line(words);
    if (!words.next_data()) words.fail("the file ends before the line of sizes");
    Size& size = header.size;
    size.rows = size_number(words, "number of rows");
    size.cols = size_number(words, "number of columns");
    header.entries = header.array ? array_entries(header) : size_number(words, "number of entries");
    words.no_more_words("the sizes");
    if (expected && (size.rows != expected->rows || size.cols != expected->cols))
        words.fail(format("expected %" PRId64 " x %" PRId64 ", found %" PRId64 " x %" PRId64,
                          expected->rows, expected->cols, size.rows, size.cols));
    if (header.symmetry != Symmetry::general && size.rows != size.cols)
        words.fail(format("%" PRId64 " x %" PRId64 " is not square, as the symmetry asks for",
                          size.rows, size.cols));
    // The shortest entries are "0" and "1 1 0", each with the end of its line but for the last.
    const std::int64_t room = (words.room() + 1) / (header.array ? 2 : 6);
    if (header.entries > room)
        words.fail(format("%" PRId64 " entries are claimed, but the file has room for at most "
                          "%" PRId64,
                          header.entries, room));
    return header;
}

// ---------------------------------------------------------------------------
// Entries

double value(const Words& words, std::string_view word, const Header& header, Values allowed) {
    if (word.empty()) words.fail("the value is missing");
    const auto fail = [&](const char* why) { words.fail("the value " + quoted(word) + why); };
    if (header.integer && word.find_first_not_of("+-0123456789") != std::string_view::npos)
        fail(" is not a whole number, as the header says");
    double x = 0.0;
    const std::errc error = parse(word, x);
    if (error == std::errc::result_out_of_range) fail(" is outside the range of double precision");
    if (error != std::errc()) fail(" is not a number");
    if (std::isnan(x)) fail(" is not a number that can be used");
    if (std::isinf(x) && allowed == Values::finite) fail(" is not finite");
    return x;
}

[[noreturn]] void fail_count(const Words& words, const Header& header, std::int64_t found) {
    words.fail(
        format("the file ends after %" PRId64 " of %" PRId64 " entries", found, header.entries));
}

void no_more_entries(Words& words, const Header& header) {
    if (!words.next_data()) return;
    words.fail(format("%s follows after all of the %" PRId64 " entries",
                      quoted(words.word()).c_str(), header.entries));
}

// Calls visit(i, j, x) for every entry of the text.
template <class Visit>
void visit_coordinates(Words& words, const Header& header, Values allowed, Visit&& visit) {
    for (std::int64_t k = 0; k < header.entries; ++k) {
        if (!words.next_data()) fail_count(words, header, k);
        const std::int64_t i = index_number(words, "row", header.size.rows);
        const std::int64_t j = index_number(words, "column", header.size.cols);
        if (header.symmetry != Symmetry::general && j > i)
            words.fail(format("entry (%" PRId64 ", %" PRId64
                              ") is above the diagonal; files with symmetry hold the lower "
                              "triangle only",
                              i + 1, j + 1));
        if (header.symmetry == Symmetry::skew && i == j)
            words.fail(format("entry (%" PRId64 ", %" PRId64
                              ") is on the diagonal, which is zero in skew-symmetric matrices",
                              i + 1, j + 1));
        visit(i, j, value(words, words.word(), header, allowed));
        words.no_more_words("the entry");
    }
    no_more_entries(words, header);
}

// By columns; any number of values may stand on a line.
template <class Visit>
void visit_array(Words& words, const Header& header, Values allowed, Visit&& visit) {
    const auto first_row = [&](std::int64_t j) {
        return header.symmetry == Symmetry::general ? 0
               : header.symmetry == Symmetry::skew  ? j + 1
                                                    : j;
    };
    std::int64_t found = 0, j = 0, i = first_row(0);
    while (found < header.entries) {
        std::string_view word = words.word();
        while (word.empty()) {
            if (!words.next_data()) fail_count(words, header, found);
            word = words.word();
        }
        visit(i, j, value(words, word, header, allowed));
        ++found;
        if (++i == header.size.rows) i = first_row(++j);
    }
    words.no_more_words("the last entry");
    no_more_entries(words, header);
}

template <class Visit>
void visit_entries(Words& words, const Header& header, Values allowed, Visit&& visit) {
    if (header.array) {
        visit_array(words, header, allowed, visit);
    } else {
        visit_coordinates(words, header, allowed, visit);
    }
}

}  // namespace

TripletList read_matrix(const std::string& file, std::string_view text,
                        std::optional<Size> expected) {
    Words words(file, text);
    const Header header = read_header(words, expected);
    TripletList matrix;
    matrix.rows = header.size.rows;
    matrix.cols = header.size.cols;
    visit_entries(words, header, Values::finite, [&](std::int64_t i, std::int64_t j, double x) {
        if (header.array && x == 0.0) return;
        matrix.add(i, j, x);
        if (header.symmetry == Symmetry::general || i == j) return;
        matrix.add(j, i, header.symmetry == Symmetry::skew ? -x : x);
    });
    return matrix;
}

std::vector<double> read_vector(const std::string& file, std::string_view text, Values values,
                                std::optional<std::int64_t> expected) {
    Words words(file, text);
    const Header header =
        read_header(words, expected ? std::optional(Size{*expected, 1}) : std::nullopt);
    if (!header.array) words.fail("a vector must be in the array format, found coordinate");
    if (header.size.cols != 1)
        words.fail(format("a vector must have 1 column, found %" PRId64, header.size.cols));
    std::vector<double> vector(static_cast<std::size_t>(header.size.rows));
    visit_entries(words, header, values, [&](std::int64_t i, std::int64_t, double x) {
        vector[static_cast<std::size_t>(i)] = x;
    });
    return vector;
}

// ---------------------------------------------------------------------------
// Writing

namespace {

template <class Number>
void append(std::string& text, Number x, char end) {
    char digits[32];
    const auto written = std::to_chars(std::begin(digits), std::end(digits), x);
    text.append(std::begin(digits), written.ptr);
    text += end;
}

// Other readers take lines of up to 1024 characters.
void append_comment(std::string& text, std::string_view comment) {
    constexpr std::size_t most = 1000;
    const auto inside_character = [](char c) {  // UTF-8
        return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    };
    do {
        std::size_t end = std::min(comment.find_first_of("\r\n"), comment.size());
        if (end > most) {
            end = most;
            while (end > 1 && inside_character(comment[end])) --end;
        }
        text.append("% ").append(comment.substr(0, end)) += '\n';
        comment.remove_prefix(end);
        const std::size_t line_end = comment.substr(0, 2) == "\r\n" ? 2 : 1;
        if (!comment.empty() && (comment[0] == '\r' || comment[0] == '\n'))
            comment.remove_prefix(line_end);
    } while (!comment.empty());
}

std::string head(const char* format, const std::vector<std::string>& comments) {
    std::string text = std::string("%%MatrixMarket matrix ") + format + " real general\n";
    for (const std::string& comment : comments) append_comment(text, comment);
    return text;
}

}  // namespace

std::string number_text(double x) {
    std::string text;
    append(text, x, '\0');
    text.pop_back();
    return text;
}

std::string matrix_text(const Csr& matrix, const std::vector<std::string>& comments) {
    std::string text = head("coordinate", comments);
    append(text, matrix.rows, ' ');
    append(text, matrix.cols, ' ');
    append(text, matrix.nonzeros(), '\n');
    for (std::int64_t i = 0; i < matrix.rows; ++i)
        for (std::int64_t k = matrix.start[i]; k < matrix.start[i + 1]; ++k) {
            append(text, i + 1, ' ');
            append(text, std::int64_t{matrix.index[k]} + 1, ' ');
            append(text, matrix.value[k], '\n');
        }
    return text;
}

std::string vector_text(std::span<const double> vector, const std::vector<std::string>& comments) {
    std::string text = head("array", comments);
    append(text, static_cast<std::int64_t>(vector.size()), ' ');
    append(text, std::int64_t{1}, '\n');
    for (const double x : vector) append(text, x, '\n');
    return text;
}

}  // namespace perp::matrix_market
