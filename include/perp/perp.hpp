// perp.hpp: perp for C++17 and later. Header-only; a thin layer over perp.h, which is the contract:
// signs, units, laws, defaults and outcomes are described there and hold here unchanged.
//
//   perp::Matrices matrices;                        // M, A, N, D, S, B as triplets
//   perp::System system(matrices);
//   perp::Rows rows;                                // views of the vectors of a step
//   perp::Problem problem = perp::Problem::cone(system, rows);
//   std::vector<double> z;
//   perp_info info = perp::Solver(problem).solve(z);
//   if (info.outcome == PERP_SOLVED) use(problem.velocity(z));
//
// What it adds:
//  - Ownership: handles are move-only and released by their destructors, in any order. A handle
//    that was moved from may only be destroyed or assigned to; a call with it throws.
//  - Errors: a call that fails throws perp::Error with the status and the message, and leaves its
//    arguments as they were. A solve that ends unsolved does not throw: look at perp_info::outcome.
//  - Sizes: the C functions cannot see the length of an array. Here every length is checked before
//    the call; a wrong one throws PERP_BAD_SIZE and names the argument.
// Threads: as in perp.h. Different objects at once; one object by one thread at a time.
#ifndef PERP_PERP_HPP
#define PERP_PERP_HPP

// The flags of another library may have asked for an older standard.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 201703L : __cplusplus < 201703L
#error "perp.hpp needs C++17: give -std=c++17 behind the flags of other libraries"
#endif

// The classes are in perp::cpp, which is inline: the library's own have names in perp, too.
#include "perp/cpp/basics.hpp"
#include "perp/cpp/friction.hpp"
#include "perp/cpp/problem.hpp"
#include "perp/cpp/solver.hpp"
#include "perp/cpp/system.hpp"

#endif  // PERP_PERP_HPP
