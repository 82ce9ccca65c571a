// perp.hpp: ownership, sizes, errors, callbacks.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "perp/perp.hpp"

namespace {

// Two stacked masses 1 and r, no friction: O1 of the users' cases.
perp::System stack(double r) {
    perp::Matrices m;
    m.M = perp::Triplets(2, 2);
    m.M.add(0, 0, 1);
    m.M.add(1, 1, r);
    m.N = perp::Triplets(2, 2);
    m.N.add(0, 0, 1);
    m.N.add(1, 0, -1);
    m.N.add(1, 1, 1);
    return perp::System(m);
}
const double hg = 9.81e-3;

struct Stack {
    explicit Stack(double ratio) : r(ratio), f{-hg, -hg * ratio} { rows.f = f; }
    double r;
    std::vector<double> f;
    perp::Rows rows;
    perp::Problem problem() { return perp::Problem::cone(stack(r), rows); }
};

template <class Call>
std::pair<int, std::string> failure(Call&& call) {
    try {
        call();
    } catch (const perp::Error& error) {
        return {error.status(), error.what()};
    }
    return {0, ""};
}

TEST(Wrapper, StepsUnderAFrictionModel) {
    perp::Matrices m;
    m.M = perp::Triplets(2, 2);
    m.M.add(0, 0, 2);
    m.M.add(1, 1, 2);
    m.N = m.D = perp::Triplets(1, 2);
    m.N.add(0, 1, 1);
    m.D.add(0, 0, 1);
    const perp::System system(m);
    const std::vector<double> f{2.0, -2 * hg}, velocity{1, 0}, mu{0.5}, two{1, 1};
    const std::vector<std::int64_t> id{17}, ids{1, 2};
    perp::Rows rows;
    rows.f = f;
    rows.mu = mu;
    perp::Contacts contacts;
    contacts.h = 1e-3;
    contacts.velocity = velocity;
    contacts.id = &id;
    perp::FrictionDef def;
    def.model = PERP_FRICTION_BRISTLE;
    perp::Friction friction(def);
    const perp::StepResult result = friction.step(system, rows, contacts);
    EXPECT_EQ(result.info.outcome, PERP_SOLVED);
    EXPECT_EQ(result.info.method, PERP_PIVOTING);
    EXPECT_NEAR(result.velocity[0], 1 - 0.5 * hg, 1e-12);
    EXPECT_EQ(result.state, std::vector<std::int8_t>{PERP_SLIP});
    const perp::FrictionState state = friction.state();
    EXPECT_EQ(state.id, id);
    EXPECT_NEAR(state.record[0], 2 * hg / contacts.h, 1e-9);

    perp::Settings settings;
    settings.method = PERP_PGS;
    settings.tolerance = 1e-12;
    perp::Friction other(def);
    other.set_state(state);
    EXPECT_EQ(other.step(system, rows, contacts, settings).info.remembered, 1);
    perp::Contacts wrong = contacts;
    wrong.id = &ids;
    EXPECT_EQ(failure([&] { (void)friction.step(system, rows, wrong); }).first, PERP_BAD_SIZE);
    wrong = contacts;
    wrong.stiffness = two;
    EXPECT_EQ(failure([&] { (void)friction.step(system, rows, wrong); }).first, PERP_BAD_SIZE);
    EXPECT_EQ(failure([&] { other.set_state({{1}, {2.0}}); }).first, PERP_BAD_SIZE);
    def.model = 9;
    EXPECT_EQ(failure([&] { perp::Friction bad(def); }).first, PERP_BAD_SETTING);
}

TEST(Wrapper, TiesBounds) {
    perp::Triplets H(2, 2);
    H.add(0, 0, 1);
    H.add(1, 1, 1);
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> q{-1, 3}, lo{0, -inf}, mu{0.5}, two{0.5, 0.5};
    perp::Problem problem = perp::Problem::blcp(H, q, lo);
    EXPECT_EQ(failure([&] { problem.set_ties({1}, {0, 0}, mu); }).first, PERP_BAD_SIZE);
    EXPECT_EQ(failure([&] { problem.set_ties({1}, {0}, two); }).first, PERP_BAD_SIZE);
    EXPECT_EQ(failure([&] { problem.set_ties({2}, {0}, mu); }).first, PERP_BAD_INDEX);
    problem.set_ties({1}, {0}, mu);
    EXPECT_EQ(problem.info().tied, 1);
    const std::vector<double> z{1, -0.5};
    EXPECT_LE(problem.residual(z).eta, 1e-15);
    problem.set_ties({}, {}, {});
    EXPECT_EQ(problem.info().tied, 0);
    EXPECT_EQ(failure([&] { problem.set_law(PERP_LAW_COULOMB); }).first, PERP_UNSUPPORTED);
}

TEST(Wrapper, HandlesMoveAndDoNotCopy) {
    static_assert(!std::is_copy_constructible_v<perp::System> &&
                  std::is_nothrow_move_constructible_v<perp::System>);
    static_assert(!std::is_copy_constructible_v<perp::Problem> &&
                  std::is_nothrow_move_constructible_v<perp::Problem>);
    static_assert(!std::is_copy_constructible_v<perp::Solver> &&
                  std::is_nothrow_move_constructible_v<perp::Solver>);
    static_assert(!std::is_copy_assignable_v<perp::Solver> &&
                  std::is_nothrow_move_assignable_v<perp::Solver>);
    static_assert(!std::is_assignable_v<perp::View&, std::vector<double>>);
    static_assert(std::is_assignable_v<perp::View&, const std::vector<double>&>);
    perp::Problem a = Stack(2).problem();
    perp::Problem b = std::move(a);
    EXPECT_EQ(b.rows(), 2);
    EXPECT_EQ(failure([&] { (void)a.rows(); }).first, PERP_NULL_ARGUMENT);
    a = std::move(b);
    EXPECT_EQ(a.rows(), 2);
    perp::Solver s(a);
    perp::Solver t = std::move(s);
    std::vector<double> z;
    EXPECT_EQ(failure([&] { (void)s.solve(z); }).first, PERP_NULL_ARGUMENT);
    EXPECT_EQ(t.solve(z).outcome, PERP_SOLVED);
}

TEST(Wrapper, SolvesAndOutlives) {
    std::vector<double> z, u;
    perp::Settings settings;
    settings.tolerance = 1e-10;
    auto solver = [&] {
        Stack s(2);
        const perp::Problem p = s.problem();
        return perp::Solver(p, settings);
    }();
    const perp_info info = solver.solve(z, u);
    EXPECT_EQ(info.outcome, PERP_SOLVED);
    ASSERT_EQ(z.size(), 2u);
    EXPECT_NEAR(z[0], 3 * hg, 1e-9);
    EXPECT_NEAR(z[1], 2 * hg, 1e-9);
    EXPECT_NEAR(u[0], 0, 1e-9);
    perp::Problem p = Stack(2).problem();
    EXPECT_EQ(p.residual(z).eta, info.eta);
    EXPECT_NEAR(p.velocity(z)[1], 0, 1e-9);
    EXPECT_EQ(p.constraint_velocity(z), u);
    const perp::Triplets w = p.matrix();
    ASSERT_EQ(w.count(), 4u);
    EXPECT_EQ(w.values(), (std::vector<double>{1, -1, -1, 1.5}));
}

TEST(Wrapper, ChecksSizes) {
    Stack s(2);
    s.f.push_back(1);
    s.rows.f = s.f;
    EXPECT_EQ(failure([&] { s.problem(); }),
              std::pair(int{PERP_BAD_SIZE}, std::string("f has 3 entries, expected 2")));
    s.f.pop_back();
    s.rows.f = s.f;
    const std::vector<double> none, one{0}, three{0, 0, 0};
    s.rows.b_N = none;
    EXPECT_EQ(failure([&] { s.problem(); }).second, "b_N has 0 entries, expected 2");
    s.rows.b_N = perp::View();
    s.rows.f = perp::View(nullptr, 2);
    EXPECT_EQ(failure([&] { s.problem(); }).first, PERP_NULL_ARGUMENT);
    s.rows.f = perp::View();
    EXPECT_EQ(failure([&] { s.problem(); }).first, PERP_NULL_ARGUMENT);
    s.rows.f = s.f;
    perp::Problem p = s.problem();
    EXPECT_EQ(failure([&] { (void)p.residual(one); }).second, "z has 1 entries, expected 2");
    s.rows.mu = three;
    EXPECT_EQ(failure([&] { p.set_rows(s.rows); }).second, "mu has 3 entries, expected 2");
    perp::Solver solver(p);
    std::vector<double> z(3, 7.0);
    EXPECT_EQ(failure([&] { (void)solver.solve(z); }).second, "z has 3 entries, expected 2");
    EXPECT_EQ(z, std::vector<double>(3, 7.0));
    double array[2];
    EXPECT_EQ(failure([&] { (void)solver.solve(array, 1); }).first, PERP_BAD_SIZE);
    EXPECT_EQ(solver.solve(array, 2).outcome, PERP_SOLVED);
    EXPECT_EQ(failure([&] { solver.certificate(); }).first, PERP_UNSUPPORTED);
}

// The weight on the lower body grows with the mass of the upper one.
TEST(Wrapper, NewMatrices) {
    Stack light(2.0);
    perp::Problem p = light.problem();
    perp::Solver solver(p);
    std::vector<double> z;
    EXPECT_EQ(solver.solve(z).outcome, PERP_SOLVED);
    Stack heavy(5.0);
    p.set_rows(stack(5.0), heavy.rows);
    solver.set("tolerance", 1e-10);
    EXPECT_EQ(solver.solve(z).outcome, PERP_SOLVED);
    EXPECT_NEAR(z[0], 6 * hg, 1e-9);
    EXPECT_NEAR(z[1], 5 * hg, 1e-9);
    perp::Matrices one;
    one.M = perp::Triplets(1, 1);
    one.M.add(0, 0, 1);
    one.N = one.M;
    const std::vector<double> f{1};
    heavy.rows.f = f;
    EXPECT_EQ(
        failure([&] { p.set_rows(perp::System(one), heavy.rows); }),
        std::pair(int{PERP_BAD_SIZE}, std::string("system: 1 velocities, but the problem has 2")));
}

TEST(Wrapper, Blcp) {
    perp::Triplets H(3, 3);
    const double values[] = {22, -5, 18, -5, 6, -11, 18, -11, 25};
    for (int i = 0; i < 9; ++i) H.add(i / 3, i % 3, values[i]);
    const std::vector<double> q{-1, 3, -5}, zero(3, 0.0), q2{-2, 6, -10};
    perp::Problem p = perp::Problem::blcp(H, q, zero);
    perp::Settings settings;
    settings.method = PERP_PGS;
    perp::Solver solver(p, settings);
    solver.set("tolerance", 1e-13);
    solver.set("max_iterations", 5000);
    solver.set("symmetric_sweep", true);
    solver.set("sweep_order", "bfs");
    EXPECT_EQ(failure([&] { solver.set("tolerance", "x"); }).first, PERP_BAD_SETTING);
    EXPECT_EQ(failure([&] { solver.set("speed", 3); }).first, PERP_BAD_SETTING);
    std::vector<double> z;
    EXPECT_EQ(solver.solve(z).outcome, PERP_SOLVED);
    EXPECT_NEAR(z[2], 0.2, 1e-12);
    p.set_vectors(q2);
    EXPECT_EQ(solver.solve(z).outcome, PERP_SOLVED);
    EXPECT_NEAR(z[2], 0.4, 1e-12);
    p.update(H.values());
    EXPECT_EQ(failure([&] { p.update(zero); }).first, PERP_BAD_PATTERN);
    EXPECT_EQ(failure([&] { (void)p.velocity(z); }).first, PERP_UNSUPPORTED);
    EXPECT_EQ(failure([&] { perp::Problem::blcp(H, q, q2, zero); }).first, PERP_BAD_BOUNDS);
    EXPECT_TRUE(p.supports(PERP_APGD));
    perp::Triplets G(1, 1);
    G.add(0, 0, -1.0);
    const std::vector<double> one{1};
    std::string why;
    EXPECT_FALSE(perp::Problem::blcp(G, one).supports(PERP_PGS, &why));
    EXPECT_FALSE(why.empty());
    EXPECT_EQ(failure([&] { (void)p.supports(99); }).first, PERP_BAD_SETTING);
    EXPECT_EQ(perp::Problem::blcp(perp::Triplets(), perp::View()).rows(), 0);
}

TEST(Wrapper, Delassus) {
    perp::Delassus d;
    d.W = perp::Triplets(3, 3, 1);
    for (int i = 1; i <= 3; ++i) d.W.add(i, i, 1.0);
    const std::vector<double> q{-1, 0.1, 0}, mu{0.5}, two{0.5, 0.5};
    d.q = q;
    d.mu = two;
    EXPECT_EQ(failure([&] { perp::Problem::delassus(d); }).second, "mu has 2 entries, expected 1");
    d.mu = mu;
    perp::Problem p = perp::Problem::delassus(d);
    EXPECT_EQ(p.info().contacts, 1);
    EXPECT_EQ(p.info().matrix_form, 2);
    std::vector<double> z;
    EXPECT_EQ(perp::Solver(p).solve(z).outcome, PERP_SOLVED);
    EXPECT_NEAR(z[1], -0.1, 1e-3);
    d.tangential_rows = 7;
    EXPECT_EQ(failure([&] { perp::Problem::delassus(d); }).first, PERP_BAD_SIZE);
}

TEST(Wrapper, CallbackCancelsAndThrows) {
    Stack s(1e4);
    const perp::Problem p = s.problem();
    perp::Settings settings;
    settings.method = PERP_PGS;
    settings.tolerance = 1e-12;
    perp::Solver first(p, settings);
    int calls = 0;
    first.set_callback([&calls](const perp_progress& now) {
        EXPECT_GE(now.eta, 0);
        return ++calls < 5;
    });
    perp::Solver solver = std::move(first);  // the callback stays where it is
    std::vector<double> z;
    EXPECT_EQ(solver.solve(z).outcome, PERP_CANCELLED);
    EXPECT_EQ(calls, 5);
    solver.set_callback([](const perp_progress& now) -> bool {
        if (now.iteration > 20) throw std::logic_error("enough");
        return true;
    });
    z.clear();
    EXPECT_THROW((void)solver.solve(z), std::logic_error);
    ASSERT_EQ(z.size(), 2u);
    EXPECT_GT(z[0], 0);
    EXPECT_THROW((void)solver.solve(z), std::logic_error);
    solver.set_callback(nullptr);
    solver.set("max_iterations", 20);
    EXPECT_EQ(solver.solve(z).outcome, PERP_ITERATION_LIMIT);
}

TEST(Wrapper, SystemUpdateAndErrors) {
    Stack s(2);
    perp::System system = stack(2);
    perp::Problem before = perp::Problem::cone(system, s.rows);
    const std::vector<double> mass{1, 3}, short_mass{1}, bad{1, -1};
    system.update(PERP_MATRIX_M, mass);
    EXPECT_EQ(failure([&] { system.update(PERP_MATRIX_M, short_mass); }).first, PERP_BAD_PATTERN);
    EXPECT_EQ(failure([&] { system.update(PERP_MATRIX_M, bad); }).first,
              PERP_NOT_POSITIVE_DEFINITE);
    perp::Problem after = perp::Problem::cone(system, s.rows);
    EXPECT_EQ(before.matrix().values()[3], 1.5);
    EXPECT_DOUBLE_EQ(after.matrix().values()[3], 1 + 1.0 / 3);
    perp::Matrices m;
    m.M = perp::Triplets(2, 2);
    m.M.add(2, 2, 1);
    EXPECT_EQ(failure([&] { perp::System{m}; }).first, PERP_BAD_INDEX);
    EXPECT_EQ(failure([&] { perp::Problem::read("/nonexistent.h5"); }).first, PERP_FILE_NOT_FOUND);
    before.write("wrapper_test.h5", PERP_LAYOUT_PERP, "t", "s");
    perp::Problem read = perp::Problem::read("wrapper_test.h5");
    EXPECT_EQ(read.matrix().values(), before.matrix().values());
    std::vector<double> z{1, 2};
    read.write_solution("wrapper_test.h5", z, "apgd");
    EXPECT_EQ(read.read_solution("wrapper_test.h5"), z);
    std::remove("wrapper_test.h5");
}

TEST(Wrapper, NoSolutionHasCertificate) {
    perp::Triplets H(1, 1);
    const std::vector<double> q{-1}, lo{0};
    const perp::Problem p = perp::Problem::blcp(H, q, lo);
    perp::Solver solver(p);
    std::vector<double> z;
    EXPECT_EQ(solver.solve(z).outcome, PERP_NO_SOLUTION);
    EXPECT_GT(solver.certificate()[0], 0);
}

}  // namespace
