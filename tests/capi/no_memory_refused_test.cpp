// Calls that are refused, with memory failing while the reason is put into words: the status of the
// refusal or PERP_NO_MEMORY, the message of either, outputs and handles as they were.
#include "no_memory_support.hpp"
#include "step_support.hpp"

#include <set>

using namespace perp_test;

namespace {

const char nowhere[] = "/nonexistent/folder/of/no/one/instance.h5";

// What refused calls get, and what must not change.
class Refused {
public:
    Refused();
    // Functions refused so far.
    [[nodiscard]] const std::set<std::string>& functions() const { return functions_; }
    void systems();
    void problems();
    void changes();
    void queries();
    void solvers();
    void steps();
    void reads();
    void writes();
    void expect_unchanged() const;

private:
    template <class Call>
    void refuse(const char* function, int32_t expected, const Call& call, Uses uses = Uses::memory);
    template <class T>
    void refuse_init(const char* function, int32_t (*init)(T*, int64_t));

    std::set<std::string> functions_;
    const Folder folder_;
    const Scene cones_ = assembled(PERP_LAW_CONE, false), boxes_ = assembled(PERP_LAW_BOX, false),
                plain_ = matrix_form(false), delassus_ = matrix_form(true);
    const Problem problem_ = cones_.problem(), blcp_ = plain_.problem(),
                  matrix_ = delassus_.problem();
    const Solver solver_ = solver(blcp_, settings(PERP_APGD));
    const StepScene point_ = point({0.1, 0.0, 0.0});
    const System system_ = system(point_.matrices);
    const Friction friction_ = friction(friction_def(PERP_FRICTION_BOX));
    const Vector z_ = Vector(static_cast<std::size_t>(info_of(problem_).rows), 0.125);

