// One step of a rigid-body scene, as the vectors and triplets that perp takes.
//
//   chain(links)         long jointed mechanism on the ground: small eigenvalues along the chain
//   wall(width, height)  bricks in running bond: strongly hyperstatic, degenerate
//   pile(spheres)        settled spheres in a box: the granular case, sliding or rolling
//
// Generators are deterministic: they use +, -, *, / and sqrt, hashed random numbers, and (pile)
// perp's own projected Gauss-Seidel.
//
// Bodies have six velocities each, in world axes: linear, then angular. SI units.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "handles.hpp"
#include "vec3.hpp"

namespace perp::scenes {

// The fixed world as a contact or joint partner.
inline constexpr int64_t ground = -1;

struct Triplets {
    int64_t rows = 0, cols = 0;
    std::vector<int64_t> row, col;
    std::vector<double> value;

    void add(int64_t i, int64_t j, double x);
    // Borrows: valid while this object lives unchanged.
    [[nodiscard]] perp_triplets view() const;
};

struct Scene {
    std::string title, source;
    double h = 0.0;           // s, time step
    int64_t n = 0;            // velocities
    Triplets M, A, N, D, S;   // S has no rows in scenes without rolling friction
    Triplets B;               // box rows: motors, limits; few scenes have any
    std::vector<double> f;    // n: M v + h f_applied, N s
    std::vector<double> u;    // bilateral rows
    std::vector<double> b_N;  // contacts: gap / h, m/s
    // m/s per N s: contacts, and their sliding and angular rows; empty: rigid.
    std::vector<double> compliance_N, compliance_T, compliance_S;
    std::vector<double> mu, rho, sigma;   // contacts; rho and sigma empty without S
    std::vector<double> lo_T, hi_T;       // 2 per contact; empty until set_box_bounds
    std::vector<double> b_B, lo_B, hi_B;  // box rows: m/s, N s, N s

    [[nodiscard]] int64_t contacts() const { return N.rows; }
    [[nodiscard]] int64_t rows() const { return A.rows + N.rows + D.rows + S.rows + B.rows; }
};

Scene chain(int64_t links, std::uint64_t seed = 1);

// heavy_top: factor on the mass of the top course.
Scene wall(int64_t width, int64_t height, double heavy_top = 1.0);

struct PileOptions {
    int64_t spheres = 200;
    double rolling = 0.0;     // rolling and spinning length over the radius; 0: no angular rows
    double mass_ratio = 1.0;  // factor on the mass of every 7th sphere, after settling
    int64_t steps = 160;      // of settling, 5 ms each
    std::uint64_t seed = 1;
    std::function<void(int64_t step, int64_t steps)> progress;  // may be empty
};
Scene pile(const PileOptions& options);

// For arguments that may be absent.
template <class T>
const T* data_or_null(const std::vector<T>& v) {
    return v.empty() ? nullptr : v.data();
}

// The problem under the cone or the box law (PERP_LAW_CONE, PERP_LAW_BOX). The box law needs
// set_box_bounds first and knows no angular rows. Throws CallFailed.
ProblemHandle make_problem(const Scene& scene, int32_t law = PERP_LAW_CONE);

// The matrices and the vectors of the scene, as perp takes them; the latter borrow. make_system
// throws CallFailed.
SystemHandle make_system(const Scene& scene);
perp_rows make_rows(const Scene& scene);

// As an instance file under the cone law. Throws CallFailed.
void write_instance(const Scene& scene, const std::string& path, const std::string& title);

// Bounds of the friction impulses, -mu z_N and +mu z_N per sliding row, with z_N the normal
// impulses of the same scene under the cone law, solved by APGD to eta <= 1e-4. Throws CallFailed,
// and std::runtime_error when that solve does not get there or the scene has angular rows.
void set_box_bounds(Scene& scene);

}  // namespace perp::scenes
