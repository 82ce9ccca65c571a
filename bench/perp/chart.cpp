#include "chart.hpp"

#include <algorithm>
#include <cmath>

#include "text.hpp"

namespace perp::tool {
namespace {

using Points = std::vector<std::pair<double, double>>;

// Pixels.
constexpr double left = 84, top = 44, plot_width = 560, plot_height = 340, character = 6.7;
constexpr double right = left + plot_width, bottom = top + plot_height;
constexpr std::size_t caption_columns = 115;

constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#000000", "#b8860b", "#56b4e9"};
constexpr const char* dashes[] = {"none", "8 4", "2 3", "10 3 2 3", "14 4", "5 2", "10 3 2 3 2 3"};
constexpr std::size_t markers = 6;

double transformed(Scale scale, double x) {
    if (scale == Scale::log2) return std::log2(x);
    return scale == Scale::log10 ? std::log10(x) : x;
}

// 0 at the low end, 1 at the high end.
double position(const Axis& axis, double x) {
    const double low = transformed(axis.scale, axis.low), high = transformed(axis.scale, axis.high);
    const double clamped = std::clamp(x, axis.low, axis.high);
    return (transformed(axis.scale, clamped) - low) / (high - low);
}

std::string px(double x) {
    const std::string text = fixed(x, 1);
    return text.size() > 2 && text.substr(text.size() - 2) == ".0" ? text.substr(0, text.size() - 2)
                                                                   : text;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
    return "<line x1=\"" + px(x1) + "\" y1=\"" + px(y1) + "\" x2=\"" + px(x2) + "\" y2=\"" +
           px(y2) + "\" " + style + "/>\n";
}

std::string label(double x, double y, const std::string& style, const std::string& text) {
    return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" " + style + ">" + xml_escaped(text) +
           "</text>\n";
}

std::string marker(std::size_t kind, double x, double y, const std::string& color) {
    const auto path = [&](const std::string& d, const std::string& fill) {
        return "<path transform=\"translate(" + px(x) + " " + px(y) + ")\" d=\"" + d +
               "\" fill=\"" + fill + "\" stroke=\"" + color + "\" stroke-width=\"1.5\"/>\n";
    };
    switch (kind % markers) {
        case 0:
            return path("M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z", color);
        case 1:
            return path("M-3.5-3.5H3.5V3.5H-3.5Z", "white");
        case 2:
            return path("M0-4.5L4.2 3.2H-4.2Z", color);
        case 3:
            return path("M0-5L5 0L0 5L-5 0Z", "white");
        case 4:
            return path("M-4-4L4 4M-4 4L4-4", "none");
        default:
            return path("M-4.5 0H4.5M0-4.5V4.5", "none");
    }
}

// The points of a line in pixels. Of many in one column only the first, the extremes and the last.
Points drawn_points(const Chart& chart, const Series& series) {
    Points drawn, column;
    const auto flush = [&] {
        if (column.empty()) return;
        const auto by_y = [](const auto& a, const auto& b) { return a.second < b.second; };
        const auto [low, high] = std::minmax_element(column.begin(), column.end(), by_y);
        std::vector<std::size_t> keep{0, static_cast<std::size_t>(low - column.begin()),
                                      static_cast<std::size_t>(high - column.begin()),
                                      column.size() - 1};
        std::sort(keep.begin(), keep.end());
        keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
        for (const std::size_t k : keep) drawn.push_back(column[k]);
        column.clear();
    };
    for (const auto& [x, y] : series.points) {
        const std::pair<double, double> p{left + plot_width * position(chart.x, x),
                                          bottom - plot_height * position(chart.y, y)};
        if (series.steps && !drawn.empty()) drawn.emplace_back(p.first, drawn.back().second);
        if (series.steps) {
            drawn.push_back(p);
            continue;
        }
        if (!column.empty() && p.first - column.front().first >= 1.0) flush();
        column.push_back(p);
    }
    flush();
    return drawn;
}

std::string polyline(const Points& points, const std::string& style) {
    std::string text = "<polyline points=\"";
    for (std::size_t k = 0; k < points.size(); ++k)
        text += (k > 0 ? " " : "") + px(points[k].first) + "," + px(points[k].second);
    return text + "\" " + style + "/>\n";
}

// Markers on the line at regular places that differ from series to series, and at its end.
std::string markers_along(const Points& points, std::size_t index, std::size_t count) {
    constexpr double spacing = plot_width / 7;
    const std::string color = colors[index % std::size(colors)];
    std::string text;
    double next = left + spacing * (static_cast<double>(index) + 0.5) / static_cast<double>(count);
    for (std::size_t k = 1; k < points.size(); ++k) {
        const auto [x0, y0] = points[k - 1];
        const auto [x1, y1] = points[k];
        while (next < x0) next += spacing;
        while (next < x1) {
            text += marker(index, next, y0 + (y1 - y0) * (next - x0) / (x1 - x0), color);
            next += spacing;
        }
    }
    if (!points.empty()) text += marker(index, points.back().first, points.back().second, color);
    return text;
}

std::string line_style(std::size_t index) {
    return std::string("fill=\"none\" stroke=\"") + colors[index % std::size(colors)] +
           "\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-dasharray=\"" +
           dashes[index % std::size(dashes)] + "\"";
}

std::string series_text(const Chart& chart, std::size_t index) {
    const Series& series = chart.series[index];
    const Points points = drawn_points(chart, series);
    return "<g class=\"series\"><title>" + xml_escaped(series.name) + "</title>\n" +
           polyline(points, line_style(index)) + markers_along(points, index, chart.series.size()) +
           "</g>\n";
}

std::string legend_text(const Chart& chart) {
    std::string text;
    double y = top + 12;
    for (std::size_t k = 0; k < chart.series.size(); ++k, y += 22) {
        text += line(right + 18, y, right + 58, y, line_style(k)) +
                marker(k, right + 38, y, colors[k % std::size(colors)]) +
                label(right + 66, y + 4, "text-anchor=\"start\"", chart.series[k].name);
    }
    return text;
}

std::string axes_text(const Chart& chart) {
    const std::string grid = "stroke=\"#dddddd\"", ink = "stroke=\"#333333\"";
    std::string text;
    for (const double x : ticks_of(chart.x)) {
        const double at = left + plot_width * position(chart.x, x);
        text += line(at, top, at, bottom, grid) + line(at, bottom, at, bottom + 5, ink) +
                label(at, bottom + 19, "text-anchor=\"middle\"", short_number(x));
    }
    for (const double y : ticks_of(chart.y)) {
        const double at = bottom - plot_height * position(chart.y, y);
        text += line(left, at, right, at, grid) + line(left - 5, at, left, at, ink) +
                label(left - 9, at + 4, "text-anchor=\"end\"", short_number(y));
    }
    text += "<rect x=\"" + px(left) + "\" y=\"" + px(top) + "\" width=\"" + px(plot_width) +
            "\" height=\"" + px(plot_height) + "\" fill=\"none\" " + ink + "/>\n";
    text += label(left + plot_width / 2, bottom + 42, "text-anchor=\"middle\" font-size=\"13\"",
                  chart.x.label);
    const std::string middle = px(top + plot_height / 2);
    text += label(0, 0,
                  "transform=\"translate(20 " + middle +
                      ") rotate(-90)\" text-anchor=\"middle\" font-size=\"13\"",
                  chart.y.label);
    for (const Guide& guide : chart.guides) {
        const double at = bottom - plot_height * position(chart.y, guide.y);
        text += line(left, at, right, at, "stroke=\"#777777\" stroke-dasharray=\"1 3\"") +
                label(left + 6, at - 4, "fill=\"#555555\" font-size=\"11\"", guide.label);
    }
    return text;
}

std::vector<std::string> wrapped(const std::vector<std::string>& paragraphs, std::size_t columns) {
    std::vector<std::string> lines;
    for (std::string rest : paragraphs) {
        while (rest.size() > columns) {
            std::size_t cut = rest.rfind(' ', columns);
            if (cut == std::string::npos || cut == 0) cut = columns;
            lines.push_back(rest.substr(0, cut));
            rest.erase(0, rest[cut] == ' ' ? cut + 1 : cut);
        }
        lines.push_back(rest);
    }
    return lines;
}

// first, first + stride, ... up to last: exponents or multiples.
std::vector<double> counted_up(double first, double last, double stride) {
    const auto count =
        std::max(0, static_cast<int>(std::floor((last - first) / stride + 1e-9)) + 1);
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) numbers.push_back(first + stride * k);
    return numbers;
}

std::vector<double> decade_ticks(const Axis& axis) {
    const double first = std::floor(std::log10(axis.low)), last = std::ceil(std::log10(axis.high));
    const double decades = std::log10(axis.high) - std::log10(axis.low);
    std::vector<double> ticks;
    for (const double k : counted_up(first, last, std::max(1.0, std::ceil(decades / 10)))) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            const double x = factor * std::pow(10.0, k);
            const bool wanted = factor == 1.0 || decades <= 2.0;
            if (wanted && x >= axis.low * (1 - 1e-9) && x <= axis.high * (1 + 1e-9))
                ticks.push_back(x);
        }
    }
    return ticks;
}

}  // namespace

