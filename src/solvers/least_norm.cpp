#include "solvers/least_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/vectors.hpp"
#include "solvers/slope_search.hpp"

namespace perp {
namespace {

// Velocities that are no more than what is left of eta count as 0: so many times eta. The larger
// face has the shorter impulses, where it has any that solve.
constexpr double face_margins[] = {10.0, 3.0};
constexpr double least_threshold = 1e-3;  // of the tolerance
constexpr int most_centres = 20;
constexpr double first_epsilon = 1e-8;
constexpr double epsilon_decrease = 0.1;
constexpr double least_epsilon = 1e-13;
constexpr int most_steps = 60;  // of one minimum
constexpr double rounding = 1e-13;
constexpr double rounding_slope = 1e-15;
constexpr double worth = 0.5;  // of the last centre's residual: another one
constexpr int refinements = 3;

}  // namespace

std::string LeastNorm::unsupported_reason(const Problem& problem) {
    if (problem.set().tied())
        return "least_norm needs bounds of their own: tied ones move with the impulses";
    if (problem.asymmetry() > most_asymmetry)
        return format(
            "least_norm needs a symmetric matrix: entries deviate by %.3g relative to "
            "the diagonal, %g is allowed",
            problem.asymmetry(), most_asymmetry);
    return {};
}

LeastNorm::LeastNorm(const Problem& problem)
    : problem_(&problem), face_(problem), residual_(make_residual_workspace(problem)) {
    make_workspace();
}

void LeastNorm::renew() {
    face_ = SolutionFace(*problem_);
    residual_ = make_residual_workspace(*problem_);
    make_workspace();
}

void LeastNorm::make_workspace() {
    for (auto* const x : {&z_, &w_, &candidate_, &a_, &y_, &da_, &dy_, &zero_})
        x->assign(face_.form().p, 0.0);
    for (auto* const x : {&v_, &centre_, &dv_, &f_}) x->assign(face_.form().n, 0.0);
}

void LeastNorm::renew_kkt() {
    projection_ = std::make_unique<ConeProjection>(face_.set(), face_.form());
    if (kkt_)
        kkt_->renew(face_.form(), *projection_);
    else
        kkt_ = std::make_unique<ConeKkt>(face_.form(), *projection_);
}

// f <- J'y* - J'y - epsilon (v - v_k)
void LeastNorm::residual_of_motion() {
    const MixedForm& form = face_.form();
    for (std::int64_t i = 0; i < form.p; ++i) dy_[i] = -y_[i];
    std::copy(face_.momentum().begin(), face_.momentum().end(), f_.begin());
    form.panels.multiply_transposed_add(dy_, f_);
    for (std::int64_t i = 0; i < form.n; ++i) f_[i] -= epsilon_ * (v_[i] - centre_[i]);
}

bool LeastNorm::factor(Info& info) {
    for (const double shift : {0.0, 1e-14, 1e-11, 1e-8}) {
        ++info.factorizations;
        if (kkt_->factor(*projection_, shift, 0.0)) return true;
    }
    return false;
}

// epsilon dv + J'V J dv = f, where the kernel has dv = epsilon dv^.
void LeastNorm::find_step() {
    kkt_->solve(f_, zero_, dv_, dy_, refinements);
    for (double& dv : dv_) dv /= epsilon_;
    std::fill(da_.begin(), da_.end(), 0.0);
    face_.form().panels.multiply_add(dv_, da_);
}

double LeastNorm::slope_along(double step) {
    const MixedForm& form = face_.form();
    for (std::int64_t i = 0; i < form.p; ++i) y_[i] = a_[i] + step * da_[i];
    projection_->project(y_, y_);
    double slope = dot(y_, da_) - dot(face_.momentum(), dv_);
    for (std::int64_t i = 0; i < form.n; ++i)
        slope += epsilon_ * (v_[i] + step * dv_[i] - centre_[i]) * dv_[i];
    return slope;
}

// To the minimum around the centre; false where there are no factors.
bool LeastNorm::minimize(Info& info) {
    const MixedForm& form = face_.form();
    const double size = norm(face_.momentum());
    for (int k = 0; k < most_steps; ++k) {
        residual_of_motion();
        if (norm(f_) <= rounding * size) break;
        projection_->linearize(a_);
        if (!factor(info)) return false;
        find_step();
        const double first = slope_along(0.0);
        if (!(first < -rounding_slope * std::abs(dot(face_.momentum(), dv_)))) break;
        const double step = slope_search(first, [this](double t) { return slope_along(t); });
        for (std::int64_t i = 0; i < form.n; ++i) v_[i] += step * dv_[i];
        for (std::int64_t i = 0; i < form.p; ++i) a_[i] += step * da_[i];
        projection_->project(a_, y_);
    }
    return true;
}

void LeastNorm::set_epsilon(double epsilon) {
    epsilon_ = epsilon;
    projection_->weigh(std::vector<double>(y_.size(), epsilon));
}

// y <- the shortest of the face, with J'y as close to J'y* as `accuracy`. The first step has the
// contacts active that are so in z.
void LeastNorm::shorten(std::span<const double> z, double accuracy, Info& info) {
    set_epsilon(first_epsilon);
    for (auto* const x : {&v_, &centre_, &y_}) std::fill(x->begin(), x->end(), 0.0);
    residual_of_motion();
    face_.to_face(z, a_);
    projection_->linearize(a_);
    if (!factor(info)) return;
    find_step();
    std::copy(dv_.begin(), dv_.end(), v_.begin());
    std::copy(da_.begin(), da_.end(), a_.begin());
    projection_->project(a_, y_);
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_centres; ++k) {
        if (!minimize(info)) return;
        std::copy(v_.begin(), v_.end(), centre_.begin());
        residual_of_motion();
        const double now = norm(f_);
        const bool last = epsilon_ <= least_epsilon;
        if (now <= accuracy || (last && now > worth * before)) break;
        before = now;
        set_epsilon(std::max(epsilon_decrease * epsilon_, least_epsilon));
    }
}

// Under the exact law, velocities with De Saxce's shifts are those of a relaxed problem, and all
// its solutions have the same shifts.
void LeastNorm::shift_normals(std::span<double> u) const {
    const ConstraintSet& set = problem_->set();
    for (std::int64_t i = 0; i < set.contacts; ++i)
        u[set.contact_row[i * set.shape.rows()]] += set.shift(i, u);
}

bool LeastNorm::run(std::span<double> z, double tolerance, Info& info) {
    const MixedForm& scaled = face_.scaled();
    const double eta = residual(*problem_, z, residual_).eta;
    scaled.from_user(z, z_);
    std::copy(residual_.velocity.begin(), residual_.velocity.end(), w_.begin());
    if (problem_->set().exact) shift_normals(w_);
    for (std::int64_t i = 0; i < scaled.p; ++i) w_[i] *= scaled.scale[i];
    const double free_norm = problem_->free_norm();
    for (const double margin : face_margins) {
        face_.choose(w_, z_, std::max(margin * eta, least_threshold * tolerance) * free_norm);
        renew_kkt();
        // J'z* itself is no closer to that of a solution.
        shorten(z_, std::max(eta * free_norm, rounding * norm(face_.momentum())), info);
        face_.from_face(y_, candidate_);
        scaled.to_user(candidate_, candidate_);
        ++info.products;
        if (!(residual(*problem_, candidate_, residual_).eta <= tolerance)) continue;
        std::copy(candidate_.begin(), candidate_.end(), z.begin());
        return true;
    }
    return false;
}

}  // namespace perp
