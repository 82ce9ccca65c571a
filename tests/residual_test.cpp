// The residual against a slow dense computation written here, and eta's invariances.
#include "problem/residual.hpp"

#include "problem/scaled_problem.hpp"
#include "support.hpp"

namespace perp::test {
namespace {

// ------------------------------------------------------------------ the reference

struct Group {  // rows under one coefficient, their common weight
    std::vector<std::int64_t> rows;
    double coefficient, weight;
};

struct Contact {
    std::int64_t normal;
    double weight;
    std::vector<Group> groups;
};

struct Interval {
    std::int64_t row;
    double lo, hi;
    RowKind kind;
};

struct Reference {
    Dense W;
    std::vector<double> r, weight;  // weight of every row
    std::vector<Contact> contacts;
    std::vector<Interval> intervals;

    double mean_weight(const std::vector<std::int64_t>& rows) const {
        double sum = 0.0;
        for (const std::int64_t i : rows) sum += W(i, i);
        return sum > 0.0 ? static_cast<double>(rows.size()) / sum : 1.0;
    }
    // rows: n, t.., spin, roll..
    void add_contact(const ContactShape& s, std::vector<std::int64_t> rows, double mu, double rho,
                     double sigma) {
        const auto translational = rows.begin() + 1 + s.tangential;
        const double w = mean_weight({rows.begin(), translational});
        const double v = s.angular() > 0 ? mean_weight({translational, rows.end()}) : 1.0;
        const auto roll = translational + s.spin;
        contacts.push_back({rows[0],
                            w,
                            {{{rows.begin() + 1, translational}, mu, w},
                             {{translational, roll}, sigma, v},
                             {{roll, rows.end()}, rho, v}}});
        for (std::int64_t j = 0; j < s.rows(); ++j) weight[rows[j]] = j <= s.tangential ? w : v;
    }
    void add_interval(std::int64_t row, double lo, double hi, RowKind kind, bool general = false) {
        double d = W(row, row);
        for (std::int64_t j = 0; general && W(row, row) <= 0.0 && j < W.cols; ++j)
            d = std::max(d, std::abs(W(row, j)));
        weight[row] = d > 0.0 ? 1.0 / d : 1.0;
        intervals.push_back({row, lo, hi, kind});
    }
};

Reference reference_of(const Step& s) {
    Reference ref;
    ref.W = s.delassus();
    ref.r = s.free_velocity();
    ref.weight.assign(ref.W.rows, 0.0);
    const std::int64_t m = s.A.rows, r = s.N.rows, t = s.shape.tangential, a = s.shape.angular();
    const std::int64_t first_t = m + r, first_s = first_t + r * t, first_b = first_s + r * a;
    for (std::int64_t i = 0; i < m; ++i)
        ref.add_interval(i, -infinity, infinity, RowKind::bilateral);
    for (std::int64_t i = 0; i < r; ++i) {
        std::vector<std::int64_t> rows{m + i};
        for (std::int64_t j = 0; j < t; ++j) rows.push_back(first_t + i * t + j);
        for (std::int64_t j = 0; j < a; ++j) rows.push_back(first_s + i * a + j);
        if (s.law == Law::cone) {
            ref.add_contact(s.shape, rows, s.rows.mu[i], s.rows.rho[i], s.rows.sigma[i]);
            continue;
        }
        ref.add_interval(rows[0], 0.0, infinity, RowKind::normal);
        for (std::int64_t j = 0; j < t; ++j)
            ref.add_interval(rows[1 + j], s.rows.lo_T[i * t + j], s.rows.hi_T[i * t + j],
                             RowKind::friction);
    }
    for (std::int64_t i = 0; i < s.B.rows; ++i)
        ref.add_interval(first_b + i, s.rows.lo_B[i], s.rows.hi_B[i], RowKind::box);
    return ref;
}

// Natural map's point y - w projected; the normal by bisection of its monotone equation.
std::vector<double> projected(const Contact& c, const std::vector<double>& x) {
    const auto length = [&](const Group& g) {
        double square = 0.0;
        for (const std::int64_t i : g.rows) square += x[i] * x[i];
        return std::sqrt(square);
    };
    // In energy units a group's coefficient is mu sqrt(w) / sqrt(w_group).
    const auto slope = [&](const Group& g) {
        return g.coefficient * std::sqrt(c.weight / g.weight);
    };
    const auto excess = [&](double y) {
        double sum = y - x[c.normal];
        for (const Group& g : c.groups) sum -= slope(g) * std::max(0.0, length(g) - slope(g) * y);
        return sum;
    };
    double below = 0.0, above = std::max(x[c.normal], 0.0);
    for (const Group& g : c.groups) above += slope(g) * length(g);
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (below + above);
        (excess(middle) < 0.0 ? below : above) = middle;
    }
    std::vector<double> p = x;
    p[c.normal] = excess(0.0) >= 0.0 ? 0.0 : below;
    for (const Group& g : c.groups) {
        const double a = length(g), limit = slope(g) * p[c.normal];
        for (const std::int64_t i : g.rows) p[i] = a > limit ? p[i] * limit / a : p[i];
    }
    return p;
}

double contact_square(const Reference& ref, const Contact& c, const std::vector<double>& z,
                      const std::vector<double>& u, double shift, double* normal) {
    std::vector<double> y(z.size()), x(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
        y[i] = z[i] / std::sqrt(ref.weight[i]);
        x[i] = y[i] - u[i] * std::sqrt(ref.weight[i]);
    }
    x[c.normal] -= shift * std::sqrt(c.weight);
    const std::vector<double> p = projected(c, x);
    *normal = std::pow(y[c.normal] - p[c.normal], 2);
    double sum = *normal;
    for (const Group& g : c.groups)
        for (const std::int64_t i : g.rows) sum += std::pow(y[i] - p[i], 2);
    return sum;
}

struct Sums {
    double part[4] = {0, 0, 0, 0};
    double coulomb = 0.0, worst = 0.0;

