// Every instance file of moderate size through the public surface: honest outcomes, and product
// counts that do not grow. Skipped where the folder of instances is absent.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "perp/perp.h"

namespace {

namespace fs = std::filesystem;

fs::path instance_folder() {
    const char* given = std::getenv("PERP_INSTANCES");
    return given != nullptr ? given : PERP_INSTANCES_DEFAULT;
}

template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

Handle<perp_problem> read(const fs::path& path) {
    perp_problem* problem = nullptr;
    EXPECT_EQ(perp_problem_read(path.c_str(), PERP_LAW_AUTO, &problem), PERP_OK)
        << perp_last_message();
    return {problem, perp_problem_destroy};
}

// Solves from 0 and checks that the outcome tells the truth about the z returned.
perp_info solve(const perp_problem* problem, int64_t method, double tolerance) {
    perp_settings settings;
    perp_settings_init(&settings, sizeof settings);
    settings.method = method;
    settings.tolerance = tolerance;
    perp_solver* created = nullptr;
    EXPECT_EQ(perp_solver_create(problem, &settings, &created), PERP_OK) << perp_last_message();
    const Handle<perp_solver> solver(created, perp_solver_destroy);
    perp_problem_info size = {};
    size.struct_size = sizeof size;
    perp_problem_get_info(problem, &size);
    std::vector<double> z(static_cast<std::size_t>(size.rows));
    perp_info info = {};
    info.struct_size = sizeof info;
    EXPECT_EQ(perp_solve(created, z.data(), nullptr, &info), PERP_OK) << perp_last_message();
    perp_residual_info residual = {};
    residual.struct_size = sizeof residual;
    perp_residual(problem, z.data(), &residual);
    EXPECT_EQ(info.eta, residual.eta);
    EXPECT_EQ(info.outcome == PERP_SOLVED, residual.eta <= tolerance);
    return info;
}

TEST(Instances, AreSolvedOrRefusedHonestly) {
    const fs::path folder = instance_folder();
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    constexpr std::uintmax_t moderate = 300000;  // bytes: a second at most, also with sanitizers
    const std::set<std::string> without_solution{"infeasible_psd40.h5", "inconsistent_bilateral.h5",
                                                 "nosolution30.h5"};
    int solvable = 0, solved = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const fs::path& path = entry.path();
        const bool file = path.extension() == ".h5" || path.extension() == ".hdf5";
        if (!file || entry.file_size() > moderate) continue;
        SCOPED_TRACE(path.string());
        const Handle<perp_problem> problem = read(path);
        if (perp_solver_supports(problem.get(), PERP_APGD) != PERP_OK) continue;
        const perp_info info = solve(problem.get(), PERP_APGD, 1e-4);
        if (without_solution.count(path.filename().string()) > 0) {
            EXPECT_EQ(info.outcome, PERP_NO_SOLUTION);
            continue;
        }
        EXPECT_NE(info.outcome, PERP_NO_SOLUTION);
        ++solvable;
        solved += info.outcome == PERP_SOLVED ? 1 : 0;
    }
    EXPECT_GT(solvable, 0);
    EXPECT_GE(solved, 0.95 * solvable) << solvable;  // one stack of mass ratio 1e4 stalls
}

// Products with W that a prototype of the same method needed, plus a quarter.
TEST(Instances, ProductsStayBelowTheirCeilings) {
    const fs::path folder = instance_folder() / "chrono";
    if (!fs::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    const struct {
        const char* file;
        double tolerance;
        int64_t products;
    } ceilings[] = {
        {"chrono-guideway-balls.h5", 1e-8, 3182},  {"chrono-chain-open.h5", 1e-4, 2157},
        {"chrono-gravel500-rho005.h5", 1e-8, 912}, {"chrono-wall-rest.h5", 1e-4, 1581},
        {"chrono-wall-fall.h5", 1e-4, 912},        {"chrono-mass1000-start.h5", 1e-2, 5855},
    };
    for (const auto& ceiling : ceilings) {
        SCOPED_TRACE(ceiling.file);
        const Handle<perp_problem> problem = read(folder / ceiling.file);
        const perp_info info = solve(problem.get(), PERP_APGD, ceiling.tolerance);
        EXPECT_EQ(info.outcome, PERP_SOLVED);
        EXPECT_LE(info.products, ceiling.products * 5 / 4);
    }
}

}  // namespace
