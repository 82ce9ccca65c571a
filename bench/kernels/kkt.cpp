// Numeric factorization of the interior point's matrices by UpdatedLdl and by CHOLMOD, whose
// symbolic analysis is done once, and a solve with these factors.
//
//   kkt/SCENE/KERNEL, condensed/SCENE/KERNEL
//
// Both order by AMD. The time is that of a factorization, from values in the caller's order, in
// seconds of the processor: other programs on the machine disturb less. These add up over threads,
// and CHOLMOD's supernodal kernel asks for four whatever OMP_NUM_THREADS says; for one thread
// everywhere, OPENBLAS_NUM_THREADS=1 OMP_THREAD_LIMIT=1.
//
// Counters: contacts, size, nnz_L (with the diagonal and what blocks store besides), Gflop/s (by
// each one's own count), and the shortest times of a factorization (factor_ms), of the solve that
// follows it (solve_ms; perp's inverts diagonal blocks first) and of another one (again_ms).
#include "kkt.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kkt_matrices.hpp"
#include "scene_problem.hpp"
#include "sparse/updated_ldl.hpp"

#ifdef PERP_KERNELS_CHOLMOD
#include <cholmod.h>
#endif

namespace perp::kernels {
namespace {

// Rounding times the growth that a quasi-definite matrix of such a scaling may have.
constexpr double largest_residual = 1e-6;

class Factorization {
public:
    Factorization() = default;
    Factorization(const Factorization&) = delete;
    Factorization& operator=(const Factorization&) = delete;
    virtual ~Factorization() = default;

    virtual bool factor() = 0;
    virtual void solve(std::span<const double> b, std::span<double> x) = 0;
    [[nodiscard]] virtual double nonzeros() const = 0;  // of L, with the diagonal
    [[nodiscard]] virtual double flops() const = 0;
};

class OwnLdl : public Factorization {
public:
    OwnLdl(const Csr& matrix, std::int64_t positive)
        : matrix_(matrix), ldl_(matrix, positive), active_(matrix.rows, 1) {
        for (std::int64_t i = 0; i < matrix.rows; ++i) diagonal_.push_back(matrix.at(i, i));
    }
    bool factor() override {
        ldl_.take_values(matrix_.value);
        return ldl_.factor(diagonal_, active_);
    }
    void solve(std::span<const double> b, std::span<double> x) override {
        std::copy(b.begin(), b.end(), x.begin());
        ldl_.solve(x);
    }
    [[nodiscard]] double nonzeros() const override {
        return static_cast<double>(ldl_.nonzeros() + matrix_.rows);
    }
    [[nodiscard]] double flops() const override { return 2.0 * ldl_.factor_cost(); }

private:
    const Csr& matrix_;
    UpdatedLdl ldl_;
    std::vector<double> diagonal_;
    std::vector<std::uint8_t> active_;
};

#ifdef PERP_KERNELS_CHOLMOD
class Cholmod : public Factorization {
public:
    // CHOLMOD_SIMPLICIAL: LDL'; CHOLMOD_SUPERNODAL: LL'.
    Cholmod(const Csr& matrix, int supernodal) {
        cholmod_start(&common_);
        common_.supernodal = supernodal;
        common_.final_ll = supernodal == CHOLMOD_SIMPLICIAL ? 0 : 1;
        common_.nmethods = 1;
        common_.method[0].ordering = CHOLMOD_AMD;
        take(matrix);
        factor_ = cholmod_analyze(matrix_, &common_);
        nonzeros_ = common_.lnz;
        flops_ = common_.fl;
        right_ = cholmod_zeros(matrix_->nrow, 1, CHOLMOD_REAL, &common_);
    }
    ~Cholmod() override {
        for (cholmod_dense** x : {&right_, &solution_, &work_y_, &work_e_})
            cholmod_free_dense(x, &common_);
        cholmod_free_factor(&factor_, &common_);
        cholmod_free_sparse(&matrix_, &common_);
        cholmod_finish(&common_);
    }
    Cholmod(const Cholmod&) = delete;
    Cholmod& operator=(const Cholmod&) = delete;

    bool factor() override {
        return cholmod_factorize(matrix_, factor_, &common_) != 0 && common_.status == CHOLMOD_OK &&
               factor_->minor == factor_->n;
    }
    void solve(std::span<const double> b, std::span<double> x) override {
        std::copy(b.begin(), b.end(), static_cast<double*>(right_->x));
        cholmod_solve2(CHOLMOD_A, factor_, right_, nullptr, &solution_, nullptr, &work_y_, &work_e_,
                       &common_);
        const auto* const values = static_cast<const double*>(solution_->x);
        std::copy(values, values + x.size(), x.begin());
    }
    [[nodiscard]] double nonzeros() const override {
        return factor_->is_super != 0 ? static_cast<double>(factor_->xsize) : nonzeros_;
    }
    [[nodiscard]] double flops() const override { return flops_; }

private:
    // The lower triangle by rows is the upper one by columns.
    void take(const Csr& a) {
        std::size_t count = 0;
        for (std::int64_t i = 0; i < a.rows; ++i)
            for (const std::int32_t j : a.row_index(i)) count += j <= i ? 1 : 0;
        const auto size = static_cast<std::size_t>(a.rows);
        matrix_ = cholmod_allocate_sparse(size, size, count, 1, 1, 1, CHOLMOD_REAL, &common_);
        auto* const start = static_cast<int*>(matrix_->p);
        auto* const index = static_cast<int*>(matrix_->i);
        auto* const value = static_cast<double*>(matrix_->x);
        int at = 0;
        for (std::int64_t i = 0; i < a.rows; ++i) {
            start[i] = at;
            for (std::int64_t k = a.start[i]; k < a.start[i + 1] && a.index[k] <= i; ++k) {
                index[at] = a.index[k];
                value[at++] = a.value[k];
            }
        }
        start[a.rows] = at;
    }

