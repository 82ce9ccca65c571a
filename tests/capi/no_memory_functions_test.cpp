// Every function of perp.h without memory: with each of its allocations failing in turn, or, where
// it has none, with an allocator that refuses everything. The header's text says what is missing.
#include "no_memory_support.hpp"
#include "step_support.hpp"

#include <map>

using namespace perp_test;

namespace {

// ------------------------------------------------------------------ what was called

struct Calls {
    bool made = false;
    int64_t failed = 0;  // allocations
};

// Of the functions of the header without memory.
std::map<std::string, Calls>& calls() {
    static std::map<std::string, Calls> by_name;
    return by_name;
}

Calls& calls_of(const std::string& text) {
    Calls& found = calls().at(text.substr(0, text.find('(')));
    found.made = true;
    return found;
}

template <class Call>
std::function<int32_t()> counted(const char* text, Call call) {
    Calls& calls = calls_of(text);
    return [&calls, call] {
        const int32_t status = call();
        calls.failed += state.failures;
        return status;
    };
}

class AllRefused {
public:
    explicit AllRefused(const char* text) : calls_(calls_of(text)) {
        state = {failing_allocator::owns_malloc ? Scope::malloc : Scope::operator_new, 0, true, 0,
                 state.living};
    }
    ~AllRefused() {
        state.scope = Scope::off;
        calls_.failed += state.failures;
    }
    AllRefused(const AllRefused&) = delete;
    AllRefused& operator=(const AllRefused&) = delete;

private:
    Calls& calls_;
};

template <class Call>
auto refuse_all(const char* text, const Call& call) {
    const AllRefused refused(text);
    return call();
}

// The name is that of the function called: nothing is counted that was not run.
#define ARMED(...) armed(counted(#__VA_ARGS__, [&] { return __VA_ARGS__; }))
#define WITHOUT_MEMORY(...) refuse_all(#__VA_ARGS__, [&] { return __VA_ARGS__; })

// Why each of these has no allocation to fail.
const std::map<std::string, const char*> cannot_allocate = {
    {"perp_status_text", "static text"},
    {"perp_outcome_text", "static text"},
    {"perp_last_message", "a buffer of the thread"},
    {"perp_version", "a constant"},
    {"perp_build_info", "static text"},
    {"perp_method_name", "static text"},
    {"perp_method_from_name", "compares with static texts"},
    {"perp_system_def_init", "fills the caller's struct"},
    {"perp_delassus_def_init", "fills the caller's struct"},
    {"perp_friction_def_init", "fills the caller's struct"},
    {"perp_rows_init", "fills the caller's struct"},
    {"perp_contacts_init", "fills the caller's struct"},
    {"perp_settings_init", "fills the caller's struct"},
    {"perp_system_destroy", "only frees"},
    {"perp_problem_destroy", "only frees"},
    {"perp_solver_destroy", "only frees"},
    {"perp_friction_destroy", "only frees"},
    {"perp_problem_get_info", "copies numbers that the problem keeps"},
    {"perp_solver_get_settings", "copies numbers that the solver keeps"},
    {"perp_solver_set_settings", "a method's workspace is made by the next solve"},
    {"perp_solver_set", "as perp_solver_set_settings"},
    {"perp_solver_set_callback", "keeps two pointers"},
    {"perp_solver_get_basic_set", "copies what the solver keeps"},
    {"perp_certificate", "copies what the solver keeps"},
    {"perp_friction_get_state", "copies what the friction handle keeps"},
};

// ------------------------------------------------------------------ texts and defaults

void texts() {
    const std::string info = perp_build_info();
    EXPECT_EQ(info, WITHOUT_MEMORY(perp_build_info()));
    EXPECT_EQ(WITHOUT_MEMORY(perp_version()), perp_version());
    EXPECT_STREQ(WITHOUT_MEMORY(perp_status_text(PERP_NO_MEMORY)), "out of memory");
    EXPECT_STREQ(WITHOUT_MEMORY(perp_outcome_text(PERP_SOLVED)), "solved");
    EXPECT_STREQ(WITHOUT_MEMORY(perp_method_name(PERP_ACCURATE)), "accurate");
    EXPECT_EQ(WITHOUT_MEMORY(perp_method_from_name("accurate")), PERP_ACCURATE);
    EXPECT_EQ(perp_settings_init(nullptr, 0), PERP_NULL_ARGUMENT);
    EXPECT_STREQ(WITHOUT_MEMORY(perp_last_message()), "settings is NULL");
}

template <class T>
bool same_struct(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

#define EXPECT_DEFAULTS(function)                                           \
    do {                                                                    \
        const auto expected = initialized(function);                        \
        auto found = expected;                                              \
        std::memset(&found, 0x5a, sizeof found);                            \
        EXPECT_EQ(WITHOUT_MEMORY(function(&found, sizeof found)), PERP_OK); \
        EXPECT_TRUE(same_struct(found, expected)) << #function;             \
    } while (false)

void defaults() {
    EXPECT_DEFAULTS(perp_system_def_init);
    EXPECT_DEFAULTS(perp_delassus_def_init);
    EXPECT_DEFAULTS(perp_friction_def_init);
    EXPECT_DEFAULTS(perp_rows_init);
    EXPECT_DEFAULTS(perp_contacts_init);
    EXPECT_DEFAULTS(perp_settings_init);
}

// ------------------------------------------------------------------ handles

// A handle is made, or `out` is what it was.
template <class T>
int32_t checked_handle(int32_t status, T*& out) {
    EXPECT_EQ(status == PERP_OK, out != sentinel<T>());
    if (status == PERP_OK) Destroy()(out);
    return status;
}

void systems() {
    const Scene scene = assembled(PERP_LAW_CONE, false);
    const perp_triplets M = scene.matrices.M.view(), N = scene.matrices.N.view();
    perp_system_def def = initialized(perp_system_def_init);
    def.M = &M;
    def.N = &N;
    fail_each("system_create", Uses::memory, [&](const Armed& armed) {
        perp_system* out = sentinel<perp_system>();
        const int32_t status = ARMED(perp_system_create(&def, &out));
        return checked_handle(status, out);
    });
    const Vector before = velocities_of(scene.problem());
    const Vector& given = scene.matrices.N.value;
    const Vector other(given.size(), 0.5);
    const auto count = static_cast<int64_t>(given.size());
    fail_each("system_update", Uses::memory, [&](const Armed& armed) {
        const int32_t status =
            ARMED(perp_system_update(scene.system.get(), PERP_MATRIX_N, count, other.data()));
        EXPECT_EQ(same_bits(velocities_of(scene.problem()), before), status != PERP_OK);
        EXPECT_EQ(perp_system_update(scene.system.get(), PERP_MATRIX_N, count, given.data()),
                  PERP_OK);
        return status;
    });
    perp_system* out = nullptr;
    ASSERT_EQ(perp_system_create(&def, &out), PERP_OK);
    WITHOUT_MEMORY(perp_system_destroy(out));
}

void problems() {
    const Scene cones = assembled(PERP_LAW_CONE, false), boxes = assembled(PERP_LAW_BOX, false),
                plain = matrix_form(false), delassus = matrix_form(true);
    const perp_rows cone_rows = cones.step(), box_rows = boxes.step();
    const perp_triplets H = plain.H.view();
    perp_delassus_def def = initialized(perp_delassus_def_init);
    def.W = &H;
    def.q = delassus.f.data();
    def.mu = delassus.mu.data();
    perp_problem* out = sentinel<perp_problem>();
    fail_each("cone_assemble", Uses::memory, [&](const Armed& armed) {
        out = sentinel<perp_problem>();
        return checked_handle(ARMED(perp_cone_assemble(cones.system.get(), &cone_rows, &out)), out);
    });
    fail_each("blcp_assemble", Uses::memory, [&](const Armed& armed) {
        out = sentinel<perp_problem>();
        return checked_handle(ARMED(perp_blcp_assemble(boxes.system.get(), &box_rows, &out)), out);
    });
    fail_each("blcp_create", Uses::memory, [&](const Armed& armed) {
        out = sentinel<perp_problem>();
        return checked_handle(
            ARMED(perp_blcp_create(&H, plain.f.data(), plain.lo.data(), plain.hi.data(), &out)),
            out);
    });
    fail_each("delassus_create", Uses::memory, [&](const Armed& armed) {
        out = sentinel<perp_problem>();
        return checked_handle(ARMED(perp_delassus_create(&def, &out)), out);
    });
    perp_problem* const made = cones.problem().release();
    WITHOUT_MEMORY(perp_problem_destroy(made));
}

// The problem of `scene` is changed by the call, or is what it was.
void fails_to_change(const char* what, const Scene& scene,
                     const std::function<int32_t(const Armed&, perp_problem*)>& change) {
    const Problem reference = scene.problem();
    const Vector before = velocities_of(reference);
    const perp_problem_info info = info_of(reference);
    fail_each(what, Uses::memory, [&](const Armed& armed) {
        const Problem problem = scene.problem();
        const int32_t status = change(armed, problem.get());
        const bool same =
            same_bits(velocities_of(problem), before) && same_struct(info_of(problem), info);
        EXPECT_EQ(same, status != PERP_OK);
        return status;
    });
}

void changes() {
    const Scene cones = assembled(PERP_LAW_CONE, false), plain = matrix_form(false);
    const Vector f = ramp(cones.f.size(), 2.0, -0.3), q = ramp(6, 2.0, -0.3);
    perp_rows rows = cones.step();
    rows.f = f.data();
    const Vector values(plain.H.value.size(), 0.5);
    const auto count = static_cast<int64_t>(values.size());
    const int64_t row = 1, normal = 0;
    const double mu = 0.5;
    fails_to_change("set_rows", cones, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_set_rows(p, nullptr, &rows));
    });
    Matrices heavier = cones.matrices;
    for (double& x : heavier.M.value) x *= 2.0;
    const System other = system(heavier);
    fails_to_change("set_rows of another system", cones, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_set_rows(p, other.get(), &rows));
    });
    fails_to_change("set_law", cones, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_set_law(p, PERP_LAW_COULOMB));
    });
    fails_to_change("set_vectors", plain, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_set_vectors(p, q.data(), nullptr, nullptr));
    });
    fails_to_change("update", plain, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_update(p, count, values.data()));
    });
    Scene free = matrix_form(false);  // a row is tied where it has no bounds of its own
    free.lo[1] = -infinity;
    free.hi[1] = infinity;
    fails_to_change("set_ties", free, [&](const Armed& armed, perp_problem* p) {
        return ARMED(perp_problem_set_ties(p, 1, &row, &normal, &mu));
    });
}

