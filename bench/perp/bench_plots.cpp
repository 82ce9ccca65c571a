#include "bench_plots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "chart.hpp"
#include "profile.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

ProfileEntry entry_of(const BenchRow& row) {
    ProfileEntry entry;
    entry.supported = row.status != "unsupported";
    if (row.solved()) entry.seconds = row.setup + row.solve;
    return entry;
}

std::string counted(std::size_t count, const char* thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::vector<std::string> profile_caption(const Profile& profile, std::size_t interrupted) {
    std::string text =
        "rho(tau): share of the instances that the solver solves within tau times the time of the "
        "fastest solver. Time: set-up and solve, medians. At tau = 1: share where it is the "
        "fastest; at the right end: share that it solves at all. " +
        counted(profile.instances, "instance") +
        "; what a solver does not support, or does not solve, counts against it.";
    if (profile.left_out > 0)
        text += " Left out: " + counted(profile.left_out, "instance") + " that no solver supports.";
    if (interrupted > 0)
        text += " Left out: " + counted(interrupted, "instance") + " not measured to the end.";
    return {text};
}

double decade_below(double x) { return std::pow(10.0, std::floor(std::log10(x) + 1e-9)); }
double decade_above(double x) { return std::pow(10.0, std::ceil(std::log10(x) - 1e-9)); }

// Axes around all points; at most `decades` of time, for the first evaluation is close to 0 s.
void fit_axes(Chart& chart, double tolerance) {
    constexpr double decades = 1e4;
    const double infinity = std::numeric_limits<double>::infinity();
    double first = infinity, last = 0.0, least = 0.9 * tolerance, largest = tolerance;
    for (const Series& series : chart.series) {
        for (const auto& [x, y] : series.points) {
            if (x > 0.0) first = std::min(first, x);
            last = std::max(last, x);
            if (y > 0.0) least = std::min(least, y);
            if (std::isfinite(y)) largest = std::max(largest, y);
        }
    }
    if (!(last > 0.0)) first = last = 1e-6;
    chart.x.low = round_down(std::max(first, last / decades));
    chart.x.high = std::max(1.1 * last, 2.0 * chart.x.low);
    // An eta of rounding size must not squeeze the rest.
    chart.y.low = decade_below(std::max(least, 1e-3 * tolerance));
    chart.y.high = std::max(decade_above(largest), 10.0 * chart.y.low);
}

}  // namespace

std::string profile_svg(const BenchResults& results, double tolerance) {
    std::vector<std::vector<ProfileEntry>> entries(results.plan.request.methods.size());
    std::size_t interrupted = 0;
    for (const Instance& instance : results.instances) {
        std::vector<ProfileEntry> of_instance;
        bool complete = true;
        for (const BenchRow& row : results.rows) {
            if (row.instance != instance.name || row.tolerance != tolerance) continue;
            of_instance.push_back(entry_of(row));
            complete = complete && row.status != "not_run";
        }
        if (!complete || of_instance.size() != entries.size()) {
            ++interrupted;
            continue;
        }
        for (std::size_t s = 0; s < entries.size(); ++s) entries[s].push_back(of_instance[s]);
    }
    const Profile profile = performance_profile(entries);

    Chart chart;
    chart.title = "Performance profile, solved: eta <= " + power_text(tolerance);
    chart.caption = profile_caption(profile, interrupted);
    const double end = std::max(2.0, 1.1 * profile.largest_ratio());
    chart.x = {"tau: time / time of the fastest solver (no unit, log2 axis)", Scale::log2, 1.0,
               end};
    chart.y = {"rho(tau): share of instances (no unit)", Scale::linear, 0.0, 1.04};
    for (std::size_t s = 0; s < entries.size(); ++s) {
        Series series;
        series.name = std::string(perp_method_name(results.plan.request.methods[s])) + " (" +
                      std::to_string(profile.ratios[s].size()) + " of " +
                      std::to_string(profile.instances) + ")";
        series.steps = true;
        series.points.emplace_back(1.0, profile.fraction(s, 1.0));
        for (const double ratio : profile.ratios[s])
            series.points.emplace_back(ratio, profile.fraction(s, ratio));
        series.points.emplace_back(end, profile.fraction(s, end));
        chart.series.push_back(std::move(series));
    }
    return svg_text(chart);
}

std::string convergence_svg(const Instance& instance, const BenchPlan& plan,
                            const std::vector<Trace>& traces) {
    const double tolerance = *std::min_element(plan.tolerances.begin(), plan.tolerances.end());
    Chart chart;
    chart.title = "Convergence on " + instance.name;
    chart.x = {"time after set-up, s", Scale::log10, 1e-3, 1.0};
    chart.y = {"eta (no unit)", Scale::log10, 1e-8, 1.0};
    chart.guides = {{tolerance, "tolerance " + power_text(tolerance)}};
    for (const Trace& trace : traces) {
        Series series;
        series.name = trace.solver + (trace.solved ? "" : " (not solved)");
        series.points = trace.points;
        chart.series.push_back(std::move(series));
    }
    fit_axes(chart, tolerance);
    chart.caption = {contents_text(instance.file.info) + ", " +
                     std::to_string(instance.file.info.rows) +
                     " rows. One run of each solver from a cold start, with eta noted whenever the "
                     "solver evaluates it."};
    const auto below = [&](const auto& point) { return point.second < chart.y.low; };
    if (std::any_of(chart.series.begin(), chart.series.end(), [&](const Series& series) {
            return std::any_of(series.points.begin(), series.points.end(), below);
        }))
        chart.caption.back() += " Smaller eta are drawn at the lower edge.";
    if (traces.empty()) chart.caption.emplace_back("No solver ran.");
    for (const int64_t method : plan.request.methods) {
        const std::string reason = reason_against(instance.file, method);
        if (!reason.empty())
            chart.caption.push_back(std::string(perp_method_name(method)) +
                                    " does not support it: " + reason);
    }
    return svg_text(chart);
}

std::string index_html(const BenchResults& results, const std::vector<std::string>& pictures) {
    const auto known = [&](const char* key) {
        const Json& value = results.environment[key];
        return value.is_string() ? value.get<std::string>() : std::string("unknown");
    };
    std::string text =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>\n"
        "<title>perp bench</title>\n</head>\n"
        "<body style=\"font-family: sans-serif; margin: 2em\">\n<h1>perp bench</h1>\n<p>" +
        xml_escaped("perp " + version_text() + ", commit " + known("git_commit") + ", on " +
                    known("cpu") + ", " + known("os") + ", " + known("date_utc")) +
        (results.interrupted ? ". <b>Interrupted: not everything was measured.</b>" : "") +
        "</p>\n<p><a href=\"results.csv\">results.csv</a>, <a "
        "href=\"results.json\">results.json</a></p>\n";
    for (const std::string& picture : pictures)
        text.append("<p><img src=\"")
            .append(picture)
            .append("\" alt=\"")
            .append(picture)
            .append("\"/></p>\n");
    return text + "<pre>\n" + xml_escaped(table_text(results)) + "</pre>\n</body>\n</html>\n";
}

}  // namespace perp::tool
