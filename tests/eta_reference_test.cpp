// Eta at one made-up point of every instance against an implementation that shares nothing with
// perp (golden/eta_reference.csv, made by golden/eta_reference.py): equal to 1e-10.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "io/instance.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

std::string instance_folder() {
    const char* given = std::getenv("PERP_INSTANCES");
    return given != nullptr ? given : PERP_INSTANCES_DEFAULT;
}

// Impulse k of a group: the same hash as in eta_reference.py.
double impulse(std::uint64_t salt, std::uint64_t k) {
    return static_cast<double>((k * 2654435761U + salt * 40503U) % (std::uint64_t{1} << 32)) /
               4294967296.0 -
           0.25;
}

enum Salt : std::uint64_t { bilateral = 1, normal = 2, sliding = 3, angular = 4, general = 5 };

std::vector<double> point(const Problem& problem) {
    std::vector<double> z(problem.rows());
    const ConstraintSet& set = problem.set();
    if (const AssembledForm* form = problem.assembled()) {
        const System& system = *form->system;
        const std::int64_t m = system.bilateral();
        const std::int64_t r = system.contacts();
        const std::int64_t t = r * system.shape().tangential;
        const bool rolling_only = system.shape().angular() == 2;
        for (std::int64_t i = 0; i < m; ++i) z[i] = impulse(bilateral, i);
        for (std::int64_t i = 0; i < r; ++i) z[m + i] = impulse(normal, i);
        for (std::int64_t i = 0; i < t; ++i) z[m + r + i] = impulse(sliding, i);
        for (std::int64_t i = m + r + t; i < problem.rows(); ++i) {
            const std::int64_t k = i - (m + r + t);
            z[i] = impulse(angular, rolling_only ? k / 2 * 3 + 1 + k % 2 : k);
        }
        return z;
    }
    const bool delassus = problem.matrix()->delassus;
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        for (int j = 0; j < k; ++j) {
            const int t = set.shape.tangential;
            z[i * k + j] = j == 0   ? impulse(normal, i)
                           : j <= t ? impulse(sliding, i * t + j - 1)
                                    : impulse(angular, 3 * i + j - t);
        }
    }
    for (std::int64_t s = 0; s < set.scalars(); ++s)
        z[set.scalar_row[s]] = impulse(delassus ? bilateral : general, s);
    return z;
}

TEST(EtaReference, EveryInstanceAgreesWithTheIndependentValue) {
    const std::filesystem::path folder = instance_folder();
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no instances at " << folder;
    std::ifstream reference(std::string(PERP_SOURCE_DIR) + "/tests/golden/eta_reference.csv");
    std::string line;
    ASSERT_TRUE(std::getline(reference, line));
    int compared = 0;
    while (std::getline(reference, line)) {
        const std::size_t comma = line.rfind(',');
        const std::filesystem::path path = folder / line.substr(0, comma);
        if (!std::filesystem::exists(path)) continue;
        const double expected = std::stod(line.substr(comma + 1));
        const Problem problem = read_problem(path.string(), std::nullopt);
        ResidualWorkspace work = make_residual_workspace(problem);
        const double eta = residual(problem, point(problem), work).eta;
        EXPECT_NEAR(eta, expected, 1e-10 * expected) << path;
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace perp
