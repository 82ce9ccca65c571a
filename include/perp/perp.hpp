// perp.hpp: perp for C++17 and later. Header-only; a thin layer over perp.h, which is the contract:
// signs, units, laws, defaults and outcomes are described there and hold here unchanged.
//
//   perp::Matrices matrices;                        // M, A, N, D, S, B as triplets
//   perp::System system(matrices);
//   perp::Rows rows;                                // views of the vectors of a step
//   perp::Problem problem = perp::Problem::cone(system, rows);
//   std::vector<double> z;
//   perp_info info = perp::Solver(problem).solve(z);
//   if (info.outcome == PERP_SOLVED) use(problem.velocity(z));
//
// What it adds:
//  - Ownership: handles are move-only and released by their destructors, in any order. A handle
//    that was moved from may only be destroyed or assigned to; a call with it throws.
//  - Errors: a call that fails throws perp::Error with the status and the message, and leaves its
//    arguments as they were. A solve that ends unsolved does not throw: look at perp_info::outcome.
//  - Sizes: the C functions cannot see the length of an array. Here every length is checked before
//    the call; a wrong one throws PERP_BAD_SIZE and names the argument.
// Threads: as in perp.h. Different objects at once; one object by one thread at a time.
#ifndef PERP_PERP_HPP
#define PERP_PERP_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <locale>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "perp/perp.h"

