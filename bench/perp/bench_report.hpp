// What `perp bench` says: a table for people, CSV and JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench_baseline.hpp"
#include "bench_runs.hpp"

namespace perp::tool {

struct BenchResults {
    std::vector<Instance> instances;
    BenchPlan plan;
    std::string law;                    // as asked for: auto, cone, box
    Json environment = Json::object();  // at the start
    std::vector<BenchRow> rows;
    std::optional<Comparison> comparison;
    bool interrupted = false;
};

// A block of rows per instance, then how many each solver solved, then the baseline.
std::string table_text(const BenchResults& results);
std::string bench_json_text(const BenchResults& results);

}  // namespace perp::tool
