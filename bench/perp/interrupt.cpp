#include "interrupt.hpp"

namespace perp::tool {
namespace {

volatile std::sig_atomic_t noted = 0;

extern "C" void note_interrupt(int) { noted = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
    noted = 0;
    struct sigaction action {};
    action.sa_handler = note_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_);
}

InterruptGuard::~InterruptGuard() { sigaction(SIGINT, &before_, nullptr); }

bool interrupted() { return noted != 0; }

}  // namespace perp::tool