void queries() {
    const Problem problem = assembled(PERP_LAW_CONE, false).problem();
    const auto size = static_cast<std::size_t>(info_of(problem).rows);
    const auto n = static_cast<std::size_t>(info_of(problem).velocities);
    const Vector z(size, 0.125), nothing(size, 7.0);
    fail_each("residual", Uses::memory, [&](const Armed& armed) {
        auto info = untouched<perp_residual_info>();
        const int32_t status = ARMED(perp_residual(problem.get(), z.data(), &info));
        EXPECT_EQ(is_untouched(info), status != PERP_OK);
        return status;
    });
    fail_each("constraint_velocity", Uses::memory, [&](const Armed& armed) {
        Vector u = nothing, v(n, 7.0);
        const int32_t status =
            ARMED(perp_constraint_velocity(problem.get(), z.data(), u.data(), v.data()));
        EXPECT_EQ(same_bits(u, nothing), status != PERP_OK);
        EXPECT_EQ(same_bits(v, Vector(n, 7.0)), status != PERP_OK);
        return status;
    });
    int64_t entries = 0;
    ASSERT_EQ(perp_form_matrix(problem.get(), &entries, nullptr, nullptr, nullptr), PERP_OK);
    fail_each("form_matrix", Uses::memory, [&](const Armed& armed) {
        int64_t count = entries + 1;
        const std::vector<int64_t> none(static_cast<std::size_t>(entries), -7);
        std::vector<int64_t> row = none, col = none;
        Vector value(none.size(), 7.0);
        const int32_t status =
            ARMED(perp_form_matrix(problem.get(), &count, row.data(), col.data(), value.data()));
        EXPECT_EQ(count, status == PERP_OK ? entries : entries + 1);
        EXPECT_EQ(row == none, status != PERP_OK);
        EXPECT_EQ(col == none, status != PERP_OK);
        EXPECT_EQ(same_bits(value, Vector(none.size(), 7.0)), status != PERP_OK);
        return status;
    });
    auto info = untouched<perp_problem_info>();
    EXPECT_EQ(WITHOUT_MEMORY(perp_problem_get_info(problem.get(), &info)), PERP_OK);
    EXPECT_TRUE(same_struct(info, info_of(problem)));
}

