// Helpers for tests of the C interface: owned triplets and handles, checks of failed calls. Sees
// nothing of perp but perp.h. C++17.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "perp/perp.h"

namespace perp_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Vector = std::vector<double>;

// ------------------------------------------------------------------ input

struct Matrix {
    int64_t rows = 0, cols = 0, base = 0;
    std::vector<int64_t> row, col;
    Vector value;

    Matrix() = default;
    Matrix(int64_t r, int64_t c, const Vector& dense = {}) : rows(r), cols(c) {
        for (std::size_t k = 0; k < dense.size(); ++k)
            if (dense[k] != 0.0)
                add(static_cast<int64_t>(k) / c, static_cast<int64_t>(k) % c, dense[k]);
    }
    static Matrix diagonal(const Vector& d) {
        Matrix m(static_cast<int64_t>(d.size()), static_cast<int64_t>(d.size()));
        for (int64_t i = 0; i < m.rows; ++i) m.add(i, i, d[i]);
        return m;
    }
    void add(int64_t i, int64_t j, double x) {
        row.push_back(i);
        col.push_back(j);
        value.push_back(x);
    }
    perp_triplets view() const {
        return {rows,         cols, static_cast<int64_t>(row.size()), row.data(), col.data(),
                value.data(), base};
    }
};

template <class T>
T initialized(int32_t (*init)(T*, int64_t)) {
    T t;
    std::memset(&t, 0xff, sizeof t);
    EXPECT_EQ(init(&t, sizeof t), PERP_OK);
    return t;
}

template <class T>
T sized() {
    T t{};
    t.struct_size = sizeof t;
    return t;
}

inline perp_rows rows() { return initialized(perp_rows_init); }

inline perp_settings settings(int64_t method, double tolerance = 1e-12) {
    perp_settings s = initialized(perp_settings_init);
    s.method = method;
    s.tolerance = tolerance;
    return s;
}

// ------------------------------------------------------------------ handles

struct Destroy {
    void operator()(perp_system* p) const { perp_system_destroy(p); }
    void operator()(perp_problem* p) const { perp_problem_destroy(p); }
    void operator()(perp_solver* p) const { perp_solver_destroy(p); }
    void operator()(perp_friction* p) const { perp_friction_destroy(p); }
};
using System = std::unique_ptr<perp_system, Destroy>;
using Problem = std::unique_ptr<perp_problem, Destroy>;
using Solver = std::unique_ptr<perp_solver, Destroy>;
using Friction = std::unique_ptr<perp_friction, Destroy>;

struct Matrices {
    Matrix M, A, N, D, S, B;
};

inline System system(const Matrices& m) {
    const perp_triplets M = m.M.view(), A = m.A.view(), N = m.N.view(), D = m.D.view(),
                        S = m.S.view(), B = m.B.view();
    perp_system_def def = initialized(perp_system_def_init);
    def.M = &M;
    def.A = &A;
    def.N = &N;
    def.D = &D;
    def.S = &S;
    def.B = &B;
    perp_system* out = nullptr;
    EXPECT_EQ(perp_system_create(&def, &out), PERP_OK) << perp_last_message();
    return System(out);
}

inline Problem cone(const System& system, const perp_rows& rows) {
    perp_problem* out = nullptr;
    EXPECT_EQ(perp_cone_assemble(system.get(), &rows, &out), PERP_OK) << perp_last_message();
    return Problem(out);
}

inline Problem box(const System& system, const perp_rows& rows) {
    perp_problem* out = nullptr;
    EXPECT_EQ(perp_blcp_assemble(system.get(), &rows, &out), PERP_OK) << perp_last_message();
    return Problem(out);
}

inline Problem blcp(const Matrix& H, const Vector& q, const Vector& lo = {},
                    const Vector& hi = {}) {
    const perp_triplets h = H.view();
    perp_problem* out = nullptr;
    EXPECT_EQ(perp_blcp_create(&h, q.data(), lo.empty() ? nullptr : lo.data(),
                               hi.empty() ? nullptr : hi.data(), &out),
              PERP_OK)
        << perp_last_message();
    return Problem(out);
}

inline Solver solver(const Problem& problem, const perp_settings& settings) {
    perp_solver* out = nullptr;
    EXPECT_EQ(perp_solver_create(problem.get(), &settings, &out), PERP_OK) << perp_last_message();
    return Solver(out);
}

// ------------------------------------------------------------------ results

inline perp_problem_info info_of(const Problem& problem) {
    auto info = sized<perp_problem_info>();
    EXPECT_EQ(perp_problem_get_info(problem.get(), &info), PERP_OK);
    return info;
}

inline perp_residual_info residual_of(const Problem& problem, const Vector& z) {
    auto info = sized<perp_residual_info>();
    EXPECT_EQ(perp_residual(problem.get(), z.data(), &info), PERP_OK);
    return info;
}

struct Answer {
    Vector z, u, v;
    perp_info info;
};

inline Answer solve(const Problem& problem, const perp_settings& settings, Vector guess = {}) {
    Answer a;
    const auto p = static_cast<std::size_t>(info_of(problem).rows);
    a.z = guess.empty() ? Vector(p, 0.0) : guess;
    a.u.assign(p, 0.0);
    a.info = sized<perp_info>();
    const Solver s = solver(problem, settings);
    EXPECT_EQ(perp_solve(s.get(), a.z.data(), a.u.data(), &a.info), PERP_OK) << perp_last_message();
    if (info_of(problem).matrix_form == 0) {
        a.v.assign(static_cast<std::size_t>(info_of(problem).velocities), 0.0);
        EXPECT_EQ(perp_constraint_velocity(problem.get(), a.z.data(), nullptr, a.v.data()),
                  PERP_OK);
    }
    // Honest in any case: eta is that of the point returned, solved means below the tolerance.
    EXPECT_EQ(a.info.eta, residual_of(problem, a.z).eta);
    EXPECT_EQ(a.info.outcome == PERP_SOLVED, a.info.eta <= settings.tolerance);
    return a;
}

inline bool same_bits(const Vector& x, const Vector& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
}

inline void expect_near(const Vector& x, const Vector& expected, double tolerance) {
    ASSERT_EQ(x.size(), expected.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i], expected[i], tolerance) << "entry " << i;
}

// The call fails with this status and a message that holds this text.
inline void expect_failure(int32_t status, int32_t expected, const std::string& text,
                           const char* call) {
    EXPECT_EQ(status, expected) << call << ": " << perp_status_text(status) << ": "
                                << perp_last_message();
    if (status == PERP_OK) return;
    EXPECT_NE(std::string(perp_last_message()).find(text), std::string::npos)
        << call << ": " << perp_last_message();
}

#define EXPECT_FAILS(expected, text, call) perp_test::expect_failure(call, expected, text, #call)

// ------------------------------------------------------------------ functions of perp.h

// Names in the order of the header; `begin` starts their lines.
inline std::vector<std::string> functions_of_header(const std::string& begin = "PERP_API ") {
    std::ifstream header(PERP_SOURCE_DIR "/include/perp/perp.h");
    std::vector<std::string> names;
    for (std::string line; std::getline(header, line);) {
        if (line.compare(0, begin.size(), begin) != 0) continue;
        const std::size_t end = line.find('(');
        const std::size_t first = line.find_last_of(" *", end) + 1;
        names.push_back(line.substr(first, end - first));
    }
    return names;
}

constexpr int64_t methods[] = {PERP_PGS, PERP_APGD, PERP_AAPGS};

inline std::string method_name(const testing::TestParamInfo<int64_t>& p) {
    return perp_method_name(p.param);
}

}  // namespace perp_test
