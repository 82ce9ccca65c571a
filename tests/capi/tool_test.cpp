// The command-line tool as a user meets it: exit codes, what goes to stdout and what to stderr,
// JSON, files, refusals, Ctrl-C. Runs the program PERP_TOOL.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "perp/perp.h"
#include "scene.hpp"

#ifdef PERP_TOOL
#include "tool_support.hpp"

namespace {

using namespace perp_test;
using perp::scenes::ProblemHandle;
using perp::scenes::require;

TEST_F(Tool, HelpAndVersionAreResults) {
    for (const char* arguments :
         {"--help", "solve --help", "info --help", "check --help", "make --help",
          "make pile --help", "convert --help", "bench --help", "scene --help"}) {
        const Result result = run(arguments);
        EXPECT_EQ(result.code, 0);
        EXPECT_TRUE(contains(result.out, "Usage:")) << arguments;
        EXPECT_EQ(result.err, "");
    }
    const Result version = run("--version");
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(contains(version.out, perp_build_info()));
}

TEST_F(Tool, RefusesWrongUsage) {
    expect_refused("", "subcommand");
    expect_refused("dance", "dance");
    expect_refused("solve", "FILE");
    expect_refused("solve a.h5 --nonsense", "--nonsense");
    expect_refused("make", "subcommand");
    expect_refused("make tower", "tower");
    expect_refused("make wall", "--out");
    expect_refused("make wall --out w.h5 --width 0", "--width");
    expect_refused("make wall --out w.h5 --seed 3", "--seed");
    expect_refused("make chain --out c.h5 --law polygon", "--law");
    expect_refused("make pile --out p.h5 --spheres 20 --steps 5 --rolling --law box", "rolling");
}

TEST_F(Tool, RefusesFilesThatAreNotThere) {
    std::ofstream(path("text.h5")) << "not HDF5\n";
    for (const char* command : {"info", "solve", "solve --json"}) {
        expect_refused(std::string(command) + " missing.h5", "missing.h5");
        expect_refused(std::string(command) + " text.h5", "text.h5");
    }
    make("chain --links 3 --out chain.h5");
    expect_refused("check chain.h5 missing.h5", "missing.h5");
    expect_refused("check chain.h5 chain.h5", "chain.h5");  // has no solution
    ASSERT_EQ(run("convert chain.h5 chain.hdf5 --to fclib").code, 0);
    expect_refused("solve chain.hdf5 --law box", "chain.hdf5");  // has cones only
}

TEST_F(Tool, TiesBoundsThatTheFileDoesNotHave) {
    make("chain --links 3 --out chain.h5");
    const Result solved = run("solve chain.h5 --law box --solver pivoting --tol 1e-9");
    EXPECT_EQ(solved.code, 0) << solved.err;
    EXPECT_TRUE(contains(solved.out, "12 tied rows")) << solved.out;
    EXPECT_TRUE(contains(solved.out, "rounds of bounds tied to impulses")) << solved.out;
    ASSERT_EQ(run("convert chain.h5 tied.h5 --law box").code, 0);
    const Result again = run("solve tied.h5 --solver pivoting --tol 1e-9 --json --out tied.h5");
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.json()["problem"]["tied"], 12);
    EXPECT_GT(again.json()["results"][0]["tie_rounds"], 1);
    EXPECT_EQ(run("check tied.h5 tied.h5 --tol 1e-9").code, 0);
    expect_refused("convert tied.h5 folder --to matrix-market", "tied");
}

TEST_F(Tool, MakeTellsWhatItMade) {
    const Result result =
        run("make wall --width 3 --height 2 --heavy-top 10 --title 'my wall' --out wall.h5");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(contains(result.out, "my wall"));
    EXPECT_TRUE(contains(result.out, "48 contacts"));  // 4 (3 + 5 + 4)
    EXPECT_TRUE(contains(result.out, "144 rows"));
    const std::string first = contents(path("wall.h5"));
    EXPECT_FALSE(first.empty());
}

