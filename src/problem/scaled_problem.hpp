// The problem as every solver sees it: energy-scaled once (algorithms.md 1.3, rule S2), rows of a
// contact contiguous, velocities transformed so that M becomes the identity.
//
//   z = e zh,  uh = e u = Sh zh + rh,  Sh = Jh Jh' + Ch,  Jh = e J Q^-1   (M = Q'Q)
//
// A contact keeps its cone with mu e_n / e_t (sigma, rho likewise): e_n = 1/sqrt(d_n),
// e_t = sqrt(t / sum d_t), angular rows sqrt(omega_r), intervals 1/sqrt(d). Diagonals become about
// 1, masses and units drop out.
//
// Order of rows: contacts, active intervals, eliminated bilateral rows; contacts and intervals in
// the order of BlockOrder, so that a sweep reads every array from front to back. Velocities are
// those of the tiles in use (BlockRows), in the same order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/block_order.hpp"
#include "problem/block_rows.hpp"
#include "problem/elimination.hpp"
#include "problem/problem.hpp"

namespace perp {

struct Sums {  // what a loop over blocks adds up
    double value[4] = {0.0, 0.0, 0.0, 0.0};
};

class ScaledProblem {
public:
    struct NormWeights {  // y = zh * weight is the energy-scaled impulse of eta (angular rows: 1)
        double normal, tangential;
    };

    // With `eliminate` the bilateral rows of an assembled problem with a symmetric mass matrix are
    // solved exactly (Elimination) where their factorization succeeds.
    explicit ScaledProblem(const Problem& problem, bool eliminate = false);

    // The problem has other bounds and another free velocity, and the same of everything else.
    // Does not allocate.
    void take_vectors(const Problem& problem);

    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t contacts() const { return contacts_; }
    [[nodiscard]] std::int64_t scalars() const { return rows_ - contacts_ * shape_.rows(); }
    [[nodiscard]] std::int64_t eliminated() const {
        return elimination_ ? elimination_->rows() : 0;
    }
    // Rows and intervals that solvers iterate on.
    [[nodiscard]] std::int64_t active_rows() const { return rows_ - eliminated(); }
    [[nodiscard]] std::int64_t active_scalars() const { return scalars() - eliminated(); }
    [[nodiscard]] std::int64_t scalar_row(std::int64_t scalar) const {
        return contacts_ * shape_.rows() + scalar;
    }
    [[nodiscard]] std::int64_t scalars_first() const { return scalars_first_; }
    [[nodiscard]] const ContactShape& shape() const { return shape_; }
    [[nodiscard]] bool matrix_form() const { return matrix_form_; }
    // Contacts under Coulomb's exact law.
    [[nodiscard]] bool exact() const { return exact_; }
    // Velocities per tile; 0 in matrix form.
    [[nodiscard]] int tile() const { return matrix_form_ ? 0 : scalar_rows_.tile; }
    [[nodiscard]] const BlockOrder& order() const { return order_; }

    [[nodiscard]] const std::vector<double>& free_velocity() const { return free_; }  // rh
    [[nodiscard]] ConeCoefficients coefficients(std::int64_t contact) const {
        return {sliding_.empty() ? 0.0 : sliding_[contact], spin_.empty() ? 0.0 : spin_[contact],
                roll_.empty() ? 0.0 : roll_[contact]};
    }
    [[nodiscard]] NormWeights norm_weights(std::int64_t contact) const {
        return norm_weights_[contact];
    }
    [[nodiscard]] const std::vector<double>& lo() const { return lo_; }  // per interval, scaled
    [[nodiscard]] const std::vector<double>& hi() const { return hi_; }
    [[nodiscard]] double free_norm() const { return free_norm_; }

    // Jacobian form: Jh and the diagonal Ch. Matrix form: Sh, in tiles of 1.
    [[nodiscard]] const BlockRows& contact_rows() const { return contact_rows_; }
    [[nodiscard]] const BlockRows& scalar_rows() const { return scalar_rows_; }
    [[nodiscard]] double compliance(std::int64_t row) const {
        return compliance_.empty() ? 0.0 : compliance_[row];
    }
    // Length of the vector v^ = Jh' zh that sweeps carry along; 0 in matrix form.
    [[nodiscard]] std::int64_t velocities() const { return velocities_; }

    // Threads for loops over blocks; nothing computed depends on it.
    void set_threads(int threads) { threads_ = threads; }
    [[nodiscard]] int threads() const { return threads_; }
    // Parts of all active blocks for loops without conflicts, and a place for the sums of each.
    [[nodiscard]] const std::vector<BlockRange>& parts() const { return parts_; }
    [[nodiscard]] std::vector<Sums>& part_sums() const { return part_sums_; }

    void from_user(std::span<const double> z, std::span<double> scaled) const;
    void to_user(std::span<const double> scaled, std::span<double> z) const;
    // v^ = Jh' zh (Jacobian form only), over all rows.
    void scatter_all(std::span<const double> scaled, std::span<double> v) const;
    // out = Sh zh over all rows; `v` has velocities() entries and holds v^ afterwards.
    void product(std::span<const double> scaled, std::span<double> out, std::span<double> v) const;
    // out = Sh zh for the v^ given.
    void gather_all(std::span<const double> scaled, std::span<const double> v,
                    std::span<double> out) const;
    // Sets the eliminated rows of zh, and v^ with them, to what the other rows ask for; `work` has
    // elimination_work() entries. Does nothing where no row is eliminated.
    void eliminate(std::span<double> scaled, std::span<double> v, std::span<double> work) const;
    // The same where v^ holds the other rows' part alone.
    void eliminate_from_zero(std::span<double> scaled, std::span<double> v,
                             std::span<double> work) const;
    // The eliminated rows of Sh zh.
    void gather_eliminated(std::span<const double> scaled, std::span<const double> v,
                           std::span<double> out) const;
    [[nodiscard]] std::int64_t elimination_work() const {
        return elimination_ ? elimination_->work_size() : 0;
    }
    void project(std::span<double> scaled) const;
    // eta of zh, given Sh zh: equals residual().eta up to rounding.
    [[nodiscard]] double eta(std::span<const double> scaled, std::span<const double> product) const;
    // The k x k diagonal block of Sh of a contact (row-major), the diagonal entry of an interval.
    void contact_block(std::int64_t contact, double* block) const;
    [[nodiscard]] double scalar_diagonal(std::int64_t scalar) const;

private:
    void scale_rows(const Problem& problem);
    void build_jacobian(const Problem& problem, bool eliminate);
    void build_matrix(const Problem& problem);
    void find_elimination(std::int64_t bilateral);
    void apply_order();
    void cut_parts();

    std::int64_t rows_ = 0, contacts_ = 0, scalars_first_ = 0, velocities_ = 0;
    ContactShape shape_;
    bool matrix_form_ = false, exact_ = false;
    int threads_ = 1;
    std::vector<std::int32_t> user_row_;  // of each scaled row
    std::vector<double> scale_;           // e
    std::vector<double> free_, lo_, hi_;
    std::vector<double> compliance_;             // empty: zero
    std::vector<double> sliding_, spin_, roll_;  // empty: the shape has no such rows
    std::vector<NormWeights> norm_weights_;
    double free_norm_ = 0.0;
    BlockRows contact_rows_, scalar_rows_;
    BlockOrder order_;
    std::vector<BlockRange> parts_;
    mutable std::vector<Sums> part_sums_;  // scratch of sum_parts: one solver owns this object
    std::optional<Elimination> elimination_;
};

}  // namespace perp
