#include "make.hpp"

#include <cmath>
#include <tuple>

namespace perp_fuzz {

void Matrix::add(std::int64_t i, std::int64_t j, double x) {
    row.push_back(i + base);
    col.push_back(j + base);
    value.push_back(x);
    count = static_cast<std::int64_t>(value.size());
}

perp_triplets Matrix::view() const {
    return {rows, cols, count, row.data(), col.data(), value.data(), base};
}

namespace {

// Never so large that the library could honestly need gigabytes.
std::int64_t odd_size(Input& in) {
    const std::int64_t size = in.integer();
    return size > 64 && size <= 2147483647 ? size % 64 : size;
}

void spoil(Input& in, Matrix& m) {
    switch (in.below(5)) {
        case 0:
            m.base = in.integer();
            break;
        case 1:
            m.rows = odd_size(in);
            break;
        case 2:
            m.cols = odd_size(in);
            break;
        case 3:  // an index anywhere
            if (m.count > 0) (in.flag() ? m.row : m.col)[0] = in.integer();
            break;
        default:
            if (in.flag()) {
                m.count = -1 - m.count;
            } else {
                m.row.clear();
                m.row.shrink_to_fit();  // data() of an empty vector: NULL
            }
    }
}

}  // namespace

Matrix any_matrix(Input& in, std::int64_t rows, std::int64_t cols) {
    Matrix m;
    m.rows = rows;
    m.cols = cols;
    m.base = in.flag() ? 1 : 0;
    const std::int64_t count = rows > 0 && cols > 0 ? in.below(3 * (rows + cols)) : 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t i = in.below(rows), j = in.below(cols);
        m.add(i, j, in.real());
    }
    if (in.seldom()) spoil(in, m);
    return m;
}

Matrix mass_matrix(Input& in, std::int64_t n) {
    Matrix m;
    m.rows = m.cols = n;
    m.base = in.flag() ? 1 : 0;
    for (std::int64_t i = 0; i < n; ++i) m.add(i, i, 0.5 + in.positive());
    if (n > 16) {  // a chain, whose factor is sparse
        const double off = in.modest() / 64.0;
        for (std::int64_t i = 0; i + 1 < n; ++i) {
            m.add(i, i + 1, off);
            m.add(i + 1, i, off);
        }
    }
    for (std::int64_t k = in.below(8); k > 0; --k) {
        const std::int64_t i = in.below(n), j = in.below(n);
        const double x = in.seldom() ? in.real() : in.modest() / 16.0;
        m.add(i, j, x);
        if (!in.seldom()) m.add(j, i, x);
    }
    if (in.seldom()) spoil(in, m);
    return m;
}

void check_status(std::int32_t status) {
    require(status >= PERP_OK && status <= PERP_NO_MEMORY, "a status of perp.h, no defect");
    if (status == PERP_OK) return;
    require(perp_last_message()[0] != '\0', "a failure leaves a message");
    require(perp_status_text(status)[0] != '\0', "a status has a text");
}

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
}

namespace {

template <class Handle>
Handle* made(std::int32_t status, Handle* out) {
    check_status(status);
    require((status == PERP_OK) == (out != nullptr), "a handle exactly on PERP_OK");
    return out;
}

template <class T>
T initialized(std::int32_t (*init)(T*, std::int64_t)) {
    T t;
    require(init(&t, sizeof t) == PERP_OK, "init works");
    return t;
}

// Seldom NULL; where not required, often.
const double* pointer(Input& in, const std::vector<double>& v, bool needed) {
    const bool null = needed ? in.seldom() : in.byte() < 128;
    return null ? nullptr : v.data();
}

}  // namespace

