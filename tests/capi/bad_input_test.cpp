// Every bad input to systems and matrices: the right status, a message that names argument, index
// and value, outputs untouched.
#include "support.hpp"

using namespace perp_test;

namespace {

// A pointer that must come back as it went in.
template <class T>
T* sentinel() {
    static int64_t place;
    return reinterpret_cast<T*>(&place);
}

// ------------------------------------------------------------------ systems

struct SystemInput {
    Matrices m;
    perp_triplets M, A, N, D, S, B;
    perp_system_def def;

    SystemInput() {
        m.M = Matrix(4, 4, {2, 1, 0, 0, 1, 3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 5});
        m.A = Matrix(1, 4, {1, 1, 0, 0});
        m.N = Matrix(2, 4, {0, 0, 1, 0, 0, 0, 0, 1});
        m.D = Matrix(4, 4, {1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
        m.S = Matrix(6, 4, {1, 2, 3, 4});
        m.B = Matrix(1, 4, {0, 0, 0, 7});
        lend();
        def = initialized(perp_system_def_init);
        def.M = &M;
        def.A = &A;
        def.N = &N;
        def.D = &D;
        def.S = &S;
        def.B = &B;
    }
    SystemInput(const SystemInput&) = delete;
    void lend() {
        M = m.M.view();
        A = m.A.view();
        N = m.N.view();
        D = m.D.view();
        S = m.S.view();
        B = m.B.view();
    }
};

struct BadSystem {
    const char* what;
    void (*spoil)(SystemInput&);
    int32_t status;
    const char* message;
};

void PrintTo(const BadSystem& b, std::ostream* out) { *out << b.what; }

template <int64_t size>
void set_struct_size(SystemInput& s) {
    s.def.struct_size = size;
}

constexpr int64_t absurd = int64_t{1} << 62;

const BadSystem bad_systems[] = {
    {"row_too_large", [](SystemInput& s) { s.m.N.row[1] = 2; }, PERP_BAD_INDEX,
     "N: row[1] = 2 is outside 0..1 (index base 0); are the indices 1-based?"},
    {"col_too_large", [](SystemInput& s) { s.m.D.col[3] = 4; }, PERP_BAD_INDEX,
     "D: col[3] = 4 is outside 0..3 (index base 0); are the indices 1-based?"},
    {"row_negative", [](SystemInput& s) { s.m.M.row[2] = -1; }, PERP_BAD_INDEX,
     "M: row[2] = -1 is outside 0..3"},
    {"row_zero_in_base_1", [](SystemInput& s) { s.B.base = 1; }, PERP_BAD_INDEX,
     "B: row[0] = 0 is outside 1..1 (index base 1); are the indices 0-based?"},
    {"base", [](SystemInput& s) { s.A.base = -1; }, PERP_BAD_VALUE, "A: index base -1"},
    {"no_rows", [](SystemInput& s) { s.N.row = nullptr; }, PERP_NULL_ARGUMENT,
     "N: count is 2 but row is NULL"},
    {"no_cols", [](SystemInput& s) { s.S.col = nullptr; }, PERP_NULL_ARGUMENT,
     "S: count is 4 but col is NULL"},
    {"no_values", [](SystemInput& s) { s.M.value = nullptr; }, PERP_NULL_ARGUMENT,
     "M: count is 6 but value is NULL"},
    {"nan", [](SystemInput& s) { s.m.M.value[3] = not_a_number; }, PERP_BAD_VALUE,
     "M: value[3] = nan is not finite"},
    {"infinite", [](SystemInput& s) { s.m.D.value[2] = -infinity; }, PERP_BAD_VALUE,
     "D: value[2] = -inf is not finite"},
    {"rows_negative", [](SystemInput& s) { s.A.rows = -1; }, PERP_BAD_SIZE,
     "A: negative size (rows -1"},
    {"cols_negative", [](SystemInput& s) { s.N.cols = -7; }, PERP_BAD_SIZE, "cols -7"},
    {"count_negative", [](SystemInput& s) { s.M.count = -1; }, PERP_BAD_SIZE, "count -1"},
    {"rows_absurd", [](SystemInput& s) { s.N.rows = absurd; }, PERP_BAD_SIZE,
     "N: 4611686018427387904 x 4"},
    {"mass_absurd", [](SystemInput& s) { s.M.rows = s.M.cols = absurd; }, PERP_BAD_SIZE,
     "M: 4611686018427387904 x"},
    {"count_absurd", [](SystemInput& s) { s.M.count = absurd; }, PERP_BAD_SIZE,
     "4611686018427387904"},
    {"mass_not_square", [](SystemInput& s) { s.M.cols = 5; }, PERP_BAD_SIZE,
     "M: 4 x 5 is not square"},
    {"mass_missing", [](SystemInput& s) { s.def.M = nullptr; }, PERP_BAD_SIZE,
     "A has 4 columns, but M has 0"},
    {"columns", [](SystemInput& s) { s.B.cols = 5; }, PERP_BAD_SIZE,
     "B has 5 columns, but M has 4"},
    {"sliding_rows", [](SystemInput& s) { s.D.rows = 5; }, PERP_BAD_SIZE,
     "D has 5 rows; 2 contacts need 0, 2 (planar) or 4"},
    {"angular_rows", [](SystemInput& s) { s.S.rows = 8; }, PERP_BAD_SIZE,
     "S has 8 rows; 2 contacts need 0, 2 (planar rolling), 4 (rolling) or 6"},
    {"friction_without_normals", [](SystemInput& s) { s.def.N = nullptr; }, PERP_BAD_SIZE,
     "D has 4 rows, but N has none"},
    {"not_symmetric", [](SystemInput& s) { s.m.M.value[2] = 1.5; }, PERP_NOT_SYMMETRIC,
     "M(0, 1) = 1 but M(1, 0) = 1.5 (0-based)"},
    {"one_triangle", [](SystemInput& s) { s.m.M.value[2] = 0.0; }, PERP_NOT_SYMMETRIC,
     "if one triangle is stored, say so"},
    {"wrong_triangle", [](SystemInput& s) { s.def.mass_storage = PERP_MASS_LOWER; },
     PERP_BAD_PATTERN, "entry (0, 1) (0-based) lies in the upper triangle"},
    {"negative_mass", [](SystemInput& s) { s.m.M.value[4] = -1; }, PERP_NOT_POSITIVE_DEFINITE,
     "M(2, 2) = -1 (0-based)"},
    {"massless", [](SystemInput& s) { s.m.M.value[5] = 0; }, PERP_NOT_POSITIVE_DEFINITE,
     "M(3, 3) = 0 (0-based)"},
    {"indefinite", [](SystemInput& s) { s.m.M.value[1] = s.m.M.value[2] = 4; },
     PERP_NOT_POSITIVE_DEFINITE, "degree of freedom 1 (0-based)"},
    {"mass_storage", [](SystemInput& s) { s.def.mass_storage = 3; }, PERP_BAD_VALUE,
     "mass_storage = 3"},
    {"tolerance_negative", [](SystemInput& s) { s.def.symmetry_tolerance = -1e-3; },
     PERP_BAD_SETTING, "symmetry_tolerance = -0.001"},
    {"tolerance_nan", [](SystemInput& s) { s.def.symmetry_tolerance = not_a_number; },
     PERP_BAD_SETTING, "symmetry_tolerance = nan"},
    {"struct_size_0", set_struct_size<0>, PERP_BAD_SIZE, "def->struct_size = 0"},
    {"struct_size_negative", set_struct_size<-8>, PERP_BAD_SIZE, "def->struct_size = -8"},
    {"struct_size_huge", set_struct_size<absurd>, PERP_BAD_SIZE,
     "def->struct_size = 4611686018427387904"},
};

class BadSystems : public testing::TestWithParam<BadSystem> {};

TEST_P(BadSystems, AreRefused) {
    SystemInput s;
    GetParam().spoil(s);
    perp_system* out = sentinel<perp_system>();
    EXPECT_FAILS(GetParam().status, GetParam().message, perp_system_create(&s.def, &out));
    EXPECT_EQ(out, sentinel<perp_system>());
}

INSTANTIATE_TEST_SUITE_P(All, BadSystems, testing::ValuesIn(bad_systems),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(BadSystem, TheUnspoiledOneIsAccepted) {
    SystemInput s;
    perp_system* out = nullptr;
    ASSERT_EQ(perp_system_create(&s.def, &out), PERP_OK) << perp_last_message();
    perp_system_destroy(out);
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "out is NULL", perp_system_create(&s.def, nullptr));
    out = sentinel<perp_system>();
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "def is NULL", perp_system_create(nullptr, &out));
    EXPECT_EQ(out, sentinel<perp_system>());
}

TEST(BadSystem, NothingAtAllIsLegal) {
    const perp_system_def def = initialized(perp_system_def_init);
    perp_system* out = nullptr;
    ASSERT_EQ(perp_system_create(&def, &out), PERP_OK) << perp_last_message();
    const System s(out);
    perp_rows step = rows();
    const Problem problem = cone(s, step);
    EXPECT_EQ(info_of(problem).rows, 0);
    EXPECT_EQ(solve(problem, settings(PERP_APGD)).info.outcome, PERP_SOLVED);
    EXPECT_EQ(solve(problem, settings(PERP_PGS)).info.outcome, PERP_SOLVED);
}

TEST(BadUpdate, OfASystemLeavesIt) {
    SystemInput s;
    perp_system* out = nullptr;
    ASSERT_EQ(perp_system_create(&s.def, &out), PERP_OK);
    const System system(out);
    Vector m = s.m.M.value;
    m[5] = -3;
    EXPECT_FAILS(PERP_NOT_POSITIVE_DEFINITE, "M(3, 3) = -3",
                 perp_system_update(out, PERP_MATRIX_M, 6, m.data()));
    m[5] = not_a_number;
    EXPECT_FAILS(PERP_BAD_VALUE, "M: value[5] = nan",
                 perp_system_update(out, PERP_MATRIX_M, 6, m.data()));
    m[5] = 5;
    m[1] = 1.25;
    EXPECT_FAILS(PERP_NOT_SYMMETRIC, "M(0, 1) = 1.25",
                 perp_system_update(out, PERP_MATRIX_M, 6, m.data()));
    EXPECT_FAILS(PERP_BAD_PATTERN, "M: 5 values",
                 perp_system_update(out, PERP_MATRIX_M, 5, m.data()));
    EXPECT_FAILS(PERP_BAD_PATTERN, "N: 0 values",
                 perp_system_update(out, PERP_MATRIX_N, 0, nullptr));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "values is NULL",
                 perp_system_update(out, PERP_MATRIX_N, 2, nullptr));
    EXPECT_FAILS(PERP_BAD_SIZE, "count = -1", perp_system_update(out, PERP_MATRIX_N, -1, m.data()));
    EXPECT_FAILS(PERP_BAD_VALUE, "matrix = 6", perp_system_update(out, 6, 6, m.data()));
    EXPECT_FAILS(PERP_BAD_VALUE, "matrix = -1", perp_system_update(out, -1, 6, m.data()));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "system is NULL",
                 perp_system_update(nullptr, PERP_MATRIX_M, 6, m.data()));
    const Vector f{1, 2, -3, -4}, mu(2, 0.5), lo(1, -1), hi(1, 1);
    perp_rows step = rows();
    step.f = f.data();
    step.mu = mu.data();
    step.lo_B = lo.data();
    step.hi_B = hi.data();
    SystemInput fresh;
    perp_system* other = nullptr;
    ASSERT_EQ(perp_system_create(&fresh.def, &other), PERP_OK);
    EXPECT_TRUE(same_bits(solve(cone(system, step), settings(PERP_APGD)).z,
                          solve(cone(System(other), step), settings(PERP_APGD)).z));
}

