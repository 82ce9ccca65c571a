// The experiments of bench/scenes with few freedoms, through perp_step: their figures against what
// papers and analytic solutions say.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "experiment.hpp"
#include "paper_experiments.hpp"

namespace {

using namespace perp::scenes;

double figure(const Record& record, const std::string& name) {
    for (const Figure& f : record.figures)
        if (f.name == name) return f.value;
    ADD_FAILURE() << "no figure " << name;
    return std::nan("");
}

Record run(Record (*experiment)(const ExperimentOptions&), const char* model) {
    ExperimentOptions options;
    options.model = model;
    Record record = experiment(options);
    EXPECT_EQ(figure(record, "unsolved_steps"), 0.0);
    return record;
}

struct Expected {
    double rms_window, rms_run, angle, position, energy;
};

// Of the prototypes, which reproduce the paper: to the last digit that they were noted with.
void expect_near(const Record& record, const std::string& variant, const Expected& expected) {
    const std::string name = "wheel_" + variant;
    EXPECT_NEAR(figure(record, name + "_rms_window_percent"), expected.rms_window, 0.05) << name;
    EXPECT_NEAR(figure(record, name + "_rms_run_percent"), expected.rms_run, 0.05) << name;
    EXPECT_NEAR(figure(record, name + "_angle_deg"), expected.angle, 0.05) << name;
    EXPECT_NEAR(figure(record, name + "_position_percent"), expected.position, 0.05) << name;
    if (std::isnan(expected.energy)) return;
    EXPECT_NEAR(figure(record, name + "_energy_J"), expected.energy, 1e-3) << name;
}

const double not_noted = std::nan("");

TEST(Wheel, Bristle) {
    const Record record = run(run_wheel, "bristle");
    EXPECT_NEAR(figure(record, "wheel_sliding_ends_s"), 2.007, 1e-3);
    for (const std::string name : {"previous", "iterated", "rigid"}) {
        const std::string start = "wheel_bristle_" + name;
        EXPECT_LE(figure(record, start + "_rms_window_percent"), name == "iterated" ? 0.02 : 0.2);
        EXPECT_LE(figure(record, start + "_angle_sliding_deg"), 0.05);
        // Published: 1.67 % and 0.7 degrees.
        EXPECT_GE(figure(record, start + "_rms_run_percent"), 1.4);
        EXPECT_LE(figure(record, start + "_rms_run_percent"), 2.4);
        EXPECT_LE(figure(record, start + "_angle_deg"), 0.8);
    }
    expect_near(record, "bristle_previous", {0.16, 1.98, 0.74, 0.068, -0.007});
    expect_near(record, "bristle_iterated", {0.01, 1.73, 0.54, 0.059, not_noted});
}

TEST(Wheel, Box) {
    const Record record = run(run_wheel, "box");
    // Published: 9.70 % and, exchanged with the polygon's, 14.0 degrees.
    EXPECT_GE(figure(record, "wheel_box_previous_rms_run_percent"), 9.5);
    EXPECT_LE(figure(record, "wheel_box_previous_rms_run_percent"), 10.3);
    EXPECT_NEAR(figure(record, "wheel_box_previous_angle_deg"), 14.0, 0.2);
    expect_near(record, "box_previous", {5.74, 9.71, 14.03, 2.91, 0.096});
    expect_near(record, "box_iterated", {5.71, 9.71, 14.02, 2.91, not_noted});
    expect_near(record, "box_diagonal", {42.1, 34.9, 13.3, 25.0, not_noted});
    expect_near(record, "box_heading", {38.4, 44.9, 28.4, 19.5, not_noted});
    expect_near(record, "box_sliding", {8.4, 18.0, 20.0, 17.9, not_noted});
}

TEST(Wheel, Polygon) {
    const Record record = run(run_wheel, "polygon");
    // Published: 3.76 % and, exchanged with the box's, 12.6 degrees.
    EXPECT_GE(figure(record, "wheel_polygon_4_rms_run_percent"), 3.7);
    EXPECT_LE(figure(record, "wheel_polygon_4_rms_run_percent"), 4.4);
    EXPECT_NEAR(figure(record, "wheel_polygon_4_angle_deg"), 12.7, 0.3);
    expect_near(record, "polygon_4", {3.94, 3.85, 12.69, 2.93, 0.030});
    EXPECT_NEAR(figure(record, "wheel_polygon_6_angle_deg"), 10.5, 0.05);
    EXPECT_NEAR(figure(record, "wheel_polygon_8_angle_deg"), 8.3, 0.05);
    EXPECT_NEAR(figure(record, "wheel_polygon_6_rms_run_percent"), 3.99, 0.05);
    EXPECT_NEAR(figure(record, "wheel_polygon_8_rms_run_percent"), 5.10, 0.05);
    expect_near(record, "polygon_4_diagonal", {22.4, 19.7, 24.8, 28.1, not_noted});
    expect_near(record, "polygon_4_heading", {0.54, 20.6, 24.6, 9.8, not_noted});
    expect_near(record, "polygon_8_heading", {1.24, 14.1, 13.5, 2.6, not_noted});
    expect_near(record, "polygon_4_sliding", {0.00, 1.46, 1.5, 0.053, not_noted});
}

TEST(Wheel, ExactLaw) {
    const Record record = run(run_wheel, "coulomb");
    expect_near(record, "coulomb", {0.0, 1.72, 0.0, 0.059, not_noted});
    EXPECT_LE(figure(record, "wheel_coulomb_rms_window_percent"), 1e-10);
    EXPECT_LE(figure(record, "wheel_coulomb_angle_deg"), 1e-6);
}

TEST(Wheel, Cone) {
    const Record record = run(run_wheel, "cone");
    expect_near(record, "cone", {0.0, 2.15, 0.0, 0.060, not_noted});
    expect_near(record, "cone_zero_gap", {41.9, 26.9, 0.0, 0.245, not_noted});
    EXPECT_NEAR(figure(record, "wheel_cone_largest_gap_m"), 1e-3 * 0.3 * 6.342, 1e-6);
    EXPECT_GT(figure(record, "wheel_cone_zero_gap_largest_gap_m"), 0.15);
    EXPECT_NEAR(figure(record, "wheel_cone_not_stabilized_position_percent"), 30.0, 0.1);
    EXPECT_NEAR(figure(record, "wheel_cone_not_stabilized_energy_J"), 17.0, 0.5);
}

TEST(Disc, RollsToRest) {
    for (const std::string model : {"cone", "coulomb"}) {
        const Record record = run(run_disc, model.c_str());
        for (const auto& [length, step] :
             {std::pair<std::string, double>{"", 1e-3}, {"_10ms", 1e-2}}) {
            const std::string name = "disc_" + model + length;
            EXPECT_NEAR(figure(record, name + "_deceleration_m_s2"), 0.14, 0.14e-6) << name;
            EXPECT_NEAR(figure(record, name + "_stop_time_s"), 50.0 / 7.0, step) << name;
            EXPECT_NEAR(figure(record, name + "_distance_m"), 25.0 / 7.0, 0.51 * step) << name;
            EXPECT_EQ(figure(record, name + "_steps_in_the_air"), 0.0) << name;
        }
    }
}

TEST(Disc, ConesOpenByWhatRolls) {
    const Record record = run(run_disc, "cone");
    EXPECT_LE(figure(record, "disc_cone_gap_deviation_relative"), 1e-3);
    EXPECT_LE(figure(record, "disc_cone_10ms_gap_deviation_relative"), 1e-3);
    EXPECT_NEAR(figure(record, "disc_cone_largest_gap_m"), 2e-5, 1e-8);
    // Sliding starts throw it up, whatever the step.
    EXPECT_NEAR(figure(record, "disc_slip_cone_10ms_lift_m"), 2.4e-3, 5e-5);
    EXPECT_NEAR(figure(record, "disc_slip_cone_lift_m"), 2.9e-3, 5e-5);
    EXPECT_EQ(figure(record, "disc_slip_cone_steps_in_the_air"), 46.0);
    EXPECT_NEAR(figure(record, "disc_slip_cone_speed_m_s"), 0.57429, 1e-5);
}

TEST(Disc, ExactLawStaysOnThePlane) {
    const Record record = run(run_disc, "coulomb");
    for (const char* name : {"disc_coulomb_largest_gap_m", "disc_coulomb_10ms_largest_gap_m",
                             "disc_slip_coulomb_lift_m", "disc_slip_coulomb_10ms_lift_m"})
        EXPECT_LE(figure(record, name), 1e-10) << name;
    EXPECT_NEAR(figure(record, "disc_slip_coulomb_speed_m_s"), 0.57429, 1e-5);
    EXPECT_NEAR(figure(record, "disc_slip_coulomb_rotation_rad_s"), -0.57429, 1e-5);
}

TEST(Block, OnlyConesLiftOff) {
    const Record record = run(run_block, "");
    EXPECT_NEAR(figure(record, "block_cone_10ms_lift_m"), 0.3008, 1e-4);
    EXPECT_NEAR(figure(record, "block_cone_lift_m"), 0.2943, 1e-4);
    EXPECT_NEAR(figure(record, "block_cone_100us_lift_m"), 0.2936, 1e-4);
    EXPECT_NEAR(figure(record, "block_cone_with_gap_lift_m"), 3.0e-3, 1e-5);
    EXPECT_NEAR(figure(record, "block_cone_first_normal_impulse_N_s"), 2.407848, 1e-6);
    EXPECT_EQ(figure(record, "block_cone_with_gap_steps_in_the_air"), 0.0);
    for (const std::string model : {"coulomb", "polygon", "box", "bristle"}) {
        const std::string name = "block_" + model;
        EXPECT_LE(std::abs(figure(record, name + "_lift_m")), 1e-12) << name;
        EXPECT_NEAR(figure(record, name + "_first_normal_impulse_N_s"), 0.00981, 1e-12) << name;
        EXPECT_EQ(figure(record, name + "_steps_in_the_air"), 0.0) << name;
    }
    for (const std::string model :
         {"cone", "cone_with_gap", "coulomb", "polygon", "box", "bristle"}) {
        const std::string name = "block_" + model;
        EXPECT_NEAR(figure(record, name + "_stop_time_s"), 6.0 / (0.5 * 9.81), 1e-3) << name;
        EXPECT_NEAR(figure(record, name + "_distance_m"), 3.670, 3.4e-3) << name;  // - h v / 2
    }
}

TEST(Guideway, ResistsByTheSumOfNormalForces) {
    const Record record = run(run_guideway, "");
    EXPECT_LE(figure(record, "guideway_deviation_relative"), 1e-5);
    EXPECT_LE(figure(record, "guideway_force_without_rolling_N"), 1e-9);
    EXPECT_NEAR(figure(record, "guideway_vertical_rho_16um_N"), 2.45, 1e-4);
    EXPECT_NEAR(figure(record, "guideway_vertical_seal_rho_64um_N"), 15.1, 1e-4);
    EXPECT_NEAR(figure(record, "guideway_45deg_rho_16um_N"), 3.4648, 1e-4);
    EXPECT_NEAR(figure(record, "guideway_45deg_seal_rho_64um_N"), 19.1593, 1e-4);
    // At rest: creep by compliance alone, below what it can hold.
    EXPECT_LE(std::abs(figure(record, "guideway_push_50_percent_speed_m_s")), 1e-8);
    EXPECT_LE(figure(record, "guideway_push_95_percent_speed_m_s"), 2.5e-5);
    EXPECT_NEAR(figure(record, "guideway_push_105_percent_speed_m_s"), 1.54e-2, 1e-4);
    EXPECT_NEAR(figure(record, "guideway_push_150_percent_speed_m_s"), 1.54e-1, 1e-3);
}

TEST(Experiments, RefuseModelsThatTheyDoNotHave) {
    ExperimentOptions options;
    options.model = "box";
    options.steps = 3;
    EXPECT_THROW(run_disc(options), std::invalid_argument);
    EXPECT_THROW(run_guideway(options), std::invalid_argument);
    options.model = "glue";
    EXPECT_THROW(run_wheel(options), std::invalid_argument);
}

bool is_figure_name(const std::string& name) {
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '_') return false;
    }
    return !name.empty() && name.front() >= 'a' && name.front() <= 'z';
}

