// Helpers of the tests of Keller's method: a solve in the caller's units that must be honest.
#pragma once

#include "solver_support.hpp"
#include "solvers/keller.hpp"

namespace perp::test {

struct Found {
    Info info;
    Vector z, u, certificate;  // the caller's units; the certificate scaled
    std::vector<std::int8_t> state;
};

inline Settings keller_settings(double tolerance) {
    Settings s;
    s.tolerance = tolerance;
    s.max_iterations = 1000000;
    return s;
}

// Solves; a set given is the start.
inline Found keller(const Problem& problem, double tolerance = 1e-10,
                    const std::vector<std::int8_t>& start = {}) {
    const MixedForm form(problem);
    KellerWorkspace work(form);
    if (!start.empty()) {
        work.state = start;
        work.start_given = true;
    }
    const Settings settings = keller_settings(tolerance);
    const ProgressCallback progress;
    PivotMonitorWorkspace monitor_work(problem, form);
    PivotMonitor monitor(problem, form, settings, progress, monitor_work);
    Vector z(form.p, 0.0);
    run_keller(form, z, work, monitor);
    Found found;
    found.info = monitor.info();
    found.z.resize(form.p);
    form.to_user(z, found.z);
    found.certificate = monitor.certificate();
    found.state = work.state;
    const double eta = eta_of(problem, found.z);
    EXPECT_EQ(found.info.outcome == Outcome::solved, eta <= tolerance) << eta;
    found.u.resize(form.p);
    ProductWorkspace product = problem.make_workspace();
    problem.constraint_velocity(found.z, found.u, product);
    return found;
}

inline Found solved(const Problem& problem, double tolerance = 1e-10) {
    Found found = keller(problem, tolerance);
    EXPECT_EQ(found.info.outcome, Outcome::solved);
    return found;
}

}  // namespace perp::test
