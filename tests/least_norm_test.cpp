// Impulses of least energy norm: known answers, the same from every method, no solution shorter,
// units, order, bits, what is refused and what is not called least.
#include "problem/assembly.hpp"
#include "restated.hpp"
#include "scene_support.hpp"
#include "solver_support.hpp"

namespace perp::test {
namespace {

Settings least(Method method, double tolerance = 1e-8) {
    Settings s = accurate(method, tolerance);
    s.least_norm = true;
    return s;
}

Answer shortest(const Shared& problem, const Settings& settings, Vector z = {}) {
    Answer a = run(problem, settings, std::move(z));
    EXPECT_EQ(a.info.outcome, Outcome::solved) << name(settings.method) << " eta " << a.info.eta;
    EXPECT_LE(a.info.eta, settings.tolerance);
    EXPECT_EQ(a.info.eta, eta_of(*problem, a.z));
    EXPECT_TRUE(a.info.least_norm) << name(settings.method);
    return a;
}

Answer shortest(const Shared& problem, Method method = Method::automatic) {
    return shortest(problem, least(method));
}

double energy_product(const Problem& problem, const Vector& x, const Vector& y) {
    const Vector weight = row_weights(problem.set(), problem.weights());
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i] / weight[i];
    return sum;
}

// Largest difference against the largest impulse.
double relative_distance(const Vector& x, const Vector& y) {
    return distance(x, y) / std::max(largest(y), 1e-300);
}

// A plate on four legs at (+-a, +-b), its load off the middle.
TEST(LeastNorm, LegsOfATableShareTheLoadLinearly) {
    const double a = 0.5, b = 0.3, mass = 8.0, about_x = 0.7, about_y = 1.1, load = 3.0;
    const double at_x = 0.1, at_y = -0.05;
    Step s;
    s.shape = {0, 0, 0};
    s.M = Dense(3, 3, {mass, 0, 0, 0, about_x, 0, 0, 0, about_y});
    s.N = Dense(4, 3, {1, b, -a, 1, b, a, 1, -b, -a, 1, -b, a});
    const double x[] = {a, -a, a, -a}, y[] = {b, b, -b, -b};
    s.rows.f = {-load, -load * at_y, load * at_x};
    s.rows.b_N.assign(4, 0.0);
    for (const Method method : {Method::automatic, Method::pivoting, Method::ipm, Method::pgs}) {
        const Answer r = shortest(shared(problem_of(s)), method);
        for (int i = 0; i < 4; ++i)
            EXPECT_NEAR(r.z[i], load / 4 * (1.0 + x[i] * at_x / (a * a) + y[i] * at_y / (b * b)),
                        1e-6)
                << name(method) << i;
    }
}

class LeastNormOfShape : public testing::TestWithParam<ContactShape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, LeastNormOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

// Many contacts on few degrees of freedom, which open, slide or stick at the velocity v, with the
// impulses z: u is given, and b and f follow. Friction of the others is inside its limits. The last
// contact is the first one again.
Step crowded(const ContactShape& shape, std::uint64_t seed, double compliance = 0.0) {
    Step s = random_step({.blocks = {3, 3},
                          .shape = shape,
                          .bilateral = 1,
                          .contacts = 10,
                          .boxes = 2,
                          .compliance = compliance,
                          .seed = seed});
    Random random(seed + 100);
    const Layout at(s);
    for (Vector ContactRows::*v : {&ContactRows::mu, &ContactRows::rho, &ContactRows::sigma})
        (s.rows.*v)[at.r - 1] = (s.rows.*v)[0];
    Vector z(at.box(at.k)), u(z.size(), 0.0);
    for (std::int64_t i = 0; i < at.m; ++i) z[i] = random.uniform(-1.0, 1.0);
    for (std::int64_t i = 0; i < at.r; ++i) {
        const bool last = i == at.r - 1, open = i % 4 == 3, slides = i % 4 == 1 && !last;
        const double normal = open ? 0.0 : random.uniform(0.5, 2.0);
        z[at.normal(i)] = normal;
        u[at.normal(i)] = open ? 0.3 : 0.0;
        const auto group = [&](std::int64_t first, int rows, double coefficient) {
            const double angle = random.uniform(0.0, 6.0), speed = random.uniform(0.2, 1.0);
            const double direction[] = {rows == 1 ? 1.0 : std::cos(angle), std::sin(angle)};
            for (int j = 0; j < rows; ++j) {
                const double share = slides ? 1.0 : 0.6;
                z[first + j] = -share * coefficient * normal * direction[j];
                u[first + j] = slides ? speed * direction[j] : 0.0;
            }
            if (slides && rows > 0) u[at.normal(i)] += coefficient * speed;
        };
        group(at.sliding(i), shape.tangential, s.rows.mu[i]);
        group(at.angular(i), shape.spin, s.rows.sigma[i]);
        group(at.angular(i) + shape.spin, shape.roll, s.rows.rho[i]);
    }
    for (std::int64_t i = 0; i < at.k; ++i) z[at.box(i)] = i == 0 ? 0.0 : s.rows.hi_B[i];
    if (at.k > 1) u[at.box(1)] = -0.5;
    const Vector v = random.vector(s.M.rows), Jv = s.jacobian() * v, e = s.compliance();
    Vector b(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) b[i] = u[i] - Jv[i] - e[i] * z[i];
    ContactRows& rows = s.rows;
    for (std::int64_t i = 0; i < at.m; ++i) rows.u[i] = -b[i];
    rows.b_N.assign(b.begin() + at.normal(0), b.begin() + at.sliding(0));
    rows.b_T.assign(b.begin() + at.sliding(0), b.begin() + at.angular(0));
    rows.b_S.assign(b.begin() + at.angular(0), b.begin() + at.box(0));
    rows.b_B.assign(b.begin() + at.box(0), b.end());
    const Vector momentum = transposed(s.jacobian()) * z;
    rows.f = s.M * v;
    for (std::size_t i = 0; i < rows.f.size(); ++i) rows.f[i] -= momentum[i];
    return s;
}

TEST_P(LeastNormOfShape, IsTheSameFromEveryMethod) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Shared problem = shared(problem_of(crowded(GetParam(), seed)));
        const Answer a = shortest(problem, Method::ipm);
        for (const Method method :
             {Method::automatic, Method::apgd, Method::aapgs, Method::newton}) {
            const Answer other = shortest(problem, method);
            EXPECT_LE(relative_distance(other.z, a.z), 1e-5) << name(method) << seed;
            EXPECT_LE(distance(other.v, a.v), 1e-6) << name(method) << seed;
        }
    }
}

