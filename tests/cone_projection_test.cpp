// The projection onto scaled cones and bounds, and its generalized Jacobian in frames: what points
// made to be projected say, what finite differences say, and the words the linear system gets.
#include "solvers/cone_projection.hpp"

#include "solver_support.hpp"

namespace perp::test {
namespace {

constexpr int bound_kinds = 5;
constexpr std::int64_t contacts = 8;

// Free, two one-sided intervals, a box, a fixed row.
void set_bounds(ContactRows& rows, double by) {
    rows.lo_B = {-infinity, -0.6 + by, -infinity, -0.4 + by, 0.3 + by};
    rows.hi_B = {infinity, infinity, 0.7 + by, 0.9 + by, 0.3 + by};
}

Step step_of(const ContactShape& shape) {
    Step s = random_step({.shape = shape, .contacts = contacts, .boxes = bound_kinds});
    set_bounds(s.rows, 0.0);
    s.rows.mu[1] = s.rows.rho[2] = s.rows.sigma[3] = 0.0;
    s.rows.mu[4] = s.rows.rho[4] = s.rows.sigma[4] = 0.0;
    return s;
}

struct Group {
    int first, rows;
    double coefficient;  // of the scaled rows
    [[nodiscard]] double length(const Vector& x) const {
        double square = 0.0;
        for (int j = first; j < first + rows; ++j) square += x[j] * x[j];
        return std::sqrt(square);
    }
};

// A point of one contact and its projection, known from how it was made.
struct Known {
    Vector x, y;
    std::vector<bool> clipped;  // per group
};

struct Projected {
    Step step;
    Problem problem;
    MixedForm form;
    ConeProjection projection;
    Random random{7};
    int k;

    explicit Projected(const ContactShape& shape)
        : step(step_of(shape)),
          problem(problem_of(step)),
          form(problem, cone_scale(problem)),
          projection(problem.set(), form),
          k(shape.rows()) {}

    [[nodiscard]] std::vector<Group> groups(std::int64_t contact) const {
        const ContactShape& shape = problem.set().shape;
        const ConeCoefficients c = problem.set().coefficients(contact);
        std::vector<Group> out;
        int first = 1;
        for (const auto& [rows, mu] :
             {std::pair{shape.tangential, c.sliding}, {shape.spin, c.spin}, {shape.roll, c.roll}}) {
            const std::int32_t* const row = projection.order().data() + contact * k;
            if (rows > 0)
                out.push_back({first, rows, mu * form.scale[row[0]] / form.scale[row[first]]});
            first += rows;
        }
        return out;
    }
    [[nodiscard]] std::size_t regions() const { return (std::size_t{1} << groups(0).size()) + 1; }

    // Region 0: the polar cone; region s + 1: the groups in s are clipped.
    Known known(std::int64_t contact, std::size_t region) {
        Known out{Vector(k), Vector(k), {}};
        const bool polar = region == 0;
        const double y = polar ? 0.0 : random.uniform(0.5, 1.5);
        out.x[0] = out.y[0] = y;
        if (polar) out.x[0] = -random.uniform(0.1, 1.0);
        const std::vector<Group> all = groups(contact);
        for (std::size_t q = 0; q < all.size(); ++q) {
            const Group& g = all[q];
            const bool clip = polar || g.coefficient == 0.0 || ((region - 1) >> q & 1) != 0;
            const double limit = g.coefficient * y;
            const double length =
                clip ? limit + random.uniform(0.2, 2.0) : random.uniform(0.1, 0.9) * limit;
            const double angle = random.uniform(0.0, 6.28);
            const double sign = random.below(2) == 0 ? 1.0 : -1.0;
            out.x[g.first] = length * (g.rows == 2 ? std::cos(angle) : sign);
            if (g.rows == 2) out.x[g.first + 1] = length * std::sin(angle);
            for (int j = g.first; j < g.first + g.rows; ++j)
                out.y[j] = out.x[j] * (clip ? limit / length : 1.0);
            if (clip) out.x[0] -= g.coefficient * (length - limit);
            out.clipped.push_back(clip);
        }
        return out;
    }

    // All contacts, each in a region of its own; intervals at random, away from their bounds.
    struct Point {
        Vector x, y;
        std::vector<Known> contact;
    };
    Point point(std::size_t round) {
        Point p{Vector(form.p), Vector(form.p), {}};
        for (std::int64_t i = 0; i < contacts; ++i) {
            p.contact.push_back(known(i, (i + round) % regions()));
            for (int j = 0; j < k; ++j) {
                const std::int32_t row = projection.order()[i * k + j];
                p.x[row] = p.contact.back().x[j];
                p.y[row] = p.contact.back().y[j];
            }
        }
        for (std::int64_t s = contacts * k; s < form.p; ++s) {
            const std::int32_t row = projection.order()[s];
            do {
                p.x[row] = random.uniform(-2.0, 2.0);
            } while (std::abs(p.x[row] - form.lo[row]) < 0.01 ||
                     std::abs(p.x[row] - form.hi[row]) < 0.01);
            p.y[row] = std::max(form.lo[row], std::min(form.hi[row], p.x[row]));
        }
        return p;
    }

