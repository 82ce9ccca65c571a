#include "mechanism.hpp"

#include <algorithm>
#include <stdexcept>

namespace perp::scenes {
namespace {

const double* data_or_null(const std::vector<double>& v) { return v.empty() ? nullptr : v.data(); }

perp_rows rows_of(const MechanismStep& data) {
    auto rows = initialized(perp_rows_init);
    rows.f = data.f.data();
    rows.u = data_or_null(data.u);
    rows.b_N = data_or_null(data.b_N);
    rows.compliance_N = data_or_null(data.compliance_N);
    rows.compliance_T = data_or_null(data.compliance_T);
    rows.compliance_S = data_or_null(data.compliance_S);
    rows.mu = data_or_null(data.mu);
    rows.rho = data_or_null(data.rho);
    rows.sigma = data_or_null(data.sigma);
    rows.lo_B = data_or_null(data.lo_B);
    rows.hi_B = data_or_null(data.hi_B);
    return rows;
}

}  // namespace

Stepper::Stepper(const perp_friction_def& model, const perp_settings& settings)
    : settings_(settings) {
    perp_friction* created = nullptr;
    require(perp_friction_create(&model, &created), "friction model");
    friction_.reset(created);
}

MechanismAnswer Stepper::step(const perp_system* system, const MechanismStep& data) {
    const perp_rows rows = rows_of(data);
    auto contacts = initialized(perp_contacts_init);
    contacts.h = data.h;
    contacts.velocity = data_or_null(data.velocity);
    contacts.axes = data_or_null(data.axes);
    contacts.facet_angle = data_or_null(data.facet_angle);
    contacts.normal_estimate = data_or_null(data.normal_estimate);
    MechanismAnswer answer;
    answer.velocity.resize(static_cast<std::size_t>(data.M.rows));
    answer.z.resize(static_cast<std::size_t>(data.A.rows + data.N.rows + data.D.rows + data.S.rows +
                                             data.B.rows));
    answer.info = sized<perp_step_info>();
    require(perp_step(friction_.get(), system, &rows, &contacts, &settings_, answer.velocity.data(),
                      answer.z.data(), nullptr, &answer.info),
            "time step");
    if (answer.info.outcome != PERP_SOLVED) ++unsolved_;
    worst_eta_ = std::max(worst_eta_, answer.info.eta);
    worst_law_residual_ = std::max(worst_law_residual_, answer.info.law_residual);
    most_passes_ = std::max(most_passes_, answer.info.passes);
    return answer;
}

SystemHandle make_system(const MechanismStep& data) {
    const perp_triplets M = data.M.view(), A = data.A.view(), N = data.N.view();
    const perp_triplets D = data.D.view(), S = data.S.view(), B = data.B.view();
    auto def = initialized(perp_system_def_init);
    def.M = &M;
    if (A.rows > 0) def.A = &A;
    if (N.rows > 0) def.N = &N;
    if (D.rows > 0) def.D = &D;
    if (S.rows > 0) def.S = &S;
    if (B.rows > 0) def.B = &B;
    perp_system* system = nullptr;
    require(perp_system_create(&def, &system), "mechanism");
    return SystemHandle(system);
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
