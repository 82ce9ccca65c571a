#include "progress.hpp"

#include <unistd.h>

#include <iostream>

#include "text.hpp"

namespace perp::tool {

ProgressLine::Mode ProgressLine::mode_of(const std::string& name) {
    if (name == "always") return Mode::always;
    return name == "never" ? Mode::never : Mode::automatic;
}

ProgressLine::ProgressLine(Mode mode)
    : active_(mode == Mode::always || (mode == Mode::automatic && can_redraw(STDERR_FILENO))),
      redraw_(can_redraw(STDERR_FILENO)),
      color_(can_color(STDERR_FILENO)) {}

bool ProgressLine::due() {
    using namespace std::chrono_literals;
    if (!active_) return false;
    const Clock::duration pause = redraw_ ? 100ms : 1000ms;
    const Clock::time_point now = Clock::now();
    if (drawn_before_ && now - last_ < pause) return false;
    drawn_before_ = true;
    last_ = now;
    return true;
}

void ProgressLine::draw(const std::string& text) {
    if (!redraw_) {
        std::cerr << text << '\n';
        return;
    }
    std::cerr << '\r' << (color_ ? "\x1b[2m" : "") << padded(text, width_)
              << (color_ ? "\x1b[0m" : "") << std::flush;
    width_ = text.size();
}

void ProgressLine::clear() {
    if (width_ == 0) return;
    std::cerr << '\r' << std::string(width_, ' ') << '\r' << std::flush;
    width_ = 0;
}

}  // namespace perp::tool
