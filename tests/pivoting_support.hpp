// Helpers of the tests of the pivoting method: run_pivoting() itself on problems of any size, in
// the caller's units, with an honest outcome; proofs verified; families on which other pivot rules
// are slow.
#pragma once

#include "problem/mixed_form.hpp"
#include "solver_support.hpp"
#include "solvers/pivot_monitor.hpp"
#include "solvers/pivoting.hpp"

namespace perp::test {

using States = std::vector<std::int8_t>;

struct Pivoted {
    Info info;
    Vector z, u, certificate;  // the caller's units; z is the best iterate
    double eta = infinity;
    States set;
    [[nodiscard]] std::int64_t pivots() const { return info.block_steps + info.single_pivots; }
};

inline Settings pivoting_settings(double tolerance = 1e-10) {
    return accurate(Method::pivoting, tolerance);
}

// Past Solver, so without the dense shortcut of small problems.
inline Pivoted pivot(const Problem& problem, const Settings& settings = pivoting_settings(),
                     const States& set = {}, const ProgressCallback& progress = {}) {
    const MixedForm form(problem);
    PivotingWorkspace work(form);
    PivotMonitorWorkspace monitor_work(problem, form);
    PivotMonitor monitor(problem, form, settings, progress, monitor_work);
    Vector z(form.p, 0.0);
    run_pivoting(form, z, set, false, work, monitor);
    Pivoted result;
    result.info = monitor.info();
    result.z.resize(form.p);
    form.to_user(monitor.best(), result.z);
    result.eta = eta_of(problem, result.z);
    EXPECT_EQ(result.info.outcome == Outcome::solved, result.eta <= settings.tolerance)
        << result.eta;
    // A search of all basic sets proves without a ray.
    if (result.info.outcome != Outcome::no_solution ||
        (result.info.fallbacks & fallback::enumeration) == 0) {
        EXPECT_EQ(result.info.outcome == Outcome::no_solution, !monitor.certificate().empty());
    }
    if (!monitor.certificate().empty()) {
        result.certificate.resize(form.p);
        form.to_user(monitor.certificate(), result.certificate);
    }
    result.set = work.state;
    result.u.resize(form.p);
    ProductWorkspace product = problem.make_workspace();
    problem.constraint_velocity(result.z, result.u, product);
    return result;
}

inline Pivoted pivot_solved(const Problem& problem, double tolerance = 1e-10,
                            const States& set = {}) {
    Pivoted result = pivot(problem, pivoting_settings(tolerance), set);
    EXPECT_EQ(result.info.outcome, Outcome::solved) << "eta " << result.eta;
    return result;
}

// Below this, what is left of S'd is no more than rounding.
inline bool is_proof(const Problem& problem, const Vector& d) {
    if (d.size() != static_cast<std::size_t>(problem.rows())) return false;
    const MixedForm form(problem);
    Vector scaled(form.p), g(form.p, 0.0), v(form.n, 0.0);
    form.from_user(d, scaled);
    double descent = 0.0;
    for (std::int64_t i = 0; i < form.p; ++i) {
        if ((scaled[i] < 0.0 && std::isfinite(form.lo[i])) ||
            (scaled[i] > 0.0 && std::isfinite(form.hi[i])))
            return false;
        descent -= scaled[i] * form.r[i];
    }
    multiply_add(form.Jt, scaled, v);  // S'd = J M^-T J'd + C'd
    multiply_transposed_add(form.C, scaled, g);
    const double rest = std::max(largest(v), largest(g));
    return descent > 1e-9 * largest(scaled) * form.free_norm && rest <= 1e-11 * largest(scaled);
}

// ------------------------------------------------------------------ problems

// Contacts without friction, and joints.
inline Problem plain_contacts(Dense M, Dense A, Dense N, Vector f, Vector u = {},
                              double compliance = 0.0) {
    Step s;
    s.shape = {0, 0, 0};
    s.M = std::move(M);
    s.A = std::move(A);
    s.N = std::move(N);
    s.rows.f = std::move(f);
    s.rows.u = u.empty() ? Vector(s.A.rows, 0.0) : std::move(u);
    s.rows.b_N.assign(s.N.rows, 0.0);
    s.rows.mu.assign(s.N.rows, 0.0);
    s.rows.rho = s.rows.sigma = s.rows.mu;
    s.rows.compliance_A.assign(s.A.rows, 0.0);
    s.rows.compliance_N.assign(s.N.rows, compliance);
    return problem_of(s);
}

inline Shared lcp(const Dense& H, Vector q) {
    const std::size_t n = q.size();
    return blcp(H, std::move(q), Vector(n, 0.0), Vector(n, infinity));
}

// The same problem many times over, side by side: sparse, and as large as wanted.
inline Dense repeated(const Dense& H, std::int64_t copies) {
    Dense all(copies * H.rows, copies * H.cols);
    for (std::int64_t c = 0; c < copies; ++c)
        for (std::int64_t i = 0; i < H.rows; ++i)
            for (std::int64_t j = 0; j < H.cols; ++j) all(c * H.rows + i, c * H.cols + j) = H(i, j);
    return all;
}

inline Vector repeated(const Vector& v, std::int64_t copies) {
    Vector all;
    for (std::int64_t c = 0; c < copies; ++c) all.insert(all.end(), v.begin(), v.end());
    return all;
}

// Murty (1978): a P-matrix on which least-index pivoting from q = -1 takes 2^n - 1 steps.
inline Dense murty(std::int64_t n) {
    Dense H(n, n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i; j < n; ++j) H(i, j) = i == j ? 1.0 : 2.0;
    return H;
}
// Fathi (1979): symmetric and positive definite.
inline Dense fathi(std::int64_t n) { return transposed(murty(n)) * murty(n); }
// Csizmadia and Csizmadia (2006): the solution grows like 2^i.
inline Dense csizmadia(std::int64_t n) {
    Dense H(n, n);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) H(i, j) = i == j ? 1.0 : -1.0;
    return H;
}

}  // namespace perp::test
