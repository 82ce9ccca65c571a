// The C handles of perp.h as owners, and failed calls as exceptions. Only the scenes and the
// command-line tool use this; both see nothing of perp but perp.h.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "perp/perp.h"

namespace perp::scenes {

struct Destroy {
    void operator()(perp_system* p) const { perp_system_destroy(p); }
    void operator()(perp_problem* p) const { perp_problem_destroy(p); }
    void operator()(perp_solver* p) const { perp_solver_destroy(p); }
    void operator()(perp_friction* p) const { perp_friction_destroy(p); }
};
using SystemHandle = std::unique_ptr<perp_system, Destroy>;
using ProblemHandle = std::unique_ptr<perp_problem, Destroy>;
using SolverHandle = std::unique_ptr<perp_solver, Destroy>;
using FrictionHandle = std::unique_ptr<perp_friction, Destroy>;

// A call of perp that did not work. what(): perp's message, with the context in front where the
// message does not start with it.
class CallFailed : public std::runtime_error {
public:
    CallFailed(int32_t status, const std::string& context)
        : std::runtime_error(text(status, context)), status_(status) {}
    [[nodiscard]] int32_t status() const { return status_; }

private:
    static std::string text(int32_t status, const std::string& context) {
        std::string message = perp_last_message();
        if (message.empty()) message = perp_status_text(status);
        return message.rfind(context, 0) == 0 ? message : context + ": " + message;
    }
    int32_t status_;
};

inline void require(int32_t status, const std::string& context) {
    if (status != PERP_OK) throw CallFailed(status, context);
}

// A struct of perp.h with struct_size set, for those that are only written by the library.
template <class T>
T sized() {
    T t{};
    t.struct_size = static_cast<int64_t>(sizeof(T));
    return t;
}

// The _init functions give the defaults of those that the library reads.
template <class T>
T initialized(int32_t (*init)(T*, int64_t)) {
    T t{};
    require(init(&t, static_cast<int64_t>(sizeof(T))), "perp initialization of a struct");
    return t;
}

}  // namespace perp::scenes
