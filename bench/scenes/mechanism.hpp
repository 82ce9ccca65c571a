// Mechanisms of few freedoms in coordinates of their own: what a time step takes, and perp_step
// with what it answers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "experiment.hpp"
#include "handles.hpp"
#include "scene.hpp"

namespace perp::scenes {

// Matrices and vectors of perp_system_def, perp_rows and perp_contacts under their names there.
// Matrices without rows and empty vectors are absent.
struct MechanismStep {
    double h = 0.0;  // s
    Triplets M, A, N, D, S, B;
    std::vector<double> f, u, b_N;
    std::vector<double> compliance_N, compliance_T, compliance_S;
    std::vector<double> mu, rho, sigma;
    std::vector<double> lo_B, hi_B;
    std::vector<double> velocity, axes, facet_angle, normal_estimate;
};

struct MechanismAnswer {
    std::vector<double> velocity;  // v+
    std::vector<double> z;         // impulses, rows A, N, D, S, B stacked
    perp_step_info info{};
};

// Steps of a mechanism under one friction model, whose memory it keeps. Counts what was not solved.
class Stepper {
public:
    Stepper(const perp_friction_def& model, const perp_settings& settings);

    // Throws CallFailed.
    MechanismAnswer step(const perp_system* system, const MechanismStep& data);

    [[nodiscard]] int64_t unsolved() const { return unsolved_; }
    [[nodiscard]] double worst_eta() const { return worst_eta_; }
    [[nodiscard]] double worst_law_residual() const { return worst_law_residual_; }
    [[nodiscard]] int64_t most_passes() const { return most_passes_; }

private:
    FrictionHandle friction_;
    perp_settings settings_;
    int64_t unsolved_ = 0, most_passes_ = 0;
    double worst_eta_ = 0.0, worst_law_residual_ = 0.0;
};

// Tells the caller of an experiment about every step.
class StepCount {
public:
    StepCount(const ExperimentOptions& options, int64_t steps) : options_(options), steps_(steps) {}
    void advance() {
        ++done_;
        if (options_.progress) options_.progress(done_, steps_);
    }

private:
    const ExperimentOptions& options_;
    int64_t steps_, done_ = 0;
};

SystemHandle make_system(const MechanismStep& data);

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
