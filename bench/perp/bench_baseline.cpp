#include "bench_baseline.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "csv.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

double number(const CsvTable& table, std::size_t record, std::size_t column) {
    const std::string& text = table.records[record][column];
    double x = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, x);
    if (error == std::errc() && stop == end && std::isfinite(x)) return x;
    throw std::runtime_error(table.path + ": line " + std::to_string(table.lines[record]) + ", " +
                             table.header[column] + ": \"" + text + "\" is not a number");
}

bool same_problem(double rows, double contacts, const BenchRow& row) {
    return rows == static_cast<double>(row.rows) && contacts == static_cast<double>(row.contacts);
}

// Clocks have a resolution: a time of 0 would make a ratio without meaning.
double ratio_of(double now, double before) { return std::max(now, 1e-9) / std::max(before, 1e-9); }

std::string row_name(const BenchRow& row) {
    return row.instance + "  " + row.solver + "  " + power_text(row.tolerance);
}

class MeanOfRatios {
public:
    void add(double ratio) {
        sum_ += std::log(ratio);
        ++count_;
    }
    [[nodiscard]] MeanRatio result(const std::string& solver) const {
        return {solver, count_, count_ == 0 ? 1.0 : std::exp(sum_ / static_cast<double>(count_))};
    }

private:
    double sum_ = 0.0;
    std::size_t count_ = 0;
};

}  // namespace

Baseline::Baseline(const std::string& path) : path_(path) {
    const CsvTable table = read_csv(path);
    const std::size_t instance = table.column("instance"), solver = table.column("solver"),
                      tolerance = table.column("tolerance"), status = table.column("status"),
                      rows = table.column("rows"), contacts = table.column("contacts"),
                      solve = table.column("solve_seconds");
    for (std::size_t k = 0; k < table.records.size(); ++k) {
        const std::vector<std::string>& record = table.records[k];
        Before before{record[status], number(table, k, rows), number(table, k, contacts), {}};
        if (before.status == "not_run") continue;
        if (before.status == "solved") before.seconds = number(table, k, solve);
        const Key key{record[instance], record[solver], number(table, k, tolerance)};
        if (!before_.emplace(key, before).second) {
            throw std::runtime_error(path + ": line " + std::to_string(table.lines[k]) +
                                     ": a second row of " + record[instance] + ", " +
                                     record[solver] + ", " + record[tolerance]);
        }
    }
}

const Baseline::Before* Baseline::find(const BenchRow& row) const {
    const auto found = before_.find(Key{row.instance, row.solver, row.tolerance});
    return found == before_.end() || row.status == "not_run" ? nullptr : &found->second;
}

void Baseline::set_ratios(std::vector<BenchRow>& rows) const {
    for (BenchRow& row : rows) {
        const Before* before = find(row);
        if (before != nullptr && row.solved() && before->seconds &&
            same_problem(before->rows, before->contacts, row)) {
            row.ratio = ratio_of(row.solve, *before->seconds);
        }
    }
}

Comparison Baseline::compare(const std::vector<BenchRow>& rows) const {
    Comparison result;
    result.path = path_;
    MeanOfRatios overall;
    std::vector<std::pair<std::string, MeanOfRatios>> solvers;
    std::size_t matched = 0;
    for (const BenchRow& row : rows) {
        const Before* before = find(row);
        if (before == nullptr) {
            ++result.only_now;
            continue;
        }
        ++matched;
        if (!same_problem(before->rows, before->contacts, row)) {
            result.other.push_back(row_name(row));
            continue;
        }
        if (before->status != row.status) {
            result.changed.push_back(row_name(row) + "  " + before->status + " -> " + row.status);
            if (before->status == "solved") ++result.lost;
        }
        if (!row.ratio) continue;
        overall.add(*row.ratio);
        auto mean = std::find_if(solvers.begin(), solvers.end(),
                                 [&](const auto& s) { return s.first == row.solver; });
        if (mean == solvers.end()) mean = solvers.insert(mean, {row.solver, MeanOfRatios()});
        mean->second.add(*row.ratio);
    }
    for (const auto& [solver, mean] : solvers) result.solvers.push_back(mean.result(solver));
    result.overall = overall.result("all");
    result.only_before = before_.size() - matched;
    return result;
}

}  // namespace perp::tool
