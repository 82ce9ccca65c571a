// Eta says the same about the same point, whatever the units, the order and the scale of rows.
#include "problem/residual.hpp"
#include "problem/scaled_problem.hpp"
#include "restated.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

void scale_row(Dense& J, std::int64_t i, double c, double& constant, double& compliance,
               double& z) {
    for (std::int64_t k = 0; k < J.cols; ++k) J(i, k) *= c;
    constant *= c;
    compliance *= c * c;
    z /= c;
}

// Admissible factors: one for the normal and sliding rows of a contact, one for its angular rows,
// one per bilateral and box row. rho and sigma follow, mu stays.
Stated other_rows(const Stated& given) {
    Stated s = given;
    Step& step = s.step;
    ContactRows& rows = step.rows;
    const Layout at(step);
    Random random(77);
    const auto factor = [&] { return std::exp(random.uniform(-3.0, 3.0)); };
    for (std::int64_t i = 0; i < at.m; ++i)
        scale_row(step.A, i, factor(), rows.u[i], rows.compliance_A[i], s.z[i]);
    for (std::int64_t i = 0; i < at.r; ++i) {
        const double c = factor(), d = factor();
        scale_row(step.N, i, c, rows.b_N[i], rows.compliance_N[i], s.z[at.normal(i)]);
        for (std::int64_t l = i * at.t; l < (i + 1) * at.t; ++l)
            scale_row(step.D, l, c, rows.b_T[l], rows.compliance_T[l], s.z[at.sliding(0) + l]);
        for (std::int64_t l = i * at.a; l < (i + 1) * at.a; ++l)
            scale_row(step.S, l, d, rows.b_S[l], rows.compliance_S[l], s.z[at.angular(0) + l]);
        rows.rho[i] *= c / d;
        rows.sigma[i] *= c / d;
    }
    for (std::int64_t i = 0; i < at.k; ++i) {
        const double c = factor();
        scale_row(step.B, i, c, rows.b_B[i], rows.compliance_B[i], s.z[at.box(i)]);
        rows.lo_B[i] /= c;
        rows.hi_B[i] /= c;
    }
    return s;
}

Residual residual_of(const Stated& s) {
    const Problem problem = problem_of(s.step);
    ResidualWorkspace work = make_residual_workspace(problem);
    return residual(problem, s.z, work);
}

double scaled_eta(const Stated& s) {
    const ScaledProblem scaled(problem_of(s.step));
    Vector x(scaled.rows()), product(scaled.rows()), v(scaled.velocities());
    scaled.from_user(s.z, x);
    scaled.product(x, product, v);
    return scaled.eta(x, product);
}

class EtaOfShape : public testing::TestWithParam<ContactShape> {};

TEST_P(EtaOfShape, IsInvariant) {
    for (const double compliance : {0.0, 0.1}) {
        Stated given{random_step({.blocks = {3, 6, 3},
                                  .shape = GetParam(),
                                  .bilateral = 2,
                                  .contacts = 5,
                                  .boxes = 2,
                                  .compliance = compliance}),
                     {}};
        Random random(3);
        given.z = random.vector(problem_of(given.step).rows(), -0.5, 1.0);
        const Residual expected = residual_of(given);
        ASSERT_GT(expected.eta, 0.01);
        const std::pair<const char*, Stated> restated[] = {
            {"kg to g", other_mass_unit(given, 1e3)},
            {"very light", other_mass_unit(given, 1e-9)},
            {"m to mm", other_length_unit(given, 1e3)},
            {"m to light years", other_length_unit(given, 1.057e-16)},
            {"mm and tonnes", other_length_unit(other_mass_unit(given, 1e-3), 1e3)},
            {"order", other_order(given)},
            {"row scaling", other_rows(given)},
        };
        for (const auto& [what, s] : restated) {
            const Residual r = residual_of(s);
            EXPECT_NEAR(r.eta, expected.eta, 1e-12 * expected.eta) << what;
            EXPECT_NEAR(r.eta_coulomb, expected.eta_coulomb, 1e-12 * expected.eta_coulomb) << what;
            for (int k = 0; k < row_kinds; ++k)
                EXPECT_NEAR(r.part[k], expected.part[k], 1e-12 * expected.eta) << what;
            EXPECT_NEAR(scaled_eta(s), expected.eta, 1e-12 * expected.eta) << what;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, EtaOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

// General BLCP: congruence by a positive diagonal.
TEST(EtaOfBlcp, IsInvariantUnderDiagonalCongruence) {
    Random random(4);
    const std::int64_t p = 8;
    Dense H = random_rows(p, p, random);
    for (std::int64_t i = 0; i < p; ++i) H(i, i) = 1.0 + std::abs(H(i, i));
    Vector q = random.vector(p), lo = random.vector(p, -1, 0), hi = random.vector(p, 0, 1),
           z = random.vector(p, -2, 2);
    const auto eta = [&] {
        const Problem problem = Problem::general_blcp(Entries(H).view(), q, lo, hi);
        ResidualWorkspace work = make_residual_workspace(problem);
        return residual(problem, z, work).eta;
    };
    const double expected = eta();
    for (std::int64_t i = 0; i < p; ++i) {
        const double c = std::exp(random.uniform(-5.0, 5.0));
        for (std::int64_t j = 0; j < p; ++j) {
            H(i, j) *= c;
            H(j, i) *= c;
        }
        q[i] *= c;
        for (Vector* v : {&lo, &hi, &z}) (*v)[i] /= c;
    }
    EXPECT_NEAR(eta(), expected, 1e-12 * expected);
}

}  // namespace
}  // namespace perp::test
