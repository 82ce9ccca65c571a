// Sliding rows turned within the tangent plane of their contact: the rows of a model that has axes
// of its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "problem/system.hpp"

namespace perp {

// A unit vector in the caller's tangent axes of a contact: where the model's first axis points.
using TangentAxis = std::array<double, 2>;

class AlignedRows {
public:
    // Rows 2i, 2i + 1 of D become B_i D_i with B_i = [c s; -s c], (c, s) = first_axis[i]. Their
    // pattern is the union of the two, whatever the angle. Without axes: D as it is.
    AlignedRows(std::shared_ptr<const System> given, std::vector<TangentAxis> first_axis);

    // All but D is that of the system given.
    [[nodiscard]] const std::shared_ptr<const System>& system() const { return system_; }
    // Components of the rows of D, in place: x_i <- B_i x_i, and B_i' x_i.
    void to_aligned(std::span<double> x) const;
    void to_given(std::span<double> x) const;

private:
    std::vector<TangentAxis> first_axis_;
    std::shared_ptr<const System> system_;
};

}  // namespace perp
