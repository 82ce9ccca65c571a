#include "bench_report.hpp"

#include <algorithm>

#include "text.hpp"

namespace perp::tool {
namespace {

void add_row(Table& table, const BenchRow& row, bool with_ratio) {
    std::vector<std::string> cells{row.solver, power_text(row.tolerance), row.status};
    if (row.runs == 0) {
        if (!row.reason.empty()) cells.back() += ": " + row.reason;
        table.add(cells);
        return;
    }
    cells.insert(cells.end(), {scientific(*row.eta), std::to_string(row.iterations),
                               std::to_string(row.products), milliseconds(row.setup),
                               milliseconds(row.solve), milliseconds(row.solve_min),
                               milliseconds(row.solve_max), std::to_string(row.runs)});
    if (with_ratio) cells.push_back(row.ratio ? fixed(*row.ratio, 3) : "-");
    table.add(cells);
}

std::string rows_text(const BenchResults& results) {
    const bool with_ratio = results.comparison.has_value();
    std::vector<std::string> header{"solver",     "tol",      "status",   "eta",
                                    "iterations", "products", "setup ms", "solve ms",
                                    "min ms",     "max ms",   "runs"};
    if (with_ratio) header.emplace_back("ratio");
    Table table(header);
    std::size_t k = 0;
    for (const Instance& instance : results.instances) {
        table.add({""});
        std::string title = instance.name + ": " + contents_text(instance.file.info) + ", " +
                            std::to_string(instance.file.info.rows) + " rows";
        table.add({title});
        for (; k < results.rows.size() && results.rows[k].instance == instance.name; ++k)
            add_row(table, results.rows[k], with_ratio);
    }
    return table.text();
}

// The fastest by set-up and solve together; nullptr when nobody solved it.
const BenchRow* fastest(const BenchResults& results, const std::string& instance,
                        double tolerance) {
    const BenchRow* best = nullptr;
    for (const BenchRow& row : results.rows) {
        if (row.instance != instance || row.tolerance != tolerance || !row.solved()) continue;
        if (best == nullptr || row.setup + row.solve < best->setup + best->solve) best = &row;
    }
    return best;
}

std::string summary_text(const BenchResults& results) {
    Table table({"solver", "tol", "instances", "supported", "solved", "fastest"});
    for (const double tolerance : results.plan.tolerances) {
        for (const int64_t method : results.plan.request.methods) {
            const std::string solver = perp_method_name(method);
            std::size_t count = 0, supported = 0, solved = 0, first = 0;
            for (const BenchRow& row : results.rows) {
                if (row.solver != solver || row.tolerance != tolerance) continue;
                ++count;
                if (row.status != "unsupported") ++supported;
                if (!row.solved()) continue;
                ++solved;
                if (fastest(results, row.instance, tolerance) == &row) ++first;
            }
            table.add({solver, power_text(tolerance), std::to_string(count),
                       std::to_string(supported), std::to_string(solved), std::to_string(first)});
        }
    }
    return table.text();
}

std::string mean_text(const MeanRatio& mean) {
    return "  " + padded(mean.solver, 10) + fixed(mean.mean, 3) + "  (" +
           std::to_string(mean.count) + (mean.count == 1 ? " row)\n" : " rows)\n");
}

std::string comparison_text(const Comparison& c) {
    std::string text = "Compared with " + c.path +
                       ": geometric mean of solve time now / before, rows solved both times\n";
    for (const MeanRatio& mean : c.solvers) text += mean_text(mean);
    text += c.overall.count > 0 ? mean_text(c.overall) : "  no row was solved both times\n";
    if (c.only_before + c.only_now > 0) {
        text += "  not compared: " + std::to_string(c.only_now) + " rows only here, " +
                std::to_string(c.only_before) + " rows only there\n";
    }
    for (const std::string& row : c.other)
        text += "OTHER PROBLEM, not compared (rows or contacts differ):  " + row + "\n";
    for (const std::string& line : c.changed) text += "STATUS CHANGED:  " + line + "\n";
    return text;
}

Json row_json(const BenchRow& row) {
    const auto if_run = [&](const auto& value) { return row.runs > 0 ? Json(value) : Json(); };
    return {{"instance", row.instance},
            {"file", row.file},
            {"solver", row.solver},
            {"tolerance", row.tolerance},
            {"status", row.status},
            {"reason", row.reason.empty() ? Json() : Json(row.reason)},
            {"eta", row.eta ? Json(*row.eta) : Json()},
            {"iterations", if_run(row.iterations)},
            {"products", if_run(row.products)},
            {"runs", row.runs},
            {"setup_seconds", if_run(row.setup)},
            {"solve_seconds", if_run(row.solve)},
            {"solve_seconds_min", if_run(row.solve_min)},
            {"solve_seconds_max", if_run(row.solve_max)},
            {"rows", row.rows},
            {"contacts", row.contacts},
            {"law", row.law},
            {"ratio", row.ratio ? Json(*row.ratio) : Json()}};
}

Json settings_json(const BenchResults& results) {
    const SolveRequest& request = results.plan.request;
    Json solvers = Json::array(), others = Json::object();
    for (const int64_t method : request.methods) solvers.push_back(perp_method_name(method));
    for (const auto& [name, value] : request.settings) others[name] = value;
    return {{"solvers", solvers},
            {"tolerances", results.plan.tolerances},
            {"max_iterations", *request.max_iterations},
            {"time_limit", *request.time_limit},
            {"repeat", results.plan.repeat},
            {"repeat_time", results.plan.repeat_time},
            {"law", results.law},
            {"set", others}};
}

Json comparison_json(const Comparison& c) {
    Json means = Json::object();
    for (const MeanRatio& mean : c.solvers)
        means[mean.solver] = {{"mean_ratio", mean.mean}, {"rows", mean.count}};
    return {{"baseline", c.path},
            {"mean_ratio", c.overall.count > 0 ? Json(c.overall.mean) : Json()},
            {"rows", c.overall.count},
            {"solvers", means},
            {"status_changed", c.changed},
            {"no_longer_solved", c.lost},
            {"other_problem", c.other},
            {"rows_only_before", c.only_before},
            {"rows_only_now", c.only_now}};
}

}  // namespace

std::string table_text(const BenchResults& results) {
    std::string text = rows_text(results) + "\n" + summary_text(results);
    if (results.comparison) text += "\n" + comparison_text(*results.comparison);
    return text;
}

std::string bench_json_text(const BenchResults& results) {
    Json rows = Json::array();
    for (const BenchRow& row : results.rows) rows.push_back(row_json(row));
    return json_text(
        {{"perp", version_text()},
         {"environment", results.environment},
         {"settings", settings_json(results)},
         {"interrupted", results.interrupted},
         {"comparison", results.comparison ? comparison_json(*results.comparison) : Json()},
         {"results", rows}});
}

}  // namespace perp::tool
