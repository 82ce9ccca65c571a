// Seconds since construction. Used to report and to stop at a time limit, never to decide numbers.
#pragma once

#include <chrono>

namespace perp {

class Clock {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace perp
