// Helpers for tests of the internals: seeded numbers, dense algebra written apart from the
// library, triplets from dense matrices, random steps that have a solution.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "problem/problem.hpp"
#include "problem/system.hpp"
#include "solvers/solver.hpp"

namespace perp {

// GoogleTest prints enumerators as bytes otherwise.
inline void PrintTo(Status s, std::ostream* out) { *out << "status " << static_cast<int>(s); }
inline void PrintTo(Outcome o, std::ostream* out) { *out << "outcome " << static_cast<int>(o); }
inline void PrintTo(const ContactShape& s, std::ostream* out) {
    *out << s.tangential << " sliding, " << s.spin << " spin, " << s.roll << " rolling rows";
}

}  // namespace perp

namespace perp::test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class Random {  // SplitMix64: the same numbers with every standard library
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits() {
        std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }
    double uniform(double lo = -1.0, double hi = 1.0) {
        return lo + (hi - lo) * static_cast<double>(bits() >> 11) * 0x1.0p-53;
    }
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(n));
    }
    std::vector<double> vector(std::int64_t n, double lo = -1.0, double hi = 1.0) {
        std::vector<double> v(n);
        for (double& x : v) x = uniform(lo, hi);
        return v;
    }

private:
    std::uint64_t state_;
};

// ------------------------------------------------------------------ dense algebra

struct Dense {
    std::int64_t rows = 0, cols = 0;
    std::vector<double> a;

    Dense() = default;
    Dense(std::int64_t r, std::int64_t c) : rows(r), cols(c), a(r * c, 0.0) {}
    Dense(std::int64_t r, std::int64_t c, std::vector<double> values)
        : rows(r), cols(c), a(std::move(values)) {}
    double& operator()(std::int64_t i, std::int64_t j) { return a[i * cols + j]; }
    double operator()(std::int64_t i, std::int64_t j) const { return a[i * cols + j]; }
};

inline Dense operator*(const Dense& x, const Dense& y) {
    Dense z(x.rows, y.cols);
    for (std::int64_t i = 0; i < x.rows; ++i)
        for (std::int64_t k = 0; k < x.cols; ++k)
            for (std::int64_t j = 0; j < y.cols; ++j) z(i, j) += x(i, k) * y(k, j);
    return z;
}

inline std::vector<double> operator*(const Dense& x, const std::vector<double>& v) {
    std::vector<double> y(x.rows, 0.0);
    for (std::int64_t i = 0; i < x.rows; ++i)
        for (std::int64_t j = 0; j < x.cols; ++j) y[i] += x(i, j) * v[j];
    return y;
}

inline Dense transposed(const Dense& x) {
    Dense y(x.cols, x.rows);
    for (std::int64_t i = 0; i < x.rows; ++i)
        for (std::int64_t j = 0; j < x.cols; ++j) y(j, i) = x(i, j);
    return y;
}

// Gauss-Jordan with row pivoting.
inline Dense inverse(Dense m) {
    const std::int64_t n = m.rows;
    Dense x(n, n);
    for (std::int64_t i = 0; i < n; ++i) x(i, i) = 1.0;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t best = k;
        for (std::int64_t i = k + 1; i < n; ++i)
            if (std::abs(m(i, k)) > std::abs(m(best, k))) best = i;
        for (std::int64_t j = 0; j < n; ++j) {
            std::swap(m(k, j), m(best, j));
            std::swap(x(k, j), x(best, j));
        }
        const double pivot = m(k, k);
        for (std::int64_t j = 0; j < n; ++j) {
            m(k, j) /= pivot;
            x(k, j) /= pivot;
        }
        for (std::int64_t i = 0; i < n; ++i) {
            const double factor = m(i, k);
            if (i == k || factor == 0.0) continue;
            for (std::int64_t j = 0; j < n; ++j) {
                m(i, j) -= factor * m(k, j);
                x(i, j) -= factor * x(k, j);
            }
        }
    }
    return x;
}

inline Dense dense(const Csr& c) {
    Dense d(c.rows, c.cols);
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t k = c.start[i]; k < c.start[i + 1]; ++k) d(i, c.index[k]) += c.value[k];
    return d;
}

inline Dense stacked(const std::vector<const Dense*>& parts) {
    Dense s;
    for (const Dense* part : parts) {
        if (part->rows == 0) continue;
        s.rows += part->rows;
        s.cols = part->cols;
        s.a.insert(s.a.end(), part->a.begin(), part->a.end());
    }
    return s;
}

