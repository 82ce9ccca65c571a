// Spheres of different size, dropped into a box and settled.
//
// The time stepping is the scheme whose steps perp solves: v+ from the cone problem of the step,
// x+ = x + h v+. Forty sweeps of projected Gauss-Seidel per step, started from the impulses of the
// step before, are what an engine would spend; the scene is the problem of the step after.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "builder.hpp"
#include "neighbours.hpp"
#include "random.hpp"

namespace perp::scenes {
namespace {

constexpr double mean_radius = 0.05, radius_spread = 0.2;
constexpr double density = 2000.0;
constexpr double friction = 0.5;
constexpr double time_step = 5e-3;
constexpr int64_t sweeps = 40;
constexpr double contact_margin = 2e-3;   // m: surfaces closer than this are contacts
constexpr double largest_recovery = 0.3;  // m/s at which overlap is pushed apart
constexpr double lattice = 0.13;          // m, spacing at the start: no sphere touches another
constexpr double jitter = 0.004;          // m
constexpr int64_t heavy_every = 7;
constexpr double pi = 3.14159265358979323846;

// A side of the box.
struct Plane {
    Vec3 normal;  // inwards
    double offset;
};

struct Touch {
    Contact contact;
    std::uint64_t key = 0;  // the same pair has the same key in every step
};

std::uint64_t key_of(int64_t sphere, int64_t partner) {
    return static_cast<std::uint64_t>(sphere) << 32 | static_cast<std::uint64_t>(partner);
}

class Pile {
public:
    Pile(int64_t spheres, std::uint64_t seed);
    // One time step.
    void advance();
    void scale_masses(double factor);
    // The problem of the next step.
    [[nodiscard]] Scene step_problem(double rolling) const {
        return assemble(find_contacts(rolling), rolling > 0);
    }

private:
    [[nodiscard]] std::vector<Touch> find_contacts(double rolling) const;
    [[nodiscard]] Scene assemble(const std::vector<Touch>& touches, bool angular_rows) const;
    [[nodiscard]] std::vector<double> guess(const std::vector<Touch>& touches) const;
    void remember(const std::vector<Touch>& touches, const std::vector<double>& z);
    [[nodiscard]] std::vector<double> solve(const std::vector<Touch>& touches, const Scene& scene);
    void move(const std::vector<double>& v);

