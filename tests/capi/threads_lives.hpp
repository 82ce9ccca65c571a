// Lives of handles of every kind, with every function of perp.h: what several threads do at once.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "step_support.hpp"

namespace perp_test {

// A stack of boxes with four contacts each: redundant, coupled, friction.
inline StepScene stack_scene(int boxes, double mu_of_all) {
    StepScene scene;
    Matrices& m = scene.matrices;
    m.M = Matrix(6 * boxes, 6 * boxes);
    m.N = Matrix(4 * boxes, 6 * boxes);
    m.D = Matrix(8 * boxes, 6 * boxes);
    const double corners[4][2] = {{0.5, 0.3}, {0.5, -0.3}, {-0.5, 0.3}, {-0.5, -0.3}};
    for (int64_t b = 0; b < boxes; ++b) {
        for (int64_t i = 0; i < 6; ++i)
            m.M.add(6 * b + i, 6 * b + i, i < 3 ? 1.0 : 0.1 + 0.02 * static_cast<double>(i));
        for (int64_t c = 0; c < 4; ++c) {
            for (const int side : {0, 1}) {  // the box, then the one below
                if (side == 1 && b == 0) continue;
                const int64_t dof = 6 * (b - side);
                const double sign = side == 0 ? 1.0 : -1.0, x = corners[c][0], y = corners[c][1],
                             z = side == 0 ? -0.2 : 0.2;
                const int64_t n = 4 * b + c;
                m.N.add(n, dof + 2, sign);
                m.N.add(n, dof + 3, sign * y);
                m.N.add(n, dof + 4, -sign * x);
                m.D.add(2 * n, dof, sign);
                m.D.add(2 * n, dof + 4, sign * z);
                m.D.add(2 * n, dof + 5, -sign * y);
                m.D.add(2 * n + 1, dof + 1, sign);
                m.D.add(2 * n + 1, dof + 3, -sign * z);
                m.D.add(2 * n + 1, dof + 5, sign * x);
            }
        }
    }
    scene.f.assign(static_cast<std::size_t>(6 * boxes), 0.0);
    scene.velocity = scene.f;
    scene.mu.assign(static_cast<std::size_t>(4 * boxes), mu_of_all);
    for (int64_t b = 0; b < boxes; ++b) {
        scene.f[6 * b + 2] = -0.05;
        scene.f[6 * b] = 0.02 * static_cast<double>(b);
    }
    return scene;
}

inline Problem stack(int boxes, double mu_of_all, System* keep = nullptr) {
    const StepScene scene = stack_scene(boxes, mu_of_all);
    System s = system(scene.matrices);
    Problem problem = cone(s, scene.step_rows());
    if (keep != nullptr) *keep = std::move(s);
    return problem;
}

// Runs in the constructor, and keeps what came out.
class Lives {
public:
    // `path`: of this thread alone, for files to come and go.
    explicit Lives(std::string path) : path_(std::move(path)) {
        texts();
        cones();
        bounds();
        blcps();
        delassus();
        for (const int64_t model : models) steps(model);
    }
    [[nodiscard]] const Vector& bits() const { return bits_; }
    [[nodiscard]] const std::set<std::string>& called() const { return called_; }

private:
    void texts();
    void cones();
    void bounds();
    void blcps();
    void delassus();
    void steps(int64_t model);
    void solve_by_all(const perp_problem* problem);
    void solve_by(const perp_problem* problem, int64_t method);
    void query(const perp_problem* problem, const Vector& z);
    // Written, read and destroyed; with a solution. Box rows come back as those of a BLCP.
    void store(const perp_problem* problem, int32_t layout, int32_t law);
    void destroy(perp_problem* problem);

    // Notes that the function of this call was called.
    template <class Call>
    auto call(const std::string& text, const Call& call) {
        called_.insert(text.substr(0, text.find('(')));
        return call();
    }
    void keep(const Vector& values) { bits_.insert(bits_.end(), values.begin(), values.end()); }
    template <class T>
    void keep_number(T x) {
        bits_.push_back(static_cast<double>(x));
    }

