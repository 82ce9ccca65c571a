// A line on stderr that says how far a long run is. stdout is for results only.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace perp::tool {

class ProgressLine {
public:
    // automatic: only on a terminal that can redraw a line. always: where that is not possible,
    // whole lines, at most one a second.
    enum class Mode { automatic, always, never };
    static Mode mode_of(const std::string& name);  // auto, always, never

    explicit ProgressLine(Mode mode);
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // False while it is too early to draw again (at most 10 times a second): skip making the text.
    [[nodiscard]] bool due();
    void draw(const std::string& text);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    bool active_, redraw_, color_;
    bool drawn_before_ = false;
    std::size_t width_ = 0;  // of what stands on the line
    Clock::time_point last_{};
};

}  // namespace perp::tool
