#include "profile.hpp"

#include <algorithm>
#include <limits>

namespace perp::tool {
namespace {

constexpr double finest_clock = 1e-9;

double time_of(const ProfileEntry& entry) {
    if (!entry.seconds) return std::numeric_limits<double>::infinity();
    return std::max(*entry.seconds, finest_clock);
}

}  // namespace

double Profile::fraction(std::size_t solver, double tau) const {
    if (instances == 0) return 0.0;
    const std::vector<double>& r = ratios[solver];
    const auto within = std::upper_bound(r.begin(), r.end(), tau) - r.begin();
    return static_cast<double>(within) / static_cast<double>(instances);
}

double Profile::largest_ratio() const {
    double largest = 1.0;
    for (const std::vector<double>& r : ratios) {
        if (!r.empty()) largest = std::max(largest, r.back());
    }
    return largest;
}

Profile performance_profile(const std::vector<std::vector<ProfileEntry>>& entries) {
    Profile profile;
    profile.ratios.resize(entries.size());
    const std::size_t count = entries.empty() ? 0 : entries.front().size();
    for (std::size_t i = 0; i < count; ++i) {
        bool supported = false;
        double best = std::numeric_limits<double>::infinity();
        for (const auto& of_solver : entries) {
            supported = supported || of_solver[i].supported;
            best = std::min(best, time_of(of_solver[i]));
        }
        ++(supported ? profile.instances : profile.left_out);
        for (std::size_t s = 0; s < entries.size(); ++s) {
            if (entries[s][i].seconds) profile.ratios[s].push_back(time_of(entries[s][i]) / best);
        }
    }
    for (std::vector<double>& r : profile.ratios) std::sort(r.begin(), r.end());
    return profile;
}

}  // namespace perp::tool
