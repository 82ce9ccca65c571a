// perp_mex(command, ...): the one gateway between MATLAB or Octave and the C interface of perp. Not
// to be called by hand; the functions and classes of +perp are the interface.
//
// It stands beside the package and not in it: Octave keeps a MEX file inside a package locked for
// ever once it was locked. No exception leaves mexFunction, and errors are raised as its last act,
// when nothing with a destructor is alive: MATLAB leaves it by a jump.
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "mex_commands.hpp"

namespace {

using namespace perp_mex;

struct Failure {
    char identifier[64];
    char message[2048];
};

void tell(Failure& failure, const char* identifier, const char* message) noexcept {
    std::snprintf(failure.identifier, sizeof failure.identifier, "%s", identifier);
    std::snprintf(failure.message, sizeof failure.message, "%s", message);
}

const Command& find_command(const std::string& name) {
    for (const auto* commands : {&system_commands(), &problem_commands(), &solver_commands(),
                                 &friction_commands(), &file_commands()})
        for (const Command& command : *commands)
            if (name == command.name) return command;
    refuse("perp:badCall", "perp_mex has no command \"" + name + "\"");
}

void dispatch(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]) {
    if (nrhs < 1) refuse("perp:badCall", "perp_mex needs a command; call the functions of perp");
    const Command& command = find_command(text({prhs[0], "command"}));
    if (nrhs - 1 != command.inputs)
        refuse("perp:badCall", std::string(command.name) + " takes " +
                                   std::to_string(command.inputs) + " arguments, not " +
                                   std::to_string(nrhs - 1));
    if (nlhs > command.outputs)
        refuse("perp:badCall",
               std::string(command.name) + " has " + std::to_string(command.outputs) + " results");
    command.run({nlhs, plhs, prhs + 1});
}

// False: `failure` tells. Nothing that it made is alive then, but what perp's objects hold.
bool run(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[], Failure& failure) noexcept {
    try {
        const GatewayCall call;
        dispatch(nlhs, plhs, nrhs, prhs);
        return true;
    } catch (const Refusal& refusal) {
        tell(failure, refusal.identifier(), refusal.what());
    } catch (const std::bad_alloc&) {
        tell(failure, "perp:noMemory", "out of memory");
    } catch (const std::exception& error) {
        tell(failure, "perp:internal", error.what());
    } catch (...) {
        tell(failure, "perp:internal", "unknown exception");
    }
    return false;
}

}  // namespace

void mexFunction(int nlhs, mxArray* plhs[], int nrhs, const mxArray* prhs[]) {
    static Failure failure;
    mexAtExit([] { perp_mex::release_all(); });
    if (!run(nlhs, plhs, nrhs, prhs, failure))
        mexErrMsgIdAndTxt(failure.identifier, "%s", failure.message);
}
