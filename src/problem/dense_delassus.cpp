#include "problem/dense_delassus.hpp"

#include <algorithm>

#include "sparse/mass_matrix.hpp"

namespace perp {
namespace {

// A multiplication by index costs as much as this many in a row of a dense matrix.
constexpr std::int64_t sparse_factor = 4;
constexpr double mass_tolerance = 1e-10;  // on symmetry, checked before: scaling adds rounding

// Y with Y Y' = J M^-1 J'.
Csr half_rows(const MixedForm& form) {
    const MassMatrix mass(form.M, MassStorage::full, mass_tolerance);
    MassMatrix::Scratch scratch;
    std::vector<std::int32_t> index;
    std::vector<double> value;
    Csr y;
    y.cols = form.n;
    for (std::int64_t i = 0; i < form.p; ++i) {
        mass.half_row(MassMatrix::Half::right, form.J.row_index(i), form.J.row_value(i), index,
                      value, scratch);
        y.index.insert(y.index.end(), index.begin(), index.end());
        y.value.insert(y.value.end(), value.begin(), value.end());
        y.start.push_back(static_cast<std::int64_t>(y.index.size()));
    }
    y.rows = form.p;
    return y;
}

// S += Y Y', the lower triangle.
void add_products(const Csr& y, DenseMatrix& s) {
    const Csr columns = transpose(y);
    for (std::int64_t i = 0; i < y.rows; ++i) {
        double* to = s.row(i);
        for (std::int64_t k = y.start[i]; k < y.start[i + 1]; ++k) {
            const double a = y.value[k];
            const std::int32_t c = y.index[k];
            for (std::int64_t m = columns.start[c];
                 m < columns.start[c + 1] && columns.index[m] <= i; ++m)
                to[columns.index[m]] += a * columns.value[m];
        }
    }
}

// The upper triangle from the lower one, by tiles that stay in the cache.
void mirror(DenseMatrix& s) {
    constexpr std::int64_t tile = 32;
    for (std::int64_t first = 0; first < s.size(); first += tile)
        for (std::int64_t j = 0; j < s.size(); ++j)
            for (std::int64_t i = std::max(first, j + 1); i < std::min(first + tile, s.size()); ++i)
                s.row(j)[i] = s.row(i)[j];
}

}  // namespace

DenseDelassus::DenseDelassus(const MixedForm& form) : dense(form.p) {
    for (std::int64_t i = 0; i < form.p; ++i) std::fill_n(dense.row(i), form.p, 0.0);
    if (form.n > 0) add_products(half_rows(form), dense);
    for (std::int64_t i = 0; i < form.p; ++i)
        for (std::int64_t k = form.C.start[i]; k < form.C.start[i + 1]; ++k)
            if (form.C.index[k] <= i) dense.row(i)[form.C.index[k]] += form.C.value[k];
    mirror(dense);
    find_zeros();
}

void DenseDelassus::find_zeros() {
    const std::int64_t n = dense.size();
    std::int64_t nonzeros = 0;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) nonzeros += dense.row(i)[j] != 0.0 ? 1 : 0;
    mostly_zero = nonzeros * sparse_factor < n * n;
    if (!mostly_zero) return;
    sparse.rows = sparse.cols = n;
    sparse.index.resize(nonzeros + 1);  // every entry is written, zeros are written over
    sparse.value.resize(nonzeros + 1);
    sparse.start.resize(n + 1);
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double* from = dense.row(i);
        for (std::int64_t j = 0; j < n; ++j) {
            sparse.index[end] = static_cast<std::int32_t>(j);
            sparse.value[end] = from[j];
            end += from[j] != 0.0 ? 1 : 0;
        }
        sparse.start[i + 1] = end;
    }
    sparse.index.resize(nonzeros);
    sparse.value.resize(nonzeros);
}

}  // namespace perp
