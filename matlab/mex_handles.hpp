// What the objects of MATLAB own: systems, problems, solvers and friction models, each known to its
// object by a number. The MEX file is locked in memory while there is one, and frees what is left
// when it is unloaded.
#ifndef PERP_MEX_HANDLES_HPP
#define PERP_MEX_HANDLES_HPP

#include <cstdint>
#include <memory>
#include <vector>

#include "mex_values.hpp"
#include "perp/cpp/system.hpp"

namespace perp_mex {

using perp::Sizes;
using perp::detail::Owner;

// The rows of a step: all that its vectors z and u have.
inline std::int64_t rows_of(const Sizes& s) {
    return s.bilateral + s.contacts + s.sliding + s.angular + s.boxes;
}

struct Held {
    virtual ~Held() = default;
    // Solves under way that use it. A progress function may call perp again: what is in use is then
    // not changed, and lives on until the solve ends.
    int in_use = 0;
};

struct HeldSystem : Held {
    static constexpr const char* kind = "perp.System";
    Owner<perp_system, perp_system_destroy> system;
    Sizes sizes;
    Pattern patterns[6];  // by PERP_MATRIX_*
};

struct HeldProblem : Held {
    static constexpr const char* kind = "perp.Problem";
    Owner<perp_problem, perp_problem_destroy> problem;
    Sizes sizes;
    std::int64_t rows = 0;         // of z and u
    std::int64_t vector_rows = 0;  // of q, as perp_problem_set_vectors takes it
    const char* matrix = nullptr;  // "H" or "W", of which `pattern` is; NULL: not known
    Pattern pattern;
};

struct HeldSolver : Held {
    static constexpr const char* kind = "perp.Solver";
    std::shared_ptr<HeldProblem> problem;
    Owner<perp_solver, perp_solver_destroy> solver;
    std::int64_t rows = 0;
    std::vector<double> last;  // z of the last solve, where it was to start warm
};

struct HeldFriction : Held {
    static constexpr const char* kind = "perp.Friction";
    Owner<perp_friction, perp_friction_destroy> friction;
};

// Takes it over; its number as a value to return.
mxArray* hold(std::shared_ptr<Held> held);
// Of the number in `argument`. Throws perp:badHandle: no number of ours, deleted.
const std::shared_ptr<Held>& find_held(const Argument& argument);
// Forgets it; numbers that are not known (deleted already) do nothing.
void release(const Argument& argument);
void release_all() noexcept;
std::int64_t count_held() noexcept;

// A call of the gateway, from its begin to its end. The last one that ends locks the MEX file in
// memory, or unlocks it: not earlier, because calls may be nested, and the outer ones go on.
class GatewayCall {
public:
    GatewayCall() noexcept;
    ~GatewayCall();
    GatewayCall(const GatewayCall&) = delete;
    GatewayCall& operator=(const GatewayCall&) = delete;
};

// The same of one kind. Throws perp:badHandle: of another kind.
template <class Kind>
std::shared_ptr<Kind> share(const Argument& argument) {
    std::shared_ptr<Kind> found = std::dynamic_pointer_cast<Kind>(find_held(argument));
    if (found == nullptr)
        refuse("perp:badHandle", std::string(argument.name) + " is no " + Kind::kind);
    return found;
}

// The same for commands that do not call back, so that it stays.
template <class Kind>
Kind& find(const Argument& argument) {
    return *share<Kind>(argument);
}

// The same to change it. Throws perp:badCall: a solve that uses it is under way.
template <class Kind>
Kind& find_free(const Argument& argument) {
    Kind& found = find<Kind>(argument);
    if (found.in_use > 0)
        refuse("perp:badCall", std::string(argument.name) +
                                   " is in use: a progress function cannot change what is solved");
    return found;
}

}  // namespace perp_mex

#endif  // PERP_MEX_HANDLES_HPP
