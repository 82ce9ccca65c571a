#include "friction/stacked_rows.hpp"

#include <algorithm>

namespace perp {
namespace {

template <class Part, class Visit>
void visit_parts(const System& system, Part&& part, Visit&& visit) {
    std::int64_t first = 0;
    for (const auto& [which, values] : part) {
        const std::int64_t count = system.matrix(which).rows;
        visit(*values, first, count);
        first += count;
    }
}

}  // namespace

void split_rows(const System& system, std::span<const double> z, StepImpulses& out) {
    const std::pair<SystemMatrix, std::vector<double>*> parts[] = {{SystemMatrix::A, &out.A},
                                                                   {SystemMatrix::N, &out.N},
                                                                   {SystemMatrix::D, &out.D},
                                                                   {SystemMatrix::S, &out.S},
                                                                   {SystemMatrix::B, &out.B}};
    visit_parts(system, parts, [&](std::vector<double>& to, std::int64_t first, std::int64_t n) {
        to.assign(z.begin() + first, z.begin() + first + n);
    });
}

void stack_rows(const System& system, const StepImpulses& impulses, std::span<double> z) {
    std::fill(z.begin(), z.end(), 0.0);
    const std::pair<SystemMatrix, const std::vector<double>*> parts[] = {
        {SystemMatrix::A, &impulses.A},
        {SystemMatrix::N, &impulses.N},
        {SystemMatrix::D, &impulses.D},
        {SystemMatrix::S, &impulses.S},
        {SystemMatrix::B, &impulses.B}};
    visit_parts(system, parts,
                [&](const std::vector<double>& from, std::int64_t first, std::int64_t) {
                    std::copy(from.begin(), from.end(), z.begin() + first);
                });
}

}  // namespace perp
