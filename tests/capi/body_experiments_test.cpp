// The experiments with rigid bodies, shortened: what they show.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "body_experiments.hpp"
#include "handles.hpp"

namespace {

using namespace perp::scenes;

std::map<std::string, double> figures_of(const Record& record) {
    std::map<std::string, double> figures;
    for (const Figure& figure : record.figures) {
        EXPECT_TRUE(figures.emplace(figure.name, figure.value).second) << figure.name << " twice";
        EXPECT_TRUE(std::isfinite(figure.value)) << figure.name;
    }
    return figures;
}

TEST(BodyExperiments, BrickHoldsBelowTheFrictionAngleAndSlidesAbove) {
    auto figures = figures_of(run_brick_slope({}));
    for (const std::string model : {"cone", "coulomb", "polygon", "box", "bristle"}) {
        SCOPED_TRACE(model);
        EXPECT_LT(std::abs(figures[model + "_holds_speed_m_s"]), 1e-9);
        EXPECT_LT(std::abs(figures[model + "_holds_distance_m"]), model == "bristle" ? 1e-5 : 1e-9);
        EXPECT_LT(std::abs(figures[model + "_holds_creep_m"]), 1e-9);
        EXPECT_LT(std::abs(figures[model + "_slides_acceleration_error_relative"]), 1e-6);
        EXPECT_GT(figures[model + "_holds_least_dissipation_relative"], -1e-7);
        EXPECT_GT(figures[model + "_slides_least_dissipation_relative"], -1e-7);
    }
}

TEST(BodyExperiments, WhatIsHeldDoesNotCreep) {
    ExperimentOptions options;
    options.steps = 4000;
    auto gripper = figures_of(run_gripper(options));
    EXPECT_NEAR(gripper["slip_m"], gripper["exact_slip_m"], 1e-6 * gripper["exact_slip_m"]);
    EXPECT_LT(std::abs(gripper["creep_m"]), 1e-12);
    EXPECT_LT(gripper["largest_speed_after_start_m_s"], 1e-11);
    EXPECT_LT(gripper["turning_axes_change_m"], 1e-12);
    auto feet = figures_of(run_bristle_slope({}));
    for (const std::string name : {"soft", "stiff"}) {
        EXPECT_LT(std::abs(feet[name + "_slip_error_relative"]), 1e-6);
        EXPECT_LT(std::abs(feet[name + "_turning_axes_slip_error_relative"]), 1e-6);
        EXPECT_LT(feet[name + "_largest_speed_after_start_m_s"], 1e-11);
    }
}

TEST(BodyExperiments, CollisionsKeepMomentaWhateverTheOrder) {
    auto figures = figures_of(run_collision({}));
    EXPECT_LT(figures["linear_momentum_drift_relative"], 1e-13);
    EXPECT_LT(figures["angular_momentum_drift_relative"], 1e-12);
    EXPECT_LT(figures["order_change_relative"], 1e-9);
    EXPECT_LT(figures["swap_change_relative"], 1e-9);
    EXPECT_GT(figures["least_dissipation_relative"], -1e-9);
    EXPECT_GT(figures["largest_contacts"], 10.0);
}

TEST(BodyExperiments, StacksStand) {
    ExperimentOptions options;
    options.steps = 100;
    for (const auto& run : {run_box_stack, run_mass_ratio_stack}) {
        auto figures = figures_of(run(options));
        EXPECT_LT(figures["drift_m"], 1e-6);
        EXPECT_EQ(figures["unsolved_steps"], 0.0);
    }
}

// 500 spheres, as far as 2.5 s go, and the rolling friction that makes heaps steep.
TEST(BodyExperiments, HeapOfSpheres) {
    ExperimentOptions options;
    options.bodies = 500;
    options.steps = 500;
    options.rolling = 0.01;
    auto figures = figures_of(run_heap(options));
    EXPECT_EQ(figures["bodies"], 200.0);
    EXPECT_EQ(figures["unsolved_steps"], 0.0);
    EXPECT_LE(figures["worst_eta"], 1e-3);
    EXPECT_GT(figures["least_dissipation_relative"], -1e-3);
    EXPECT_GT(figures["largest_contacts"], 200.0);
    options.rolling = 0.0;
    auto level = figures_of(run_heap(options));
    EXPECT_GT(figures["angle_of_repose_deg"], level["angle_of_repose_deg"] + 5.0);
}

TEST(BodyExperiments, ChosenStepsAreInstances) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                         ("perp-experiments-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    ExperimentOptions options;
    options.folder = folder.string();
    options.steps = 10;
    run_box_stack(options);
    perp_problem* problem = nullptr;
    ASSERT_EQ(
        perp_problem_read((options.folder + "/box_stack_10.h5").c_str(), PERP_LAW_CONE, &problem),
        PERP_OK)
        << perp_last_message();
    const ProblemHandle handle(problem);
    auto info = sized<perp_problem_info>();
    ASSERT_EQ(perp_problem_get_info(problem, &info), PERP_OK);
    EXPECT_EQ(info.contacts, 40);
    std::filesystem::remove_all(folder);
}

}  // namespace
