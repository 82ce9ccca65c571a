#include "text.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace perp::tool {
namespace {

std::string printed(const char* format, double x) {
    char text[64];
    std::snprintf(text, sizeof text, format, x);
    return text;
}

}  // namespace

std::string scientific(double x) { return x == 0.0 ? "0" : printed("%.2e", x); }
std::string seconds(double x) { return printed("%.3f", x); }

std::string fixed(double x, int decimals) {
    char text[512];  // 309 digits before the point
    std::snprintf(text, sizeof text, "%.*f", std::clamp(decimals, 0, 20), x);
    return text;
}

std::string milliseconds(double seconds) {
    const double x = 1e3 * seconds;
    if (!(x > 0.0)) return "0";
    return fixed(x, 2 - static_cast<int>(std::floor(std::log10(x))));
}

std::string short_number(double x) { return printed("%g", x); }

std::string exact(double x) {
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, x).ptr};
}

std::string power_text(double x) {
    char text[64];
    for (int digits = 0; digits < 17; ++digits) {
        std::snprintf(text, sizeof text, "%.*e", digits, x);
        if (std::strtod(text, nullptr) == x) break;
    }
    return text;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string Table::text() const {
    constexpr std::size_t left_aligned = 2;
    const std::size_t columns = rows_.front().size();
    std::vector<std::size_t> width(columns, 0);
    for (const auto& row : rows_) {
        if (row.size() < columns) continue;
        for (std::size_t k = 0; k < columns; ++k) width[k] = std::max(width[k], row[k].size());
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (k > 0) line += "  ";
            const std::size_t fill = width[k] > row[k].size() ? width[k] - row[k].size() : 0;
            line += k < left_aligned ? row[k] + std::string(fill, ' ')
                                     : std::string(fill, ' ') + row[k];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

bool can_redraw(int descriptor) {
    const char* term = std::getenv("TERM");
    return isatty(descriptor) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
}

bool can_color(int descriptor) {
    const char* no_color = std::getenv("NO_COLOR");
    return can_redraw(descriptor) && (no_color == nullptr || *no_color == '\0');
}

}  // namespace perp::tool
