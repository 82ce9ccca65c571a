// The linear system of a basic set F, behind which all factorizations and their updates stand
// (algorithms.md 3.5):
//
//   [ M    -J_F'        ] [ v   ]   [ f   ]
//   [ J_F  C_FF + delta ] [ z_F ] = [ g_F ]        delta: a diagonal, one entry per row
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problem/mixed_form.hpp"

namespace perp {

struct BasisStatistics {
    std::int64_t nonzeros = 0;  // of the factors
    std::int64_t factorizations = 0;
    std::int64_t updates = 0;     // rows exchanged without a factorization
    double backward_error = 0.0;  // of the last solve, after refinement
    double largest_error = 0.0;   // of all solves
};

class Basis {
public:
    virtual ~Basis() = default;
    Basis() = default;
    Basis(const Basis&) = delete;
    Basis& operator=(const Basis&) = delete;

    // A set (nonzero: basic) and the delta of every row; a copy of both is kept. False where the
    // matrix is singular or has not the inertia of n positive and |F| negative eigenvalues.
    virtual bool factor(std::span<const std::uint8_t> basic, std::span<const double> delta) = 0;
    // These rows (each once) change sides. Updates or factorizes, whichever costs fewer operations.
    virtual bool exchange(std::span<const std::int32_t> rows) = 0;
    // The set of the rows whose state is 0, with delta: keeps, updates or computes the factors.
    bool take(std::span<const std::int8_t> state, std::span<const double> delta);
    // f: n or empty (zero), g: p, of which rows in F are read. v: n; z: p, zero outside F. Refined
    // until the backward error stops falling.
    virtual void solve(std::span<const double> f, std::span<const double> g, std::span<double> v,
                       std::span<double> z) = 0;

    // z_F = (S_FF + delta)^-1 S_Fi for a row i outside F: the direction in which the basic
    // impulses give way when z_i grows.
    void solve_column(std::int64_t i, std::span<double> v, std::span<double> z);
    [[nodiscard]] const BasisStatistics& statistics() const { return statistics_; }
    void start_statistics() { statistics_ = {statistics_.nonzeros}; }
    // There are factors of basic() and delta().
    [[nodiscard]] bool factorized() const { return factorized_; }
    [[nodiscard]] std::span<const std::uint8_t> basic() const { return basic_; }
    [[nodiscard]] std::span<const double> delta() const { return delta_; }

protected:
    explicit Basis(const MixedForm& form) : form_(&form), basic_(form.p, 0), delta_(form.p, 0.0) {}
    // f, g - (matrix of the current set) (v, z_F). Returns its largest entry over that of f, g, v,
    // z and delta z: the backward error, since the scaled matrices have entries of about 1.
    double residual(std::span<const double> f, std::span<const double> g, std::span<const double> v,
                    std::span<const double> z, std::span<double> rest_f,
                    std::span<double> rest_g) const;

    const MixedForm* form_ = nullptr;
    BasisStatistics statistics_;
    std::vector<std::uint8_t> basic_;
    std::vector<double> delta_;
    bool factorized_ = false;  // of basic_ and delta_

private:
    std::vector<std::uint8_t> taken_;
    std::vector<std::int32_t> flips_;
};

}  // namespace perp
