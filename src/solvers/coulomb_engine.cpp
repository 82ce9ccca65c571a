// The exact Coulomb law (De Saxce and Feng, Math. Comput. Modelling 28 (1998)): rounds of cone
// problems whose normal velocities are shifted by what the last solution slides, rolls and spins
// (Acary, Cadoux, Lemarechal and Malick, ZAMM 91 (2011)):
//
//   b_N + s,   s+ = mu |u_T| + rho |u_r| + sigma |u_s|
//
// u are the velocities of the rows, with constant terms and compliance. There may be several
// solutions, and there need not be one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/assembly.hpp"
#include "problem/shift_iteration.hpp"
#include "solvers/choice.hpp"
#include "solvers/outer_engine.hpp"
#include "solvers/proof.hpp"

namespace perp {
namespace {

constexpr int patience = 40;  // the shifts of hard problems settle late
// Friction of a contact at its limit: of the most that it can be.
constexpr double at_limit = 1.0 - 1e-6;

class CoulombEngine : public OuterEngine {
public:
    CoulombEngine(const Problem& problem, const Settings& settings)
        : OuterEngine(problem, settings, patience) {
        take_contacts();
    }

private:
    void take_problem() override { take_contacts(); }
    void start(std::span<const double> z) override;
    void freeze() override { frozen_.shift_normals(problem_, shifts_.shift); }
    void advance(std::span<const double> z, bool worse) override;
    // Rough rounds also keep the shifts of hard problems from going round in circles. The interior
    // point starts from nothing every time.
    [[nodiscard]] double worth(Method method, double best) const override {
        return method == Method::ipm ? 0.0 : std::min(best, distance_);
    }
    bool proves(std::span<double> certificate) override;

    void take_contacts();
    void ask(std::span<const double> z);
    void permit(std::span<const double> d);
    [[nodiscard]] double newton_factor(std::int64_t contact, std::span<const double> z) const;

    ShiftIteration shifts_{{}};
    std::vector<double> asked_, factor_;  // of each contact, at z
    double distance_ = 0.0;               // of the shifts from those asked for, relative as eta is
};

void CoulombEngine::take_contacts() {
    shifts_ = ShiftIteration(problem_.weights().contact);
    asked_.resize(problem_.set().contacts);
    factor_.resize(problem_.set().contacts);
}

// The shifts that the velocities of z ask for.
void CoulombEngine::ask(std::span<const double> z) {
    for (std::int64_t i = 0; i < problem_.set().contacts; ++i) {
        asked_[i] = problem_.set().shift(i, residual_.velocity);
        factor_[i] = newton_factor(i, z);
    }
}

// By what the change of a contact's shift is multiplied to be Newton's method for this contact
// alone: while it slides, mu |u_T| has the slope k / (1 + k) in s, k = mu^2 W_TT / W_nn, where
// W_nT = 0. Rows that stick or press nothing answer at once.
double CoulombEngine::newton_factor(std::int64_t contact, std::span<const double> z) const {
    const ConstraintSet& set = problem_.set();
    const ContactShape& shape = set.shape;
    const std::int32_t* const row = set.contact_row.data() + contact * shape.rows();
    const double normal = z[row[0]], diagonal = problem_.diagonal()[row[0]];
    if (!(normal > 0.0) || !(diagonal > 0.0)) return 1.0;
    double factor = 1.0;
    for (const FrictionGroup& g : friction_groups(shape, set.coefficients(contact))) {
        double square = 0.0, trace = 0.0;
        for (int j = g.first; j < g.first + g.rows; ++j) {
            square += z[row[j]] * z[row[j]];
            trace += problem_.diagonal()[row[j]];
        }
        if (g.coefficient > 0.0 && g.rows > 0 &&
            std::sqrt(square) >= at_limit * g.coefficient * normal)
            factor += g.coefficient * g.coefficient * trace / (g.rows * diagonal);
    }
    return factor;
}

// Contacts that press slide as they did; others say nothing.
void CoulombEngine::start(std::span<const double> z) {
    ask(z);
    const ConstraintSet& set = problem_.set();
    for (std::int64_t i = 0; i < set.contacts; ++i)
        shifts_.shift[i] = z[set.contact_row[i * set.shape.rows()]] > 0.0 ? asked_[i] : 0.0;
    shifts_.start();
    distance_ = std::numeric_limits<double>::infinity();
}

void CoulombEngine::advance(std::span<const double> z, bool /*worse*/) {
    ask(z);
    shifts_.advance(asked_, factor_);
    distance_ = energy_ratio(shifts_.change() * shifts_.change(), problem_.free_norm());
}

// The least larger shifts that the direction d does not forbid any more, r . d >= 0, and as much
// again: on the edge of what is possible solvers are slow.
void CoulombEngine::permit(std::span<const double> d) {
    const ConstraintSet& set = problem_.set();
    const int k = set.shape.rows();
    double descent = 0.0, size = 0.0;
    for (std::int64_t i = 0; i < set.rows; ++i) descent -= frozen_.free_velocity()[i] * d[i];
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        const double normal = d[set.contact_row[i * k]];
        size += normal * normal / problem_.weights().contact[i];
    }
    if (!(size > 0.0)) return;
    for (std::int64_t i = 0; i < set.contacts; ++i)
        shifts_.shift[i] += 2.0 * descent / size * std::max(d[set.contact_row[i * k]], 0.0) /
                            problem_.weights().contact[i];
    shifts_.start();
    distance_ = std::numeric_limits<double>::infinity();
}

// Friction in it could be met by larger shifts: what is left without must still be a proof.
bool CoulombEngine::proves(std::span<double> certificate) {
    const ConstraintSet& set = problem_.set();
    const int k = set.shape.rows();
    permit(certificate);
    for (std::int64_t i = 0; i < set.contacts; ++i)
        for (int j = 1; j < k; ++j) certificate[set.contact_row[i * k + j]] = 0.0;
    const std::vector<double> weight = row_weights(set, problem_.weights());
    const auto sum = [&](auto&& term) {
        double total = 0.0;
        for (std::int64_t row = 0; row < set.rows; ++row) total += term(row, weight[row]);
        return total;
    };
    const double norm = problem_.free_norm();
    const double length =
        std::sqrt(sum([&](auto row, double w) { return certificate[row] * certificate[row] / w; }));
    if (!(length > 0.0)) return false;
    // As long as r: less of the product W d is lost in W d + r.
    for (double& d : certificate) d *= norm / length;
    problem_.constraint_velocity(certificate, residual_.velocity, residual_.product);
    const std::vector<double>& r = problem_.free_velocity();
    const double descent = -sum([&](auto row, double) { return certificate[row] * r[row]; });
    const double curvature = std::sqrt(sum([&](auto row, double w) {
        const double product = residual_.velocity[row] - r[row];
        return w * product * product;
    }));
    const double rounding = 16.0 * std::numeric_limits<double>::epsilon() * norm;
    return is_proof(descent, std::max(curvature - rounding, 0.0), norm, norm);
}

}  // namespace

std::unique_ptr<Engine> make_coulomb_engine(const Problem& problem, const Settings& settings) {
    return std::make_unique<CoulombEngine>(problem, settings);
}

}  // namespace perp
