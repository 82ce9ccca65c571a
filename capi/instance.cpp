#include "io/instance.hpp"

#include "handles.hpp"
#include "problem/residual.hpp"

using namespace perp;
using namespace perp::capi;

namespace {

std::string text(const char* given) {
    return given == nullptr ? std::string() : std::string(given);
}

}  // namespace

int32_t perp_problem_read(const char* path, int32_t law, perp_problem** out) {
    return guarded([&] {
        required(out, "out");
        required(path, "path");
        if (law < PERP_LAW_AUTO || law > PERP_LAW_COULOMB)
            fail(Status::bad_value, "law = %d is not one of PERP_LAW_AUTO, _CONE, _BOX, _COULOMB",
                 law);
        auto handle = std::make_unique<perp_problem>();
        handle->problem = std::make_shared<Problem>(read_problem(
            path, law == PERP_LAW_AUTO ? std::nullopt : std::optional(static_cast<Law>(law))));
        *out = handle.release();
    });
}

int32_t perp_problem_write(const perp_problem* problem, const char* path, int32_t layout,
                           const char* title, const char* source) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        required(path, "path");
        if (layout < PERP_LAYOUT_AUTO || layout > PERP_LAYOUT_MATRIX_MARKET)
            fail(Status::bad_value,
                 "layout = %d is not one of PERP_LAYOUT_AUTO, _PERP, _FCLIB, _MATRIX_MARKET",
                 layout);
        write_problem(p, path, static_cast<Layout>(layout), text(title), text(source));
    });
}

int32_t perp_solution_read(const perp_problem* problem, const char* path, double* z) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        required(path, "path");
        if (p.rows() > 0) required(z, "z");
        const std::vector<double> solution = read_solution(p, path);
        std::copy(solution.begin(), solution.end(), z);
    });
}

int32_t perp_solution_write(const perp_problem* problem, const char* path, const double* z,
                            const char* solver) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        required(path, "path");
        if (p.rows() > 0) required(z, "z");
        const std::span<const double> solution(z, static_cast<std::size_t>(p.rows()));
        ResidualWorkspace work = make_residual_workspace(p);
        write_solution(p, path, solution, text(solver), residual(p, solution, work).eta);
    });
}
