// The pictures of `perp bench`, and a page that shows them.
#pragma once

#include <string>
#include <vector>

#include "bench_report.hpp"

namespace perp::tool {

// Performance profile of one tolerance, by set-up and solve time together.
std::string profile_svg(const BenchResults& results, double tolerance);

// eta over time of every solver on one instance, to the smallest tolerance.
std::string convergence_svg(const Instance& instance, const BenchPlan& plan,
                            const std::vector<Trace>& traces);

// index.html with the pictures of these file names and the table.
std::string index_html(const BenchResults& results, const std::vector<std::string>& pictures);

}  // namespace perp::tool
