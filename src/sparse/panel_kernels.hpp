// Dense work on the blocks of a supernodal L D L', for the processor at hand: the same code for
// the base instruction set and for AVX2. Products are not fused with sums, so both give the same
// bits.
//
// Blocks are stored by columns; rows are counted in fours (`rows` and leading dimensions are
// multiples of 4), and what pads them takes part in the arithmetic but not in the results.
#pragma once

#include <cstdint>

namespace perp {

// The multiple of 4 from n on.
constexpr std::int64_t in_fours(std::int64_t n) { return (n + 3) / 4 * 4; }

struct PanelKernels {
    // A <- L - I, pivot <- D, inverse <- 1 / D. Above the diagonal nothing is read, and zeros are
    // left next to it.
    void (*factor_block)(double* a, std::int64_t lda, std::int64_t width, double* pivot,
                         double* inverse);
    // Rows below a block that was factorized: c <- A L'^-1 (what products need), A <- c / D.
    void (*solve_rows)(double* a, std::int64_t lda, std::int64_t rows, const double* block,
                       std::int64_t ld_block, std::int64_t width, const double* inverse, double* c,
                       std::int64_t ldc);
    // u -= l c', l: rows x width, c: cols x width; of a square u only the lower triangle counts.
    void (*subtract_product)(double* u, std::int64_t ldu, std::int64_t rows, std::int64_t cols,
                             const double* l, std::int64_t ldl, const double* c, std::int64_t ldc,
                             std::int64_t width, bool lower);
    // out <- L^-1, of a block that was factorized, with ones on the diagonal and zeros above.
    void (*invert_block)(const double* block, std::int64_t ld, std::int64_t width, double* out,
                         std::int64_t ld_out);
    // x <- L^-1 x and x <- L'^-1 x with such an inverse, in place; what pads x is multiplied by
    // zero.
    void (*apply_inverse)(const double* inverse, std::int64_t ld, std::int64_t width, double* x);
    void (*apply_inverse_transposed)(const double* inverse, std::int64_t ld, std::int64_t width,
                                     double* x);
    // t <- L x, and s <- L' t.
    void (*multiply)(const double* l, std::int64_t ld, std::int64_t rows, std::int64_t width,
                     const double* x, double* t);
    void (*multiply_transposed)(const double* l, std::int64_t ld, std::int64_t rows,
                                std::int64_t width, const double* t, double* s);
    // One column of a rank-one change: w -= wj l, l += beta w.
    void (*rotate)(double* l, std::int64_t rows, double wj, double beta, double* w);
};

// Chosen by what the processor has.
const PanelKernels& panel_kernels();

// What it chooses from.
const PanelKernels& panel_kernels_base();
const PanelKernels& panel_kernels_avx2();  // the base where the compiler has no AVX2

}  // namespace perp
