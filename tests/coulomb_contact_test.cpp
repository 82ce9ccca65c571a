// One contact under the exact law: the law itself, checked on random contacts, and known answers.
#include "cones/coulomb_contact.hpp"

#include "cones/contact_cone.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

// How far z is from solving the contact, against its size.
template <int T>
double violation(double mu, const Dense& W, const std::vector<double>& q, const double* z) {
    const ContactShape shape{T, 0, 0};
    const ConeCoefficients c{mu, 0.0, 0.0};
    std::vector<double> u = q;
    for (int i = 0; i <= T; ++i)
        for (int j = 0; j <= T; ++j) u[i] += W(i, j) * z[j];
    u[0] += de_saxce_shift(shape, c, u.data());
    double product = 0.0, size = 1.0;
    for (int i = 0; i <= T; ++i) {
        product += u[i] * z[i];
        size = std::max({size, std::abs(z[i]), std::abs(u[i])});
    }
    std::vector<double> opposite(u.size());
    for (std::size_t i = 0; i < u.size(); ++i) opposite[i] = -u[i];
    return std::max({cone_violation(shape, c, z), polar_violation(shape, c, opposite.data()),
                     std::abs(product)}) /
           (size * size);
}

struct Counts {
    int open = 0, stuck = 0, sliding = 0;
};

template <int T>
Counts check_random(double most_mu, std::int64_t columns) {
    Random random(T + 10);
    Counts counts;
    for (int round = 0; round < 2000; ++round) {
        const Dense J(1 + T, columns, random.vector((1 + T) * columns));
        const Dense W = J * transposed(J);
        const std::vector<double> q = J * random.vector(columns);
        if (W(0, 0) < 1e-2) continue;
        const double mu = random.uniform(0.0, most_mu);
        double z[3] = {7.0, 7.0, 7.0};
        EXPECT_TRUE(CoulombContact<T>(W.a.data()).solve(mu, q.data(), 0.0, z));
        EXPECT_LE(violation<T>(mu, W, q, z), 1e-10) << round;
        for (const double guess : {1e-9, 1.0, 1e9}) {
            double again[3] = {7.0, 7.0, 7.0};
            CoulombContact<T>(W.a.data()).solve(mu, q.data(), guess, again);
            for (int j = 0; j <= T; ++j) EXPECT_NEAR(again[j], z[j], 1e-12 * (1.0 + z[0])) << guess;
        }
        double length = 0.0;
        for (int j = 1; j <= T; ++j) length = std::hypot(length, z[j]);
        ++(z[0] == 0.0                          ? counts.open
           : length < (1.0 - 1e-12) * mu * z[0] ? counts.stuck
                                                : counts.sliding);
    }
    return counts;
}

template <int T>
void expect_all_kinds(double most_mu, std::int64_t columns) {
    const Counts c = check_random<T>(most_mu, columns);
    EXPECT_GT(c.open, 100);
    EXPECT_GT(c.sliding, 100);
    EXPECT_GT(c.stuck, 30);
}

TEST(CoulombContact, ObeysTheLawInSpace) {
    expect_all_kinds<2>(1.0, 6);
    expect_all_kinds<2>(3.0, 3);
    check_random<2>(1.0, 2);  // singular
}

TEST(CoulombContact, ObeysTheLawInThePlane) {
    expect_all_kinds<1>(1.0, 6);
    expect_all_kinds<1>(1.0, 2);
}

TEST(CoulombContact, KnownAnswers) {
    double z[3];
    const double W[] = {2, 0, 0, 0, 1, 0, 0, 0, 1};
    const double open[] = {0.5, 3, 4};
    ASSERT_TRUE(CoulombContact<2>(W).solve(0.5, open, 0.0, z));
    EXPECT_EQ(z[0], 0.0);
    EXPECT_EQ(z[1], 0.0);
    EXPECT_EQ(z[2], 0.0);
    const double slides[] = {-4, 3, 4};  // pressed with 2, slides at 5 less 1, along (3, 4)
    ASSERT_TRUE(CoulombContact<2>(W).solve(0.5, slides, 0.0, z));
    EXPECT_NEAR(z[0], 2.0, 1e-15);
    EXPECT_NEAR(z[1], -0.6, 1e-15);
    EXPECT_NEAR(z[2], -0.8, 1e-15);
    const double sticks[] = {-4, 0.3, -0.4};
    ASSERT_TRUE(CoulombContact<2>(W).solve(0.5, sticks, 0.0, z));
    EXPECT_NEAR(z[0], 2.0, 1e-15);
    EXPECT_NEAR(z[1], -0.3, 1e-15);
    EXPECT_NEAR(z[2], 0.4, 1e-15);
    ASSERT_TRUE(CoulombContact<2>(W).solve(0.0, slides, 0.0, z));
    EXPECT_EQ(z[0], 2.0);
    EXPECT_EQ(z[1], 0.0);
    const double normal = 2.0, pressed = -1.0;
    ASSERT_TRUE(CoulombContact<0>(&normal).solve(0.5, &pressed, 0.0, z));
    EXPECT_EQ(z[0], 0.5);
    const double nothing[9] = {};
    EXPECT_FALSE(CoulombContact<2>(nothing).solve(0.5, slides, 0.0, z));
}

}  // namespace
}  // namespace perp::test
