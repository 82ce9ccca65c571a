// Lemke's method on the instance files of general and box problems: what it solves, to which
// accuracy, in how many pivots. Skipped where the folder of instances is absent.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "io/instance.hpp"
#include "lemke_support.hpp"

namespace perp::test {
namespace {

namespace fs = std::filesystem;

fs::path instance_folder() {
    const char* given = std::getenv("PERP_INSTANCES");
    return (given != nullptr ? fs::path(given) : fs::path(PERP_INSTANCES_DEFAULT)) / "blcp";
}

Shared instance(const std::string& file) {
    return shared(read_problem((instance_folder() / file).string(), std::nullopt));
}

TEST(LemkeInstances, AreSolvedOrProvedToHaveNoSolution) {
    if (!fs::exists(instance_folder())) GTEST_SKIP() << "no instances at " << instance_folder();
    const std::set<std::string> proved{"infeasible_psd40.h5", "inconsistent_bilateral.h5"};
    const std::set<std::string> open{
        "lcp_CPS_3.hdf5",           // a bimatrix game: every covering vector meets a ray at once
        "nosolution30.h5",          // feasible, without a solution
        "mlcp_diodeBridge40.hdf5",  // 40 free rows with a singular block that is not monotone
    };
    int solved = 0;
    for (const auto& entry : fs::directory_iterator(instance_folder())) {
        const fs::path& path = entry.path();
        const std::string name = path.filename().string();
        if (path.extension() != ".h5" && path.extension() != ".hdf5") continue;
        SCOPED_TRACE(name);
        const Shared problem = instance(name);
        if (!MixedForm::reason(*problem).empty() || problem->rows() > 1500) continue;
        const LemkeRun run = lemke(problem);
        if (proved.count(name) > 0) {
            EXPECT_EQ(run.info.outcome, Outcome::no_solution);
            EXPECT_TRUE(run.proof_holds(*problem));
        } else if (open.count(name) > 0) {
            EXPECT_EQ(run.info.outcome, Outcome::stalled);
        } else {
            EXPECT_EQ(run.info.outcome, Outcome::solved);
            EXPECT_LE(run.eta, 1e-10);
            EXPECT_LE(run.info.backward_error, 1e-10);
            ++solved;
        }
    }
    EXPECT_GE(solved, 46);
}

// What was measured, plus a quarter.
TEST(LemkeInstances, PivotsStayBelowTheirCeilings) {
    if (!fs::exists(instance_folder())) GTEST_SKIP() << "no instances at " << instance_folder();
    const struct {
        const char* file;
        std::int64_t pivots, factorizations;
    } ceilings[] = {{"randP200.h5", 114, 9},  {"randPSD300.h5", 132, 9},
                    {"mixed250.h5", 74, 5},   {"rope0100.h5", 1252, 188},
                    {"stack50.h5", 1191, 81}, {"wall06x05.h5", 1891, 128},
                    {"ragdoll12.h5", 251, 18}};
    for (const auto& ceiling : ceilings) {
        SCOPED_TRACE(ceiling.file);
        const LemkeRun run = lemke(instance(ceiling.file));
        EXPECT_EQ(run.info.outcome, Outcome::solved);
        EXPECT_LE(run.info.single_pivots, ceiling.pivots * 5 / 4);
        EXPECT_LE(run.info.factorizations, ceiling.factorizations * 5 / 4);
    }
}

}  // namespace
}  // namespace perp::test