    void share(double square, std::int64_t row, Residual& out) {
        if (square > worst) out.worst_row = row;
        worst = std::max(worst, square);
    }
};

void add_contact(const Reference& ref, const Contact& c, const std::vector<double>& z,
                 const std::vector<double>& u, Sums& sums, Residual& out) {
    double shift = 0.0, power = z[c.normal] * u[c.normal], normal = 0.0, violation = -z[c.normal];
    for (const Group& g : c.groups) {
        double speed = 0.0, impulse = 0.0;
        for (const std::int64_t i : g.rows) {
            speed += u[i] * u[i];
            impulse += z[i] * z[i];
            power += z[i] * u[i];
        }
        shift += g.coefficient * std::sqrt(speed);
        violation =
            std::max(violation, std::sqrt(impulse) - g.coefficient * std::max(0.0, z[c.normal]));
    }
    sums.coulomb += contact_square(ref, c, z, u, shift, &normal);
    const double all = contact_square(ref, c, z, u, 0.0, &normal);
    sums.part[1] += normal;
    sums.part[2] += all - normal;
    sums.share(all, c.normal, out);
    out.penetration_velocity = std::max(out.penetration_velocity, -u[c.normal]);
    out.cone_violation = std::max(out.cone_violation, violation);
    out.complementarity = std::max(out.complementarity, std::abs(power));
}

void add_interval(const Reference& ref, const Interval& s, const std::vector<double>& z,
                  const std::vector<double>& u, Sums& sums, Residual& out) {
    const double x = z[s.row], v = u[s.row], w = ref.weight[s.row];
    const double map = x - std::clamp(x - w * v, s.lo, s.hi);
    sums.part[static_cast<int>(s.kind)] += map * map / w;
    sums.coulomb += map * map / w;
    sums.share(map * map / w, s.row, out);
    if (s.kind == RowKind::bilateral) {
        out.bilateral_velocity = std::max(out.bilateral_velocity, std::abs(v));
        return;
    }
    if (s.kind == RowKind::normal)
        out.penetration_velocity = std::max(out.penetration_velocity, -v);
    out.cone_violation = std::max({out.cone_violation, s.lo - x, x - s.hi});
    const double bound = v > 0.0 ? s.lo : s.hi;  // the side the velocity presses against
    out.complementarity =
        std::max(out.complementarity, std::abs((std::isinf(bound) ? x : x - bound) * v));
}

Residual evaluate(const Reference& ref, const std::vector<double>& z) {
    std::vector<double> u = ref.W * z;
    double free = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] += ref.r[i];
        free += ref.weight[i] * ref.r[i] * ref.r[i];
    }
    Residual out;
    Sums sums;
    for (const Contact& c : ref.contacts) add_contact(ref, c, z, u, sums, out);
    for (const Interval& s : ref.intervals) add_interval(ref, s, z, u, sums, out);
    double total = 0.0;
    for (int k = 0; k < 4; ++k) {
        total += sums.part[k];
        out.part[k] = std::sqrt(sums.part[k] / free);
    }
    out.eta = std::sqrt(total / free);
    out.eta_coulomb = std::sqrt(sums.coulomb / free);
    return out;
}