    std::vector<Body> bodies_;
    std::vector<double> radii_;
    std::vector<Plane> planes_;
    std::unordered_map<std::uint64_t, Vec3> impulses_;  // of the last step, world axes
};

// As many spheres along each side of the box as make the lattice a cube.
Pile::Pile(int64_t spheres, std::uint64_t seed) {
    int64_t side = 1;
    while (side * side * side < spheres) ++side;
    const double width = static_cast<double>(side) * lattice;
    planes_ = {
        {{0, 0, 1}, 0}, {{1, 0, 0}, 0}, {{-1, 0, 0}, -width}, {{0, 1, 0}, 0}, {{0, -1, 0}, -width}};
    Random size(seed, 1), place(seed, 2);
    for (int64_t i = 0; i < spheres; ++i) {
        const double r = mean_radius * size.between(1.0 - radius_spread, 1.0 + radius_spread);
        Body body;
        body.mass = density * (4.0 / 3.0) * pi * r * r * r;
        const double inertia = 0.4 * body.mass * r * r;
        body.inertia = {inertia, inertia, inertia};
        const auto at = [&](int64_t k) {
            return lattice * (static_cast<double>(k) + 0.5) + place.between(-jitter, jitter);
        };
        body.position = Vec3{at(i % side), at(i / side % side), at(i / (side * side))};
        bodies_.push_back(body);
        radii_.push_back(r);
    }
}

double closing_term(double gap) { return std::max(gap / time_step, -largest_recovery); }

std::vector<Touch> Pile::find_contacts(double rolling) const {
    std::vector<Touch> touches;
    const auto add = [&](int64_t a, int64_t b, Vec3 point, Vec3 normal, double gap, double radius,
                         std::uint64_t key) {
        touches.push_back(
            {{a, b, point, normal, closing_term(gap), friction, rolling * radius}, key});
    };
    std::vector<Vec3> centres(bodies_.size());
    for (std::size_t i = 0; i < centres.size(); ++i) centres[i] = bodies_[i].position;
    for (const Pair& pair : close_pairs(centres, radii_, contact_margin)) {
        const auto a = static_cast<std::size_t>(pair.a), b = static_cast<std::size_t>(pair.b);
        const Vec3 apart = centres[a] - centres[b];
        const double distance = length(apart);
        const Vec3 normal = (1.0 / distance) * apart;
        const double gap = distance - radii_[a] - radii_[b];
        const Vec3 point = centres[b] + (radii_[b] + 0.5 * gap) * normal;
        add(pair.a, pair.b, point, normal, gap, 0.5 * (radii_[a] + radii_[b]),
            key_of(pair.a, pair.b));
    }
    const auto spheres = static_cast<int64_t>(bodies_.size());
    for (int64_t i = 0; i < spheres; ++i) {
        for (std::size_t k = 0; k < planes_.size(); ++k) {
            const Vec3 centre = centres[static_cast<std::size_t>(i)];
            const double radius = radii_[static_cast<std::size_t>(i)];
            const double gap = dot(planes_[k].normal, centre) - planes_[k].offset - radius;
            if (gap >= contact_margin) continue;
            const std::uint64_t key = key_of(i, spheres + static_cast<int64_t>(k));
            add(i, ground, centre - radius * planes_[k].normal, planes_[k].normal, gap, radius,
                key);
        }
    }
    return touches;
}

Scene Pile::assemble(const std::vector<Touch>& touches, bool angular_rows) const {
    SceneBuilder builder(bodies_, time_step, angular_rows);
    for (const Touch& touch : touches) builder.add_contact(touch.contact);
    return builder.finish();
}

std::vector<double> Pile::guess(const std::vector<Touch>& touches) const {
    const std::size_t contacts = touches.size();
    std::vector<double> z(3 * contacts, 0.0);
    for (std::size_t i = 0; i < contacts; ++i) {
        const auto old = impulses_.find(touches[i].key);
        if (old == impulses_.end()) continue;
        const Frame frame = frame_of(touches[i].contact.normal);
        z[i] = dot(frame.n, old->second);
        z[contacts + 2 * i] = dot(frame.t1, old->second);
        z[contacts + 2 * i + 1] = dot(frame.t2, old->second);
    }
    return z;
}

void Pile::remember(const std::vector<Touch>& touches, const std::vector<double>& z) {
    const std::size_t contacts = touches.size();
    impulses_.clear();
    for (std::size_t i = 0; i < contacts; ++i) {
        const Frame frame = frame_of(touches[i].contact.normal);
        impulses_[touches[i].key] =
            z[i] * frame.n + z[contacts + 2 * i] * frame.t1 + z[contacts + 2 * i + 1] * frame.t2;
    }
}

// Velocities after the step.
std::vector<double> Pile::solve(const std::vector<Touch>& touches, const Scene& scene) {
    const ProblemHandle problem = make_problem(scene);
    auto settings = initialized(perp_settings_init);
    settings.method = PERP_PGS;
    settings.tolerance = 1e-14;  // never reached: the sweeps are the budget
    settings.max_iterations = sweeps;
    settings.check_interval = sweeps;
    settings.warm_start = 1;
    perp_solver* created = nullptr;
    require(perp_solver_create(problem.get(), &settings, &created), "settling");
    const SolverHandle solver(created);
    std::vector<double> z = guess(touches), v(scene.f.size());
    auto info = sized<perp_info>();
    require(perp_solve(solver.get(), z.data(), nullptr, &info), "settling");
    if (info.outcome == PERP_NUMERICAL_FAILURE || info.outcome == PERP_NO_SOLUTION) {
        throw std::runtime_error(std::string("settling: ") + perp_outcome_text(info.outcome));
    }
    require(perp_constraint_velocity(problem.get(), z.data(), nullptr, v.data()), "settling");
    remember(touches, z);
    return v;
}

void Pile::move(const std::vector<double>& v) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        Body& body = bodies_[i];
        body.velocity = {v[6 * i], v[6 * i + 1], v[6 * i + 2]};
        body.spin = {v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]};
        body.position = body.position + time_step * body.velocity;
    }
}

void Pile::advance() {
    const std::vector<Touch> touches = find_contacts(0.0);
    const Scene scene = assemble(touches, false);
    if (!touches.empty()) {
        move(solve(touches, scene));
        return;
    }
    std::vector<double> v = scene.f;  // free fall
    for (std::size_t k = 0; k < v.size(); ++k) v[k] /= scene.M.value[k];
    move(v);
}

void Pile::scale_masses(double factor) {
    for (std::size_t i = 0; i < bodies_.size(); i += heavy_every) {
        bodies_[i].mass *= factor;
        bodies_[i].inertia = factor * bodies_[i].inertia;
    }
}

}  // namespace

Scene pile(const PileOptions& options) {
    if (options.spheres < 1) throw std::invalid_argument("pile: at least one sphere is needed");
    if (options.steps < 0) throw std::invalid_argument("pile: the steps must not be negative");
    if (!(options.rolling >= 0.0))
        throw std::invalid_argument("pile: the rolling length must not be negative");
    if (!(options.mass_ratio > 0.0))
        throw std::invalid_argument("pile: the mass ratio must be positive");
    Pile pile(options.spheres, options.seed);
    for (int64_t step = 0; step < options.steps; ++step) {
        if (options.progress) options.progress(step, options.steps);
        pile.advance();
    }
    pile.scale_masses(options.mass_ratio);
    Scene scene = pile.step_problem(options.rolling);
    scene.title = "pile of " + std::to_string(options.spheres) + " spheres";
    if (options.rolling > 0.0) scene.title += ", rolling friction";
    if (options.mass_ratio != 1.0) scene.title += ", every 7th of other mass";
    return scene;
}

}  // namespace perp::scenes
