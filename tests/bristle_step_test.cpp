// The regularized bristle of Peiret et al. 2016: slip of a spring, no creep, viscous rows.
#include "friction/aligned_rows.hpp"
#include "friction_support.hpp"

namespace perp::test {
namespace {

constexpr double gravity = 9.81;
constexpr double pi = 3.14159265358979323846;

// A block on three feet on a slope; the tangent axes turn by an angle per step.
struct Slope {
    double mass = 2.0, mu = 0.9, angle = pi / 18;
    double h = 1e-3;
    Vector v = Vector(6, 0.0), x = Vector(6, 0.0);
    ContactMemory memory;

    FrictionScene scene(double turn, bool tell_axes) {
        constexpr double feet[3][3] = {{0.5, 0, -0.2}, {-0.5, 0.3, -0.2}, {-0.5, -0.3, -0.2}};
        FrictionScene s;
        s.M = Dense(6, 6);
        const double inertia[] = {0.6 * 0.6 + 0.4 * 0.4, 1 + 0.4 * 0.4, 1 + 0.6 * 0.6};
        for (int k = 0; k < 3; ++k) {
            s.M(k, k) = mass;
            s.M(3 + k, 3 + k) = mass / 12 * inertia[k];
        }
        s.N = Dense(3, 6);
        s.D = Dense(6, 6);
        const double c = std::cos(turn), t = std::sin(turn);
        for (int i = 0; i < 3; ++i) {
            const double* p = feet[i];
            const double fixed[2][6] = {{1, 0, 0, 0, p[2], -p[1]}, {0, 1, 0, -p[2], 0, p[0]}};
            const double normal[] = {0, 0, 1, p[1], -p[0], 0};
            for (int k = 0; k < 6; ++k) {
                s.N(i, k) = normal[k];
                s.D(2 * i, k) = c * fixed[0][k] + t * fixed[1][k];
                s.D(2 * i + 1, k) = c * fixed[1][k] - t * fixed[0][k];
            }
            if (tell_axes) s.contacts.axes.insert(s.contacts.axes.end(), {c, t, 0, -t, c, 0});
        }
        s.rows.f = s.M * v;
        s.rows.f[0] += h * mass * gravity * std::sin(angle);
        s.rows.f[2] -= h * mass * gravity * std::cos(angle);
        s.rows.mu = Vector(3, mu);
        s.contacts.h = h;
        s.contacts.velocity = v;
        s.contacts.normal_estimate = Vector(3, mass * gravity * std::cos(angle) / 3);
        return s;
    }

    StepAnswer step(const FrictionSettings& settings, double turn, bool tell_axes,
                    const Settings& solver = step_solver()) {
        FrictionScene s = scene(turn, tell_axes);
        s.settings = settings;
        StepAnswer a = take_step(make_bristle_step, s, memory, solver);
        EXPECT_EQ(a.outcome, Outcome::solved);
        v = a.v;
        for (int k = 0; k < 6; ++k) x[k] += h * v[k];
        return a;
    }
    [[nodiscard]] double slip(double stiffness) const {
        return mass * gravity * std::sin(angle) / (3 * stiffness);
    }
};

TEST(BristleStep, SlipOnASlopeIsThatOfTheSprings) {
    for (const double stiffness : {1e5, 1e6})
        for (const bool turning : {false, true}) {
            Slope slope;
            Random random(3);
            for (int k = 0; k < 500; ++k)
                slope.step(bristle(stiffness), turning ? random.uniform(0, 2 * pi) : 0.0, true);
            EXPECT_NEAR(slope.x[0], slope.slip(stiffness), 1e-6 * slope.slip(stiffness))
                << stiffness << turning;
            EXPECT_LE(std::hypot(slope.v[0], slope.v[1]), 1e-13);
            EXPECT_LE(std::abs(slope.x[1]), 1e-6 * slope.slip(stiffness));
        }
}

TEST(BristleStep, CreepsWhereTurningAxesAreNotTold) {
    Slope slope;
    Random random(3);
    for (int k = 0; k < 500; ++k) slope.step(bristle(1e6), random.uniform(0, 2 * pi), false);
    EXPECT_GE(slope.x[0], 100 * slope.slip(1e6));
}

TEST(BristleStep, ApgdSlipsAsPivotingDoes) {
    Slope slope;
    for (int k = 0; k < 100; ++k)
        slope.step(bristle(1e5), 0.3, true, step_solver(Method::apgd, 1e-11));
    Slope pivoted;
    for (int k = 0; k < 100; ++k) pivoted.step(bristle(1e5), 0.3, true);
    EXPECT_NEAR(slope.x[0], pivoted.x[0], 1e-6 * slope.slip(1e5));
}

// An object between two fingers, each pressed by a force along x.
struct Gripper {
    double mass = 0.5, squeeze = 20.0, h = 1e-3;
    Vector v = Vector(5, 0.0);  // object x, y, z, fingers x
    double z = 0.0;
    ContactMemory memory;

