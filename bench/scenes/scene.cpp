#include "scene.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace perp::scenes {
SystemHandle make_system(const Scene& scene) {
    const perp_triplets M = scene.M.view(), A = scene.A.view(), N = scene.N.view();
    const perp_triplets D = scene.D.view(), S = scene.S.view();
    const perp_triplets B = scene.B.view();
    auto def = initialized(perp_system_def_init);
    def.M = &M;
    if (A.rows > 0) def.A = &A;
    if (N.rows > 0) def.N = &N;
    if (D.rows > 0) def.D = &D;
    if (S.rows > 0) def.S = &S;
    if (B.rows > 0) def.B = &B;
    perp_system* system = nullptr;
    require(perp_system_create(&def, &system), scene.title);
    return SystemHandle(system);
}

perp_rows make_rows(const Scene& scene) {
    auto rows = initialized(perp_rows_init);
    rows.f = scene.f.data();
    rows.u = data_or_null(scene.u);
    rows.b_N = data_or_null(scene.b_N);
    rows.compliance_N = data_or_null(scene.compliance_N);
    rows.compliance_T = data_or_null(scene.compliance_T);
    rows.compliance_S = data_or_null(scene.compliance_S);
    rows.mu = data_or_null(scene.mu);
    rows.rho = data_or_null(scene.rho);
    rows.sigma = data_or_null(scene.sigma);
    rows.lo_T = data_or_null(scene.lo_T);
    rows.hi_T = data_or_null(scene.hi_T);
    rows.b_B = data_or_null(scene.b_B);
    rows.lo_B = data_or_null(scene.lo_B);
    rows.hi_B = data_or_null(scene.hi_B);
    return rows;
}

void Triplets::add(int64_t i, int64_t j, double x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
}

perp_triplets Triplets::view() const {
    perp_triplets t{};
    t.rows = rows;
    t.cols = cols;
    t.count = static_cast<int64_t>(value.size());
    t.row = row.data();
    t.col = col.data();
    t.value = value.data();
    return t;
}

ProblemHandle make_problem(const Scene& scene, int32_t law) {
    const SystemHandle system = make_system(scene);
    const perp_rows rows = make_rows(scene);
    perp_problem* problem = nullptr;
    const auto assemble = law == PERP_LAW_BOX ? perp_blcp_assemble : perp_cone_assemble;
    require(assemble(system.get(), &rows, &problem), scene.title);
    return ProblemHandle(problem);
}

void write_instance(const Scene& scene, const std::string& path, const std::string& title) {
    const ProblemHandle problem = make_problem(scene);
    require(
        perp_problem_write(problem.get(), path.c_str(), PERP_LAYOUT_PERP, title.c_str(), "perp"),
        path);
}

void set_box_bounds(Scene& scene) {
    if (scene.S.rows > 0) {
        throw std::runtime_error(scene.title + ": the box law has no rolling and spinning rows");
    }
    const ProblemHandle problem = make_problem(scene, PERP_LAW_CONE);
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_APGD;
    settings.tolerance = 1e-4;
    settings.max_iterations = 200000;
    perp_solver* created = nullptr;
    require(perp_solver_create(problem.get(), &settings, &created), scene.title);
    const SolverHandle solver(created);

    std::vector<double> z(static_cast<std::size_t>(scene.rows()), 0.0);
    auto info = sized<perp_info>();
    require(perp_solve(solver.get(), z.data(), nullptr, &info), scene.title);
    if (info.outcome != PERP_SOLVED) {
        std::ostringstream text;
        text << scene.title << ": no bounds for the box law: the cone solve ended with \""
             << perp_outcome_text(info.outcome) << "\" at eta " << info.eta << ", 1e-4 is needed";
        throw std::runtime_error(text.str());
    }
    const auto contacts = static_cast<std::size_t>(scene.contacts());
    scene.lo_T.resize(2 * contacts);
    scene.hi_T.resize(2 * contacts);
    for (std::size_t i = 0; i < contacts; ++i) {
        const double normal = z[static_cast<std::size_t>(scene.A.rows) + i];
        const double limit = scene.mu[i] * std::max(normal, 0.0);
        for (std::size_t k = 2 * i; k < 2 * i + 2; ++k) {
            scene.lo_T[k] = -limit;
            scene.hi_T[k] = limit;
        }
    }
}

}  // namespace perp::scenes
