// The settings of a solver: what perp_solver_set knows, and what the manual says of them. The page
// capi/manual/settings.md is made from this table (tests/capi/manual_test.cpp).
#pragma once

#include <cstdint>

#include "perp/perp.h"

namespace perp::capi {

struct SettingField {
    const char* name;
    std::int64_t perp_settings::*integer;  // this or real
    double perp_settings::*real;
    const char* unit;     // "": none
    const char* range;    // of what is taken
    const char* used_by;  // methods
    const char* meaning;  // Markdown
};

constexpr SettingField setting_fields[] = {
    {"method", &perp_settings::method, nullptr, "", "a name below, or its constant", "",
     "which solver: see [which solver](solvers.md)"},
    {"tolerance", nullptr, &perp_settings::tolerance, "", "> 0", "all", "solved when η ≤ this"},
    {"max_iterations", &perp_settings::max_iterations, nullptr, "", "≥ 0", "all",
     "sweeps (pgs, aapgs), accepted steps (apgd), factorizations and pivots (others)"},
    {"time_limit", nullptr, &perp_settings::time_limit, "s", "≥ 0", "all",
     "0: none. Looked at where η is evaluated, and only to stop"},
    {"warm_start", &perp_settings::warm_start, nullptr, "", "0, 1", "all but ipm",
     "1: start from the `z` passed in, else from 0"},
    {"stagnation_window", &perp_settings::stagnation_window, nullptr, "iterations", "≥ -1", "all",
     "no 10 % progress for so long: stalled. 0: never; -1: the larger of 200 and "
     "`max_iterations` / 5"},
    {"threads", &perp_settings::threads, nullptr, "", "1 to 1024", "all",
     "at most so many share the work of one solve. The answer is the same to the bit. Problems "
     "below 2 000 rows, and sweeps in another order than `coloured`, use one; `perp_info` tells. "
     "Where other work keeps the cores busy, `OMP_WAIT_POLICY=passive` in the environment keeps "
     "threads from waiting for each other at full speed"},
    {"eliminate_bilateral", &perp_settings::eliminate_bilateral, nullptr, "", "0, 1", "all",
     "1: joints are solved exactly, 0: they are iterated on like the other rows"},
    {"relaxation", nullptr, &perp_settings::relaxation, "", "between 0 and 2", "pgs, aapgs",
     "factor on the step"},
    {"sweep_order", &perp_settings::sweep_order, nullptr, "", "a name below, or its constant",
     "pgs, aapgs",
     "`coloured` (groups that share no body: the fastest, and the one for threads), `given`, `bfs` "
     "(outwards from the contacts with the fewest bodies, those with the ground), `random`"},
    {"symmetric_sweep", &perp_settings::symmetric_sweep, nullptr, "", "0, 1", "pgs, aapgs",
     "1: every sweep forward, then backward"},
    {"seed", &perp_settings::seed, nullptr, "", "any", "pgs, aapgs", "of the random order"},
    {"check_interval", &perp_settings::check_interval, nullptr, "sweeps", "≥ 1", "pgs, aapgs",
     "between two evaluations of η"},
    {"anderson_window", &perp_settings::anderson_window, nullptr, "sweeps", "1 to 20", "aapgs",
     "how many are mixed"},
    {"tie_rounds", &perp_settings::tie_rounds, nullptr, "", "≥ 1", "all",
     "problems solved, at most, until [tied bounds](friction.md#bounds-tied-to-normal-impulses) or "
     "the [exact Coulomb law](friction.md#the-exact-coulomb-law) hold"},
    {"least_norm", &perp_settings::least_norm, nullptr, "", "0, 1", "all",
     "1: of all solutions, the impulses of least energy norm (symmetric matrices, no tied bounds). "
     "Costs 1.0 to 6 times the solve alone, most where contacts are many and the tolerance is "
     "coarse"},
};

// The words that stand for values of a setting.
struct SettingWord {
    const char* setting;
    const char* text;
    std::int64_t value;
};

constexpr SettingWord setting_words[] = {
    {"method", "auto", PERP_AUTO},
    {"method", "accurate", PERP_ACCURATE},
    {"method", "pgs", PERP_PGS},
    {"method", "apgd", PERP_APGD},
    {"method", "aapgs", PERP_AAPGS},
    {"method", "pivoting", PERP_PIVOTING},
    {"method", "keller", PERP_KELLER},
    {"method", "lemke", PERP_LEMKE},
    {"method", "ipm", PERP_IPM},
    {"method", "newton", PERP_NEWTON},
    {"sweep_order", "coloured", PERP_SWEEP_COLOURED},
    {"sweep_order", "given", PERP_SWEEP_GIVEN},
    {"sweep_order", "bfs", PERP_SWEEP_BFS},
    {"sweep_order", "random", PERP_SWEEP_RANDOM},
};

}  // namespace perp::capi
