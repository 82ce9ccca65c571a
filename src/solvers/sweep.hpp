// One block Gauss-Seidel sweep, shared by pgs and aapgs. Under the exact law contacts are solved
// exactly, each given the others.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "cones/contact_cone.hpp"
#include "cones/coulomb_contact.hpp"
#include "problem/scaled_problem.hpp"
#include "solvers/solver.hpp"

namespace perp {

class SplitMix {  // Steele, Lea, Flood 2014: the same permutations on every machine
public:
    explicit SplitMix(std::int64_t seed) : state_(static_cast<std::uint64_t>(seed)) {}
    std::uint64_t next() {
        std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t state_;
};

// Contacts under the exact law that do not roll, by their tangential rows.
class CoulombContacts {
public:
    void reserve(const ContactShape& shape, std::int64_t contacts) {
        if (shape.angular() > 0) return;
        with_shape(shape, [&]<int T, int S, int R>() { list<T>().reserve(contacts); });
    }
    void append(const ContactShape& shape, const double* W) {
        if (shape.angular() > 0) return;
        with_shape(shape, [&]<int T, int S, int R>() { list<T>().emplace_back(W); });
    }
    template <int T>
    [[nodiscard]] const CoulombContact<T>* of() const {
        return std::get<std::vector<CoulombContact<T>>>(lists_).data();
    }

private:
    template <int T>
    auto& list() {
        return std::get<std::vector<CoulombContact<T>>>(lists_);
    }
    std::tuple<std::vector<CoulombContact<0>>, std::vector<CoulombContact<1>>,
               std::vector<CoulombContact<2>>>
        lists_;
};

class Sweeper {
public:
    Sweeper(const ScaledProblem& problem, const Settings& settings);

    // Forgets earlier random orders; v^ = Jh' z, and the eliminated rows of both.
    void start(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
               std::vector<double>& velocity);
    // v^ = Jh' z with the eliminated rows of z set to what the others ask for.
    void renew(const ScaledProblem& problem, std::vector<double>& z, std::vector<double>& velocity);
    // z <- one sweep (forward and backward if symmetric) over the active rows, then the eliminated
    // rows exactly; v^ = Jh' z is carried along.
    void sweep(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
               std::vector<double>& velocity);

private:
    void shuffle();
    template <bool Exact>
    void relax(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
               std::vector<double>& velocity);

    std::vector<double> step_;   // 1 / lambda_max per block: contacts, then intervals
    std::vector<double> block_;  // exact law: S_ii of contacts, symmetric
    CoulombContacts laws_;
    std::vector<std::int32_t> order_;  // blocks in sweep order; empty: the problem's own order
    std::vector<std::uint8_t> group_;  // contacts from each one on that share no body
    std::vector<double> elimination_work_;
    SplitMix random_{0};
};

// Blocks (contacts, then active intervals, in the problem's numbering) as the caller gave them:
// bilateral rows, contacts, box rows.
std::vector<std::int32_t> given_order(const ScaledProblem& problem);
// The same from the blocks of fewest bodies (contacts with the ground) outwards through shared
// bodies.
std::vector<std::int32_t> breadth_first_order(const ScaledProblem& problem);

}  // namespace perp
