// Random numbers that are the same on every machine and do not depend on the order of drawing:
// each is the hash of (seed, stream, index), by the finalizer of SplitMix64 (Steele, Lea, Flood,
// OOPSLA 2014). The distributions of <random> differ between standard libraries.
#pragma once

#include <cstdint>

namespace perp::scenes {

constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

class Random {
public:
    // stream: what is drawn (a velocity, a gap), so that scenes can grow without changing others.
    constexpr Random(std::uint64_t seed, std::uint64_t stream) : key_(mix(mix(seed) ^ stream)) {}
    // The next number in [0, 1).
    constexpr double unit() {
        return static_cast<double>(mix(key_ ^ mix(count_++)) >> 11) * 0x1.0p-53;
    }
    constexpr double between(double lo, double hi) { return lo + (hi - lo) * unit(); }

private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

}  // namespace perp::scenes
