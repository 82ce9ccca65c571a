// A free-standing wall in running bond, one brick pushed out of it.
//
// Every course has `width` whole bricks; odd courses are shifted by half a brick and overhang, no
// half bricks. Contact patches of four corner points each: one under every brick of the first
// course; 2 width - 1 half-brick overlaps between consecutive courses; width - 1 end faces in
// every course. Contacts = 4 (width + (height - 1)(2 width - 1) + height (width - 1)):
// 4 (10 + 9 * 19 + 10 * 9) = 1 084 for the 10 x 10 wall.
#include <stdexcept>

#include "builder.hpp"

namespace perp::scenes {
namespace {

constexpr Vec3 brick{1.0, 0.5, 0.5};  // along, across, up
constexpr double density = 2000.0;
constexpr double friction = 0.5;
constexpr double time_step = 5e-3;
constexpr double push = 2.0;  // m/s, across the wall

Body make_brick(double x, int64_t course, double density_factor) {
    Body body;
    body.mass = density * density_factor * brick.x * brick.y * brick.z;
    const double xx = brick.x * brick.x, yy = brick.y * brick.y, zz = brick.z * brick.z;
    body.inertia = (body.mass / 12.0) * Vec3{yy + zz, xx + zz, xx + yy};
    body.position = {x, 0.0, (static_cast<double>(course) + 0.5) * brick.z};
    return body;
}

// Course by course, `width` in each.
std::vector<Body> make_bricks(int64_t width, int64_t height, double heavy_top) {
    std::vector<Body> bricks;
    for (int64_t course = 0; course < height; ++course) {
        const double factor = course + 1 == height ? heavy_top : 1.0;
        const double shift = course % 2 == 1 ? 0.5 : 0.0;
        for (int64_t i = 0; i < width; ++i) {
            const double x = (static_cast<double>(i) + shift) * brick.x;
            bricks.push_back(make_brick(x, course, factor));
        }
    }
    const auto middle = static_cast<std::size_t>(height / 2 * width + width / 2);
    bricks[middle].velocity = {0.0, push, 0.0};
    return bricks;
}

class Mortar {
public:
    Mortar(const std::vector<Body>& bricks, SceneBuilder& builder)
        : bricks_(bricks), builder_(builder) {}

    // Four points at the corners of the overlap of an upper brick with what it lies on.
    void add_bed(int64_t upper, int64_t lower) {
        const Vec3 p = brick_at(upper).position;
        const double below = lower == ground ? p.x : brick_at(lower).position.x;
        const double middle = 0.5 * (p.x + below);
        const double half = 0.5 * (brick.x - std::abs(p.x - below));
        for (const double along : {-half, half}) {
            for (const double across : {-0.5 * brick.y, 0.5 * brick.y}) {
                add_point(upper, lower, {middle + along, across, p.z - 0.5 * brick.z}, {0, 0, 1});
            }
        }
    }

    // Four points at the corners of the face between neighbours of a course.
    void add_end_face(int64_t right, int64_t left) {
        const Vec3 p = brick_at(right).position;
        for (const double up : {-0.5 * brick.z, 0.5 * brick.z}) {
            for (const double across : {-0.5 * brick.y, 0.5 * brick.y}) {
                add_point(right, left, {p.x - 0.5 * brick.x, across, p.z + up}, {1, 0, 0});
            }
        }
    }

private:
    [[nodiscard]] const Body& brick_at(int64_t i) const {
        return bricks_[static_cast<std::size_t>(i)];
    }

    void add_point(int64_t a, int64_t b, Vec3 point, Vec3 normal) {
        Contact contact;
        contact.a = a;
        contact.b = b;
        contact.point = point;
        contact.normal = normal;
        contact.mu = friction;
        builder_.add_contact(contact);
    }

    const std::vector<Body>& bricks_;
    SceneBuilder& builder_;
};

void join(Mortar& mortar, int64_t width, int64_t height) {
    const auto index = [width](int64_t course, int64_t i) { return course * width + i; };
    for (int64_t i = 0; i < width; ++i) mortar.add_bed(index(0, i), ground);
    for (int64_t course = 0; course < height; ++course) {
        for (int64_t i = 0; i + 1 < width; ++i) {
            mortar.add_end_face(index(course, i + 1), index(course, i));
        }
    }
    for (int64_t course = 1; course < height; ++course) {
        for (int64_t i = 0; i < width; ++i) {
            // The brick of the course below at the same place is shifted to one side.
            const int64_t other = course % 2 == 1 ? i + 1 : i - 1;
            mortar.add_bed(index(course, i), index(course - 1, i));
            if (other >= 0 && other < width)
                mortar.add_bed(index(course, i), index(course - 1, other));
        }
    }
}

}  // namespace

Scene wall(int64_t width, int64_t height, double heavy_top) {
    if (width < 1 || height < 1) throw std::invalid_argument("wall: at least one brick is needed");
    if (!(heavy_top > 0.0)) throw std::invalid_argument("wall: the mass factor must be positive");
    const std::vector<Body> bricks = make_bricks(width, height, heavy_top);
    SceneBuilder builder(bricks, time_step, false);
    Mortar mortar(bricks, builder);
    join(mortar, width, height);
    Scene scene = builder.finish();
    scene.title = "wall of " + std::to_string(width) + " by " + std::to_string(height) + " bricks";
    if (heavy_top != 1.0) scene.title += ", heavy top course";
    return scene;
}

}  // namespace perp::scenes