TEST_F(Tool, MakeIsDeterministic) {
    make("pile --spheres 30 --steps 60 --seed 5 --out a.h5");
    make("pile --spheres 30 --steps 60 --seed 5 --out b.h5");
    make("pile --spheres 30 --steps 60 --seed 6 --out c.h5");
    const double a = run("info a.h5 --json").json()["problem"]["free_velocity_norm"];
    EXPECT_EQ(a, run("info b.h5 --json").json()["problem"]["free_velocity_norm"].get<double>());
    EXPECT_NE(a, run("info c.h5 --json").json()["problem"]["free_velocity_norm"].get<double>());
}

TEST_F(Tool, InfoCountsRows) {
    make("chain --links 10 --out chain.h5");
    const Result text = run("info chain.h5");
    EXPECT_EQ(text.code, 0);
    EXPECT_TRUE(contains(text.out, "20 contacts"));
    const Json json = run("info chain.h5 --json").json();
    EXPECT_EQ(json["file"], "chain.h5");
    const Json& problem = json["problem"];
    EXPECT_EQ(problem["rows"], 87);
    EXPECT_EQ(problem["bilateral"], 27);
    EXPECT_EQ(problem["contacts"], 20);
    EXPECT_EQ(problem["velocities"], 60);
    EXPECT_EQ(problem["law"], "cone");
    EXPECT_EQ(problem["form"], "system");
    EXPECT_EQ(json["solvers"]["apgd"]["fits"], true);
    EXPECT_EQ(json["solvers"]["pgs"]["fits"], true);
}

TEST_F(Tool, RollingWithoutAValueIsAFriction) {
    make("pile --spheres 20 --steps 80 --rolling --out default.h5");
    make("pile --spheres 20 --steps 80 --rolling 0.05 --out given.h5");
    make("pile --spheres 20 --steps 80 --out none.h5");
    EXPECT_EQ(run("info default.h5 --json").json()["problem"],
              run("info given.h5 --json").json()["problem"]);
    EXPECT_EQ(run("info default.h5 --json").json()["problem"]["angular_rows"], 3);
    EXPECT_EQ(run("info none.h5 --json").json()["problem"]["angular_rows"], 0);
}

TEST_F(Tool, SolvesWithAReport) {
    make("wall --width 3 --height 3 --out wall.h5");
    const Result result = run("solve wall.h5");
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.err, "");
    for (const char* part :
         {"76 contacts", "solver", "auto", "  by ", "solved", "penetration velocity"}) {
        EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
    }
    EXPECT_FALSE(contains(result.out, "\x1b"));
}

TEST_F(Tool, SolvesWithJson) {
    make("chain --links 5 --out chain.h5");
    const Result result =
        run("solve chain.h5 --json --tol 1e-6 --set relaxation=1.25 --set sweep_order=bfs "
            "--progress always");
    EXPECT_EQ(result.code, 0);
    const Json json = result.json();
    EXPECT_EQ(json["solved"], true);
    EXPECT_EQ(json["best"], "auto");
    EXPECT_EQ(json["problem"]["rows"], 42);
    ASSERT_EQ(json["results"].size(), 1U);
    const Json& run = json["results"][0];
    EXPECT_EQ(run["outcome"], "solved");
    EXPECT_LE(run["eta"].get<double>(), 1e-6);
    double squares = 0.0;
    for (const char* part : {"bilateral", "normal", "friction", "box"})
        squares += std::pow(run["parts"][part].get<double>(), 2);
    EXPECT_NEAR(std::sqrt(squares), run["eta"].get<double>(),
                1e-12 + 1e-6 * run["eta"].get<double>());
    EXPECT_GT(run["iterations"].get<int>(), 0);
    EXPECT_GT(run["products"].get<int>(), 0);
    EXPECT_GE(run["solve_seconds"].get<double>(), 0.0);
    EXPECT_EQ(run["settings"]["tolerance"], 1e-6);
    EXPECT_EQ(run["settings"]["relaxation"], 1.25);
    EXPECT_EQ(run["settings"]["sweep_order"], "bfs");
}