RowVectors::RowVectors(Input& in, const Sizes& s) : rows(initialized(perp_rows_init)) {
    struct Part {
        const double* perp_rows::*where;
        std::int64_t size;
        bool needed, not_negative;
    };
    const Part parts[] = {{&perp_rows::f, s.n, true, false},
                          {&perp_rows::u, s.m, false, false},
                          {&perp_rows::b_N, s.r, false, false},
                          {&perp_rows::b_T, s.t, false, false},
                          {&perp_rows::b_S, s.a, false, false},
                          {&perp_rows::compliance_A, s.m, false, true},
                          {&perp_rows::compliance_N, s.r, false, true},
                          {&perp_rows::compliance_T, s.t, false, true},
                          {&perp_rows::compliance_S, s.a, false, true},
                          {&perp_rows::mu, s.r, true, true},
                          {&perp_rows::rho, s.r, false, true},
                          {&perp_rows::sigma, s.r, false, true},
                          {&perp_rows::b_B, s.k, false, false},
                          {&perp_rows::compliance_B, s.k, false, true}};
    owned.reserve(std::size(parts) + 4);
    for (const Part& part : parts) {
        std::vector<double> v = in.reals(part.size);
        if (part.not_negative && !in.seldom())
            for (double& x : v) x = std::abs(x);
        owned.push_back(std::move(v));
        rows.*part.where = pointer(in, owned.back(), part.needed);
    }
    for (const auto& [lower, upper, size] : {std::tuple{&perp_rows::lo_T, &perp_rows::hi_T, s.t},
                                             std::tuple{&perp_rows::lo_B, &perp_rows::hi_B, s.k}}) {
        std::vector<double> lo = in.reals(size), hi = in.reals(size);
        if (!in.seldom())
            for (std::int64_t i = 0; i < size; ++i)
                if (lo[i] > hi[i]) std::swap(lo[i], hi[i]);
        owned.push_back(std::move(lo));
        rows.*lower = pointer(in, owned.back(), true);
        owned.push_back(std::move(hi));
        rows.*upper = pointer(in, owned.back(), true);
    }
    if (in.seldom()) rows.struct_size = odd_size(in);
}

perp_system* make_system(Input& in, Sizes& s) {
    const bool chain = in.seldom();
    s.n = chain ? 130 : 1 + in.below(7);
    s.m = in.below(3);
    s.r = in.below(4);
    s.t = s.r * in.below(3);
    s.a = s.r * in.below(4);
    s.k = in.below(3);
    const Matrix M = mass_matrix(in, s.n), A = any_matrix(in, s.m, s.n),
                 N = any_matrix(in, s.r, s.n), D = any_matrix(in, s.t, s.n),
                 S = any_matrix(in, s.a, s.n), B = any_matrix(in, s.k, s.n);
    const perp_triplets views[] = {M.view(), A.view(), N.view(), D.view(), S.view(), B.view()};
    perp_system_def def = initialized(perp_system_def_init);
    def.M = views + 0;
    def.A = s.m > 0 ? views + 1 : nullptr;
    def.N = views + 2;
    def.D = s.t > 0 ? views + 3 : nullptr;
    def.S = s.a > 0 ? views + 4 : nullptr;
    def.B = views + 5;
    if (in.seldom()) def.mass_storage = in.integer();
    if (in.flag()) def.symmetry_tolerance = in.real();
    if (in.seldom()) def.struct_size = odd_size(in);
    perp_system* out = nullptr;
    const std::int32_t status = perp_system_create(&def, &out);
    // Vectors must fit the sizes that the library saw.
    s.m = def.A != nullptr ? A.rows : 0;
    s.n = M.rows;
    s.r = N.rows;
    s.t = def.D != nullptr ? D.rows : 0;
    s.a = def.S != nullptr ? S.rows : 0;
    s.k = B.rows;
    if (status != PERP_OK) s = {};
    return made(status, out);
}

perp_problem* make_assembled(Input& in, const perp_system* system, const Sizes& sizes, int law) {
    const RowVectors rows(in, sizes);
    perp_problem* out = nullptr;
    const std::int32_t status = law == PERP_LAW_CONE ? perp_cone_assemble(system, &rows.rows, &out)
                                                     : perp_blcp_assemble(system, &rows.rows, &out);
    return made(status, out);
}

std::int32_t set_rows(Input& in, perp_problem* problem, const perp_system* system,
                      const Sizes& sizes) {
    const RowVectors rows(in, sizes);
    const std::int32_t status = perp_problem_set_rows(problem, system, &rows.rows);
    check_status(status);
    return status;
}

