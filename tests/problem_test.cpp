// Problems in their three forms: matrices, products, new vectors and values, degenerate input.
#include "problem/problem.hpp"

#include "problem/residual.hpp"
#include "problem/scaled_problem.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

using Vector = std::vector<double>;

struct Delassus {  // owns what a DelassusForm borrows
    Entries W, V, R;
    DelassusForm form;

    void lend() {
        form.W = W.view();
        form.V = V.view();
        form.R = R.view();
    }
};

Delassus random_delassus(const ContactShape& shape, std::uint64_t seed) {
    Random random(seed);
    const std::int64_t contacts = 3, p = contacts * shape.rows(), e = 2;
    Delassus d;
    const Dense J = random_rows(p, 8, random), V = random_rows(p, e, random);
    Dense R = random_rows(e, e, random);
    for (std::int64_t i = 0; i < e; ++i) R(i, i) = 5.0;
    d.W = Entries(J * transposed(J));
    d.V = Entries(V);
    d.R = Entries(R);
    d.form.shape = shape;
    d.form.q = random.vector(p);
    d.form.s = random.vector(e);
    d.form.mu = random.vector(contacts, 0.1, 1.0);
    d.form.rho = random.vector(contacts, 0.1, 1.0);
    d.form.sigma = random.vector(contacts, 0.1, 1.0);
    d.lend();
    return d;
}

Problem random_blcp(std::uint64_t seed, bool zero_row = false) {
    Random random(seed);
    Dense H = random_rows(7, 7, random);
    for (std::int64_t j = 0; zero_row && j < 7; ++j) H(2, j) = H(j, 2) = 0.0;
    return Problem::general_blcp(Entries(H).view(), random.vector(7), random.vector(7, -1, 0),
                                 random.vector(7, 0, 1));
}

Vector velocity(const Problem& problem, const Vector& z) {
    Vector u(problem.rows());
    ProductWorkspace work = problem.make_workspace();
    problem.constraint_velocity(z, u, work);
    return u;
}

// Every column of the formed matrix against products, its pattern, the diagonal.
void expect_formed(const Problem& problem, double tolerance) {
    const Csr w = problem.form_matrix();
    const Dense W = dense(w);
    ASSERT_EQ(w.rows, problem.rows());
    ASSERT_EQ(w.cols, problem.rows());
    for (const double x : w.value) EXPECT_NE(x, 0.0);
    for (std::int64_t j = 0; j < problem.rows(); ++j) {
        Vector e(problem.rows(), 0.0);
        e[j] = 1.0;
        const Vector u = velocity(problem, e);
        for (std::int64_t i = 0; i < problem.rows(); ++i)
            EXPECT_NEAR(W(i, j), u[i] - problem.free_velocity()[i], tolerance);
        EXPECT_NEAR(problem.diagonal()[j], W(j, j), tolerance);
    }
}

class FormedMatrix : public testing::TestWithParam<ContactShape> {};