TEST_F(Tool, ExitCodeOneWhenNotSolved) {
    make("wall --width 4 --height 4 --out wall.h5");
    const Result result = run("solve wall.h5 --tol 1e-9 --max-iterations 3 --json");
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.json()["solved"], false);
    EXPECT_EQ(result.json()["results"][0]["outcome"], "iteration_limit");
    const Result text = run("solve wall.h5 --tol 1e-9 --max-iterations 3");
    EXPECT_EQ(text.code, 1);
    EXPECT_TRUE(contains(text.out, "--max-iterations")) << "no advice";
}

TEST_F(Tool, AllRunsEverySolverThatFits) {
    make("chain --links 4 --out chain.h5");
    const Result result = run("solve chain.h5 --solver all --json --out answer.h5");
    EXPECT_EQ(result.code, 0);
    const Json json = result.json();
    ASSERT_EQ(json["results"].size(), 10U);
    double smallest = 1.0;
    std::string best;
    int ran = 0;
    for (const Json& one : json["results"]) {
        if (!one["ran"].get<bool>()) continue;
        ++ran;
        if (one["eta"].get<double>() < smallest) {
            smallest = one["eta"].get<double>();
            best = one["solver"].get<std::string>();
        }
    }
    EXPECT_EQ(ran, 7) << "cones are not for pivoting methods";
    EXPECT_EQ(json["best"], best);
    EXPECT_DOUBLE_EQ(run("check chain.h5 answer.h5 --json").json()["eta"].get<double>(), smallest);
}

// H = [2 1; -1 2] is not symmetric: projected gradients do not minimise anything.
TEST_F(Tool, SaysWhySolversDoNotFit) {
    const int64_t row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1};
    const double value[] = {2, 1, -1, 2}, q[] = {-1, 1}, lo[] = {0, 0};
    const perp_triplets H{2, 2, 4, row, col, value, 0};
    perp_problem* made = nullptr;
    require(perp_blcp_create(&H, q, lo, nullptr, &made), "blcp");
    const ProblemHandle problem(made);
    require(perp_problem_write(problem.get(), path("blcp.h5").c_str(), PERP_LAYOUT_AUTO, "test",
                               "test"),
            "blcp");
    const Json fits = run("info blcp.h5 --json").json()["solvers"];
    const Result result = run("solve blcp.h5 --solver all --json");
    const Json results = result.json()["results"];
    bool solved = false;
    for (const Json& one : results) {
        const std::string solver = one["solver"];
        EXPECT_EQ(one["ran"], fits[solver]["fits"]) << solver;
        if (one["ran"] == true) {
            solved = solved || one["solved"] == true;
        } else {
            EXPECT_TRUE(contains(one["reason"], "not applicable")) << one;
        }
    }
    EXPECT_EQ(result.code, solved ? 0 : 1);
    if (perp_solver_supports(problem.get(), PERP_APGD) == PERP_UNSUPPORTED) {
        const Result refused = run("solve blcp.h5 --solver apgd");
        EXPECT_EQ(refused.code, 1);
        EXPECT_TRUE(contains(refused.out, "not applicable")) << refused.out;
    }
}

TEST_F(Tool, ChecksWhatItSolved) {
    make("wall --width 3 --height 3 --law box --out wall.h5");
    ASSERT_EQ(run("solve wall.h5 --out answer.h5").code, 0);
    const Result good = run("check wall.h5 answer.h5");
    EXPECT_EQ(good.code, 0) << good.out << good.err;
    EXPECT_TRUE(contains(good.out, "eta"));
    const Result bad = run("check wall.h5 answer.h5 --tol 0 --json");
    EXPECT_EQ(bad.code, 1);
    EXPECT_EQ(bad.json()["good"], false);
    EXPECT_EQ(bad.json()["problem"]["law"], "box");
    // The solution may stand beside its problem.
    ASSERT_EQ(run("solve wall.h5 --out wall.h5").code, 0);
    EXPECT_EQ(run("check wall.h5 wall.h5").code, 0);
    EXPECT_EQ(run("info wall.h5").code, 0);
}

