// The code of the panel kernels, compiled once per instruction set. It must not call inline
// functions of other headers: the linker keeps one copy of those, for any processor.
#pragma once

#include "sparse/panel_kernels.hpp"

namespace perp {
namespace {

using Index = std::int64_t;
// Four doubles; the compiler makes of it what the instruction set has.
using Four = double __attribute__((vector_size(32)));

// Four doubles at any address.
inline Four load(const double* p) {
    Four x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
inline void store(double* p, const Four& x) { __builtin_memcpy(p, &x, sizeof x); }

void factor_block(double* a, Index lda, Index width, double* pivot, double* inverse) {
    for (Index k = 0; k < width; ++k) {
        double* const column = a + k * lda;
        pivot[k] = column[k];
        const double scale = inverse[k] = 1.0 / column[k];
        const Index end = (width + 3) / 4 * 4;
        for (Index j = k + 1; j < width; ++j) {
            const double factor = column[j] * scale;
            double* const out = a + j * lda;
            for (Index i = j / 4 * 4; i < end; i += 4)
                store(out + i, load(out + i) - load(column + i) * factor);
        }
        for (Index i = k / 4 * 4; i <= k; ++i) column[i] = 0.0;
        for (Index i = k + 1; i < width; ++i) column[i] *= scale;
    }
}

// R fours of rows.
template <Index R>
void solve_some_rows(double* a, Index lda, const double* block, Index ld_block, Index width,
                     const double* inverse, double* c, Index ldc) {
    for (Index j = 0; j < width; ++j) {
        Four sum[R];
        for (Index r = 0; r < R; ++r) sum[r] = load(a + j * lda + 4 * r);
        for (Index k = 0; k < j; ++k) {
            const double factor = block[j + k * ld_block];
            for (Index r = 0; r < R; ++r) sum[r] -= load(c + k * ldc + 4 * r) * factor;
        }
        for (Index r = 0; r < R; ++r) {
            store(c + j * ldc + 4 * r, sum[r]);
            store(a + j * lda + 4 * r, sum[r] * inverse[j]);
        }
    }
}

void solve_rows(double* a, Index lda, Index rows, const double* block, Index ld_block, Index width,
                const double* inverse, double* c, Index ldc) {
    Index i = 0;
    for (; i + 12 <= rows; i += 12)
        solve_some_rows<3>(a + i, lda, block, ld_block, width, inverse, c + i, ldc);
    if (i + 8 <= rows) {
        solve_some_rows<2>(a + i, lda, block, ld_block, width, inverse, c + i, ldc);
        i += 8;
    }
    if (i < rows) solve_some_rows<1>(a + i, lda, block, ld_block, width, inverse, c + i, ldc);
}

// R fours of rows, C columns.
template <Index R, Index C>
void subtract_tile(double* u, Index ldu, const double* l, Index ldl, const double* c, Index ldc,
                   Index width) {
    Four sum[C][R];
    for (Index j = 0; j < C; ++j)
        for (Index r = 0; r < R; ++r) sum[j][r] = load(u + j * ldu + 4 * r);
    for (Index k = 0; k < width; ++k) {
        Four row[R];
        for (Index r = 0; r < R; ++r) row[r] = load(l + k * ldl + 4 * r);
        for (Index j = 0; j < C; ++j) {
            const double factor = c[j + k * ldc];
            for (Index r = 0; r < R; ++r) sum[j][r] -= row[r] * factor;
        }
    }
    for (Index j = 0; j < C; ++j)
        for (Index r = 0; r < R; ++r) store(u + j * ldu + 4 * r, sum[j][r]);
}

template <Index C>
void subtract_columns(double* u, Index ldu, Index rows, const double* l, Index ldl, const double* c,
                      Index ldc, Index width) {
    Index i = 0;
    for (; i + 8 <= rows; i += 8) subtract_tile<2, C>(u + i, ldu, l + i, ldl, c, ldc, width);
    if (i < rows) subtract_tile<1, C>(u + i, ldu, l + i, ldl, c, ldc, width);
}

void subtract_product(double* u, Index ldu, Index rows, Index cols, const double* l, Index ldl,
                      const double* c, Index ldc, Index width, bool lower) {
    Index j = 0;
    for (; j + 4 <= cols; j += 4) {
        const Index top = lower ? j : 0;
        subtract_columns<4>(u + top + j * ldu, ldu, rows - top, l + top, ldl, c + j, ldc, width);
    }
    for (; j < cols; ++j) {
        const Index top = lower ? j / 4 * 4 : 0;
        subtract_columns<1>(u + top + j * ldu, ldu, rows - top, l + top, ldl, c + j, ldc, width);
    }
}

// Column j of the inverse is e_j less the columns of L that its entries meet, from the top; C
// columns at a time.
template <Index C>
void invert_columns(const double* block, Index ld, Index width, Index j, double* out,
                    Index ld_out) {
    double* const x = out + j * ld_out;
    for (Index c = 0; c < C; ++c) {
        for (Index i = 0; i < ld_out; i += 4) store(x + c * ld_out + i, Four{});
        x[c * ld_out + j + c] = 1.0;
    }
    for (Index k = j; k + 1 < width; ++k) {
        double factor[C];
        for (Index c = 0; c < C; ++c) factor[c] = x[c * ld_out + k];
        for (Index i = (k + 1) / 4 * 4; i < width; i += 4)
            for (Index c = 0; c < C; ++c)
                store(x + c * ld_out + i,
                      load(x + c * ld_out + i) - load(block + k * ld + i) * factor[c]);
    }
}

void invert_block(const double* block, Index ld, Index width, double* out, Index ld_out) {
    Index j = 0;
    for (; j + 4 <= width; j += 4) invert_columns<4>(block, ld, width, j, out, ld_out);
    for (; j < width; ++j) invert_columns<1>(block, ld, width, j, out, ld_out);
}

// R fours of rows from row i on of L^-1 x; the rows below are done.
template <Index R>
void apply_rows(const double* inverse, Index ld, Index width, Index i, double* x) {
    Four sum[R] = {};
    const Index end = i + 4 * R < width ? i + 4 * R : width;
    for (Index k = 0; k < end; ++k)
        for (Index r = 0; r < R; ++r) sum[r] += load(inverse + k * ld + i + 4 * r) * x[k];
    for (Index r = 0; r < R; ++r) {
        double* const out = x + i + 4 * r;
        const Index left = width - i - 4 * r;
        if (left >= 4) {
            store(out, sum[r]);
            continue;
        }
        if (left > 0) out[0] = sum[r][0];
        if (left > 1) out[1] = sum[r][1];
        if (left > 2) out[2] = sum[r][2];
    }
}

void apply_inverse(const double* inverse, Index ld, Index width, double* x) {
    Index i = (width + 3) / 4 * 4;
    for (; i >= 12; i -= 12) apply_rows<3>(inverse, ld, width, i - 12, x);
    if (i == 8) apply_rows<2>(inverse, ld, width, 0, x);
    if (i == 4) apply_rows<1>(inverse, ld, width, 0, x);
}

template <Index R>
void multiply_some(const double* l, Index ld, Index width, const double* x, double* t) {
    Four sum[R] = {};
    for (Index k = 0; k < width; ++k)
        for (Index r = 0; r < R; ++r) sum[r] += load(l + k * ld + 4 * r) * x[k];
    for (Index r = 0; r < R; ++r) store(t + 4 * r, sum[r]);
}

void multiply(const double* l, Index ld, Index rows, Index width, const double* x, double* t) {
    Index i = 0;
    for (; i + 16 <= rows; i += 16) multiply_some<4>(l + i, ld, width, x, t + i);
    if (i + 8 <= rows) {
        multiply_some<2>(l + i, ld, width, x, t + i);
        i += 8;
    }
    if (i < rows) multiply_some<1>(l + i, ld, width, x, t + i);
}

template <Index C>
void dots(const double* l, Index ld, Index rows, const double* t, double* s) {
    Four sum[4] = {};
    for (Index i = 0; i < rows; i += 4)
        for (Index k = 0; k < C; ++k) sum[k] += load(l + k * ld + i) * load(t + i);
    const Four ab = __builtin_shufflevector(sum[0], sum[1], 0, 4, 2, 6) +
                    __builtin_shufflevector(sum[0], sum[1], 1, 5, 3, 7);
    const Four cd = __builtin_shufflevector(sum[2], sum[3], 0, 4, 2, 6) +
                    __builtin_shufflevector(sum[2], sum[3], 1, 5, 3, 7);
    const Four all =
        __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    if (C == 4) store(s, all);
    for (Index k = 0; k < C && C < 4; ++k) s[k] = all[k];
}

void multiply_transposed(const double* l, Index ld, Index rows, Index width, const double* t,
                         double* s) {
    Index k = 0;
    for (; k + 4 <= width; k += 4) dots<4>(l + k * ld, ld, rows, t, s + k);
    if (width - k == 3) dots<3>(l + k * ld, ld, rows, t, s + k);
    if (width - k == 2) dots<2>(l + k * ld, ld, rows, t, s + k);
    if (width - k == 1) dots<1>(l + k * ld, ld, rows, t, s + k);
}

// Columns further right meet rows further down only, so x may be overwritten from the top.
void apply_inverse_transposed(const double* inverse, Index ld, Index width, double* x) {
    const Index rows = (width + 3) / 4 * 4;
    Index k = 0;
    for (; k + 4 <= width; k += 4) dots<4>(inverse + k + k * ld, ld, rows - k, x + k, x + k);
    const double* const rest = inverse + k + k * ld;
    if (width - k == 3) dots<3>(rest, ld, 4, x + k, x + k);
    if (width - k == 2) dots<2>(rest, ld, 4, x + k, x + k);
    if (width - k == 1) dots<1>(rest, ld, 4, x + k, x + k);
}

void rotate(double* l, Index rows, double wj, double beta, double* w) {
    for (Index i = 0; i < rows; i += 4) {
        const Four change = load(w + i) - load(l + i) * wj;
        store(w + i, change);
        store(l + i, load(l + i) + change * beta);
    }
}

constexpr PanelKernels compiled_kernels{factor_block, solve_rows,          subtract_product,
                                        invert_block, apply_inverse,       apply_inverse_transposed,
                                        multiply,     multiply_transposed, rotate};

}  // namespace
}  // namespace perp
