// Helpers of the tests of friction steps: a step solved pass by pass, in the caller's rows.
#pragma once

#include "friction/friction_step.hpp"
#include "solver_support.hpp"

namespace perp::test {

inline Settings step_solver(Method method = Method::pivoting, double tolerance = 1e-13) {
    Settings s = accurate(method, tolerance);
    s.warm_start = true;
    return s;
}

// M, N, D of a step and its vectors.
struct FrictionScene {
    Dense M, N, D, A, B;
    ContactRows rows;
    StepContacts contacts;
    FrictionSettings settings;

    [[nodiscard]] std::shared_ptr<const System> system() const {
        Step s;
        s.M = M;
        s.A = A;
        s.N = N;
        s.D = D;
        s.B = B;
        return system_of(s);
    }
};

inline FrictionSettings bristle(double stiffness,
                                FrictionBounds bounds = FrictionBounds::iterated) {
    FrictionSettings s;
    s.model = FrictionModel::bristle;
    s.stiffness = stiffness;
    s.bounds = bounds;
    return s;
}

// A point on the plane z = 0 (planar: without y), pressed by `weight`.
inline FrictionScene point(const Vector& v, double weight = 10.0, double h = 1e-3, int t = 2) {
    const int n = t + 1;
    FrictionScene s;
    s.M = Dense(n, n);
    for (int k = 0; k < n; ++k) s.M(k, k) = 1.0;
    s.N = Dense(1, n);
    s.N(0, t) = 1.0;
    s.D = Dense(t, n);
    for (int j = 0; j < t; ++j) s.D(j, j) = 1.0;
    s.rows.f = v;
    s.rows.f[t] -= h * weight;
    s.rows.mu = {0.4};
    s.contacts.h = h;
    s.contacts.velocity = v;
    return s;
}

using StepFactory = std::unique_ptr<FrictionStep> (*)(const FrictionSettings&,
                                                      std::shared_ptr<const System>,
                                                      const ContactRows&, const StepContacts&,
                                                      const ContactMemory&);

struct StepAnswer {
    StepImpulses impulses;
    Vector v;
    std::int64_t passes = 0;
    bool converged = false;
    Outcome outcome = Outcome::solved;  // the worst of all passes
};

// Solves all passes; `memory` then holds what the next step needs.
inline StepAnswer take_step(StepFactory make, const FrictionScene& scene, ContactMemory& memory,
                            const Settings& settings = step_solver()) {
    const auto step = make(scene.settings, scene.system(), scene.rows, scene.contacts, memory);
    const Shared problem = step->problem();
    Solver solver(problem, settings);
    Vector z(problem->rows());
    step->guess(z);
    StepAnswer answer;
    do {
        const Info info = solver.solve(z, {});
        ++answer.passes;
        if (info.outcome != Outcome::solved) answer.outcome = info.outcome;
    } while (step->next(z));
    EXPECT_EQ(step->problem(), problem);
    step->impulses(z, answer.impulses);
    step->remember(answer.impulses, memory);
    answer.converged = step->converged();
    Vector u(problem->rows());
    ProductWorkspace work = problem->make_workspace();
    problem->constraint_velocity(z, u, work);
    answer.v = work.velocity;
    for (const Vector* part : {&answer.v, &answer.impulses.N, &answer.impulses.D})
        for (const double x : *part) EXPECT_TRUE(std::isfinite(x));
    return answer;
}

}  // namespace perp::test
