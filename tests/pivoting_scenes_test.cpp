// The scenes of algorithms.md section 8 under fixed bounds: factorizations and the sizes of factors
// against the counts of its prototypes (tables 2.4 and 3.2).
#include <filesystem>

#include "io/instance.hpp"
#include "pivoting_support.hpp"
#include "scene.hpp"
#include "solvers/ldl_basis.hpp"

namespace perp::test {
namespace {

Problem boxed(scenes::Scene scene) {
    scenes::set_box_bounds(scene);
    const scenes::ProblemHandle handle = scenes::make_problem(scene, PERP_LAW_BOX);
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    const std::string path = testing::TempDir() + "perp_pivoting_scenes_" + info->name() + ".h5";
    scenes::require(
        perp_problem_write(handle.get(), path.c_str(), PERP_LAYOUT_PERP, nullptr, nullptr), path);
    Problem problem = read_problem(path, Law::box);
    std::filesystem::remove(path);
    return problem;
}

struct Counts {
    std::int64_t factorizations, nonzeros;
};

// What the prototype needs of factorizations on exactly rigid contacts, cold, with lowered delta,
// to eta <= 1e-10 (1e-7 for the pile), and of nonzeros of L. Table 2.4 has no chain of 1 000 links:
// there 50, as for the scenes of the instance files.
void expect_within(const Problem& problem, const Counts& counts) {
    const Pivoted cold = pivot_solved(problem);
    EXPECT_LE(cold.info.factorizations, counts.factorizations);
    const MixedForm form(problem);
    const LdlBasis basis(form);
    EXPECT_LE(basis.statistics().nonzeros, counts.nonzeros + counts.nonzeros / 4);
}

TEST(PivotingScenes, Chain) { expect_within(boxed(scenes::chain(100)), {37, 7312}); }

TEST(PivotingScenes, LongChain) {
    const Problem problem = boxed(scenes::chain(1000));
    expect_within(problem, {50, 73000});
}

TEST(PivotingScenes, Wall) { expect_within(boxed(scenes::wall(10, 10)), {56, 47000}); }

TEST(PivotingScenes, Pile) {
    scenes::PileOptions o;
    o.spheres = 200;
    expect_within(boxed(scenes::pile(o)), {58, 74000});
}

}  // namespace
}  // namespace perp::test
