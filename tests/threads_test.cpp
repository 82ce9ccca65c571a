// Solvers on several threads: the same bits as on one.
#include "base/parallel.hpp"
#include "lattice.hpp"

namespace perp::test {
namespace {

constexpr std::int64_t sweeps = 25;

Settings few(Method method, std::int64_t threads) {
    Settings s = with_method(method, 1e-300);
    s.max_iterations = sweeps;
    s.threads = threads;
    return s;
}

class OnThreads : public testing::TestWithParam<Method> {
protected:
    void expect_same_bits(const Shared& problem, Settings s = {}) {
        s.method = GetParam();
        s.tolerance = 1e-300;
        s.max_iterations = sweeps;
        s.threads = 1;
        const Answer one = run(problem, s);
        EXPECT_EQ(one.info.threads, 1);
        EXPECT_LT(one.info.eta, 1.0) << "something was computed";
        for (const std::int64_t threads : {2, 3, 8}) {
            s.threads = threads;
            const Answer more = run(problem, s);
            EXPECT_TRUE(same_bits(more.z, one.z)) << threads;
            EXPECT_EQ(more.info.eta, one.info.eta);
            EXPECT_GE(more.info.threads, 1);
            EXPECT_LE(more.info.threads, threads);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Methods, OnThreads, testing::ValuesIn(iterating),
                         [](const auto& x) { return name(x.param); });

TEST_P(OnThreads, ConesGiveTheSameBits) {
    expect_same_bits(lattice({.width = 10, .height = 12}));
    expect_same_bits(lattice({.width = 10, .height = 12, .rolling = true}));
    expect_same_bits(lattice({.width = 12, .height = 10, .freedoms = 3, .compliance = 0.1}));
    if (GetParam() != Method::apgd)  // whose rounds end when they like
        expect_same_bits(lattice({.width = 10, .height = 12, .law = Law::coulomb}));
}

TEST_P(OnThreads, BoxesGiveTheSameBits) {
    expect_same_bits(lattice({.width = 9, .height = 12, .law = Law::box}));
}

TEST_P(OnThreads, JointsGiveTheSameBits) {
    Settings s;
    for (const bool eliminate : {false, true}) {
        s.eliminate_bilateral = eliminate;
        expect_same_bits(lattice({.width = 9, .height = 12, .joints = 10}), s);
    }
}

TEST_P(OnThreads, SymmetricSweepsGiveTheSameBits) {
    Settings s;
    s.symmetric_sweep = true;
    expect_same_bits(lattice({.width = 9, .height = 12}), s);
}

TEST_P(OnThreads, MatrixFormsGiveTheSameBits) {
    const Shared given = lattice({.width = 8, .height = 8, .law = Law::box});
    const Csr h = given->form_matrix();
    Entries H(h.rows, h.cols);
    for (std::int64_t i = 0; i < h.rows; ++i)
        for (std::int64_t k = h.start[i]; k < h.start[i + 1]; ++k) H.add(i, h.index[k], h.value[k]);
    Vector lo(h.rows, -0.3), hi(h.rows, 0.3);
    expect_same_bits(shared(Problem::general_blcp(H.view(), given->free_velocity(), lo, hi)));
}

TEST_P(OnThreads, TheNumberUsedIsReported) {
    const bool sweeping = GetParam() != Method::apgd;
    const Shared large = lattice({.width = 10, .height = 12});
    EXPECT_EQ(run(large, few(GetParam(), 2)).info.threads, parallel_loops ? 2 : 1);
    const Shared small = lattice({.width = 3, .height = 2});
    EXPECT_EQ(run(small, few(GetParam(), 2)).info.threads, 1) << "too small to share";
    Settings given = few(GetParam(), 2);
    given.sweep_order = SweepOrder::given;
    EXPECT_EQ(run(large, given).info.threads, parallel_loops && !sweeping ? 2 : 1);
}

}  // namespace
}  // namespace perp::test
