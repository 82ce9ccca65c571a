// The basis of problems that are not symmetric: sparse LU of all n + p columns, a column of a row
// being [-J_i'; C_i + delta_i e_i] where it is basic and -e_i, that of w_i, where it is not
// (algorithms.md 3.1 c). Exchanges replace columns.
#pragma once

#include "solvers/basis.hpp"
#include "sparse/updated_lu.hpp"

namespace perp {

class LuBasis : public Basis {
public:
    explicit LuBasis(const MixedForm& form);

    bool factor(std::span<const std::uint8_t> basic, std::span<const double> delta) override;
    bool exchange(std::span<const std::int32_t> rows) override;
    void solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
               std::span<double> z) override;

private:
    [[nodiscard]] SparseColumn row_column(std::int64_t i);
    void count();

    UpdatedLu lu_;
    Csr Ct_;  // columns of C
    SparseColumns matrix_;
    std::vector<std::int64_t> index_;  // of the column at hand
    std::vector<double> value_, right_, solution_;
};

}  // namespace perp
