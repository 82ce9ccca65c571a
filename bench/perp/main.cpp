// perp: look at, solve, check, make and convert instances of contact and friction problems; run
// experiments in time.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "commands.hpp"
#include "perp/perp.h"

namespace {

using namespace perp::tool;

constexpr const char* about =
    "perp solves contact and friction problems (complementarity problems) stored in HDF5 files\n"
    "(FCLIB's or perp's own layout) or folders of Matrix Market files. Results go to stdout,\n"
    "progress and errors to stderr.";

constexpr const char* footer =
    "Examples:\n"
    "  perp make pile --spheres 200 --out pile.h5     a scene to play with\n"
    "  perp info pile.h5                              what is in it\n"
    "  perp solve pile.h5                             solve it to eta = 1e-4\n"
    "  perp solve pile.h5 --solver all                every solver that fits\n"
    "  perp bench pile.h5 --out report                compare the solvers: times, plots\n"
    "  perp solve pile.h5 --out answer.h5 && perp check pile.h5 answer.h5\n"
    "  perp scene wheel --out wheel                   an experiment in time, with plots\n"
    "  perp convert fclib.hdf5 pile.h5                another layout\n"
    "\n"
    "eta is the measure of every answer: how far it is from satisfying all laws, over how far no\n"
    "impulses at all would be, both as energies. No unit; 0 is exact, 1e-4 is good for "
    "simulation.\n"
    "\n"
    "Exit codes: 0 solved (check: good enough; bench, scene: ran to the end), 1 not solved, 2 "
    "usage\n"
    "or input error.\n"
    "perp COMMAND --help tells the options of a command.";

// CLI11 has its own exit codes; help and version are no errors.
int exit_code_of(const CLI::App& app, const CLI::ParseError& error) {
    if (app.exit(error, std::cout, std::cerr) == 0) return exit_ok;
    // A mistyped command is reported as a missing one, without a word on what was typed.
    const std::vector<std::string> unused = app.remaining(true);
    if (error.get_name() == "RequiredError" && !unused.empty()) {
        std::cerr << "Not understood: " << unused.front() << '\n';
    }
    return exit_error;
}

int run(int argc, char** argv) {
    CLI::App app{about, "perp"};
    app.set_version_flag("--version", std::string(perp_build_info()),
                         "Version, compiler, linked parts and licences");
    app.require_subcommand(1);
    Action action;
    add_info(app, action);
    add_solve(app, action);
    add_check(app, action);
    add_make(app, action);
    add_convert(app, action);
    add_bench(app, action);
    add_scene(app, action);
    app.footer(footer);  // last: subcommands inherit it otherwise
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return exit_code_of(app, error);
    }
    return action();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int code = run(argc, argv);
        std::cout.flush();
        if (std::cout) return code;
        std::cerr << "perp: standard output cannot be written\n";
    } catch (const std::exception& error) {
        std::cerr << "perp: " << error.what() << '\n';
    }
    return exit_error;
}