double round_down(double x) {
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    const double digit = x / power;
    return power * (digit >= 5.0 ? 5.0 : digit >= 2.0 ? 2.0 : 1.0);
}

std::vector<double> ticks_of(const Axis& axis) {
    if (axis.scale == Scale::log10) return decade_ticks(axis);
    std::vector<double> ticks;
    if (axis.scale == Scale::log2) {
        const double first = std::ceil(std::log2(axis.low) - 1e-9), last = std::log2(axis.high);
        for (const double k :
             counted_up(first, last, std::max(1.0, std::ceil((last - first) / 10))))
            ticks.push_back(std::exp2(k));
        return ticks;
    }
    const double rough = (axis.high - axis.low) / 6;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough > 5 * power ? 10 : rough > 2 * power ? 5 : 2);
    for (const double k :
         counted_up(std::ceil(axis.low / step - 1e-9), std::floor(axis.high / step + 1e-9), 1.0))
        ticks.push_back(k * step + 0.0);  // not -0
    return ticks;
}

std::string xml_escaped(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&') {
            escaped += "&amp;";
        } else if (c == '<') {
            escaped += "&lt;";
        } else if (c == '>') {
            escaped += "&gt;";
        } else if (c == '"') {
            escaped += "&quot;";
        } else if (c == '\'') {
            escaped += "&#39;";
        } else {
            escaped += (c >= ' ' && c <= '~') || c == '\n' || c == '\t' ? c : '?';
        }
    }
    return escaped;
}

std::string svg_text(const Chart& chart) {
    std::size_t longest = 0;
    for (const Series& series : chart.series) longest = std::max(longest, series.name.size());
    const std::vector<std::string> caption = wrapped(chart.caption, caption_columns);
    const double width =
        std::max(right + 80 + character * static_cast<double>(longest), right + 130);
    const double height = bottom + 60 + 16 * static_cast<double>(caption.size());
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        px(width) + "\" height=\"" + px(height) + "\" viewBox=\"0 0 " + px(width) + " " +
        px(height) +
        "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
        "<title>" +
        xml_escaped(chart.title) +
        "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    text += label(left, 26, "font-size=\"16\" font-weight=\"bold\"", chart.title);
    text += axes_text(chart);
    for (std::size_t k = 0; k < chart.series.size(); ++k) text += series_text(chart, k);
    text += legend_text(chart);
    double y = bottom + 66;
    for (const std::string& row : caption) {
        text += label(left, y, "fill=\"#444444\"", row);
        y += 16;
    }
    return text + "</svg>\n";
}

}  // namespace perp::tool
