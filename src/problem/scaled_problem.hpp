// The problem as every solver sees it: energy-scaled once (algorithms.md 1.3, rule S2), rows of a
// contact contiguous, velocities transformed so that M becomes the identity.
//
//   z = e zh,  uh = e u = Sh zh + rh,  Sh = Jh Jh' + Ch,  Jh = e J Q^-1   (M = Q'Q)
//
// A contact keeps its cone with mu e_n / e_t (sigma, rho likewise): e_n = 1/sqrt(d_n),
// e_t = sqrt(t / sum d_t), angular rows sqrt(omega_r), intervals 1/sqrt(d). Diagonals become about
// 1, masses and units drop out. Order of rows: contacts, then intervals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/block_rows.hpp"
#include "problem/problem.hpp"

namespace perp {

class ScaledProblem {
public:
    explicit ScaledProblem(const Problem& problem);

    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t contacts() const { return contacts_; }
    [[nodiscard]] std::int64_t scalars() const { return rows_ - contacts_ * shape_.rows(); }
    [[nodiscard]] std::int64_t scalars_first() const { return scalars_first_; }
    [[nodiscard]] const ContactShape& shape() const { return shape_; }
    [[nodiscard]] bool matrix_form() const { return matrix_form_; }

    [[nodiscard]] const std::vector<double>& free_velocity() const { return free_; }  // rh
    [[nodiscard]] const std::vector<ConeCoefficients>& coefficients() const {
        return coefficients_;
    }
    [[nodiscard]] const std::vector<double>& lo() const { return lo_; }  // per interval, scaled
    [[nodiscard]] const std::vector<double>& hi() const { return hi_; }
    [[nodiscard]] double free_norm() const { return free_norm_; }

    // Jacobian form: Jh and the diagonal Ch. Matrix form: Sh.
    [[nodiscard]] const BlockRows& contact_rows() const { return contact_rows_; }
    [[nodiscard]] const BlockRows& scalar_rows() const { return scalar_rows_; }
    [[nodiscard]] const std::vector<double>& compliance() const { return compliance_; }
    [[nodiscard]] const Csr& matrix() const { return matrix_; }
    // Length of the vector v^ = Jh' zh that sweeps carry along; 0 in matrix form.
    [[nodiscard]] std::int64_t velocities() const { return velocities_; }

    void from_user(std::span<const double> z, std::span<double> scaled) const;
    void to_user(std::span<const double> scaled, std::span<double> z) const;
    // v^ = Jh' zh (Jacobian form only).
    void scatter_all(std::span<const double> scaled, std::span<double> v) const;
    // out = Sh zh; `v` has velocities() entries and holds v^ afterwards.
    void product(std::span<const double> scaled, std::span<double> out, std::span<double> v) const;
    // out = Sh zh for the v^ given.
    void gather_all(std::span<const double> scaled, std::span<const double> v,
                    std::span<double> out) const;
    void project(std::span<double> scaled) const;
    // eta of zh, given Sh zh: equals residual().eta up to rounding.
    [[nodiscard]] double eta(std::span<const double> scaled, std::span<const double> product) const;
    // The k x k diagonal block of Sh of a contact (row-major), the diagonal entry of an interval.
    void contact_block(std::int64_t contact, double* block) const;
    [[nodiscard]] double scalar_diagonal(std::int64_t scalar) const;

private:
    void scale_rows(const Problem& problem);
    void build_jacobian(const Problem& problem);
    void build_matrix(const Problem& problem);

    std::int64_t rows_ = 0, contacts_ = 0, scalars_first_ = 0, velocities_ = 0;
    ContactShape shape_;
    bool matrix_form_ = false;
    std::vector<std::int32_t> user_row_;  // of each scaled row
    std::vector<double> scale_;           // e
    std::vector<double> free_, lo_, hi_, compliance_;
    std::vector<ConeCoefficients> coefficients_;
    struct NormWeights {  // y = zh * weight is the energy-scaled impulse of eta (angular rows: 1)
        double normal, tangential;
    };
    std::vector<NormWeights> norm_weights_;
    double free_norm_ = 0.0;
    BlockRows contact_rows_, scalar_rows_;
    Csr matrix_;
};

}  // namespace perp
