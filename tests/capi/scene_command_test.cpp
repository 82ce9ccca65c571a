// perp scene: experiments from the command line, and the files they leave. Runs the program
// PERP_TOOL.
#include <gtest/gtest.h>

#include <string>

#ifdef PERP_TOOL
#include "csv.hpp"
#include "experiment.hpp"
#include "tool_support.hpp"
#include "xml_support.hpp"

namespace {

using namespace perp_test;

class SceneCommand : public Tool {};

TEST_F(SceneCommand, ListsTheExperiments) {
    const Result list = run("scene list"), help = run("scene --help");
    EXPECT_EQ(list.code, 0);
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(list.err + help.err, "");
    for (const auto& experiment : perp::scenes::experiments()) {
        for (const std::string& out : {list.out, help.out}) {
            EXPECT_TRUE(contains(out, experiment.name));
            EXPECT_TRUE(contains(out, experiment.about));
        }
    }
}

TEST_F(SceneCommand, RefusesWrongUsage) {
    expect_refused("scene", "NAME");
    expect_refused("scene dance", "dance");
    expect_refused("scene block --steps 0", "--steps");
    expect_refused("scene block --bodies -1", "--bodies");
    expect_refused("scene disc --rolling -1", "--rolling");
    expect_refused("scene block --model glue", "--model");
    expect_refused("scene disc --model box", "box");
    std::ofstream(path("file")) << "not a folder\n";
    expect_refused("scene block --steps 3 --out file", "file");
}

TEST_F(SceneCommand, PrintsFiguresAsTableAndAsJson) {
    const Result table = run("scene block --model cone");
    EXPECT_EQ(table.code, 0);
    EXPECT_EQ(table.err, "");
    EXPECT_TRUE(contains(table.out, "block_cone_lift_m"));
    EXPECT_FALSE(contains(table.out, "block_coulomb"));
    const Result result = run("scene block --model cone --json");
    EXPECT_EQ(result.code, 0);
    const Json json = result.json();
    EXPECT_EQ(json["experiment"], "block");
    EXPECT_EQ(json["options"]["model"], "cone");
    EXPECT_NEAR(json["figures"]["block_cone_lift_m"].get<double>(), 0.2943, 1e-4);
    EXPECT_EQ(json["figures"]["unsolved_steps"], 0.0);
}

TEST_F(SceneCommand, WritesWhatTheExperimentRecords) {
    const Result result = run("scene wheel --steps 30 --out new/folder --progress always");
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "step"));
    const Json json = Json::parse(contents(path("new/folder/figures.json")));
    EXPECT_TRUE(json["figures"].contains("wheel_bristle_previous_rms_window_percent"));
    EXPECT_EQ(json["options"]["steps"], 30);
    EXPECT_FALSE(json["remarks"].empty());
    const auto published = perp::tool::read_csv(path("new/folder/wheel-published.csv"));
    ASSERT_EQ(published.records.size(), 3U);
    EXPECT_EQ(published.records[1][published.column("angle_published_deg")], "14");
    EXPECT_EQ(perp::tool::read_csv(path("new/folder/wheel-cone.csv")).records.size(), 30U);
    for (const char* name : {"wheel-friction.svg", "wheel-misalignment.svg"}) {
        const std::string text = contents(path("new/folder/" + std::string(name)));
        EXPECT_TRUE(contains(text, "<svg")) << name;
        EXPECT_EQ(XmlReader(text).mistake(), "") << name;
    }
    ASSERT_EQ(run("scene guideway --steps 1 --out new/folder").code, 0);
    const std::string drawing = contents(path("new/folder/guideway.svg"));
    EXPECT_TRUE(contains(drawing, "<circle") && contains(drawing, "<polygon"));
    EXPECT_EQ(XmlReader(drawing).mistake(), "");
}

TEST_F(SceneCommand, CtrlCEndsIt) {
    const Result result = run("scene wheel --steps 10000000 --model cone",
                              "timeout --foreground --preserve-status -s INT 1");
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "interrupted"));
}

}  // namespace
#endif
