// A heap of spheres fed into the middle of a container, and its angle of repose: Tasora and
// Anitescu's granular flow (section 6.3).
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "body_experiments.hpp"
#include "random.hpp"
#include "run_log.hpp"

namespace perp::scenes {
namespace {

constexpr double diameter = 0.045, density = 2028.0;
constexpr double time_step = 0.005, feed_height = 1.0;
constexpr double pi = 3.14159265358979323846;
constexpr int64_t sectors = 8;

double rounded(double x, double unit) { return std::round(x / unit) * unit; }

// The feed and the container of 500 and of 10000 spheres, and powers of the count between.
struct Plan {
    double floor;   // m, width
    double rate;    // 1 / s
    int64_t cells;  // of the source, along each side
    int64_t spheres;
    int64_t steps;

    explicit Plan(int64_t count) : spheres(count) {
        const double ratio = static_cast<double>(count) / 500.0;
        floor = rounded(0.8 * std::pow(ratio, std::log(2.5) / std::log(20.0)), 0.01);
        rate = rounded(80.0 * std::pow(ratio, std::log(10.0) / std::log(20.0)), 1.0);
        rate = std::max(rate, 1.0);
        // A sphere has fallen out of the next one's way after 0.1 s.
        cells = static_cast<int64_t>(std::ceil(std::sqrt(0.1 * rate)));
        steps = static_cast<int64_t>(
            std::ceil(1.2 * static_cast<double>(count) / rate / time_step - 1e-9));
    }
};

class Feed {
public:
    Feed(const Plan& plan, std::uint64_t seed) : plan_(plan), place_(seed, 7) {}

    void run(World& world, int64_t step) {
        const double due = plan_.rate * time_step * static_cast<double>(step + 1) + 1e-9;
        for (; fed_ < plan_.spheres && static_cast<double>(fed_ + 1) <= due; ++fed_) {
            RigidBody sphere = solid_sphere(0.5 * diameter, density);
            const int64_t cell = fed_ % (plan_.cells * plan_.cells);
            const double middle = 0.5 * static_cast<double>(plan_.cells - 1);
            const auto at = [&](int64_t k) {
                return spacing * (static_cast<double>(k) - middle) +
                       place_.between(-jitter, jitter);
            };
            sphere.position = {at(cell % plan_.cells), at(cell / plan_.cells), feed_height};
            world.add(sphere);
        }
    }

private:
    static constexpr double spacing = 0.05, jitter = 0.0024;

    const Plan& plan_;
    Random place_;
    int64_t fed_ = 0;
};

WorldDef heap_def(const ExperimentOptions& options) {
    WorldDef def;
    def.h = time_step;
    def.margin = 0.003;  // and what closes within the step
    def.mu = 0.6;
    def.rolling = def.spinning = 0.0;
    def.settings.tolerance = 1e-3;
    apply(options, "cone", def);
    return def;
}

void add_container(World& world, double width) {
    world.add(HalfSpace{{0.0, 0.0, 1.0}, 0.0});
    for (const Vec3 normal : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
        world.add(HalfSpace{normal, -0.5 * width});
}

struct Slope {
    double mean = 0.0, scatter = 0.0;  // deg: over the sectors
};

// Least squares through the highest points in rings a diameter wide.
double slope_of(const std::vector<double>& tops, int64_t first) {
    double n = 0.0, r = 0.0, z = 0.0, rr = 0.0, rz = 0.0;
    for (std::size_t k = 0; k < tops.size(); ++k) {
        // The foot of the heap: what lies alone on the floor is no surface.
        if (n >= 3.0 && tops[k] < 1.1 * diameter) break;
        if (tops[k] <= 0.0) continue;
        const double radius =
            diameter * (static_cast<double>(first) + static_cast<double>(k) + 0.5);
        n += 1.0;
        r += radius;
        z += tops[k];
        rr += radius * radius;
        rz += radius * tops[k];
    }
    const double determinant = n * rr - r * r;
    return n < 2.0 ? 0.0 : (n * rz - r * z) / determinant;
}

// Of the free surface between 0.1 and 0.4 widths of the floor from the middle.
Slope angle_of_repose(const World& world, double width) {
    const auto first = static_cast<int64_t>(0.1 * width / diameter);
    const auto last = static_cast<int64_t>(0.4 * width / diameter);
    std::vector<std::vector<double>> tops(
        sectors, std::vector<double>(static_cast<std::size_t>(std::max<int64_t>(last - first, 2))));
    for (const RigidBody& body : world.bodies()) {
        const Vec3 p = body.position;
        if (length(body.velocity) > 0.3) continue;  // still falling
        const double radius = std::sqrt(p.x * p.x + p.y * p.y);
        const int64_t ring = static_cast<int64_t>(radius / diameter) - first;
        if (ring < 0) continue;
        const double turns = (std::atan2(p.y, p.x) + pi) / (2.0 * pi);
        const auto sector = std::min(static_cast<int64_t>(sectors * turns), sectors - 1);
        std::vector<double>& of = tops[static_cast<std::size_t>(sector)];
        if (static_cast<std::size_t>(ring) >= of.size()) continue;
        double& top = of[static_cast<std::size_t>(ring)];
        top = std::max(top, p.z + 0.5 * diameter);
    }
    double sum = 0.0, squares = 0.0;
    for (const std::vector<double>& of : tops) {
        const double angle = std::atan(-slope_of(of, first)) * 180.0 / pi;
        sum += angle;
        squares += angle * angle;
    }
    const double count = sectors, mean = sum / count;
    return {mean, std::sqrt(std::max(0.0, (squares - count * mean * mean) / (count - 1.0)))};
}

// Highest memory of the process so far, MB; 0 where the system does not tell.
double peak_memory() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        double kilobytes = 0.0;
        if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024.0;
    }
    return 0.0;
}

}  // namespace

