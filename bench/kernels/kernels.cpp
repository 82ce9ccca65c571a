// The kernels of a solve, each beside what it must at least move through memory.
//
//   perp_kernels [--benchmark_...] [INSTANCE.h5]       (default: a generated pile of 5 000 spheres)
//
// Counters: ns (per contact), B (bytes that a contact's share of the kernel must read and write at
// least), flops, and `ratio` = time / (bytes / triad bandwidth of the same run, same threads). 1 is
// the floor of memory; data that fit a cache may go below. Those of factorizations: kkt.cpp.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>

#include "base/parallel.hpp"
#include "io/instance.hpp"
#include "kkt.hpp"
#include "problem/residual.hpp"
#include "problem/scaled_problem.hpp"
#include "scene.hpp"
#include "scene_problem.hpp"
#include "solvers/solver.hpp"
#include "solvers/sweep.hpp"

namespace {

using perp::ScaledProblem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The problem at hand; read once.
std::shared_ptr<const perp::Problem> problem;

std::int64_t contacts() { return std::max<std::int64_t>(1, problem->set().contacts); }

struct Triad {  // a = b + s c, on three arrays of 64 MB each
    std::vector<double> a, b, c;
    Triad() : a(8'000'000), b(8'000'000, 1.0), c(8'000'000, 2.0) {}

