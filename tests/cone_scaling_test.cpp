// Nesterov-Todd scalings in frames: W, its square and its transpose say the same, points that are
// reached by scaled directions are those of the impulses, frames keep products.
#include "solvers/cone_scaling.hpp"

#include "solver_support.hpp"

namespace perp::test {
namespace {

using namespace second_order;

struct Scaled {
    Problem problem;
    MixedForm form;
    ConeScaling scaling;
    Vector z;  // the caller's rows, scaled

    explicit Scaled(const ContactShape& shape)
        : problem(problem_of(random_step({.shape = shape, .contacts = 6, .boxes = 3}))),
          form(problem, cone_scale(problem)),
          scaling(problem.set(), form),
          z(form.p) {
        scaling.start(form, 2.0, 0.5, z);
    }
    // z of an impulse in the frames.
    [[nodiscard]] Vector from_frames(Vector dz) const {
        Vector out(dz.size());
        for (std::int64_t i = 0; i < scaling.contacts(); ++i)
            scaling.from_frame(i, dz.data() + i * scaling.contact_rows());
        for (std::size_t k = 0; k < dz.size(); ++k) out[scaling.order()[k]] = dz[k];
        return out;
    }
    [[nodiscard]] std::vector<Point> scale(const Vector& dz) const {
        std::vector<Point> out(scaling.most(), Point{});
        scaling.scale(dz, out);
        return out;
    }
    // A share of the longest step along random impulses and multipliers.
    void walk(Random& random, double share) {
        const Vector dz = random.vector(form.p);
        ScaledDirection d{scale(dz), std::vector<Point>(scaling.most(), Point{})};
        double most = 1.0;
        for (std::int64_t q = 0; q < scaling.count(); ++q) {
            d.s[q][0] = random.uniform();
            for (int j = 1; j < scaling.cones()[q].dimension; ++j) d.s[q][j] = random.uniform();
            for (const Point& r : scaling.rates(q, d.x[q], d.s[q]))
                most = std::max(most, length(r) - r[0]);
        }
        const Vector change = from_frames(dz);  // before the frames turn
        scaling.advance(d, share / most);
        for (std::size_t i = 0; i < z.size(); ++i) z[i] += share / most * change[i];
    }
    // x of a cone at z.
    [[nodiscard]] Point slack(const ConeScaling::Cone& c) const {
        const std::int32_t* const row = scaling.order().data() + c.row;
        return {c.factor * z[row[0]] + c.offset, c.dimension > 1 ? z[row[c.tangent]] : 0.0,
                c.dimension > 2 ? z[row[c.tangent + 1]] : 0.0};
    }
};

class ScalingOfShape : public testing::TestWithParam<ContactShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, ScalingOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

// <W G dz, t> = <dz, G'W t>,  |W G dz|^2 = dz'(G'W^2 G) dz.
TEST_P(ScalingOfShape, ProductsAgree) {
    Scaled s(GetParam());
    Random random(3);
    for (int round = 0; round < 8; ++round) {
        const Vector dz = random.vector(s.form.p);
        const std::vector<Point> scaled = s.scale(dz);
        std::vector<Point> t(s.scaling.most(), Point{});
        double left = 0.0, square = 0.0, quadratic = 0.0, right = 0.0;
        for (std::int64_t q = 0; q < s.scaling.count(); ++q) {
            const ConeScaling::Cone& c = s.scaling.cones()[q];
            for (int j = 0; j < c.dimension; ++j) t[q][j] = random.uniform();
            left += dot(scaled[q], t[q]);
            square += dot(scaled[q], scaled[q]);
            const ConeScaling::Block b = s.scaling.block(q);
            const double n = dz[c.row];
            quadratic += b.nn * n * n;
            if (c.dimension > 1) {
                const double y = dz[c.row + c.tangent];
                quadratic += b.yy * y * y + 2.0 * b.ny * n * y;
            }
            if (c.dimension > 2) {
                const double across = dz[c.row + c.tangent + 1];
                quadratic += b.aa * across * across;
            }
        }
        Vector g(s.form.p);
        s.scaling.add_velocities(t, g);
        for (std::size_t k = 0; k < g.size(); ++k) right += g[k] * dz[k];
        EXPECT_NEAR(left, right, 1e-11 * std::sqrt(square));
        EXPECT_NEAR(quadratic, square, 1e-11 * square);
        s.walk(random, 0.8);
    }
}

// <velocity, impulse> is the same in a frame.
TEST_P(ScalingOfShape, FramesKeepPowers) {
    Scaled s(GetParam());
    Random random(4);
    s.walk(random, 0.9);
    const int k = s.scaling.contact_rows();
    for (std::int64_t i = 0; i < s.scaling.contacts(); ++i) {
        const Vector velocity = random.vector(k), impulse = random.vector(k);
        Vector v = velocity, z = impulse;
        s.scaling.to_frame(i, v.data(), 1);
        s.scaling.from_frame(i, z.data());
        double in_frame = 0.0, given = 0.0;
        for (int j = 0; j < k; ++j) in_frame += v[j] * impulse[j];
        for (int j = 0; j < k; ++j) given += velocity[j] * z[j];
        EXPECT_NEAR(in_frame, given, 1e-13);
    }
}

// det x = det lambda / beta^2, and z says so as well, as long as it has the digits.
TEST_P(ScalingOfShape, SlacksFollowTheImpulses) {
    Scaled s(GetParam());
    Random random(5);
    for (int round = 0; round < 6; ++round) {
        s.walk(random, 0.7);
        const std::vector<Point> before = s.scaling.lambda();
        s.scaling.recall(s.z);
        for (std::int64_t q = 0; q < s.scaling.count(); ++q) {
            const Point& l = s.scaling.lambda()[q];
            for (int j = 0; j < 3; ++j) EXPECT_NEAR(l[j], before[q][j], 1e-9 * before[q][0]);
            const Point x = s.slack(s.scaling.cones()[q]);
            EXPECT_GT(x[0], length(x));
            const ConeScaling::Block b = s.scaling.block(q);
            const ConeScaling::Cone& c = s.scaling.cones()[q];
            if (c.dimension == 2) continue;  // whose block does not tell beta
            const double square = c.dimension == 3 ? b.aa : b.nn / (c.factor * c.factor);
            EXPECT_NEAR(determinant(l) / square, determinant(x), 1e-8 * x[0] * x[0]);
        }
    }
}

}  // namespace
}  // namespace perp::test
