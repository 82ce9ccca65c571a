#include "bench_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <set>
#include <tuple>

#include "interrupt.hpp"
#include "runs.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

struct Watch {
    ProgressLine& line;
    std::string what;
    std::vector<std::pair<double, double>>* points = nullptr;  // to write eta down
    bool out_of_memory = false;
};

extern "C" int32_t on_bench_progress(const perp_progress* progress, void* user) {
    Watch& watch = *static_cast<Watch*>(user);
    try {
        if (watch.points != nullptr) watch.points->emplace_back(progress->seconds, progress->eta);
        if (watch.line.due()) {
            watch.line.draw(watch.what + "  iteration " + std::to_string(progress->iteration) +
                            "  eta " + scientific(progress->eta) + "  " +
                            seconds(progress->seconds) + " s");
        }
    } catch (const std::exception&) {  // must not pass the library
        watch.out_of_memory = true;
        return 1;
    }
    return interrupted() ? 1 : 0;
}

struct TimedRun {
    perp_info info{};
    double eta = 0.0, setup = 0.0, solve = 0.0;
    [[nodiscard]] bool complete() const { return info.outcome != PERP_CANCELLED; }
};

// A solver is set up when it is made.
TimedRun run_once(const ProblemFile& file, const SolveRequest& request, int64_t method,
                  Watch& watch) {
    std::vector<double> z(static_cast<std::size_t>(file.info.rows), 0.0);
    TimedRun run;
    run.info = sized<perp_info>();
    const Clock::time_point begin = Clock::now();
    const SolverHandle solver = make_solver(file.problem.get(), request, method);
    require(perp_solver_set_callback(solver.get(), on_bench_progress, &watch), watch.what);
    const Clock::time_point made = Clock::now();
    require(perp_solve(solver.get(), z.data(), nullptr, &run.info), watch.what);
    const Clock::time_point end = Clock::now();
    if (watch.out_of_memory) throw std::bad_alloc();
    run.setup = seconds_between(begin, made);
    run.solve = seconds_between(made, end);
    run.eta = residual_of(file, z).eta;
    return run;
}

double median(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    const std::size_t half = x.size() / 2;
    return x.size() % 2 == 1 ? x[half] : 0.5 * (x[half - 1] + x[half]);
}

std::string status_of(const TimedRun& run, double tolerance) {
    if (run.info.outcome == PERP_SOLVED && !(run.eta <= tolerance)) return "wrongly_solved";
    return outcome_name(run.info.outcome);
}

// A row while it is measured.
class Cell {
public:
    Cell(const Instance& instance, int64_t method, double tolerance) : method_(method) {
        row.instance = instance.name;
        row.file = instance.file.path;
        row.solver = perp_method_name(method);
        row.tolerance = tolerance;
        row.rows = instance.file.info.rows;
        row.contacts = instance.file.info.contacts;
        row.law =
            instance.file.info.matrix_form == 1 ? "blcp" : name_of_law(instance.file.info.law);
        row.status = "not_run";
        row.reason = reason_against(instance.file, method);
        if (!row.reason.empty()) row.status = "unsupported";
    }

    [[nodiscard]] bool wants_run(double repeat_time) const {
        return (row.runs == 0 && row.status == "not_run") || (row.solved() && spent_ < repeat_time);
    }

    void run(const ProblemFile& file, const SolveRequest& request, Watch& watch) {
        try {
            const TimedRun run = run_once(file, request, method_, watch);
            if (run.complete()) add(run);
        } catch (const std::exception& error) {
            row.status = "failed";
            row.reason = error.what();
        }
    }

    BenchRow finished() {
        if (row.status == "not_run") row.reason = "interrupted";
        if (row.runs == 0) return row;
        row.setup = median(setup_);
        row.solve = median(solve_);
        row.solve_min = *std::min_element(solve_.begin(), solve_.end());
        row.solve_max = *std::max_element(solve_.begin(), solve_.end());
        return row;
    }

