#include "friction/contact_frames.hpp"

#include <cinttypes>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace perp {
namespace {

constexpr double orthonormality = 1e-6;  // of axes

double dot(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void check_axes(std::span<const double> axes, std::int64_t contacts, std::int64_t t) {
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (!std::isfinite(axes[k]))
            fail(Status::bad_value, "axes[%zu] = %g is not finite", k, axes[k]);
    for (std::int64_t i = 0; i < contacts; ++i) {
        const double* const first = axes.data() + 3 * t * i;
        const double* const last = first + 3 * (t - 1);
        const bool good = std::abs(dot(first, first) - 1.0) <= orthonormality &&
                          std::abs(dot(last, last) - 1.0) <= orthonormality &&
                          (t == 1 || std::abs(dot(first, last)) <= orthonormality);
        if (!good)
            fail(Status::bad_value, "axes of contact %" PRId64 " (0-based) are not orthonormal", i);
    }
}

}  // namespace

ContactFrames::ContactFrames(const System& system, const StepContacts& contacts)
    : h_(contacts.h),
      t_(system.shape().tangential),
      a_(system.shape().angular()),
      ids_(contacts.id),
      axes_(contacts.axes) {
    const std::int64_t r = system.contacts();
    if (!(h_ > 0.0) || !std::isfinite(h_))
        fail(Status::bad_value, "h = %g, but a step has a positive length", h_);
    if (!ids_.empty() && static_cast<std::int64_t>(ids_.size()) != r)
        fail(Status::bad_size, "id has %zu entries for %" PRId64 " contacts", ids_.size(), r);
    if (!axes_.empty() && static_cast<std::int64_t>(axes_.size()) != 3 * t_ * r)
        fail(Status::bad_size, "axes have %zu entries, 3 for each of %" PRId64 " rows are needed",
             axes_.size(), t_ * r);
    if (ids_.empty()) {
        ids_.resize(r);
        std::iota(ids_.begin(), ids_.end(), 0);
    } else {
        ContactMemory::check_ids(ids_, "id");
    }
    if (!axes_.empty()) check_axes(axes_, r, t_);
}

namespace {

// Components along t axes, and back.
void to_axes(const std::array<double, 3>& vector, const double* axes, std::int64_t t, double* out) {
    for (std::int64_t j = 0; j < t; ++j)
        out[j] = axes == nullptr ? vector[j] : dot(vector.data(), axes + 3 * j);
}

std::array<double, 3> from_axes(const double* components, const double* axes, std::int64_t t) {
    std::array<double, 3> vector{};
    for (std::int64_t j = 0; j < t; ++j)
        for (int k = 0; k < 3; ++k)
            vector[k] +=
                axes == nullptr ? (j == k ? components[j] : 0.0) : components[j] * axes[3 * j + k];
    return vector;
}

}  // namespace

void ContactFrames::sliding(const ContactRecord& record, std::int64_t i, double* out) const {
    to_axes(record.sliding, axes_.empty() ? nullptr : axes_.data() + 3 * t_ * i, t_, out);
}

void ContactFrames::recall(const ContactMemory& memory, StepImpulses& impulses) const {
    const auto r = static_cast<std::int64_t>(ids_.size());
    impulses.N.assign(r, 0.0);
    impulses.D.assign(t_ * r, 0.0);
    impulses.S.assign(a_ * r, 0.0);
    for (std::int64_t i = 0; i < r; ++i) {
        const ContactRecord* const record = memory.find(ids_[i]);
        if (record == nullptr) continue;
        const double* const axes = axes_.empty() ? nullptr : axes_.data() + 3 * t_ * i;
        impulses.N[i] = h_ * record->normal;
        double* const D = impulses.D.data() + t_ * i;
        to_axes(record->sliding, axes, t_, D);
        for (std::int64_t j = 0; j < t_; ++j) D[j] *= h_;
        double* S = impulses.S.data() + a_ * i;
        if (a_ == 3) *S++ = h_ * record->spin;
        const std::int64_t rolls = a_ == 3 ? 2 : a_;
        to_axes(record->rolling, rolls == t_ ? axes : nullptr, rolls, S);
        for (std::int64_t j = 0; j < rolls; ++j) S[j] *= h_;
    }
}

void ContactFrames::remember(const StepImpulses& impulses, ContactMemory& memory) const {
    std::vector<ContactRecord> records(ids_.size());
    const auto forces = [this](std::array<double, 3> vector) {
        for (double& x : vector) x /= h_;
        return vector;
    };
    for (std::size_t i = 0; i < ids_.size(); ++i) {
        const double* const axes = axes_.empty() ? nullptr : axes_.data() + 3 * t_ * i;
        records[i].normal = impulses.N[i] / h_;
        records[i].sliding = forces(from_axes(impulses.D.data() + t_ * i, axes, t_));
        const double* S = impulses.S.data() + a_ * i;
        if (a_ == 3) records[i].spin = *S++ / h_;
        const std::int64_t rolls = a_ == 3 ? 2 : a_;
        records[i].rolling = forces(from_axes(S, rolls == t_ ? axes : nullptr, rolls));
    }
    memory.replace(ids_, records);
}

}  // namespace perp
