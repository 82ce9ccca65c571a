// Every bad vector of a step and of a Delassus form.
#include <algorithm>

#include "support.hpp"

using namespace perp_test;

namespace {

template <class T>
T* sentinel() {
    static int64_t place;
    return reinterpret_cast<T*>(&place);
}

// ------------------------------------------------------------------ the vectors of a step

struct Field {
    const char* name;
    const double* perp_rows::*member;
    int64_t size;  // for 1 bilateral row, 2 contacts with 2 sliding and 3 angular rows, 2 box rows
};

constexpr Field fields[] = {
    {"f", &perp_rows::f, 4},
    {"u", &perp_rows::u, 1},
    {"b_N", &perp_rows::b_N, 2},
    {"b_T", &perp_rows::b_T, 4},
    {"b_S", &perp_rows::b_S, 6},
    {"compliance_A", &perp_rows::compliance_A, 1},
    {"compliance_N", &perp_rows::compliance_N, 2},
    {"compliance_T", &perp_rows::compliance_T, 4},
    {"compliance_S", &perp_rows::compliance_S, 6},
    {"mu", &perp_rows::mu, 2},
    {"rho", &perp_rows::rho, 2},
    {"sigma", &perp_rows::sigma, 2},
    {"lo_T", &perp_rows::lo_T, 4},
    {"hi_T", &perp_rows::hi_T, 4},
    {"b_B", &perp_rows::b_B, 2},
    {"compliance_B", &perp_rows::compliance_B, 2},
    {"lo_B", &perp_rows::lo_B, 2},
    {"hi_B", &perp_rows::hi_B, 2},
};
constexpr std::size_t field_count = sizeof fields / sizeof fields[0];

// All vectors of a step given, in arrays of their exact sizes, so that a read beyond an end is seen
// by the address sanitizer. Without angular rows: six-row vectors are absent.
struct Step {
    perp_rows rows = perp_test::rows();
    std::unique_ptr<double[]> values[field_count];

    explicit Step(bool angular) {
        for (std::size_t k = 0; k < field_count; ++k) {
            if (!angular && fields[k].size == 6) continue;
            values[k].reset(new double[fields[k].size]);
            const double x = std::string(fields[k].name).compare(0, 2, "lo") == 0 ? -0.5 : 0.5;
            std::fill(values[k].get(), values[k].get() + fields[k].size, x);
            rows.*fields[k].member = values[k].get();
        }
    }
};

System contact_system(bool angular) {
    return system({Matrix::diagonal({1, 2, 3, 4}), Matrix(1, 4, {1, 1, 0, 0}),
                   Matrix(2, 4, {0, 0, 1, 0, 0, 0, 0, 1}),
                   Matrix(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}),
                   angular ? Matrix(6, 4, {1, 2, 3, 4, 5, 6}) : Matrix(),
                   Matrix(2, 4, {1, 0, 0, 0, 0, 0, 0, 1})});
}

class Rows : public testing::TestWithParam<std::size_t> {  // the field's place
protected:
    // Entry 1 of the field (0 where it has one) replaced, under both laws where they take it.
    void expect(double value, int32_t status, const std::string& message) const {
        for (const bool box_law : {false, true}) {
            if (box_law && field().size == 6) continue;
            Step step(!box_law);
            step.values[GetParam()][field().size == 1 ? 0 : 1] = value;
            const System s = contact_system(!box_law);
            perp_problem* out = sentinel<perp_problem>();
            const auto assemble = box_law ? perp_blcp_assemble : perp_cone_assemble;
            EXPECT_FAILS(status, message, assemble(s.get(), &step.rows, &out));
            EXPECT_EQ(out, sentinel<perp_problem>());
            const Step good(!box_law);
            const Problem problem = box_law ? box(s, good.rows) : cone(s, good.rows);
            const Vector before = solve(problem, settings(PERP_APGD, 1e-6)).z;
            EXPECT_FAILS(status, message,
                         perp_problem_set_rows(problem.get(), nullptr, &step.rows));
            EXPECT_TRUE(same_bits(solve(problem, settings(PERP_APGD, 1e-6)).z, before));
        }
    }
    static const Field& field() { return fields[GetParam()]; }
    static std::string entry() {
        return field().name + std::string(field().size == 1 ? "[0]" : "[1]");
    }
};

