// Performance profiles: E. D. Dolan and J. J. More, Benchmarking optimization software with
// performance profiles, Mathematical Programming 91 (2002).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace perp::tool {

// One solver on one instance.
struct ProfileEntry {
    bool supported = true;
    std::optional<double> seconds;  // none: not solved
};

// r = seconds of the solver / seconds of the fastest solver on this instance, and
// rho(tau) = number of instances with r <= tau / number of instances.
struct Profile {
    std::vector<std::vector<double>> ratios;  // [solver]: r of what it solved, ascending
    std::size_t instances = 0;  // that at least one solver supports; solved by none: still counted
    std::size_t left_out = 0;   // that no solver supports

    // rho; 0 without instances.
    [[nodiscard]] double fraction(std::size_t solver, double tau) const;
    // The largest r of all; 1 when nothing is solved.
    [[nodiscard]] double largest_ratio() const;
};

// entries[solver][instance]. Times below a nanosecond count as one: no clock is finer.
Profile performance_profile(const std::vector<std::vector<ProfileEntry>>& entries);

}  // namespace perp::tool