namespace perp {
inline namespace cpp {  // the library's own classes have names in perp, too: keeps symbols apart

// A failed call. status(): PERP_BAD_SIZE, ... (perp_status). what(): the argument, index and value.
class PERP_API Error : public std::runtime_error {
public:
    Error(std::int32_t status, const std::string& message)
        : std::runtime_error(message), status_(status) {}
    std::int32_t status() const noexcept { return status_; }

private:
    std::int32_t status_;
};

// Numbers of the caller, borrowed: a std::vector<double>, or a pointer and a length. A View that
// nothing was assigned to means "not given". What it views must live until the call with it
// returns.
class View {
public:
    View() noexcept = default;
    View(const std::vector<double>& v) noexcept : View(v.data(), v.size()) {}
    View(std::vector<double>&&) = delete;  // would be gone before the call
    View(const double* data, std::size_t size) noexcept : data_(data), size_(size), given_(true) {}
    const double* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    bool given() const noexcept { return given_; }

private:
    const double* data_ = nullptr;
    std::size_t size_ = 0;
    bool given_ = false;
};

namespace detail {

inline void require(std::int32_t status) {
    if (status == PERP_OK) return;
    const std::string message = perp_last_message();
    throw Error(status, message.empty() ? perp_status_text(status) : message);
}

[[noreturn]] inline void wrong_size(const char* name, std::size_t size, std::int64_t expected) {
    throw Error(PERP_BAD_SIZE, std::string(name) + " has " + std::to_string(size) +
                                   " entries, expected " + std::to_string(expected));
}

// The array for the C function: NULL where not given; throws where the length is not `expected`.
inline const double* checked(const View& v, std::int64_t expected, const char* name) {
    if (!v.given()) return nullptr;
    if (static_cast<std::int64_t>(v.size()) != expected) wrong_size(name, v.size(), expected);
    if (v.data() == nullptr && expected > 0)
        throw Error(PERP_NULL_ARGUMENT, std::string(name) + " is NULL");
    return v.data();
}

// A C struct with struct_size set and everything else zero: for results.
template <class Struct>
Struct sized() noexcept {
    Struct s{};
    s.struct_size = static_cast<std::int64_t>(sizeof(Struct));
    return s;
}

// A C struct filled with its defaults.
template <class Struct>
Struct defaults(std::int32_t (*init)(Struct*, std::int64_t)) {
    Struct s{};
    require(init(&s, static_cast<std::int64_t>(sizeof(Struct))));
    return s;
}

template <class Handle, void (*destroy)(Handle*)>
struct Destroy {
    void operator()(Handle* handle) const noexcept { destroy(handle); }
};
template <class Handle, void (*destroy)(Handle*)>
using Owner = std::unique_ptr<Handle, Destroy<Handle, destroy>>;

inline std::vector<double> vector_of(std::int64_t size) {
    return std::vector<double>(static_cast<std::size_t>(size));
}

}  // namespace detail

// A sparse matrix under construction: entries in any order, duplicates are summed. Owns its arrays.
// Indices count from `base` (0 or 1). Range and finiteness are checked where the matrix is used.
class Triplets {
public:
    Triplets() = default;  // 0 x 0: an absent matrix
    Triplets(std::int64_t rows, std::int64_t cols, std::int64_t base = 0)
        : rows_(rows), cols_(cols), base_(base) {}

    void add(std::int64_t row, std::int64_t col, double value) {
        row_.push_back(row);
        col_.push_back(col);
        value_.push_back(value);
    }
    void reserve(std::size_t count) {
        row_.reserve(count);
        col_.reserve(count);
        value_.reserve(count);
    }
    void clear() noexcept {  // the size stays
        row_.clear();
        col_.clear();
        value_.clear();
    }
    std::int64_t rows() const noexcept { return rows_; }
    std::int64_t cols() const noexcept { return cols_; }
    std::int64_t base() const noexcept { return base_; }
    std::size_t count() const noexcept { return value_.size(); }
    const std::vector<std::int64_t>& row() const noexcept { return row_; }
    const std::vector<std::int64_t>& col() const noexcept { return col_; }
    // In the order of add(): what System::update and Problem::update take.
    const std::vector<double>& values() const noexcept { return value_; }

    // For the C functions. Points into this object: valid until it is changed or destroyed.
    perp_triplets view() const noexcept {
        perp_triplets t{};
        t.rows = rows_;
        t.cols = cols_;
        t.count = static_cast<std::int64_t>(value_.size());
        t.row = row_.data();
        t.col = col_.data();
        t.value = value_.data();
        t.base = base_;
        return t;
    }

private:
    std::int64_t rows_ = 0, cols_ = 0, base_ = 0;
    std::vector<std::int64_t> row_, col_;
    std::vector<double> value_;
};

// ---------------------------------------------------------------------------
// Systems

// The matrices of a system (perp_system_def). Those left 0 x 0 are absent. Only read by System.
struct Matrices {
    Triplets M;  // n x n mass matrix, kg (kg m, kg m^2), symmetric positive definite
    Triplets A;  // m x n bilateral rows
    Triplets N;  // r x n contact normals; positive N v opens
    Triplets D;  // 2 r x n sliding (contact i: rows 2 i, 2 i + 1); r x n in the plane; or absent
    Triplets S;  // 3 r x n spin, roll, roll; 2 r x n rolling; r x n planar rolling; or absent
    Triplets B;  // k x n box rows
    std::int64_t mass_storage = PERP_MASS_FULL;
    double symmetry_tolerance = detail::defaults(perp_system_def_init).symmetry_tolerance;
};

// The sizes that decide the lengths of all vectors.
struct Sizes {
    std::int64_t velocities = 0;  // n
    std::int64_t bilateral = 0;   // m
    std::int64_t contacts = 0;    // r
    std::int64_t sliding = 0;     // rows of D: t r
    std::int64_t angular = 0;     // rows of S: a r
    std::int64_t boxes = 0;       // k
};

// Mass matrix and Jacobians, checked and compressed, M factorized.
class System {
public:
    // Copies. Throws PERP_BAD_INDEX, PERP_NOT_POSITIVE_DEFINITE, ... naming matrix and entry.
    explicit System(const Matrices& given)
        : sizes_{given.M.rows(), given.A.rows(), given.N.rows(),
                 given.D.rows(), given.S.rows(), given.B.rows()} {
        const perp_triplets M = given.M.view(), A = given.A.view(), N = given.N.view();
        const perp_triplets D = given.D.view(), S = given.S.view(), B = given.B.view();
        perp_system_def def = detail::defaults(perp_system_def_init);
        def.M = &M;
        def.A = &A;
        def.N = &N;
        def.D = &D;
        def.S = &S;
        def.B = &B;
        def.mass_storage = given.mass_storage;
        def.symmetry_tolerance = given.symmetry_tolerance;
        perp_system* handle = nullptr;
        detail::require(perp_system_create(&def, &handle));
        handle_.reset(handle);
    }

    // New values of one matrix (PERP_MATRIX_M to PERP_MATRIX_B) in the order of its triplets at
    // creation. Problems assembled before keep the old ones. Throws PERP_BAD_PATTERN.
    void update(std::int32_t matrix, const View& values) {
        detail::require(perp_system_update(
            handle_.get(), matrix, static_cast<std::int64_t>(values.size()), values.data()));
    }

    const Sizes& sizes() const noexcept { return sizes_; }
    const perp_system* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    detail::Owner<perp_system, perp_system_destroy> handle_;
    Sizes sizes_;
};

// ---------------------------------------------------------------------------
// Problems

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

    // New vectors, same matrices: all of an assembled problem ...
    void set_rows(const Rows& rows) {
        const perp_rows c = detail::c_rows(rows, sizes());
        detail::require(perp_problem_set_rows(handle_.get(), &c));
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

// ---------------------------------------------------------------------------
// Solvers

// perp_settings with the defaults filled in; change what you like.
struct Settings : perp_settings {
    Settings() : perp_settings(detail::defaults(perp_settings_init)) {}
};

// Called at every evaluation of eta, on the thread that solves. true: go on, false: cancel. It may
// throw: the solve is cancelled, and solve() throws the same exception to its caller.
using Progress = std::function<bool(const perp_progress&)>;

// A method with settings and workspace. Shares its problem: the Problem may be changed (the next
// solve sees it) or destroyed.
class Solver {
public:
    // Throws PERP_BAD_SETTING or PERP_UNSUPPORTED with the reason.
    explicit Solver(const Problem& problem, const Settings& settings = {}) : rows_(problem.rows()) {
        perp_solver* handle = nullptr;
        detail::require(perp_solver_create(problem.get(), &settings, &handle));
        handle_.reset(handle);
    }

    // One setting by its name in perp_settings, as text ("1e-8", "pgs") or as number.
    void set(const std::string& name, const std::string& value) {
        detail::require(perp_solver_set(handle_.get(), name.c_str(), value.c_str()));
    }
    template <class Number, class = std::enable_if_t<std::is_arithmetic<Number>::value>>
    void set(const std::string& name, Number value) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text.precision(std::numeric_limits<double>::max_digits10);
        text << value;
        set(name, text.str());
    }
    // Kept until replaced or this object ends; an empty function removes it.
    void set_callback(Progress progress) {
        auto watch = std::make_unique<Watch>();
        watch->progress = std::move(progress);
        const bool wanted = static_cast<bool>(watch->progress);
        detail::require(perp_solver_set_callback(handle_.get(), wanted ? on_progress : nullptr,
                                                 wanted ? watch.get() : nullptr));
        watch_ = wanted ? std::move(watch) : nullptr;
    }

    // z: the guess in (with warm_start), the best iterate found out, whatever the outcome; an empty
    // z first becomes zeros of the right length. u: the velocities of that z. When the callback
    // throws, z is the best iterate so far. Throws PERP_BAD_SIZE; PERP_BAD_VALUE for a guess that
    // is not finite; PERP_UNSUPPORTED after a change of the problem that the method cannot take.
    [[nodiscard]] perp_info solve(std::vector<double>& z) { return solve_vectors(z, nullptr); }
    [[nodiscard]] perp_info solve(std::vector<double>& z, std::vector<double>& u) {
        return solve_vectors(z, &u);
    }
    // Arrays of the caller: z of `size` entries, u of as many or NULL.
    [[nodiscard]] perp_info solve(double* z, std::size_t size, double* u = nullptr) {
        if (static_cast<std::int64_t>(size) != rows_) detail::wrong_size("z", size, rows_);
        perp_info info = detail::sized<perp_info>();
        const std::int32_t status = perp_solve(handle_.get(), z, u, &info);
        if (watch_ != nullptr && watch_->failure != nullptr)
            std::rethrow_exception(std::exchange(watch_->failure, nullptr));
        detail::require(status);
        return info;
    }

    // The basic set of the last solve by a pivoting method (see perp_solver_get_basic_set), length
    // rows; and the one that the next solve starts from.
    std::vector<std::int8_t> basic_set() const {
        std::vector<std::int8_t> set(static_cast<std::size_t>(rows_));
        detail::require(perp_solver_get_basic_set(handle_.get(), set.data()));
        return set;
    }
    void set_basic_set(const std::vector<std::int8_t>& set) {
        if (static_cast<std::int64_t>(set.size()) != rows_)
            detail::wrong_size("set", set.size(), rows_);
        detail::require(perp_solver_set_basic_set(handle_.get(), set.data()));
    }
    // After PERP_NO_SOLUTION: the proof (see perp_certificate), length rows. Throws
    // PERP_UNSUPPORTED where there is none.
    std::vector<double> certificate() const {
        std::vector<double> d = detail::vector_of(rows_);
        detail::require(perp_certificate(handle_.get(), d.data()));
        return d;
    }

    const perp_solver* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    struct Watch {  // on the heap, so that the solver keeps its address when this object is moved
        Progress progress;
        std::exception_ptr failure;
    };

    // No exception may pass through the C code above: it is kept until perp_solve has returned.
    static std::int32_t on_progress(const perp_progress* progress, void* user) noexcept {
        Watch& watch = *static_cast<Watch*>(user);
        try {
            return watch.progress(*progress) ? 0 : 1;
        } catch (...) {
            watch.failure = std::current_exception();
            return 1;
        }
    }

    perp_info solve_vectors(std::vector<double>& z, std::vector<double>* u) {
        if (z.empty()) z = detail::vector_of(rows_);
        if (u == nullptr) return solve(z.data(), z.size());
        std::vector<double> velocities = detail::vector_of(rows_);
        const perp_info info = solve(z.data(), z.size(), velocities.data());
        u->swap(velocities);
        return info;
    }

    std::int64_t rows_;
    std::unique_ptr<Watch> watch_;  // outlives handle_, which points to it
    detail::Owner<perp_solver, perp_solver_destroy> handle_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_PERP_HPP
