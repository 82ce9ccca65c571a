// Part of perp.hpp: mass matrices and Jacobians.
#ifndef PERP_CPP_SYSTEM_HPP
#define PERP_CPP_SYSTEM_HPP

#include <cstdint>

#include "perp/cpp/basics.hpp"

namespace perp {
inline namespace cpp {

// The matrices of a system (perp_system_def). Those left 0 x 0 are absent. Only read by System.
struct Matrices {
    Triplets M;  // n x n mass matrix, kg (kg m, kg m^2), symmetric positive definite
    Triplets A;  // m x n bilateral rows
    Triplets N;  // r x n contact normals; positive N v opens
    Triplets D;  // 2 r x n sliding (contact i: rows 2 i, 2 i + 1); r x n in the plane; or absent
    Triplets S;  // 3 r x n spin, roll, roll; 2 r x n rolling; r x n planar rolling; or absent
    Triplets B;  // k x n box rows
    std::int64_t mass_storage = PERP_MASS_FULL;
    double symmetry_tolerance = detail::defaults(perp_system_def_init).symmetry_tolerance;
};

// The sizes that decide the lengths of all vectors.
struct Sizes {
    std::int64_t velocities = 0;  // n
    std::int64_t bilateral = 0;   // m
    std::int64_t contacts = 0;    // r
    std::int64_t sliding = 0;     // rows of D: t r
    std::int64_t angular = 0;     // rows of S: a r
    std::int64_t boxes = 0;       // k
};

// Mass matrix and Jacobians, checked and compressed, M factorized.
class System {
public:
    // Copies. Throws PERP_BAD_INDEX, PERP_NOT_POSITIVE_DEFINITE, ... naming matrix and entry.
    explicit System(const Matrices& given)
        : sizes_{given.M.rows(), given.A.rows(), given.N.rows(),
                 given.D.rows(), given.S.rows(), given.B.rows()} {
        const perp_triplets M = given.M.view(), A = given.A.view(), N = given.N.view();
        const perp_triplets D = given.D.view(), S = given.S.view(), B = given.B.view();
        perp_system_def def = detail::defaults(perp_system_def_init);
        def.M = &M;
        def.A = &A;
        def.N = &N;
        def.D = &D;
        def.S = &S;
        def.B = &B;
        def.mass_storage = given.mass_storage;
        def.symmetry_tolerance = given.symmetry_tolerance;
        perp_system* handle = nullptr;
        detail::require(perp_system_create(&def, &handle));
        handle_.reset(handle);
    }

    // New values of one matrix (PERP_MATRIX_M to PERP_MATRIX_B) in the order of its triplets at
    // creation. Problems assembled before keep the old ones. Throws PERP_BAD_PATTERN.
    void update(std::int32_t matrix, const View& values) {
        detail::require(perp_system_update(
            handle_.get(), matrix, static_cast<std::int64_t>(values.size()), values.data()));
    }

    const Sizes& sizes() const noexcept { return sizes_; }
    const perp_system* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    detail::Owner<perp_system, perp_system_destroy> handle_;
    Sizes sizes_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_CPP_SYSTEM_HPP
