// Loops over the blocks of a scaled problem, with shapes dispatched once per range.
//
// A visitor has   template <int T, int S, int R, int W> void contact(std::int64_t i)
// and             template <int W> void scalar(std::int64_t s);
// one that can do better with several contacts at once has also
//                 template <int T, int S, int R, int W> void contacts(begin, end).
// W is the tile width of the Jacobian form, 0 in matrix form.
#pragma once

#include <vector>

#include "base/inline.hpp"
#include "base/parallel.hpp"
#include "problem/scaled_problem.hpp"

namespace perp {

// f.template operator()<T, S, R, W>() for the shape and layout of a problem.
template <class F>
void with_layout(const ScaledProblem& problem, const F& f) {
    const auto with_width = [&]<int W>() {
        with_shape(problem.shape(),
                   [&]<int T, int S, int R>() { f.template operator()<T, S, R, W>(); });
    };
    if (problem.matrix_form())
        with_width.template operator()<0>();
    else
        with_tile(problem.tile(), with_width);
}

// In the order of a sweep, or in reverse.
template <class Visitor>
void visit_range(const ScaledProblem& problem, const BlockRange& range, bool backward,
                 Visitor& visitor) {
    with_layout(problem, [&]<int T, int S, int R, int W>() {
        if (backward) {
            for (std::int64_t s = range.scalars_end - 1; s >= range.scalars_middle; --s)
                visitor.template scalar<W>(s);
            for (std::int64_t i = range.contacts_end - 1; i >= range.contacts_begin; --i)
                visitor.template contact<T, S, R, W>(i);
            for (std::int64_t s = range.scalars_middle - 1; s >= range.scalars_begin; --s)
                visitor.template scalar<W>(s);
            return;
        }
        for (std::int64_t s = range.scalars_begin; s < range.scalars_middle; ++s)
            visitor.template scalar<W>(s);
        if constexpr (requires { visitor.template contacts<T, S, R, W>(0, 0); }) {
            visitor.template contacts<T, S, R, W>(range.contacts_begin, range.contacts_end);
        } else {
            for (std::int64_t i = range.contacts_begin; i < range.contacts_end; ++i)
                visitor.template contact<T, S, R, W>(i);
        }
        for (std::int64_t s = range.scalars_middle; s < range.scalars_end; ++s)
            visitor.template scalar<W>(s);
    });
}

// All active blocks, task by task, round by round: blocks that run at the same time share no
// velocity. `make` makes a visitor for each task.
template <class Make>
void visit_tasks(const ScaledProblem& problem, bool backward, const Make& make) {
    const BlockOrder& order = problem.order();
    const auto rounds = static_cast<std::int64_t>(order.round.size()) - 1;
    for (std::int64_t k = 0; k < rounds; ++k) {
        const std::int64_t round = backward ? rounds - 1 - k : k;
        const std::int64_t first = order.round[round];
        const std::int64_t count = order.round[round + 1] - first;
        parallel_for(problem.threads(), count, [&](std::int64_t task) {
            auto visitor = make();
            visit_range(problem, order.tasks[first + task], backward, visitor);
        });
    }
}

// All active blocks by parts, where blocks write nothing in common. `make(part)` makes a visitor
// for each part.
template <class Make>
void visit_parts(const ScaledProblem& problem, const Make& make) {
    const std::vector<BlockRange>& parts = problem.parts();
    parallel_for(problem.threads(), static_cast<std::int64_t>(parts.size()), [&](std::int64_t p) {
        auto visitor = make(p);
        visit_range(problem, parts[p], false, visitor);
    });
}

// The same for visitors with `Sums sums`; returns their total, added part by part.
template <class Make>
Sums sum_parts(const ScaledProblem& problem, const Make& make) {
    const std::vector<BlockRange>& parts = problem.parts();
    std::vector<Sums>& sums = problem.part_sums();
    parallel_for(problem.threads(), static_cast<std::int64_t>(parts.size()), [&](std::int64_t p) {
        auto visitor = make(p);
        visit_range(problem, parts[p], false, visitor);
        sums[p] = visitor.sums;
    });
    Sums total;
    for (const Sums& part : sums)
        for (int k = 0; k < 4; ++k) total.value[k] += part.value[k];
    return total;
}

template <int K, int W>
PERP_INLINE void gather_block(const BlockRows& rows, std::int64_t block, const double* v,
                              double* u) {
    if constexpr (W > 0) gather<K, W>(rows, block, v, u);
}
template <int K, int W>
PERP_INLINE void scatter_block(const BlockRows& rows, std::int64_t block, const double* z,
                               double* v) {
    if constexpr (W > 0) scatter<K, W>(rows, rows.scattering().data(), block, z, v);
}

}  // namespace perp
