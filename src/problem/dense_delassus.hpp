// S^ = J M^-1 J' + C of the mixed form as a dense matrix, for small problems.
#pragma once

#include <cstdint>

#include "problem/mixed_form.hpp"
#include "sparse/principal_inverse.hpp"

namespace perp {

struct DenseDelassus {
    DenseDelassus() = default;
    // For symmetric forms; both triangles equal to the bit. Throws not_positive_definite.
    explicit DenseDelassus(const MixedForm& form);

    [[nodiscard]] std::int64_t size() const { return dense.size(); }
    [[nodiscard]] const double* row(std::int64_t i) const { return dense.row(i); }
    // out += sum of coefficient(k) * column row(k) of S over k < count.
    template <class Coefficient, class Row>
    void add_columns(double* __restrict__ out, std::int64_t count, Coefficient&& coefficient,
                     Row&& column) const {
        if (!mostly_zero) {
            add_rows(out, dense.size(), 0, count, coefficient,
                     [&](std::int64_t k) { return dense.row(column(k)); });
            return;
        }
        const std::int32_t* index = sparse.index.data();
        const double* value = sparse.value.data();
        for (std::int64_t k = 0; k < count; ++k) {
            const double a = coefficient(k);
            if (a == 0.0) continue;
            const std::int64_t i = column(k);
            for (std::int64_t e = sparse.start[i]; e < sparse.start[i + 1]; ++e)
                out[index[e]] += a * value[e];
        }
    }

    DenseMatrix dense;
    Csr sparse;  // the same where that is faster, else empty
    bool mostly_zero = false;

private:
    void find_zeros();
};

}  // namespace perp
