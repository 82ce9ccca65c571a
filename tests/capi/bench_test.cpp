// `perp bench` as a user meets it: rows, files, comparison with earlier results, refusals, Ctrl-C.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "perp/perp.h"
#include "scene.hpp"

#ifdef PERP_TOOL
#include "csv.hpp"
#include "tool_support.hpp"
#include "xml_support.hpp"

namespace {

using namespace perp_test;
using perp::scenes::ProblemHandle;
using perp::scenes::require;
using perp::tool::CsvTable;
using perp::tool::read_csv;

// The solvers that take cones, and so every scene.
const char* const cone_solvers = " --solver pgs,apgd,aapgs ";
std::vector<std::string> all_solvers() { return {"pgs", "apgd", "aapgs"}; }

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

class Bench : public Tool {
protected:
    void make_scenes() const {
        make("wall --width 3 --height 3 --out wall.h5");
        make("chain --links 6 --out chain.h5");
    }
    [[nodiscard]] CsvTable csv(const std::string& name) const { return read_csv(path(name)); }
    // A row of results.csv by its columns' names.
    static std::map<std::string, std::string> named(const CsvTable& table, std::size_t k) {
        std::map<std::string, std::string> row;
        for (std::size_t c = 0; c < table.header.size(); ++c)
            row[table.header[c]] = table.records[k][c];
        return row;
    }
    // results.csv with another value in the column of all rows for which `wanted` holds.
    template <class Wanted>
    void edit(const std::string& from, const std::string& to, const std::string& column,
              const std::string& value, Wanted wanted) const {
        CsvTable table = csv(from);
        std::string text = perp::tool::csv_line(table.header);
        for (std::size_t k = 0; k < table.records.size(); ++k) {
            if (wanted(named(table, k))) table.records[k][table.column(column)] = value;
            text += perp::tool::csv_line(table.records[k]);
        }
        std::ofstream(path(to), std::ios::binary) << text;
    }
    // A BLCP that is not symmetric: H = [2 1; -1 2].
    void make_unsymmetric(const std::string& name) const {
        const int64_t row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1};
        const double value[] = {2, 1, -1, 2}, q[] = {-1, 1}, lo[] = {0, 0};
        const perp_triplets H{2, 2, 4, row, col, value, 0};
        perp_problem* made = nullptr;
        require(perp_blcp_create(&H, q, lo, nullptr, &made), "blcp");
        const ProblemHandle problem(made);
        require(
            perp_problem_write(problem.get(), path(name).c_str(), PERP_LAYOUT_AUTO, "test", "test"),
            "blcp");
    }
};

bool everywhere(const std::map<std::string, std::string>&) { return true; }

TEST_F(Bench, MeasuresEverySolverOnEveryInstanceToEveryTolerance) {
    make_scenes();
    const Result result = run(std::string("bench wall.h5 chain.h5") + cone_solvers +
                              "--tol 1e-2,1e-5,1e-9 --max-iterations 300 --repeat 3 "
                              "--set stagnation_window=0 --out report");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const CsvTable table = csv("report/results.csv");
    EXPECT_EQ(table.records.size(), all_solvers().size() * 2 * 3);
    std::size_t solved = 0;
    for (std::size_t k = 0; k < table.records.size(); ++k) {
        auto row = named(table, k);
        const double tolerance = std::stod(row["tolerance"]), eta = std::stod(row["eta"]);
        EXPECT_EQ(row["status"] == "solved", eta <= tolerance) << row["instance"];
        EXPECT_EQ(row["runs"], row["status"] == "solved" ? "3" : "1");
        EXPECT_EQ(row["rows"], row["instance"] == "wall" ? "228" : "51");
        EXPECT_EQ(row["contacts"], row["instance"] == "wall" ? "76" : "12");
        EXPECT_EQ(row["file"], row["instance"] + ".h5");
        EXPECT_EQ(row["law"], "cone");
        EXPECT_LE(std::stod(row["solve_seconds_min"]), std::stod(row["solve_seconds"]));
        EXPECT_LE(std::stod(row["solve_seconds"]), std::stod(row["solve_seconds_max"]));
        EXPECT_GT(std::stod(row["solve_seconds_min"]) + std::stod(row["setup_seconds"]), 0.0);
        EXPECT_GT(std::stoi(row["iterations"]), 0);
        EXPECT_GT(std::stoi(row["products"]), 0);
        solved += row["status"] == "solved" ? 1 : 0;

        // The same run by the other commands.
        const Result solve = run(
            "solve " + row["file"] + " --solver " + row["solver"] + " --tol " + row["tolerance"] +
            " --max-iterations 300 --set stagnation_window=0 --out answer.h5 --quiet");
        EXPECT_EQ(solve.code == 0, row["status"] == "solved") << solve.err;
        const Result check =
            run("check " + row["file"] + " answer.h5 --json --tol " + row["tolerance"]);
        EXPECT_EQ(check.json()["eta"].get<double>(), eta) << row["instance"] << row["solver"];
        EXPECT_EQ(check.code == 0, row["status"] == "solved");
    }
    EXPECT_GT(solved, 0U);
    EXPECT_LT(solved, table.records.size());
}

