#include "guideway_model.hpp"

#include <cmath>

namespace perp::scenes {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double density = 7800.0, young = 210e9, poisson = 0.3;  // steel: kg/m^3, Pa, -
constexpr double pitch = 7e-3, row_offset = 15e-3;                // m
constexpr double carriage_inertia = 1e-3, mu = 0.3;               // kg m^2, -
constexpr double root_half = 0.70710678118654752440;

// Hertz: stiffness dF/dd of a ball on a plane at the force F, N/m.
double contact_stiffness(double force) {
    const double effective = young / (2.0 * (1.0 - poisson * poisson));
    const double approach =
        std::pow(0.75 * force / (effective * std::sqrt(Guideway::ball_radius)), 2.0 / 3.0);
    return 1.5 * force / approach;
}

// direction . (velocity of the point `arm` from the centre of a body)
void set_point(std::vector<double>& row, int64_t body, Vec3 arm, Vec3 direction, double sign) {
    const Vec3 turn = cross(arm, direction);
    const auto k = static_cast<std::size_t>(6 * body);
    const double values[] = {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
    for (std::size_t j = 0; j < 6; ++j) row[k + j] = sign * values[j];
}

void set_turn(std::vector<double>& row, int64_t body, Vec3 direction, double sign) {
    const auto k = static_cast<std::size_t>(6 * body);
    row[k + 3] = sign * direction.x;
    row[k + 4] = sign * direction.y;
    row[k + 5] = sign * direction.z;
}

Stepper stepper_of() {
    auto def = initialized(perp_friction_def_init);
    def.model = PERP_FRICTION_CONE;
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_AUTO;
    settings.tolerance = 1e-10;
    settings.max_iterations = 200000;
    return {def, settings};
}

}  // namespace

Guideway::Guideway(const GuidewayOptions& options) : options_(options), stepper_(stepper_of()) {
    constexpr double ball_mass = density * 4.0 / 3.0 * pi * ball_radius * ball_radius * ball_radius;
    constexpr double ball_inertia = 0.4 * ball_mass * ball_radius * ball_radius;
    constexpr auto n = static_cast<std::size_t>(6 + 6 * balls);
    for (int64_t body = 0; body <= balls; ++body) {
        const double m = body == 0 ? carriage_mass : ball_mass;
        const double inertia = body == 0 ? carriage_inertia : ball_inertia;
        mass_.insert(mass_.end(), {m, m, m, inertia, inertia, inertia});
    }
    const double start = options.driven ? options.speed : 0.0;
    v_.assign(n, 0.0);
    v_[0] = start;
    force_.assign(n, 0.0);
    force_[0] = options.push;
    force_[2] = -load;
    gap_.assign(static_cast<std::size_t>(contacts), 0.0);

    const double s = options.inclined ? root_half : 0.0, c = options.inclined ? root_half : 1.0;
    for (int64_t k = 0; k < balls; ++k) {
        const double side = k < balls_in_row ? 1.0 : -1.0;
        const double place =
            static_cast<double>(k % balls_in_row) - 0.5 * static_cast<double>(balls_in_row - 1);
        const Vec3 normal{0.0, -side * s, c};
        add_contacts(k, {pitch * place, side * row_offset, 0.0}, normal);
        const Vec3 rolling = (start / (2.0 * ball_radius)) * cross(normal, {1.0, 0.0, 0.0});
        const auto at = static_cast<std::size_t>(6 + 6 * k);
        v_[at] = 0.5 * start;
        v_[at + 3] = rolling.x;
        v_[at + 4] = rolling.y;
        v_[at + 5] = rolling.z;
    }
    step_.h = h;
    step_.M = diagonal(mass_);
    const double compliance =
        1.0 / (h * h * contact_stiffness(load / c / static_cast<double>(balls)));
    step_.mu.assign(gap_.size(), mu);
    step_.rho.assign(gap_.size(), options.rolling);
    step_.sigma = step_.rho;
    step_.compliance_N.assign(gap_.size(), compliance);
    step_.compliance_T.assign(2 * gap_.size(), compliance);
    // Torques about a ball's radius.
    step_.compliance_S.assign(3 * gap_.size(), compliance / (ball_radius * ball_radius));
    std::vector<double> along(n, 0.0);
    along[0] = 1.0;
    if (options.driven) {
        add_row(step_.A, along);
        step_.u = {options.speed};
    }
    if (options.seal > 0.0) {
        add_row(step_.B, along);
        step_.lo_B = {-h * options.seal};
        step_.hi_B = {h * options.seal};
    }
    system_ = make_system(step_);
}

// Rail below the ball, then carriage above it; normals upwards, from rail to ball and from ball to
// carriage.
void Guideway::add_contacts(int64_t ball, Vec3 centre, Vec3 normal) {
    const Vec3 along{1.0, 0.0, 0.0}, across = cross(normal, along);
    const Vec3 from_ball = ball_radius * normal;
    for (const bool at_carriage : {false, true}) {
        const auto add = [&](Triplets& matrix, Vec3 direction, bool turn) {
            std::vector<double> row(mass_.size(), 0.0);
            if (turn) {
                set_turn(row, ball + 1, direction, at_carriage ? -1.0 : 1.0);
                if (at_carriage) set_turn(row, 0, direction, 1.0);
            } else if (at_carriage) {
                set_point(row, 0, centre + from_ball, direction, 1.0);
                set_point(row, ball + 1, from_ball, direction, -1.0);
            } else {
                set_point(row, ball + 1, -from_ball, direction, 1.0);
            }
            add_row(matrix, row);
        };
        add(step_.N, normal, false);
        add(step_.D, along, false);
        add(step_.D, across, false);
        add(step_.S, normal, true);
        add(step_.S, along, true);
        add(step_.S, across, true);
    }
}

void Guideway::advance() {
    step_.f.resize(v_.size());
    for (std::size_t k = 0; k < v_.size(); ++k) step_.f[k] = mass_[k] * v_[k] + h * force_[k];
    step_.b_N.resize(gap_.size());
    for (std::size_t k = 0; k < gap_.size(); ++k) step_.b_N[k] = gap_[k] / h;
    step_.velocity = v_;
    const TimeStepAnswer answer = stepper_.step(system_.get(), step_);
    v_ = answer.velocity;
    const std::vector<double> opening = product(step_.N, v_);
    const auto first_normal = static_cast<std::size_t>(step_.A.rows);
    normals_ = 0.0;
    for (std::size_t k = 0; k < gap_.size(); ++k) {
        gap_[k] += h * opening[k];
        normals_ += 0.5 * answer.z[first_normal + k] / h;
    }
    drive_ = options_.driven ? answer.z[0] / h : 0.0;
}

}  // namespace perp::scenes
