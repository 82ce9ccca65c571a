// Part of perp.hpp: solvers of problems.
#ifndef PERP_CPP_SOLVER_HPP
#define PERP_CPP_SOLVER_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "perp/cpp/problem.hpp"

namespace perp {
inline namespace cpp {

// perp_settings with the defaults filled in; change what you like.
struct Settings : perp_settings {
    Settings() : perp_settings(detail::defaults(perp_settings_init)) {}
};

// Called at every evaluation of eta, on the thread that solves. true: go on, false: cancel. It may
// throw: the solve is cancelled, and solve() throws the same exception to its caller.
using Progress = std::function<bool(const perp_progress&)>;

// A method with settings and workspace. Shares its problem: the Problem may be changed (the next
// solve sees it) or destroyed.
class Solver {
public:
    // Throws PERP_BAD_SETTING or PERP_UNSUPPORTED with the reason.
    explicit Solver(const Problem& problem, const Settings& settings = {}) : rows_(problem.rows()) {
        perp_solver* handle = nullptr;
        detail::require(perp_solver_create(problem.get(), &settings, &handle));
        handle_.reset(handle);
    }

    // One setting by its name in perp_settings, as text ("1e-8", "pgs") or as number.
    void set(const std::string& name, const std::string& value) {
        detail::require(perp_solver_set(handle_.get(), name.c_str(), value.c_str()));
    }
    template <class Number, class = std::enable_if_t<std::is_arithmetic<Number>::value>>
    void set(const std::string& name, Number value) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text.precision(std::numeric_limits<double>::max_digits10);
        text << value;
        set(name, text.str());
    }
    // Kept until replaced or this object ends; an empty function removes it.
    void set_callback(Progress progress) {
        auto watch = std::make_unique<Watch>();
        watch->progress = std::move(progress);
        const bool wanted = static_cast<bool>(watch->progress);
        detail::require(perp_solver_set_callback(handle_.get(), wanted ? on_progress : nullptr,
                                                 wanted ? watch.get() : nullptr));
        watch_ = wanted ? std::move(watch) : nullptr;
    }

    // z: the guess in (with warm_start), the best iterate found out, whatever the outcome; an empty
    // z first becomes zeros of the right length. u: the velocities of that z. When the callback
    // throws, z is the best iterate so far. Throws PERP_BAD_SIZE; PERP_BAD_VALUE for a guess that
    // is not finite; PERP_UNSUPPORTED after a change of the problem that the method cannot take.
    [[nodiscard]] perp_info solve(std::vector<double>& z) { return solve_vectors(z, nullptr); }
    [[nodiscard]] perp_info solve(std::vector<double>& z, std::vector<double>& u) {
        return solve_vectors(z, &u);
    }
    // Arrays of the caller: z of `size` entries, u of as many or NULL.
    [[nodiscard]] perp_info solve(double* z, std::size_t size, double* u = nullptr) {
        if (static_cast<std::int64_t>(size) != rows_) detail::wrong_size("z", size, rows_);
        perp_info info = detail::sized<perp_info>();
        const std::int32_t status = perp_solve(handle_.get(), z, u, &info);
        if (watch_ != nullptr && watch_->failure != nullptr)
            std::rethrow_exception(std::exchange(watch_->failure, nullptr));
        detail::require(status);
        return info;
    }

    // The basic set of the last solve by a pivoting method (see perp_solver_get_basic_set), length
    // rows; and the one that the next solve starts from.
    std::vector<std::int8_t> basic_set() const {
        std::vector<std::int8_t> set(static_cast<std::size_t>(rows_));
        detail::require(perp_solver_get_basic_set(handle_.get(), set.data()));
        return set;
    }
    void set_basic_set(const std::vector<std::int8_t>& set) {
        if (static_cast<std::int64_t>(set.size()) != rows_)
            detail::wrong_size("set", set.size(), rows_);
        detail::require(perp_solver_set_basic_set(handle_.get(), set.data()));
    }
    // After PERP_NO_SOLUTION: the proof (see perp_certificate), length rows. Throws
    // PERP_UNSUPPORTED where there is none.
    std::vector<double> certificate() const {
        std::vector<double> d = detail::vector_of(rows_);
        detail::require(perp_certificate(handle_.get(), d.data()));
        return d;
    }

    const perp_solver* get() const noexcept { return handle_.get(); }  // owned by this object

private:
    struct Watch {  // on the heap, so that the solver keeps its address when this object is moved
        Progress progress;
        std::exception_ptr failure;
    };

    // No exception may pass through the C code above: it is kept until perp_solve has returned.
    static std::int32_t on_progress(const perp_progress* progress, void* user) noexcept {
        Watch& watch = *static_cast<Watch*>(user);
        try {
            return watch.progress(*progress) ? 0 : 1;
        } catch (...) {
            watch.failure = std::current_exception();
            return 1;
        }
    }

    perp_info solve_vectors(std::vector<double>& z, std::vector<double>* u) {
        if (z.empty()) z = detail::vector_of(rows_);
        if (u == nullptr) return solve(z.data(), z.size());
        std::vector<double> velocities = detail::vector_of(rows_);
        const perp_info info = solve(z.data(), z.size(), velocities.data());
        u->swap(velocities);
        return info;
    }

    std::int64_t rows_;
    std::unique_ptr<Watch> watch_;  // outlives handle_, which points to it
    detail::Owner<perp_solver, perp_solver_destroy> handle_;
};

}  // namespace cpp
}  // namespace perp

#endif  // PERP_CPP_SOLVER_HPP