// ------------------------------------------------------------------ comparisons

Residual library_residual(const Problem& problem, const std::vector<double>& z) {
    ResidualWorkspace work = make_residual_workspace(problem);
    return residual(problem, z, work);
}

void expect_near(double x, double expected, const char* what) {
    EXPECT_NEAR(x, expected, 1e-12 * std::max(std::abs(expected), 1e-3)) << what;
}

void expect_equal(const Residual& x, const Residual& expected) {
    expect_near(x.eta, expected.eta, "eta");
    for (int k = 0; k < 4; ++k) expect_near(x.part[k], expected.part[k], "part");
    expect_near(x.eta_coulomb, expected.eta_coulomb, "eta_coulomb");
    EXPECT_EQ(x.worst_row, expected.worst_row);
    expect_near(x.penetration_velocity, expected.penetration_velocity, "penetration");
    expect_near(x.cone_violation, expected.cone_violation, "cone");
    expect_near(x.complementarity, expected.complementarity, "complementarity");
    expect_near(x.bilateral_velocity, expected.bilateral_velocity, "bilateral");
}

double scaled_eta(const Problem& problem, const std::vector<double>& z) {
    const ScaledProblem scaled(problem);
    std::vector<double> x(scaled.rows()), y(scaled.rows()), product(scaled.rows()),
        back(scaled.rows());
    std::vector<double> v(scaled.velocities());
    scaled.from_user(z, x);
    scaled.product(x, product, v);
    scaled.to_user(x, back);
    EXPECT_LE(distance(back, z), 1e-15 * largest(z));
    return scaled.eta(x, product);
}

void compare(const Problem& problem, const Reference& ref, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 20; ++i) {
        const double size = std::pow(10.0, random.uniform(-3.0, 2.0));
        const std::vector<double> z = random.vector(problem.rows(), -0.3 * size, size);
        const Residual expected = evaluate(ref, z);
        ASSERT_GT(expected.eta, 0.0);
        const Residual found = library_residual(problem, z);
        expect_equal(found, expected);
        EXPECT_NEAR(scaled_eta(problem, z), found.eta, 1e-12 * found.eta);
    }
}

class ResidualOfShape : public testing::TestWithParam<ContactShape> {};

TEST_P(ResidualOfShape, AssembledConesAndBoxes) {
    for (const Law law : {Law::cone, Law::box}) {
        if (law == Law::box && GetParam().angular() > 0) continue;
        Step s = random_step({.blocks = {3, 6, 1},
                              .shape = GetParam(),
                              .bilateral = 2,
                              .contacts = 5,
                              .boxes = 3,
                              .compliance = 0.2,
                              .law = law});
        s.rows.lo_B[1] = -infinity;
        s.rows.hi_B[2] = infinity;
        compare(problem_of(s), reference_of(s), 5);
    }
}