    // Before all.
    const std::vector<Vector> velocities_ = {velocities_of(problem_), velocities_of(blcp_),
                                             velocities_of(matrix_),
                                             velocities_of(cones_.problem())};
    Vector solved_ = Vector(6);
    StepState stepped_;
    std::string file_, bytes_;
    // Outputs.
    Vector out_ = Vector(100, 7.0);
    std::vector<int64_t> places_ = std::vector<int64_t>(100, -7);
};

Refused::Refused() : file_(folder_.at("blcp.h5")) {
    EXPECT_EQ(perp_solve(solver_.get(), solved_.data(), nullptr, nullptr), PERP_OK);
    take_step(friction_, point_);
    stepped_ = state_of(friction_);
    EXPECT_EQ(perp_problem_write(blcp_.get(), file_.c_str(), PERP_LAYOUT_PERP, nullptr, nullptr),
              PERP_OK);
    bytes_ = bytes_of(file_);
    std::ofstream(folder_.at("text")) << "an instance it is not, but a file of the user's";
}

template <class Call>
void Refused::refuse(const char* function, int32_t expected, const Call& call, Uses uses) {
    SCOPED_TRACE(function);
    functions_.insert(function);
    EXPECT_EQ(call(), expected) << perp_last_message();
    const std::string message = perp_last_message();
    fail_each(
        function, uses,
        [&](const Armed& armed) {
            const int32_t status = armed(call);
            if (status == expected) {
                EXPECT_EQ(perp_last_message(), message);
            }
            return status;
        },
        expected);
    expect_unchanged();
}

// The name is that of the function called.
#define REFUSE(status, function, ...) \
    refuse(#function, status, [&] { return function(__VA_ARGS__); })
#define REFUSE_FILE(status, function, ...) \
    refuse(                                \
        #function, status, [&] { return function(__VA_ARGS__); }, Uses::hdf5)
// A handle that is not made: `out` stays.
#define REFUSE_HANDLE(status, T, function, ...)           \
    do {                                                  \
        T* out = sentinel<T>();                           \
        REFUSE_FILE(status, function, __VA_ARGS__, &out); \
        EXPECT_EQ(out, sentinel<T>());                    \
    } while (false)

void Refused::expect_unchanged() const {
    const std::vector<Vector> now = {velocities_of(problem_), velocities_of(blcp_),
                                     velocities_of(matrix_), velocities_of(cones_.problem())};
    for (std::size_t i = 0; i < now.size(); ++i)
        EXPECT_TRUE(same_bits(now[i], velocities_[i])) << "problem " << i;
    const perp_settings given = settings(PERP_APGD);
    auto found = sized<perp_settings>();
    EXPECT_EQ(perp_solver_get_settings(solver_.get(), &found), PERP_OK);
    EXPECT_EQ(std::memcmp(&found, &given, sizeof given), 0);
    Vector z(6);
    EXPECT_EQ(perp_solve(solver_.get(), z.data(), nullptr, nullptr), PERP_OK);
    EXPECT_TRUE(same_bits(z, solved_));
    EXPECT_TRUE(same_state(state_of(friction_), stepped_));
    EXPECT_EQ(bytes_of(file_), bytes_);
    EXPECT_EQ(folder_.names().size(), 2U);
    EXPECT_TRUE(same_bits(out_, Vector(100, 7.0)));
    EXPECT_EQ(places_, std::vector<int64_t>(100, -7));
}

// ------------------------------------------------------------------ the calls

template <class T>
void Refused::refuse_init(const char* function, int32_t (*init)(T*, int64_t)) {
    auto t = untouched<T>();
    refuse(function, PERP_BAD_SIZE, [&] { return init(&t, -8); });
    EXPECT_TRUE(is_untouched(t));
}
#define REFUSE_INIT(function) refuse_init(#function, function)

void Refused::systems() {
    REFUSE_INIT(perp_system_def_init);
    perp_system_def def = initialized(perp_system_def_init);
    Matrix lopsided(2, 2, {1, 0.5, 0, 1}), indefinite(2, 2, {1, 2, 2, 1}), outside(2, 2);
    outside.add(0, 2, 1.0);
    for (const auto& [m, status] : {std::pair{&lopsided, PERP_NOT_SYMMETRIC},
                                    std::pair{&indefinite, PERP_NOT_POSITIVE_DEFINITE},
                                    std::pair{&outside, PERP_BAD_INDEX}}) {
        const perp_triplets M = m->view();
        def.M = &M;
        REFUSE_HANDLE(status, perp_system, perp_system_create, &def);
    }
    const Vector bad(cones_.matrices.N.value.size(), not_a_number);
    REFUSE(PERP_BAD_PATTERN, perp_system_update, cones_.system.get(), PERP_MATRIX_N, 1, bad.data());
    REFUSE(PERP_BAD_VALUE, perp_system_update, cones_.system.get(), PERP_MATRIX_N,
           static_cast<int64_t>(bad.size()), bad.data());
}

void Refused::problems() {
    REFUSE_INIT(perp_rows_init);
    REFUSE_INIT(perp_delassus_def_init);
    const Vector bad(10, not_a_number), high(10, 2.0), low(10, 1.0), negative(10, -0.5);
    perp_rows rows = cones_.step();
    rows.mu = negative.data();
    REFUSE_HANDLE(PERP_BAD_VALUE, perp_problem, perp_cone_assemble, cones_.system.get(), &rows);
    rows = boxes_.step();
    rows.lo_T = high.data();
    rows.hi_T = low.data();
    REFUSE_HANDLE(PERP_BAD_BOUNDS, perp_problem, perp_blcp_assemble, boxes_.system.get(), &rows);
    const perp_triplets H = plain_.H.view();
    REFUSE_HANDLE(PERP_BAD_BOUNDS, perp_problem, perp_blcp_create, &H, plain_.f.data(), high.data(),
                  low.data());
    perp_delassus_def def = initialized(perp_delassus_def_init);
    def.W = &H;
    def.q = bad.data();
    def.mu = delassus_.mu.data();
    REFUSE_HANDLE(PERP_BAD_VALUE, perp_problem, perp_delassus_create, &def);
}

void Refused::changes() {
    const Vector bad(20, not_a_number), high(10, 2.0), low(10, 1.0);
    const int64_t far = 1234567, first = 0;
    const double mu = 0.5;
    perp_rows rows = cones_.step();
    rows.f = bad.data();
    REFUSE(PERP_BAD_VALUE, perp_problem_set_rows, problem_.get(), nullptr, &rows);
    REFUSE(PERP_UNSUPPORTED, perp_problem_set_rows, blcp_.get(), nullptr, &rows);
    REFUSE(PERP_BAD_SIZE, perp_problem_set_rows, problem_.get(), system_.get(), &rows);
    REFUSE(PERP_BAD_BOUNDS, perp_problem_set_vectors, blcp_.get(), nullptr, high.data(),
           low.data());
    REFUSE(PERP_BAD_INDEX, perp_problem_set_ties, blcp_.get(), 1, &far, &first, &mu);
    REFUSE(PERP_UNSUPPORTED, perp_problem_set_law, blcp_.get(), PERP_LAW_COULOMB);
    REFUSE(PERP_BAD_VALUE, perp_problem_set_law, problem_.get(), far);
    REFUSE(PERP_BAD_PATTERN, perp_problem_update, blcp_.get(), 3, high.data());
    REFUSE(PERP_BAD_VALUE, perp_problem_update, blcp_.get(),
           static_cast<int64_t>(plain_.H.value.size()), bad.data());
}

void Refused::queries() {
    perp_problem_info info{};
    REFUSE(PERP_BAD_SIZE, perp_problem_get_info, problem_.get(), &info);
    perp_residual_info residual{};
    REFUSE(PERP_BAD_SIZE, perp_residual, problem_.get(), z_.data(), &residual);
    REFUSE(PERP_UNSUPPORTED, perp_constraint_velocity, blcp_.get(), z_.data(), out_.data(),
           out_.data());
    int64_t count = 1;
    REFUSE(PERP_BAD_SIZE, perp_form_matrix, problem_.get(), &count, places_.data(), places_.data(),
           out_.data());
    EXPECT_EQ(count, 1);
}

void Refused::solvers() {
    REFUSE_INIT(perp_settings_init);
    perp_settings bad = settings(PERP_APGD), lemke = settings(PERP_LEMKE);
    bad.tolerance = -1.0;
    REFUSE_HANDLE(PERP_BAD_SETTING, perp_solver, perp_solver_create, blcp_.get(), &bad);
    REFUSE_HANDLE(PERP_UNSUPPORTED, perp_solver, perp_solver_create, problem_.get(), &lemke);
    REFUSE(PERP_UNSUPPORTED, perp_solver_supports, problem_.get(), PERP_LEMKE);
    REFUSE(PERP_BAD_SETTING, perp_solver_set_settings, solver_.get(), &bad);
    REFUSE(PERP_BAD_SETTING, perp_solver_set, solver_.get(), "a name that no setting has", "1");
    REFUSE(PERP_BAD_SETTING, perp_solver_set, solver_.get(), "tolerance", "as small as it can be");
    perp_settings cut{};
    REFUSE(PERP_BAD_SIZE, perp_solver_get_settings, solver_.get(), &cut);
    REFUSE(PERP_NULL_ARGUMENT, perp_solver_set_callback, nullptr, nullptr, nullptr);
    Vector guess(6, 0.5);
    perp_info info{};
    REFUSE(PERP_BAD_SIZE, perp_solve, solver_.get(), guess.data(), nullptr, &info);
    EXPECT_TRUE(same_bits(guess, Vector(6, 0.5)));
    REFUSE(PERP_UNSUPPORTED, perp_certificate, solver_.get(), out_.data());
    std::vector<int8_t> set(6, 99);
    REFUSE(PERP_UNSUPPORTED, perp_solver_get_basic_set, solver_.get(), set.data());
    REFUSE(PERP_UNSUPPORTED, perp_solver_set_basic_set, solver_.get(), set.data());
    const Solver pivoting = solver(blcp_, settings(PERP_PIVOTING));
    REFUSE(PERP_BAD_VALUE, perp_solver_set_basic_set, pivoting.get(), set.data());
    EXPECT_EQ(set, std::vector<int8_t>(6, 99));
}

void Refused::steps() {
    REFUSE_INIT(perp_friction_def_init);
    REFUSE_INIT(perp_contacts_init);
    perp_friction_def def = friction_def(77);
    REFUSE_HANDLE(PERP_BAD_SETTING, perp_friction, perp_friction_create, &def);
    const perp_rows rows = point_.step_rows();
    perp_contacts contacts = point_.contacts();
    perp_settings apart = step_settings();
    int8_t state = 99;
    apart.tolerance = not_a_number;
    REFUSE(PERP_BAD_SETTING, perp_step, friction_.get(), system_.get(), &rows, &contacts, &apart,
           out_.data(), out_.data(), &state, nullptr);
    contacts.h = -1.0;
    REFUSE(PERP_BAD_VALUE, perp_step, friction_.get(), system_.get(), &rows, &contacts, nullptr,
           out_.data(), out_.data(), &state, nullptr);
    EXPECT_EQ(state, 99);
    const std::vector<int64_t> twice = {5, 5};
    const Vector record(2 * PERP_CONTACT_RECORD, 1.0);
    REFUSE(PERP_BAD_VALUE, perp_friction_set_state, friction_.get(), 2, twice.data(),
           record.data());
    int64_t count = 0;
    REFUSE(PERP_BAD_SIZE, perp_friction_get_state, friction_.get(), &count, places_.data(),
           out_.data());
    EXPECT_EQ(count, 0);
}

void Refused::reads() {
    const std::string text = folder_.at("text");
    REFUSE_HANDLE(PERP_FILE_NOT_FOUND, perp_problem, perp_problem_read, nowhere, PERP_LAW_AUTO);
    REFUSE_HANDLE(PERP_FILE_FORMAT, perp_problem, perp_problem_read, text.c_str(), PERP_LAW_AUTO);
    REFUSE_HANDLE(PERP_FILE_FORMAT, perp_problem, perp_problem_read, file_.c_str(), PERP_LAW_CONE);
    REFUSE_HANDLE(PERP_BAD_VALUE, perp_problem, perp_problem_read, file_.c_str(), 77);
    REFUSE_FILE(PERP_FILE_NOT_FOUND, perp_solution_read, blcp_.get(), nowhere, out_.data());
    REFUSE_FILE(PERP_FILE_FORMAT, perp_solution_read, blcp_.get(), text.c_str(), out_.data());
    REFUSE_FILE(PERP_FILE_FORMAT, perp_solution_read, blcp_.get(), file_.c_str(), out_.data());
}

void Refused::writes() {
    const std::string text = folder_.at("text"), fresh = folder_.at("fresh");
    REFUSE_FILE(PERP_FILE_WRITE, perp_problem_write, blcp_.get(), nowhere, PERP_LAYOUT_PERP, "t",
                "s");
    REFUSE_FILE(PERP_UNSUPPORTED, perp_problem_write, matrix_.get(), fresh.c_str(),
                PERP_LAYOUT_PERP, "t", "s");
    REFUSE_FILE(PERP_UNSUPPORTED, perp_problem_write, blcp_.get(), fresh.c_str(), PERP_LAYOUT_FCLIB,
                "t", "s");
    REFUSE(PERP_UNSUPPORTED, perp_problem_write, problem_.get(), fresh.c_str(),
           PERP_LAYOUT_MATRIX_MARKET, "t", "s");
    REFUSE(PERP_FILE_WRITE, perp_problem_write, blcp_.get(), file_.c_str(),
           PERP_LAYOUT_MATRIX_MARKET, "t", "s");
    REFUSE_FILE(PERP_BAD_VALUE, perp_problem_write, blcp_.get(), fresh.c_str(), 77, "t", "s");
    REFUSE_FILE(PERP_FILE_WRITE, perp_solution_write, blcp_.get(), nowhere, z_.data(), "s");
    REFUSE_FILE(PERP_FILE_WRITE, perp_solution_write, blcp_.get(), text.c_str(), z_.data(), "s");
}

// ------------------------------------------------------------------ all of the header

TEST(NoMemoryForRefusals, EveryFunctionWithAStatusRefuses) {
    Refused refused;
    refused.systems();
    refused.problems();
    refused.changes();
    refused.queries();
    refused.solvers();
    refused.steps();
    refused.reads();
    refused.writes();
    const std::vector<std::string> names = functions_of_header("PERP_API int32_t ");
    EXPECT_GE(names.size(), 38U);
    for (const std::string& name : names)
        EXPECT_EQ(refused.functions().count(name), 1U) << name << " is never refused";
}

}  // namespace
