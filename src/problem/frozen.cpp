// Laws of a Problem that depend on its own answer, bounds tied to impulses and the exact Coulomb
// law, and the problem that they lead to at a given one.
#include <cinttypes>
#include <cmath>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/problem.hpp"

namespace perp {

void check_tied_bounds(const ConstraintSet& set) {
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        if (!set.tied(s)) continue;
        const bool lower = std::isfinite(set.lo[s]);
        if (lower || std::isfinite(set.hi[s]))
            fail(Status::bad_bounds,
                 "%s[%" PRId32 "] = %.17g, but the bounds of row %" PRId32
                 " are tied to row %" PRId32 ": a tied row has lo = -inf and hi = +inf",
                 lower ? "lo" : "hi", set.scalar_row[s], lower ? set.lo[s] : set.hi[s],
                 set.scalar_row[s], set.tie[s].normal);
    }
}

void Problem::set_ties(std::span<const std::int64_t> rows, std::span<const std::int64_t> normals,
                       std::span<const double> coefficients) {
    if (!matrix_ || matrix_->delassus)
        fail(Status::unsupported,
             "ties: only a general BLCP takes them; give an assembled problem mu without lo_T and "
             "hi_T");
    ConstraintSet set = set_;
    set.tie.assign(rows.empty() ? 0 : set.scalars(), {});
    const auto check_row = [p = set.rows](const char* name, std::size_t k, std::int64_t row) {
        if (row < 0 || row >= p)
            fail(Status::bad_index, "%s[%zu] = %" PRId64 " is outside 0..%" PRId64, name, k, row,
                 p - 1);
    };
    for (std::size_t k = 0; k < rows.size(); ++k) {
        check_row("row", k, rows[k]);
        check_row("normal", k, normals[k]);
        if (!(coefficients[k] >= 0.0) || std::isinf(coefficients[k]))
            fail(Status::bad_value, "coefficient[%zu] = %.17g is negative or not finite", k,
                 coefficients[k]);
        if (normals[k] == rows[k])
            fail(Status::bad_value, "normal[%zu] = %" PRId64 " is the row that it is to bound", k,
                 normals[k]);
        if (set.tied(rows[k]))
            fail(Status::bad_value, "row[%zu] = %" PRId64 " is given twice", k, rows[k]);
        set.tie[rows[k]] = {static_cast<std::int32_t>(normals[k]), coefficients[k]};
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (set.tied(normals[k]))
            fail(Status::bad_value, "normal[%zu] = %" PRId64 " is tied itself", k, normals[k]);
    check_tied_bounds(set);
    set_ = std::move(set);
    ++revision_;
}

Problem Problem::frozen() const {
    Problem frozen(*this);
    frozen.set_.tie.clear();
    for (std::int64_t s = 0; s < set_.scalars(); ++s)
        if (set_.tied(s)) frozen.set_.lo[s] = frozen.set_.hi[s] = 0.0;
    if (set_.exact) frozen.set_law(Law::cone);
    return frozen;
}

void Problem::set_half_widths(std::span<const std::int32_t> scalars,
                              std::span<const double> half_widths) {
    for (std::size_t k = 0; k < scalars.size(); ++k) {
        set_.lo[scalars[k]] = -half_widths[k];
        set_.hi[scalars[k]] = half_widths[k];
    }
    ++revision_;
}

void Problem::shift_normals(const Problem& given, std::span<const double> shift) {
    const int k = set_.shape.rows();
    std::vector<double>& constant = assembled_ ? assembled_->constant : matrix_->q;
    const std::vector<double>& from =
        given.assembled_ ? given.assembled_->constant : given.matrix_->q;
    for (std::int64_t i = 0; i < set_.contacts; ++i) {
        const std::int32_t row = set_.contact_row[i * k];
        constant[row] = from[row] + shift[i];
        free_[row] = given.free_[row] + shift[i];
    }
    ++revision_;
}

}  // namespace perp
