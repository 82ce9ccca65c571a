// The scene generators: sizes, determinism, and whether their Jacobians are those of rigid bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "scene.hpp"

namespace {

using namespace perp::scenes;

// J v
std::vector<double> product(const Triplets& J, const std::vector<double>& v) {
    std::vector<double> y(static_cast<std::size_t>(J.rows), 0.0);
    for (std::size_t k = 0; k < J.value.size(); ++k) {
        y[static_cast<std::size_t>(J.row[k])] += J.value[k] * v[static_cast<std::size_t>(J.col[k])];
    }
    return y;
}

// Velocities of bodies at `centres` that move together: translation and rotation about the origin.
std::vector<double> rigid_motion(const std::vector<Vec3>& centres, Vec3 translation,
                                 Vec3 rotation) {
    std::vector<double> v;
    for (const Vec3& c : centres) {
        const Vec3 linear = translation + cross(rotation, c);
        for (const double x : {linear.x, linear.y, linear.z, rotation.x, rotation.y, rotation.z})
            v.push_back(x);
    }
    return v;
}

std::vector<double> translation_of_all(const Scene& scene, Vec3 velocity) {
    return rigid_motion(std::vector<Vec3>(static_cast<std::size_t>(scene.n / 6)), velocity, {});
}

// Number of bodies with an entry in each row: 1 for a contact with the ground, else 2.
std::vector<int> bodies_per_row(const Triplets& J) {
    std::vector<std::vector<int64_t>> bodies(static_cast<std::size_t>(J.rows));
    for (std::size_t k = 0; k < J.value.size(); ++k) {
        auto& of_row = bodies[static_cast<std::size_t>(J.row[k])];
        const int64_t body = J.col[k] / 6;
        if (std::find(of_row.begin(), of_row.end(), body) == of_row.end()) of_row.push_back(body);
    }
    std::vector<int> count;
    for (const auto& of_row : bodies) count.push_back(static_cast<int>(of_row.size()));
    return count;
}

std::vector<Vec3> brick_centres(int width, int height) {
    std::vector<Vec3> centres;
    for (int course = 0; course < height; ++course) {
        for (int i = 0; i < width; ++i)
            centres.push_back({i + (course % 2 == 1 ? 0.5 : 0.0), 0.0, 0.5 * course + 0.25});
    }
    return centres;
}

void expect_same(const Scene& a, const Scene& b) {
    const auto same = [](const Triplets& x, const Triplets& y) {
        return x.rows == y.rows && x.cols == y.cols && x.row == y.row && x.col == y.col &&
               x.value == y.value;
    };
    EXPECT_TRUE(same(a.M, b.M) && same(a.A, b.A) && same(a.N, b.N) && same(a.D, b.D) &&
                same(a.S, b.S));
    EXPECT_TRUE(a.f == b.f && a.u == b.u && a.b_N == b.b_N && a.mu == b.mu && a.rho == b.rho &&
                a.sigma == b.sigma);
}

// Every pair of bodies acts on each other with opposite impulses.
void expect_momentum_balance(const Scene& scene) {
    for (const Triplets* J : {&scene.A, &scene.N, &scene.D}) {
        const std::vector<int> bodies = bodies_per_row(*J);
        for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const std::vector<double> u = product(*J, translation_of_all(scene, axis));
            for (std::size_t i = 0; i < u.size(); ++i) {
                if (bodies[i] == 2) {
                    ASSERT_EQ(u[i], 0.0) << "row " << i;
                }
            }
        }
    }
}

void expect_regular_mass(const Scene& scene) {
    ASSERT_EQ(scene.M.rows, scene.n);
    ASSERT_EQ(scene.M.value.size(), static_cast<std::size_t>(scene.n));
    for (std::size_t k = 0; k < scene.M.value.size(); ++k) {
        ASSERT_EQ(scene.M.row[k], static_cast<int64_t>(k));
        ASSERT_EQ(scene.M.col[k], static_cast<int64_t>(k));
        ASSERT_GT(scene.M.value[k], 0.0);
    }
}

perp_problem_info info_of(const ProblemHandle& problem) {
    auto info = sized<perp_problem_info>();
    require(perp_problem_get_info(problem.get(), &info), "info");
    return info;
}