TEST_F(Bench, JsonHoldsTheRowsAndTheEnvironment) {
    make_scenes();
    ASSERT_EQ(run(std::string("bench wall.h5 chain.h5") + cone_solvers +
                  "--tol 1e-3 --repeat 2 --out report")
                  .code,
              0);
    const Json json = Json::parse(contents(path("report/results.json")));
    const CsvTable table = csv("report/results.csv");
    ASSERT_EQ(json["results"].size(), table.records.size());
    for (std::size_t k = 0; k < table.records.size(); ++k) {
        auto row = named(table, k);
        const Json& one = json["results"][k];
        EXPECT_EQ(one.size(), table.header.size());
        for (const char* text : {"instance", "solver", "status"}) EXPECT_EQ(one[text], row[text]);
        for (const char* number : {"eta", "tolerance", "setup_seconds", "solve_seconds"})
            EXPECT_EQ(one[number].get<double>(), std::stod(row[number])) << number;
    }
    const Json& environment = json["environment"];
    for (const char* key : {"date_utc", "cpu", "cores", "memory_bytes", "load_average", "os",
                            "kernel", "perp", "git_commit", "compiler", "build", "blas"})
        EXPECT_TRUE(environment.contains(key)) << key;
    EXPECT_TRUE(contains(perp_build_info(), environment["compiler"].get<std::string>()));
    EXPECT_TRUE(contains(perp_build_info(), environment["build"].get<std::string>()));
    const std::string commit = environment["git_commit"], date = environment["date_utc"];
    const std::size_t hexadecimal = commit.find_first_not_of("0123456789abcdef");
    EXPECT_TRUE(commit == "unknown" || (hexadecimal == 40 && commit.substr(40) == "-dirty") ||
                (hexadecimal == std::string::npos && commit.size() == 40))
        << commit;
    EXPECT_EQ(date.size(), 20U) << date;
    EXPECT_EQ(json["settings"]["repeat"], 2);
    EXPECT_EQ(json["settings"]["solvers"], Json(all_solvers()));
    EXPECT_EQ(json["interrupted"], false);
}

TEST_F(Bench, DrawsProfilesAndConvergence) {
    make_scenes();
    make_unsymmetric("blcp.h5");
    const Result result = run(std::string("bench wall.h5 chain.h5 blcp.h5") + cone_solvers +
                              "--tol 1e-2,2.5e-4 --repeat 1 --out report");
    ASSERT_EQ(result.code, 0) << result.err;
    const std::size_t solvers = all_solvers().size();
    const std::string index = contents(path("report/index.html"));
    expect_xml(index);
    for (const char* name : {"profile-1e-02", "profile-2.5e-04", "convergence-wall",
                             "convergence-chain", "convergence-blcp"}) {
        const std::string file = std::string(name) + ".svg";
        const std::string svg = contents(path("report/" + file));
        expect_xml(svg);
        EXPECT_TRUE(contains(index, file));
        if (!contains(name, "blcp")) {
            EXPECT_EQ(count_of(svg, "<g class=\"series\">"), solvers) << name;
        }
    }
    // Who does not fit is said, in the row and below the picture.
    const CsvTable table = csv("report/results.csv");
    for (std::size_t k = 0; k < table.records.size(); ++k) {
        auto row = named(table, k);
        if (row["instance"] != "blcp" || row["status"] != "unsupported") continue;
        EXPECT_NE(row["reason"], "");
        EXPECT_EQ(row["eta"] + row["solve_seconds"] + row["iterations"], "");
        EXPECT_TRUE(contains(contents(path("report/convergence-blcp.svg")),
                             row["solver"] + " does not support it"));
    }
}

