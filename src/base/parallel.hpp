// Loops on several threads. What a loop computes never depends on how many there are: iterations
// write to places of their own, and sums are kept per iteration and added in order afterwards.
#pragma once

#include <cstdint>

namespace perp {

// False where the library was built without OpenMP: every loop then runs on the calling thread.
#ifdef _OPENMP
constexpr bool parallel_loops = true;
#else
constexpr bool parallel_loops = false;
#endif

// f(0), ..., f(count - 1), on up to `threads` threads. f must not throw.
template <class F>
void parallel_for(int threads, std::int64_t count, const F& f) {
#ifdef _OPENMP
    if (threads > 1 && count > 1) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (std::int64_t i = 0; i < count; ++i) f(i);
        return;
    }
#endif
    static_cast<void>(threads);
    for (std::int64_t i = 0; i < count; ++i) f(i);
}

// f(begin, end, part) for parts of [0, count) of a fixed size: the same parts on any number of
// threads.
constexpr std::int64_t part_size = 1024;

inline std::int64_t parts_of(std::int64_t count) { return (count + part_size - 1) / part_size; }

template <class F>
void parallel_parts(int threads, std::int64_t count, const F& f) {
    parallel_for(threads, parts_of(count), [&](std::int64_t part) {
        const std::int64_t end = (part + 1) * part_size;
        f(part * part_size, end < count ? end : count, part);
    });
}

}  // namespace perp
