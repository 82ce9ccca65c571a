// Two boxes: the axis of largest separation among the faces of both and the pairs of edges
// (separating axis test), then a face clipped by the sides of a face (Sutherland and Hodgman), or
// the nearest points of two edges.
#include <algorithm>
#include <array>
#include <cmath>

#include "contact_points.hpp"

namespace perp::scenes {
namespace {

constexpr std::size_t most_points = 4;
// A face is preferred to edges, and the first body's to the second's, unless the other separates
// more by this share of the smallest edge: resting boxes keep their points and ids.
constexpr double preference = 1e-3;
// Corners so little beside a face (share of its edge) count as on it: the same reason.
constexpr double slack = 1e-3;

struct OrientedBox {
    Vec3 centre;
    Axes axes;
    std::array<double, 3> half{};

    explicit OrientedBox(const RigidBody& body)
        : centre(body.position),
          axes(axes_of(body.orientation)),
          half{body.geometry.half.x, body.geometry.half.y, body.geometry.half.z} {}

    // Half the width along a direction.
    [[nodiscard]] double extent(Vec3 direction) const {
        return half[0] * std::abs(dot(axes[0], direction)) +
               half[1] * std::abs(dot(axes[1], direction)) +
               half[2] * std::abs(dot(axes[2], direction));
    }
    [[nodiscard]] double smallest() const { return std::min({half[0], half[1], half[2]}); }
};

// An axis that the boxes are apart along; the normal points from b to a.
struct Separation {
    double distance = -1e300;
    Vec3 normal;
    std::size_t i = 0, j = 0;  // axis of a, of b
};

Separation along(const OrientedBox& a, const OrientedBox& b, Vec3 axis) {
    const double apart = dot(axis, a.centre - b.centre);
    Separation s;
    s.distance = std::abs(apart) - a.extent(axis) - b.extent(axis);
    s.normal = apart < 0.0 ? -axis : axis;
    return s;
}

Separation best_face(const OrientedBox& a, const OrientedBox& b, const OrientedBox& of) {
    Separation best;
    for (std::size_t k = 0; k < 3; ++k) {
        Separation s = along(a, b, of.axes[k]);
        if (s.distance <= best.distance) continue;
        s.i = s.j = k;
        best = s;
    }
    return best;
}

Separation best_edges(const OrientedBox& a, const OrientedBox& b) {
    Separation best;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            const Vec3 axis = cross(a.axes[i], b.axes[j]);
            const double sine = length(axis);
            if (sine < 1e-3) continue;  // parallel edges: a face is as good
            Separation s = along(a, b, (1.0 / sine) * axis);
            if (s.distance <= best.distance) continue;
            s.i = i;
            s.j = j;
            best = s;
        }
    }
    return best;
}

// A corner of the clipped face, named by the edges before and after it: 0 to 3 those of the face,
// 4 to 7 the sides that clip.
struct Corner {
    Vec3 point;
    int64_t before = 0, after = 0;
};

using Polygon = std::vector<Corner>;

// Keeps what lies at direction . p <= limit.
Polygon clipped(const Polygon& polygon, Vec3 direction, double limit, double tolerance,
                int64_t side) {
    Polygon kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Corner& p = polygon[k];
        const Corner& q = polygon[(k + 1) % polygon.size()];
        const double outside_p = dot(direction, p.point) - limit;
        const double outside_q = dot(direction, q.point) - limit;
        if (outside_p <= tolerance) kept.push_back(p);
        if ((outside_p <= tolerance) == (outside_q <= tolerance)) continue;
        // A corner kept on the side is the cut already.
        if (std::min(std::abs(outside_p), std::abs(outside_q)) <= tolerance) continue;
        const double share = outside_p / (outside_p - outside_q);
        Corner cut{p.point + share * (q.point - p.point), side, p.after};
        if (outside_p <= tolerance) std::swap(cut.before, cut.after);
        kept.push_back(cut);
    }
    return kept;
}

struct Face {
    std::size_t axis = 0;
    double sign = 1.0;
    [[nodiscard]] int64_t number() const {
        return 2 * static_cast<int64_t>(axis) + (sign > 0.0 ? 1 : 0);
    }
};

// The face of a box that looks most into a direction.
Face face_towards(const OrientedBox& box, Vec3 direction) {
    Face face;
    double best = -1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double along_axis = dot(box.axes[k], direction);
        if (std::abs(along_axis) <= best) continue;
        best = std::abs(along_axis);
        face = {k, along_axis < 0.0 ? -1.0 : 1.0};
    }
    return face;
}

Polygon outline(const OrientedBox& box, Face face) {
    const std::size_t u = (face.axis + 1) % 3, v = (face.axis + 2) % 3;
    const Vec3 centre = box.centre + face.sign * box.half[face.axis] * box.axes[face.axis];
    const Vec3 side_u = box.half[u] * box.axes[u], side_v = box.half[v] * box.axes[v];
    return {{centre - side_u - side_v, 3, 0},
            {centre + side_u - side_v, 0, 1},
            {centre + side_u + side_v, 1, 2},
            {centre - side_u + side_v, 2, 3}};
}