// z is the shortest of a convex set where <z, y - z> >= 0 for all y of it.
TEST_P(LeastNormOfShape, NoSolutionIsShorter) {
    Random random(4);
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Shared problem = shared(problem_of(crowded(GetParam(), seed)));
        const Answer a = shortest(problem);
        const double square = energy_product(*problem, a.z, a.z);
        double longest = 0.0;
        for (int round = 0; round < 6; ++round) {
            Settings s = accurate(Method::pgs, 1e-9);
            s.warm_start = true;
            const Answer y = run(problem, s, random.vector(problem->rows(), -2.0, 2.0));
            ASSERT_EQ(y.info.outcome, Outcome::solved);
            EXPECT_GE(energy_product(*problem, a.z, y.z), (1.0 - 1e-6) * square) << seed;
            longest = std::max(longest, energy_product(*problem, y.z, y.z));
        }
        EXPECT_GT(longest, (1.0 + 1e-3) * square) << "there was but one solution";
    }
}

TEST_P(LeastNormOfShape, CopiesTakeTheSame) {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const Step s = crowded(GetParam(), seed);
        const Layout at(s);
        const std::int64_t last = at.r - 1;
        const Vector z = shortest(shared(problem_of(s))).z;
        EXPECT_NEAR(z[at.normal(0)], z[at.normal(last)], 1e-6 * largest(z));
        for (std::int64_t j = 0; j < at.t; ++j)
            EXPECT_NEAR(z[at.sliding(0) + j], z[at.sliding(last) + j], 1e-6 * largest(z));
        for (std::int64_t j = 0; j < at.a; ++j)
            EXPECT_NEAR(z[at.angular(0) + j], z[at.angular(last) + j], 1e-6 * largest(z));
    }
}