    cholmod_common common_{};
    cholmod_sparse* matrix_ = nullptr;
    cholmod_factor* factor_ = nullptr;
    cholmod_dense *right_ = nullptr, *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
    double nonzeros_ = 0.0, flops_ = 0.0;
};
#endif

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// |b - A x| over |A| |x| + |b|, in the largest norm.
double residual(const Csr& a, std::span<const double> b, std::span<const double> x) {
    double worst = 0.0, size = 0.0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        double rest = b[i];
        double terms = std::abs(b[i]);
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) {
            const double term = a.value[k] * x[a.index[k]];
            rest -= term;
            terms += std::abs(term);
        }
        if (!std::isfinite(rest)) rest = std::numeric_limits<double>::infinity();
        worst = std::max(worst, std::abs(rest));
        size = std::max(size, terms);
    }
    return worst / size;
}

struct Sample {
    const char* name;
    scenes::Scene (*make)();
};

template <std::int64_t spheres>
scenes::Scene pile() {
    scenes::PileOptions options;
    options.spheres = spheres;
    return scenes::pile(options);
}

// Piles are named after their contacts, roughly; they have about 2.6 a sphere.
constexpr Sample samples[] = {
    {"pile_1000", pile<400>},
    {"pile_2000", pile<770>},
    {"pile_5000", pile<1910>},
    {"pile_10000", pile<3810>},
    {"chain_1000", [] { return scenes::chain(1000); }},
    {"chain_10000", [] { return scenes::chain(10000); }},
    {"wall_20x20", [] { return scenes::wall(20, 20); }},
};

// The last sample's matrices: benchmarks that share them follow each other.
const KktMatrices& matrices_of(const Sample& sample) {
    static const Sample* last = nullptr;
    static std::unique_ptr<KktMatrices> matrices;
    if (last != &sample) {
        matrices = std::make_unique<KktMatrices>(problem_of(sample.make()));
        last = &sample;
    }
    return *matrices;
}

enum class Kernel { perp, simplicial, supernodal };

std::unique_ptr<Factorization> make(Kernel kernel, const Csr& matrix, std::int64_t positive) {
#ifdef PERP_KERNELS_CHOLMOD
    if (kernel == Kernel::simplicial) return std::make_unique<Cholmod>(matrix, CHOLMOD_SIMPLICIAL);
    if (kernel == Kernel::supernodal) return std::make_unique<Cholmod>(matrix, CHOLMOD_SUPERNODAL);
#endif
    (void)kernel;
    return std::make_unique<OwnLdl>(matrix, positive);
}

void run(benchmark::State& state, const Sample& sample, bool condensed, Kernel kernel) {
    const KktMatrices& matrices = matrices_of(sample);
    const Csr& matrix = condensed ? matrices.condensed : matrices.kkt;
    const auto factorization = make(kernel, matrix, matrices.velocities);
    std::vector<double> b(matrix.rows), x(matrix.rows);
    for (std::int64_t i = 0; i < matrix.rows; ++i) b[i] = std::sin(static_cast<double>(i));
    if (!factorization->factor()) {
        state.SkipWithError("no factors");
        return;
    }
    factorization->solve(b, x);
    if (!(residual(matrix, b, x) <= largest_residual)) {
        state.SkipWithError("large residual");
        return;
    }
    std::array<double, 3> shortest{};
    shortest.fill(std::numeric_limits<double>::infinity());
    for (auto _ : state) {
        std::array<double, 4> at{processor_seconds()};
        factorization->factor();
        at[1] = processor_seconds();
        factorization->solve(b, x);
        at[2] = processor_seconds();
        factorization->solve(b, x);
        at[3] = processor_seconds();
        state.SetIterationTime(at[1] - at[0]);
        for (int k = 0; k < 3; ++k) shortest[k] = std::min(shortest[k], at[k + 1] - at[k]);
    }
    state.counters["contacts"] = static_cast<double>(matrices.contacts);
    state.counters["size"] = static_cast<double>(matrix.rows);
    state.counters["nnz_L"] = factorization->nonzeros();
    state.counters["factor_ms"] = 1e3 * shortest[0];
    state.counters["solve_ms"] = 1e3 * shortest[1];
    state.counters["again_ms"] = 1e3 * shortest[2];
    state.counters["Gflop/s"] = 1e-9 * factorization->flops() / shortest[0];
}

void register_one(const Sample& sample, bool condensed, Kernel kernel, const char* name) {
    const std::string full =
        std::string(condensed ? "condensed/" : "kkt/") + sample.name + "/" + name;
    benchmark::RegisterBenchmark(full.c_str(),
                                 [&sample, condensed, kernel](benchmark::State& state) {
                                     run(state, sample, condensed, kernel);
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_kkt() {
    for (const Sample& sample : samples)
        for (const bool condensed : {false, true}) {
            register_one(sample, condensed, Kernel::perp, "perp");
#ifdef PERP_KERNELS_CHOLMOD
            register_one(sample, condensed, Kernel::simplicial, "cholmod_simplicial");
            if (condensed)
                register_one(sample, condensed, Kernel::supernodal, "cholmod_supernodal");
#endif
        }
}

}  // namespace perp::kernels