// ------------------------------------------------------------------ general BLCPs

struct BlcpInput {
    Matrix H = Matrix(2, 2, {2, 1, 1, 2});
    Vector q{1, 2}, lo{0, 0}, hi{1, 1};
    perp_triplets h = H.view();
    const perp_triplets* given = &h;
    const double* q_given = q.data();
};

struct BadBlcp {
    const char* what;
    void (*spoil)(BlcpInput&);
    int32_t status;
    const char* message;
};

void PrintTo(const BadBlcp& b, std::ostream* out) { *out << b.what; }

const double above_one = std::nextafter(1.0, 2.0);

const BadBlcp bad_blcps[] = {
    {"no_matrix", [](BlcpInput& b) { b.given = nullptr; }, PERP_NULL_ARGUMENT, "H is NULL"},
    {"no_q", [](BlcpInput& b) { b.q_given = nullptr; }, PERP_NULL_ARGUMENT, "q is NULL"},
    {"not_square", [](BlcpInput& b) { b.h.cols = 3; }, PERP_BAD_SIZE, "H: 2 x 3 is not square"},
    {"rows_negative", [](BlcpInput& b) { b.h.rows = b.h.cols = -1; }, PERP_BAD_SIZE, "-1"},
    {"rows_absurd", [](BlcpInput& b) { b.h.rows = b.h.cols = absurd; }, PERP_BAD_SIZE,
     "4611686018427387904"},
    {"rows_too_many", [](BlcpInput& b) { b.h.rows = b.h.cols = int64_t{1} << 40; }, PERP_BAD_SIZE,
     "1099511627776"},
    {"index", [](BlcpInput& b) { b.H.row[3] = 2; }, PERP_BAD_INDEX,
     "H: row[3] = 2 is outside 0..1 (index base 0); are the indices 1-based?"},
    {"nan", [](BlcpInput& b) { b.H.value[0] = not_a_number; }, PERP_BAD_VALUE, "H: value[0] = nan"},
    {"q_nan", [](BlcpInput& b) { b.q[1] = not_a_number; }, PERP_BAD_VALUE,
     "q[1] = nan is not finite"},
    {"q_infinite", [](BlcpInput& b) { b.q[0] = infinity; }, PERP_BAD_VALUE,
     "q[0] = inf is not finite"},
    {"q_extreme", [](BlcpInput& b) { b.q[0] = 1e200; }, PERP_BAD_VALUE,
     "the energy of the velocities without impulses overflows; the values are too extreme"},
    {"diagonal_extreme", [](BlcpInput& b) { b.H.value[0] = 5e-324; }, PERP_BAD_VALUE,
     "row 0: its effective mass is inf; the values are too extreme"},
    {"sum_extreme",
     [](BlcpInput& b) {
         b.H.row[1] = b.H.row[0];
         b.H.col[1] = b.H.col[0];
         b.H.value[0] = b.H.value[1] = 1e308;
     },
     PERP_BAD_VALUE, "H: value[0] = 1e+308 and the others at its place sum to inf"},
    {"lo_nan", [](BlcpInput& b) { b.lo[1] = not_a_number; }, PERP_BAD_VALUE, "lo[1] is NaN"},
    {"hi_nan", [](BlcpInput& b) { b.hi[0] = not_a_number; }, PERP_BAD_VALUE, "hi[0] is NaN"},
    {"lo_infinite", [](BlcpInput& b) { b.lo[0] = b.hi[0] = infinity; }, PERP_BAD_BOUNDS,
     "lo[0] = +inf"},
    {"hi_infinite", [](BlcpInput& b) { b.lo[1] = b.hi[1] = -infinity; }, PERP_BAD_BOUNDS,
     "hi[1] = -inf"},
    {"lo_above_hi", [](BlcpInput& b) { b.lo[1] = above_one; }, PERP_BAD_BOUNDS,
     "lo[1] = 1.0000000000000002 exceeds hi[1] = 1"},
};

