// The scaled problem is the caller's in another order and other units, however large.
#include "problem/scaled_problem.hpp"

#include "lattice.hpp"

namespace perp::test {
namespace {

struct Layout {
    const char* name;
    LatticeOptions options;
};

const Layout layouts[] = {
    {"small", {.width = 3, .height = 3}},
    {"rigid_bodies", {.width = 9, .height = 10}},
    {"rolling", {.width = 9, .height = 10, .rolling = true}},
    {"points", {.width = 9, .height = 10, .freedoms = 3}},
    {"four_freedoms", {.width = 9, .height = 10, .freedoms = 4}},
    {"seven_freedoms", {.width = 9, .height = 10, .freedoms = 7}},
    {"compliant", {.width = 9, .height = 10, .compliance = 0.3}},
    {"box", {.width = 9, .height = 10, .law = Law::box}},
    {"jointed", {.width = 9, .height = 10, .joints = 8}},
    {"jointed_box", {.width = 9, .height = 10, .law = Law::box, .joints = 8}},
    {"inertia", {.width = 9, .height = 10, .inertia = true}},
    {"asymmetric", {.width = 9, .height = 10, .inertia = true, .asymmetry = 1e-3}},
    {"asymmetric_box",
     {.width = 9, .height = 10, .law = Law::box, .inertia = true, .asymmetry = 1e-3}},
    {"flexible", {.width = 4, .height = 10, .freedoms = 3, .flexible = true}},
    {"tower", {.width = 2, .height = 300}},
    {"apart", {.width = 16, .height = 12, .apart = true}},
    {"points_apart", {.width = 16, .height = 12, .freedoms = 3, .apart = true}},
};

class Scaled : public testing::TestWithParam<Layout> {};
INSTANTIATE_TEST_SUITE_P(Layouts, Scaled, testing::ValuesIn(layouts),
                         [](const auto& x) { return x.param.name; });

// Impulses there and back, eta, and the velocities of every row.
TEST_P(Scaled, IsTheCallersProblem) {
    const Shared problem = lattice(GetParam().options);
    Random random(3);
    const Vector z = random.vector(problem->rows(), -0.2, 0.5);
    Vector u(problem->rows());
    ProductWorkspace user_work = problem->make_workspace();
    problem->constraint_velocity(z, u, user_work);
    for (const bool eliminate : {false, true}) {
        const ScaledProblem scaled(*problem, eliminate);
        Vector x(scaled.rows()), product(scaled.rows()), v(scaled.velocities()), back(z.size());
        for (const BlockRows* rows : {&scaled.contact_rows(), &scaled.scalar_rows()})
            for (const std::int32_t first : rows->first)
                ASSERT_LE(first + rows->tile, scaled.velocities());
        scaled.from_user(z, x);
        scaled.to_user(x, back);
        EXPECT_LE(distance(back, z), 1e-14);
        scaled.product(x, product, v);
        EXPECT_NEAR(scaled.eta(x, product), eta_of(*problem, z), 1e-11 * eta_of(*problem, z));
        // z' u is the same in both: row by row, as e z / e and e u.
        for (std::int64_t i = 0; i < scaled.rows(); ++i)
            product[i] = x[i] * (product[i] + scaled.free_velocity()[i]);
        Vector power(z.size());
        Vector ones(z.size(), 1.0), scale(z.size());
        scaled.from_user(ones, scale);  // 1 / e
        for (std::int64_t i = 0; i < scaled.rows(); ++i) product[i] *= scale[i];
        scaled.to_user(product, power);
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(power[i], z[i] * u[i], 1e-11 * (1.0 + std::abs(z[i] * u[i]))) << i;
    }
}

TEST_P(Scaled, IsSolvedByEveryMethod) {
    const Shared problem = lattice(GetParam().options);
    for (const Method method : iterating) {
        Settings s = with_method(method, 1e-2);
        const Answer a = run(problem, s);
        EXPECT_EQ(a.info.outcome, Outcome::solved) << name(method) << " " << a.info.eta;
        EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
    }
}

}  // namespace
}  // namespace perp::test
