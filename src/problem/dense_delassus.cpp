#include "problem/dense_delassus.hpp"

#include "sparse/mass_matrix.hpp"

namespace perp {
namespace {

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

}  // namespace

DenseMatrix dense_delassus(const MixedForm& form) {
    DenseMatrix s(form.p);
    if (form.n > 0) {
        const Csr y = half_rows(form);
        const Csr columns = transpose(y);
        // Row i up to the diagonal: rows that share a column come sorted.
        for (std::int64_t i = 0; i < form.p; ++i) {
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
    for (std::int64_t i = 0; i < form.p; ++i)
        for (std::int64_t k = form.C.start[i]; k < form.C.start[i + 1]; ++k)
            if (form.C.index[k] <= i) s.row(i)[form.C.index[k]] += form.C.value[k];
    for (std::int64_t i = 0; i < form.p; ++i)
        for (std::int64_t j = 0; j < i; ++j) s.row(j)[i] = s.row(i)[j];
    return s;
}

}  // namespace perp