void expect_drawable(const Record& record) {
    for (const Table& table : record.tables) {
        const std::size_t numbers = table.columns.size() - (table.labels.empty() ? 0 : 1);
        EXPECT_TRUE(table.labels.empty() || table.labels.size() == table.rows.size()) << table.file;
        for (const auto& row : table.rows) ASSERT_EQ(row.size(), numbers) << table.file;
    }
    for (const Plot& plot : record.plots)
        for (const Curve& curve : plot.curves)
            for (std::size_t k = 1; k < curve.points.size(); ++k)
                ASSERT_LE(curve.points[k - 1].first, curve.points[k].first) << curve.name;
    for (const Drawing& drawing : record.drawings)
        for (const Shape& shape : drawing.shapes) {
            ASSERT_NE(shape.points.size(), 2U) << drawing.file;
            ASSERT_TRUE(shape.points.size() != 1 || shape.radius > 0.0) << drawing.file;
        }
}

TEST(Experiments, RecordsHoldTogether) {
    std::set<std::string> experiment_names;
    for (const Experiment& experiment : experiments()) {
        SCOPED_TRACE(experiment.name);
        EXPECT_TRUE(experiment_names.insert(experiment.name).second);
        ExperimentOptions options;
        options.steps = 3;
        const Record record = experiment.run(options);
        std::set<std::string> names, files;
        for (const Figure& f : record.figures) {
            EXPECT_TRUE(is_figure_name(f.name)) << f.name;
            EXPECT_TRUE(names.insert(f.name).second) << f.name;
        }
        for (const Table& table : record.tables)
            EXPECT_TRUE(files.insert(table.file).second) << table.file;
        files.clear();
        for (const Plot& plot : record.plots)
            EXPECT_TRUE(files.insert(plot.file).second) << plot.file;
        for (const Drawing& drawing : record.drawings)
            EXPECT_TRUE(files.insert(drawing.file).second) << drawing.file;
        expect_drawable(record);
    }
}

TEST(Experiments, AreTheSameToTheBitWhenRepeated) {
    ExperimentOptions options;
    options.steps = 50;
    for (const auto experiment : {run_wheel, run_disc, run_block, run_guideway}) {
        const Record first = experiment(options), second = experiment(options);
        ASSERT_EQ(first.figures.size(), second.figures.size());
        for (std::size_t k = 0; k < first.figures.size(); ++k)
            EXPECT_EQ(first.figures[k].value, second.figures[k].value) << first.figures[k].name;
    }
}

}  // namespace