class BadBlcps : public testing::TestWithParam<BadBlcp> {};

TEST_P(BadBlcps, AreRefused) {
    BlcpInput b;
    GetParam().spoil(b);
    perp_problem* out = sentinel<perp_problem>();
    EXPECT_FAILS(GetParam().status, GetParam().message,
                 perp_blcp_create(b.given, b.q_given, b.lo.data(), b.hi.data(), &out));
    EXPECT_EQ(out, sentinel<perp_problem>());
}

INSTANTIATE_TEST_SUITE_P(All, BadBlcps, testing::ValuesIn(bad_blcps),
                         [](const auto& p) { return std::string(p.param.what); });

TEST(BadBlcp, ChangesThatAreRefusedLeaveTheProblem) {
    const BlcpInput b;
    const Problem problem = blcp(b.H, b.q, b.lo, b.hi);
    const Vector before = solve(problem, settings(PERP_PGS)).z;
    const Vector nan{0, not_a_number}, above{2, 0}, two{2, 2}, four(4, not_a_number);
    perp_problem* p = problem.get();
    EXPECT_FAILS(PERP_BAD_VALUE, "q[1] = nan",
                 perp_problem_set_vectors(p, nan.data(), two.data(), two.data()));
    EXPECT_FAILS(PERP_BAD_BOUNDS, "lo[0] = 2 exceeds hi[0] = 1",
                 perp_problem_set_vectors(p, two.data(), above.data(), nullptr));
    EXPECT_FAILS(PERP_BAD_VALUE, "hi[1] is NaN",
                 perp_problem_set_vectors(p, nullptr, nullptr, nan.data()));
    EXPECT_FAILS(PERP_BAD_PATTERN, "H: 2 values", perp_problem_update(p, 2, two.data()));
    EXPECT_FAILS(PERP_BAD_VALUE, "H: value[0] = nan", perp_problem_update(p, 4, four.data()));
    EXPECT_FAILS(PERP_BAD_SIZE, "count = -4", perp_problem_update(p, -4, four.data()));
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "values is NULL", perp_problem_update(p, 4, nullptr));
    const perp_rows step = rows();
    EXPECT_FAILS(PERP_UNSUPPORTED, "perp_problem_set_vectors",
                 perp_problem_set_rows(p, nullptr, &step));
    EXPECT_TRUE(same_bits(solve(problem, settings(PERP_PGS)).z, before));
    perp_problem* none = sentinel<perp_problem>();
    EXPECT_FAILS(PERP_NULL_ARGUMENT, "out is NULL",
                 perp_blcp_create(&b.h, b.q.data(), nullptr, nullptr, nullptr));
    EXPECT_EQ(none, sentinel<perp_problem>());
}

}  // namespace
