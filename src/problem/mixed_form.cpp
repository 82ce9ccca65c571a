#include "problem/mixed_form.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

// Beyond, a matrix is treated as not symmetric: no factorization may use one triangle for both.
constexpr double rounding_asymmetry = 1e-12;

// rows a_ij <- left_i a_ij right_j.
void scale_matrix(Csr& a, std::span<const double> left, std::span<const double> right) {
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k)
            a.value[k] *= left[i] * right[a.index[k]];
}

Csr dropped(const Csr& given, const Csr* before, std::int64_t first) {
    return before == nullptr ? without_zeros(given) : without_zeros(given, *before, first);
}

// Zeros dropped, but where `before` has entries.
Csr stacked_jacobian(const System& system, const Csr* before) {
    Csr j;
    j.cols = system.velocities();
    for (const SystemMatrix which : jacobian_order) {
        const Csr& given = system.matrix(which);
        const Csr part = system.keeps_zeros(which) ? given : dropped(given, before, j.rows);
        j.rows += part.rows;
        for (std::int64_t i = 0; i < part.rows; ++i)
            j.start.push_back(j.nonzeros() + part.start[i + 1] - part.start[i]);
        j.index.insert(j.index.end(), part.index.begin(), part.index.end());
        j.value.insert(j.value.end(), part.value.begin(), part.value.end());
    }
    return j;
}

// The pattern of `a` with every diagonal entry; zeros elsewhere are dropped, but where `before` has
// entries.
Csr with_diagonal(const Csr& given, const Csr* before) {
    const Csr a = dropped(given, before, 0);
    Csr c;
    c.rows = a.rows;
    c.cols = a.cols;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        bool placed = false;
        const auto place = [&] {
            c.index.push_back(static_cast<std::int32_t>(i));
            c.value.push_back(a.at(i, i));
            placed = true;
        };
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            if (!placed && a.index[k] >= i) place();
            if (a.index[k] == i) continue;
            c.index.push_back(a.index[k]);
            c.value.push_back(a.value[k]);
        }
        if (!placed) place();
        c.start.push_back(static_cast<std::int64_t>(c.index.size()));
    }
    return c;
}

bool plain_contact(const ConstraintSet& set, std::int64_t contact) {
    return (set.shape.tangential == 0 || set.mu[contact] == 0.0) &&
           (set.shape.angular() == 0 || (set.rho[contact] == 0.0 && set.sigma[contact] == 0.0));
}

}  // namespace

std::string MixedForm::reason(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t i = 0; i < set.contacts; ++i)
        if (!plain_contact(set, i))
            return format(
                "needs bounds, but the friction of contact %" PRId64 " (0-based) is a cone", i);
    return {};
}

bool MixedForm::is_symmetric(const Problem& problem) {
    return problem.asymmetry() <= rounding_asymmetry;
}

MixedForm::MixedForm(const Problem& problem)
    : MixedForm(problem, energy_scale(problem), false, nullptr) {}

MixedForm::MixedForm(const Problem& problem, std::vector<double> row_scale)
    : MixedForm(problem, std::move(row_scale), true, nullptr) {}

MixedForm MixedForm::renewed(const Problem& problem) const {
    return {problem, cones ? cone_scale(problem) : energy_scale(problem), cones, this};
}

MixedForm::MixedForm(const Problem& problem, std::vector<double> row_scale, bool with_cones,
                     const MixedForm* before)
    : p(problem.rows()),
      r(p),
      scale(std::move(row_scale)),
      cones(with_cones),
      free_norm(problem.free_norm()) {
    if (const std::string why = cones ? std::string() : reason(problem); !why.empty())
        fail(Status::unsupported, "pivoting %s", why.c_str());
    diagonal.resize(p);
    for (std::int64_t i = 0; i < p; ++i) diagonal[i] = problem.diagonal()[i] * scale[i] * scale[i];
    lo.assign(p, 0.0);  // friction rows of contacts without friction stay fixed
    hi.assign(p, 0.0);
    take_vectors(problem);
    if (const MatrixForm* form = problem.matrix(); form != nullptr) {
        const bool same_size = before != nullptr && before->n == 0 && before->p == p;
        C = with_diagonal(form->delassus ? form->combined : form->main.csr(),
                          same_size ? &before->C : nullptr);
        J.rows = p;
        J.start.assign(p + 1, 0);
    } else {
        const AssembledForm& assembled = *problem.assembled();
        n = problem.velocities();
        const bool same_size = before != nullptr && before->n == n && before->p == p;
        M = dropped(assembled.system->mass().matrix(), same_size ? &before->M : nullptr, 0);
        std::vector<double> unit(n);
        for (std::int64_t i = 0; i < n; ++i) unit[i] = 1.0 / std::sqrt(M.at(i, i));
        scale_matrix(M, unit, unit);
        J = stacked_jacobian(*assembled.system, same_size ? &before->J : nullptr);
        scale_matrix(J, scale, unit);
        C = diagonal_matrix(assembled.compliance);
    }
    Jt = transpose(J);
    panels = RowPanels(J);
    scale_matrix(C, scale, scale);
    symmetric = is_symmetric(problem);
}

