// Problems and solutions from files, and how their parts are called in texts and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "../scenes/handles.hpp"

namespace CLI {
class App;
}

namespace perp::tool {

using Json = nlohmann::ordered_json;  // keys in the order they are written
using scenes::CallFailed;
using scenes::initialized;
using scenes::ProblemHandle;
using scenes::require;
using scenes::sized;
using scenes::SolverHandle;

// What a positional argument for an instance takes.
inline constexpr const char* instance_help =
    "Instance: HDF5 file (perp's layout or FCLIB), or a folder of Matrix Market files";

// Adds --law auto|cone|box|coulomb.
void add_law_option(CLI::App& command, std::string& law);
// PERP_LAW_* of its name.
int32_t law_of(const std::string& name);
const char* name_of_law(int64_t law);

// A problem with its file's name and its numbers. Throws CallFailed naming the file.
struct ProblemFile {
    ProblemFile(const std::string& path, const std::string& law);
    std::string path;
    ProblemHandle problem;
    perp_problem_info info{};
};

std::vector<double> read_solution(const ProblemFile& file, const std::string& path);
perp_residual_info residual_of(const ProblemFile& file, const std::vector<double>& z);

// Every method the library knows, in its order.
std::vector<int64_t> all_methods();
// Why the method cannot take the problem; empty: it can.
std::string reason_against(const ProblemFile& file, int64_t method);

// "row 12 (contact 3)", in the order of z; "-" for no row.
std::string row_text(const perp_problem_info& info, int64_t row);
// "system of masses and Jacobians", ...
const char* form_text(const perp_problem_info& info);
// "cone law, 509 contacts with 3 rows, 12 bilateral rows": what there is, and only that.
std::string contents_text(const perp_problem_info& info);

Json problem_json(const ProblemFile& file);
// eta_coulomb is null where there are no cones.
Json residual_json(const perp_problem_info& info, const perp_residual_info& residual);
// Numbers at full precision; NaN and infinity as null; one line.
std::string json_text(const Json& json);
std::string version_text();

}  // namespace perp::tool
