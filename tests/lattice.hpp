// Boxes of bodies in contact with their neighbours: sparse problems of any size with known shape.
#pragma once

#include "solver_support.hpp"

namespace perp::test {

struct LatticeOptions {
    std::int64_t width = 8, height = 8;
    std::int64_t freedoms = 6;  // per body, at least 3
    Law law = Law::cone;
    bool rolling = false;     // spin and roll, roll (cone law, 6 freedoms)
    bool apart = false;       // every other body alone on the ground, the others touch nothing
    bool inertia = false;     // dense mass blocks
    double asymmetry = 0.0;   // of the mass blocks
    bool flexible = false;    // masses of neighbours in a column coupled: one large sparse block
    std::int64_t joints = 0;  // bilateral rows along the first column, each twice if redundant
    bool redundant = false;
    double compliance = 0.0;
    std::uint64_t seed = 1;
};

// Bodies under gravity with a random push; contacts along the three axes, the lowest layer on the
// ground.
class Lattice {
public:
    explicit Lattice(const LatticeOptions& options) : o_(options), random_(options.seed) {
        const std::int64_t n = bodies() * o_.freedoms;
        M_ = Entries(n, n);
        N_.cols = D_.cols = A_.cols = S_.cols = n;
        for (std::int64_t i = 0; i < n; ++i) M_.add(i, i, random_.uniform(0.5, 2.0));
        if (o_.inertia)
            for (std::int64_t b = 0; b < n; b += o_.freedoms)
                for (std::int64_t i = b; i < b + o_.freedoms; ++i)
                    for (std::int64_t j = b; j < i; ++j) {
                        M_.add(i, j, 0.05);
                        M_.add(j, i, 0.05 + o_.asymmetry);
                    }
        if (o_.flexible)
            for (std::int64_t i = o_.freedoms; i < n; ++i) {
                M_.add(i, i - o_.freedoms, 0.1);
                M_.add(i - o_.freedoms, i, 0.1);
            }
        rows_.f.resize(n);
        for (std::int64_t i = 0; i < n; ++i) rows_.f[i] = random_.uniform(-0.2, 0.2);
        for (std::int64_t b = 0; b < bodies(); ++b) rows_.f[b * o_.freedoms + 2] -= 1.0;
        for (std::int64_t z = 0; z < o_.height; ++z)
            for (std::int64_t y = 0; y < o_.width; ++y)
                for (std::int64_t x = 0; x < o_.width; ++x) {
                    const std::int64_t b = body(x, y, z);
                    if (o_.apart) {
                        if (b % 2 == 1) contact(2, -1, b);
                        continue;
                    }
                    if (z == 0) contact(2, -1, b);
                    if (x > 0) contact(0, body(x - 1, y, z), b);
                    if (y > 0) contact(1, body(x, y - 1, z), b);
                    if (z > 0) contact(2, body(x, y, z - 1), b);
                }
        for (std::int64_t z = 1; z <= o_.joints; ++z)
            for (int copy = 0; copy < (o_.redundant ? 2 : 1); ++copy)
                add_row(A_, 0, body(0, 0, z - 1), body(0, 0, z), 1.0);
        A_.rows = rows_of(A_);
        rows_.compliance_N = random_.vector(N_.rows, 0.0, o_.compliance);
        rows_.mu = random_.vector(N_.rows, 0.2, 0.6);
        if (o_.rolling) {
            rows_.rho = random_.vector(N_.rows, 0.02, 0.1);
            rows_.sigma = random_.vector(N_.rows, 0.02, 0.1);
        }
        if (o_.law == Law::box) {
            rows_.lo_T = random_.vector(D_.rows, -0.4, -0.1);
            rows_.hi_T = random_.vector(D_.rows, 0.1, 0.4);
        }
    }

    [[nodiscard]] Shared problem() const {
        SystemTriplets t;
        t.M = M_.view();
        t.A = A_.view();
        t.N = N_.view();
        t.D = D_.view();
        t.S = S_.view();
        if (o_.asymmetry > 0.0) t.symmetry_tolerance = 1.0;
        return shared(Problem::assemble(std::make_shared<const System>(t), rows_, o_.law));
    }

private:
    [[nodiscard]] std::int64_t bodies() const { return o_.width * o_.width * o_.height; }
    [[nodiscard]] std::int64_t body(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (z * o_.width + y) * o_.width + x;
    }
    static std::int64_t rows_of(const Entries& e) { return e.row.empty() ? 0 : e.row.back() + 1; }
    // Relative velocity along an axis, with lever arms where bodies turn. below = -1: the ground.
    void add_row(Entries& e, std::int64_t axis, std::int64_t below, std::int64_t above,
                 double lever) {
        const std::int64_t row = rows_of(e);
        for (const auto& [b, sign] : {std::pair{below, -1.0}, std::pair{above, 1.0}}) {
            if (b < 0) continue;
            e.add(row, b * o_.freedoms + axis, sign);
            for (std::int64_t j = 3; j < o_.freedoms; ++j)
                e.add(row, b * o_.freedoms + j, lever * sign * random_.uniform(-0.3, 0.3));
        }
    }
    void contact(std::int64_t axis, std::int64_t below, std::int64_t above) {
        add_row(N_, axis, below, above, 0.3);
        add_row(D_, (axis + 1) % 3, below, above, 1.0);
        add_row(D_, (axis + 2) % 3, below, above, 1.0);
        N_.rows = rows_of(N_);
        D_.rows = rows_of(D_);
        if (!o_.rolling) return;
        for (std::int64_t j = 0; j < 3; ++j) {
            const std::int64_t row = rows_of(S_);
            if (below >= 0) S_.add(row, below * o_.freedoms + 3 + j, -1.0);
            S_.add(row, above * o_.freedoms + 3 + j, 1.0);
        }
        S_.rows = rows_of(S_);
    }

    LatticeOptions o_;
    Random random_;
    Entries M_, A_, N_, D_, S_;
    ContactRows rows_;
};

inline Shared lattice(const LatticeOptions& options) { return Lattice(options).problem(); }

}  // namespace perp::test
