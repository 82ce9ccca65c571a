#include "friction/cone_use.hpp"

#include <cmath>
#include <cstdint>

namespace perp {

void cone_use(const Problem& problem, std::span<const double> z, std::span<double> use) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        const std::int32_t* const row = set.contact_row.data() + i * set.shape.rows();
        double square = 0.0;
        for (int j = 1; j <= set.shape.tangential; ++j) square += z[row[j]] * z[row[j]];
        const double normal = z[row[0]];
        const double limit = set.coefficients(i).sliding * normal;
        use[i] = 0.0;
        if (normal > 0.0) use[i] = limit > 0.0 ? std::sqrt(square) / limit : 1.0;
    }
}

}  // namespace perp
