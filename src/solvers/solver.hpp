// What every solver shares: settings, info, the interface, the list of methods.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problem/problem.hpp"
#include "problem/residual.hpp"

namespace perp {

enum class Method : std::int32_t {
    pgs = 1,
    apgd = 2,
    aapgs = 3,
    pivoting = 4,
    keller = 5,
    lemke = 6,
    automatic = 7,
    ipm = 8,
    newton = 9,
    accurate = 10,
};
constexpr Method methods[] = {Method::automatic, Method::pgs,     Method::apgd,  Method::aapgs,
                              Method::pivoting,  Method::keller,  Method::lemke, Method::ipm,
                              Method::newton,    Method::accurate};
enum class SweepOrder : std::int32_t { given = 0, bfs = 1, random = 2, coloured = 3 };

struct Settings {
    Method method = Method::automatic;
    double tolerance = 1e-4;                        // on eta
    std::int64_t max_iterations = 20000;            // sweeps (pgs), accepted steps (apgd)
    double time_limit = 0.0;                        // s; 0: none
    bool warm_start = false;                        // start from the z passed in, not from 0
    double relaxation = 1.0;                        // pgs, aapgs: on the spectral step, in (0, 2)
    SweepOrder sweep_order = SweepOrder::coloured;  // pgs, aapgs
    bool symmetric_sweep = false;                   // pgs, aapgs: forward, then backward
    std::int64_t seed = 0;                          // pgs, aapgs: random sweep order
    std::int64_t check_interval = 10;               // pgs, aapgs: sweeps between evaluations of eta
    std::int64_t stagnation_window = -1;  // iterations without 10 % progress: stalled. 0: never,
                                          // -1: max(200, max_iterations / 5)
    std::int64_t threads = 1;             // at most; results do not depend on it
    bool eliminate_bilateral = true;      // solve bilateral rows exactly where that is possible
    std::int64_t anderson_window = 5;     // aapgs: changes that are mixed, 1 to 20
    std::int64_t tie_rounds = 200;        // of tied bounds, of the exact law, >= 1
    bool least_norm = false;              // of all solutions the one of least energy norm
};

// Is there an answer? Values equal those of perp_outcome in the C header.
enum class Outcome : std::int32_t {
    solved = 1,
    iteration_limit = 2,
    time_limit = 3,
    stalled = 4,
    no_solution = 5,
    cancelled = 6,
    numerical_failure = 7,
};

// What a pivoting method had to resort to; bits of Info::fallbacks.
namespace fallback {
constexpr std::int64_t interior_point = 1;  // start: block exchanges alone stalled
constexpr std::int64_t single_pivots = 2;   // least index, after a set came back or none improved
constexpr std::int64_t line_search = 4;
constexpr std::int64_t general_basis = 8;  // LU: the symmetric factorization met a wrong sign
constexpr std::int64_t lemke = 16;
constexpr std::int64_t enumeration = 32;  // all basic sets of a small block
constexpr std::int64_t keller = 64;       // dense: the sparse factors lost too much
constexpr std::int64_t factorize = 256;   // auto, accurate: products were too slow
constexpr std::int64_t cold_start = 512;  // tied bounds: again from none, the guess led nowhere
constexpr std::int64_t polish = 128;      // accurate: Newton where the interior point stalled
}  // namespace fallback

struct Progress {
    std::int64_t iteration = 0;
    std::int64_t products = 0;
    double eta = 0.0;
    double best_eta = 0.0;
    double seconds = 0.0;
};
using ProgressCallback = std::function<bool(const Progress&)>;  // true: go on, false: cancel

struct Info {
    Outcome outcome = Outcome::iteration_limit;
    Method method = Method{0};  // of the answer; 0: the start was the answer
    std::int64_t iterations = 0;
    std::int64_t products = 0;     // products with S, evaluations of eta included
    std::int64_t restarts = 0;     // apgd: momentum restarts
    std::int64_t backtracks = 0;   // apgd: rejected steps
    std::int64_t accelerated = 0;  // aapgs: mixed candidates that were taken
    std::int64_t eliminated = 0;   // bilateral rows solved exactly
    std::int64_t threads = 1;      // used
    // pivoting, keller, lemke, ipm
    std::int64_t outer_loops = 0;     // of the proximal point method
    std::int64_t interior_steps = 0;  // ipm; pivoting: on the way to the starting set
    std::int64_t block_steps = 0;     // exchanges of whole sets
    std::int64_t single_pivots = 0;   // exchanges of one row
    std::int64_t factorizations = 0;  // numerical, from scratch
    std::int64_t updates = 0;         // rows exchanged without one
    std::int64_t fallbacks = 0;       // sum of Fallback
    double delta = 0.0;               // last proximal parameter of the rows with bounds
    double backward_error = 0.0;      // largest of all solves, after refinement
    std::int64_t tie_rounds = 0;      // problems solved with tied bounds or shifts given
    bool least_norm = false;          // the impulses are those of least energy norm
    double eta = 0.0;                 // of the z returned, recomputed from the problem
    double setup_seconds = 0.0, solve_seconds = 0.0;
};

// What is left of the limits after `before`.
Settings settings_after(const Info& before, double seconds, const Settings& settings);
// What `now` tells of a solve that `before` is a part of.
Progress progress_after(const Info& before, double seconds, Progress now);
// What `next` tells, with the counts and times of both: of solves that lead to one answer.
Info joined(const Info& before, const Info& next);

// Deviations of exported Delassus matrices reach 1e-3; beyond, descent tests lose their meaning.
constexpr double most_asymmetry = 1e-2;
// Why a method cannot take a problem; empty: it can.
std::string unsupported_reason(const Problem& problem, Method method);
// Finds basic sets with factorizations; the others iterate on products.
bool pivots(Method method);
// Solves cones with factorizations.
bool is_accurate(Method method);
// Is made of others (choice.hpp).
bool is_combined(Method method);
const char* name(Method method);
// 0 where the name is unknown.
Method method_from_name(const std::string& name);

class Engine;
class LeastNorm;
enum class OuterKind : std::int32_t;

class Solver {
public:
    // Throws bad_setting (setting named) and unsupported.
    Solver(std::shared_ptr<const Problem> problem, const Settings& settings);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    // z: guess in (if warm_start), answer out: the best iterate, whatever the outcome.
    Info solve(std::span<double> z, const ProgressCallback& progress);
    [[nodiscard]] const Settings& settings() const { return settings_; }
    void set(const Settings& settings);  // validated; workspace is kept where it still fits
    [[nodiscard]] const Problem& problem() const { return *problem_; }
    // After no_solution: d in the recession cone of K with S d = 0 and r . d < 0. Empty
    // otherwise, and where the proof was to try all basic sets of a small block.
    [[nodiscard]] const std::vector<double>& certificate() const { return certificate_; }

    // The basic set of the last solve by a pivoting method, a row each: -1 at lo, 0 basic, 1 at hi.
    [[nodiscard]] std::span<const std::int8_t> basic_set() const;
    // Forgets what earlier solves found; analyses of the problem's pattern are kept. The next solve
    // is to the bit that of a new Solver.
    void forget();
    // The set that the next solve starts from. Throws bad_value, unsupported.
    void set_basic_set(std::span<const std::int8_t> set);

private:
    struct Held {
        std::unique_ptr<Engine> engine;
        std::int64_t revision = -1;
        OuterKind outer{};
    };
    struct Workspace {
        ResidualWorkspace residual;
        std::vector<double> start, reached;
        std::int64_t velocities = -1;  // of the problem it is for
    };
    void prepare();
    void prepare_least_norm();
    Held& held();

    std::shared_ptr<const Problem> problem_;
    Settings settings_;
    Held first_order_, pivoting_, accurate_, combined_;
    std::unique_ptr<LeastNorm> least_norm_;
    std::int64_t least_norm_revision_ = -1;
    Workspace work_;
    double setup_seconds_ = 0.0;
    std::vector<double> certificate_;
};

void check_settings(const Settings& settings);

}  // namespace perp
