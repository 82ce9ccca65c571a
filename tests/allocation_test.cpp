// Nothing in a solver's loop allocates: ten iterations and a thousand allocate alike.
#include <cstdlib>
#include <new>

#include "problem/residual.hpp"
#include "solver_support.hpp"
#include "solvers/solver.hpp"
#include "support.hpp"

namespace {
std::int64_t allocations = 0;  // this program has one thread
}

// Not inlined: g++ takes the malloc inside for a mismatch with delete otherwise.
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return ::operator new(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;  // std::stable_sort takes its buffer by this one
    return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    return ::operator new(size, tag);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace perp::test {
namespace {

using Vector = std::vector<double>;

struct Form {
    const char* what;
    Problem (*make)();
};

Problem long_chain() {
    Step s = random_step({.blocks = {150}, .contacts = 6});
    for (std::int64_t i = 0; i < 150; ++i)
        for (std::int64_t j = 0; j < 150; ++j)
            s.M(i, j) = i == j ? 3.0 : std::abs(i - j) == 1 ? -1.4 : 0.0;
    return problem_of(s);
}

Problem delassus() {
    Random random(3);
    const Dense J = random_rows(24, 9, random);
    const Entries W(J * transposed(J));
    DelassusForm form;
    form.W = W.view();
    form.shape = {2, 1, 2};
    form.q = random.vector(24);
    form.mu = form.rho = form.sigma = Vector(4, 0.3);
    return Problem::delassus(form);
}

Problem blcp() {
    Random random(4);
    const Dense J = random_rows(12, 7, random);
    return Problem::general_blcp(Entries(J * transposed(J)).view(), random.vector(12),
                                 random.vector(12, -1, 0), random.vector(12, 0, 1));
}

const Form forms[] = {
    {"cones",
     [] {
         return problem_of(random_step({.blocks = {6, 6}, .shape = {2, 1, 2}}));
     }},
    {"boxes",
     [] {
         return problem_of(random_step({.blocks = {6, 6}, .law = Law::box}));
     }},
    {"chain", long_chain},
    {"delassus", delassus},
    {"blcp", blcp},
};

std::int64_t allocations_of(Solver& solver, std::int64_t iterations, Settings settings, Vector& z) {
    settings.max_iterations = iterations;
    settings.tolerance = 1e-300;
    settings.stagnation_window = 0;
    solver.set(settings);
    std::int64_t evaluations = 0;
    const ProgressCallback progress = [&evaluations](const Progress&) { return ++evaluations > 0; };
    const std::int64_t before = allocations;
    const Info info = solver.solve(z, progress);
    const std::int64_t used = allocations - before;
    EXPECT_TRUE(info.iterations == iterations || info.eta == 0.0) << info.iterations;
    EXPECT_GT(evaluations, 0);
    return used;
}

class Allocations : public testing::TestWithParam<Form> {};

TEST_P(Allocations, DoNotDependOnTheIterations) {
    const auto problem = std::make_shared<const Problem>(GetParam().make());
    for (const Method method : iterating) {
        for (const SweepOrder order : {SweepOrder::given, SweepOrder::bfs, SweepOrder::random}) {
            Settings s;
            s.method = method;
            s.sweep_order = order;
            Solver solver(problem, s);
            Vector z(problem->rows());
            allocations_of(solver, 1, s, z);  // the workspace
            const std::int64_t few = allocations_of(solver, 10, s, z);
            const std::int64_t many = allocations_of(solver, 1000, s, z);
            EXPECT_EQ(few, many) << name(method);
            EXPECT_EQ(many, 0) << name(method);
        }
    }
}

TEST_P(Allocations, StepsWithFactorizationsNeedNone) {
    const auto problem = std::make_shared<const Problem>(GetParam().make());
    for (const Method method : {Method::ipm, Method::newton}) {
        Settings s;
        s.method = method;
        Solver solver(problem, s);
        Vector z(problem->rows());
        for (const std::int64_t steps : {1, 12})
            EXPECT_EQ(allocations_of(solver, steps, s, z), 0) << name(method);
    }
}

TEST_P(Allocations, ResidualsNeedNone) {
    const Problem problem = GetParam().make();
    ResidualWorkspace work = make_residual_workspace(problem);
    const Vector z(problem.rows(), 0.1);
    const std::int64_t before = allocations;
    const double eta = residual(problem, z, work).eta;
    EXPECT_EQ(allocations, before);
    EXPECT_GT(eta, 0.0);
}

// Bounds that follow impulses, shifts that follow velocities: rounds need no memory.
void rounds_need_none(const std::shared_ptr<const Problem>& problem) {
    for (const Method method : iterating) {
        Settings settings;
        settings.method = method;
        settings.tolerance = 1e-13;
        Solver solver(problem, settings);
        for (const std::int64_t rounds : {1, 2, 8}) {
            settings.tie_rounds = rounds;
            solver.set(settings);
            Vector z(problem->rows());
            const std::int64_t before = allocations;
            const Info info = solver.solve(z, {});
            EXPECT_EQ(allocations, before) << name(method);
            const bool sweeps = method != Method::apgd && problem->set().exact;
            EXPECT_EQ(info.tie_rounds, sweeps ? 0 : rounds) << name(method);
        }
    }
}

TEST(Rounds, OfTiedBoundsNeedNone) {
    Step s = random_step({.blocks = {6, 6}, .law = Law::box});
    s.rows.lo_T.clear();
    s.rows.hi_T.clear();
    rounds_need_none(std::make_shared<const Problem>(problem_of(s)));
}

TEST(Rounds, OfTheExactLawNeedNone) {
    rounds_need_none(std::make_shared<const Problem>(
        problem_of(random_step({.blocks = {6, 6}, .law = Law::coulomb}))));
}

TEST(Counter, CountsAllocations) {
    const std::int64_t before = allocations;
    const Vector v(100, 1.0);
    EXPECT_EQ(allocations, before + 1);
    EXPECT_EQ(v.size(), 100u);
}

INSTANTIATE_TEST_SUITE_P(Forms, Allocations, testing::ValuesIn(forms),
                         [](const auto& p) { return std::string(p.param.what); });

}  // namespace
}  // namespace perp::test
