// The subcommands of the command-line tool `perp`, one file each.
//
// Each add_ function registers its options and leaves in `action` what to run when it was chosen.
// An action returns the exit code and throws std::exception for what main reports as an error.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace perp::tool {

enum ExitCode : int {
    exit_ok = 0,          // solved; eta below the tolerance; done
    exit_not_solved = 1,  // the answer is not there, or not good enough
    exit_error = 2,       // usage or input error, message on stderr
};

using Action = std::function<int()>;

void add_info(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_make(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_scene(CLI::App& app, Action& action);

}  // namespace perp::tool