    void run(int threads) {
        constexpr std::int64_t part = 100'000;
        perp::parallel_for(threads, static_cast<std::int64_t>(a.size()) / part,
                           [this](std::int64_t p) {
                               for (std::int64_t i = p * part; i < (p + 1) * part; ++i)
                                   a[i] = b[i] + 3.0 * c[i];
                           });
        benchmark::ClobberMemory();
    }
    [[nodiscard]] double bytes() const { return 24.0 * static_cast<double>(a.size()); }
};

// Best of several runs, in bytes per second (24 B per element, as STREAM counts).
double triad_bandwidth(int threads) {
    static double known[3] = {0.0, 0.0, 0.0};
    double& bandwidth = known[threads];
    if (bandwidth > 0.0) return bandwidth;
    Triad triad;
    for (int k = 0; k < 20; ++k) {
        const auto start = Clock::now();
        triad.run(threads);
        bandwidth = std::max(bandwidth, triad.bytes() / seconds_since(start));
    }
    return bandwidth;
}

// Counters of a kernel that ran `times` times in `seconds`.
void report(benchmark::State& state, double seconds, double times, double bytes, double flops,
            int threads) {
    const double once = seconds / times;
    const auto per_contact = static_cast<double>(contacts());
    state.counters["ns"] = 1e9 * once / per_contact;
    state.counters["B"] = bytes / per_contact;
    state.counters["flops"] = flops / per_contact;
    state.counters["ratio"] = once / (bytes / triad_bandwidth(threads));
}

// Bytes and flops of one pass over the transformed Jacobian.
double jacobian_bytes(const ScaledProblem& scaled) {
    double bytes = 0.0;
    for (const perp::BlockRows* rows : {&scaled.contact_rows(), &scaled.scalar_rows()})
        bytes += 8.0 * static_cast<double>(rows->left.size()) +
                 4.0 * static_cast<double>(rows->first.size() + rows->start.size());
    return bytes;
}
double jacobian_flops(const ScaledProblem& scaled) {
    return 2.0 * static_cast<double>(scaled.contact_rows().left.size() +
                                     scaled.scalar_rows().left.size());
}
double rows_bytes(const ScaledProblem& scaled, double vectors) {
    return 8.0 * vectors * static_cast<double>(scaled.rows());
}
double coefficient_bytes(const ScaledProblem& scaled) {
    const perp::ContactShape& shape = scaled.shape();
    const int groups = (shape.tangential > 0) + (shape.spin > 0) + (shape.roll > 0);
    return 8.0 * groups * static_cast<double>(scaled.contacts());
}
double velocity_bytes(const ScaledProblem& scaled) {
    return 8.0 * static_cast<double>(scaled.velocities());
}
double compliance_vectors(const ScaledProblem& scaled) {
    for (std::int64_t i = 0; i < scaled.rows(); ++i)
        if (scaled.compliance(i) != 0.0) return 1.0;
    return 0.0;
}

template <class F>
void time_kernel(benchmark::State& state, double bytes, double flops, int threads, const F& f) {
    triad_bandwidth(threads);
    double seconds = 0.0;
    for (auto _ : state) {
        const auto start = Clock::now();
        f();
        const double once = seconds_since(start);
        state.SetIterationTime(once);
        seconds += once;
    }
    report(state, seconds, static_cast<double>(state.iterations()), bytes, flops, threads);
}

void triad(benchmark::State& state) {
    const int threads = static_cast<int>(state.range(0));
    Triad arrays;
    double seconds = 0.0;
    for (auto _ : state) {
        const auto start = Clock::now();
        arrays.run(threads);
        const double once = seconds_since(start);
        state.SetIterationTime(once);
        seconds += once;
    }
    state.counters["GB/s"] =
        1e-9 * arrays.bytes() * static_cast<double>(state.iterations()) / seconds;
    state.counters["best GB/s"] = 1e-9 * triad_bandwidth(threads);
}

// A plain dense matrix times a vector, 4000 x 4000: what a solver with a full matrix pays.
void dense_product(benchmark::State& state) {
    constexpr std::int64_t n = 4000;
    const std::vector<double> a(n * n, 0.5), x(n, 1.0);
    std::vector<double> y(n);
    double seconds = 0.0;
    for (auto _ : state) {
        const auto start = Clock::now();
        for (std::int64_t i = 0; i < n; ++i) {
            double sum[4] = {0.0, 0.0, 0.0, 0.0};
            for (std::int64_t j = 0; j < n; j += 4)
                for (int l = 0; l < 4; ++l) sum[l] += a[i * n + j + l] * x[j + l];
            y[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
        benchmark::DoNotOptimize(y.data());
        const double once = seconds_since(start);
        state.SetIterationTime(once);
        seconds += once;
    }
    const double once = seconds / static_cast<double>(state.iterations());
    state.counters["ratio"] = once / (8.0 * n * n / triad_bandwidth(1));
    state.counters["GB/s"] = 1e-9 * 8.0 * n * n / once;
}

// Projections alone, data in cache; 20 flops and two roots count as 40.
template <int T, int S, int R>
void projection(benchmark::State& state) {
    constexpr int k = 1 + T + S + R;
    constexpr std::int64_t count = 500;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> given(count * k), x;
    for (double& value : given) value = uniform(random);
    for (auto _ : state) {
        x = given;
        for (std::int64_t i = 0; i < count; ++i)
            perp::project_contact<T, S, R>({0.5, 0.1, 0.2}, x.data() + i * k);
        benchmark::DoNotOptimize(x.data());
    }
    state.counters["ns"] = benchmark::Counter(
        1e-9 * count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void product(benchmark::State& state) {
    const int threads = static_cast<int>(state.range(0));
    ScaledProblem scaled(*problem);
    scaled.set_threads(threads);
    std::vector<double> z(scaled.rows(), 1.0), out(scaled.rows()), v(scaled.velocities());
    const double vectors = 3.0 + compliance_vectors(scaled);
    time_kernel(
        state,
        2.0 * jacobian_bytes(scaled) + rows_bytes(scaled, vectors) + 3.0 * velocity_bytes(scaled),
        2.0 * jacobian_flops(scaled), threads, [&] { scaled.product(z, out, v); });
}

void pgs_sweep(benchmark::State& state) {
    const int threads = static_cast<int>(state.range(0));
    ScaledProblem scaled(*problem);
    scaled.set_threads(threads);
    perp::Settings settings;
    settings.sweep_order = static_cast<perp::SweepOrder>(state.range(1));
    perp::Sweeper sweeper(scaled, settings);
    std::vector<double> z(scaled.rows()), v(scaled.velocities());
    const double vectors = 3.0 + compliance_vectors(scaled);  // z read and written, r read
    const double steps = 8.0 * static_cast<double>(scaled.contacts() + scaled.scalars());
    time_kernel(state,
                jacobian_bytes(scaled) + rows_bytes(scaled, vectors) + coefficient_bytes(scaled) +
                    steps + 2.0 * velocity_bytes(scaled),
                2.0 * jacobian_flops(scaled), threads,
                [&] { sweeper.sweep(scaled, settings, z, v); });
}

// Iterations of a whole solver, the checks of eta at their usual places included.
void iteration(benchmark::State& state, perp::Method method, double jacobians, double vectors) {
    const int threads = static_cast<int>(state.range(0));
    perp::Settings settings;
    settings.method = method;
    settings.threads = threads;
    settings.tolerance = 1e-300;
    settings.stagnation_window = 0;
    perp::Solver solver(problem, settings);
    const ScaledProblem scaled(*problem);
    std::vector<double> z(problem->rows());
    constexpr std::int64_t warm = 64;  // apgd evaluates eta in each of these
    constexpr std::int64_t measured = 100;
    triad_bandwidth(threads);
    const auto seconds_of = [&](std::int64_t iterations) {
        settings.max_iterations = iterations;
        solver.set(settings);
        return solver.solve(z, {}).solve_seconds;
    };
    double seconds = 0.0;
    for (auto _ : state) {
        const double once = (seconds_of(warm + measured) - seconds_of(warm)) / measured;
        state.SetIterationTime(once);
        seconds += once;
    }
    report(state, seconds, static_cast<double>(state.iterations()),
           jacobians * jacobian_bytes(scaled) +
               rows_bytes(scaled, vectors + (jacobians + 0.0) * compliance_vectors(scaled)) +
               coefficient_bytes(scaled) + 3.0 * velocity_bytes(scaled),
           (jacobians + 0.0) * jacobian_flops(scaled), threads);
}

void eta(benchmark::State& state) {
    const ScaledProblem scaled(*problem);
    std::vector<double> z(scaled.rows(), 1.0), out(scaled.rows()), v(scaled.velocities());
    scaled.product(z, out, v);
    time_kernel(state,
                rows_bytes(scaled, 3.0) + coefficient_bytes(scaled) +
                    16.0 * static_cast<double>(scaled.contacts()),
                40.0 * static_cast<double>(scaled.contacts()), 1,
                [&] { benchmark::DoNotOptimize(scaled.eta(z, out)); });
}

void residual(benchmark::State& state) {
    perp::ResidualWorkspace work = perp::make_residual_workspace(*problem);
    std::vector<double> z(problem->rows(), 1.0);
    double seconds = 0.0;
    for (auto _ : state) {
        const auto start = Clock::now();
        benchmark::DoNotOptimize(perp::residual(*problem, z, work).eta);
        const double once = seconds_since(start);
        state.SetIterationTime(once);
        seconds += once;
    }
    state.counters["ns"] = 1e9 * seconds / static_cast<double>(state.iterations() * contacts());
}

// A matrix's entries as triplets in random order.
struct Shuffled {
    std::vector<std::int64_t> row, col;
    std::vector<double> value;
    perp::Triplets view;

    explicit Shuffled(const perp::Csr& a) {
        std::vector<std::pair<std::int64_t, std::int64_t>> place;
        for (std::int64_t i = 0; i < a.rows; ++i)
            for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) place.emplace_back(i, k);
        std::mt19937_64 random(1);
        std::shuffle(place.begin(), place.end(), random);
        for (const auto& [i, k] : place) {
            row.push_back(i);
            col.push_back(a.index[k]);
            value.push_back(a.value[k]);
        }
        view = {a.rows,       a.cols, static_cast<std::int64_t>(row.size()), row.data(), col.data(),
                value.data(), 0};
    }
};

// Shuffled triplets to a checked system, and to a problem whose first product can start.
void assembly(benchmark::State& state) {
    if (problem->assembled() == nullptr) {
        state.SkipWithError("the instance has no Jacobians");
        return;
    }
    const perp::System& given = *problem->assembled()->system;
    using perp::SystemMatrix;
    const Shuffled M(given.matrix(SystemMatrix::M)), A(given.matrix(SystemMatrix::A)),
        N(given.matrix(SystemMatrix::N)), D(given.matrix(SystemMatrix::D)),
        S(given.matrix(SystemMatrix::S)), B(given.matrix(SystemMatrix::B));
    const auto step = [&] {
        perp::SystemTriplets triplets{M.view, A.view, N.view, D.view, S.view, B.view};
        triplets.symmetry_tolerance = 1.0;
        auto system = std::make_shared<const perp::System>(triplets);
        return perp::Problem::assemble(std::move(system), problem->assembled()->rows,
                                       problem->assembled()->law);
    };
    double bytes = 0.0;  // triplets read once, compressed entries written once
    for (const Shuffled* m : {&M, &A, &N, &D, &S, &B})
        bytes += (24.0 + 12.0) * static_cast<double>(m->row.size());
    time_kernel(state, bytes, 0.0, 1, [&] { benchmark::DoNotOptimize(step().rows()); });
}

void scaling(benchmark::State& state) {
    const ScaledProblem scaled(*problem);
    time_kernel(state, 2.5 * jacobian_bytes(scaled), 0.0, 1,
                [] { benchmark::DoNotOptimize(ScaledProblem(*problem).rows()); });
}

void register_all() {
    using benchmark::kMillisecond;
    using benchmark::RegisterBenchmark;
    RegisterBenchmark("projection/sliding", projection<2, 0, 0>);
    RegisterBenchmark("projection/rolling", projection<2, 1, 2>);
    RegisterBenchmark("dense_product/4000", dense_product)->UseManualTime()->Unit(kMillisecond);
    const int most = perp::parallel_loops ? 2 : 1;
    for (int threads = 1; threads <= most; ++threads) {
        const auto finish = [&](benchmark::internal::Benchmark* b) {
            b->UseManualTime()->Unit(kMillisecond);
        };
        finish(RegisterBenchmark("triad/threads", triad)->Arg(threads));
        finish(RegisterBenchmark("product/threads", product)->Arg(threads));
        finish(RegisterBenchmark("pgs_sweep/threads/order", pgs_sweep)->Args({threads, 3}));
        // Step: z, z_, S z, S z_, r read, z+ written; test: z+, z, z_, S z, S z_ read, S z+
        // written.
        finish(RegisterBenchmark(
                   "apgd_iteration/threads",
                   [](benchmark::State& state) { iteration(state, perp::Method::apgd, 2.0, 12.0); })
                   ->Arg(threads)
                   ->Iterations(3));
        // Sweep (3), copy of z (2), memory of f and g (9) and window (5 + 5), mixing (2), product
        // with the candidate (2), objective (3).
        finish(RegisterBenchmark("aapgs_iteration/threads",
                                 [](benchmark::State& state) {
                                     iteration(state, perp::Method::aapgs, 2.0, 31.0);
                                 })
                   ->Arg(threads)
                   ->Iterations(3));
    }
    for (const int order : {0, 1})
        RegisterBenchmark("pgs_sweep/threads/order", pgs_sweep)
            ->Args({1, order})
            ->UseManualTime()
            ->Unit(kMillisecond);
    RegisterBenchmark("eta", eta)->UseManualTime()->Unit(kMillisecond);
    RegisterBenchmark("residual", residual)->UseManualTime()->Unit(kMillisecond);
    RegisterBenchmark("assembly_shuffled", assembly)->UseManualTime()->Unit(kMillisecond);
    RegisterBenchmark("scaling", scaling)->UseManualTime()->Unit(kMillisecond);
}

perp::Problem generated_problem() {
    perp::scenes::PileOptions options;
    options.spheres = 5000;
    return perp::kernels::problem_of(perp::scenes::pile(options));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    try {
        problem = std::make_shared<const perp::Problem>(argc > 1 ? perp::read_problem(argv[1], {})
                                                                 : generated_problem());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "perp_kernels: %s\n", error.what());
        return 2;
    }
    register_all();
    perp::kernels::register_kkt();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
