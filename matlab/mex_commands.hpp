// The commands of perp_mex(command, ...): a function each. The functions of +perp call them, with
// exactly as many arguments as they take; [] stands for what is not given.
#ifndef PERP_MEX_COMMANDS_HPP
#define PERP_MEX_COMMANDS_HPP

#include <string>
#include <vector>

#include "mex_handles.hpp"
#include "mex_values.hpp"

namespace perp_mex {

// The arguments after the command, and where results go. Results of refused calls are dropped.
struct Call {
    int outputs;  // wanted; the first one may always be set
    mxArray** output;
    const mxArray* const* input;
    Argument argument(int k, const char* name) const { return {input[k], name}; }
};

struct Command {
    const char* name;
    int inputs;
    int outputs;  // at most
    void (*run)(const Call& call);
};

// By file: mex_system.cpp, mex_problem.cpp, mex_solver.cpp, mex_friction.cpp, mex_files.cpp.
const std::vector<Command>& system_commands();
const std::vector<Command>& problem_commands();
const std::vector<Command>& solver_commands();
const std::vector<Command>& friction_commands();
const std::vector<Command>& file_commands();

// Vectors of a step from a struct with the fields of perp_rows, as they are given. They live as
// long as this. Throws perp:badOption (no such field), perp:badType, perp:badSize.
class Rows {
public:
    Rows(const Argument& argument, const Sizes& sizes);
    const perp_rows& get() const noexcept { return rows_; }

private:
    std::vector<Vector> vectors_;
    perp_rows rows_{};
};

// Settings from a cell {name, value, name, value, ...}: every name and text that perp_solver_set
// knows; numbers, true and false as well. Throws perp:badOption, perp:badSetting.
perp_settings settings_of(const Argument& argument);

// Takes over a new problem and finds out its sizes.
std::unique_ptr<HeldProblem> held_problem(perp_problem* problem);

// z of a problem: throws where it is missing or not of this length.
Vector impulses(const Argument& argument, std::int64_t rows);

}  // namespace perp_mex

#endif  // PERP_MEX_COMMANDS_HPP
