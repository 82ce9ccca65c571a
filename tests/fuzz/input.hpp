// The bytes of a fuzzer read as numbers and texts. Most codes give small harmless values, so that
// inputs get past the first check; a few give the values that break things.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace perp_fuzz {

// A broken promise of the library: the fuzzer keeps the input.
inline void require(bool promise, const char* text) {
    if (promise) return;
    std::fprintf(stderr, "broken: %s\n", text);
    std::abort();
}

class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : next_(data), end_(data + size) {}

    [[nodiscard]] bool empty() const { return next_ == end_; }
    std::uint8_t byte() { return empty() ? std::uint8_t{0} : *next_++; }
    bool flag() { return (byte() & 1) != 0; }
    // True for one byte in 16, and never after the end.
    bool seldom() { return byte() >= 240; }
    std::int64_t below(std::int64_t n) { return n > 0 ? byte() % n : 0; }

    std::int64_t integer() {
        constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
        constexpr std::int64_t special[] = {
            -1,      -2,          2147483647, 2147483648,   -2147483648,   4294967296, 4294967295,
            largest, largest - 1, -largest,   -largest - 1, 1000000000000, 1LL << 45,  1LL << 61};
        const std::uint8_t code = byte();
        if (code < 232) return code % 8;
        if (code == 255) return raw<std::int64_t>();
        return special[(code - 232) % std::size(special)];
    }

    double real() {
        constexpr double inf = std::numeric_limits<double>::infinity();
        constexpr double special[] = {std::numeric_limits<double>::quiet_NaN(),
                                      inf,
                                      -inf,
                                      -0.0,
                                      1e308,
                                      -1e308,
                                      5e-324,
                                      1e-300,
                                      1e16,
                                      -1e-16,
                                      1e150,
                                      1e-150,
                                      1e12,
                                      1e-12};
        const std::uint8_t code = byte();
        if (code < 240) return (code - 100) / 16.0;
        if (code == 255) return raw<double>();
        return special[(code - 240) % std::size(special)];
    }

    // Finite, and harmless where `real` is not.
    double modest() { return (byte() - 100) / 16.0; }
    double positive() { return (byte() + 1) / 16.0; }

    std::vector<double> reals(std::int64_t count) {
        std::vector<double> v;
        v.reserve(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i) v.push_back(real());
        return v;
    }

    std::string text(std::size_t longest) {
        std::string t;
        for (std::size_t size = byte() % (longest + 1); size > 0; --size)
            t.push_back(static_cast<char>(byte()));
        return t;
    }

    // All that is left, as text.
    std::string rest() {
        std::string t(reinterpret_cast<const char*>(next_), static_cast<std::size_t>(end_ - next_));
        next_ = end_;
        return t;
    }

private:
    template <class T>
    T raw() {
        std::uint8_t bytes[sizeof(T)];
        for (std::uint8_t& b : bytes) b = byte();
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }

    const std::uint8_t* next_;
    const std::uint8_t* end_;
};

}  // namespace perp_fuzz

// What every target defines.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
