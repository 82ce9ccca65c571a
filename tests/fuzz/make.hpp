// Matrices, systems and problems from the bytes of a fuzzer, and what every problem must promise.
#pragma once

#include <cstdint>
#include <vector>

#include "input.hpp"
#include "perp/perp.h"

namespace perp_fuzz {

// Owned triplets; arrays have exactly `count` entries, so that reading beyond is seen.
struct Matrix {
    std::int64_t rows = 0, cols = 0, count = 0, base = 0;
    std::vector<std::int64_t> row, col;
    std::vector<double> value;

    void add(std::int64_t i, std::int64_t j, double x);
    [[nodiscard]] perp_triplets view() const;
};

// Entries anywhere, seldom outside, with duplicates; odd sizes and NULL arrays now and then.
Matrix any_matrix(Input& in, std::int64_t rows, std::int64_t cols);
// Mostly symmetric positive definite, by blocks or as one chain; n may be changed.
Matrix mass_matrix(Input& in, std::int64_t n);

// The sizes of a system, for vectors that fit it.
struct Sizes {
    std::int64_t n = 0, m = 0, r = 0, t = 0, a = 0, k = 0;
};

// The vectors of a step; some missing, some wrong.
struct RowVectors {
    RowVectors(Input& in, const Sizes& sizes);
    std::vector<std::vector<double>> owned;
    perp_rows rows;
};

// NULL when the library refused the input. `sizes`: those of the matrices given.
perp_system* make_system(Input& in, Sizes& sizes);
// `law`: PERP_LAW_CONE or _BOX.
perp_problem* make_assembled(Input& in, const perp_system* system, const Sizes& sizes, int law);
perp_problem* make_blcp(Input& in);
perp_problem* make_delassus(Input& in);
// New vectors for an assembled problem; every status is legal.
std::int32_t set_rows(Input& in, perp_problem* problem, const perp_system* system,
                      const Sizes& sizes);

// A status of perp.h, other than the one for a defect; messages belong to failures.
void check_status(std::int32_t status);
bool same_bits(const std::vector<double>& x, const std::vector<double>& y);

std::int64_t rows_of(const perp_problem* problem);
// Everything that only reads: info, residual, velocities, the matrix.
void read_all(Input& in, const perp_problem* problem);
// A solve that must be honest: finite z, eta recomputed, solved exactly where eta <= tolerance.
void solve(perp_solver* solver, const perp_problem* problem, std::vector<double> guess);
// Few iterations with every method.
void solve_all(Input& in, const perp_problem* problem);

}  // namespace perp_fuzz