TEST_P(FormedMatrix, EqualsProductsAndTheDenseDelassusMatrix) {
    for (const double compliance : {0.0, 0.3}) {
        const Step s = random_step(
            {.blocks = {3, 1, 6}, .shape = GetParam(), .bilateral = 2, .compliance = compliance});
        const Problem problem = problem_of(s);
        expect_formed(problem, 1e-12);
        const Dense W = dense(problem.form_matrix());
        EXPECT_LE(distance(W.a, s.delassus().a), 1e-12);
        EXPECT_LE(distance(problem.free_velocity(), s.free_velocity()), 1e-12);
        EXPECT_TRUE(same_bits(W.a, transposed(W).a)) << "symmetric to the bit";
    }
    expect_formed(Problem::delassus(random_delassus(GetParam(), 4).form), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Shapes, FormedMatrix, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

TEST(Problem, FormsAGeneralBlcpAndALongChain) {
    expect_formed(random_blcp(3, true), 1e-14);
    Step s = random_step({.blocks = {150}, .contacts = 3});
    for (std::int64_t i = 0; i < 150; ++i)
        for (std::int64_t j = 0; j < 150; ++j)
            s.M(i, j) = i == j ? 3.0 : std::abs(i - j) == 1 ? -1.0 : 0.0;
    expect_formed(problem_of(s), 1e-11);
    EXPECT_LE(distance(dense(problem_of(s).form_matrix()).a, s.delassus().a), 1e-11);
}

// M v+ = f + J' z, u = J v+ + E z + b.
TEST(Problem, VelocitiesSatisfyTheEquationOfMotion) {
    const Step s = random_step({.blocks = {6, 3}, .shape = {2, 1, 2}, .compliance = 0.1});
    const Problem problem = problem_of(s);
    Random random(2);
    const Vector z = random.vector(problem.rows());
    Vector u(problem.rows());
    ProductWorkspace work = problem.make_workspace();
    problem.constraint_velocity(z, u, work);
    Vector momentum = s.M * work.velocity;
    const Vector impulse = transposed(s.jacobian()) * z;
    for (std::size_t i = 0; i < momentum.size(); ++i) momentum[i] -= s.rows.f[i] + impulse[i];
    EXPECT_LE(largest(momentum), 1e-13);
    Vector expected = s.jacobian() * work.velocity;
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += s.compliance()[i] * z[i] + s.constant()[i];
    EXPECT_LE(distance(u, expected), 1e-13);
}

// ------------------------------------------------------------------ new vectors, new values

void expect_same(const Problem& a, const Problem& b) {
    EXPECT_TRUE(same_bits(a.form_matrix().value, b.form_matrix().value));
    EXPECT_TRUE(same_bits(a.free_velocity(), b.free_velocity()));
    EXPECT_TRUE(same_bits(a.diagonal(), b.diagonal()));
    EXPECT_TRUE(same_bits(a.weights().scalar, b.weights().scalar));
    EXPECT_TRUE(same_bits(a.weights().contact, b.weights().contact));
    EXPECT_TRUE(same_bits(a.weights().angular, b.weights().angular));
    EXPECT_TRUE(same_bits(a.set().mu, b.set().mu));
    EXPECT_TRUE(same_bits(a.set().lo, b.set().lo));
    EXPECT_TRUE(same_bits(a.set().hi, b.set().hi));
    EXPECT_EQ(a.free_norm(), b.free_norm());
    EXPECT_EQ(a.asymmetry(), b.asymmetry());
    Random random(5);
    const Vector z = random.vector(a.rows());
    ResidualWorkspace x = make_residual_workspace(a), y = make_residual_workspace(b);
    EXPECT_EQ(residual(a, z, x).eta, residual(b, z, y).eta);
}

TEST(Problem, NewRowsEqualAFreshProblemToTheBit) {
    for (const Law law : {Law::cone, Law::box}) {
        const Step s = random_step({.compliance = 0.1, .law = law});
        const Step other = random_step({.compliance = 0.2, .law = law, .seed = 9});
        const auto system = system_of(s);
        Problem changed = Problem::assemble(system, s.rows, law);
        const std::int64_t revision = changed.revision();
        changed.set_vectors(other.rows);
        EXPECT_GT(changed.revision(), revision);
        expect_same(changed, Problem::assemble(system, other.rows, law));
    }
}

TEST(Problem, NewVectorsAndValuesEqualAFreshProblemToTheBit) {
    Random random(6);
    Entries H(random_rows(7, 7, random));
    const Vector q = random.vector(7), lo = random.vector(7, -1, 0), hi = random.vector(7, 0, 1);
    Problem blcp = Problem::general_blcp(H.view(), random.vector(7), lo, Vector(7, 2.0));
    blcp.set_vectors(q, std::nullopt, hi);
    H.value = random.vector(49);
    blcp.update_matrix(H.value);
    expect_same(blcp, Problem::general_blcp(H.view(), q, lo, hi));

    Delassus d = random_delassus({2, 0, 2}, 7);
    Problem delassus = Problem::delassus(d.form);
    d.W.value = random_delassus({2, 0, 2}, 8).W.value;
    d.lend();
    delassus.update_matrix(d.W.value);
    expect_same(delassus, Problem::delassus(d.form));
}

TEST(Problem, AFailedChangeLeavesTheProblem) {
    Random random(6);
    Entries H(random_rows(4, 4, random));
    const Vector q = random.vector(4), lo(4, 0.0), hi(4, 1.0);
    Problem problem = Problem::general_blcp(H.view(), q, lo, hi);
    const Problem before = problem;
    const Vector bad{0, 0, not_a_number, 0}, above{0, 0, 0, 1.5};
    EXPECT_FAILS(Status::bad_value, "q[2] = nan", problem.set_vectors(bad, above, std::nullopt));
    EXPECT_FAILS(Status::bad_bounds, "lo[3] = 1.5 exceeds hi[3] = 1",
                 problem.set_vectors(std::nullopt, above, std::nullopt));
    EXPECT_FAILS(Status::bad_pattern, "H: 4 values", problem.update_matrix(bad));
    EXPECT_FAILS(Status::unsupported, "matrix form", problem.set_vectors(ContactRows{}));
    expect_same(problem, before);
    Problem assembled = problem_of(random_step({}));
    EXPECT_FAILS(Status::unsupported, "assembled",
                 assembled.set_vectors(q, std::nullopt, std::nullopt));
    EXPECT_FAILS(Status::unsupported, "assembled", assembled.update_matrix(q));
    Problem delassus = Problem::delassus(random_delassus({2, 0, 0}, 3).form);
    EXPECT_FAILS(Status::unsupported, "cones",
                 delassus.set_vectors(std::nullopt, lo, std::nullopt));
}

// ------------------------------------------------------------------ sizes and shapes

TEST(Problem, DelassusSizesMustFit) {
    const auto fails = [](Status status, const char* part, auto&& change) {
        Delassus d = random_delassus({2, 0, 0}, 3);
        change(d);
        d.lend();
        EXPECT_FAILS(status, part, Problem::delassus(d.form));
    };
    fails(Status::bad_size, "W: 9 x 8 is not square", [](Delassus& d) { d.W = Entries(9, 8); });
    fails(Status::bad_size, "not a multiple of 3", [](Delassus& d) {
        d.W = Entries(10, 10);
        d.V = Entries();
        d.R = Entries();
        d.form.s.clear();
        d.form.q.resize(10);
    });
    fails(Status::bad_size, "V has 8 rows", [](Delassus& d) { d.V = Entries(8, 2); });
    fails(Status::bad_size, "R: 3 x 3", [](Delassus& d) { d.R = Entries(3, 3); });
    fails(Status::bad_size, "q has 5", [](Delassus& d) { d.form.q.resize(5); });
    fails(Status::bad_size, "s has 1", [](Delassus& d) { d.form.s.resize(1); });
    fails(Status::bad_size, "mu has 2", [](Delassus& d) { d.form.mu.resize(2); });
    fails(Status::null_argument, "mu is missing", [](Delassus& d) { d.form.mu.clear(); });
    fails(Status::bad_value, "sigma[1] = -0.5 is negative",
          [](Delassus& d) { d.form.sigma[1] = -0.5; });
}

TEST(Problem, AnAbsentEqualityBlockIsZero) {
    Delassus d = random_delassus({2, 0, 0}, 3);
    d.R = Entries();
    d.form.s.clear();
    d.lend();
    const Problem problem = Problem::delassus(d.form);
    EXPECT_EQ(problem.rows(), 11);
    EXPECT_EQ(problem.diagonal()[9], 0.0);
    EXPECT_EQ(problem.free_velocity()[10], 0.0);
    expect_formed(problem, 1e-12);
}

TEST(Problem, AsymmetryIsRelativeToTheDiagonal) {
    Dense H(3, 3, {4, 1, 0, 1.5, 9, 0, 0, 0, 1});
    EXPECT_DOUBLE_EQ(Problem::general_blcp(Entries(H).view(), {0, 0, 0}, {}, {}).asymmetry(),
                     0.5 / 6.0);
    Dense W(3, 3, {4, 1, 0, 1.5, 9, 0, 0, 0, 1});
    const Entries w(W);
    DelassusForm form;
    form.W = w.view();
    form.q = {1, 1, 1};
    form.mu = {0.5};
    EXPECT_DOUBLE_EQ(Problem::delassus(form).asymmetry(), 0.5 / 6.0);
    EXPECT_EQ(problem_of(random_step({})).asymmetry(), 0.0);
}

// ------------------------------------------------------------------ degenerate data

TEST(Problem, WithoutFreeVelocityZeroSolvesIt) {
    for (const ContactShape& shape : all_shapes()) {
        Step s = random_step({.shape = shape});
        for (Vector* v : {&s.rows.f, &s.rows.u, &s.rows.b_N, &s.rows.b_T, &s.rows.b_S, &s.rows.b_B})
            std::fill(v->begin(), v->end(), 0.0);
        const Problem problem = problem_of(s);
        EXPECT_EQ(problem.free_norm(), 0.0);
        ResidualWorkspace work = make_residual_workspace(problem);
        EXPECT_EQ(residual(problem, Vector(problem.rows(), 0.0), work).eta, 0.0);
        EXPECT_EQ(residual(problem, Vector(problem.rows(), 1.0), work).eta, infinity);
    }
}

// Bounds may exclude 0: then r = 0 does not make 0 the answer, and eta must stay a number.
TEST(Problem, WithoutFreeVelocityBoundsMayStillMove) {
    const Entries H(Dense(2, 2, {3, 1, 1, 2}));
    const Problem problem = Problem::general_blcp(H.view(), {0, 0}, {1, -infinity}, {});
    ResidualWorkspace work = make_residual_workspace(problem);
    EXPECT_EQ(residual(problem, Vector{1.0, -0.5}, work).eta, 0.0);
    const double eta = residual(problem, Vector{1.0, -0.5 + 1e-9}, work).eta;
    EXPECT_GT(eta, 1e-11);
    EXPECT_LT(eta, 1e-7);
}

TEST(Problem, ZeroRowsKeepResidualsFinite) {
    Step s = random_step({.shape = {2, 1, 2}});
    for (std::int64_t j = 0; j < s.M.rows; ++j) {
        s.A(0, j) = s.N(1, j) = s.D(2, j) = s.D(3, j) = s.B(0, j) = 0.0;
        for (std::int64_t i = 3; i < 6; ++i) s.S(i, j) = 0.0;
    }
    const Problem problem = problem_of(s);
    EXPECT_EQ(problem.diagonal()[0], 0.0);
    ResidualWorkspace work = make_residual_workspace(problem);
    Random random(1);
    const Vector z = random.vector(problem.rows());
    const double eta = residual(problem, z, work).eta;
    EXPECT_TRUE(std::isfinite(eta));
    const ScaledProblem scaled(problem);
    Vector x(scaled.rows()), product(scaled.rows()), v(scaled.velocities());
    scaled.from_user(z, x);
    scaled.product(x, product, v);
    EXPECT_NEAR(scaled.eta(x, product), eta, 1e-12 * eta);
}

TEST(Problem, NotFinitePointsGiveNoFiniteEta) {
    const Problem problem = problem_of(random_step({}));
    ResidualWorkspace work = make_residual_workspace(problem);
    for (const double bad : {not_a_number, infinity, -infinity}) {
        for (std::int64_t i = 0; i < problem.rows(); ++i) {
            Vector z(problem.rows(), 0.1);
            z[i] = bad;
            EXPECT_FALSE(std::isfinite(residual(problem, z, work).eta)) << i;
        }
    }
}

}  // namespace
}  // namespace perp::test
