// The fixed point of bounds that follow impulses: half widths h, and g(h), what the impulses ask
// for that the bounds h lead to. Anderson-accelerated steps h+ = g - dG a: they settle alternating
// bounds at once, and gain digits where plain steps h+ = g are slow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem/mixing_weights.hpp"

namespace perp {

class BoundIteration {
public:
    // A weight per half width: energy per square.
    explicit BoundIteration(std::vector<double> weights);

    void start();
    // Forgets the steps so far; the next one goes half of the way only.
    void restart();
    // h <- the next half widths, >= 0; `asked` is g(h). Does not allocate.
    void advance(std::span<const double> asked);

    std::vector<double> half_width;  // h

private:
    void remember(std::span<const double> asked);

    std::vector<double> weights_;
    std::vector<double> residual_, asked_;  // of the step before
    std::vector<double> mixed_;
    std::vector<std::vector<double>> residual_change_, asked_change_;  // dF, dG
    MixingWeights mixing_;
    std::size_t steps_ = 0;
    bool half_step_ = false;
};

}  // namespace perp
