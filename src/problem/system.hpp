// M, A, N, D, S, B: compressed once, checked once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "cones/contact_cone.hpp"
#include "sparse/csr.hpp"
#include "sparse/mass_matrix.hpp"

namespace perp {

// What the caller gives; absent matrices have rows = 0.
struct SystemTriplets {
    Triplets M, A, N, D, S, B;
    MassStorage mass_storage = MassStorage::full;
    double symmetry_tolerance = 1e-12;  // relative: |M_ij - M_ji| <= tolerance sqrt(M_ii M_jj)
};

enum class SystemMatrix : std::int32_t { M = 0, A = 1, N = 2, D = 3, S = 4, B = 5 };

// Jacobians have a row per constraint and a column per degree of freedom:
// A bilateral (m), N normal (r), D sliding (t r, contact-major), S angular (a r, contact-major,
// spin before rolling), B box rows (k). A shape is read off the row counts: t = D.rows / r is 0,
// 1 or 2; a = S.rows / r is 0, 1 (planar rolling), 2 (rolling) or 3 (spin, roll, roll).
class System {
public:
    // Throws bad_size when counts do not fit together, and what SparseMatrix and MassMatrix throw.
    explicit System(const SystemTriplets& given);
    // `base` with other sliding rows of the same size; all else is read from `base`, so that its
    // updates show here too. Takes no updates itself. Zeros in `sliding` belong to a pattern that
    // stays while values change. Throws bad_size.
    System(std::shared_ptr<const System> base, Csr sliding);

    [[nodiscard]] std::int64_t velocities() const { return mass().size(); }
    [[nodiscard]] std::int64_t bilateral() const { return matrix(SystemMatrix::A).rows; }
    [[nodiscard]] std::int64_t contacts() const { return matrix(SystemMatrix::N).rows; }
    [[nodiscard]] std::int64_t boxes() const { return matrix(SystemMatrix::B).rows; }
    [[nodiscard]] const ContactShape& shape() const { return shape_; }
    [[nodiscard]] const MassMatrix& mass() const { return base_ ? base_->mass() : mass_; }
    [[nodiscard]] const Csr& matrix(SystemMatrix which) const {
        if (base_) return which == SystemMatrix::D ? sliding_ : base_->matrix(which);
        return which == SystemMatrix::M ? mass_.matrix() : jacobian_[static_cast<int>(which)].csr();
    }
    // Do zeros of these rows belong to their pattern?
    [[nodiscard]] bool keeps_zeros(SystemMatrix which) const {
        return base_ != nullptr && which == SystemMatrix::D;
    }
    // New values on the kept pattern, in the order of the triplets. On failure nothing changes.
    void update(SystemMatrix which, std::span<const double> values);

private:
    SparseMatrix jacobian_[6];  // [0]: M as given, one triangle or both
    MassStorage mass_storage_ = MassStorage::full;
    double symmetry_tolerance_ = 0.0;
    MassMatrix mass_;
    ContactShape shape_;
    std::shared_ptr<const System> base_;  // of a system with other sliding rows
    Csr sliding_;
};

const char* name(SystemMatrix which);

// Order of the Jacobians in the rows of z and u.
constexpr std::array<SystemMatrix, 5> jacobian_order{
    SystemMatrix::A, SystemMatrix::N, SystemMatrix::D, SystemMatrix::S, SystemMatrix::B};

// v <- M^-1 (f + J'z). `work` has the size of v.
void end_velocity(const System& system, std::span<const double> f, std::span<const double> z,
                  std::span<double> v, std::span<double> work);

// Finite input can still be too extreme for arithmetic: fails where a velocity is not finite.
void check_velocity(std::span<const double> v);

}  // namespace perp