// The linear part of every row of N and D: normal, tangents.
std::vector<Vec3> directions(const Triplets& J) {
    std::vector<std::array<double, 3>> parts(static_cast<std::size_t>(J.rows), {0, 0, 0});
    std::vector<int64_t> first(parts.size(), -1);  // one body's part is enough
    for (std::size_t k = 0; k < J.value.size(); ++k) {
        const auto row = static_cast<std::size_t>(J.row[k]);
        const int64_t body = J.col[k] / 6, component = J.col[k] % 6;
        if (first[row] < 0) first[row] = body;
        if (component < 3 && first[row] == body)
            parts[row][static_cast<std::size_t>(component)] = J.value[k];
    }
    std::vector<Vec3> result;
    for (const auto& p : parts) result.push_back({p[0], p[1], p[2]});
    return result;
}

void expect_orthonormal_frames(const Scene& scene) {
    const std::vector<Vec3> n = directions(scene.N), t = directions(scene.D);
    ASSERT_EQ(t.size(), 2 * n.size());
    for (std::size_t i = 0; i < n.size(); ++i) {
        const Vec3 t1 = t[2 * i], t2 = t[2 * i + 1];
        for (const Vec3 x : {n[i], t1, t2}) ASSERT_NEAR(length(x), 1.0, 1e-14) << "contact " << i;
        for (const double x : {dot(n[i], t1), dot(n[i], t2), dot(t1, t2)})
            ASSERT_NEAR(x, 0.0, 1e-14) << "contact " << i;
    }
}

TEST(Chain, HasThreeRowsPerJointAndTwoContactsPerLink) {
    const Scene scene = chain(100);
    EXPECT_EQ(scene.rows(), 897);
    EXPECT_EQ(scene.A.rows, 297);
    EXPECT_EQ(scene.contacts(), 200);
    EXPECT_EQ(chain(200).rows(), 1797);
    EXPECT_EQ(chain(1000).rows(), 8997);
    EXPECT_EQ(chain(1).A.rows, 0);
}

TEST(Chain, IsDeterministicAndFollowsTheSeed) {
    expect_same(chain(50, 3), chain(50, 3));
    EXPECT_NE(chain(50, 3).f, chain(50, 4).f);
    EXPECT_NE(chain(50, 3).b_N, chain(50, 4).b_N);
}

TEST(Chain, MovesAsARigidBody) {
    const Scene scene = chain(20);
    expect_regular_mass(scene);
    expect_momentum_balance(scene);
    expect_orthonormal_frames(scene);
    std::vector<Vec3> centres;
    for (int i = 0; i < 20; ++i) centres.push_back({1.0 * i, 0.0, 0.1});
    for (const double u : product(scene.A, rigid_motion(centres, {1, 2, 3}, {0.3, -0.2, 0.5})))
        EXPECT_NEAR(u, 0.0, 1e-12);
    for (const double u : product(scene.N, translation_of_all(scene, {0, 0, 1}))) EXPECT_EQ(u, 1.0);
}

TEST(Chain, HasAboutAThirdOfItsGapsOpen) {
    const Scene scene = chain(1000);
    const auto open =
        std::count_if(scene.b_N.begin(), scene.b_N.end(), [](double b) { return b > 0.0; });
    EXPECT_NEAR(static_cast<double>(open), 0.3 * 2000, 60.0);  // three standard deviations
}

TEST(Wall, HasTheContactsOfRunningBond) {
    const Scene scene = wall(10, 10);
    EXPECT_EQ(scene.contacts(), 1084);
    EXPECT_EQ(scene.rows(), 3252);
    EXPECT_EQ(scene.n, 600);
    for (const auto& [width, height] :
         std::vector<std::pair<int, int>>{{1, 1}, {1, 5}, {6, 1}, {12, 7}}) {
        const int expected = 4 * (width + (height - 1) * (2 * width - 1) + height * (width - 1));
        EXPECT_EQ(wall(width, height).contacts(), expected) << width << " x " << height;
    }
}

