#include "scene_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chart.hpp"
#include "csv.hpp"
#include "drawing.hpp"
#include "problem_file.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

constexpr std::size_t text_columns = 100;

std::string wrapped(const std::string& text) {
    std::string lines;
    std::string rest = text;
    while (rest.size() > text_columns) {
        std::size_t cut = rest.rfind(' ', text_columns);
        if (cut == std::string::npos || cut == 0) cut = text_columns;
        lines += rest.substr(0, cut) + "\n";
        rest.erase(0, rest[cut] == ' ' ? cut + 1 : cut);
    }
    return lines + rest + "\n";
}

// Around low and high, with a margin where data do not end at zero.
void fit(Axis& axis, double low, double high) {
    if (!(low <= high)) low = high = 0.0;
    if (low > 0.0 && low < 0.5 * high) low = 0.0;
    const double size = high - low;
    const double margin = size > 0.0 ? 0.04 * size : std::max(0.1 * std::abs(low), 1e-12);
    axis.low = low == 0.0 && size > 0.0 ? 0.0 : low - margin;
    axis.high = high + margin;
}

}  // namespace

std::string table_text(const SceneRun& run) {
    Table table({"figure", "value"});
    for (const scenes::Figure& figure : run.record.figures)
        table.add({figure.name, short_number(figure.value)});
    std::string text =
        std::string(run.experiment->name) + ": " + run.experiment->about + "\n\n" + table.text();
    for (const std::string& remark : run.record.remarks) text += "\n" + wrapped(remark);
    return text;
}

std::string json_text(const SceneRun& run) {
    Json json;
    json["experiment"] = run.experiment->name;
    json["perp"] = version_text();
    Json given = Json::object();
    if (run.options.bodies > 0) given["bodies"] = run.options.bodies;
    if (run.options.steps > 0) given["steps"] = run.options.steps;
    if (run.options.rolling >= 0.0) given["rolling"] = run.options.rolling;
    if (!run.options.model.empty()) given["model"] = run.options.model;
    given["seed"] = run.options.seed;
    json["options"] = std::move(given);
    json["seconds"] = run.seconds;
    Json figures = Json::object();
    for (const scenes::Figure& figure : run.record.figures) figures[figure.name] = figure.value;
    json["figures"] = std::move(figures);
    json["remarks"] = run.record.remarks;
    return json_text(json);
}

std::string csv_text(const scenes::Table& table) {
    std::string text = csv_line(table.columns);
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
        std::vector<std::string> cells;
        if (!table.labels.empty()) cells.push_back(table.labels[k]);
        for (const double x : table.rows[k]) cells.push_back(exact(x));
        text += csv_line(cells);
    }
    return text;
}

std::string svg_text(const scenes::Plot& plot) {
    const double infinity = std::numeric_limits<double>::infinity();
    double left = infinity, right = -infinity, low = infinity, high = -infinity;
    Chart chart;
    chart.title = plot.title;
    chart.caption = plot.caption;
    for (const scenes::Curve& curve : plot.curves) {
        Series series;
        series.name = curve.name;
        for (const auto& [x, y] : curve.points) {
            if (!std::isfinite(x) || !std::isfinite(y)) continue;
            left = std::min(left, x);
            right = std::max(right, x);
            low = std::min(low, y);
            high = std::max(high, y);
            series.points.emplace_back(x, y);
        }
        chart.series.push_back(std::move(series));
    }
    chart.x.label = plot.x_label;
    chart.y.label = plot.y_label;
    fit(chart.x, left, right);
    fit(chart.y, low, high);
    return svg_text(chart);
}

void write_files(const SceneRun& run, const OutputFolder& out) {
    out.write("figures.json", json_text(run));
    for (const scenes::Table& table : run.record.tables)
        out.write(table.file + ".csv", csv_text(table));
    for (const scenes::Plot& plot : run.record.plots) out.write(plot.file + ".svg", svg_text(plot));
    for (const scenes::Drawing& drawing : run.record.drawings)
        out.write(drawing.file + ".svg", svg_text(drawing));
}

}  // namespace perp::tool
