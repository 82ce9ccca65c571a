// Scenes of the benchmarks as problems of the internals.
#pragma once

#include "scene.hpp"
#include "support.hpp"

namespace perp::test {

struct SceneProblem {
    std::shared_ptr<const System> system;
    ContactRows rows;

    explicit SceneProblem(const scenes::Scene& scene) {
        const auto lent = [](const scenes::Triplets& t) {
            return Triplets{t.rows,       t.cols,       static_cast<std::int64_t>(t.row.size()),
                            t.row.data(), t.col.data(), t.value.data(),
                            /*base=*/0};
        };
        SystemTriplets t;
        t.M = lent(scene.M);
        t.A = lent(scene.A);
        t.N = lent(scene.N);
        t.D = lent(scene.D);
        t.S = lent(scene.S);
        t.B = lent(scene.B);
        system = std::make_shared<System>(t);
        rows.f = scene.f;
        rows.u = scene.u;
        rows.b_N = scene.b_N;
        rows.b_B = scene.b_B;
        rows.b_T.assign(scene.D.rows, 0.0);
        rows.b_S.assign(scene.S.rows, 0.0);
        rows.compliance_N = scene.compliance_N;
        rows.compliance_T = scene.compliance_T;
        rows.compliance_S = scene.compliance_S;
        rows.mu = scene.mu;
        rows.rho = scene.rho;
        rows.sigma = scene.sigma;
        rows.lo_B = scene.lo_B;
        rows.hi_B = scene.hi_B;
    }
    [[nodiscard]] Problem problem() const { return Problem::assemble(system, rows, Law::cone); }
};

inline scenes::Scene small_pile(double rolling, std::int64_t spheres = 40) {
    scenes::PileOptions o;
    o.spheres = spheres;
    o.rolling = rolling;
    o.steps = 60;
    return scenes::pile(o);
}

}  // namespace perp::test