TEST(Wall, MovesAsARigidBody) {
    const Scene scene = wall(5, 6);
    expect_regular_mass(scene);
    expect_momentum_balance(scene);
    expect_orthonormal_frames(scene);
    const std::vector<double> v = rigid_motion(brick_centres(5, 6), {1, 2, 3}, {0.3, -0.2, 0.5});
    for (const Triplets* J : {&scene.N, &scene.D}) {
        const std::vector<double> u = product(*J, v);
        const std::vector<int> bodies = bodies_per_row(*J);
        for (std::size_t i = 0; i < u.size(); ++i) {
            if (bodies[i] == 2) {
                EXPECT_NEAR(u[i], 0.0, 1e-12) << "row " << i;
            }
        }
    }
}

TEST(Wall, OpensWhereBricksMoveApart) {
    const Scene scene = wall(5, 6);
    const std::vector<Vec3> centres = brick_centres(5, 6);
    std::vector<double> apart;
    for (const Vec3& c : centres) {
        for (const double x : {c.x, c.y, c.z, 0.0, 0.0, 0.0}) apart.push_back(x);
    }
    for (const double u : product(scene.N, apart)) EXPECT_GT(u, 0.0);
}

TEST(Wall, HeavyTopScalesTheTopCourseAlone) {
    const Scene light = wall(4, 3), heavy = wall(4, 3, 1e4);
    EXPECT_EQ(light.N.value, heavy.N.value);
    for (std::size_t k = 0; k < light.M.value.size(); ++k) {
        const double factor = k >= 6 * 8 ? 1e4 : 1.0;
        EXPECT_DOUBLE_EQ(heavy.M.value[k], factor * light.M.value[k]);
        EXPECT_DOUBLE_EQ(heavy.f[k], factor * light.f[k]);
    }
}

PileOptions small_pile() {
    PileOptions options;
    options.spheres = 60;
    options.steps = 100;
    return options;
}

TEST(Pile, SettlesToTwoAndAHalfContactsPerSphere) {
    PileOptions options;
    int64_t steps = 0;
    options.progress = [&](int64_t, int64_t) { ++steps; };
    const Scene scene = pile(options);
    EXPECT_EQ(steps, 160);
    EXPECT_EQ(scene.n, 1200);
    EXPECT_GT(scene.contacts(), 460);
    EXPECT_LT(scene.contacts(), 560);
    // At rest: what is left of the fall of 0.2 m and more (2 m/s) is small.
    double kinetic = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < 200; ++i) {
        const double m = scene.M.value[6 * i];
        mass += m;
        for (std::size_t k = 0; k < 3; ++k) {
            const double p = scene.f[6 * i + k] + (k == 2 ? m * scene.h * 9.81 : 0.0);
            kinetic += 0.5 * p * p / m;
        }
    }
    EXPECT_LT(std::sqrt(2.0 * kinetic / mass), 0.1);
}

TEST(Pile, IsDeterministicAndFollowsTheSeed) {
    PileOptions options = small_pile();
    const Scene first = pile(options), second = pile(options);
    expect_same(first, second);
    options.seed = 2;
    EXPECT_NE(first.f, pile(options).f);
}

TEST(Pile, HasTheJacobiansOfSpheres) {
    PileOptions options = small_pile();
    options.rolling = 0.05;
    const Scene scene = pile(options);
    expect_regular_mass(scene);
    expect_momentum_balance(scene);
    expect_orthonormal_frames(scene);
    for (const int64_t column : scene.N.col)
        ASSERT_LT(column % 6, 3) << "normals pass through the centres";

    ASSERT_EQ(scene.S.rows, 3 * scene.contacts());
    for (const int64_t column : scene.S.col)
        ASSERT_GE(column % 6, 3) << "angular rows see rotation only";
    const std::vector<int> bodies = bodies_per_row(scene.S);
    const std::vector<double> u =
        product(scene.S, rigid_motion(std::vector<Vec3>(60), {}, {1, 2, 3}));
    for (std::size_t i = 0; i < u.size(); ++i) {
        if (bodies[i] == 2) {
            ASSERT_NEAR(u[i], 0.0, 1e-14);
        }
    }
    ASSERT_EQ(scene.rho.size(), scene.mu.size());
    for (const double rho : scene.rho) {
        EXPECT_GE(rho, 0.05 * 0.04);
        EXPECT_LE(rho, 0.05 * 0.06);
    }
    EXPECT_EQ(scene.rho, scene.sigma);
    EXPECT_EQ(info_of(make_problem(scene)).angular_rows, 3);
}

