#include "friction/friction_step.hpp"
#include "problem/residual.hpp"

namespace perp {

double FrictionStep::law_residual(std::span<const double> z) const {
    const std::shared_ptr<const Problem> due = problem();
    ResidualWorkspace work = make_residual_workspace(*due);
    return residual(*due, z, work).eta;
}

}  // namespace perp