// ------------------------------------------------------------------ solvers

void solvers() {
    const Problem problem = matrix_form(false).problem(), cones = matrix_form(true).problem();
    const perp_settings pivoting = settings(PERP_PIVOTING);
    const auto reason = [&](const Armed& armed) {
        return ARMED(perp_solver_supports(cones.get(), PERP_LEMKE));  // composes one
    };
    fail_each("solver_supports", Uses::memory, reason, PERP_UNSUPPORTED);
    fail_each("solver_create", Uses::memory, [&](const Armed& armed) {
        perp_solver* out = sentinel<perp_solver>();
        return checked_handle(ARMED(perp_solver_create(problem.get(), &pivoting, &out)), out);
    });
    const Vector expected = solve(problem, pivoting).z, nothing(expected.size(), 7.0);
    fail_each("solve", Uses::memory, [&](const Armed& armed) {
        const Solver s = solver(problem, pivoting);
        Vector z = nothing, u = nothing;
        auto info = untouched<perp_info>();
        const int32_t status = ARMED(perp_solve(s.get(), z.data(), u.data(), &info));
        EXPECT_EQ(same_bits(z, nothing), status != PERP_OK);
        EXPECT_EQ(same_bits(u, nothing), status != PERP_OK);
        EXPECT_EQ(is_untouched(info), status != PERP_OK);
        EXPECT_EQ(perp_solve(s.get(), z.data(), u.data(), &info), PERP_OK);
        EXPECT_TRUE(same_bits(z, expected));
        return status;
    });
    perp_solver* const made = solver(problem, pivoting).release();
    WITHOUT_MEMORY(perp_solver_destroy(made));
}