perp_problem* make_blcp(Input& in) {
    const std::int64_t p = in.below(8);
    Matrix H = in.flag() ? any_matrix(in, p, p) : mass_matrix(in, p);
    // Vectors have as many entries as H has rows, whatever is wrong with H.
    const std::int64_t size = H.rows < 0 || H.rows > 64 ? 0 : H.rows;
    const std::vector<double> q = in.reals(size);
    std::vector<double> lo = in.reals(size), hi = in.reals(size);
    if (!in.seldom())
        for (std::size_t i = 0; i < lo.size(); ++i)
            if (lo[i] > hi[i]) std::swap(lo[i], hi[i]);
    const perp_triplets view = H.view();
    perp_problem* out = nullptr;
    const std::int32_t status = perp_blcp_create(
        &view, pointer(in, q, true), pointer(in, lo, false), pointer(in, hi, false), &out);
    return made(status, out);
}

perp_problem* make_delassus(Input& in) {
    perp_delassus_def def = initialized(perp_delassus_def_init);
    def.tangential_rows = in.below(3);
    def.angular_rows = in.below(4);
    const std::int64_t contacts = in.below(4), e = in.below(3);
    const std::int64_t p = contacts * (1 + def.tangential_rows + def.angular_rows);
    const Matrix W = in.flag() ? any_matrix(in, p, p) : mass_matrix(in, p);
    const Matrix V = any_matrix(in, p, e), R = any_matrix(in, e, e);
    if (in.seldom()) def.tangential_rows = in.integer();
    if (in.seldom()) def.angular_rows = in.integer();
    const auto legal = [](std::int64_t size) { return size < 0 || size > 64 ? 0 : size; };
    const std::vector<double> q = in.reals(legal(W.rows));
    // With fewer rows a contact than meant, there are more contacts: at most as many as rows.
    std::vector<double> mu = in.reals(legal(W.rows)), rho = mu, sigma = in.reals(legal(W.rows));
    for (std::vector<double>* v : {&mu, &rho, &sigma})
        if (!in.seldom())
            for (double& x : *v) x = std::abs(x);
    const std::vector<double> s = in.reals(legal(V.cols));
    const perp_triplets w = W.view(), v = V.view(), r = R.view();
    def.W = &w;
    def.V = in.flag() ? &v : nullptr;
    def.R = in.flag() ? &r : nullptr;
    def.q = pointer(in, q, true);
    def.mu = pointer(in, mu, true);
    def.rho = pointer(in, rho, false);
    def.sigma = pointer(in, sigma, false);
    def.s = pointer(in, s, false);
    perp_problem* out = nullptr;
    const std::int32_t status = perp_delassus_create(&def, &out);
    return made(status, out);
}

// ---------------------------------------------------------------------------
// What every problem must promise

std::int64_t rows_of(const perp_problem* problem) {
    perp_problem_info info{};
    info.struct_size = sizeof info;
    require(perp_problem_get_info(problem, &info) == PERP_OK, "info works");
    require(info.rows >= 0 && info.velocities >= 0 && info.contacts >= 0, "sizes are not negative");
    require(!std::isnan(info.free_velocity_norm), "the denominator of eta is a number");
    return info.rows;
}

namespace {

bool all_finite(const std::vector<double>& v) {
    for (const double x : v)
        if (!std::isfinite(x)) return false;
    return true;
}

double eta_of(const perp_problem* problem, const std::vector<double>& z) {
    perp_residual_info info{};
    info.struct_size = sizeof info;
    require(perp_residual(problem, z.data(), &info) == PERP_OK, "residual works");
    require(info.eta >= 0.0, "eta is a number, not negative");
    require(info.worst_row >= -1 && info.worst_row < rows_of(problem), "worst_row is a row");
    return info.eta;
}

void read_matrix(const perp_problem* problem) {
    std::int64_t count = -7;
    require(perp_form_matrix(problem, &count, nullptr, nullptr, nullptr) == PERP_OK, "count");
    std::vector<std::int64_t> row(static_cast<std::size_t>(count)), col(row);
    std::vector<double> value(row.size());
    std::int64_t less = count - 1;
    if (count > 0)
        require(
            perp_form_matrix(problem, &less, row.data(), col.data(), value.data()) == PERP_BAD_SIZE,
            "short arrays are refused");
    require(perp_form_matrix(problem, &count, row.data(), col.data(), value.data()) == PERP_OK ||
                count == 0,
            "form_matrix works");
    for (std::size_t k = 0; k < row.size(); ++k)
        require(
            row[k] >= 0 && row[k] < rows_of(problem) && col[k] >= 0 && col[k] < rows_of(problem),
            "indices are rows");
}

}  // namespace

