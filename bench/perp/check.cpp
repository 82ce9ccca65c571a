// perp check: is a stored solution right?
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "problem_file.hpp"
#include "text.hpp"

namespace perp::tool {
namespace {

struct CheckOptions {
    std::string file, solution, law = "auto";
    double tolerance = 1e-4;
    bool json = false;
};

void print_check(const ProblemFile& file, const CheckOptions& options, const perp_residual_info& r,
                 bool good) {
    const auto line = [](const char* name, const std::string& value) {
        std::cout << "  " << padded(name, 22) << value << '\n';
    };
    const bool units = file.info.matrix_form != 1;  // a general BLCP has those of its matrix
    std::cout << options.solution << " for " << file.path << ": " << contents_text(file.info)
              << '\n';
    line("eta", scientific(r.eta) + (good ? " <= " : " > ") + scientific(options.tolerance));
    line("  bilateral rows", scientific(r.eta_bilateral));
    line("  normal rows", scientific(r.eta_normal));
    line("  friction rows", scientific(r.eta_friction));
    line("  box rows", scientific(r.eta_box));
    line("worst", row_text(file.info, r.worst_row));
    if (file.info.law == PERP_LAW_CONE && file.info.contacts > 0)
        line("eta, exact Coulomb", scientific(r.eta_coulomb));
    if (file.info.contacts > 0)
        line("penetration velocity", scientific(r.penetration_velocity) + " m/s");
    if (file.info.bilateral > 0)
        line("bilateral velocity", scientific(r.bilateral_velocity) + " m/s");
    line("cone violation", scientific(r.cone_violation) + (units ? " N s" : ""));
    line("complementarity", scientific(r.complementarity) + (units ? " J" : ""));
    std::cout << (good ? "Good to the tolerance.\n" : "Not good to the tolerance.\n");
}

int run_check(const CheckOptions& options) {
    const ProblemFile file(options.file, options.law);
    const perp_residual_info residual = residual_of(file, read_solution(file, options.solution));
    const bool good = residual.eta <= options.tolerance;  // false for NaN
    if (options.json) {
        Json json{{"perp", version_text()},         {"file", file.path},
                  {"solution", options.solution},   {"problem", problem_json(file)},
                  {"tolerance", options.tolerance}, {"good", good}};
        json.update(residual_json(file.info, residual));
        std::cout << json_text(json);
    } else {
        print_check(file, options, residual, good);
    }
    return good ? exit_ok : exit_not_solved;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* command = app.add_subcommand("check", "Compute the residual of a stored solution");
    command->add_option("FILE", options->file, instance_help)->required();
    command
        ->add_option("SOLUTION", options->solution,
                     "HDF5 file with /solution or folder with z.mtx (may be FILE itself)")
        ->required();
    add_law_option(*command, options->law);
    command->add_option("--tol", options->tolerance, "Largest eta that is good enough, no unit")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object on stdout");
    command->footer(
        "Exit code 0 if eta <= tolerance, 1 if not, 2 if something cannot be read.\n"
        "\nExample:  perp solve wall.h5 --out answer.h5; perp check wall.h5 answer.h5 --tol 1e-3");
    command->callback([options, &action] { action = [options] { return run_check(*options); }; });
}

}  // namespace perp::tool
