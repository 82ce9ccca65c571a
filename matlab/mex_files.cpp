// Commands for instance files and solutions.
#include "mex_commands.hpp"

namespace perp_mex {

namespace {

std::int32_t layout_of(const Argument& argument) {
    const std::string name = text(argument);
    if (name == "auto") return PERP_LAYOUT_AUTO;
    if (name == "perp") return PERP_LAYOUT_PERP;
    if (name == "fclib") return PERP_LAYOUT_FCLIB;
    if (name == "matrix_market") return PERP_LAYOUT_MATRIX_MARKET;
    refuse("perp:badValue", std::string(argument.name) + " = \"" + name +
                                "\" is not one of auto, perp, fclib, matrix_market");
}

std::int32_t law_of(const Argument& argument) {
    const std::string name = text(argument);
    if (name == "auto") return PERP_LAW_AUTO;
    if (name == "cone") return PERP_LAW_CONE;
    if (name == "box") return PERP_LAW_BOX;
    if (name == "coulomb") return PERP_LAW_COULOMB;
    refuse("perp:badValue", std::string(argument.name) + " = \"" + name +
                                "\" is not one of auto, cone, coulomb, box");
}

// path, law
void read(const Call& call) {
    const std::string path = text(call.argument(0, "path"));
    const std::int32_t law = law_of(call.argument(1, "law"));
    perp_problem* problem = nullptr;
    require(perp_problem_read(path.c_str(), law, &problem));
    call.output[0] = hold(held_problem(problem));
}

// problem, path, layout, title, source
void write(const Call& call) {
    const HeldProblem& held = find<HeldProblem>(call.argument(0, "problem"));
    const std::string path = text(call.argument(1, "path"));
    const std::int32_t layout = layout_of(call.argument(2, "layout"));
    const std::string title = text(call.argument(3, "title"));
    const std::string source = text(call.argument(4, "source"));
    require(perp_problem_write(held.problem.get(), path.c_str(), layout,
                               title.empty() ? nullptr : title.c_str(),
                               source.empty() ? nullptr : source.c_str()));
}

// problem, path
void read_solution(const Call& call) {
    const HeldProblem& held = find<HeldProblem>(call.argument(0, "problem"));
    const std::string path = text(call.argument(1, "path"));
    mxArray* const z = new_column(held.rows);
    require(perp_solution_read(held.problem.get(), path.c_str(), mxGetDoubles(z)));
    call.output[0] = z;
}

// problem, path, z, solver
void write_solution(const Call& call) {
    const HeldProblem& held = find<HeldProblem>(call.argument(0, "problem"));
    const std::string path = text(call.argument(1, "path"));
    const Vector z = impulses(call.argument(2, "z"), held.rows);
    const std::string solver = text(call.argument(3, "solver"));
    require(perp_solution_write(held.problem.get(), path.c_str(), z.data(),
                                solver.empty() ? nullptr : solver.c_str()));
}

}  // namespace

const std::vector<Command>& file_commands() {
    static const std::vector<Command> commands = {
        {"problem_read", 2, 1, read},
        {"problem_write", 5, 0, write},
        {"solution_read", 2, 1, read_solution},
        {"solution_write", 4, 0, write_solution},
    };
    return commands;
}

}  // namespace perp_mex
