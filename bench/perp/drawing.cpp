#include "drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "chart.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

// Pixels.
constexpr double margin = 24, top = 48, below = 46, widest = 860, highest = 640;

constexpr const char* colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                  "#777777", "#b8860b", "#56b4e9"};

// m: what is drawn.
struct Extent {
    double left = std::numeric_limits<double>::infinity(), right = -left;
    double low = left, high = -left;

    void include(double x, double y, double around) {
        left = std::min(left, x - around);
        right = std::max(right, x + around);
        low = std::min(low, y - around);
        high = std::max(high, y + around);
    }
    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return high - low; }
};

Extent extent_of(const scenes::Drawing& drawing) {
    Extent extent;
    for (const scenes::Shape& shape : drawing.shapes)
        for (const auto& [x, y] : shape.points)
            if (std::isfinite(x) && std::isfinite(y)) extent.include(x, y, shape.radius);
    if (!(extent.width() >= 0.0)) extent.include(0.0, 0.0, 1.0);
    if (!(extent.width() > 0.0) && !(extent.height() > 0.0))
        extent.include(extent.left, extent.low, 1.0);
    return extent;
}

class Canvas {
public:
    explicit Canvas(const scenes::Drawing& drawing) : extent_(extent_of(drawing)) {
        scale_ = std::numeric_limits<double>::infinity();
        if (extent_.width() > 0.0) scale_ = widest / extent_.width();
        if (extent_.height() > 0.0) scale_ = std::min(scale_, highest / extent_.height());
    }
    [[nodiscard]] double width() const { return 2 * margin + scale_ * extent_.width(); }
    [[nodiscard]] double height() const { return top + below + scale_ * extent_.height(); }

    [[nodiscard]] std::string shape_text(const scenes::Shape& shape) const {
        const auto count = static_cast<int>(std::size(colors));
        const int colour = ((shape.colour % count) + count) % count;
        const std::string style = std::string(" fill=\"") + colors[colour] +
                                  "\" fill-opacity=\"0.55\" stroke=\"#333333\" "
                                  "stroke-width=\"0.6\"/>\n";
        if (shape.points.empty()) return {};
        if (shape.points.size() == 1) {
            const auto [x, y] = shape.points.front();
            return "<circle cx=\"" + fixed(px_x(x), 2) + "\" cy=\"" + fixed(px_y(y), 2) +
                   "\" r=\"" + fixed(scale_ * shape.radius, 2) + "\"" + style;
        }
        std::string points;
        for (const auto& [x, y] : shape.points)
            points += (points.empty() ? "" : " ") + fixed(px_x(x), 2) + "," + fixed(px_y(y), 2);
        return "<polygon points=\"" + points + "\"" + style;
    }

    // A round length, about a fifth of the width.
    [[nodiscard]] std::string scale_text() const {
        const double length = round_down(0.25 * (width() - 2 * margin) / scale_);
        const double y = height() - 20, end = margin + scale_ * length;
        const std::string bar = "M" + fixed(margin, 1) + " " + fixed(y - 4, 1) + "v8M" +
                                fixed(margin, 1) + " " + fixed(y, 1) + "H" + fixed(end, 1) +
                                "m0-4v8";
        return "<path d=\"" + bar + "\" fill=\"none\" stroke=\"#333333\"/>\n<text x=\"" +
               fixed(end + 8, 1) + "\" y=\"" + fixed(y + 4, 1) + "\">" + short_number(length) +
               " m</text>\n";
    }

private:
    [[nodiscard]] double px_x(double x) const { return margin + scale_ * (x - extent_.left); }
    [[nodiscard]] double px_y(double y) const { return top + scale_ * (extent_.high - y); }

    Extent extent_;
    double scale_ = 1.0;  // pixels per m
};

}  // namespace

std::string svg_text(const scenes::Drawing& drawing) {
    const Canvas canvas(drawing);
    const std::string width = fixed(std::max(canvas.width(), 320.0), 1),
                      height = fixed(canvas.height(), 1);
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
        "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"
        "<title>" +
        xml_escaped(drawing.title) +
        "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"" +
        fixed(margin, 1) + "\" y=\"28\" font-size=\"16\" font-weight=\"bold\">" +
        xml_escaped(drawing.title) + "</text>\n";
    for (const scenes::Shape& shape : drawing.shapes) text += canvas.shape_text(shape);
    return text + canvas.scale_text() + "</svg>\n";
}

}  // namespace perp::tool
