// The basis of symmetric problems: L D L' of the quasi-definite KKT matrix in (v, -z)
//
//   [ M    J_F'            ]
//   [ J_F  -(C_FF + delta) ]
//
// with rows added and deleted (algorithms.md 3.1 a1 and b1). Where that costs less the rows of J
// are eliminated first, so that dense blocks form and factorize the condensed M + J'(C + delta)^-1
// J of 3.1 a2, without its loss of digits in z. Also the kernel of the interior point, where every
// row is basic and delta changes in each step.
#pragma once

#include "solvers/basis.hpp"
#include "sparse/updated_ldl.hpp"

namespace perp {

class LdlBasis : public Basis {
public:
    explicit LdlBasis(const MixedForm& form);
    // Another problem; its ordering is kept if its pattern is the same.
    void renew(const MixedForm& form);

    bool factor(std::span<const std::uint8_t> basic, std::span<const double> delta) override;
    // The same with `shift` on the bounds' and bilateral rows' diagonals of the factors only:
    // solves refine it away.
    bool factor_shifted(std::span<const std::uint8_t> basic, std::span<const double> delta,
                        double shift);
    bool exchange(std::span<const std::int32_t> rows) override;
    void solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
               std::span<double> z) override;
    // With one refinement or none. Returns the backward error before it; 0 without.
    double solve_roughly(std::span<const double> f, std::span<const double> g, std::span<double> v,
                         std::span<double> z, bool refine);

private:
    bool refactor();
    void read_diagonals();
    void start(std::span<const double> f, std::span<const double> g, std::span<double> v,
               std::span<double> z);
    void add_solution(std::span<double> v, std::span<double> z);

    UpdatedLdl ldl_;
    double shift_ = 0.0;
    std::int64_t updates_since_factor_ = 0;
    std::vector<double> diagonal_, compliance_, solution_, rest_;
    std::vector<std::uint8_t> active_;
};

}  // namespace perp
