// The fixed point of De Saxce's shifts: s >= 0 per contact, and g(s), what the velocities ask for
// that the shifts s lead to. Anderson-accelerated (Walker and Ni, SIAM J. Numer. Anal. 49 (2011),
// type II) on the changes of one contact's Newton method, as long as that points the same way;
// where g - s grew much, the step is taken back and a plain one s+ = g(s) follows from the s
// before.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace perp {

class ShiftIteration {
public:
    // A weight per shift: energy per square.
    explicit ShiftIteration(std::vector<double> weights);

    // Forgets the steps so far; the shifts to begin with are the caller's.
    void start();
    // s <- the next shifts. `asked` is g(s); `factors` are of the change g - s of each contact, 1
    // for a plain step. Does not allocate.
    void advance(std::span<const double> asked, std::span<const double> factors);
    // Weighted norm of g(s) - s at the s before the last advance.
    [[nodiscard]] double change() const { return change_; }

    std::vector<double> shift;  // s

private:
    struct Difference {
        std::vector<double> shift, step;  // of s, of factor (g - s)
    };
    void remember();
    bool mix();
    [[nodiscard]] double product(std::span<const double> a, std::span<const double> b) const;

    std::vector<double> weights_;
    std::vector<double> last_shift_, last_step_, asked_;  // at the last s that was kept
    std::vector<double> step_, mixed_, rest_;
    std::vector<Difference> history_, basis_;  // the newest first
    std::size_t filled_ = 0;
    bool kept_ = false;  // there is a last s
    double change_ = 0.0;
    double bound_ = std::numeric_limits<double>::infinity();  // on the change of the next s
};

}  // namespace perp
