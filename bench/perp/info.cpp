// perp info: what is in an instance file.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "problem_file.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct InfoOptions {
    std::string file, law = "auto";
    bool json = false;
};

void print_line(const char* name, const std::string& value) {
    std::cout << "  " << padded(name, 22) << value << '\n';
}

void print_info(const ProblemFile& file) {
    const perp_problem_info& info = file.info;
    std::cout << file.path << '\n';
    print_line("contents", contents_text(info));
    print_line("form", form_text(info));
    print_line("rows of z and u", std::to_string(info.rows));
    if (info.matrix_form == 0) print_line("velocities", std::to_string(info.velocities));
    print_line("nonzeros", std::to_string(info.nonzeros));
    if (info.matrix_form == 0)
        print_line("largest mass block", std::to_string(info.largest_mass_block));
    print_line("asymmetry", scientific(info.asymmetry));
    print_line("free velocity norm",
               scientific(info.free_velocity_norm) + (info.matrix_form == 1 ? "" : " sqrt(J)"));
    for (const int64_t method : all_methods()) {
        const std::string reason = reason_against(file, method);
        print_line(("solver " + std::string(perp_method_name(method))).c_str(),
                   reason.empty() ? "fits" : "does not fit: " + reason);
    }
}

Json info_json(const ProblemFile& file) {
    Json solvers = Json::object();
    for (const int64_t method : all_methods()) {
        const std::string reason = reason_against(file, method);
        solvers[perp_method_name(method)] = {{"fits", reason.empty()},
                                             {"reason", reason.empty() ? Json() : Json(reason)}};
    }
    return {{"perp", version_text()},
            {"file", file.path},
            {"problem", problem_json(file)},
            {"solvers", solvers}};
}

int run_info(const InfoOptions& options) {
    const ProblemFile file(options.file, options.law);
    if (options.json) {
        std::cout << json_text(info_json(file));
    } else {
        print_info(file);
    }
    return exit_ok;
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
    auto options = std::make_shared<InfoOptions>();
    CLI::App* command = app.add_subcommand(
        "info", "Show what an instance file holds and which solvers can take it");
    command->add_option("FILE", options->file, instance_help)->required();
    add_law_option(*command, options->law);
    command->add_flag("--json", options->json, "One JSON object on stdout");
    command->footer(
        "asymmetry: largest |X_ij - X_ji| / sqrt(X_ii X_jj) of the mass or Delassus matrix; exact\n"
        "symmetry is 0. free velocity norm: size of the problem, sqrt(J): what eta is relative "
        "to.\n"
        "\nExample:  perp info wall.h5 --json");
    command->callback([options, &action] { action = [options] { return run_info(*options); }; });
}

}  // namespace perp::tool
