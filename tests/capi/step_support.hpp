// Steps under friction models for tests of the C interface: a handle, a scene, what came out.
#pragma once

#include "../../bench/scenes/scene.hpp"
#include "support.hpp"

namespace perp_test {

constexpr double gravity = 9.81;

constexpr int64_t models[] = {PERP_FRICTION_BRISTLE, PERP_FRICTION_BOX, PERP_FRICTION_POLYGON,
                              PERP_FRICTION_CONE, PERP_FRICTION_COULOMB};

inline const char* model_name(int64_t model) {
    constexpr const char* names[] = {"", "bristle", "box", "polygon", "cone", "coulomb"};
    return names[model];
}
inline std::string model_parameter(const testing::TestParamInfo<int64_t>& p) {
    return model_name(p.param);
}

inline perp_friction_def friction_def(int64_t model) {
    perp_friction_def def = initialized(perp_friction_def_init);
    def.model = model;
    return def;
}

inline Friction friction(const perp_friction_def& def) {
    perp_friction* out = nullptr;
    EXPECT_EQ(perp_friction_create(&def, &out), PERP_OK) << perp_last_message();
    return Friction(out);
}

// Of the methods that fit, to an accuracy that they reach on small scenes.
inline perp_settings step_settings(double tolerance = 1e-10) {
    perp_settings s = initialized(perp_settings_init);
    s.method = PERP_AUTO;
    s.tolerance = tolerance;
    s.max_iterations = 100000;
    return s;
}

struct StepState {
    std::vector<int64_t> id;
    Vector record;
};

inline StepState state_of(const Friction& friction) {
    StepState s;
    int64_t count = -1;
    EXPECT_EQ(perp_friction_get_state(friction.get(), &count, nullptr, nullptr), PERP_OK);
    s.id.resize(count);
    s.record.resize(PERP_CONTACT_RECORD * count);
    EXPECT_EQ(perp_friction_get_state(friction.get(), &count, s.id.data(), s.record.data()),
              PERP_OK);
    return s;
}

inline int32_t set_state(const Friction& friction, const StepState& s) {
    return perp_friction_set_state(friction.get(), static_cast<int64_t>(s.id.size()), s.id.data(),
                                   s.record.data());
}

inline bool same_state(const StepState& a, const StepState& b) {
    return a.id == b.id && same_bits(a.record, b.record);
}

// Matrices and vectors of a step, owned.
struct StepScene {
    Matrices matrices;
    double h = 1e-3;
    Vector f, u, b_N, mu, velocity, axes;
    std::vector<int64_t> id;

    [[nodiscard]] perp_rows step_rows() const {
        perp_rows r = rows();
        r.f = f.data();
        r.u = u.empty() ? nullptr : u.data();
        r.b_N = b_N.empty() ? nullptr : b_N.data();
        r.mu = mu.data();
        return r;
    }
    [[nodiscard]] perp_contacts contacts() const {
        perp_contacts c = initialized(perp_contacts_init);
        c.h = h;
        c.velocity = velocity.data();
        c.id = id.empty() ? nullptr : id.data();
        c.axes = axes.empty() ? nullptr : axes.data();
        return c;
    }
};

struct StepOutput {
    Vector velocity, z;
    std::vector<int8_t> state;
    perp_step_info info = sized<perp_step_info>();
};

inline StepOutput take_step(const Friction& friction, const StepScene& scene,
                            const perp_settings& settings = step_settings()) {
    const Matrices& m = scene.matrices;
    const System s = system(m);
    StepOutput out;
    out.velocity.assign(m.M.rows, -1.0);
    out.z.assign(m.A.rows + m.N.rows + m.D.rows + m.S.rows + m.B.rows, -1.0);
    out.state.assign(m.N.rows, 99);
    const perp_rows r = scene.step_rows();
    const perp_contacts c = scene.contacts();
    EXPECT_EQ(perp_step(friction.get(), s.get(), &r, &c, &settings, out.velocity.data(),
                        out.z.data(), out.state.data(), &out.info),
              PERP_OK)
        << perp_last_message();
    return out;
}

// A point of `mass` on the plane z = 0, with velocity v.
inline StepScene point(const Vector& v, double mass = 2.0, double mu = 0.4) {
    StepScene s;
    s.matrices.M = Matrix::diagonal({mass, mass, mass});
    s.matrices.N = Matrix(1, 3, {0, 0, 1});
    s.matrices.D = Matrix(2, 3, {1, 0, 0, 0, 1, 0});
    s.velocity = v;
    s.f = {mass * v[0], mass * v[1], mass * (v[2] - s.h * gravity)};
    s.mu = {mu};
    return s;
}

inline Matrix copied(const perp::scenes::Triplets& t) {
    Matrix m(t.rows, t.cols);
    m.row = t.row;
    m.col = t.col;
    m.value = t.value;
    return m;
}

// A scene of the generators, without gaps; bodies have the velocities v.
inline StepScene generated(const perp::scenes::Scene& g) {
    StepScene s;
    s.matrices = {copied(g.M), copied(g.A), copied(g.N), copied(g.D), copied(g.S), {}};
    s.h = g.h;
    s.f = g.f;
    s.u = g.u;
    s.b_N = g.b_N;
    s.mu = g.mu;
    s.velocity.assign(g.n, 0.0);
    return s;
}

}  // namespace perp_test
