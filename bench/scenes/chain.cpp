// A chain of links that lies along x on the ground, jointed end to end.
#include <stdexcept>

#include "builder.hpp"
#include "random.hpp"

namespace perp::scenes {
namespace {

constexpr double link_length = 1.0;
constexpr double half_height = 0.1;
constexpr double contact_along = 0.3, contact_across = 0.05;
constexpr double friction = 0.5;
constexpr double time_step = 1e-3;
constexpr double open_share = 0.3;    // of the contacts
constexpr double largest_gap = 1e-3;  // of those: closing velocities up to 1 m/s do not touch
constexpr double largest_velocity = 0.3;

std::vector<Body> make_links(int64_t links, std::uint64_t seed) {
    Random draw(seed, 1);
    const auto component = [&] { return draw.between(-largest_velocity, largest_velocity); };
    std::vector<Body> bodies(static_cast<std::size_t>(links));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        Body& body = bodies[i];
        body.mass = 1.0;
        body.inertia = {0.01, 0.09, 0.09};
        body.position = {link_length * static_cast<double>(i), 0.0, half_height};
        // Braced lists are evaluated in order, so the draws are too.
        body.velocity = Vec3{component(), component(), component()};
        body.spin = Vec3{component(), component(), component()};
    }
    return bodies;
}

}  // namespace

Scene chain(int64_t links, std::uint64_t seed) {
    if (links < 1) throw std::invalid_argument("chain: at least one link is needed");
    const std::vector<Body> bodies = make_links(links, seed);
    SceneBuilder builder(bodies, time_step, false);
    for (int64_t i = 0; i + 1 < links; ++i) {
        const Vec3 end =
            bodies[static_cast<std::size_t>(i)].position + Vec3{0.5 * link_length, 0, 0};
        builder.add_ball_joint(i, i + 1, end);
    }
    Random draw(seed, 2);
    for (int64_t i = 0; i < links; ++i) {
        for (const double side : {1.0, -1.0}) {
            Contact contact;
            contact.a = i;
            contact.point = bodies[static_cast<std::size_t>(i)].position +
                            Vec3{side * contact_along, side * contact_across, -half_height};
            contact.normal = {0, 0, 1};
            const bool open = draw.unit() < open_share;
            const double gap = largest_gap * draw.unit();
            contact.b_N = open ? gap / time_step : 0.0;
            contact.mu = friction;
            builder.add_contact(contact);
        }
    }
    Scene scene = builder.finish();
    scene.title = "chain of " + std::to_string(links) + " links on the ground";
    return scene;
}

}  // namespace perp::scenes
