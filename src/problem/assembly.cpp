#include "problem/assembly.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "problem/vectors.hpp"

namespace perp {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Sizes {
    std::int64_t n, m, r, t, a, k;
};

Sizes sizes(const System& s) {
    const std::int64_t r = s.contacts();
    return {s.velocities(),           s.bilateral(),           r,
            r * s.shape().tangential, r * s.shape().angular(), s.boxes()};
}

// The box law with coefficients in place of bounds: +-mu times the normal impulse.
bool tied_bounds(const Sizes& size, const ContactRows& rows, Law law) {
    return law == Law::box && size.t > 0 && rows.lo_T.empty() && rows.hi_T.empty() &&
           !rows.mu.empty();
}

void check_rows(const Sizes& size, ContactRows& rows, Law law) {
    const bool tied = tied_bounds(size, rows, law);
    require(rows.f, size.n, "f", "the right-hand side of M v+ = f + J' z is needed");
    const struct {
        std::vector<double>& v;
        std::int64_t size;
        const char* name;
    } finite[] = {{rows.f, size.n, "f"},     {rows.u, size.m, "u"},     {rows.b_N, size.r, "b_N"},
                  {rows.b_T, size.t, "b_T"}, {rows.b_S, size.a, "b_S"}, {rows.b_B, size.k, "b_B"}};
    const struct {
        std::vector<double>& v;
        std::int64_t size;
        const char* name;
    } not_negative[] = {{rows.compliance_A, size.m, "compliance_A"},
                        {rows.compliance_N, size.r, "compliance_N"},
                        {rows.compliance_T, size.t, "compliance_T"},
                        {rows.compliance_S, size.a, "compliance_S"},
                        {rows.compliance_B, size.k, "compliance_B"}};
    for (const auto& part : finite) {
        fill_default(part.v, part.size);
        check_size(part.v, part.size, part.name);
        check_finite(part.v, part.name);
    }
    for (const auto& part : not_negative) {
        fill_default(part.v, part.size);
        check_size(part.v, part.size, part.name);
        check_not_negative(part.v, part.name);
    }
    if (law != Law::box)
        require(rows.mu, size.t, "mu", "the cone law needs a sliding coefficient per contact");
    for (const auto& [v, name] : {std::pair{&rows.mu, "mu"}, std::pair{&rows.rho, "rho"},
                                  std::pair{&rows.sigma, "sigma"}}) {
        fill_default(*v, size.r);
        check_size(*v, size.r, name);
        check_not_negative(*v, name);
    }
    require(rows.lo_B, size.k, "lo_B", "box rows need bounds");
    require(rows.hi_B, size.k, "hi_B", "box rows need bounds");
    check_size(rows.lo_B, size.k, "lo_B");
    check_size(rows.hi_B, size.k, "hi_B");
    ConstraintSet::check_bounds(rows.lo_B, rows.hi_B, "lo_B", "hi_B");
    if (law != Law::box && rows.lo_T.empty() && rows.hi_T.empty()) return;
    if (tied) return;
    require(rows.lo_T, size.t, "lo_T", "the box law needs bounds of the friction impulses, or mu");
    require(rows.hi_T, size.t, "hi_T", "the box law needs bounds of the friction impulses");
    check_size(rows.lo_T, size.t, "lo_T");
    check_size(rows.hi_T, size.t, "hi_T");
    ConstraintSet::check_bounds(rows.lo_T, rows.hi_T, "lo_T", "hi_T");
}

}  // namespace

AssembledForm assemble_form(std::shared_ptr<const System> system, ContactRows rows, Law law) {
    const Sizes size = sizes(*system);
    if (law == Law::box && size.a > 0)
        fail(Status::unsupported,
             "S has %" PRId64 " rows, but the box law has no rolling or spinning friction", size.a);
    const bool tied = tied_bounds(size, rows, law);
    check_rows(size, rows, law);
    const std::int64_t p = size.m + size.r + size.t + size.a + size.k;
    if (p > std::numeric_limits<std::int32_t>::max())
        fail(Status::bad_size, "the problem has %" PRId64 " rows, the largest number is %d", p,
             std::numeric_limits<std::int32_t>::max());
    AssembledForm form;
    for (const double x : rows.u) form.constant.push_back(-x);
    for (const auto* part : {&rows.b_N, &rows.b_T, &rows.b_S, &rows.b_B})
        form.constant.insert(form.constant.end(), part->begin(), part->end());
    for (const auto* part : {&rows.compliance_A, &rows.compliance_N, &rows.compliance_T,
                             &rows.compliance_S, &rows.compliance_B})
        form.compliance.insert(form.compliance.end(), part->begin(), part->end());
    form.system = std::move(system);
    form.rows = std::move(rows);
    form.law = law;
    form.tied = tied;
    return form;
}

