#include "mechanism.hpp"

#include <algorithm>
#include <stdexcept>

namespace perp::scenes {

Stepper::Stepper(const perp_friction_def& model, const perp_settings& settings)
    : friction_(make_friction(model)), settings_(settings) {}

void Stepper::write_step(const ExperimentOptions& options, const std::string& name, int64_t step) {
    if (options.folder.empty()) return;
    chosen_step_ = step;
    title_ = name + ", step " + std::to_string(step);
    path_ = options.folder + "/" + name + "_" + std::to_string(step) + ".h5";
}

TimeStepAnswer Stepper::step(const perp_system* system, const TimeStep& data) {
    if (steps_++ == chosen_step_) write_instance(data, path_, title_);
    TimeStepAnswer answer = take_step(friction_.get(), system, data, settings_);
    if (answer.info.outcome != PERP_SOLVED) ++account_.unsolved;
    account_.worst_eta = std::max(account_.worst_eta, answer.info.eta);
    account_.worst_law_residual = std::max(account_.worst_law_residual, answer.info.law_residual);
    account_.most_passes = std::max(account_.most_passes, answer.info.passes);
    account_.least_dissipation = std::min(account_.least_dissipation, answer.info.dissipation);
    return answer;
}

void StepAccount::add(const StepAccount& other) {
    unsolved += other.unsolved;
    most_passes = std::max(most_passes, other.most_passes);
    worst_eta = std::max(worst_eta, other.worst_eta);
    worst_law_residual = std::max(worst_law_residual, other.worst_law_residual);
    least_dissipation = std::min(least_dissipation, other.least_dissipation);
}

void StepAccount::record(Record& to) const {
    to.add("unsolved_steps", static_cast<double>(unsolved));
    to.add("worst_eta", worst_eta);
    to.add("least_dissipation_J", least_dissipation);
}

void add_row(Triplets& matrix, const std::vector<double>& values) {
    matrix.cols = static_cast<int64_t>(values.size());
    for (std::size_t j = 0; j < values.size(); ++j) {
        if (values[j] != 0.0) matrix.add(matrix.rows, static_cast<int64_t>(j), values[j]);
    }
    ++matrix.rows;
}

Triplets diagonal(const std::vector<double>& values) {
    Triplets matrix;
    matrix.rows = matrix.cols = static_cast<int64_t>(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        matrix.add(static_cast<int64_t>(k), static_cast<int64_t>(k), values[k]);
    }
    return matrix;
}

std::vector<double> product(const Triplets& J, const std::vector<double>& v) {
    std::vector<double> y(static_cast<std::size_t>(J.rows), 0.0);
    for (std::size_t k = 0; k < J.value.size(); ++k) {
        y[static_cast<std::size_t>(J.row[k])] += J.value[k] * v[static_cast<std::size_t>(J.col[k])];
    }
    return y;
}

int64_t model_of(const std::string& name) {
    if (name == "bristle") return PERP_FRICTION_BRISTLE;
    if (name == "box") return PERP_FRICTION_BOX;
    if (name == "polygon") return PERP_FRICTION_POLYGON;
    if (name == "cone") return PERP_FRICTION_CONE;
    if (name == "coulomb") return PERP_FRICTION_COULOMB;
    throw std::invalid_argument("there is no friction model \"" + name +
                                "\": bristle, box, polygon, cone, coulomb");
}

bool wants_model(const ExperimentOptions& options, const std::string& model,
                 const std::vector<std::string>& models) {
    if (options.model.empty()) return true;
    if (std::find(models.begin(), models.end(), options.model) != models.end())
        return options.model == model;
    std::string names;
    for (const std::string& name : models) names += (names.empty() ? "" : ", ") + name;
    throw std::invalid_argument("the friction model \"" + options.model +
                                "\" is not in this experiment: " + names);
}

}  // namespace perp::scenes