    std::string path_;
    Vector bits_;
    std::set<std::string> called_;
};

#define PERP_CALL(...) call(#__VA_ARGS__, [&] { return __VA_ARGS__; })
#define PERP_WORKS(...) EXPECT_EQ(PERP_CALL(__VA_ARGS__), PERP_OK) << perp_last_message()

inline void Lives::texts() {
    for (int32_t k = -1; k <= PERP_INTERNAL; ++k) {
        keep_number(std::string(PERP_CALL(perp_status_text(k))).size());
        keep_number(std::string(PERP_CALL(perp_outcome_text(k))).size());
    }
    keep_number(PERP_CALL(perp_version()));
    keep_number(std::string(PERP_CALL(perp_build_info())).size());
    for (int64_t method = PERP_PGS; method <= PERP_ACCURATE; ++method) {
        const char* name = PERP_CALL(perp_method_name(method));
        EXPECT_EQ(PERP_CALL(perp_method_from_name(name)), method);
    }
    // A message of this thread's own, which the calls of others leave alone.
    const std::string setting = path_.substr(path_.size() - 12);
    Problem problem = blcp(Matrix::diagonal({1.0}), {-1.0});
    const Solver s = solver(problem, settings(PERP_PGS));
    EXPECT_EQ(perp_solver_set(s.get(), setting.c_str(), "1"), PERP_BAD_SETTING);
    EXPECT_EQ(PERP_CALL(perp_last_message()), "there is no setting \"" + setting + "\"");
}

// ------------------------------------------------------------------ problems

inline void Lives::cones() {
    const StepScene scene = stack_scene(2, 0.5);
    const perp_triplets M = scene.matrices.M.view(), N = scene.matrices.N.view(),
                        D = scene.matrices.D.view();
    perp_system_def def;
    PERP_WORKS(perp_system_def_init(&def, sizeof def));
    def.M = &M;
    def.N = &N;
    def.D = &D;
    perp_system* system = nullptr;
    PERP_WORKS(perp_system_create(&def, &system));
    perp_rows rows;
    PERP_WORKS(perp_rows_init(&rows, sizeof rows));
    rows.f = scene.f.data();
    rows.mu = scene.mu.data();
    perp_problem* problem = nullptr;
    PERP_WORKS(perp_cone_assemble(system, &rows, &problem));
    const Vector heavier(scene.matrices.M.value.size(), 3.0), other(scene.mu.size(), 0.25);
    PERP_WORKS(perp_system_update(system, PERP_MATRIX_M, static_cast<int64_t>(heavier.size()),
                                  heavier.data()));
    solve_by_all(problem);
    rows.mu = other.data();
    PERP_WORKS(perp_problem_set_rows(problem, system, &rows));
    PERP_CALL(perp_system_destroy(system));
    PERP_WORKS(perp_problem_set_law(problem, PERP_LAW_COULOMB));
    solve_by_all(problem);
    store(problem, PERP_LAYOUT_PERP, PERP_LAW_COULOMB);
    store(problem, PERP_LAYOUT_FCLIB, PERP_LAW_CONE);
    destroy(problem);
}

// Fixed bounds, and bounds that are tied to normal impulses.
inline void Lives::bounds() {
    const StepScene scene = stack_scene(2, 0.25);
    const System s = system(scene.matrices);
    const Vector lo(2 * scene.mu.size(), -0.01), hi(lo.size(), 0.01);
    for (const bool tied : {false, true}) {
        perp_rows rows = scene.step_rows();
        rows.lo_T = tied ? nullptr : lo.data();
        rows.hi_T = tied ? nullptr : hi.data();
        perp_problem* problem = nullptr;
        PERP_WORKS(perp_blcp_assemble(s.get(), &rows, &problem));
        solve_by_all(problem);
        store(problem, tied ? PERP_LAYOUT_PERP : PERP_LAYOUT_MATRIX_MARKET, PERP_LAW_BOX);
        destroy(problem);
    }
}

inline void Lives::blcps() {
    const Matrix H(3, 3, {2, -0.5, 0.1, -0.5, 3, 0.2, 0.1, 0.2, 4});
    const Vector q{-1, 0.5, -0.25}, lo{0, -1, -infinity}, hi{infinity, 1, infinity},
        changed{-1, -0.5, 0.25};
    const perp_triplets h = H.view();
    perp_problem* problem = nullptr;
    PERP_WORKS(perp_blcp_create(&h, q.data(), lo.data(), hi.data(), &problem));
    PERP_WORKS(perp_problem_set_vectors(problem, changed.data(), nullptr, nullptr));
    Vector twice = H.value;
    for (double& x : twice) x *= 2.0;
    PERP_WORKS(perp_problem_update(problem, h.count, twice.data()));
    solve_by_all(problem);
    store(problem, PERP_LAYOUT_MATRIX_MARKET, PERP_LAW_BOX);
    const int64_t row = 2, normal = 0;
    const double mu = 0.5;
    PERP_WORKS(perp_problem_set_ties(problem, 1, &row, &normal, &mu));
    solve_by_all(problem);
    store(problem, PERP_LAYOUT_PERP, PERP_LAW_BOX);
    destroy(problem);
    Matrix none(2, 2);  // contradictory: there is a certificate
    none.add(0, 0, 1.0);
    const perp_triplets zero = none.view();
    PERP_WORKS(perp_blcp_create(&zero, Vector{-1, -1}.data(), nullptr, nullptr, &problem));
    solve_by_all(problem);
    destroy(problem);
}

inline void Lives::delassus() {
    const Matrix W = Matrix::diagonal({2, 3, 3}), V(3, 1, {0.1, 0.2, 0.3}), R(1, 1, {1.0});
    const perp_triplets w = W.view(), v = V.view(), r = R.view();
    const Vector q{-1, 0.5, 0.25}, mu{0.5}, s{0.25};
    perp_delassus_def def;
    PERP_WORKS(perp_delassus_def_init(&def, sizeof def));
    def.W = &w;
    def.V = &v;
    def.R = &r;
    def.q = q.data();
    def.mu = mu.data();
    def.s = s.data();
    perp_problem* problem = nullptr;
    PERP_WORKS(perp_delassus_create(&def, &problem));
    solve_by_all(problem);
    store(problem, PERP_LAYOUT_FCLIB, PERP_LAW_CONE);
    PERP_WORKS(perp_problem_set_law(problem, PERP_LAW_COULOMB));
    solve_by_all(problem);
    destroy(problem);
}

inline void Lives::destroy(perp_problem* problem) { PERP_CALL(perp_problem_destroy(problem)); }

inline void Lives::query(const perp_problem* problem, const Vector& z) {
    auto info = sized<perp_problem_info>();
    PERP_WORKS(perp_problem_get_info(problem, &info));
    auto residual = sized<perp_residual_info>();
    PERP_WORKS(perp_residual(problem, z.data(), &residual));
    keep({info.asymmetry, info.free_velocity_norm, residual.eta, residual.eta_coulomb});
    Vector u(z.size());
    PERP_WORKS(perp_constraint_velocity(problem, z.data(), u.data(), nullptr));
    keep(u);
    int64_t count = 0;
    PERP_WORKS(perp_form_matrix(problem, &count, nullptr, nullptr, nullptr));
    std::vector<int64_t> row(static_cast<std::size_t>(count)), col(row);
    Vector value(row.size());
    PERP_WORKS(perp_form_matrix(problem, &count, row.data(), col.data(), value.data()));
    keep(value);
}

inline void Lives::store(const perp_problem* problem, int32_t layout, int32_t law) {
    const bool folder = layout == PERP_LAYOUT_MATRIX_MARKET;
    const std::string path = path_ + (folder ? ".folder" : "");
    PERP_WORKS(perp_problem_write(problem, path.c_str(), layout, "title", "source"));
    auto info = sized<perp_problem_info>();
    EXPECT_EQ(perp_problem_get_info(problem, &info), PERP_OK);
    Vector z(static_cast<std::size_t>(info.rows), 0.01), stored(z.size());
    PERP_WORKS(perp_solution_write(problem, path.c_str(), z.data(), "threads"));
    perp_problem* read = nullptr;
    PERP_WORKS(perp_problem_read(path.c_str(), law, &read));
    PERP_WORKS(perp_solution_read(read, path.c_str(), stored.data()));
    EXPECT_TRUE(same_bits(stored, z));
    query(read, stored);
    destroy(read);
    std::filesystem::remove_all(path);
}

// ------------------------------------------------------------------ solvers

inline void Lives::solve_by_all(const perp_problem* problem) {
    int supported = 0;
    for (int64_t method = PERP_PGS; method <= PERP_ACCURATE; ++method) {
        const int32_t status = PERP_CALL(perp_solver_supports(problem, method));
        keep_number(status);
        if (status != PERP_OK) continue;
        solve_by(problem, method);
        ++supported;
    }
    EXPECT_GE(supported, 4);
}

inline void Lives::solve_by(const perp_problem* problem, int64_t method) {
    perp_settings given;
    PERP_WORKS(perp_settings_init(&given, sizeof given));
    given.max_iterations = 60;
    perp_solver* s = nullptr;
    PERP_WORKS(perp_solver_create(problem, &given, &s));
    PERP_WORKS(perp_solver_set(s, "method", perp_method_name(method)));
    PERP_WORKS(perp_solver_get_settings(s, &given));
    given.tolerance = 1e-6;
    PERP_WORKS(perp_solver_set_settings(s, &given));
    double largest = 0.0;
    const auto watch = [](const perp_progress* progress, void* user) -> int32_t {
        double& eta = *static_cast<double*>(user);
        eta = std::max(eta, progress->best_eta);
        return 0;
    };
    PERP_WORKS(perp_solver_set_callback(s, watch, &largest));
    auto size = sized<perp_problem_info>();
    EXPECT_EQ(perp_problem_get_info(problem, &size), PERP_OK);
    Vector z(static_cast<std::size_t>(size.rows)), u(z.size()), certificate(z.size());
    auto info = sized<perp_info>();
    PERP_WORKS(perp_solve(s, z.data(), u.data(), &info));
    keep(z);
    keep(u);
    keep({info.eta, largest, info.delta});
    for (const int64_t n : {info.outcome, info.iterations, info.products, info.factorizations,
                            info.fallbacks, info.method})
        keep_number(n);
    if (info.outcome == PERP_NO_SOLUTION)
        keep_number(PERP_CALL(perp_certificate(s, certificate.data())));
    keep(certificate);
    std::vector<int8_t> set(z.size());
    if (PERP_CALL(perp_solver_get_basic_set(s, set.data())) == PERP_OK) {
        keep(Vector(set.begin(), set.end()));
        PERP_WORKS(perp_solver_set_basic_set(s, set.data()));
        PERP_WORKS(perp_solve(s, z.data(), nullptr, nullptr));
        keep(z);
    }
    query(problem, z);
    PERP_CALL(perp_solver_destroy(s));
}

// ------------------------------------------------------------------ steps

inline void Lives::steps(int64_t model) {
    const StepScene scene = stack_scene(1, 0.25);
    const System s = system(scene.matrices);
    perp_friction_def def;
    PERP_WORKS(perp_friction_def_init(&def, sizeof def));
    def.model = model;
    def.stiffness = 1e6;
    def.max_passes = 20;
    perp_friction* friction = nullptr;
    PERP_WORKS(perp_friction_create(&def, &friction));
    const perp_rows rows = scene.step_rows();
    perp_contacts contacts;
    PERP_WORKS(perp_contacts_init(&contacts, sizeof contacts));
    contacts.h = scene.h;
    contacts.velocity = scene.velocity.data();
    const perp_settings settings = step_settings(1e-6);
    int64_t count = static_cast<int64_t>(scene.mu.size());
    std::vector<int64_t> id(scene.mu.size());
    Vector v(scene.f.size()), z(3 * scene.mu.size()), record(PERP_CONTACT_RECORD * id.size());
    std::vector<int8_t> state(scene.mu.size());
    for (int k = 0; k < 2; ++k) {
        auto info = sized<perp_step_info>();
        PERP_WORKS(perp_step(friction, s.get(), &rows, &contacts, &settings, v.data(), z.data(),
                             state.data(), &info));
        PERP_WORKS(perp_friction_get_state(friction, &count, id.data(), record.data()));
        PERP_WORKS(perp_friction_set_state(friction, count, id.data(), record.data()));
        for (const Vector& part : {v, z, record, Vector(state.begin(), state.end())}) keep(part);
        keep({info.eta, info.law_residual, info.dissipation});
    }
    PERP_CALL(perp_friction_destroy(friction));
}

#undef PERP_CALL
#undef PERP_WORKS

}  // namespace perp_test