ConstraintSet assembled_set(const AssembledForm& form) {
    const System& system = *form.system;
    const Sizes size = sizes(system);
    const ContactRows& rows = form.rows;
    const int t = system.shape().tangential;
    const int a = system.shape().angular();
    ConstraintSet set;
    set.rows = size.m + size.r + size.t + size.a + size.k;
    set.shape = system.shape();
    for (std::int64_t i = 0; i < size.m; ++i)
        set.add_scalar(i, RowKind::bilateral, -infinity, infinity);
    set.scalars_first = size.m;
    const std::int64_t first_t = size.m + size.r;
    const std::int64_t first_s = first_t + size.t;
    set.exact = form.law == Law::coulomb;
    if (form.law != Law::box) {
        set.contacts = size.r;
        set.mu = rows.mu;
        set.rho = rows.rho;
        set.sigma = rows.sigma;
        set.contact_row.reserve(size.r * set.shape.rows());
        for (std::int64_t i = 0; i < size.r; ++i) {
            set.contact_row.push_back(static_cast<std::int32_t>(size.m + i));
            for (int j = 0; j < t; ++j)
                set.contact_row.push_back(static_cast<std::int32_t>(first_t + i * t + j));
            for (int j = 0; j < a; ++j)
                set.contact_row.push_back(static_cast<std::int32_t>(first_s + i * a + j));
        }
    } else {
        for (std::int64_t i = 0; i < size.r; ++i) {
            set.add_scalar(size.m + i, RowKind::normal, 0.0, infinity);
            for (std::int64_t j = i * t; j < (i + 1) * t; ++j) {
                if (form.tied)
                    set.add_scalar(first_t + j, RowKind::friction, -infinity, infinity);
                else
                    set.add_scalar(first_t + j, RowKind::friction, rows.lo_T[j], rows.hi_T[j]);
            }
        }
    }
    for (std::int64_t i = 0; i < size.k; ++i)
        set.add_scalar(first_s + size.a + i, RowKind::box, rows.lo_B[i], rows.hi_B[i]);
    if (!form.tied) return set;
    set.tie.resize(set.scalars());
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        if (set.scalar_kind[s] != RowKind::friction) continue;
        const std::int64_t contact = (set.scalar_row[s] - first_t) / t;
        set.tie[s] = {static_cast<std::int32_t>(size.m + contact), rows.mu[contact]};
    }
    return set;
}

std::vector<double> assembled_diagonal(const AssembledForm& form) {
    std::vector<double> diagonal(form.compliance);
    const MassMatrix& mass = form.system->mass();
    MassMatrix::Scratch scratch;
    std::vector<std::int32_t> index, left_index;
    std::vector<double> value, left_value;
    std::int64_t row = 0;
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = form.system->matrix(which);
        for (std::int64_t i = 0; i < jacobian.rows; ++i, ++row) {
            mass.half_row(MassMatrix::Half::right, jacobian.row_index(i), jacobian.row_value(i),
                          index, value, scratch);
            double sum = 0.0;
            if (mass.symmetric()) {
                for (const double x : value) sum += x * x;
            } else {
                mass.half_row(MassMatrix::Half::left, jacobian.row_index(i), jacobian.row_value(i),
                              left_index, left_value, scratch);
                for (std::size_t k = 0; k < value.size(); ++k) sum += value[k] * left_value[k];
            }
            diagonal[row] += sum;
        }
    }
    return diagonal;
}

ConstraintSet blcp_set(std::int64_t rows, std::vector<double> lo, std::vector<double> hi) {
    if (lo.empty()) lo.assign(rows, -infinity);
    if (hi.empty()) hi.assign(rows, infinity);
    check_size(lo, rows, "lo");
    check_size(hi, rows, "hi");
    ConstraintSet::check_bounds(lo, hi, "lo", "hi");
    ConstraintSet set;
    set.rows = rows;
    for (std::int64_t i = 0; i < rows; ++i) set.add_scalar(i, RowKind::box, lo[i], hi[i]);
    return set;
}

std::vector<double> row_weights(const ConstraintSet& set, const EnergyWeights& weights) {
    std::vector<double> weight(set.rows, 0.0);
    for (std::int64_t s = 0; s < set.scalars(); ++s) weight[set.scalar_row[s]] = weights.scalar[s];
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts; ++i)
        for (int j = 0; j < k; ++j)
            weight[set.contact_row[i * k + j]] =
                j <= set.shape.tangential ? weights.contact[i] : weights.angular[i];
    return weight;
}

double relative_asymmetry(const Csr& a, const std::vector<double>& weight) {
    double worst = 0.0;
    visit_mirrored(a, [&](std::int64_t i, std::int64_t j, double value, double mirror) {
        worst = std::max(worst, std::sqrt(weight[i] * weight[j]) * std::abs(value - mirror));
    });
    return worst;
}

}  // namespace perp
