#include "bench_row.hpp"

#include "csv.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

const std::vector<std::string> csv_columns = {"instance",
                                              "file",
                                              "solver",
                                              "tolerance",
                                              "status",
                                              "reason",
                                              "eta",
                                              "iterations",
                                              "products",
                                              "runs",
                                              "setup_seconds",
                                              "solve_seconds",
                                              "solve_seconds_min",
                                              "solve_seconds_max",
                                              "rows",
                                              "contacts",
                                              "law",
                                              "ratio"};

}  // namespace

std::string csv_text(const std::vector<BenchRow>& rows) {
    std::string text = csv_line(csv_columns);
    for (const BenchRow& row : rows) {
        const bool ran = row.runs > 0;
        const auto count = [&](std::int64_t x) { return ran ? std::to_string(x) : std::string(); };
        const auto time = [&](double x) { return ran ? exact(x) : std::string(); };
        text += csv_line({row.instance, row.file, row.solver, exact(row.tolerance), row.status,
                          row.reason, row.eta ? exact(*row.eta) : "", count(row.iterations),
                          count(row.products), std::to_string(row.runs), time(row.setup),
                          time(row.solve), time(row.solve_min), time(row.solve_max),
                          std::to_string(row.rows), std::to_string(row.contacts), row.law,
                          row.ratio ? exact(*row.ratio) : ""});
    }
    return text;
}

}  // namespace perp::tool
