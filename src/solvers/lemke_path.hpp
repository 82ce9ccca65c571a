// The path of Lemke's method: its state, its steps (lemke.cpp) and its ratio test
// (lemke_ratio.cpp).
//
// Along the path every row but one has z or w in the basis; t holds the place of the one that has
// neither, whose z or w enters next. What leaves at a bound names the next row; it ends with t.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "solvers/lemke.hpp"

namespace perp {

// Rates below, of the largest, are rounding.
constexpr double zero_lemke_rate = 1e-10;
// Distances from a bound below, of the data's size, are rounding.
constexpr double lemke_tie_of_data = 1e-13;

class LemkePath {
public:
    LemkePath(const MixedForm& form, std::vector<double>& z, LemkeWorkspace& work,
              PivotMonitor& monitor)
        : form_(form), z_(z), w_(work), rows_(work.rows), monitor_(monitor) {}

    void run();

private:
    enum class Step : std::uint8_t { on, end, ray, broken };
    struct Choice {
        std::int64_t position = -1;  // -1: the entering variable's own opposite bound
        double step = std::numeric_limits<double>::infinity();
        bool found = false;
    };

    // lemke.cpp
    void choose_sides();
    void choose_covering();
    bool cover_infeasibility();
    Step advance();
    void move(double step);
    void flip();
    bool pivot(std::int64_t position);
    void hold(std::int64_t row, LemkeWorkspace::Holder holder);
    void compute_values();
    void set_entering(std::int64_t row, LemkeWorkspace::Holder holder);
    void read_z();
    bool at_nearest_point();
    bool at_solution();
    bool finish(Step last);
    bool follow();
    void read_ray();
    bool prove();
    void count();
    // lemke_ratio.cpp
    void compute_rates();
    Choice ratio_test();
    Choice break_ties(double step);
    void first_column_ties();
    void compare_rows();
    [[nodiscard]] bool doubtful(const Choice& choice) const;
    [[nodiscard]] bool blocks(std::int64_t position) const;
    [[nodiscard]] double distance(std::int64_t position) const;
    [[nodiscard]] double ratio(std::int64_t position) const;
    [[nodiscard]] double tolerance(std::int64_t position) const;

    [[nodiscard]] double bound(std::int64_t k) const {
        return w_.side[k] < 0 ? rows_.lo[k] : rows_.hi[k];
    }
    [[nodiscard]] bool complementary(std::int64_t k) const {  // not free, not fixed
        return !rows_.is_free(k) && !rows_.is_fixed(k);
    }
    [[nodiscard]] std::int64_t covered() const { return rows_.n + entering_row_; }  // t's position

    const MixedForm& form_;
    std::vector<double>& z_;
    LemkeWorkspace& w_;
    LemkeRows& rows_;
    PivotMonitor& monitor_;
    std::int64_t entering_row_ = -1;  // neither its z nor its w is basic: t holds their place
    LemkeWorkspace::Holder entering_ = LemkeWorkspace::Holder::slack;
    double direction_ = 1.0;
    int attempt_ = 0;
    double data_size_ = 0.0, rate_size_ = 0.0, way_ = 0.0;
    std::int64_t factorizations_seen_ = 0, updates_ = 0;
};

}  // namespace perp