// Nobody takes this one: it is left out of the profile, and the caption says so.
TEST_F(Bench, LeavesOutWhatNoSolverSupports) {
    make_scenes();
    make_unsymmetric("blcp.h5");
    const Json fits = run("info blcp.h5 --json").json()["solvers"];
    ASSERT_EQ(fits["apgd"]["fits"], false);
    ASSERT_EQ(run("bench wall.h5 blcp.h5 --solver apgd --tol 1e-2 --repeat 1 --out report").code,
              0);
    const std::string svg = contents(path("report/profile-1e-02.svg"));
    EXPECT_TRUE(contains(svg, "1 instance;")) << svg;
    EXPECT_TRUE(contains(svg, "Left out: 1 instance ")) << svg;
    EXPECT_TRUE(contains(svg, "apgd (1 of 1)")) << svg;
}

TEST_F(Bench, RepeatsLessWhenItTakesLong) {
    make("chain --links 3 --out chain.h5");
    ASSERT_EQ(
        run("bench chain.h5 --tol 1e-2 --repeat 4 --repeat-time 0 --solver apgd --out a").code, 0);
    EXPECT_EQ(named(csv("a/results.csv"), 0)["runs"], "1");
    ASSERT_EQ(run("bench chain.h5 --tol 1e-2 --repeat 4 --solver apgd --out a").code, 0);
    EXPECT_EQ(named(csv("a/results.csv"), 0)["runs"], "4");
}

TEST_F(Bench, EqualNamesAreToldApart) {
    make("chain --links 3 --out 'the chain.h5'");
    fs::create_directories(path("other"));
    make("chain --links 4 --out 'other/the chain.h5'");
    ASSERT_EQ(run("bench 'the chain.h5' 'other/the chain.h5' --tol 1e-2 --repeat 1 --solver apgd "
                  "--out report")
                  .code,
              0);
    const CsvTable table = csv("report/results.csv");
    EXPECT_EQ(named(table, 0)["instance"], "the_chain");
    EXPECT_EQ(named(table, 1)["instance"], "the_chain-2");
    EXPECT_EQ(named(table, 1)["file"], "other/the chain.h5");
    EXPECT_TRUE(fs::exists(path("report/convergence-the_chain.svg")));
    EXPECT_TRUE(fs::exists(path("report/convergence-the_chain-2.svg")));
}

TEST_F(Bench, ComparesWithABaseline) {
    make("chain --links 4 --out chain.h5");
    const std::string bench =
        std::string("bench chain.h5 --tol 1e-2,1e-4 --repeat 1") + cone_solvers;
    ASSERT_EQ(run(bench + "--out report").code, 0);
    edit("report/results.csv", "slow.csv", "solve_seconds", "1000", everywhere);
    edit("report/results.csv", "fast.csv", "solve_seconds", "1e-9", everywhere);
    const Result faster = run(bench + "--baseline slow.csv --max-ratio 1 --out compared");
    EXPECT_EQ(faster.code, 0) << faster.err;
    EXPECT_TRUE(contains(faster.out, "geometric mean"));
    const CsvTable table = csv("compared/results.csv");
    for (std::size_t k = 0; k < table.records.size(); ++k) {
        auto row = named(table, k);
        EXPECT_NEAR(std::stod(row["ratio"]), std::stod(row["solve_seconds"]) / 1000, 1e-12);
    }
    const Json json = Json::parse(contents(path("compared/results.json")));
    EXPECT_EQ(json["comparison"]["rows"], table.records.size());
    EXPECT_LT(json["comparison"]["mean_ratio"].get<double>(), 1.0);

    const Result slower = run(bench + "--baseline fast.csv --max-ratio 1.5");
    EXPECT_EQ(slower.code, 1);
    EXPECT_TRUE(contains(slower.err, "1.5")) << slower.err;
    EXPECT_EQ(run(bench + "--baseline fast.csv").code, 0);
}