inline double largest(const std::vector<double>& v) {
    double worst = 0.0;
    for (const double x : v) worst = std::max(worst, std::abs(x));
    return worst;
}

inline double distance(const std::vector<double>& x, const std::vector<double>& y) {
    EXPECT_EQ(x.size(), y.size());
    double worst = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - y[i]));
    return worst;
}

inline bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0);
}

// ------------------------------------------------------------------ triplets

// Owned triplets; view() lends them.
struct Entries {
    std::int64_t rows = 0, cols = 0, base = 0;
    std::vector<std::int64_t> row, col;
    std::vector<double> value;

    Entries() = default;
    Entries(std::int64_t r, std::int64_t c) : rows(r), cols(c) {}
    explicit Entries(const Dense& d) : rows(d.rows), cols(d.cols) {
        for (std::int64_t i = 0; i < d.rows; ++i)
            for (std::int64_t j = 0; j < d.cols; ++j)
                if (d(i, j) != 0.0) add(i, j, d(i, j));
    }
    void add(std::int64_t i, std::int64_t j, double x) {
        row.push_back(i);
        col.push_back(j);
        value.push_back(x);
    }
    [[nodiscard]] Triplets view() const {
        return {rows,         cols, static_cast<std::int64_t>(row.size()), row.data(), col.data(),
                value.data(), base};
    }
};

inline Csr csr(const Dense& d) { return SparseMatrix(Entries(d).view(), "test").csr(); }

// ------------------------------------------------------------------ errors

struct Thrown {
    Status status = Status::ok;
    std::string message;
};

template <class F>
Thrown thrown_by(F&& f) {
    try {
        f();
    } catch (const Error& e) {
        return {e.status(), e.what()};
    }
    return {};
}

#define EXPECT_FAILS(expected_status, part, ...)                                                \
    do {                                                                                        \
        const perp::test::Thrown thrown_ = perp::test::thrown_by([&] { (void)(__VA_ARGS__); }); \
        EXPECT_EQ(thrown_.status, expected_status) << thrown_.message;                          \
        EXPECT_NE(thrown_.message.find(part), std::string::npos) << thrown_.message;            \
    } while (false)

// ------------------------------------------------------------------ random steps

// The twelve contact shapes.
inline std::vector<ContactShape> all_shapes() {
    std::vector<ContactShape> shapes;
    for (int t = 0; t <= 2; ++t)
        for (const auto& [spin, roll] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 2}})
            shapes.push_back({t, spin, roll});
    return shapes;
}

inline std::string shape_name(const ContactShape& s) {
    return "t" + std::to_string(s.tangential) + "s" + std::to_string(s.spin) + "r" +
           std::to_string(s.roll);
}

// A step as dense matrices, one copy for the library, one for the reference computations.
struct Step {
    Dense M, A, N, D, S, B;
    ContactRows rows;
    ContactShape shape;
    Law law = Law::cone;

    [[nodiscard]] Dense jacobian() const { return stacked({&A, &N, &D, &S, &B}); }
    [[nodiscard]] std::vector<double> constant() const {
        std::vector<double> b;
        for (const double x : rows.u) b.push_back(-x);
        for (const auto* part : {&rows.b_N, &rows.b_T, &rows.b_S, &rows.b_B})
            b.insert(b.end(), part->begin(), part->end());
        return b;
    }
    [[nodiscard]] std::vector<double> compliance() const {
        std::vector<double> e;
        for (const auto* part : {&rows.compliance_A, &rows.compliance_N, &rows.compliance_T,
                                 &rows.compliance_S, &rows.compliance_B})
            e.insert(e.end(), part->begin(), part->end());
        return e;
    }
    [[nodiscard]] Dense delassus() const {
        const Dense J = jacobian();
        Dense W = J * inverse(M) * transposed(J);
        for (std::int64_t i = 0; i < W.rows; ++i) W(i, i) += compliance()[i];
        return W;
    }
    // r = J M^-1 f + b
    [[nodiscard]] std::vector<double> free_velocity() const {
        std::vector<double> r = jacobian() * (inverse(M) * rows.f);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] += constant()[i];
        return r;
    }
};

