// Runs Lemke's method and checks its proofs.
#pragma once

#include "problem/mixed_form.hpp"
#include "solver_support.hpp"
#include "solvers/lemke.hpp"
#include "solvers/pivot_monitor.hpp"

namespace perp::test {

struct LemkeRun {
    Info info;
    Vector z, certificate, general_certificate;  // in the caller's units
    double eta = infinity;
    std::vector<std::int8_t> state;

    // For all z within the bounds: (S'd) . z + r . d < 0, and w . d >= 0 by d's signs.
    [[nodiscard]] bool proof_holds(const Problem& problem) const {
        const Vector& d = certificate.empty() ? general_certificate : certificate;
        if (d.empty()) return false;
        const MixedForm form(problem);
        const Dense S = dense(problem.form_matrix());
        const Vector g = transposed(S) * d;
        double sum = 0.0;
        for (std::int64_t i = 0; i < form.p; ++i) {
            const double lo = form.lo[i] * form.scale[i], hi = form.hi[i] * form.scale[i];
            if ((d[i] < 0.0 && std::isfinite(lo)) || (d[i] > 0.0 && std::isfinite(hi)))
                return false;
            sum += problem.free_velocity()[i] * d[i];
            if (std::abs(g[i]) <= 1e-10 * largest(d)) continue;
            if (!certificate.empty()) return false;
            sum += g[i] * (g[i] > 0.0 ? hi : lo);
        }
        return sum < 0.0;
    }
};

inline LemkeRun lemke(const Shared& problem, double tolerance = 1e-10, Vector start = {}) {
    Settings settings;
    settings.tolerance = tolerance;
    settings.max_iterations = 1000000;
    const MixedForm form(*problem);
    PivotMonitorWorkspace monitor_work(*problem, form);
    const ProgressCallback progress;
    PivotMonitor monitor(*problem, form, settings, progress, monitor_work);
    LemkeWorkspace work(form);
    Vector z(form.p, 0.0);
    if (!start.empty()) form.from_user(start, z);
    run_lemke(form, z, work, monitor);
    LemkeRun run;
    run.info = monitor.info();
    run.z.resize(form.p);
    form.to_user(z, run.z);
    run.eta = eta_of(*problem, run.z);
    for (const auto& [from, to] : {std::pair{&monitor.certificate(), &run.certificate},
                                   {&work.general_certificate, &run.general_certificate}}) {
        to->resize(from->size());
        if (!from->empty()) form.to_user(*from, *to);
    }
    run.state = work.state;
    return run;
}

}  // namespace perp::test