TEST_P(LeastNormOfShape, OtherUnitsAndOrderGiveTheSame) {
    const Step given = crowded(GetParam(), 5);
    const Vector z = shortest(shared(problem_of(given))).z;
    for (const Stated& other :
         {other_mass_unit({given, z}, 1000.0), other_length_unit({given, z}, 100.0),
          other_time_unit({given, z}, 0.01), other_signs({given, z})}) {
        const Vector found = shortest(shared(problem_of(other.step))).z;
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(std::abs(found[i]), std::abs(other.z[i]), 1e-5 * largest(other.z)) << i;
    }
    const Stated permuted = other_order({given, z});
    EXPECT_LE(relative_distance(shortest(shared(problem_of(permuted.step))).z, permuted.z), 1e-5);
}

// With compliance everywhere there is one solution only.
TEST_P(LeastNormOfShape, CompliantRowsHaveOneSolution) {
    const Shared problem = shared(problem_of(crowded(GetParam(), 6, 0.1)));
    const Vector z = run(problem, accurate(Method::ipm, 1e-10)).z;
    EXPECT_LE(relative_distance(shortest(problem).z, z), 1e-6);
}

TEST_P(LeastNormOfShape, DelassusFormGivesTheSame) {
    Step s = crowded(GetParam(), 7);
    s.A = s.B = Dense();
    for (Vector ContactRows::*v :
         {&ContactRows::u, &ContactRows::b_B, &ContactRows::lo_B, &ContactRows::hi_B,
          &ContactRows::compliance_A, &ContactRows::compliance_B})
        (s.rows.*v).clear();
    const Layout at(s);
    const std::int64_t k = s.shape.rows();
    const auto place = [&](std::int64_t contact, std::int64_t j) {
        return j == 0      ? at.normal(contact)
               : j <= at.t ? at.sliding(contact) + j - 1
                           : at.angular(contact) + j - 1 - at.t;
    };
    const Dense S = s.delassus();
    const Vector r = s.free_velocity();
    Dense W(S.rows, S.rows);
    DelassusForm form;
    for (std::int64_t i = 0; i < S.rows; ++i) {
        form.q.push_back(r[place(i / k, i % k)]);
        for (std::int64_t j = 0; j < S.rows; ++j)
            W(i, j) = S(place(i / k, i % k), place(j / k, j % k));
    }
    const Entries entries(W);
    form.W = entries.view();
    form.shape = s.shape;
    form.mu = s.rows.mu;
    form.rho = s.rows.rho;
    form.sigma = s.rows.sigma;
    const Vector z = shortest(shared(problem_of(s))).z;
    const Vector found = shortest(shared(Problem::delassus(form))).z;
    for (std::int64_t i = 0; i < S.rows; ++i)
        EXPECT_NEAR(found[i], z[place(i / k, i % k)], 1e-5 * largest(z)) << i;
}

// The exact law: the impulses that this method and that one find, and no shorter ones.
TEST_P(LeastNormOfShape, OfTheExactLaw) {
    for (const std::uint64_t seed : {1, 2}) {
        Problem made = problem_of(crowded(GetParam(), seed));
        made.set_law(Law::coulomb);
        const Shared problem = shared(std::move(made));
        const Answer a = shortest(problem, Method::automatic);
        const Answer plain = run(problem, accurate(Method::automatic));
        EXPECT_EQ(plain.info.outcome, Outcome::solved);
        if (distance(a.v, plain.v) > 1e-6) continue;  // another solution of the law
        EXPECT_LE(energy_product(*problem, a.z, a.z),
                  (1.0 + 1e-6) * energy_product(*problem, plain.z, plain.z));
        const Answer other = shortest(problem, Method::ipm);
        if (distance(a.v, other.v) <= 1e-7) {
            EXPECT_LE(relative_distance(other.z, a.z), 1e-4) << seed;
        }
    }
}

TEST(LeastNorm, BoundsAndAnyMatrix) {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
        const Shared problem = random_bounds(random, round % 2 == 0);
        const Vector z = shortest(problem, Method::pivoting).z;
        for (const Method method : {Method::ipm, Method::keller, Method::accurate})
            EXPECT_LE(relative_distance(shortest(problem, method).z, z), 1e-5)
                << name(method) << round;
    }
}

