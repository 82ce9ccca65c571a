// Systems for the tests of bases, and the equations of a set with a solution that is known.
#pragma once

#include <functional>

#include "lattice.hpp"
#include "solvers/basis.hpp"

namespace perp::test {

struct BasisKind {
    const char* name;
    std::function<std::unique_ptr<Basis>(const MixedForm&)> make;
    bool general = false;  // takes matrices that are not symmetric, or indefinite
};

template <class T>
std::unique_ptr<Basis> make(const MixedForm& form) {
    return std::make_unique<T>(form);
}

inline void PrintTo(const BasisKind& kind, std::ostream* out) { *out << kind.name; }

// ------------------------------------------------------------------ systems

// Bodies in contact, with joints that are there twice.
inline Shared bodies(double asymmetry = 0.0) {
    LatticeOptions o;
    o.width = 2;
    o.height = 3;
    o.law = Law::box;
    o.joints = 2;
    o.redundant = true;
    o.inertia = true;
    o.asymmetry = asymmetry;
    return lattice(o);
}

// A sparse Gram matrix of rank 2 n / 3, and what `skew` adds.
inline Shared matrix(std::int64_t n, double skew, std::uint64_t seed) {
    Random random(seed);
    Dense J(n, 2 * n / 3);
    for (std::int64_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) J(i, random.below(J.cols)) += random.uniform();
    Dense H = J * transposed(J);
    if (skew > 0.0)
        for (std::int64_t k = 0; k < 3 * n; ++k) {
            const std::int64_t i = random.below(n), j = random.below(n);
            const double x = skew * random.uniform();
            H(i, j) += x;
            H(j, i) -= x;
        }
    return blcp(H, random.vector(n), Vector(n, 0.0), Vector(n, infinity));
}

struct Named {
    const char* name;
    Shared problem;
};

inline std::vector<Named> systems(bool general) {
    std::vector<Named> all{{"bodies", bodies()}, {"semidefinite matrix", matrix(60, 0.0, 1)}};
    if (general) {
        all.push_back({"bodies, M not symmetric", bodies(0.01)});
        all.push_back({"matrix, not symmetric", matrix(60, 0.5, 2)});
    }
    return all;
}

// As the solver has them: tiny on bilateral rows, which may be redundant.
inline Vector proximal_delta(const MixedForm& form) {
    Vector delta(form.p);
    for (std::int64_t i = 0; i < form.p; ++i) delta[i] = form.is_free(i) ? 1e-9 : 1e-4;
    return delta;
}

// ------------------------------------------------------------------ reference

using Set = std::vector<std::uint8_t>;

struct Equations {
    const MixedForm& form;
    const Vector& delta;
    Set basic;

    // Right sides of a point that is known: with redundant rows, others have no bounded solution.
    void fill(const Vector& v, const Vector& z, Vector& f, Vector& g) const {
        f.assign(form.n, 0.0);
        g.assign(form.p, 0.0);
        Vector inside(z);
        for (std::int64_t i = 0; i < form.p; ++i)
            if (basic[i] == 0) inside[i] = 0.0;
        multiply_add(form.Jt, inside, f);
        for (double& x : f) x = -x;
        multiply_add(form.M, v, f);
        multiply_add(form.J, v, g);
        multiply_add(form.C, inside, g);
        for (std::int64_t i = 0; i < form.p; ++i) g[i] += delta[i] * inside[i];
    }
    // Normwise, apart from the library's.
    [[nodiscard]] double backward_error(const Vector& f, const Vector& g, const Vector& v,
                                        const Vector& z) const {
        double worst = 0.0, largest = 0.0;
        const auto row = [&](double right,
                             const std::vector<std::pair<const Csr*, const Vector*>>& parts,
                             const std::vector<double>& signs, std::int64_t i, double extra) {
            double rest = right - extra, size = std::abs(right) + std::abs(extra);
            for (std::size_t k = 0; k < parts.size(); ++k) {
                const Csr& a = *parts[k].first;
                for (std::int64_t q = a.start[i]; q < a.start[i + 1]; ++q) {
                    const double term = signs[k] * a.value[q] * (*parts[k].second)[a.index[q]];
                    rest -= term;
                    size += std::abs(term);
                }
            }
            worst = std::max(worst, std::abs(rest));
            largest = std::max(largest, size);
        };
        for (std::int64_t i = 0; i < form.n; ++i)
            row(f[i], {{&form.M, &v}, {&form.Jt, &z}}, {1.0, -1.0}, i, 0.0);
        for (std::int64_t i = 0; i < form.p; ++i)
            if (basic[i] != 0)
                row(g[i], {{&form.J, &v}, {&form.C, &z}}, {1.0, 1.0}, i, delta[i] * z[i]);
        return largest > 0.0 ? worst / largest : 0.0;
    }
};

// Solutions of the same equations by the basis under test and by a fresh one.
class Bases {
public:
    Bases(const BasisKind& kind, const MixedForm& form, std::uint64_t seed)
        : kind_(kind),
          form_(form),
          random_(seed),
          delta(proximal_delta(form)),
          basis(kind.make(form)) {
        equations.basic.resize(form.p);
        for (auto& x : equations.basic) x = static_cast<std::uint8_t>(random_.below(2));
    }
    void flip(const std::vector<std::int32_t>& rows) {
        for (const std::int32_t i : rows) equations.basic[i] ^= 1U;
    }
    std::vector<std::int32_t> some_rows(std::int64_t count) {
        std::vector<std::int32_t> rows;
        std::vector<std::uint8_t> taken(form_.p, 0);
        while (static_cast<std::int64_t>(rows.size()) < count) {
            const auto i = static_cast<std::int32_t>(random_.below(form_.p));
            if (taken[i]++ == 0) rows.push_back(i);
        }
        return rows;
    }
    void draw() { equations.fill(random_.vector(form_.n), random_.vector(form_.p), f, g); }
    void solve(Basis& by) {
        v.assign(form_.n, not_a_number);
        z.assign(form_.p, not_a_number);
        by.solve(f, g, v, z);
    }
    void expect_small_error() {
        EXPECT_LE(equations.backward_error(f, g, v, z), 1e-14);
        EXPECT_LE(basis->statistics().backward_error, 1e-14);
        for (std::int64_t i = 0; i < form_.p; ++i)
            if (equations.basic[i] == 0) {
                EXPECT_EQ(z[i], 0.0);
            }
    }
    // z too where the matrix determines it: matrix forms, whose delta is not tiny.
    void expect_near_fresh() {
        const auto fresh = kind_.make(form_);
        ASSERT_TRUE(fresh->factor(equations.basic, delta));
        Vector v1 = v, z1 = z;
        solve(*fresh);
        EXPECT_LE(distance(v, v1), 1e-10 * largest(v));
        if (form_.n == 0) {
            EXPECT_LE(distance(z, z1), 1e-10 * largest(z));
        }
    }

private:
    const BasisKind& kind_;
    const MixedForm& form_;
    Random random_;

public:
    Vector delta;
    Equations equations{form_, delta, {}};
    std::unique_ptr<Basis> basis;
    Vector f, g, v, z;
};

}  // namespace perp::test
