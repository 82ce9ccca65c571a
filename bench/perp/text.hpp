// Numbers and columns as text, and what the terminal can do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perp::tool {

std::string scientific(double x);  // 1.23e-04
std::string seconds(double x);     // 0.123
std::string fixed(double x, int decimals);
std::string milliseconds(double seconds);  // 0.0123, 1.23, 12.3, 1234: three digits or more
std::string short_number(double x);        // 0.001, 250, 1e-05: as short as "%g"
std::string exact(double x);               // the shortest text that reads back as x
std::string power_text(double x);          // 1e-04; 2.5e-04
std::string padded(std::string text, std::size_t width);

// Columns as wide as their widest cell, two blanks between; the first two left-aligned, others
// right-aligned. A row may end early with a last cell that runs over the remaining columns.
class Table {
public:
    explicit Table(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

// A terminal on which a line can be redrawn: a tty, and TERM is not "dumb".
bool can_redraw(int descriptor);
// ... that may be coloured: NO_COLOR is not set.
bool can_color(int descriptor);

}  // namespace perp::tool
