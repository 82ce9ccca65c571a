// An allocator that fails on demand, for programs of one file. Replaces every form of operator new,
// also for libperp.so; where no sanitizer owns malloc, malloc as well (glibc).
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PERP_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PERP_SANITIZED 1
#endif
#if defined(__GLIBC__) && !defined(PERP_SANITIZED)
#define PERP_OWNS_MALLOC 1
extern "C" {
void* __libc_malloc(std::size_t size);                     // NOLINT: glibc's names
void* __libc_calloc(std::size_t count, std::size_t size);  // NOLINT
void* __libc_realloc(void* old, std::size_t size);         // NOLINT
}
#endif

namespace failing_allocator {

#ifdef PERP_OWNS_MALLOC
constexpr bool owns_malloc = true;
#else
constexpr bool owns_malloc = false;
#endif

enum class Scope { off, operator_new, malloc };

// One thread only.
struct State {
    Scope scope = Scope::off;
    std::int64_t remaining = 0;  // allocations that still work
    bool for_good = false;       // fails from then on, not once
    std::int64_t failures = 0;
    std::int64_t living = 0;  // allocations of operator new not yet deleted
};
inline State state;

inline bool refuses(Scope asked) {
    if (state.scope != asked) return false;
    if (state.remaining > 0) {
        --state.remaining;
        return false;
    }
    if (state.failures > 0 && !state.for_good) return false;
    ++state.failures;
    return true;
}

inline void* allocate(std::size_t size) {
    void* p = refuses(Scope::operator_new) ? nullptr : std::malloc(size > 0 ? size : 1);
    if (p != nullptr) ++state.living;
    return p;
}

inline void release(void* p) {
    if (p != nullptr) --state.living;
    std::free(p);
}

}  // namespace failing_allocator

// Not inlined: g++ takes the malloc inside for a mismatch with delete otherwise.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (void* p = failing_allocator::allocate(size)) return p;
    throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](std::size_t size) { return ::operator new(size); }
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return failing_allocator::allocate(size);
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return failing_allocator::allocate(size);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { failing_allocator::release(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { failing_allocator::release(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
    failing_allocator::release(p);
}
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept {
    failing_allocator::release(p);
}
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept {
    failing_allocator::release(p);
}
[[gnu::noinline]] void operator delete[](void* p, const std::nothrow_t&) noexcept {
    failing_allocator::release(p);
}

#ifdef PERP_OWNS_MALLOC
namespace failing_allocator {

// What a malloc that fails says: libraries look at errno.
inline bool refuses_malloc() {
    if (!refuses(Scope::malloc)) return false;
    errno = ENOMEM;
    return true;
}

}  // namespace failing_allocator

#pragma GCC visibility push(default)  // libperp and HDF5 must find these
extern "C" {
void* malloc(std::size_t size) {
    return failing_allocator::refuses_malloc() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    return failing_allocator::refuses_malloc() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
    return failing_allocator::refuses_malloc() ? nullptr : __libc_realloc(old, size);
}
}
#pragma GCC visibility pop
#endif