TEST_P(ResidualOfShape, TwoSidedHalvesOfADeviatingMassMatrix) {
    Step s = random_step({.blocks = {3, 6, 1}, .shape = GetParam()});
    s.M(1, 0) *= 1.0 + 1e-3;
    const Entries M(s.M), A(s.A), N(s.N), D(s.D), S(s.S), B(s.B);
    const auto system = std::make_shared<System>(SystemTriplets{
        M.view(), A.view(), N.view(), D.view(), S.view(), B.view(), MassStorage::full, 1e-2});
    const Problem problem = Problem::assemble(system, s.rows, s.law);
    EXPECT_GT(problem.asymmetry(), 1e-5);
    compare(problem, reference_of(s), 6);
}

// The Delassus form with an equality part; W not symmetric, rows of a contact contiguous.
TEST_P(ResidualOfShape, DelassusForm) {
    Random random(8);
    const ContactShape shape = GetParam();
    const std::int64_t contacts = 4, k = shape.rows(), p = contacts * k, e = 2;
    const Dense J = random_rows(p, 7, random), V = random_rows(p, e, random),
                R = random_rows(e, e, random);
    Dense W = J * transposed(J);
    for (std::int64_t i = 0; i < p; ++i)
        for (std::int64_t j = 0; j < p; ++j) W(i, j) += 0.05 * random.uniform();
    DelassusForm form;
    const Entries w(W), v(V), r(R);
    form.W = w.view();
    form.V = v.view();
    form.R = r.view();
    form.shape = shape;
    form.q = random.vector(p);
    form.s = random.vector(e);
    form.mu = random.vector(contacts, 0.0, 1.0);
    form.rho = random.vector(contacts, 0.0, 1.0);
    form.sigma = random.vector(contacts, 0.0, 1.0);
    Reference ref;
    ref.W = Dense(p + e, p + e);
    for (std::int64_t i = 0; i < p + e; ++i)
        for (std::int64_t j = 0; j < p + e; ++j)
            ref.W(i, j) =
                i < p ? (j < p ? W(i, j) : V(i, j - p)) : (j < p ? V(j, i - p) : R(i - p, j - p));
    ref.r = form.q;
    ref.r.insert(ref.r.end(), form.s.begin(), form.s.end());
    ref.weight.assign(p + e, 0.0);
    for (std::int64_t i = 0; i < contacts; ++i) {
        std::vector<std::int64_t> rows;
        for (std::int64_t j = 0; j < k; ++j) rows.push_back(i * k + j);
        ref.add_contact(shape, rows, form.mu[i], form.rho[i], form.sigma[i]);
    }
    for (std::int64_t i = p; i < p + e; ++i)
        ref.add_interval(i, -infinity, infinity, RowKind::bilateral);
    compare(Problem::delassus(form), ref, 9);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ResidualOfShape, testing::ValuesIn(all_shapes()),
                         [](const auto& p) { return shape_name(p.param); });

TEST(Residual, GeneralBlcpWithZeroAndNegativeDiagonals) {
    Random random(12);
    const std::int64_t p = 9;
    Dense H = random_rows(p, p, random);
    for (std::int64_t j = 0; j < p; ++j) H(3, j) = 0.0;
    H(4, 4) = 0.0;
    const std::vector<double> q = random.vector(p);
    std::vector<double> lo = random.vector(p, -1.0, 0.0), hi = random.vector(p, 0.0, 1.0);
    lo[0] = -infinity;
    hi[1] = infinity;
    lo[2] = hi[2] = 0.5;
    lo[5] = -infinity, hi[5] = infinity;
    Reference ref;
    ref.W = H;
    ref.r = q;
    ref.weight.assign(p, 0.0);
    for (std::int64_t i = 0; i < p; ++i) ref.add_interval(i, lo[i], hi[i], RowKind::box, true);
    compare(Problem::general_blcp(Entries(H).view(), q, lo, hi), ref, 13);
}

}  // namespace
}  // namespace perp::test