int32_t count_calls(const perp_progress*, void* calls) {
    ++*static_cast<int64_t*>(calls);
    return 0;
}

void solver_settings() {
    const Problem problem = matrix_form(false).problem();
    const Solver s = solver(problem, settings(PERP_APGD));
    auto given = sized<perp_settings>();
    EXPECT_EQ(WITHOUT_MEMORY(perp_solver_get_settings(s.get(), &given)), PERP_OK);
    EXPECT_TRUE(same_struct(given, settings(PERP_APGD)));
    given.method = PERP_PIVOTING;
    EXPECT_EQ(WITHOUT_MEMORY(perp_solver_set_settings(s.get(), &given)), PERP_OK);
    EXPECT_EQ(WITHOUT_MEMORY(perp_solver_set(s.get(), "method", "pgs")), PERP_OK);
    EXPECT_EQ(perp_solver_get_settings(s.get(), &given), PERP_OK);
    EXPECT_EQ(given.method, PERP_PGS);
    int64_t calls = 0;
    EXPECT_EQ(WITHOUT_MEMORY(perp_solver_set_callback(s.get(), count_calls, &calls)), PERP_OK);
    Vector z(6);
    EXPECT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    EXPECT_GT(calls, 0);
}

void basic_sets() {
    const Problem problem = matrix_form(false).problem();
    const Solver s = solver(problem, settings(PERP_PIVOTING));
    Vector z(6);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    std::vector<int8_t> set(6, 99);
    EXPECT_EQ(WITHOUT_MEMORY(perp_solver_get_basic_set(s.get(), set.data())), PERP_OK);
    EXPECT_EQ(std::count(set.begin(), set.end(), 99), 0);
    const std::vector<int8_t> other(6, -1);
    fail_each("solver_set_basic_set", Uses::memory, [&](const Armed& armed) {
        const Solver t = solver(problem, settings(PERP_PIVOTING));
        const int32_t status = ARMED(perp_solver_set_basic_set(t.get(), other.data()));
        Vector found(z.size());
        EXPECT_EQ(perp_solve(t.get(), found.data(), nullptr, nullptr), PERP_OK);
        expect_near(found, z, 1e-12);
        return status;
    });
}

void certificates() {
    Matrix H(2, 2);
    H.add(0, 0, 1.0);
    const Problem problem = blcp(H, {-1.0, -1.0});
    const Solver s = solver(problem, settings(PERP_LEMKE));
    Vector z(2), d(2, 7.0);
    ASSERT_EQ(perp_solve(s.get(), z.data(), nullptr, nullptr), PERP_OK);
    EXPECT_EQ(WITHOUT_MEMORY(perp_certificate(s.get(), d.data())), PERP_OK) << perp_last_message();
    EXPECT_EQ(d[0], 0.0);
    EXPECT_GT(d[1], 0.0);
}

// ------------------------------------------------------------------ steps

void steps() {
    const StepScene scene = point({0.1, 0.0, 0.0});
    const System system = perp_test::system(scene.matrices);
    const perp_rows rows = scene.step_rows();
    const perp_contacts contacts = scene.contacts();
    const perp_settings settings = step_settings();
    const perp_friction_def def = friction_def(PERP_FRICTION_CONE);
    fail_each("friction_create", Uses::memory, [&](const Armed& armed) {
        perp_friction* out = sentinel<perp_friction>();
        return checked_handle(ARMED(perp_friction_create(&def, &out)), out);
    });
    const StepOutput expected = take_step(friction(def), scene);
    fail_each("step", Uses::memory, [&](const Armed& armed) {
        const Friction f = friction(def);
        Vector velocity(3, 7.0), z(3, 7.0);
        int8_t state = 99;
        auto info = untouched<perp_step_info>();
        const int32_t status = ARMED(perp_step(f.get(), system.get(), &rows, &contacts, &settings,
                                               velocity.data(), z.data(), &state, &info));
        if (status != PERP_OK) {
            EXPECT_TRUE(same_bits(velocity, Vector(3, 7.0)) && same_bits(z, Vector(3, 7.0)));
            EXPECT_EQ(state, 99);
            EXPECT_TRUE(is_untouched(info));
            EXPECT_TRUE(state_of(f).id.empty());
            z = take_step(f, scene).z;
        }
        EXPECT_TRUE(same_bits(z, expected.z));
        return status;
    });
    perp_friction* const made = friction(def).release();
    WITHOUT_MEMORY(perp_friction_destroy(made));
}

