// The same step in other units and in another order, with the point that is the same in them.
#pragma once

#include "support.hpp"

namespace perp::test {

struct Stated {  // a step and a point, in some units and order
    Step step;
    std::vector<double> z;
};

inline std::vector<double> scaled(std::vector<double> v, double factor) {
    for (double& x : v) x *= factor;
    return v;
}

// The rows of z of one kind: A, N, D, S, B.
struct Layout {
    std::int64_t m, r, t, a, k;
    explicit Layout(const Step& s)
        : m(s.A.rows), r(s.N.rows), t(s.shape.tangential), a(s.shape.angular()), k(s.B.rows) {}
    [[nodiscard]] std::int64_t normal(std::int64_t i) const { return m + i; }
    [[nodiscard]] std::int64_t sliding(std::int64_t i) const { return m + r + i * t; }
    [[nodiscard]] std::int64_t angular(std::int64_t i) const { return m + r + r * t + i * a; }
    [[nodiscard]] std::int64_t box(std::int64_t i) const { return m + r + r * (t + a) + i; }
};

// (M, f) -> c (M, f); with c = 1000 also kg -> g and N s -> g m/s.
inline Stated other_mass_unit(const Stated& given, double c) {
    Stated s = given;
    s.step.M.a = scaled(s.step.M.a, c);
    ContactRows& rows = s.step.rows;
    for (std::vector<double>* v : {&rows.f, &rows.lo_B, &rows.hi_B, &rows.lo_T, &rows.hi_T})
        *v = scaled(*v, c);
    for (std::vector<double>* v : {&rows.compliance_A, &rows.compliance_N, &rows.compliance_T,
                                   &rows.compliance_S, &rows.compliance_B})
        *v = scaled(*v, 1.0 / c);
    s.z = scaled(s.z, c);
    return s;
}

// Lengths times c. Every third degree of freedom is an angle; angular rows are angular
// velocities, all others velocities. With T = diag(1, c at angles): M' = T M T, f' = c T f,
// J' = J T (angular rows J T / c), impulses times c (angular rows c^2).
inline Stated other_length_unit(const Stated& given, double c) {
    Stated s = given;
    Step& step = s.step;
    const std::int64_t n = step.M.rows;
    std::vector<double> T(n, 1.0);
    for (std::int64_t i = 2; i < n; i += 3) T[i] = c;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) step.M(i, j) *= T[i] * T[j];
    for (std::int64_t i = 0; i < n; ++i) step.rows.f[i] *= c * T[i];
    for (Dense* J : {&step.A, &step.N, &step.D, &step.S, &step.B})
        for (std::int64_t i = 0; i < J->rows; ++i)
            for (std::int64_t j = 0; j < n; ++j) (*J)(i, j) *= J == &step.S ? T[j] / c : T[j];
    ContactRows& rows = step.rows;
    for (std::vector<double>* v : {&rows.u, &rows.b_N, &rows.b_T, &rows.b_B, &rows.lo_B, &rows.hi_B,
                                   &rows.lo_T, &rows.hi_T, &rows.rho, &rows.sigma})
        *v = scaled(*v, c);
    rows.compliance_S = scaled(rows.compliance_S, 1.0 / (c * c));
    s.z = scaled(s.z, c);
    const Layout at(step);
    for (std::int64_t i = at.angular(0); i < at.box(0); ++i) s.z[i] *= c;
    return s;
}

// Seconds times 1 / c: velocities, impulses and all constants times c.
inline Stated other_time_unit(const Stated& given, double c) {
    Stated s = given;
    ContactRows& rows = s.step.rows;
    for (std::vector<double>* v :
         {&rows.f, &rows.u, &rows.b_N, &rows.b_T, &rows.b_S, &rows.b_B, &rows.lo_B, &rows.hi_B})
        *v = scaled(*v, c);
    s.z = scaled(s.z, c);
    return s;
}

// Joints and motors that turn the other way, sliding axes with the other sign.
inline Stated other_signs(const Stated& given) {
    Stated s = given;
    ContactRows& rows = s.step.rows;
    s.step.A.a = scaled(s.step.A.a, -1.0);
    s.step.D.a = scaled(s.step.D.a, -1.0);
    s.step.B.a = scaled(s.step.B.a, -1.0);
    rows.u = scaled(rows.u, -1.0);
    rows.b_T = scaled(rows.b_T, -1.0);
    rows.b_B = scaled(rows.b_B, -1.0);
    std::swap(rows.lo_B, rows.hi_B);
    rows.lo_B = scaled(rows.lo_B, -1.0);
    rows.hi_B = scaled(rows.hi_B, -1.0);
    return s;
}

inline void copy_row(const Dense& from, std::int64_t i, Dense& to, std::int64_t j) {
    for (std::int64_t k = 0; k < from.cols; ++k) to(j, k) = from(i, k);
}

// Contact i of the result is contact (3 i + 1) mod r of the given step.
inline Stated other_order(const Stated& given) {
    Stated s = given;
    const Step& from = given.step;
    Step& to = s.step;
    const Layout at(from);
    for (std::int64_t i = 0; i < at.r; ++i) {
        const std::int64_t j = (3 * i + 1) % at.r;
        copy_row(from.N, j, to.N, i);
        s.z[at.normal(i)] = given.z[at.normal(j)];
        for (std::vector<double> ContactRows::*v :
             {&ContactRows::b_N, &ContactRows::mu, &ContactRows::rho, &ContactRows::sigma,
              &ContactRows::compliance_N})
            (to.rows.*v)[i] = (from.rows.*v)[j];
        for (std::int64_t l = 0; l < at.t; ++l) {
            copy_row(from.D, j * at.t + l, to.D, i * at.t + l);
            s.z[at.sliding(i) + l] = given.z[at.sliding(j) + l];
            to.rows.b_T[i * at.t + l] = from.rows.b_T[j * at.t + l];
            if (from.law != Law::box) continue;
            to.rows.lo_T[i * at.t + l] = from.rows.lo_T[j * at.t + l];
            to.rows.hi_T[i * at.t + l] = from.rows.hi_T[j * at.t + l];
        }
        for (std::int64_t l = 0; l < at.a; ++l) {
            copy_row(from.S, j * at.a + l, to.S, i * at.a + l);
            s.z[at.angular(i) + l] = given.z[at.angular(j) + l];
            to.rows.b_S[i * at.a + l] = from.rows.b_S[j * at.a + l];
        }
    }
    return s;
}

}  // namespace perp::test
