// Measuring: every solver on an instance, to several tolerances, several times.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench_row.hpp"
#include "progress.hpp"
#include "request.hpp"

namespace perp::tool {

struct Instance {
    std::string name;  // unique, letters, digits and "._-": part of file names
    ProblemFile file;
};

// Reads all files; throws for the first that cannot be read. Equal stems become "wall", "wall-2".
std::vector<Instance> read_instances(const std::vector<std::string>& paths, const std::string& law);

struct BenchPlan {
    SolveRequest request;  // its tolerance is not used
    std::vector<double> tolerances;
    int64_t repeat = 5;
    double repeat_time = 10.0;  // s: no further repetition of a row that took this long
};

// eta over time of one solver.
struct Trace {
    std::string solver;
    bool solved = false;
    std::vector<std::pair<double, double>> points;  // s, eta
};

// The line on stderr for the whole command.
struct BenchProgress {
    ProgressLine line;
    std::size_t rows_done = 0, rows = 0;
};

// Rows ordered by tolerance as given, then by solver. Every run is a fresh solver that starts from
// zero. The runs of the solvers alternate (A B A B), so that a drift of the machine hits all alike.
// A row that is not solved is not run again. After Ctrl-C (InterruptGuard, which the caller holds)
// rows keep the runs they have.
std::vector<BenchRow> measure(const Instance& instance, const BenchPlan& plan,
                              BenchProgress& progress);

// A further run of every solver that fits, to the smallest tolerance, writing down eta. Without
// those that were interrupted.
std::vector<Trace> trace(const Instance& instance, const BenchPlan& plan, BenchProgress& progress);

}  // namespace perp::tool