TEST_P(Rows, MustBeFiniteOrOrdered) {
    const std::string name = field().name;
    const bool lower = name.compare(0, 2, "lo") == 0;
    if (lower || name.compare(0, 2, "hi") == 0) {
        const std::string other = (lower ? "hi_" : "lo_") + name.substr(3) + "[1]";
        expect(not_a_number, PERP_BAD_VALUE, entry() + " is NaN");
        expect(lower ? infinity : -infinity, PERP_BAD_BOUNDS,
               entry() + (lower ? " = +inf" : " = -inf"));
        const double ulp_too_far = lower ? std::nextafter(0.5, 1.0) : std::nextafter(-0.5, -1.0);
        expect(ulp_too_far, PERP_BAD_BOUNDS,
               lower ? entry() + " = 0.50000000000000011 exceeds " + other
                     : other + " = -0.5 exceeds " + entry() + " = -0.50000000000000011");
        return;
    }
    for (const double bad : {not_a_number, infinity, -infinity})
        expect(bad, PERP_BAD_VALUE, entry());
    const bool coefficient =
        name == "mu" || name == "rho" || name == "sigma" || name.compare(0, 4, "comp") == 0;
    if (coefficient) expect(-1e-300, PERP_BAD_VALUE, entry() + " = -1");
}

INSTANTIATE_TEST_SUITE_P(Fields, Rows, testing::Range(std::size_t{0}, field_count),
                         [](const auto& p) { return std::string(fields[p.param].name); });

TEST(StepVectors, RequiredVectorsMayNotBeMissing) {
    const System s = contact_system(false);
    const auto missing = [&](const double* perp_rows::*field, const char* message, bool box_law) {
        Step step(false);
        step.rows.*field = nullptr;
        perp_problem* out = sentinel<perp_problem>();
        EXPECT_FAILS(
            PERP_NULL_ARGUMENT, message,
            (box_law ? perp_blcp_assemble : perp_cone_assemble)(s.get(), &step.rows, &out));
        EXPECT_EQ(out, sentinel<perp_problem>());
    };
    missing(&perp_rows::f, "f is missing", false);
    missing(&perp_rows::mu, "mu is missing", false);
    missing(&perp_rows::lo_T, "lo_T is missing", true);
    missing(&perp_rows::hi_T, "hi_T is missing", true);
    missing(&perp_rows::lo_B, "lo_B is missing", false);
    missing(&perp_rows::hi_B, "hi_B is missing", true);
}

TEST(StepVectors, DefaultsAreZeros) {
    const System s = contact_system(true);
    Step zeros(true), none(true);
    for (std::size_t k = 0; k < field_count; ++k) {
        const std::string name = fields[k].name;
        if (name == "f" || name == "mu" || name[0] == 'l' || name[0] == 'h') continue;  // required
        std::fill(zeros.values[k].get(), zeros.values[k].get() + fields[k].size, 0.0);
        none.rows.*fields[k].member = nullptr;
    }
    EXPECT_TRUE(same_bits(solve(cone(s, zeros.rows), settings(PERP_APGD)).z,
                          solve(cone(s, none.rows), settings(PERP_APGD)).z));
}

TEST(StepVectors, TheBoxLawHasNoAngularRows) {
    const System s = contact_system(true);
    const Step step(true);
    perp_problem* out = sentinel<perp_problem>();
    EXPECT_FAILS(PERP_UNSUPPORTED, "S has 6 rows", perp_blcp_assemble(s.get(), &step.rows, &out));
    EXPECT_EQ(out, sentinel<perp_problem>());
}

// ------------------------------------------------------------------ Delassus forms

struct DelassusInput {
    Matrix W = Matrix::diagonal({1, 2, 3, 4, 5, 6}), V = Matrix(6, 1, {1, 0, 0, 0, 0, 0}),
           R = Matrix(1, 1, {2});
    Vector q = Vector(6, 1.0), mu{0.5, 0.5}, rho{0.1, 0.1}, sigma{0.1, 0.1}, s{1};
    perp_triplets w = W.view(), v = V.view(), r = R.view();
    perp_delassus_def def = initialized(perp_delassus_def_init);

    DelassusInput() {
        def.W = &w;
        def.V = &v;
        def.R = &r;
        def.q = q.data();
        def.mu = mu.data();
        def.rho = rho.data();
        def.sigma = sigma.data();
        def.s = s.data();
    }
    DelassusInput(const DelassusInput&) = delete;
};

struct BadDelassus {
    const char* what;
    void (*spoil)(DelassusInput&);
    int32_t status;
    const char* message;
};

void PrintTo(const BadDelassus& b, std::ostream* out) { *out << b.what; }

constexpr int64_t absurd = int64_t{1} << 62;

