// Mechanisms of few freedoms in coordinates of their own: what a time step takes, and perp_step
// with what it answers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "time_step.hpp"

namespace perp::scenes {

// What the steps of a run were like.
struct StepAccount {
    int64_t unsolved = 0, most_passes = 0;
    double worst_eta = 0.0, worst_law_residual = 0.0;
    double least_dissipation = 0.0;  // J, of a step; not positive

    void add(const StepAccount& other);
    // Figures that all mechanisms have.
    void record(Record& to) const;
};

// Steps of a mechanism under one friction model, whose memory it keeps.
class Stepper {
public:
    Stepper(const perp_friction_def& model, const perp_settings& settings);

    // folder/NAME_STEP.h5 with that step (from 0), where the options name a folder.
    void write_step(const ExperimentOptions& options, const std::string& name, int64_t step);
    // Throws CallFailed.
    TimeStepAnswer step(const perp_system* system, const TimeStep& data);
    [[nodiscard]] const StepAccount& account() const { return account_; }

private:
    FrictionHandle friction_;
    perp_settings settings_;
    StepAccount account_;
    int64_t steps_ = 0, chosen_step_ = -1;
    std::string title_, path_;
};

// Tells the caller of an experiment about every step.
class StepCount {
public:
    StepCount(const ExperimentOptions& options, int64_t steps) : options_(options), steps_(steps) {}
    [[nodiscard]] const ExperimentOptions& options() const { return options_; }
    void advance() {
        ++done_;
        if (options_.progress) options_.progress(done_, steps_);
    }

private:
    const ExperimentOptions& options_;
    int64_t steps_, done_ = 0;
};

// Appends a row. `values` may have zeros, which are left out.
void add_row(Triplets& matrix, const std::vector<double>& values);
// A diagonal matrix.
Triplets diagonal(const std::vector<double>& values);
// J v
std::vector<double> product(const Triplets& J, const std::vector<double>& v);

// A friction model by the name that options have. Throws std::invalid_argument with the names there
// are.
int64_t model_of(const std::string& name);
// Does the caller of the experiment want this model? All, where options name none. Throws
// std::invalid_argument when options name one that is not among `models`.
bool wants_model(const ExperimentOptions& options, const std::string& model,
                 const std::vector<std::string>& models);

}  // namespace perp::scenes
