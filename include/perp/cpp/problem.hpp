// Part of perp.hpp: complementarity problems.
#ifndef PERP_CPP_PROBLEM_HPP
#define PERP_CPP_PROBLEM_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "perp/cpp/system.hpp"

namespace perp {
inline namespace cpp {

// The vectors of a step (perp_rows): lengths from the system, in the order of its rows. Not given:
// the default. The views must live until the call that takes the Rows returns; they are copied.
struct Rows {
    View f;             // n: M v + h (f_applied - c), N s. Required
    View u;             // m: A v+ + E z = u, m/s. 0
    View b_N;           // r: gap / h, restitution; m/s. 0
    View b_T;           // t r: m/s. 0
    View b_S;           // a r: rad/s. 0
    View compliance_A;  // m: diagonal of E, >= 0, m/s per N s. 0 (rigid)
    View compliance_N;  // r. 0
    View compliance_T;  // t r. 0
    View compliance_S;  // a r. 0
    View mu;            // r: sliding coefficient. Required by the cone law if there are D rows,
                        // by the box law in place of lo_T and hi_T (perp_problem_set_ties)
    View rho;           // r: rolling length, m. 0
    View sigma;         // r: spinning length, m. 0
    View lo_T, hi_T;    // t r: bounds of the friction impulses, N s. Box law
    View b_B;           // k: m/s. 0
    View compliance_B;  // k. 0
    View lo_B, hi_B;    // k: bounds of the box rows, N s. Required if there are B rows
};

namespace detail {

inline perp_rows c_rows(const Rows& given, const Sizes& size) {
    perp_rows rows = defaults(perp_rows_init);
    rows.f = checked(given.f, size.velocities, "f");
    rows.u = checked(given.u, size.bilateral, "u");
    rows.b_N = checked(given.b_N, size.contacts, "b_N");
    rows.b_T = checked(given.b_T, size.sliding, "b_T");
    rows.b_S = checked(given.b_S, size.angular, "b_S");
    rows.compliance_A = checked(given.compliance_A, size.bilateral, "compliance_A");
    rows.compliance_N = checked(given.compliance_N, size.contacts, "compliance_N");
    rows.compliance_T = checked(given.compliance_T, size.sliding, "compliance_T");
    rows.compliance_S = checked(given.compliance_S, size.angular, "compliance_S");
    rows.mu = checked(given.mu, size.contacts, "mu");
    rows.rho = checked(given.rho, size.contacts, "rho");
    rows.sigma = checked(given.sigma, size.contacts, "sigma");
    rows.lo_T = checked(given.lo_T, size.sliding, "lo_T");
    rows.hi_T = checked(given.hi_T, size.sliding, "hi_T");
    rows.b_B = checked(given.b_B, size.boxes, "b_B");
    rows.compliance_B = checked(given.compliance_B, size.boxes, "compliance_B");
    rows.lo_B = checked(given.lo_B, size.boxes, "lo_B");
    rows.hi_B = checked(given.hi_B, size.boxes, "hi_B");
    return rows;
}

}  // namespace detail

// The Delassus form u = W z + V y + q, V' z + R y + s = 0 (perp_delassus_def). Matrices left 0 x 0
// are absent, except W. Views must live until Problem::delassus returns.
struct Delassus {
    Triplets W;
    std::int64_t tangential_rows = 2;  // per contact: 0, 1 or 2
    std::int64_t angular_rows = 0;     // per contact: 0, 1 or 2 (rolling), 3 (spin, roll, roll)
    View q;                            // rows of W
    View mu;                           // contacts; required if tangential_rows > 0
    View rho, sigma;                   // contacts. 0
    Triplets V, R;                     // rows of W x m; m x m
    View s;                            // m. 0
};

// One complementarity problem. Shares its system's data: the System may be changed or destroyed.
class Problem {
public:
    // The cone law (CCP) and the box law (mixed BLCP) for a step of the system. Copies.
    // Throws PERP_BAD_SIZE, PERP_BAD_VALUE, PERP_BAD_BOUNDS, PERP_NULL_ARGUMENT (a vector that the
    // law requires), PERP_UNSUPPORTED (angular rows under the box law).
    static Problem cone(const System& system, const Rows& rows) {
        return assembled(perp_cone_assemble, system, rows);
    }
    static Problem box(const System& system, const Rows& rows) {
        return assembled(perp_blcp_assemble, system, rows);
    }
    // The general mixed BLCP: lo <= z <= hi complementary to u = H z + q. H square, any. lo, hi not
    // given: -inf, +inf. Copies.
    static Problem blcp(const Triplets& H, const View& q, const View& lo = {},
                        const View& hi = {}) {
        const perp_triplets matrix = H.view();
        perp_problem* handle = nullptr;
        detail::require(perp_blcp_create(&matrix, detail::checked(q, H.rows(), "q"),
                                         detail::checked(lo, H.rows(), "lo"),
                                         detail::checked(hi, H.rows(), "hi"), &handle));
        return Problem(handle);
    }
    static Problem delassus(const Delassus& given) {
        const perp_triplets W = given.W.view(), V = given.V.view(), R = given.R.view();
        const std::int64_t t = given.tangential_rows, a = given.angular_rows;
        // Where t or a is out of range, the C function refuses before it reads a vector.
        const bool sane = t >= 0 && t <= 2 && a >= 0 && a <= 3;
        const std::int64_t contacts = sane ? W.rows / (1 + t + a) : 0;
        perp_delassus_def def = detail::defaults(perp_delassus_def_init);
        def.W = &W;
        def.tangential_rows = t;
        def.angular_rows = a;
        if (sane) {
            def.q = detail::checked(given.q, W.rows, "q");
            def.mu = detail::checked(given.mu, contacts, "mu");
            def.rho = detail::checked(given.rho, contacts, "rho");
            def.sigma = detail::checked(given.sigma, contacts, "sigma");
            def.s = detail::checked(given.s, V.cols, "s");
        }
        def.V = &V;
        def.R = &R;
        perp_problem* handle = nullptr;
        detail::require(perp_delassus_create(&def, &handle));
        return Problem(handle);
    }
    // From an instance file, FCLIB's layout or perp's, or a folder of Matrix Market files. law:
    // PERP_LAW_AUTO takes what the file says.
    // Throws PERP_FILE_NOT_FOUND or PERP_FILE_FORMAT.
    static Problem read(const std::string& path, std::int32_t law = PERP_LAW_AUTO) {
        perp_problem* handle = nullptr;
        detail::require(perp_problem_read(path.c_str(), law, &handle));
        return Problem(handle);
    }
    // Throws PERP_FILE_WRITE, or PERP_UNSUPPORTED when the layout cannot hold the problem.
    void write(const std::string& path, std::int32_t layout = PERP_LAYOUT_AUTO,
               const std::string& title = {}, const std::string& source = {}) const {
        detail::require(
            perp_problem_write(get(), path.c_str(), layout, title.c_str(), source.c_str()));
    }

    // New vectors of an assembled problem, all of them ...
    void set_rows(const Rows& rows) {
        const perp_rows c = detail::c_rows(rows, sizes());
        detail::require(perp_problem_set_rows(handle_.get(), nullptr, &c));
    }
    // ... and the matrices of a system, another one or the same with new values. Solvers follow,
    // and keep what the pattern of the matrices allows.
    void set_rows(const System& system, const Rows& rows) {
        const perp_rows c = detail::c_rows(rows, system.sizes());
        detail::require(perp_problem_set_rows(handle_.get(), system.get(), &c));
    }
    // ... or those of a general BLCP (q, lo, hi) or a Delassus form (q, of all rows). Those not
    // given stay.
    void set_vectors(const View& q, const View& lo = {}, const View& hi = {}) {
        detail::require(perp_problem_set_vectors(handle_.get(), detail::checked(q, rows(), "q"),
                                                 detail::checked(lo, rows(), "lo"),
                                                 detail::checked(hi, rows(), "hi")));
    }
    // Ties the bounds of rows of a general BLCP to the impulses of normal rows; three vectors of
    // one length. Empty ones: no ties. Throws PERP_BAD_INDEX, PERP_BAD_VALUE, PERP_BAD_BOUNDS (a
    // row with bounds of its own), PERP_UNSUPPORTED.
    void set_ties(const std::vector<std::int64_t>& row, const std::vector<std::int64_t>& normal,
                  const View& coefficient) {
        const auto count = static_cast<std::int64_t>(row.size());
        if (normal.size() != row.size()) detail::wrong_size("normal", normal.size(), count);
        detail::require(perp_problem_set_ties(handle_.get(), count, row.data(), normal.data(),
                                              detail::checked(coefficient, count, "coefficient")));
    }
    // PERP_LAW_CONE or PERP_LAW_COULOMB, of a problem of cones. Throws PERP_UNSUPPORTED.
    void set_law(std::int64_t law) { detail::require(perp_problem_set_law(handle_.get(), law)); }
    // New values of H or W in the order of their triplets. Throws PERP_BAD_PATTERN.
    void update(const View& values) {
        detail::require(perp_problem_update(handle_.get(), static_cast<std::int64_t>(values.size()),
                                            values.data()));
    }

    std::int64_t rows() const { return info().rows; }  // length of z and u
    perp_problem_info info() const {
        perp_problem_info info = detail::sized<perp_problem_info>();
        detail::require(perp_problem_get_info(get(), &info));
        return info;
    }
    Sizes sizes() const {
        const perp_problem_info i = info();
        return {i.velocities,
                i.bilateral,
                i.contacts,
                i.contacts * i.tangential_rows,
                i.contacts * i.angular_rows,
                i.boxes};
    }

    // Is z (rows()) right? See perp_residual_info; eta = 0 is exact.
    perp_residual_info residual(const View& z) const {
        perp_residual_info info = detail::sized<perp_residual_info>();
        detail::require(perp_residual(get(), impulses(z), &info));
        return info;
    }
    // v+ = M^-1 (f + J' z), length n. Throws PERP_UNSUPPORTED for matrix forms.
    std::vector<double> velocity(const View& z) const {
        std::vector<double> v = detail::vector_of(info().velocities);
        double none = 0.0;  // n = 0: the C function is still to see that v is wanted
        detail::require(
            perp_constraint_velocity(get(), impulses(z), nullptr, v.empty() ? &none : v.data()));
        return v;
    }
    // u = W z + r, length rows().
    std::vector<double> constraint_velocity(const View& z) const {
        std::vector<double> u = detail::vector_of(rows());
        detail::require(perp_constraint_velocity(get(), impulses(z), u.data(), nullptr));
        return u;
    }
    // W (or H), formed on request: 0-based, sorted by rows, exact zeros left out.
    Triplets matrix() const {
        std::int64_t count = 0;
        detail::require(perp_form_matrix(get(), &count, nullptr, nullptr, nullptr));
        std::vector<std::int64_t> row(static_cast<std::size_t>(count)), col(row.size());
        std::vector<double> value = detail::vector_of(count);
        if (count > 0)
            detail::require(perp_form_matrix(get(), &count, row.data(), col.data(), value.data()));
        Triplets matrix(rows(), rows());
        matrix.reserve(value.size());
        for (std::size_t k = 0; k < value.size(); ++k) matrix.add(row[k], col[k], value[k]);
        return matrix;
    }
    // Can the method (PERP_PGS, ...) take this problem? If not, `reason` (if given) says why.
    bool supports(std::int64_t method, std::string* reason = nullptr) const {
        const std::int32_t status = perp_solver_supports(get(), method);
        if (status != PERP_UNSUPPORTED) detail::require(status);
        if (status == PERP_UNSUPPORTED && reason != nullptr) *reason = perp_last_message();
        return status == PERP_OK;
    }

    // z from and to the /solution group of a file, or z.mtx of a folder. solver: stored as
    // attribute (in a folder: comment); may be empty.
    std::vector<double> read_solution(const std::string& path) const {
        std::vector<double> z = detail::vector_of(rows());
        detail::require(perp_solution_read(get(), path.c_str(), z.data()));
        return z;
    }
    void write_solution(const std::string& path, const View& z,
                        const std::string& solver = {}) const {
        detail::require(perp_solution_write(get(), path.c_str(), impulses(z),
                                            solver.empty() ? nullptr : solver.c_str()));
    }

    const perp_problem* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    using Assemble = std::int32_t (*)(const perp_system*, const perp_rows*, perp_problem**);

    explicit Problem(perp_problem* handle) noexcept : handle_(handle) {}
    static Problem assembled(Assemble assemble, const System& system, const Rows& rows) {
        const perp_rows c = detail::c_rows(rows, system.sizes());
        perp_problem* handle = nullptr;
        detail::require(assemble(system.get(), &c, &handle));
        return Problem(handle);
    }
    const double* impulses(const View& z) const { return detail::checked(z, rows(), "z"); }

    detail::Owner<perp_problem, perp_problem_destroy> handle_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_CPP_PROBLEM_HPP
