// One complementarity problem in the caller's rows and units:
//
//   find z in K with u = S z + r complementary to it:  <u, y - z> >= 0 for all y in K.
//
// Intervals: u >= 0 at lo, <= 0 at hi, = 0 between (mixed BLCP, Peiret et al. 2016, eq. 30).
// Cones: K contains z, K* contains u, z . u = 0 (Tasora and Anitescu 2013, eq. 40; Negrut et al.
// 2018, eq. 10). z are impulses, u relative velocities after the step.
//
// S is matrix-free (Delassus operator J M^-1 J' + E of a System) or a given matrix (general BLCP;
// Delassus form as FCLIB stores it). A given S is used as it is, also where it is not symmetric.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "problem/constraint_set.hpp"
#include "problem/contact_rows.hpp"
#include "problem/system.hpp"
#include "sparse/csr.hpp"

namespace perp {

// The Delassus form: u = W z + V y + q, V' z + R y + s = 0, contact rows n, t.. , angular..
// interleaved per contact in W; equality part optional.
struct DelassusForm {
    Triplets W;
    ContactShape shape;
    std::vector<double> q, mu, rho, sigma;
    Triplets V, R;
    std::vector<double> s;
};

// Weights of the energy norm (algorithms.md 1.4): effective masses per row or contact.
struct EnergyWeights {
    std::vector<double> scalar;            // 1 / d per interval
    std::vector<double> contact, angular;  // omega and omega_r per contact
};

// The Jacobian form's data, kept for products, for writing and for new vectors.
struct AssembledForm {
    std::shared_ptr<const System> system;
    ContactRows rows;
    Law law = Law::cone;
    bool tied = false;               // box law with mu: bounds are those of the normal impulses
    std::vector<double> compliance;  // E, one per row
    std::vector<double> constant;    // b (and -u), one per row
};

// The matrix form's data. `combined` is H, or [W V; V' R].
struct MatrixForm {
    SparseMatrix main, V, R;
    Csr combined;
    std::vector<double> q;
    bool delassus = false;
};

struct ProductWorkspace {  // sized by Problem::make_workspace, so that products do not allocate
    std::vector<double> velocity, scratch;
};

class Problem {
public:
    // A system with a step's vectors under a friction law. Rows of z: A, N, D, S, B in this order.
    static Problem assemble(std::shared_ptr<const System> system, ContactRows rows, Law law);
    static Problem general_blcp(const Triplets& H, std::vector<double> q, std::vector<double> lo,
                                std::vector<double> hi);
    // Rows of z: those of W, then the equality part.
    static Problem delassus(const DelassusForm& form);

    // New vectors, same matrices: assembled problems; general ones (q, lo, hi); Delassus forms (q,
    // of the rows of W).
    void set_vectors(ContactRows rows);
    void set_vectors(std::optional<std::vector<double>> q, std::optional<std::vector<double>> lo,
                     std::optional<std::vector<double>> hi);
    // Ties the bounds of `rows` of a general BLCP to z of the rows `normals`, times `coefficients`;
    // replaces all ties. Throws bad_index, bad_value, bad_bounds (a row with bounds of its own).
    void set_ties(std::span<const std::int64_t> rows, std::span<const std::int64_t> normals,
                  std::span<const double> coefficients);
    // The relaxed cone law or the exact one of the same contacts. Throws unsupported.
    void set_law(Law law);
    [[nodiscard]] Law law() const;
    // What a law that depends on its own answer leads to, round by round: the same problem with
    // bounds in place of ties and the relaxed law in place of the exact one. Bounds are 0, until
    // set_half_widths moves those of these intervals to -half_width and half_width.
    [[nodiscard]] Problem frozen() const;
    void set_half_widths(std::span<const std::int32_t> scalars,
                         std::span<const double> half_widths);
    // Normal velocities of the contacts <- those of `given`, a problem that differs in nothing
    // else, and `shift`. The denominator of eta stays.
    void shift_normals(const Problem& given, std::span<const double> shift);
    // Becomes another problem; its revision is a new one.
    void take(Problem&& other);
    // New values of H or W on the kept pattern, in the order of the triplets.
    void update_matrix(std::span<const double> values);

    [[nodiscard]] std::int64_t rows() const { return set_.rows; }
    [[nodiscard]] std::int64_t velocities() const {
        return assembled_ ? assembled_->system->velocities() : 0;
    }
    [[nodiscard]] const ConstraintSet& set() const { return set_; }
    [[nodiscard]] const std::vector<double>& free_velocity() const { return free_; }  // r
    [[nodiscard]] const std::vector<double>& diagonal() const { return diagonal_; }   // of S
    [[nodiscard]] const EnergyWeights& weights() const { return weights_; }
    // Eta's denominator: the energy norm of r (where r = 0, of u at the point of K nearest to 0).
    [[nodiscard]] double free_norm() const { return free_norm_; }
    // Largest |S_ij - S_ji| / sqrt(S_ii S_jj) (of M for assembled problems); 0: symmetric.
    [[nodiscard]] double asymmetry() const { return asymmetry_; }
    [[nodiscard]] std::int64_t revision() const { return revision_; }  // grows with every change
    [[nodiscard]] const AssembledForm* assembled() const {
        return assembled_ ? &*assembled_ : nullptr;
    }
    [[nodiscard]] const MatrixForm* matrix() const { return matrix_ ? &*matrix_ : nullptr; }

    [[nodiscard]] ProductWorkspace make_workspace() const;
    // u = S z + r. For assembled problems work.velocity holds v+ = M^-1 (f + J' z) afterwards.
    void constraint_velocity(std::span<const double> z, std::span<double> u,
                             ProductWorkspace& work) const;
    // S as a matrix, formed on request (rows as the caller's; explicit zeros dropped).
    [[nodiscard]] Csr form_matrix() const;

private:
    void refresh();  // everything derived from the data
    void refresh_weights();
    [[nodiscard]] double norm_at_nearest_point(const std::vector<double>& weight) const;

    ConstraintSet set_;
    std::optional<AssembledForm> assembled_;
    std::optional<MatrixForm> matrix_;
    std::vector<double> free_, diagonal_;
    EnergyWeights weights_;
    double free_norm_ = 0.0;
    double asymmetry_ = 0.0;
    std::int64_t revision_ = 0;
};

}  // namespace perp
