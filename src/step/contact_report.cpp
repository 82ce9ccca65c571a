#include "step/contact_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "friction/stacked_rows.hpp"

namespace perp {
namespace {

// z . (J v + b)
double power(const Csr& jacobian, std::span<const double> v, std::span<const double> b,
             std::span<const double> z) {
    std::vector<double> u(z.size(), 0.0);
    std::copy(b.begin(), b.end(), u.begin());
    multiply_add(jacobian, v, u);
    double sum = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) sum += z[k] * u[k];
    return sum;
}

double length(const double* x, int n) {
    double square = 0.0;
    for (int k = 0; k < n; ++k) square += x[k] * x[k];
    return std::sqrt(square);
}

bool rolls(const ContactShape& shape, const ContactRows& rows, std::int64_t i, double normal,
           const double* S) {
    const auto reached = [&](const std::vector<double>& coefficient, const double* x, int n) {
        if (n == 0 || coefficient.empty() || !(coefficient[i] > 0.0)) return false;
        return length(x, n) >= at_limit * coefficient[i] * normal;
    };
    return reached(rows.sigma, S, shape.spin) || reached(rows.rho, S + shape.spin, shape.roll);
}

}  // namespace

void report_contacts(const System& system, const ContactRows& rows, const StepImpulses& impulses,
                     std::span<const double> use, StepResult& result) {
    const std::int64_t all = system.bilateral() + system.contacts() + system.boxes() +
                             system.matrix(SystemMatrix::D).rows +
                             system.matrix(SystemMatrix::S).rows;
    result.z.resize(all);
    stack_rows(system, impulses, result.z);
    result.velocity.resize(system.velocities());
    std::vector<double> work(result.velocity.size());
    end_velocity(system, rows.f, result.z, result.velocity, work);
    check_velocity(result.velocity);
    result.info.dissipation =
        -power(system.matrix(SystemMatrix::D), result.velocity, rows.b_T, impulses.D) -
        power(system.matrix(SystemMatrix::S), result.velocity, rows.b_S, impulses.S);

    const ContactShape& shape = system.shape();
    result.state.resize(system.contacts());
    for (std::int64_t i = 0; i < system.contacts(); ++i) {
        const double normal = impulses.N[i];
        ContactState state = ContactState::stick;
        if (!(normal > 0.0))
            state = ContactState::open;
        else if (use[i] >= at_limit)
            state = ContactState::slip;
        else if (rolls(shape, rows, i, normal, impulses.S.data() + i * shape.angular()))
            state = ContactState::roll;
        result.state[i] = state;
        ++result.info.contacts[static_cast<int>(state)];
    }
}

}  // namespace perp