    StepAnswer step(const FrictionSettings& settings, double load) {
        FrictionScene s;
        s.M = Dense(5, 5);
        for (int k = 0; k < 5; ++k) s.M(k, k) = k < 3 ? mass : 0.2;
        s.N = Dense(2, 5, {1, 0, 0, -1, 0, -1, 0, 0, 0, 1});
        s.D = Dense(4, 5);
        for (int i = 0; i < 2; ++i) s.D(2 * i, 1) = s.D(2 * i + 1, 2) = 1.0;
        s.rows.f = s.M * v;
        s.rows.f[2] -= h * load;
        s.rows.f[3] += h * squeeze;
        s.rows.f[4] -= h * squeeze;
        s.rows.mu = {0.5, 0.5};
        s.contacts.h = h;
        s.contacts.velocity = v;
        s.settings = settings;
        StepAnswer a = take_step(make_bristle_step, s, memory);
        EXPECT_EQ(a.outcome, Outcome::solved);
        v = a.v;
        z += h * v[2];
        return a;
    }
};

TEST(BristleStep, AGripHoldsForTenThousandSteps) {
    for (const auto& [bounds, stiffness] : {std::pair{FrictionBounds::previous, 1e5},
                                            {FrictionBounds::iterated, 1e5},
                                            {FrictionBounds::previous, 1e8}}) {
        Gripper grip;
        for (int k = 0; k < 10000; ++k) grip.step(bristle(stiffness, bounds), grip.mass * gravity);
        const double slip = grip.mass * gravity / (2 * stiffness);
        EXPECT_LE(largest(grip.v), 2e-14);  // the solver's tolerance of 0.1 m/s
        EXPECT_NEAR(grip.z, -slip, 1e-8 * slip);
    }
    for (const double rigid : {0.0, infinity}) {
        Gripper grip;
        for (int k = 0; k < 100; ++k) grip.step(bristle(rigid), grip.mass * gravity);
        EXPECT_LE(largest(grip.v), 2e-14);
        EXPECT_LE(std::abs(grip.z), 1e-15);
    }
}

TEST(BristleStep, SlidingFrictionIsAgainstTheVelocity) {
    for (const double stiffness : {0.0, 1e4, 1e8})
        for (int k = 0; k < 12; ++k) {
            const double a = 0.5 * k;
            FrictionScene s = point({2 * std::cos(a), 2 * std::sin(a), 0}, 10.0);
            // Across: so that the viscous row has something to do.
            s.rows.f[0] -= 0.1 * std::sin(a);
            s.rows.f[1] += 0.1 * std::cos(a);
            s.settings = bristle(stiffness);
            ContactMemory memory;
            const StepAnswer x = take_step(make_bristle_step, s, memory);
            EXPECT_TRUE(x.converged);
            const double limit = 0.4 * x.impulses.N[0];
            EXPECT_NEAR(x.impulses.N[0], 0.01, 1e-15);
            const double along = std::cos(a) * x.v[0] + std::sin(a) * x.v[1];
            const double across = std::cos(a) * x.v[1] - std::sin(a) * x.v[0];
            const double first = std::cos(a) * x.impulses.D[0] + std::sin(a) * x.impulses.D[1];
            const double second = std::cos(a) * x.impulses.D[1] - std::sin(a) * x.impulses.D[0];
            EXPECT_NEAR(first, -limit, 1e-12 * limit);
            const double elastic = stiffness > 0.0 ? 1e6 / stiffness : 0.0;  // 1 / (h^2 k)
            EXPECT_NEAR(second, -across / (elastic + 2.0 / limit), 1e-12 * limit);
            EXPECT_LE(std::hypot(first, second),
                      limit * std::sqrt(1 + std::pow(across / 2.0, 2)) * (1 + 1e-12));
            EXPECT_GT(along, 1.9);
        }
}

TEST(BristleStep, ABeltDragsWhatLiesOnIt) {
    FrictionScene s = point({0, 0, 0}, 10.0);
    s.rows.b_T = {1.0, -1.0};  // the plane moves along -x and +y
    s.settings = bristle(1e5);
    ContactMemory memory;
    const StepAnswer a = take_step(make_bristle_step, s, memory);
    const double limit = 0.4 * a.impulses.N[0];
    EXPECT_NEAR(a.impulses.D[0], -limit * std::sqrt(0.5), 1e-12 * limit);
    EXPECT_NEAR(a.impulses.D[1], limit * std::sqrt(0.5), 1e-12 * limit);
}

TEST(BristleStep, NoNormalForceNoFriction) {
    for (const double stiffness : {0.0, 1e5})
        for (const double speed : {0.0, 3.0}) {
            FrictionScene s = point({speed, 0.5 * speed, 1.0}, 10.0);  // leaves the plane
            s.settings = bristle(stiffness);
            ContactMemory memory;
            StepAnswer a = take_step(make_bristle_step, s, memory);
            EXPECT_EQ(a.impulses.D, (Vector{0, 0}));
            EXPECT_EQ(a.v[0], speed);
            EXPECT_TRUE(a.converged);
            a = take_step(make_bristle_step, s, memory);  // now with a memory of no force
            EXPECT_EQ(a.impulses.D, (Vector{0, 0}));
            s.rows.mu = {0.0};
            s.rows.f[2] = -1.0;
            a = take_step(make_bristle_step, s, memory);
            EXPECT_EQ(a.impulses.N[0], 1.0);
            EXPECT_EQ(a.impulses.D, (Vector{0, 0}));
            s.rows.mu = {1e-310};  // the viscous compliance would overflow
            a = take_step(make_bristle_step, s, memory);
            EXPECT_LE(largest(a.impulses.D), 1e-300);
        }
}

TEST(BristleStep, PlanarContactsSlideAndStick) {
    // Decelerates by mu g, then is held; the spring then gives its slip back and forth to 0 speed.
    for (const double stiffness : {0.0, 1e6}) {
        Vector v{0.2, 0};
        ContactMemory memory;
        double x = 0.0;
        for (int k = 0; k < 400; ++k) {
            FrictionScene s = point(v, 10.0, 1e-3, 1);
            s.settings = bristle(stiffness);
            const StepAnswer a = take_step(make_bristle_step, s, memory);
            EXPECT_LE(std::abs(a.impulses.D[0]), 0.4 * 0.01 * (1 + 1e-12));
            v = a.v;
            x += 1e-3 * v[0];
            if (k == 20) {
                EXPECT_NEAR(v[0], 0.2 - 21 * 0.004, 1e-12);
            }
        }
        EXPECT_LE(std::abs(v[0]), 1e-15);
        EXPECT_NEAR(x, 0.2 * 0.2 / 8, 0.2e-3);
    }
}

TEST(BristleStep, ContactsInAnotherOrderGiveTheSameAnswer) {
    Slope slope;
    slope.mu = 0.2;  // slides at first
    for (int k = 0; k < 50; ++k) slope.step(bristle(1e5), 0.1, true);
    FrictionScene s = slope.scene(0.1, true);
    s.settings = bristle(1e5);
    s.contacts.id = {0, 1, 2};
    s.rows.mu = {0.2, 0.3, 0.4};
    FrictionScene other = s;
    const int order[] = {2, 0, 1};
    for (int i = 0; i < 3; ++i) {
        const int from = order[i];
        other.contacts.id[i] = from;
        other.rows.mu[i] = s.rows.mu[from];
        for (int k = 0; k < 6; ++k) {
            other.N(i, k) = s.N(from, k);
            for (int j = 0; j < 2; ++j) other.D(2 * i + j, k) = s.D(2 * from + j, k);
        }
    }
    ContactMemory memory = slope.memory, other_memory = slope.memory;
    const StepAnswer a = take_step(make_bristle_step, s, memory);
    const StepAnswer b = take_step(make_bristle_step, other, other_memory);
    EXPECT_LE(distance(a.v, b.v), 1e-14);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(b.impulses.N[i], a.impulses.N[order[i]], 1e-13);
        for (int j = 0; j < 2; ++j)
            EXPECT_NEAR(b.impulses.D[2 * i + j], a.impulses.D[2 * order[i] + j], 1e-13);
        EXPECT_NEAR(other_memory.find(i)->normal, memory.find(i)->normal, 1e-10);
    }
}

// What friction takes out of the motion covers what the bristles hold more afterwards.
TEST(BristleStep, StickingBristlesGiveBackNoMoreThanTheyHold) {
    for (const double stiffness : {1e4, 1e5, 1e6}) {
        Slope slope;
        Random random(11);
        double held = 0.0, least = 0.0, most = 0.0;
        slope.mu = 0.25;
        for (int k = 0; k < 400; ++k) {
            FrictionScene s = slope.scene(0.7 * k, true);
            FrictionSettings settings = bristle(stiffness);
            settings.sticking_speed = infinity;
            s.settings = settings;
            for (int j = 0; j < 6; ++j) s.rows.f[j] += random.uniform(-4e-3, 4e-3);
            const StepAnswer a = take_step(make_bristle_step, s, slope.memory);
            const Vector sliding = s.D * a.v;
            double work = 0.0, holds = 0.0;
            for (int j = 0; j < 6; ++j) {
                work -= a.impulses.D[j] * sliding[j];
                holds += std::pow(a.impulses.D[j] / slope.h, 2) / (2 * stiffness);
            }
            slope.v = a.v;
            const double loss = work - (holds - held);
            least = std::min(least, loss);
            most = std::max(most, loss);
            held = holds;
        }
        EXPECT_GE(least, -1e-15) << stiffness;
        EXPECT_GT(most, 0.0);
    }
}

// Of h^2 k_T / m = 0.1 and more; softer bristles that slide are not passive.
TEST(BristleStep, UnderAConstantWeightNoEnergyComesOfNothing) {
    for (const double stiffness : {1e5, 1e6, 1e8})
        for (const FrictionBounds bounds : {FrictionBounds::previous, FrictionBounds::iterated}) {
            Random random(7);
            Vector v{0, 0, 0};
            ContactMemory memory;
            double taken = 0.0, least = 0.0;
            for (int k = 0; k < 4000; ++k) {
                FrictionScene s = point(v, 10.0);
                s.rows.f[0] += random.uniform(-0.02, 0.02);
                s.rows.f[1] += random.uniform(-0.02, 0.02);
                s.settings = bristle(stiffness, bounds);
                const StepAnswer a = take_step(make_bristle_step, s, memory);
                v = a.v;
                double held = 0.0;
                for (int j = 0; j < 2; ++j) {
                    taken -= a.impulses.D[j] * v[j];
                    held += std::pow(a.impulses.D[j] / s.contacts.h, 2) / (2 * stiffness);
                }
                least = std::min(least, taken - held);
            }
            EXPECT_GE(least, -1e-15) << stiffness;
        }
}

TEST(BristleStep, ErrorsNameTheArgument) {
    const ContactMemory memory;
    const auto fails = [&memory](Status status, const char* part, auto&& change) {
        FrictionScene s = point({1, 0, 0}, 10.0);
        s.settings = bristle(1e5);
        change(s);
        EXPECT_FAILS(status, part,
                     make_bristle_step(s.settings, s.system(), s.rows, s.contacts, memory));
    };
    using S = FrictionScene;
    fails(Status::null_argument, "mu is missing", [](S& s) { s.rows.mu.clear(); });
    fails(Status::bad_value, "mu[0] = -1", [](S& s) { s.rows.mu = {-1}; });
    fails(Status::null_argument, "velocity is missing", [](S& s) { s.contacts.velocity.clear(); });
    fails(Status::bad_size, "velocity has 1", [](S& s) { s.contacts.velocity = {1}; });
    fails(Status::bad_value, "velocity[1]", [](S& s) { s.contacts.velocity[1] = not_a_number; });
    fails(Status::unsupported, "hi_T is given", [](S& s) { s.rows.hi_T = {1, 1}; });
    fails(Status::bad_setting, "passes = 0", [](S& s) { s.settings.passes = 0; });
    fails(Status::bad_setting, "pass_tolerance", [](S& s) { s.settings.pass_tolerance = -1; });
    fails(Status::bad_setting, "stiffness = -1", [](S& s) { s.settings.stiffness = -1; });
    fails(Status::bad_value, "stiffness[0] = -2", [](S& s) { s.contacts.stiffness = {-2}; });
    fails(Status::bad_value, "overflows", [](S& s) { s.contacts.stiffness = {1e-310}; });
    fails(Status::bad_size, "sticking_speed has 2", [](S& s) {
        s.contacts.sticking_speed = {1, 1};
    });
    fails(Status::bad_value, "normal_estimate[0] = -1",
          [](S& s) { s.contacts.normal_estimate = {-1}; });
    fails(Status::unsupported, "compliance_T[0]", [](S& s) { s.rows.compliance_T = {0, 1}; });
    fails(Status::bad_value, "h = 0", [](S& s) { s.contacts.h = 0.0; });
    StepOptions rolling;
    rolling.shape = {2, 0, 1};
    const Step angular = random_step(rolling);
    const StepContacts contacts;
    EXPECT_FAILS(Status::unsupported, "the bristle has no rolling or spinning friction",
                 make_bristle_step({}, system_of(angular), angular.rows, contacts, memory));
}

}  // namespace
}  // namespace perp::test
