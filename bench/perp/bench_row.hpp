// What `perp bench` measured, a row at a time, and as CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perp::tool {

// One solver, one instance, one tolerance. Times in seconds.
struct BenchRow {
    std::string instance, file, solver;
    double tolerance = 0.0;
    // An outcome ("solved", "iteration_limit", ...: outcome_name), or
    //   unsupported     this solver cannot take this problem; `reason` says why
    //   failed          a call of the library failed; `reason` is its message
    //   not_run         interrupted before the first run was complete
    //   wrongly_solved  the solver says solved, but eta is above the tolerance
    std::string status, reason;
    std::optional<double> eta;  // perp_residual of the z returned, the largest of the runs
    std::int64_t iterations = 0, products = 0;  // of the first run; all do the same
    std::int64_t runs = 0;                      // complete ones; 0: no numbers above or below
    double setup = 0.0;                         // median: making the solver, scaling, workspace
    double solve = 0.0, solve_min = 0.0, solve_max = 0.0;  // the rest; median, min, max
    std::int64_t rows = 0, contacts = 0;
    std::string law;
    std::optional<double> ratio;  // solve over that of the baseline, where both are solved

    [[nodiscard]] bool solved() const { return status == "solved"; }
};

// Header and a line per row; the columns are documented in the help text of `perp bench`.
std::string csv_text(const std::vector<BenchRow>& rows);

}  // namespace perp::tool
