// The parts of `perp bench` that need no instances: performance profiles against hand-computed
// ones, comparison with a baseline, CSV, charts.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#ifdef PERP_TOOL
#include "bench_baseline.hpp"
#include "chart.hpp"
#include "csv.hpp"
#include "profile.hpp"
#include "text.hpp"
#include "tool_support.hpp"
#include "xml_support.hpp"

namespace {

using namespace perp_test;
using namespace perp::tool;

constexpr auto no = std::nullopt;

// Seconds of three solvers:
//   instance   0    1    2    3      4
//   a          1    4    -    -      unsupported
//   b          2    4    3    -      unsupported
//   c          8    2    uns. uns.   unsupported
// Ratios: a {1, 2}, b {1, 2, 2}, c {1, 8}. Instance 4 does not count, 3 does: of 4.
TEST(Profile, AgreesWithOneByHand) {
    const Profile p = performance_profile({
        {{true, 1.0}, {true, 4.0}, {true, no}, {true, no}, {false, no}},
        {{true, 2.0}, {true, 4.0}, {true, 3.0}, {true, no}, {false, no}},
        {{true, 8.0}, {true, 2.0}, {false, no}, {false, no}, {false, no}},
    });
    EXPECT_EQ(p.instances, 4U);
    EXPECT_EQ(p.left_out, 1U);
    EXPECT_EQ(p.ratios[0], (std::vector<double>{1, 2}));
    EXPECT_EQ(p.ratios[1], (std::vector<double>{1, 2, 2}));
    EXPECT_EQ(p.ratios[2], (std::vector<double>{1, 8}));
    EXPECT_EQ(p.largest_ratio(), 8.0);
    const double expected[3][4] = {
        {0.25, 0.25, 0.5, 0.5}, {0.25, 0.25, 0.75, 0.75}, {0.25, 0.25, 0.25, 0.5}};
    const double tau[4] = {1.0, 1.99, 2.0, 8.0};
    for (std::size_t s = 0; s < 3; ++s)
        for (std::size_t k = 0; k < 4; ++k)
            EXPECT_EQ(p.fraction(s, tau[k]), expected[s][k]) << s << " at " << tau[k];
}

TEST(Profile, TiesCountForBoth) {
    const Profile p = performance_profile({{{true, 3.0}, {true, 0.0}}, {{true, 3.0}, {true, 0.0}}});
    EXPECT_EQ(p.fraction(0, 1.0), 1.0);
    EXPECT_EQ(p.fraction(1, 1.0), 1.0);
}

TEST(Profile, WithoutSolvedOrSupportedInstances) {
    const Profile unsolved = performance_profile({{{true, no}}, {{false, no}}});
    EXPECT_EQ(unsolved.instances, 1U);
    EXPECT_EQ(unsolved.fraction(0, 100.0), 0.0);
    EXPECT_EQ(unsolved.largest_ratio(), 1.0);
    const Profile unsupported = performance_profile({{{false, no}}});
    EXPECT_EQ(unsupported.instances, 0U);
    EXPECT_EQ(unsupported.left_out, 1U);
    EXPECT_EQ(unsupported.fraction(0, 1.0), 0.0);
    EXPECT_EQ(performance_profile({}).instances, 0U);
}

BenchRow row(const std::string& instance, const std::string& solver, const std::string& status,
             double solve) {
    BenchRow r;
    r.instance = instance;
    r.file = "folder, with \"commas\"/" + instance + ".h5";
    r.solver = solver;
    r.tolerance = 1e-4;
    r.status = status;
    r.eta = 5e-5;
    r.runs = 3;
    r.solve = r.solve_min = r.solve_max = solve;
    r.rows = 30;
    r.contacts = 10;
    r.law = "cone";
    return r;
}

class BaselineTest : public Tool {
protected:
    [[nodiscard]] Baseline baseline(const std::vector<BenchRow>& rows) const {
        return written(csv_text(rows));
    }
    [[nodiscard]] Baseline written(const std::string& text) const {
        std::ofstream(path("old.csv"), std::ios::binary) << text;
        return Baseline(path("old.csv"));
    }
    void expect_error(const std::string& text, const std::string& part) const {
        try {
            const Baseline made = written(text);
            ADD_FAILURE() << "accepted: " << text;
        } catch (const std::runtime_error& error) {
            EXPECT_TRUE(contains(error.what(), part)) << error.what();
            EXPECT_TRUE(contains(error.what(), "old.csv")) << error.what();
        }
    }
};

TEST_F(BaselineTest, EqualTimesHaveRatioOne) {
    std::vector<BenchRow> rows{row("x", "a", "solved", 0.1), row("x", "b", "solved", 1.0 / 3.0)};
    const Baseline old = baseline(rows);
    old.set_ratios(rows);
    EXPECT_EQ(rows[0].ratio, 1.0);
    EXPECT_EQ(rows[1].ratio, 1.0);
    const Comparison c = old.compare(rows);
    EXPECT_EQ(c.overall.mean, 1.0);
    EXPECT_EQ(c.overall.count, 2U);
    EXPECT_TRUE(c.changed.empty());
    EXPECT_EQ(c.only_before + c.only_now, 0U);
}

TEST_F(BaselineTest, MeansAreGeometricAndPerSolver) {
    const Baseline old = baseline(
        {row("x", "a", "solved", 1.0), row("y", "a", "solved", 1.0), row("x", "b", "solved", 2.0)});
    std::vector<BenchRow> rows{row("x", "a", "solved", 2.0), row("y", "a", "solved", 8.0),
                               row("x", "b", "solved", 1.0)};
    old.set_ratios(rows);
    EXPECT_EQ(rows[2].ratio, 0.5);
    const Comparison c = old.compare(rows);
    ASSERT_EQ(c.solvers.size(), 2U);
    EXPECT_NEAR(c.solvers[0].mean, 4.0, 1e-14);  // sqrt(2 * 8)
    EXPECT_NEAR(c.solvers[1].mean, 0.5, 1e-14);
    EXPECT_NEAR(c.overall.mean, 2.0, 1e-14);  // (2 * 8 * 0.5)^(1/3)
}

TEST_F(BaselineTest, TellsWhatChanged) {
    BenchRow other = row("w", "a", "solved", 1.0);
    const Baseline old =
        baseline({row("x", "a", "solved", 1.0), row("y", "a", "stalled", 1.0), other,
                  row("z", "a", "solved", 1.0), row("gone", "a", "solved", 1.0)});
    other.rows = 31;
    BenchRow interrupted = row("z", "a", "not_run", 0.0);
    std::vector<BenchRow> rows{row("x", "a", "time_limit", 1.0), row("y", "a", "solved", 1.0),
                               other, interrupted, row("new", "a", "solved", 1.0)};
    old.set_ratios(rows);
    for (const BenchRow& r : rows) EXPECT_FALSE(r.ratio) << r.instance;
    const Comparison c = old.compare(rows);
    ASSERT_EQ(c.changed.size(), 2U);
    EXPECT_TRUE(contains(c.changed[0], "solved -> time_limit"));
    EXPECT_TRUE(contains(c.changed[1], "stalled -> solved"));
    EXPECT_EQ(c.lost, 1U);
    EXPECT_EQ(c.other.size(), 1U);
    EXPECT_EQ(c.only_now, 2U);     // new, and z that was not run
    EXPECT_EQ(c.only_before, 2U);  // gone, z
    EXPECT_EQ(c.overall.count, 0U);
}

TEST_F(BaselineTest, RefusesBadFiles) {
    const std::string good = csv_text({row("x", "a", "solved", 1.0)});
    for (const char* column :
         {"instance", "solver", "tolerance", "status", "rows", "contacts", "solve_seconds"}) {
        std::string text = good;
        text.replace(text.find(column), 1, "_");
        expect_error(text, "\"" + std::string(column) + "\"");
    }
    expect_error("", "\"instance\"");
    expect_error(good + "x,y\n", "line 3");
    expect_error(good + good.substr(good.find('\n') + 1), "second row");
    std::string text = good;
    text.replace(text.find("1e-04"), 5, "small");
    expect_error(text, "tolerance: \"small\"");
    EXPECT_THROW(Baseline(path("missing.csv")), std::runtime_error);
}

// Columns may stand in another order, and there may be more.
TEST_F(BaselineTest, FindsColumnsByName) {
    const Baseline old = written(
        "contacts,extra,solve_seconds,status,tolerance,solver,instance,rows\r\n"
        "10,\"a,\nb\",0.5,solved,1e-4,a,x,30\r\n");
    std::vector<BenchRow> rows{row("x", "a", "solved", 1.0)};
    old.set_ratios(rows);
    EXPECT_EQ(rows[0].ratio, 2.0);
}

TEST(Csv, ReadsBackWhatItWrites) {
    const std::vector<std::string> header{"a", "b", "c"}, cells{"x,y", "say \"no\"\nor", ""};
    const CsvTable table = parse_csv("t.csv", csv_line(header) + csv_line(cells));
    EXPECT_EQ(table.header, header);
    ASSERT_EQ(table.records.size(), 1U);
    EXPECT_EQ(table.records[0], cells);
    EXPECT_EQ(table.column("c"), 2U);
    EXPECT_THROW(static_cast<void>(table.column("d")), std::runtime_error);
    EXPECT_THROW(parse_csv("t.csv", "a,b\n\"open,1\n"), std::runtime_error);
}

TEST(Text, NumbersAreReadable) {
    EXPECT_EQ(power_text(1e-4), "1e-04");
    EXPECT_EQ(power_text(2.5e-4), "2.5e-04");
    EXPECT_EQ(exact(0.1), "0.1");
    EXPECT_EQ(milliseconds(0.0), "0");
    EXPECT_EQ(milliseconds(1.2345e-5), "0.0123");
    EXPECT_EQ(milliseconds(0.0123456), "12.3");
    EXPECT_EQ(milliseconds(12.3456), "12346");
}

TEST(Xml, TheCheckFindsMistakes) {
    EXPECT_EQ(XmlReader("<a b=\"1\"><c/>&lt;</a>\n").mistake(), "");
    for (const std::string text :
         {"<a><b></a></b>", "<a>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>", "<a b=1/>", "<a>&</a>",
          "<a>\x01</a>", "<a b=\"<\"/>", "text", ""})
        EXPECT_NE(XmlReader(text).mistake(), "") << text;
}

TEST(Chart, IsXmlWhateverTheTexts) {
    Chart chart;
    chart.title = "a < b & \"c\" > 'd' \x01 \xff";
    chart.caption = {std::string(300, 'x') + " & " + std::string(200, 'y')};
    chart.x = {"time, s", Scale::log10, 1e-3, 1.0};
    chart.y = {"eta <", Scale::log10, 1e-8, 1.0};
    chart.guides = {{1e-8, "<tolerance>"}};
    for (int k = 0; k < 9; ++k) {
        chart.series.push_back({"<s" + std::to_string(k) + ">", {}, k % 2 == 1});
        for (int i = 0; i < 5000; ++i)
            chart.series.back().points.emplace_back(2e-4 * i, std::exp(-0.01 * i));
    }
    chart.series.push_back({"no points", {}, false});
    const std::string svg = svg_text(chart);
    expect_xml(svg);
    EXPECT_FALSE(contains(svg, "nan"));
    EXPECT_FALSE(contains(svg, "inf"));
    EXPECT_LT(svg.size(), 1000000U) << "points that cannot be told apart are drawn";
}

TEST(Chart, TicksAreRoundNumbersInside) {
    const auto near = [](const std::vector<double>& ticks, const std::vector<double>& expected) {
        ASSERT_EQ(ticks.size(), expected.size());
        for (std::size_t k = 0; k < ticks.size(); ++k)
            EXPECT_NEAR(ticks[k], expected[k], 1e-12 * (1.0 + std::abs(expected[k])));
    };
    near(ticks_of({"", Scale::linear, 0.0, 1.04}), {0, 0.2, 0.4, 0.6, 0.8, 1.0});
    near(ticks_of({"", Scale::log2, 1.0, 9.0}), {1, 2, 4, 8});
    near(ticks_of({"", Scale::log10, 1e-3, 2.0}), {1e-3, 1e-2, 1e-1, 1});
    near(ticks_of({"", Scale::log10, 0.2, 3.0}), {0.2, 0.5, 1, 2});
    EXPECT_LE(ticks_of({"", Scale::log10, 1e-300, 1e300}).size(), 12U);
    EXPECT_LE(ticks_of({"", Scale::log2, 1.0, 1e30}).size(), 12U);
}

}  // namespace
#endif
