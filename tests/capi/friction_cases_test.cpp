// One point mass on a plane: direction of friction (O7) and the lift-off of the relaxed cone (O8).
#include <cmath>

#include "support.hpp"

using namespace perp_test;

namespace {

constexpr double g = 9.81;
constexpr double pi = 3.14159265358979323846;

// Rows: normal z, sliding x and y (turned by `angle`).
System point_mass(double m, double angle = 0.0) {
    const double c = std::cos(angle), s = std::sin(angle);
    return system({Matrix::diagonal({m, m, m}),
                   {},
                   Matrix(1, 3, {0, 0, 1}),
                   Matrix(2, 3, {c, s, 0, -s, c, 0}),
                   {},
                   {}});
}

class Friction : public testing::TestWithParam<int64_t> {
protected:
    Answer solved(const Problem& problem) const {
        perp_settings s = settings(GetParam(), 1e-14);
        s.max_iterations = 1000000;
        const Answer a = solve(problem, s);
        EXPECT_EQ(a.info.outcome, PERP_SOLVED) << a.info.eta << " after " << a.info.iterations;
        return a;
    }
};

INSTANTIATE_TEST_SUITE_P(Methods, Friction, testing::ValuesIn(methods), method_name);

// ------------------------------------------------------------------ O7: direction of friction

constexpr double mu = 0.5;
constexpr double h = 1e-3;
constexpr double full = mu * g * h;  // the impulse of full friction

struct Impulse {
    double size, turned;  // N s; angle from the direction opposite to the velocity
};

Impulse against(double x, double y, double theta) {
    const double opposite_x = -std::cos(theta), opposite_y = -std::sin(theta);
    return {std::hypot(x, y),
            std::atan2(opposite_x * y - opposite_y * x, opposite_x * x + opposite_y * y)};
}

TEST_P(Friction, OfTheConeOpposesTheVelocityInEveryDirection) {
    for (int degrees = 0; degrees < 360; degrees += 15) {
        const double theta = degrees * pi / 180;
        const Vector f{std::cos(theta), std::sin(theta), -g * h}, mus{mu};
        const Vector gap{mu * (1.0 - full)};  // the lift of the relaxation, so that z_N = m g h
        perp_rows step = rows();
        step.f = f.data();
        step.mu = mus.data();
        step.b_N = gap.data();
        const Answer a = solved(cone(point_mass(1), step));
        EXPECT_NEAR(a.z[0], g * h, 1e-13);
        const Impulse friction = against(a.z[1], a.z[2], theta);
        EXPECT_NEAR(friction.size, full, 1e-13) << degrees;
        EXPECT_NEAR(friction.turned, 0.0, 1e-10) << degrees;
    }
}

TEST_P(Friction, OfABoxFixedToTheAxesIsTurnedAndTooLarge) {
    const Vector lo(2, -full), hi(2, full);
    for (int degrees = 0; degrees < 360; degrees += 15) {
        const double theta = degrees * pi / 180;
        const Vector f{std::cos(theta), std::sin(theta), -g * h};
        perp_rows step = rows();
        step.f = f.data();
        step.lo_T = lo.data();
        step.hi_T = hi.data();
        const Answer a = solved(box(point_mass(1), step));
        EXPECT_NEAR(a.z[0], g * h, 1e-13);
        const Impulse fixed = against(a.z[1], a.z[2], theta);
        if (degrees % 90 == 0) {
            EXPECT_NEAR(fixed.size, full, 1e-13);
            EXPECT_NEAR(fixed.turned, 0.0, 1e-10);
        } else {
            EXPECT_NEAR(fixed.size, std::sqrt(2.0) * full, 1e-13);
            EXPECT_NEAR(fixed.turned, (45 - degrees % 90) * pi / 180, 1e-10);
        }
        // The box whose first axis is the direction of slip.
        const Answer aligned = solved(box(point_mass(1, theta), step));
        expect_near(aligned.z, {g * h, -full, 0}, 1e-13);
    }
}

// ------------------------------------------------------------------ O8: lift-off of the cone

TEST_P(Friction, OfTheRelaxedConeLiftsASlidingBody) {
    const Vector f{6, 0, -g * h}, mus{mu};
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mus.data();
    const Problem problem = cone(point_mass(1), step);
    const Answer a = solved(problem);
    EXPECT_NEAR(a.z[0], 2.407848, 5e-7);
    EXPECT_NEAR(a.u[0], 2.398038, 5e-7);
    EXPECT_NEAR(a.z[0], (g * h + mu * 6) / (1 + mu * mu), 1e-11);
    EXPECT_NEAR(a.v[0], (6 - mu * g * h) / (1 + mu * mu), 1e-11);
    EXPECT_NEAR(a.u[0], mu * a.v[0], 1e-11);
    // By the exact law this is no solution; the exact solution is none of the relaxed law.
    EXPECT_GT(residual_of(problem, a.z).eta_coulomb, 0.1);
    const Vector exact{g * h, -full, 0};
    EXPECT_LE(residual_of(problem, exact).eta_coulomb, 1e-15);
    EXPECT_GT(residual_of(problem, exact).eta, 0.1);
}

struct Flight {
    double height = 0.0, distance = 0.0, time = 0.0;
};

// Steps until the body rests; positions move with the velocities after the step.
Flight slide(double speed, double step_size, double gap, int64_t method) {
    const System system = point_mass(1);
    Vector v{speed, 0, 0}, f(3), b(1), z(3);
    const Vector mus{mu};
    perp_rows step = rows();
    step.f = f.data();
    step.b_N = b.data();
    step.mu = mus.data();
    b[0] = gap / step_size;
    f = {speed, 0, -g * step_size};
    const Problem problem = cone(system, step);
    perp_settings s = settings(method, 1e-12);
    s.warm_start = 1;
    const Solver solver = perp_test::solver(problem, s);
    Flight flight;
    flight.height = gap;
    while (v[0] > 1e-9 && flight.time < 3.0) {
        f = {v[0], v[1], v[2] - g * step_size};
        b[0] = gap / step_size;
        EXPECT_EQ(perp_problem_set_rows(problem.get(), nullptr, &step), PERP_OK);
        auto info = sized<perp_info>();
        EXPECT_EQ(perp_solve(solver.get(), z.data(), nullptr, &info), PERP_OK);
        EXPECT_EQ(info.outcome, PERP_SOLVED);
        EXPECT_EQ(perp_constraint_velocity(problem.get(), z.data(), nullptr, v.data()), PERP_OK);
        gap += step_size * v[2];
        flight.height = std::max(flight.height, gap);
        flight.distance += step_size * v[0];
        flight.time += step_size;
    }
    return flight;
}

TEST(LiftOff, IsNoErrorOfTheStepSize) {
    const Flight coarse = slide(6, 1e-2, 0, PERP_APGD);
    const Flight usual = slide(6, 1e-3, 0, PERP_APGD);
    const Flight fine = slide(6, 1e-4, 0, PERP_APGD);
    EXPECT_NEAR(coarse.height, 0.3008, 5e-5);
    EXPECT_NEAR(usual.height, 0.2943, 5e-5);
    EXPECT_NEAR(fine.height, 0.2936, 5e-5);
    EXPECT_NEAR(usual.distance, 3.667, 6e-4);
    EXPECT_NEAR(usual.time, 1.224, 1.1e-3);
}

// The hop after the first step, u_N^2 / 2 g.
TEST_P(Friction, LiftsLessAtLowSpeed) {
    for (const auto& [speed, height] : {std::pair{1.0, 8e-3}, {0.1, 7e-5}}) {
        const Vector f{speed, 0, -g * h}, mus{mu};
        perp_rows step = rows();
        step.f = f.data();
        step.mu = mus.data();
        const double rise = solved(cone(point_mass(1), step)).v[2];
        EXPECT_NEAR(rise * rise / (2 * g), height, 0.06 * height);
    }
}

TEST(LiftOff, IsAvoidedByTheSteadyGap) {
    for (const int64_t method : methods) {
        const Flight flight = slide(6, 1e-3, 1e-3 * mu * 6, method);
        EXPECT_NEAR(flight.height, 3.0e-3, 5e-5);
        EXPECT_NEAR(flight.distance, 3.668, 6e-4);
        EXPECT_NEAR(flight.time, 1.224, 1.1e-3);
    }
}

}  // namespace
