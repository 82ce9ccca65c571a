// Projection onto the cone of a contact: defining properties on a million points, with the
// degenerate classes of friction-models.md 2.5, and an independent implementation.
#include "cones/contact_cone.hpp"

#include <array>

#include "support.hpp"

namespace perp::test {
namespace {

constexpr int points_per_shape = 90000;
constexpr double tolerance = 1e-14;

using Point = std::array<double, 6>;

// A group of rows under one coefficient.
struct Group {
    int first, rows;
    double coefficient;
};

std::vector<Group> groups_of(const ContactShape& s, const ConeCoefficients& c) {
    std::vector<Group> groups;
    if (s.tangential > 0) groups.push_back({1, s.tangential, c.sliding});
    if (s.spin > 0) groups.push_back({1 + s.tangential, s.spin, c.spin});
    if (s.roll > 0) groups.push_back({1 + s.tangential + s.spin, s.roll, c.roll});
    return groups;
}

double length_of(const Group& g, const Point& x) {
    double square = 0.0;
    for (int j = 0; j < g.rows; ++j) square += x[g.first + j] * x[g.first + j];
    return std::sqrt(square);
}

double dot(const Point& x, const Point& y, int k) {
    double sum = 0.0;
    for (int j = 0; j < k; ++j) sum += x[j] * y[j];
    return sum;
}

// The active set grown along the kinks a / mu in decreasing order.
Point project_by_kinks(const ContactShape& s, const ConeCoefficients& c, Point x) {
    auto groups = groups_of(s, c);
    auto sorted = groups;
    std::erase_if(sorted, [](const Group& g) { return g.coefficient == 0.0; });
    std::sort(sorted.begin(), sorted.end(), [&](const Group& a, const Group& b) {
        return length_of(a, x) / a.coefficient > length_of(b, x) / b.coefficient;
    });
    double numerator = x[0], denominator = 1.0, y = x[0];
    for (const Group& g : sorted) {
        if (g.coefficient * y >= length_of(g, x)) break;
        numerator += g.coefficient * length_of(g, x);
        denominator += g.coefficient * g.coefficient;
        y = numerator / denominator;
    }
    y = std::max(y, 0.0);
    for (const Group& g : groups) {
        const double a = length_of(g, x), limit = g.coefficient * y;
        for (int j = 0; j < g.rows; ++j)
            if (a > limit) x[g.first + j] *= limit / a;
    }
    x[0] = y;
    return x;
}

struct Sample {
    ConeCoefficients c;
    Point x{};
};

double random_coefficient(Random& random) {
    constexpr double values[] = {0.0, 1e-6, 1e-3, 0.3, 1.0, 5.0};
    const std::int64_t i = random.below(8);
    return i < 6 ? values[i] : random.uniform(0.0, 5.0);
}

// Scales every group so that all kinks a / mu equal `kink`.
void align_kinks(const std::vector<Group>& groups, double kink, Point& x) {
    for (const Group& g : groups) {
        const double a = length_of(g, x);
        for (int j = 0; j < g.rows; ++j) x[g.first + j] *= a > 0.0 ? g.coefficient * kink / a : 0.0;
    }
}

Sample sample(const ContactShape& s, int i, Random& random) {
    Sample p;
    p.c = {random_coefficient(random), random_coefficient(random), random_coefficient(random)};
    const double size = std::pow(10.0, random.uniform(-6.0, 6.0));
    for (int j = 0; j < s.rows(); ++j) p.x[j] = size * random.uniform();
    const auto groups = groups_of(s, p.c);
    double polar = 0.0;
    for (const Group& g : groups) polar += g.coefficient * length_of(g, p.x);
    const std::int64_t some = groups.empty() ? 0 : random.below(std::int64_t(groups.size()));
    switch (i % 9) {
        case 0:  // one group vanishes
            for (int j = 0; !groups.empty() && j < groups[some].rows; ++j)
                p.x[groups[some].first + j] = 0.0;
            break;
        case 1:
            p.x[0] = 0.0;
            break;
        case 2:
            p.x[0] = -std::abs(p.x[0]);
            break;
        case 3:
            p.x[0] = -polar;
            break;  // on the boundary of the polar cone, up to rounding
        case 4:
            align_kinks(groups, size * random.uniform(0.1, 3.0), p.x);
            break;
        case 5:
            p.x[0] = 1e3 * size;
            break;  // deep inside unless a coefficient vanishes
        case 6:
            p.x[0] = -1e3 * size;
            break;  // deep in the polar cone
        default:
            break;
    }
    return p;
}

class Projection : public testing::TestWithParam<ContactShape> {
protected:
    Point project(const ConeCoefficients& c, Point x) const {
        project_contact(GetParam(), c, x.data());
        return x;
    }
    static double norm(const Point& x) { return std::sqrt(dot(x, x, 6)); }
    static Point minus(const Point& x, const Point& y) {
        Point d{};
        for (int j = 0; j < 6; ++j) d[j] = x[j] - y[j];
        return d;
    }
    // Largest violated inequality of the cone, of its polar cone; written out here.
    double outside(const ConeCoefficients& c, const Point& x) const {
        double worst = -x[0];
        for (const Group& g : groups_of(GetParam(), c))
            worst = std::max(worst, length_of(g, x) - g.coefficient * x[0]);
        return worst;
    }
    double outside_polar(const ConeCoefficients& c, const Point& x) const {
        double sum = x[0];
        for (const Group& g : groups_of(GetParam(), c)) sum += g.coefficient * length_of(g, x);
        return sum;
    }
};

// x = P x + (x - P x) with P x in K, x - P x in the polar cone, both orthogonal: by Moreau's
// theorem this identifies the projection onto K.
TEST_P(Projection, IsTheMoreauDecomposition) {
    Random random(41);
    double feasibility = 0.0, polarity = 0.0, orthogonality = 0.0, idempotence = 0.0, kinks = 0.0;
    for (int i = 0; i < points_per_shape; ++i) {
        const Sample s = sample(GetParam(), i, random);
        const Point y = project(s.c, s.x), d = minus(s.x, y);
        const double size = norm(s.x) + 1e-300;
        const double steep = 1.0 + std::max({s.c.sliding, s.c.spin, s.c.roll});
        feasibility = std::max(feasibility, outside(s.c, y) / size);
        polarity = std::max(polarity, outside_polar(s.c, d) / (size * steep));
        orthogonality = std::max(orthogonality, std::abs(dot(y, d, 6)) / (size * size));
        idempotence = std::max(idempotence, norm(minus(project(s.c, y), y)) / size);
        kinks = std::max(kinks, norm(minus(project_by_kinks(GetParam(), s.c, s.x), y)) / size);
    }
    EXPECT_LE(feasibility, tolerance);
    EXPECT_LE(polarity, tolerance);
    EXPECT_LE(orthogonality, tolerance);
    EXPECT_LE(idempotence, tolerance);
    EXPECT_LE(kinks, tolerance);
}

TEST_P(Projection, IsNotExpansiveAndHomogeneous) {
    Random random(43);
    for (int i = 0; i < points_per_shape / 3; ++i) {
        const Sample a = sample(GetParam(), i, random);
        Sample b = sample(GetParam(), static_cast<int>(random.below(9)), random);
        if (i % 2 == 0)  // a near neighbour
            for (int j = 0; j < GetParam().rows(); ++j)
                b.x[j] = a.x[j] * (1.0 + 1e-4 * random.uniform());
        const double before = norm(minus(a.x, b.x));
        const double after = norm(minus(project(a.c, a.x), project(a.c, b.x)));
        ASSERT_LE(after, before + tolerance * (norm(a.x) + norm(b.x)));
        Point doubled = a.x;
        for (double& x : doubled) x *= 1024.0;
        Point expected = project(a.c, a.x);
        for (double& x : expected) x *= 1024.0;
        ASSERT_EQ(project(a.c, doubled), expected);
    }
}

TEST_P(Projection, KeepsTheConeAndSendsThePolarConeToZero) {
    Random random(47);
    const ContactShape shape = GetParam();
    for (int i = 0; i < 20000; ++i) {
        const Sample s = sample(shape, 8, random);
        const auto groups = groups_of(shape, s.c);
        Point inside = s.x, polar = s.x;
        inside[0] = polar[0] = 0.0;
        for (const Group& g : groups) {
            inside[0] =
                std::max(inside[0], g.coefficient > 0.0 ? length_of(g, s.x) / g.coefficient : 0.0);
            polar[0] -= g.coefficient * length_of(g, s.x);
            for (int j = 0; g.coefficient == 0.0 && j < g.rows; ++j) inside[g.first + j] = 0.0;
        }
        inside[0] *= 1.5;
        polar[0] = polar[0] * (1.0 + 1e-12) - 1e-300;
        ASSERT_EQ(project(s.c, inside), inside);
        ASSERT_EQ(project(s.c, polar), Point{});
    }
    EXPECT_EQ(project({0.5, 0.1, 0.2}, Point{}), Point{});
}

TEST_P(Projection, TemplatesEqualTheRunTimeShape) {
    Random random(53);
    for (int i = 0; i < 1000; ++i) {
        const Sample s = sample(GetParam(), i, random);
        Point y = s.x;
        int calls = 0;
        with_shape(GetParam(), [&]<int T, int S, int R>() {
            ++calls;
            EXPECT_EQ((ContactShape{T, S, R}), GetParam());
            project_contact<T, S, R>(s.c, y.data());
        });
        EXPECT_EQ(calls, 1);
        EXPECT_EQ(project(s.c, s.x), y);
    }
}

TEST_P(Projection, ViolationsAndTheShiftAreTheCones) {
    Random random(59);
    for (int i = 0; i < 10000; ++i) {
        const Sample s = sample(GetParam(), i, random);
        const double size = norm(s.x) * 6.0;
        double violation = std::max(0.0, -s.x[0]), shift = 0.0;
        for (const Group& g : groups_of(GetParam(), s.c)) {
            violation =
                std::max(violation, length_of(g, s.x) - g.coefficient * std::max(s.x[0], 0.0));
            shift += g.coefficient * length_of(g, s.x);
        }
        ASSERT_NEAR(cone_violation(GetParam(), s.c, s.x.data()), violation, 1e-15 * size);
        ASSERT_NEAR(de_saxce_shift(GetParam(), s.c, s.x.data()), shift, 1e-15 * size);
        ASSERT_NEAR(polar_violation(GetParam(), s.c, s.x.data()), std::max(0.0, s.x[0] + shift),
                    1e-15 * size);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Projection, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

}  // namespace
}  // namespace perp::test
