// perp convert, and the other commands on folders of Matrix Market files.
#include "perp/perp.h"

#ifdef PERP_TOOL
#include "tool_support.hpp"

namespace {

using namespace perp_test;

class Convert : public Tool {
protected:
    // Code 0, nothing on stderr, one line on stdout that holds all of these.
    void convert(const std::string& arguments, const std::vector<std::string>& pieces) const {
        const Result result = run("convert " + arguments);
        EXPECT_EQ(result.code, 0) << arguments << "\n" << result.err;
        EXPECT_EQ(result.err, "") << arguments;
        EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << result.out;
        for (const std::string& piece : pieces)
            EXPECT_TRUE(contains(result.out, piece)) << result.out << "lacks " << piece;
    }
    [[nodiscard]] double eta(const std::string& problem, const std::string& solution) const {
        return run("check " + problem + " " + solution + " --json").json()["eta"];
    }
    void make_box_wall() const {
        make("wall --width 4 --height 3 --law box --out wall.h5");
        ASSERT_EQ(run("solve wall.h5 --quiet --tol 1e-6 --out wall.h5").code, 0);
    }
};

// Everything behind the comments.
std::string numbers(const std::string& file) {
    std::istringstream lines(contents(file));
    std::string text;
    for (std::string line; std::getline(lines, line);)
        if (line.rfind('%', 0) != 0) text += line + "\n";
    return text;
}

TEST_F(Convert, ThereAndBackAgain) {
    make_box_wall();
    convert("wall.h5 wall/",
            {"wall/: folder of Matrix Market files", "box law, 108 contacts", "with the solution"});
    convert("wall blcp.h5", {"blcp.h5: perp file", "324 BLCP rows", "with the solution"});
    convert("blcp.h5 again", {"again: folder of Matrix Market files"});
    for (const char* name : {"H.mtx", "q.mtx", "lo.mtx", "hi.mtx", "z.mtx"}) {
        const std::string first = numbers(path("wall/" + std::string(name)));
        EXPECT_GT(first.size(), 324U) << name;
        EXPECT_TRUE(first == numbers(path("again/" + std::string(name)))) << name;
    }
    const double before = eta("wall.h5", "wall.h5");
    EXPECT_GT(before, 0.0);
    EXPECT_LT(before, 1e-6);
    for (const char* problem : {"wall", "blcp.h5", "again/"})
        EXPECT_NEAR(eta(problem, problem), before, 1e-12) << problem;
    EXPECT_NEAR(eta("wall.h5", "again"), before, 1e-12) << "rows keep their order";
}

TEST_F(Convert, FoldersAreInstances) {
    make_box_wall();
    convert("wall.h5 wall --title 'my wall' --source 'by hand'", {});
    EXPECT_TRUE(contains(contents(path("wall/H.mtx")), "% title: my wall\n% source: by hand\n"));
    EXPECT_TRUE(contains(run("info wall").out, "324 BLCP rows"));
    EXPECT_EQ(run("info wall/ --json").json()["problem"]["form"], "blcp");
    const Result solved = run("solve wall --out answer/");
    EXPECT_EQ(solved.code, 0) << solved.err;
    EXPECT_TRUE(contains(contents(path("answer/z.mtx")), "% solution by auto, eta "));
    EXPECT_EQ(run("check wall answer").code, 0);
    EXPECT_EQ(run("check wall.h5 answer").code, 0);
    EXPECT_EQ(run("solve wall --quiet --warm answer --out wall").code, 0);
    EXPECT_EQ(run("check wall wall").code, 0);
    expect_refused("info wall --law cone", "general BLCP");
    expect_refused("info .", "H.mtx");
    expect_refused("solve wall --out .", "not changed");
    std::ofstream(path("wall/q.mtx"), std::ios::app) << "1\n";
    expect_refused("info wall", "wall/q.mtx: line 330: ");
}

TEST_F(Convert, BetweenTheHdf5Layouts) {
    make("chain --links 5 --out chain.h5");
    convert("chain.h5 global.hdf5 --to fclib", {"FCLIB file", "cone law", "without a solution"});
    ASSERT_EQ(run("solve global.hdf5 --quiet --out global.hdf5").code, 0);
    convert("global.hdf5 back.h5", {"perp file", "with the solution"});
    convert("back.h5 again.hdf5 --to fclib", {"FCLIB file", "with the solution"});
    EXPECT_EQ(run("info chain.h5 --json").json()["problem"],
              run("info back.h5 --json").json()["problem"]);
    const double eta_before = eta("global.hdf5", "global.hdf5");
    EXPECT_EQ(eta("back.h5", "back.h5"), eta_before);
    EXPECT_EQ(eta("again.hdf5", "again.hdf5"), eta_before);
    EXPECT_EQ(eta("chain.h5", "again.hdf5"), eta_before);
}

TEST_F(Convert, RefusesWhatALayoutCannotHold) {
    make("wall --width 3 --height 2 --law box --out box.h5");
    make("pile --spheres 30 --steps 60 --rolling --out rolling.h5");
    convert("box.h5 cone.h5 --law cone", {"cone law"});
    expect_refused("convert cone.h5 folder", "no cones");
    expect_refused("convert cone.h5 folder.h5 --to matrix-market", "no cones");
    expect_refused("convert box.h5 a.hdf5 --to fclib", "box law");
    expect_refused("convert rolling.h5 a.hdf5 --to fclib", "spinning");
    convert("cone.h5 global.hdf5 --to fclib", {"FCLIB"});
    expect_refused("convert global.hdf5 a.h5 --law box", "/box/lo");
    expect_refused("convert missing.h5 a.h5", "missing.h5");
    expect_refused("convert box.h5", "OUT");
    expect_refused("convert box.h5 a.h5 --to csv", "csv");
    for (const char* name : {"folder", "folder.h5", "a.hdf5", "a.h5"})
        EXPECT_FALSE(fs::exists(path(name))) << name;
}

TEST_F(Convert, ReplacesOnlyWithForce) {
    make("wall --width 3 --height 2 --law box --out box.h5");
    make("wall --width 2 --height 2 --law box --out other.h5");
    convert("box.h5 folder", {});
    const std::string other = contents(path("other.h5")), H = contents(path("folder/H.mtx"));
    expect_refused("convert box.h5 other.h5", "--force");
    expect_refused("convert other.h5 folder", "--force");
    for (const char* itself :
         {"box.h5 box.h5", "box.h5 ./box.h5 --force", "folder folder/ --force"})
        expect_refused(std::string("convert ") + itself, "itself");
    EXPECT_EQ(contents(path("other.h5")), other);
    EXPECT_EQ(contents(path("folder/H.mtx")), H);
    convert("other.h5 folder --force", {"folder of Matrix Market files"});
    EXPECT_NE(contents(path("folder/H.mtx")), H);
    convert("box.h5 other.h5 --force", {"perp file"});
    EXPECT_NE(contents(path("other.h5")), other);
    fs::create_directory(path("empty"));
    convert("box.h5 empty", {"folder of Matrix Market files"});
    expect_refused("convert box.h5 . --force", "not changed");
    expect_refused("convert box.h5 empty --to perp --force", "directory");
}

}  // namespace
#endif
