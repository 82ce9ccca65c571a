// Line charts as SVG files, for browsers and documents: no dependency, no script, light background.
// Lines differ in colour (Okabe and Ito's palette, safe for colour-blind readers), in dashes and in
// markers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace perp::tool {

enum class Scale { linear, log2, log10 };

struct Axis {
    std::string label;  // with the unit
    Scale scale = Scale::linear;
    double low = 0.0, high = 1.0;  // low < high; above 0 on logarithmic scales
};

struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;  // x ascending; outside the axes: at their edge
    bool steps = false;  // constant until the next point, instead of straight between points
};

// A thin horizontal line across the chart.
struct Guide {
    double y = 0.0;
    std::string label;
};

struct Chart {
    std::string title;
    std::vector<std::string> caption;  // paragraphs below the chart
    Axis x, y;
    std::vector<Series> series;
    std::vector<Guide> guides;
};

// A whole SVG document.
std::string svg_text(const Chart& chart);

// Text for XML and HTML: the five special characters escaped; what XML cannot hold, and what is not
// ASCII, as question marks.
std::string xml_escaped(const std::string& text);

// 1, 2 or 5 times a power of ten, next to x > 0: below or equal.
double round_down(double x);

// Where an axis gets its labels, ascending.
std::vector<double> ticks_of(const Axis& axis);

}  // namespace perp::tool