void friction_states() {
    const perp_friction_def def = friction_def(PERP_FRICTION_CONE);
    const StepState old{{1}, Vector(PERP_CONTACT_RECORD, 1.0)};
    const StepState next{{2, 4, 9}, Vector(3 * PERP_CONTACT_RECORD, 2.0)};
    fail_each("friction_set_state", Uses::memory, [&](const Armed& armed) {
        const Friction f = friction(def);
        EXPECT_EQ(set_state(f, old), PERP_OK);
        const int32_t status =
            ARMED(perp_friction_set_state(f.get(), 3, next.id.data(), next.record.data()));
        EXPECT_TRUE(same_state(state_of(f), status == PERP_OK ? next : old));
        return status;
    });
    const Friction f = friction(def);
    EXPECT_EQ(set_state(f, next), PERP_OK);
    int64_t count = 3;
    StepState found{std::vector<int64_t>(3), Vector(next.record.size())};
    EXPECT_EQ(WITHOUT_MEMORY(
                  perp_friction_get_state(f.get(), &count, found.id.data(), found.record.data())),
              PERP_OK);
    EXPECT_TRUE(same_state(found, next));
}

// ------------------------------------------------------------------ files

void files() {
    const Folder folder;
    const Problem problem = matrix_form(false).problem();
    const Vector before = velocities_of(problem), z(before.size(), 0.125);
    const std::string path = folder.at("a.h5");
    fail_each("problem_write", Uses::hdf5, [&](const Armed& armed) {
        std::filesystem::remove(path);
        const int32_t status = ARMED(perp_problem_write(
            problem.get(), path.c_str(), PERP_LAYOUT_PERP, "a title of some length", "a source"));
        EXPECT_EQ(bytes_of(path).empty(), status != PERP_OK);
        return status;
    });
    const std::string written = bytes_of(path);
    fail_each("solution_write", Uses::hdf5, [&](const Armed& armed) {
        const int32_t status =
            ARMED(perp_solution_write(problem.get(), path.c_str(), z.data(), "solver"));
        EXPECT_EQ(bytes_of(path) == written, status != PERP_OK);
        std::ofstream(path, std::ios::binary) << written;
        return status;
    });
    ASSERT_EQ(perp_solution_write(problem.get(), path.c_str(), z.data(), nullptr), PERP_OK);
    fail_each("problem_read", Uses::hdf5, [&](const Armed& armed) {
        perp_problem* out = sentinel<perp_problem>();
        return checked_handle(ARMED(perp_problem_read(path.c_str(), PERP_LAW_AUTO, &out)), out);
    });
    fail_each("solution_read", Uses::hdf5, [&](const Armed& armed) {
        Vector found(z.size(), 7.0);
        const int32_t status = ARMED(perp_solution_read(problem.get(), path.c_str(), found.data()));
        EXPECT_TRUE(same_bits(found, status == PERP_OK ? z : Vector(z.size(), 7.0)));
        return status;
    });
}

// ------------------------------------------------------------------ all of the header

TEST(NoMemoryForFunctions, EveryOneOfTheHeaderIsCalled) {
    for (const std::string& name : functions_of_header()) calls()[name] = {};
    EXPECT_GE(calls().size(), 50U);
    for (const auto group :
         {texts, defaults, systems, problems, changes, queries, solvers, solver_settings,
          basic_sets, certificates, steps, friction_states, files})
        group();
    for (const auto& [name, found] : calls()) {
        EXPECT_TRUE(found.made) << name << " is not called without memory";
        EXPECT_EQ(found.failed == 0, cannot_allocate.count(name) == 1)
            << name << ": " << found.failed << " allocations failed";
    }
    for (const auto& [name, why] : cannot_allocate)
        EXPECT_EQ(calls().count(name), 1U) << name << ": " << why;
}

}  // namespace