TEST_F(Bench, LostRowsAreLoud) {
    make("wall --width 3 --height 3 --out wall.h5");
    const std::string bench = "bench wall.h5 --solver apgd --repeat 1 --max-iterations 20 ";
    ASSERT_EQ(run(bench + "--tol 1e-1,1e-9 --out report").code, 0);
    edit("report/results.csv", "old.csv", "status", "solved", everywhere);
    const Result lost = run(bench + "--tol 1e-1,1e-9 --baseline old.csv --max-ratio 1e9");
    EXPECT_EQ(lost.code, 1);
    EXPECT_TRUE(contains(lost.out, "STATUS CHANGED:  wall  apgd  1e-09  solved -> iteration_limit"))
        << lost.out;
    EXPECT_TRUE(contains(lost.err, "1 rows that were solved")) << lost.err;
    EXPECT_EQ(run(bench + "--tol 1e-1 --baseline old.csv --max-ratio 1e9").code, 0);
    // Nothing in common: there is nothing to judge.
    const Result nothing = run(bench + "--tol 1e-3 --baseline old.csv --max-ratio 1e9");
    EXPECT_EQ(nothing.code, 2);
    EXPECT_TRUE(contains(nothing.err, "old.csv"));
}

TEST_F(Bench, RefusesBadInputBeforeItMeasures) {
    make("chain --links 3 --out chain.h5");
    std::ofstream(path("bad.csv")) << "instance,solver,tolerance,status,rows,contacts\n";
    std::ofstream(path("file")) << "no folder\n";
    expect_refused("bench", "FILES");
    expect_refused("bench chain.h5 missing.h5", "missing.h5");
    expect_refused("bench chain.h5 file", "file");
    ASSERT_EQ(run("convert chain.h5 chain.hdf5 --to fclib").code, 0);
    expect_refused("bench chain.hdf5 --law box", "chain.hdf5");
    expect_refused("bench chain.h5 --solver secant", "secant");
    expect_refused("bench chain.h5 --solver apgd,apgd", "twice");
    expect_refused("bench chain.h5 --tol 1e-3,0", "tolerance");
    expect_refused("bench chain.h5 --tol 1e-3,0.001", "twice");
    expect_refused("bench chain.h5 --tol few", "--tol");
    expect_refused("bench chain.h5 --set colour=red", "colour");
    expect_refused("bench chain.h5 --set warm_start=1", "cold");
    expect_refused("bench chain.h5 --set tolerance=1", "--tol");
    expect_refused("bench chain.h5 --max-iterations -1", "max_iterations");
    expect_refused("bench chain.h5 --time-limit -1", "time_limit");
    expect_refused("bench chain.h5 --repeat 0", "--repeat");
    expect_refused("bench chain.h5 --max-ratio 1.1", "--baseline");
    expect_refused("bench chain.h5 --baseline bad.csv", "solve_seconds");
    expect_refused("bench chain.h5 --baseline missing.csv", "missing.csv");
    expect_refused("bench chain.h5 --out file", "file");
    expect_refused("bench chain.h5 --out file/below", "file/below");
}

TEST_F(Bench, ProgressGoesToStderr) {
    make("chain --links 3 --out chain.h5");
    const Result result =
        run(std::string("bench chain.h5 --tol 1e-2 --progress always") + cone_solvers);
    EXPECT_EQ(result.code, 0);
    EXPECT_TRUE(contains(result.err, "[1/" + std::to_string(all_solvers().size()) + "]"))
        << result.err;
}

TEST_F(Bench, CtrlCWritesWhatThereIs) {
    make("chain --links 3 --out chain.h5");
    make("wall --width 6 --height 6 --out wall.h5");
    const Result result = run(std::string("bench chain.h5 wall.h5") + cone_solvers +
                                  "--tol 1e-2,1e-300 --max-iterations 1000000000 "
                                  "--time-limit 0.2 --set stagnation_window=0 --out report",
                              "timeout --foreground --preserve-status -s INT 1");
    // The chain takes 0.2 s per solver, twice; then the wall would take as long.
    ASSERT_EQ(result.code, 1) << result.err;
    EXPECT_TRUE(contains(result.err, "interrupted"));
    const CsvTable table = csv("report/results.csv");
    EXPECT_EQ(table.records.size(), all_solvers().size() * 2 * 2);
    EXPECT_EQ(named(table, 0)["status"], "solved");
    EXPECT_EQ(named(table, table.records.size() - 1)["status"], "not_run");
    EXPECT_EQ(Json::parse(contents(path("report/results.json")))["interrupted"], true);
    expect_xml(contents(path("report/profile-1e-02.svg")));
    expect_xml(contents(path("report/index.html")));
    EXPECT_TRUE(contains(contents(path("report/index.html")), "Interrupted"));
}

}  // namespace
#endif
