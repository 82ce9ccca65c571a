// The input is a program of calls over a small pool of handles of every kind, in any order.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "make.hpp"
#include "temporary.hpp"

using namespace perp_fuzz;

namespace {

struct OwnedProblem {
    perp_problem* handle = nullptr;
    Sizes sizes;  // of the system, if assembled from one
    bool assembled = false;
};

struct OwnedSystem {
    perp_system* handle = nullptr;
    Sizes sizes;
};

struct OwnedSolver {
    perp_solver* handle = nullptr;
    std::size_t problem = 0;
    bool follows = false;  // the problem it was made from still exists
};

class Pool {
public:
    explicit Pool(Input& in) : in_(in) {}
    ~Pool() {
        for (OwnedSystem& s : systems_) perp_system_destroy(s.handle);
        for (OwnedProblem& p : problems_) perp_problem_destroy(p.handle);
        for (OwnedSolver& s : solvers_) perp_solver_destroy(s.handle);
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    void call();

private:
    OwnedSystem& system() { return systems_[static_cast<std::size_t>(in_.below(2))]; }
    std::size_t problem_slot() { return static_cast<std::size_t>(in_.below(3)); }
    OwnedProblem& problem() { return problems_[problem_slot()]; }
    OwnedSolver& solver() { return solvers_[static_cast<std::size_t>(in_.below(3))]; }

    void replace(std::size_t slot, const OwnedProblem& with);
    void new_problem();
    void change_problem();
    void new_solver();
    void use_solver();
    void set_by_name(perp_solver* solver);
    void settings(perp_solver* solver);
    void files();
    void nulls();

    Input& in_;
    std::array<OwnedSystem, 2> systems_;
    std::array<OwnedProblem, 3> problems_;
    std::array<OwnedSolver, 3> solvers_;
};

void Pool::replace(std::size_t slot, const OwnedProblem& with) {
    for (OwnedSolver& s : solvers_)
        if (s.problem == slot) s.follows = false;
    perp_problem_destroy(problems_[slot].handle);
    problems_[slot] = with;
}

void Pool::new_problem() {
    OwnedProblem made;
    const std::int64_t kind = in_.below(4);
    if (kind < 2) {
        const OwnedSystem& from = system();
        made.sizes = from.sizes;
        made.assembled = true;
        made.handle =
            make_assembled(in_, from.handle, from.sizes, kind == 0 ? PERP_LAW_CONE : PERP_LAW_BOX);
    } else {
        made.handle = kind == 2 ? make_blcp(in_) : make_delassus(in_);
    }
    replace(problem_slot(), made);
}

void Pool::change_problem() {
    const OwnedProblem& p = problem();
    if (p.handle == nullptr) {
        require(perp_problem_update(nullptr, 0, nullptr) == PERP_NULL_ARGUMENT, "NULL is refused");
        return;
    }
    switch (in_.below(4)) {
        case 0:
            set_rows(in_, p.handle, in_.flag() ? system().handle : nullptr, p.sizes);
            break;
        case 2:
            check_status(
                perp_problem_set_law(p.handle, in_.seldom() ? in_.integer() : in_.below(4)));
            break;
        case 1: {
            const std::int64_t rows = rows_of(p.handle);
            const std::vector<double> q = in_.reals(rows), lo = in_.reals(rows),
                                      hi = in_.reals(rows);
            check_status(perp_problem_set_vectors(p.handle, in_.flag() ? q.data() : nullptr,
                                                  in_.flag() ? lo.data() : nullptr,
                                                  in_.flag() ? hi.data() : nullptr));
            break;
        }
        default: {
            const std::vector<double> values = in_.reals(in_.below(24));
            check_status(perp_problem_update(p.handle, static_cast<std::int64_t>(values.size()),
                                             values.data()));
        }
    }
    rows_of(p.handle);
}

void Pool::new_solver() {
    OwnedSolver& s = solver();
    const std::size_t from = problem_slot();
    perp_solver_destroy(s.handle);
    s.handle = nullptr;
    perp_settings settings;
    perp_settings_init(&settings, sizeof settings);
    settings.method = in_.seldom() ? in_.integer() : 1 + in_.below(10);
    settings.max_iterations = in_.below(24);
    if (in_.flag()) settings.tolerance = in_.real();
    settings.warm_start = in_.flag() ? 1 : 0;
    if (in_.flag()) settings.least_norm = in_.seldom() ? in_.integer() : 1;
    if (in_.seldom()) settings.struct_size = in_.below(12) * 8 - 8;
    const std::int32_t status =
        perp_solver_create(problems_[from].handle, in_.seldom() ? nullptr : &settings, &s.handle);
    check_status(status);
    require((status == PERP_OK) == (s.handle != nullptr), "a solver exactly on PERP_OK");
    s.problem = from;
    s.follows = s.handle != nullptr;
    if (s.handle != nullptr) check_status(perp_solver_set(s.handle, "max_iterations", "20"));
}

void Pool::set_by_name(perp_solver* solver) {
    static constexpr const char* names[] = {"method",
                                            "tolerance",
                                            "max_iterations",
                                            "time_limit",
                                            "warm_start",
                                            "relaxation",
                                            "sweep_order",
                                            "symmetric_sweep",
                                            "seed",
                                            "check_interval",
                                            "threads",
                                            "stagnation_window",
                                            "eliminate_bilateral",
                                            "anderson_window",
                                            "least_norm"};
    static constexpr const char* values[] = {
        "pgs", "apgd",  "aapgs",  "pivoting", "keller", "lemke", "ipm",   "coloured",
        "bfs", "given", "random", "0",        "1",      "2",     "-1",    "1e-8",
        "0.5", "nan",   "",       "inf",      "24",     " 1",    "1e400", "0x10"};
    const std::string name =
        in_.seldom() ? in_.text(12) : names[in_.below(static_cast<std::int64_t>(std::size(names)))];
    const std::string value = in_.seldom()
                                  ? in_.text(12)
                                  : values[in_.below(static_cast<std::int64_t>(std::size(values)))];
    check_status(perp_solver_set(solver, name.c_str(), value.c_str()));
    check_status(perp_solver_set(solver, "max_iterations", "20"));
}

void Pool::settings(perp_solver* solver) {
    perp_settings now{};
    now.struct_size = sizeof now;
    require(perp_solver_get_settings(solver, &now) == PERP_OK, "settings can be read");
    require(perp_solver_set_settings(solver, &now) == PERP_OK, "and set again");
    switch (in_.below(4)) {
        case 0:
            now.method = in_.integer();
            break;
        case 1:
            now.relaxation = in_.real();
            break;
        case 2:
            now.check_interval = in_.integer();
            break;
        default:
            now.struct_size = in_.integer() % 65;
    }
    check_status(perp_solver_set_settings(solver, &now));
    check_status(perp_solver_set(solver, "max_iterations", "20"));
}

// Cancels after a few calls.
std::int32_t count_down(const perp_progress* progress, void* user) {
    require(progress->struct_size == sizeof(perp_progress), "progress is sized");
    return --*static_cast<int*>(user) < 0 ? 1 : 0;
}

void Pool::use_solver() {
    OwnedSolver& s = solver();
    if (s.handle == nullptr) {
        double z = 7.0;
        require(perp_solve(nullptr, &z, nullptr, nullptr) == PERP_NULL_ARGUMENT, "NULL is refused");
        require(z == 7.0, "z is untouched on failure");
        return;
    }
    switch (in_.below(5)) {
        case 0:
            set_by_name(s.handle);
            break;
        case 1:
            settings(s.handle);
            break;
        case 2:
            perp_solver_destroy(s.handle);
            s.handle = nullptr;
            break;
        default:
            if (!s.follows) break;  // its size is not known here
            const perp_problem* p = problems_[s.problem].handle;
            int calls = static_cast<int>(in_.below(8));
            if (in_.flag()) perp_solver_set_callback(s.handle, count_down, &calls);
            solve(s.handle, p, in_.reals(rows_of(p)));
            perp_solver_set_callback(s.handle, nullptr, nullptr);
    }
}

void Pool::files() {
    const OwnedProblem& p = problem();
    const std::string file = temporary().at("calls" + std::to_string(in_.below(2)) + ".h5");
    std::vector<double> z;
    if (p.handle != nullptr) z.assign(static_cast<std::size_t>(rows_of(p.handle)), 0.5);
    switch (in_.below(4)) {
        case 0:
            check_status(perp_problem_write(p.handle, file.c_str(),
                                            static_cast<std::int32_t>(in_.below(4)), nullptr,
                                            in_.text(8).c_str()));
            break;
        case 1: {
            OwnedProblem made;
            const std::int32_t status = perp_problem_read(
                file.c_str(), static_cast<std::int32_t>(in_.below(4)), &made.handle);
            check_status(status);
            require((status == PERP_OK) == (made.handle != nullptr), "a problem exactly on OK");
            if (made.handle == nullptr) break;
            read_all(in_, made.handle);
            perp_problem_destroy(made.handle);
            break;
        }
        case 2:
            check_status(perp_solution_write(p.handle, file.c_str(), z.data(), "fuzz"));
            break;
        default: {
            const std::vector<double> before = z;
            const std::int32_t status = perp_solution_read(p.handle, file.c_str(), z.data());
            check_status(status);
            if (status != PERP_OK) require(same_bits(z, before), "z is untouched on failure");
        }
    }
}

void Pool::nulls() {
    perp_problem* out = nullptr;
    perp_solver* solver_out = nullptr;
    perp_system* system_out = nullptr;
    const std::int32_t refused[] = {perp_system_create(nullptr, &system_out),
                                    perp_cone_assemble(nullptr, nullptr, &out),
                                    perp_blcp_create(nullptr, nullptr, nullptr, nullptr, &out),
                                    perp_delassus_create(nullptr, &out),
                                    perp_problem_set_rows(nullptr, nullptr, nullptr),
                                    perp_problem_get_info(nullptr, nullptr),
                                    perp_residual(nullptr, nullptr, nullptr),
                                    perp_form_matrix(nullptr, nullptr, nullptr, nullptr, nullptr),
                                    perp_solver_create(nullptr, nullptr, &solver_out),
                                    perp_solver_set(nullptr, nullptr, nullptr),
                                    perp_certificate(nullptr, nullptr),
                                    perp_problem_read(nullptr, 0, &out),
                                    perp_problem_read("x", 0, nullptr),
                                    perp_system_def_init(nullptr, 80),
                                    perp_rows_init(nullptr, 80)};
    for (const std::int32_t status : refused)
        require(status == PERP_NULL_ARGUMENT, "NULL is refused");
    require(out == nullptr && solver_out == nullptr && system_out == nullptr, "nothing is made");
    perp_problem_destroy(nullptr);
    require(perp_method_name(in_.integer() | 64) == nullptr, "no such method");
    require(perp_method_from_name(in_.text(6).c_str()) < 64, "a method or none");
    require(perp_status_text(static_cast<std::int32_t>(in_.byte())) != nullptr, "a text");
    require(perp_outcome_text(in_.integer()) != nullptr, "a text");
}

void Pool::call() {
    switch (in_.below(10)) {
        case 0: {
            OwnedSystem& s = system();
            perp_system_destroy(s.handle);
            s = {};
            s.handle = make_system(in_, s.sizes);
            break;
        }
        case 1: {
            OwnedSystem& s = system();
            if (s.handle == nullptr) break;
            const std::vector<double> values = in_.reals(in_.below(24));
            check_status(perp_system_update(s.handle, static_cast<std::int32_t>(in_.below(7)),
                                            static_cast<std::int64_t>(values.size()),
                                            values.data()));
            break;
        }
        case 2:
        case 3:
            new_problem();
            break;
        case 4:
            change_problem();
            break;
        case 5:
            new_solver();
            break;
        case 6:
        case 7:
            use_solver();
            break;
        case 8:
            files();
            break;
        default:
            if (in_.flag()) {
                nulls();
            } else {
                const OwnedProblem& p = problem();
                if (p.handle != nullptr) read_all(in_, p.handle);
            }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input in(data, size);
    for (const char* name : {"calls0.h5", "calls1.h5"}) std::remove(temporary().at(name).c_str());
    Pool pool(in);
    for (int calls = 0; calls < 40 && !in.empty(); ++calls) pool.call();
    return 0;
}