const BadDelassus bad_delassus[] = {
    {"no_matrix", [](DelassusInput& d) { d.def.W = nullptr; }, PERP_NULL_ARGUMENT, "W is NULL"},
    {"no_q", [](DelassusInput& d) { d.def.q = nullptr; }, PERP_NULL_ARGUMENT, "q is NULL"},
    {"no_mu", [](DelassusInput& d) { d.def.mu = nullptr; }, PERP_NULL_ARGUMENT, "mu is missing"},
    {"tangential", [](DelassusInput& d) { d.def.tangential_rows = 3; }, PERP_BAD_SIZE,
     "tangential_rows = 3"},
    {"tangential_negative", [](DelassusInput& d) { d.def.tangential_rows = -1; }, PERP_BAD_SIZE,
     "tangential_rows = -1"},
    {"angular", [](DelassusInput& d) { d.def.angular_rows = 4; }, PERP_BAD_SIZE,
     "angular_rows = 4"},
    {"not_a_multiple", [](DelassusInput& d) { d.def.angular_rows = 1; }, PERP_BAD_SIZE,
     "W has 6 rows, not a multiple of 4"},
    {"not_square", [](DelassusInput& d) { d.w.cols = 7; }, PERP_BAD_SIZE, "W: 6 x 7 is not square"},
    {"rows_negative", [](DelassusInput& d) { d.w.rows = -6; }, PERP_BAD_SIZE, "-6"},
    {"rows_absurd", [](DelassusInput& d) { d.w.rows = d.w.cols = absurd; }, PERP_BAD_SIZE,
     "4611686018427387904"},
    {"equality_rows", [](DelassusInput& d) { d.v.rows = 7; }, PERP_BAD_SIZE, "V has 7 rows, W 6"},
    {"equality_absurd", [](DelassusInput& d) { d.v.cols = absurd; }, PERP_BAD_SIZE,
     "4611686018427387904"},
    {"equality_size", [](DelassusInput& d) { d.r.rows = d.r.cols = 2; }, PERP_BAD_SIZE,
     "R: 2 x 2, but V has 1 columns"},
    {"equality_without_v", [](DelassusInput& d) { d.def.V = nullptr; }, PERP_BAD_SIZE, "R: 1 x 1"},
    {"v_index", [](DelassusInput& d) { d.V.col[0] = 1; }, PERP_BAD_INDEX,
     "V: col[0] = 1 is outside 0..0 (index base 0); are the indices 1-based?"},
    {"q_nan", [](DelassusInput& d) { d.q[5] = not_a_number; }, PERP_BAD_VALUE, "q[5] = nan"},
    {"s_nan", [](DelassusInput& d) { d.s[0] = not_a_number; }, PERP_BAD_VALUE, "s[0] = nan"},
    {"mu_negative", [](DelassusInput& d) { d.mu[1] = -0.25; }, PERP_BAD_VALUE,
     "mu[1] = -0.25 is negative"},
    {"rho_nan", [](DelassusInput& d) { d.rho[0] = not_a_number; }, PERP_BAD_VALUE, "rho[0] = nan"},
    {"sigma_infinite", [](DelassusInput& d) { d.sigma[1] = infinity; }, PERP_BAD_VALUE,
     "sigma[1] = inf"},
    {"struct_size", [](DelassusInput& d) { d.def.struct_size = 0; }, PERP_BAD_SIZE,
     "def->struct_size = 0"},
};

class BadDelassusForms : public testing::TestWithParam<BadDelassus> {};

TEST_P(BadDelassusForms, AreRefused) {
    DelassusInput d;
    GetParam().spoil(d);
    perp_problem* out = sentinel<perp_problem>();
    EXPECT_FAILS(GetParam().status, GetParam().message, perp_delassus_create(&d.def, &out));
    EXPECT_EQ(out, sentinel<perp_problem>());
}

INSTANTIATE_TEST_SUITE_P(All, BadDelassusForms, testing::ValuesIn(bad_delassus),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(BadDelassusForm, TheUnspoiledOneIsAccepted) {
    DelassusInput d;
    perp_problem* out = nullptr;
    ASSERT_EQ(perp_delassus_create(&d.def, &out), PERP_OK) << perp_last_message();
    const Problem problem(out);
    const Vector bounds(7, 0.0);
    EXPECT_FAILS(PERP_UNSUPPORTED, "lo, hi",
                 perp_problem_set_vectors(out, nullptr, bounds.data(), nullptr));
    EXPECT_FAILS(PERP_BAD_PATTERN, "W: 5 values", perp_problem_update(out, 5, bounds.data()));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "out is NULL", perp_delassus_create(&d.def, nullptr));
}

}  // namespace