inline std::shared_ptr<const System> system_of(const Step& s) {
    const Entries M(s.M), A(s.A), N(s.N), D(s.D), S(s.S), B(s.B);
    SystemTriplets t;
    t.M = M.view();
    t.A = A.view();
    t.N = N.view();
    t.D = D.view();
    t.S = S.view();
    t.B = B.view();
    return std::make_shared<System>(t);
}

inline Problem problem_of(const Step& s) { return Problem::assemble(system_of(s), s.rows, s.law); }

struct StepOptions {
    std::vector<int> blocks{3, 3};  // sizes of the mass matrix' blocks
    ContactShape shape{2, 0, 0};
    int bilateral = 1;
    int contacts = 4;
    int boxes = 1;
    double compliance = 0.0;
    bool redundant = true;  // the last contact repeats the first
    Law law = Law::cone;
    std::uint64_t seed = 1;
};

inline Dense random_mass(const std::vector<int>& blocks, Random& random) {
    std::int64_t n = 0;
    for (const int k : blocks) n += k;
    Dense M(n, n);
    std::int64_t first = 0;
    for (const int k : blocks) {
        const double scale = random.uniform(0.5, 3.0);
        Dense R(k, k, random.vector(std::int64_t{k} * k));
        const Dense block = R * transposed(R);
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                M(first + i, first + j) = scale * (block(i, j) + (i == j ? 1.0 : 0.0));
        first += k;
    }
    return M;
}

inline Dense random_rows(std::int64_t rows, std::int64_t cols, Random& random) {
    return {rows, cols, random.vector(rows * cols)};
}

// A random step that has a solution: constants are chosen so that some v meets all constraints.
inline Step random_step(const StepOptions& o) {
    Random random(o.seed);
    Step s;
    s.shape = o.shape;
    s.law = o.law;
    s.M = random_mass(o.blocks, random);
    const std::int64_t n = s.M.rows, r = o.contacts, t = o.shape.tangential, a = o.shape.angular();
    s.A = random_rows(o.bilateral, n, random);
    s.N = random_rows(r, n, random);
    s.D = random_rows(r * t, n, random);
    s.S = random_rows(r * a, n, random);
    s.B = random_rows(o.boxes, n, random);
    if (o.redundant && r > 1) {
        for (std::int64_t j = 0; j < n; ++j) {
            s.N(r - 1, j) = s.N(0, j);
            for (std::int64_t i = 0; i < t; ++i) s.D((r - 1) * t + i, j) = s.D(i, j);
            for (std::int64_t i = 0; i < a; ++i) s.S((r - 1) * a + i, j) = s.S(i, j);
        }
    }
    ContactRows& rows = s.rows;
    rows.f = random.vector(n, -2.0, 2.0);
    rows.mu = random.vector(r, 0.1, 0.9);
    rows.rho = random.vector(r, 0.05, 0.3);
    rows.sigma = random.vector(r, 0.05, 0.3);
    rows.b_T.assign(r * t, 0.0);
    rows.b_S.assign(r * a, 0.0);
    rows.b_B = random.vector(o.boxes);
    const std::vector<double> v = random.vector(n);
    rows.u = s.A * v;
    rows.b_N = s.N * v;
    const std::vector<double> sliding = s.D * v, angular = s.S * v;
    for (std::int64_t i = 0; i < r; ++i) {
        double slack = random.uniform(0.0, 0.2);
        for (std::int64_t j = 0; j < t; ++j) slack += rows.mu[i] * std::abs(sliding[i * t + j]);
        for (std::int64_t j = 0; j < a; ++j) slack += 0.3 * std::abs(angular[i * a + j]);
        rows.b_N[i] = slack - rows.b_N[i];
    }
    rows.compliance_A.assign(o.bilateral, o.compliance);
    rows.compliance_N.assign(r, o.compliance);
    rows.compliance_T.assign(r * t, o.compliance);
    rows.compliance_S.assign(r * a, o.compliance);
    rows.compliance_B.assign(o.boxes, o.compliance);
    rows.lo_B = random.vector(o.boxes, -1.0, 0.0);
    rows.hi_B = random.vector(o.boxes, 0.0, 1.0);
    if (o.law == Law::box) {
        rows.lo_T = random.vector(r * t, -1.0, 0.0);
        rows.hi_T = random.vector(r * t, 0.0, 1.0);
    }
    return s;
}

}  // namespace perp::test