    // From the frames' order to the caller's rows and back, through all frames.
    [[nodiscard]] Vector from_frames(Vector in) const {
        Vector out(in.size());
        projection.impulses_from_frames(in);
        for (std::size_t j = 0; j < in.size(); ++j) out[projection.order()[j]] = in[j];
        return out;
    }
    [[nodiscard]] Vector to_frames(const Vector& in) const {
        Vector out(in.size());
        for (std::size_t j = 0; j < in.size(); ++j) out[j] = in[projection.order()[j]];
        projection.velocities_to_frames(out);
        return out;
    }
    // V of unit vectors, in the caller's rows.
    [[nodiscard]] Dense jacobian() const {
        Dense V(form.p, form.p);
        for (std::int64_t j = 0; j < form.p; ++j) {
            Vector e(form.p);
            e[j] = 1.0;
            Vector x = to_frames(e);
            for (std::int64_t l = 0; l < form.p; ++l) x[l] *= projection.eigenvalues()[l];
            x = from_frames(x);
            for (std::int64_t i = 0; i < form.p; ++i) V(i, j) = x[i];
        }
        return V;
    }
};

class ProjectionOfShape : public testing::TestWithParam<ContactShape> {
protected:
    Projected s{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Shapes, ProjectionOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

TEST_P(ProjectionOfShape, IsThatOfTheScaledRows) {
    const ContactShape shape = GetParam();
    for (std::size_t round = 0; round < 2 * s.regions(); ++round) {
        const Projected::Point p = s.point(round);
        Vector y(s.form.p), user(s.form.p);
        s.projection.project(p.x, y);
        EXPECT_LE(distance(y, p.y), 1e-14);
        Vector twice = y;
        s.projection.project(twice, twice);  // in place
        EXPECT_LE(distance(twice, y), 1e-15);
        s.form.to_user(y, user);
        for (std::int64_t i = 0; i < contacts; ++i) {
            std::array<double, 6> at{}, z{};
            ConeCoefficients scaled;
            std::copy(p.contact[i].x.begin(), p.contact[i].x.end(), at.begin());
            for (const Group& g : s.groups(i))
                (g.first == 1 && shape.tangential > 0 ? scaled.sliding
                 : g.rows == shape.spin && g.first == 1 + shape.tangential && shape.spin > 0
                     ? scaled.spin
                     : scaled.roll) = g.coefficient;
            project_contact(shape, scaled, at.data());
            for (int j = 0; j < s.k; ++j) {
                const std::int32_t row = s.projection.order()[i * s.k + j];
                EXPECT_EQ(y[row], at[j]) << i;
                z[j] = user[row];
            }
            // The caller's cone, whose coefficients have no scale.
            EXPECT_LE(cone_violation(shape, s.problem.set().coefficients(i), z.data()), 1e-15);
        }
    }
}

TEST_P(ProjectionOfShape, FramesAreOrthonormal) {
    Random random(5);
    for (std::size_t round = 0; round < s.regions(); ++round) {
        s.projection.linearize(s.point(round).x);
        for (std::int64_t i = 0; i < contacts; ++i) {
            Dense Q(s.k, s.k), back(s.k, s.k);
            for (int j = 0; j < s.k; ++j) {
                Vector e(s.k), f(s.k);
                e[j] = f[j] = 1.0;
                s.projection.from_frame(i, e.data());
                s.projection.to_frame(i, f.data(), 1);
                for (int l = 0; l < s.k; ++l) {
                    Q(l, j) = e[l];
                    back(l, j) = f[l];
                }
            }
            EXPECT_LE(distance(transposed(Q).a, back.a), 1e-15);
            Dense square = back * Q;
            for (int j = 0; j < s.k; ++j) square(j, j) -= 1.0;
            EXPECT_LE(largest(square.a), 1e-14);
            // A stride, as in the columns of a matrix.
            const Vector x = random.vector(s.k);
            Vector apart(3 * s.k), beside = x;
            for (int j = 0; j < s.k; ++j) apart[3 * j] = x[j];
            s.projection.to_frame(i, apart.data(), 3);
            s.projection.to_frame(i, beside.data(), 1);
            for (int j = 0; j < 3 * s.k; ++j) EXPECT_EQ(apart[j], j % 3 == 0 ? beside[j / 3] : 0.0);
        }
    }
}

TEST_P(ProjectionOfShape, JacobianIsThatOfFiniteDifferences) {
    constexpr double h = 1e-5;
    for (std::size_t round = 0; round < s.regions(); ++round) {
        const Projected::Point p = s.point(round);
        s.projection.linearize(p.x);
        for (const double x : s.projection.eigenvalues()) {
            EXPECT_GE(x, 0.0);
            EXPECT_LE(x, 1.0);
        }
        const Dense V = s.jacobian();
        EXPECT_LE(distance(V.a, transposed(V).a), 1e-14);
        for (std::int64_t j = 0; j < s.form.p; ++j) {
            Vector more = p.x, less = p.x;
            more[j] += h;
            less[j] -= h;
            s.projection.project(more, more);
            s.projection.project(less, less);
            for (std::int64_t i = 0; i < s.form.p; ++i)
                EXPECT_NEAR(V(i, j), (more[i] - less[i]) / (2.0 * h), 1e-8) << i << ' ' << j;
        }
    }
}

// As many directions of a contact move as its region leaves, with the eigenvalues of the formula.
TEST_P(ProjectionOfShape, EigenvaluesFollowFromTheRegion) {
    for (std::size_t round = 0; round < s.regions(); ++round) {
        const Projected::Point p = s.point(round);
        s.projection.linearize(p.x);
        for (std::int64_t i = 0; i < contacts; ++i) {
            const Known& c = p.contact[i];
            const std::vector<Group> all = s.groups(i);
            Vector expected{c.y[0] > 0.0 ? 1.0 : 0.0};
            for (std::size_t q = 0; q < all.size(); ++q) {
                const Group& g = all[q];
                if (g.rows > 0) expected.push_back(c.clipped[q] ? 0.0 : 1.0);
                if (g.rows == 2)
                    expected.push_back(c.clipped[q] ? g.coefficient * c.y[0] / g.length(c.x) : 1.0);
            }
            const auto found = s.projection.eigenvalues().subspan(i * s.k, s.k);
            EXPECT_LE(distance(Vector(found.begin(), found.end()), expected), 1e-14) << i;
        }
    }
}

TEST_P(ProjectionOfShape, TermsAndActiveRowsSayTheSame) {
    const Vector delta = s.random.vector(s.form.p, 1e-6, 1.0);
    s.projection.weigh(delta);
    for (std::size_t round = 0; round < s.regions(); ++round) {
        s.projection.linearize(s.point(round).x);
        std::vector<ConeFrames::Term> terms(3);  // what is there is not kept
        s.projection.terms(terms);
        std::vector<std::uint8_t> active(s.form.p, 2);
        s.projection.active(active);
        std::size_t next = 0;
        for (std::int64_t j = 0; j < s.form.p; ++j) {
            const double x = s.projection.eigenvalues()[j];
            ASSERT_EQ(active[j], x > 0.0 ? 1 : 0);
            if (x == 0.0) continue;
            ASSERT_LT(next, terms.size());
            EXPECT_EQ(terms[next].row, j);
            EXPECT_EQ(terms[next].beside, 0);
            EXPECT_EQ(terms[next++].value, delta[j] / x);
        }
        EXPECT_EQ(next, terms.size());
    }
}

TEST_P(ProjectionOfShape, TakesOtherBounds) {
    ContactRows rows = s.step.rows;
    set_bounds(rows, 0.25);
    s.problem.set_vectors(rows);
    s.form.take_vectors(s.problem);
    const Projected::Point p = s.point(1);
    Vector before(s.form.p), after(s.form.p);
    s.projection.project(p.x, before);
    s.projection.take_bounds(s.form);
    s.projection.project(p.x, after);
    EXPECT_GT(distance(before, p.y), 1e-3);  // the fixed row at least
    EXPECT_LE(distance(after, p.y), 1e-14);
}

// Next to the polar cone the eigenvalue across is as small as rounding: it counts as none.
TEST(Projection, ContactsThatHardlyTouchDoNotSlideAcross) {
    Projected s({2, 0, 0});
    const double mu = s.groups(0)[0].coefficient;
    for (const double y : {1e-3, 1e-14}) {
        Vector x(s.form.p);
        const std::int32_t* const row = s.projection.order().data();
        x[row[0]] = y - mu * (1.0 - mu * y);
        x[row[1]] = 0.6;
        x[row[2]] = 0.8;
        Vector projected(s.form.p);
        s.projection.project(x, projected);
        ASSERT_GT(projected[row[0]], 0.0);
        s.projection.linearize(x);
        EXPECT_EQ(s.projection.eigenvalues()[0], 1.0);
        EXPECT_EQ(s.projection.eigenvalues()[2] > 0.0, y > 1e-10);
    }
}

// Friction so small that 1 + mu^2 = 1 still slides in its own direction.
TEST(Projection, TinyCoefficientsHaveFrames) {
    Step step = step_of({2, 0, 0});
    step.rows.mu[0] = 1e-9;
    const Problem problem = problem_of(step);
    const MixedForm form(problem, cone_scale(problem));
    ConeProjection projection(problem.set(), form);
    const std::int32_t* const row = projection.order().data();
    const double mu = 1e-9 * form.scale[row[0]] / form.scale[row[1]];
    Vector x(form.p);
    x[row[0]] = 1.0;
    x[row[1]] = 0.6 * 2.0 * mu;
    x[row[2]] = 0.8 * 2.0 * mu;
    projection.linearize(x);
    EXPECT_NEAR(projection.eigenvalues()[2], 0.5, 1e-12);
    Vector across{0.0, 0.0, 1.0};
    projection.from_frame(0, across.data());
    EXPECT_LE(distance(across, {0.0, -0.8, 0.6}), 1e-8);
}

}  // namespace
}  // namespace perp::test