    BenchRow row;

private:
    void add(const TimedRun& run) {
        if (row.runs == 0) {
            row.iterations = run.info.iterations;
            row.products = run.info.products;
        }
        ++row.runs;
        row.status = status_of(run, row.tolerance);
        if (!row.eta || !(run.eta <= *row.eta)) row.eta = run.eta;
        setup_.push_back(run.setup);
        solve_.push_back(run.solve);
        spent_ += run.setup + run.solve;
    }

    int64_t method_;
    std::vector<double> setup_, solve_;
    double spent_ = 0.0;
};

std::string what_runs(const BenchProgress& progress, std::size_t index, const BenchRow& row) {
    return "[" + std::to_string(progress.rows_done + index + 1) + "/" +
           std::to_string(progress.rows) + "]  " + row.instance + "  " + row.solver + "  " +
           power_text(row.tolerance);
}

void measure_cells(std::vector<Cell>& cells, const Instance& instance, const BenchPlan& plan,
                   BenchProgress& progress) {
    SolveRequest request = plan.request;
    for (int64_t k = 0; k < plan.repeat; ++k) {
        for (std::size_t index = 0; index < cells.size(); ++index) {
            Cell& cell = cells[index];
            if (interrupted()) return;
            if (!cell.wants_run(plan.repeat_time)) continue;
            request.tolerance = cell.row.tolerance;
            Watch watch{progress.line, what_runs(progress, index, cell.row) + "  run " +
                                           std::to_string(k + 1) + " of " +
                                           std::to_string(plan.repeat)};
            if (progress.line.due()) progress.line.draw(watch.what);
            cell.run(instance.file, request, watch);
        }
    }
}

std::string name_for_files(const std::string& path) {
    std::string name = std::filesystem::path(path).stem().string();
    for (char& c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
        if (!plain) c = '_';
    }
    return name.empty() ? "instance" : name;
}

}  // namespace

std::vector<Instance> read_instances(const std::vector<std::string>& paths,
                                     const std::string& law) {
    std::vector<Instance> instances;
    std::set<std::string> taken;
    for (const std::string& path : paths) {
        const std::string stem = name_for_files(path);
        std::string name = stem;
        for (int k = 2; !taken.insert(name).second; ++k) name = stem + "-" + std::to_string(k);
        instances.push_back({name, ProblemFile(path, law)});
    }
    return instances;
}

std::vector<BenchRow> measure(const Instance& instance, const BenchPlan& plan,
                              BenchProgress& progress) {
    std::vector<BenchRow> rows;
    for (const double tolerance : plan.tolerances) {
        std::vector<Cell> cells;
        for (const int64_t method : plan.request.methods)
            cells.emplace_back(instance, method, tolerance);
        measure_cells(cells, instance, plan, progress);
        for (Cell& cell : cells) rows.push_back(cell.finished());
        progress.rows_done += cells.size();
    }
    return rows;
}

std::vector<Trace> trace(const Instance& instance, const BenchPlan& plan, BenchProgress& progress) {
    SolveRequest request = plan.request;
    request.tolerance = *std::min_element(plan.tolerances.begin(), plan.tolerances.end());
    std::vector<Trace> traces;
    for (const int64_t method : plan.request.methods) {
        if (interrupted() || !reason_against(instance.file, method).empty()) continue;
        Trace trace;
        trace.solver = perp_method_name(method);
        Watch watch{progress.line, instance.name + "  " + trace.solver + "  convergence",
                    &trace.points};
        try {
            const TimedRun run = run_once(instance.file, request, method, watch);
            if (!run.complete()) continue;
            trace.solved = status_of(run, request.tolerance) == "solved";
            trace.points.emplace_back(run.info.solve_seconds, run.eta);
        } catch (const CallFailed&) {
            continue;  // its row says so
        }
        traces.push_back(std::move(trace));
    }
    return traces;
}

}  // namespace perp::tool
