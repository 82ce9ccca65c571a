#include "problem/system.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "base/error.hpp"

namespace perp {
namespace {

void check_columns(const SparseMatrix& jacobian, const char* name, std::int64_t velocities) {
    if (jacobian.rows() > 0 && jacobian.cols() != velocities)
        fail(Status::bad_size,
             "%s has %" PRId64 " columns, but M has %" PRId64 " degrees of freedom", name,
             jacobian.cols(), velocities);
}

ContactShape read_shape(std::int64_t contacts, std::int64_t sliding, std::int64_t angular) {
    ContactShape shape{0, 0, 0};
    if (contacts == 0) {
        if (sliding > 0 || angular > 0)
            fail(Status::bad_size, "%s has %" PRId64 " rows, but N has none",
                 sliding > 0 ? "D" : "S", sliding > 0 ? sliding : angular);
        return ContactShape{2, 0, 0};
    }
    if (sliding != 0 && sliding != contacts && sliding != 2 * contacts)
        fail(Status::bad_size,
             "D has %" PRId64 " rows; %" PRId64 " contacts need 0, %" PRId64
             " (planar) or %" PRId64,
             sliding, contacts, contacts, 2 * contacts);
    if (angular != 0 && angular != contacts && angular != 2 * contacts && angular != 3 * contacts)
        fail(Status::bad_size,
             "S has %" PRId64 " rows; %" PRId64 " contacts need 0, %" PRId64
             " (planar rolling), %" PRId64 " (rolling) or %" PRId64 " (spin, roll, roll)",
             angular, contacts, contacts, 2 * contacts, 3 * contacts);
    shape.tangential = static_cast<int>(sliding / contacts);
    const int rows = static_cast<int>(angular / contacts);
    shape.spin = rows == 3 ? 1 : 0;
    shape.roll = rows - shape.spin;
    return shape;
}

}  // namespace

const char* name(SystemMatrix which) {
    static constexpr const char* names[] = {"M", "A", "N", "D", "S", "B"};
    return names[static_cast<int>(which)];
}

System::System(const SystemTriplets& given)
    : jacobian_{SparseMatrix(given.M, "M"), SparseMatrix(given.A, "A"), SparseMatrix(given.N, "N"),
                SparseMatrix(given.D, "D"), SparseMatrix(given.S, "S"), SparseMatrix(given.B, "B")},
      mass_storage_(given.mass_storage),
      symmetry_tolerance_(given.symmetry_tolerance),
      mass_(jacobian_[0].csr(), given.mass_storage, given.symmetry_tolerance) {
    for (int k = 1; k < 6; ++k)
        check_columns(jacobian_[k], name(static_cast<SystemMatrix>(k)), velocities());
    shape_ = read_shape(contacts(), jacobian_[3].rows(), jacobian_[4].rows());
}

System::System(std::shared_ptr<const System> base, Csr sliding)
    : shape_(base->shape()), base_(std::move(base)), sliding_(std::move(sliding)) {
    const Csr& given = base_->matrix(SystemMatrix::D);
    if (sliding_.rows != given.rows || sliding_.cols != given.cols)
        fail(Status::bad_size,
             "D: %" PRId64 " x %" PRId64 " does not take the place of %" PRId64 " x %" PRId64,
             sliding_.rows, sliding_.cols, given.rows, given.cols);
}

void System::update(SystemMatrix which, std::span<const double> values) {
    if (base_)
        fail(Status::unsupported, "%s: these rows are made of another system's; update that one",
             name(which));
    SparseMatrix& target = jacobian_[static_cast<int>(which)];
    if (which != SystemMatrix::M) {
        target.update(values, name(which));
        return;
    }
    SparseMatrix changed =
        target;  // so that a mass matrix that fails its checks leaves all as it was
    changed.update(values, "M");
    mass_ = MassMatrix(changed.csr(), mass_storage_, symmetry_tolerance_);
    target = std::move(changed);
}

void end_velocity(const System& system, std::span<const double> f, std::span<const double> z,
                  std::span<double> v, std::span<double> work) {
    std::copy(f.begin(), f.end(), v.begin());
    std::int64_t first = 0;
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = system.matrix(which);
        multiply_transposed_add(jacobian, z.subspan(first, jacobian.rows), v);
        first += jacobian.rows;
    }
    system.mass().solve(v, work);
}

void check_velocity(std::span<const double> v) {
    for (std::size_t i = 0; i < v.size(); ++i)
        if (!std::isfinite(v[i]))
            fail(Status::bad_value,
                 "velocity %zu (0-based) overflows (%g); the values are too extreme", i, v[i]);
}

}  // namespace perp
