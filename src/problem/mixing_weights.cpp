#include "problem/mixing_weights.hpp"

#include <algorithm>
#include <cmath>

namespace perp {
namespace {

constexpr double tikhonov = 1e-10;  // relative to the largest diagonal of dF'dF

}  // namespace

MixingWeights::MixingWeights(std::int64_t window)
    : projection(window),
      weight(window),
      window_(static_cast<std::size_t>(window)),
      gram_(window_ * window_),
      factor_(window_ * window_) {}

void MixingWeights::set_product(std::size_t i, std::size_t j, double product) {
    gram_[i * window_ + j] = gram_[j * window_ + i] = product;
}

bool MixingWeights::solve(std::size_t filled) {
    std::vector<double>& l = factor_;
    std::vector<double>& a = weight;
    double largest = 0.0;
    for (std::size_t j = 0; j < filled; ++j) largest = std::max(largest, gram_[j * window_ + j]);
    for (std::size_t i = 0; i < filled; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = gram_[i * window_ + j] + (i == j ? tikhonov * largest : 0.0);
            for (std::size_t k = 0; k < j; ++k) sum -= l[i * window_ + k] * l[j * window_ + k];
            if (i == j && !(sum > 0.0)) return false;
            l[i * window_ + j] = i == j ? std::sqrt(sum) : sum / l[j * window_ + j];
        }
    }
    for (std::size_t i = 0; i < filled; ++i) {
        a[i] = projection[i];
        for (std::size_t k = 0; k < i; ++k) a[i] -= l[i * window_ + k] * a[k];
        a[i] /= l[i * window_ + i];
    }
    for (std::size_t i = filled; i-- > 0;) {
        for (std::size_t k = i + 1; k < filled; ++k) a[i] -= l[k * window_ + i] * a[k];
        a[i] /= l[i * window_ + i];
    }
    return true;
}

}  // namespace perp