void read_all(Input& in, const perp_problem* problem) {
    const std::int64_t p = rows_of(problem);
    std::vector<double> z = in.reals(p);
    perp_residual_info residual{};
    residual.struct_size = in.seldom() ? odd_size(in) : static_cast<std::int64_t>(sizeof residual);
    check_status(perp_residual(problem, z.data(), &residual));
    if (all_finite(z)) eta_of(problem, z);
    std::vector<double> u(static_cast<std::size_t>(p)), v;
    perp_problem_info info{};
    info.struct_size = sizeof info;
    perp_problem_get_info(problem, &info);
    v.resize(static_cast<std::size_t>(info.velocities));
    const std::int32_t status =
        perp_constraint_velocity(problem, z.data(), u.data(), v.empty() ? nullptr : v.data());
    require(status == PERP_OK, "constraint_velocity works");
    read_matrix(problem);
}

void solve(perp_solver* solver, const perp_problem* problem, std::vector<double> guess) {
    perp_settings settings{};
    settings.struct_size = sizeof settings;
    require(perp_solver_get_settings(solver, &settings) == PERP_OK, "settings can be read");
    const std::vector<double> before = guess;
    std::vector<double> u(guess.size(), 7.0);
    perp_info info{};
    info.struct_size = sizeof info;
    const std::int32_t status = perp_solve(solver, guess.data(), u.data(), &info);
    check_status(status);
    if (status != PERP_OK) {
        require(same_bits(before, guess), "z is untouched on failure");
        require(info.outcome == 0, "info is untouched on failure");
        require(same_bits(u, std::vector<double>(u.size(), 7.0)), "u is untouched on failure");
        require(perp_certificate(solver, u.data()) == PERP_UNSUPPORTED, "no certificate then");
        return;
    }
    require(info.outcome >= PERP_SOLVED && info.outcome <= PERP_NUMERICAL_FAILURE, "an outcome");
    require(all_finite(guess), "z is finite");
    require(info.iterations >= 0 && info.iterations <= settings.max_iterations, "the limit holds");
    const double eta = eta_of(problem, guess);
    require(info.eta == eta, "eta is that of the point returned");
    require((info.outcome == PERP_SOLVED) == (eta <= settings.tolerance), "solved says the truth");
    const std::int32_t has = perp_certificate(solver, u.data());
    // A proof by exhaustion has no certificate.
    const bool none = info.outcome == PERP_NO_SOLUTION;
    const bool exhausted = none && (info.fallbacks & PERP_FALLBACK_ENUMERATION) != 0;
    require(has == (none && !exhausted ? PERP_OK : PERP_UNSUPPORTED),
            "a certificate exactly where there is no solution");
    if (has == PERP_OK) require(all_finite(u), "the certificate is finite");
}

void solve_all(Input& in, const perp_problem* problem) {
    const std::int64_t p = rows_of(problem);
    for (std::int64_t method = 0; method < 32; ++method) {
        if (perp_method_name(method) == nullptr) {
            require(perp_solver_supports(problem, method) == PERP_BAD_SETTING, "unknown method");
            continue;
        }
        perp_settings settings = initialized(perp_settings_init);
        settings.method = method;
        settings.max_iterations = in.below(24);
        settings.tolerance = in.flag() ? 1e-3 : 1e-12;
        settings.warm_start = in.flag() ? 1 : 0;
        settings.sweep_order = in.below(3);
        settings.symmetric_sweep = in.flag() ? 1 : 0;
        settings.check_interval = 1 + in.below(4);
        const std::int32_t supported = perp_solver_supports(problem, method);
        check_status(supported);
        perp_solver* solver = nullptr;
        const std::int32_t status = perp_solver_create(problem, &settings, &solver);
        made(status, solver);
        require((status == PERP_OK) == (supported == PERP_OK), "supports says the truth");
        if (solver == nullptr) continue;
        std::vector<double> z = settings.warm_start != 0 ? in.reals(p) : std::vector<double>();
        z.resize(static_cast<std::size_t>(p), 3.0);
        solve(solver, problem, z);
        perp_solver_destroy(solver);
    }
}

}  // namespace perp_fuzz