// The deepest point, the one farthest from it, and the farthest on either side of both.
void keep_four(std::vector<TouchPoint>& points, std::size_t first) {
    if (points.size() - first <= most_points) return;
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(first);
    const auto take = [&](std::ptrdiff_t place, const auto& merit) {
        const auto best = std::max_element(
            begin + place, points.end(),
            [&](const TouchPoint& p, const TouchPoint& q) { return merit(p) < merit(q); });
        std::iter_swap(begin + place, best);
    };
    take(0, [](const TouchPoint& p) { return -p.gap; });
    const TouchPoint deepest = *begin;
    take(1, [&](const TouchPoint& p) {
        return dot(p.point - deepest.point, p.point - deepest.point);
    });
    const Vec3 across = cross(deepest.normal, (begin + 1)->point - deepest.point);
    const auto beside = [&](const TouchPoint& p) { return dot(across, p.point - deepest.point); };
    take(2, beside);
    take(3, [&](const TouchPoint& p) { return -beside(p); });
    points.resize(first + most_points);
}

// `outward`: normal of the reference face, towards the other box.
void touch_faces(const OrientedBox& reference, const OrientedBox& other, Vec3 outward,
                 bool reference_is_a, double margin, std::vector<TouchPoint>& points) {
    const Face face = face_towards(reference, outward);
    const Face incident = face_towards(other, -outward);
    Polygon polygon = outline(other, incident);
    int64_t side = 4;
    for (std::size_t k = 1; k < 3; ++k) {
        const std::size_t axis = (face.axis + k) % 3;
        for (const double sign : {-1.0, 1.0}) {
            const Vec3 direction = sign * reference.axes[axis];
            polygon =
                clipped(polygon, direction, dot(direction, reference.centre) + reference.half[axis],
                        slack * reference.half[axis], side++);
        }
    }
    const double level = dot(outward, reference.centre) + reference.half[face.axis];
    const int64_t faces =
        (reference_is_a ? 0 : 1 << 12) | face.number() << 9 | incident.number() << 6;
    const std::size_t first = points.size();
    for (const Corner& corner : polygon) {
        const double gap = dot(outward, corner.point) - level;
        if (gap >= margin) continue;
        points.push_back({corner.point - 0.5 * gap * outward, reference_is_a ? -outward : outward,
                          gap, faces | corner.before << 3 | corner.after});
    }
    keep_four(points, first);
}

// The edge along an axis that lies farthest in a direction: its middle, and its number.
Vec3 edge_towards(const OrientedBox& box, std::size_t axis, Vec3 direction, int64_t& number) {
    Vec3 middle = box.centre;
    number = static_cast<int64_t>(axis);
    for (std::size_t k = 1; k < 3; ++k) {
        const std::size_t other = (axis + k) % 3;
        const bool positive = dot(box.axes[other], direction) >= 0.0;
        middle = middle + (positive ? 1.0 : -1.0) * box.half[other] * box.axes[other];
        number = number * 2 + (positive ? 1 : 0);
    }
    return middle;
}

void touch_edges(const OrientedBox& a, const OrientedBox& b, const Separation& s,
                 std::vector<TouchPoint>& points) {
    int64_t edge_a = 0, edge_b = 0;
    const Vec3 p = edge_towards(a, s.i, -s.normal, edge_a);
    const Vec3 q = edge_towards(b, s.j, s.normal, edge_b);
    const Vec3 u = a.axes[s.i], v = b.axes[s.j];
    const Vec3 apart = p - q;
    const double cosine = dot(u, v);
    const double determinant = 1.0 - cosine * cosine;  // positive: not parallel
    const double to_u = (cosine * dot(v, apart) - dot(u, apart)) / determinant;
    const double to_v = (dot(v, apart) - cosine * dot(u, apart)) / determinant;
    const Vec3 on_a = p + std::clamp(to_u, -a.half[s.i], a.half[s.i]) * u;
    const Vec3 on_b = q + std::clamp(to_v, -b.half[s.j], b.half[s.j]) * v;
    points.push_back({0.5 * (on_a + on_b), s.normal, s.distance, 1 << 13 | edge_a << 4 | edge_b});
}

}  // namespace

void touch_boxes(const RigidBody& body_a, const RigidBody& body_b, double margin,
                 std::vector<TouchPoint>& points) {
    const OrientedBox a(body_a), b(body_b);
    const Separation face_a = best_face(a, b, a), face_b = best_face(a, b, b);
    if (std::max(face_a.distance, face_b.distance) >= margin) return;
    const Separation edges = best_edges(a, b);
    if (edges.distance >= margin) return;
    const double bias = preference * std::min(a.smallest(), b.smallest());
    const bool by_a = face_b.distance <= face_a.distance + bias;
    const Separation& face = by_a ? face_a : face_b;
    if (edges.distance > face.distance + bias) {
        touch_edges(a, b, edges, points);
    } else if (by_a) {
        touch_faces(a, b, -face.normal, true, margin, points);
    } else {
        touch_faces(b, a, face.normal, false, margin, points);
    }
}

}  // namespace perp::scenes