void MixedForm::take_vectors(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t i = 0; i < p; ++i) r[i] = problem.free_velocity()[i] * scale[i];
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        const std::int32_t row = set.scalar_row[s];
        lo[row] = set.lo[s] / scale[row];
        hi[row] = set.hi[s] / scale[row];
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const ContactShape& shape = set.shape;
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        const std::int32_t* const row = set.contact_row.data() + i * shape.rows();
        hi[row[0]] = infinity;
        if (!cones) continue;
        for (const FrictionGroup& g : friction_groups(shape, set.coefficients(i)))
            for (int j = g.first; j < g.first + g.rows && g.coefficient > 0.0; ++j) {
                lo[row[j]] = -infinity;
                hi[row[j]] = infinity;
            }
    }
}

std::vector<double> energy_scale(const Problem& problem) {
    std::vector<double> scale = row_weights(problem.set(), problem.weights());
    for (double& e : scale) e = std::sqrt(e);
    return scale;
}

std::vector<double> cone_scale(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    const ContactShape& shape = set.shape;
    const auto safe = [](double d) { return d > 0.0 ? d : 1.0; };
    std::vector<double> scale = energy_scale(problem);
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        const std::int32_t* const row = set.contact_row.data() + i * shape.rows();
        double sliding = 0.0;
        for (int j = 1; j <= shape.tangential; ++j) sliding += problem.diagonal()[row[j]];
        scale[row[0]] = 1.0 / std::sqrt(safe(problem.diagonal()[row[0]]));
        for (int j = 1; j <= shape.tangential; ++j)
            scale[row[j]] = std::sqrt(shape.tangential / safe(sliding));
    }
    return scale;
}

ConeCoefficients scaled_coefficients(const ConstraintSet& set, std::int64_t contact,
                                     std::span<const double> row_scale) {
    const std::int32_t* const row = set.contact_row.data() + contact * set.shape.rows();
    std::array<double, 3> scaled{};
    const auto groups = friction_groups(set.shape, set.coefficients(contact));
    for (std::size_t q = 0; q < groups.size(); ++q)
        if (groups[q].rows > 0)
            scaled[q] = groups[q].coefficient * row_scale[row[0]] / row_scale[row[groups[q].first]];
    return {scaled[0], scaled[1], scaled[2]};
}

bool MixedForm::is_free(std::int64_t i) const { return std::isinf(lo[i]) && std::isinf(hi[i]); }
bool MixedForm::is_fixed(std::int64_t i) const { return lo[i] == hi[i]; }

void MixedForm::admit_states(std::span<const std::int8_t> states,
                             std::span<std::int8_t> out) const {
    for (std::int64_t i = 0; i < p; ++i) {
        const bool at_lo = is_fixed(i) || (states[i] == -1 && std::isfinite(lo[i]));
        const bool at_hi = !at_lo && states[i] == 1 && std::isfinite(hi[i]);
        out[i] = static_cast<std::int8_t>(at_lo ? -1 : at_hi ? 1 : 0);
    }
}

void MixedForm::from_user(std::span<const double> z, std::span<double> scaled) const {
    for (std::int64_t i = 0; i < p; ++i) scaled[i] = z[i] / scale[i];
}

void MixedForm::to_user(std::span<const double> scaled, std::span<double> z) const {
    for (std::int64_t i = 0; i < p; ++i) z[i] = scaled[i] * scale[i];
}

void MixedForm::constraint_velocity(std::span<const double> v, std::span<const double> z,
                                    std::span<double> w) const {
    std::copy(r.begin(), r.end(), w.begin());
    panels.multiply_add(v, w);
    multiply_add(C, z, w);
}

void MixedForm::motion_residual(std::span<const double> v, std::span<const double> z,
                                std::span<double> f) const {
    std::fill(f.begin(), f.end(), 0.0);
    multiply_add(M, v, f);
    for (double& x : f) x = -x;
    panels.multiply_transposed_add(z, f);
}

double MixedForm::eta(std::span<const double> z, std::span<const double> w) const {
    double square = 0.0;
    for (std::int64_t i = 0; i < p; ++i) {
        const double e = z[i] - std::min(std::max(z[i] - w[i], lo[i]), hi[i]);
        square += e * e;
    }
    return energy_ratio(square, free_norm);
}

}  // namespace perp