Record run_heap(const ExperimentOptions& options) {
    const int64_t spheres = options.bodies > 0 ? options.bodies : 500;
    const Plan plan(spheres);
    const WorldDef def = heap_def(options);
    World world(def);
    add_container(world, plan.floor);
    Feed feed(plan, options.seed);
    const int64_t steps = options.steps > 0 ? options.steps : plan.steps;
    RunLog log("heap", std::max<int64_t>(1, steps / 2000));
    Record record;
    Table angles{"heap_angle", {"time_s", "angle_of_repose_deg", "scatter_deg"}, {}};
    for (int64_t step = 0; step < steps; ++step) {
        if (options.progress) options.progress(step + 1, steps);
        feed.run(world, step);
        if (world.bodies().empty()) continue;
        log.note(world, world.step());
        if ((step + 1) % std::max<int64_t>(1, steps / 4) == 0)
            write_chosen_step(options, world, "heap", step + 1);
        if ((step + 1) % std::max<int64_t>(1, steps / 50) != 0) continue;
        const Slope slope = angle_of_repose(world, plan.floor);
        angles.rows.push_back({world.time(), slope.mean, slope.scatter});
    }
    const Slope slope = angle_of_repose(world, plan.floor);
    record.add("angle_of_repose_deg", slope.mean);
    record.add("angle_of_repose_scatter_deg", slope.scatter);
    record.add("rolling_length_m", def.rolling);
    record.add("bodies", static_cast<double>(world.bodies().size()));
    log.finish(record);
    record.add("peak_memory_MB", peak_memory());
    Curve curve{"mean over the sectors", {}};
    for (const auto& row : angles.rows) curve.points.emplace_back(row[0], row[1]);
    record.tables.push_back(std::move(angles));
    record.plots.push_back(
        {"heap_angle",
         "heap: slope of the surface",
         {"Least squares in 8 sectors, 0.1 to 0.4 floor widths from the middle."},
         "time, s",
         "angle, degrees",
         {std::move(curve)}});
    std::ostringstream place;
    place << "floor " << plan.floor << " m wide, " << plan.rate << " spheres/s from " << plan.cells
          << " x " << plan.cells
          << " cells of 50 mm, walls with the same friction; contacts within " << 1e3 * def.margin
          << " mm, or that the law can reach within the step";
    record.remarks.push_back(place.str());
    record.drawings.push_back(side_view(world, "heap", "heap, from the side"));
    return record;
}

}  // namespace perp::scenes