TEST_F(Tool, WarmStartContinues) {
    make("wall --width 4 --height 3 --out wall.h5");
    make("wall --width 2 --height 2 --out other.h5");
    ASSERT_EQ(run("solve wall.h5 --tol 1e-5 --out answer.h5").code, 0);
    const Json cold = run("solve wall.h5 --tol 1e-5 --json").json();
    const Json warm = run("solve wall.h5 --tol 1e-5 --json --warm answer.h5").json();
    EXPECT_EQ(warm["results"][0]["settings"]["warm_start"], 1);
    EXPECT_LT(warm["results"][0]["iterations"].get<int>(),
              cold["results"][0]["iterations"].get<int>());
    expect_refused("solve other.h5 --warm answer.h5", "answer.h5");
    expect_refused("solve wall.h5 --warm missing.h5", "missing.h5");
}

TEST_F(Tool, RefusesBadSettings) {
    make("chain --links 3 --out chain.h5");
    expect_refused("solve chain.h5 --solver secant", "secant");
    expect_refused("solve chain.h5 --set colour=red", "colour");
    expect_refused("solve chain.h5 --set relaxation", "name=value");
    expect_refused("solve chain.h5 --set relaxation=fast", "relaxation");
    expect_refused("solve chain.h5 --set relaxation=2.5", "relaxation");
    expect_refused("solve chain.h5 --set method=pgs", "--solver");
    expect_refused("solve chain.h5 --set tolerance=1", "--tol");
    expect_refused("solve chain.h5 --tol 0", "tolerance");
    expect_refused("solve chain.h5 --max-iterations -1", "max_iterations");
    expect_refused("solve chain.h5 --time-limit -1", "time_limit");
    expect_refused("solve chain.h5 --tol many", "--tol");
    expect_refused("solve chain.h5 --quiet --progress always", "--quiet");
    expect_refused("check chain.h5 chain.h5 --tol -1", "--tol");
}

TEST_F(Tool, KeepsTheStreamsApart) {
    make("wall --width 3 --height 3 --out wall.h5");
    const Result quiet = run("solve wall.h5 --quiet");
    EXPECT_EQ(quiet.code, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
    const Result watched = run("solve wall.h5 --progress always --json");
    EXPECT_TRUE(contains(watched.err, "iteration"));
    EXPECT_FALSE(contains(watched.err, "\r")) << "stderr is no terminal here";
    EXPECT_EQ(watched.json()["solved"], true);
    EXPECT_EQ(run("solve wall.h5 --progress never").err, "");
}

TEST_F(Tool, SaysWhenItCannotWrite) {
    make("chain --links 3 --out chain.h5");
    const Result solution = run("solve chain.h5 --out no/such/folder.h5 --json");
    EXPECT_EQ(solution.code, 2);
    EXPECT_EQ(solution.out, "");
    EXPECT_TRUE(contains(solution.err, "no/such/folder.h5"));
    expect_refused("make chain --out no/such/folder.h5", "no/such/folder.h5");
    if (fs::exists("/dev/full")) {
        const std::string command = "'" PERP_TOOL "' info '" + path("chain.h5") +
                                    "' >/dev/full 2>'" + path("err.txt") + "'";
        const int status = std::system(command.c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2);
        EXPECT_TRUE(contains(contents(path("err.txt")), "standard output"));
    }
}

TEST_F(Tool, CtrlCReportsTheBestAnswer) {
    make("wall --width 6 --height 6 --out wall.h5");
    const Result result =
        run("solve wall.h5 --solver all --tol 1e-300 --max-iterations 1000000000 "
            "--set stagnation_window=0 --json --out answer.h5",
            // --foreground: else the program gets the signal twice, and the second one kills.
            "timeout --foreground --preserve-status -s INT 1");
    EXPECT_EQ(result.code, 1);
    const Json json = result.json();
    EXPECT_EQ(json["solved"], false);
    ASSERT_EQ(json["results"].size(), 10U);
    EXPECT_EQ(json["results"][0]["outcome"], "cancelled");
    EXPECT_LT(json["results"][0]["eta"].get<double>(), 1.0);
    EXPECT_EQ(json["results"][1]["ran"], false);
    EXPECT_EQ(run("check wall.h5 answer.h5 --tol 1").code, 0);
}

}  // namespace
#endif