TEST(LeastNorm, ScenesWithRedundantContacts) {
    for (const scenes::Scene& scene :
         {scenes::wall(4, 4), small_pile(0.0), small_pile(0.05), scenes::chain(20)}) {
        SCOPED_TRACE(scene.title);
        const Shared problem = shared(SceneProblem(scene).problem());
        const Answer a = shortest(problem, least(Method::automatic, 1e-10));
        const Answer plain = run(problem, accurate(Method::ipm, 1e-12));
        EXPECT_LE(distance(a.v, plain.v), 1e-6);
        EXPECT_LE(energy_product(*problem, a.z, a.z),
                  (1.0 + 1e-6) * energy_product(*problem, plain.z, plain.z));
    }
}

TEST(LeastNorm, SameBitsAndAnyStart) {
    const auto problem = std::make_shared<Problem>(problem_of(crowded({2, 1, 2}, 8)));
    Settings s = least(Method::automatic);
    Solver solver(problem, s);
    Vector first(problem->rows()), again(problem->rows());
    solver.solve(first, {});
    solver.solve(again, {});
    EXPECT_TRUE(same_bits(first, again));
    s.warm_start = true;
    Random random(2);
    const Vector guess = random.vector(problem->rows());
    EXPECT_LE(relative_distance(shortest(problem, s, guess).z, first), 1e-5);
    EXPECT_LE(relative_distance(shortest(problem, s, first).z, first), 1e-5);

    // The solver follows the problem.
    ContactRows rows = problem->assembled()->rows;
    for (double& f : rows.f) f *= 1.5;
    problem->set_vectors(rows);
    solver.solve(again, {});
    const Vector z = shortest(problem).z;
    EXPECT_TRUE(same_bits(again, z));
}

TEST(LeastNorm, IsNotClaimedOtherwise) {
    const Shared problem = shared(problem_of(crowded({2, 0, 0}, 9)));
    EXPECT_FALSE(run(problem, accurate(Method::ipm)).info.least_norm);
    Settings s = least(Method::pgs);
    s.max_iterations = 1;
    const Answer a = run(problem, s);
    EXPECT_EQ(a.info.outcome, Outcome::iteration_limit);
    EXPECT_FALSE(a.info.least_norm);
    EXPECT_FALSE(run(shared(problem_of(squeezed({2, 0, 0}))), least(Method::ipm)).info.least_norm);
}

TEST(LeastNorm, NothingToDo) {
    Step empty = crowded({2, 0, 0}, 1);
    empty.A = empty.N = empty.D = empty.S = empty.B = Dense();
    empty.rows = {};
    empty.rows.f.assign(empty.M.rows, 1.0);
    EXPECT_EQ(run(shared(problem_of(empty)), least(Method::automatic)).info.outcome,
              Outcome::solved);
    Step open = crowded({2, 0, 0}, 1);
    open.A = open.B = Dense();
    open.rows.u = open.rows.lo_B = open.rows.hi_B = open.rows.b_B = {};
    open.rows.compliance_A = open.rows.compliance_B = {};
    open.rows.b_N.assign(open.N.rows, 100.0);
    EXPECT_EQ(shortest(shared(problem_of(open))).z, Vector(open.N.rows * 3, 0.0));
}

TEST(LeastNorm, RefusesWhatHasNoConvexSolutions) {
    Step s = random_step({.blocks = {6, 6}, .law = Law::box});
    s.rows.lo_T.clear();
    s.rows.hi_T.clear();
    s.rows.mu.assign(s.rows.mu.size(), 0.2);
    EXPECT_FAILS(Status::unsupported, "tied",
                 Solver(shared(problem_of(s)), least(Method::automatic)));
    const Dense H(2, 2, {1.0, 0.5, -0.5, 1.0});
    EXPECT_FAILS(Status::unsupported, "symmetric",
                 Solver(blcp(H, {-1.0, -1.0}, {0.0, 0.0}, {9.0, 9.0}), least(Method::pgs)));
}

}  // namespace
}  // namespace perp::test