TEST(Pile, MassRatioScalesEverySeventhSphereAlone) {
    PileOptions options = small_pile();
    const Scene even = pile(options);
    options.mass_ratio = 1e4;
    const Scene mixed = pile(options);
    EXPECT_EQ(even.N.value, mixed.N.value);
    EXPECT_EQ(even.b_N, mixed.b_N);
    for (std::size_t k = 0; k < even.M.value.size(); ++k) {
        EXPECT_DOUBLE_EQ(mixed.M.value[k], even.M.value[k] * (k / 6 % 7 == 0 ? 1e4 : 1.0));
    }
}

TEST(MakeProblem, HandsTheSceneOver) {
    const Scene scene = chain(30);
    const perp_problem_info info = info_of(make_problem(scene));
    EXPECT_EQ(info.rows, scene.rows());
    EXPECT_EQ(info.velocities, scene.n);
    EXPECT_EQ(info.bilateral, scene.A.rows);
    EXPECT_EQ(info.contacts, scene.contacts());
    EXPECT_EQ(info.tangential_rows, 2);
    EXPECT_EQ(info.angular_rows, 0);
    EXPECT_EQ(info.law, PERP_LAW_CONE);
    EXPECT_EQ(info.matrix_form, 0);
    EXPECT_EQ(info.nonzeros, static_cast<int64_t>(scene.A.value.size() + scene.N.value.size() +
                                                  scene.D.value.size()));
    EXPECT_EQ(info.asymmetry, 0.0);
    EXPECT_GT(info.free_velocity_norm, 0.0);
}

TEST(BoxLaw, HasBoundsFromTheConeSolve) {
    Scene scene = wall(4, 3);
    const auto tied = [&scene] { return info_of(make_problem(scene, PERP_LAW_BOX)).tied; };
    EXPECT_EQ(tied(), 2 * scene.contacts()) << "there are no bounds yet";
    set_box_bounds(scene);
    ASSERT_EQ(scene.hi_T.size(), 2 * static_cast<std::size_t>(scene.contacts()));
    double sum = 0.0;
    for (std::size_t k = 0; k < scene.hi_T.size(); ++k) {
        EXPECT_EQ(scene.lo_T[k], -scene.hi_T[k]);
        EXPECT_GE(scene.hi_T[k], 0.0);
        EXPECT_EQ(scene.hi_T[k], scene.hi_T[k / 2 * 2])
            << "both directions of a contact have the same bound";
        sum += scene.hi_T[k];
    }
    EXPECT_GT(sum, 0.0);
    EXPECT_EQ(info_of(make_problem(scene, PERP_LAW_BOX)).law, PERP_LAW_BOX);
}

TEST(BoxLaw, IsRefusedForRollingFriction) {
    PileOptions options = small_pile();
    options.steps = 10;
    options.rolling = 0.05;
    Scene scene = pile(options);
    EXPECT_THROW(set_box_bounds(scene), std::runtime_error);
}

TEST(Scenes, RefuseImpossibleSizes) {
    EXPECT_THROW(chain(0), std::invalid_argument);
    EXPECT_THROW(wall(0, 3), std::invalid_argument);
    EXPECT_THROW(wall(3, 0), std::invalid_argument);
    EXPECT_THROW(wall(3, 3, 0.0), std::invalid_argument);
    EXPECT_THROW(wall(3, 3, std::nan("")), std::invalid_argument);
    PileOptions none;
    none.spheres = 0;
    EXPECT_THROW(pile(none), std::invalid_argument);
}

TEST(Scenes, TellInWordsWhyACallFailed) {
    try {
        throw CallFailed(PERP_BAD_SIZE, "scene.h5");
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(std::string(error.what()).rfind("scene.h5: ", 0), 0U);
    }
}

}  // namespace
