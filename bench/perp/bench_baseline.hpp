// Rows of an older results.csv beside those of today.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bench_row.hpp"

namespace perp::tool {

// Geometric mean of ratios of times; `count` of them.
struct MeanRatio {
    std::string solver;
    std::size_t count = 0;
    double mean = 1.0;
};

struct Comparison {
    std::string path;
    std::vector<MeanRatio> solvers;  // those with a ratio, in the order of the rows
    MeanRatio overall;
    std::vector<std::string> changed;  // a line for each row with another status
    std::size_t lost = 0;              // of these: solved before, not now
    std::vector<std::string> other;    // rows with the same name but of another problem
    std::size_t only_before = 0, only_now = 0;
};

class Baseline {
public:
    // Throws std::runtime_error naming the file and the column or the line. Columns are found by
    // name: solver, instance, tolerance, status, rows, contacts, solve_seconds.
    explicit Baseline(const std::string& path);

    // Sets the ratio of each row that is solved here and there.
    void set_ratios(std::vector<BenchRow>& rows) const;
    // Rows that were not run count as not there.
    [[nodiscard]] Comparison compare(const std::vector<BenchRow>& rows) const;

private:
    using Key = std::tuple<std::string, std::string, double>;  // instance, solver, tolerance
    struct Before {
        std::string status;
        double rows = 0, contacts = 0;
        std::optional<double> seconds;
    };
    [[nodiscard]] const Before* find(const BenchRow& row) const;

    std::string path_;
    std::map<Key, Before> before_;
};

}  // namespace perp::tool
