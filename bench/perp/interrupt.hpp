// Ctrl-C as a wish to end soon: long commands stop where they are and report what they have.
#pragma once

#include <csignal>

namespace perp::tool {

// Ctrl-C is noted once while this lives; the next one has its usual effect.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    struct sigaction before_ {};
};

// Since the last InterruptGuard was made.
bool interrupted();

}  // namespace perp::tool
