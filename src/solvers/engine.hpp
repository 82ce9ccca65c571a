// What a Solver hands its work to: all methods of one kind, with the form of the problem that they
// share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solvers/solver.hpp"

namespace perp {

class Engine {
public:
    virtual ~Engine() = default;
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // The problem has changed: takes over its values and keeps what its pattern allows. False: it
    // can keep nothing, make a new engine.
    virtual bool renew() { return false; }
    // Its bounds and free velocity, and nothing else, have changed: takes them over, without
    // allocating.
    virtual void take_vectors() {}
    // Workspace of the method set, made where absent or unfit. True if there was something to do.
    virtual bool prepare(const Settings& settings) = 0;
    // z (the caller's units): the start in, the best iterate out. `certificate` is filled after
    // no_solution only, and not after a proof by exhaustion. The caller recomputes eta.
    virtual Info run(const Settings& settings, const ProgressCallback& progress,
                     std::span<double> z, std::vector<double>& certificate) = 0;

    // The final basic set of the last run, per row: -1 at lo, 0 basic, 1 at hi; empty: none.
    [[nodiscard]] virtual std::span<const std::int8_t> basic_set() const { return {}; }
    // What a run left that another one would start from: the next starts from its z alone, and is
    // the same to the bit as the first of a new engine.
    virtual void forget() {}
    // Multiplications of a factorization; 0 where there are none or nobody needs to know.
    [[nodiscard]] virtual double factor_cost() const { return 0.0; }
    // The set that the next run starts from.
    virtual void start_from(std::span<const std::int8_t> /*basic_set*/) {}
};

// The engine of a method and problem: one of those below.
std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings);
// pgs, apgd, aapgs.
std::unique_ptr<Engine> make_first_order_engine(const Problem& problem, const Settings& settings);
// pivoting, keller, lemke.
std::unique_ptr<Engine> make_pivoting_engine(const Problem& problem);
// ipm, newton; accurate: both, without products.
std::unique_ptr<Engine> make_accurate_engine(const Problem& problem);
// auto, accurate: of the engines above.
std::unique_ptr<Engine> make_combined_engine(const Problem& problem);
// What a problem's law asks for around the method's own engine.
enum class OuterKind : std::int32_t { none, ties, coulomb };
OuterKind outer_kind(const Problem& problem, Method method);
// Bounds tied to normal impulses, by any of the methods.
std::unique_ptr<Engine> make_tied_engine(const Problem& problem, const Settings& settings);
// The exact Coulomb law, by any of the methods for cones but pgs and aapgs, whose sweeps know it.
std::unique_ptr<Engine> make_coulomb_engine(const Problem& problem, const Settings& settings);
// auto under the exact law: sweeps, then the engine above.
std::unique_ptr<Engine> make_sweeps_first(const Problem& problem, const Settings& settings);

}  // namespace perp
