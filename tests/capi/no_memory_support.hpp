// Scenes and failing calls of the tests without memory. For one source file of a program: it brings
// operator new and malloc that fail.
#pragma once

#include "failing_allocator.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "support.hpp"

namespace perp_test {

using failing_allocator::Scope;
using failing_allocator::state;

// ------------------------------------------------------------------ scenes

struct Scene {
    System system;  // none: a matrix form
    Matrices matrices;
    Matrix H, V, R;
    Vector f, mu, lo, hi, s;
    int64_t law = PERP_LAW_CONE;
    bool delassus = false;
    bool tied = false;  // box law: by mu

    [[nodiscard]] perp_rows step() const {
        perp_rows r = rows();
        r.f = f.data();
        r.mu = mu.data();
        if (law == PERP_LAW_BOX && !tied) {
            r.lo_T = lo.data();
            r.hi_T = hi.data();
        }
        if (matrices.B.rows > 0) {
            r.lo_B = lo.data();
            r.hi_B = hi.data();
        }
        return r;
    }

    // The call that makes the problem.
    int32_t make(perp_problem** out) const {
        const perp_triplets h = H.view(), v = V.view(), r = R.view();
        if (system != nullptr) {
            const perp_rows given = step();
            return law == PERP_LAW_CONE ? perp_cone_assemble(system.get(), &given, out)
                                        : perp_blcp_assemble(system.get(), &given, out);
        }
        if (!delassus) return perp_blcp_create(&h, f.data(), lo.data(), hi.data(), out);
        perp_delassus_def def = initialized(perp_delassus_def_init);
        def.W = &h;
        def.V = &v;
        def.R = &r;
        def.q = f.data();
        def.mu = mu.data();
        def.s = s.data();
        return perp_delassus_create(&def, out);
    }
    [[nodiscard]] Problem problem() const {
        perp_problem* out = nullptr;
        EXPECT_EQ(make(&out), PERP_OK) << perp_last_message();
        return Problem(out);
    }
};

// Entries of a row in shuffled columns, so that triplets need sorting and have duplicates.
Matrix jacobian(int64_t rows_, int64_t cols, int64_t shift) {
    Matrix m(rows_, cols);
    for (int64_t i = rows_ - 1; i >= 0; --i)
        for (const int64_t k : {0, 3, 1, 0})
            m.add(i, (5 * i + k + shift) % cols, 1.0 / static_cast<double>(1 + k + i));
    return m;
}

Vector ramp(std::size_t size, double first, double step) {
    Vector v(size);
    for (std::size_t i = 0; i < size; ++i) v[i] = first + step * static_cast<double>(i);
    return v;
}

inline Scene assembled(int64_t law, bool chain) {
    Scene scene;
    const int64_t n = chain ? 140 : 7;
    Matrices& m = scene.matrices;
    m.M = Matrix(n, n);
    for (int64_t i = n - 1; i >= 0; --i) m.M.add(i, i, 3.0);
    for (int64_t i = 0; i + 1 < (chain ? n : 3); ++i) {
        m.M.add(i, i + 1, -1.0);
        m.M.add(i + 1, i, -1.0);
    }
    m.A = jacobian(1, n, 2);
    m.N = jacobian(2, n, 0);
    m.D = jacobian(4, n, 1);
    m.B = jacobian(2, n, 3);
    if (law == PERP_LAW_CONE) m.S = jacobian(6, n, 4);
    scene.law = law;
    scene.f = ramp(static_cast<std::size_t>(n), -1.0, 0.4);
    scene.mu = {0.5, 0.25};
    scene.lo = Vector(4, -0.5);
    scene.hi = Vector(4, 0.25);
    scene.system = system(m);
    return scene;
}

inline Scene tied() {
    Scene scene = assembled(PERP_LAW_BOX, false);
    scene.tied = true;
    return scene;
}

inline Scene matrix_form(bool delassus) {
    Scene scene;
    scene.delassus = delassus;
    scene.H = Matrix(6, 6);
    for (int64_t i = 5; i >= 0; --i) scene.H.add(i, i, 2.0);
    for (int64_t i = 0; i < 5; ++i) {
        scene.H.add(i, i + 1, -0.5);
        scene.H.add(i + 1, i, -0.5);
    }
    scene.f = ramp(6, -1.0, 0.5);
    scene.lo = Vector(6, -0.25);
    scene.hi = Vector(6, 1.0);
    if (!delassus) return scene;
    scene.mu = {0.5, 0.25};
    scene.V = Matrix(6, 1);
    scene.V.add(3, 0, 0.5);
    scene.R = Matrix(1, 1, {1.0});
    scene.s = {0.25};
    return scene;
}

// Not symmetric, and with a zero on the diagonal: for LU factors.
inline Scene skew() {
    Scene scene = matrix_form(false);
    Matrix& H = scene.H;
    H.value[0] = 0.0;
    for (std::size_t k = 0; k < H.value.size(); ++k)
        if (H.row[k] > H.col[k]) H.value[k] *= -1.0;
    return scene;
}

struct Named {
    const char* what;
    std::function<Scene()> make;
};

inline void PrintTo(const Named& named, std::ostream* out) { *out << named.what; }

inline const Named scenes[] = {{"cones", [] { return assembled(PERP_LAW_CONE, false); }},
                               {"boxes", [] { return assembled(PERP_LAW_BOX, false); }},
                               {"tied", tied},
                               {"chain", [] { return assembled(PERP_LAW_CONE, true); }},
                               {"blcp", [] { return matrix_form(false); }},
                               {"delassus", [] { return matrix_form(true); }},
                               {"skew", skew}};

constexpr int systems = 4;  // the first ones have a system, the others are matrix forms

// ------------------------------------------------------------------ failures

// Runs the one call under test; everything else of an attempt has memory.
using Armed = std::function<int32_t(const std::function<int32_t()>&)>;

// HDF5 1.10 does not survive a malloc that fails: later calls of its own go wrong. There, only
// operator new fails.
enum class Uses { memory, hdf5 };

// The thread's message is that of the last call that failed, whatever memory there was for it.
inline void check_message(int32_t status, const char* before) {
    const std::string message = perp_last_message();
    if (status == PERP_OK) {
        EXPECT_EQ(message, before);
    } else if (status == PERP_NO_MEMORY) {
        EXPECT_NE(message.find("memory"), std::string::npos) << message;
    } else {
        EXPECT_NE(message, before);
    }
}

// Runs the call with memory for `remaining` allocations: then one fails, or all do.
inline int32_t run_armed(Scope scope, bool for_good, int64_t remaining,
                         const std::function<int32_t()>& call) {
    perp_settings_init(nullptr, 0);
    const std::string before = perp_last_message();
    state.remaining = remaining;
    state.failures = 0;
    state.for_good = for_good;
    state.scope = scope;
    const int32_t status = call();
    state.scope = Scope::off;
    check_message(status, before.c_str());
    return status;
}

// `attempt` makes what it needs, runs the call, checks that outputs are untouched where it failed,
// and destroys everything. The call returns `expected` where it has the memory to. Returns the
// number of allocations that failed.
inline int64_t fail_each(const char* what, Uses uses,
                         const std::function<int32_t(const Armed&)>& attempt,
                         int32_t expected = PERP_OK) {
    int64_t failed = 0;
    for (const Scope scope : {Scope::operator_new, Scope::malloc}) {
        if (scope == Scope::malloc && (uses == Uses::hdf5 || !failing_allocator::owns_malloc))
            continue;
        for (const bool for_good : {false, true}) {
            bool failing = true;
            for (int64_t k = 0; failing; ++k) {
                const int64_t living = state.living;
                const int32_t status = attempt([&](const std::function<int32_t()>& call) {
                    return run_armed(scope, for_good, k, call);
                });
                failing = state.failures > 0;
                failed += failing ? 1 : 0;
                // Some allocations may fail harmlessly: buffers that only make things faster.
                EXPECT_TRUE(status == expected || (failing && status == PERP_NO_MEMORY))
                    << what << ", allocation " << k << ": " << perp_status_text(status) << ": "
                    << perp_last_message();
                EXPECT_EQ(state.living, living) << what << ", allocation " << k << ": leak";
                if (testing::Test::HasFailure()) return failed;
            }
        }
    }
    return failed;
}

template <class T>
T* sentinel() {
    static int64_t place;
    return reinterpret_cast<T*>(&place);
}

inline Vector velocities_of(const Problem& problem) {
    const Vector z(static_cast<std::size_t>(info_of(problem).rows), 0.125);
    Vector u(z.size());
    EXPECT_EQ(perp_constraint_velocity(problem.get(), z.data(), u.data(), nullptr), PERP_OK);
    return u;
}

inline perp_settings few_iterations(int64_t method) {
    perp_settings s = settings(method);
    s.max_iterations = method < PERP_IPM ? 12 : 3;  // what follows allocates the same again
    return s;
}

// ------------------------------------------------------------------ files

// A folder of this process, gone with the test.
class Folder {
public:
    Folder()
        : path_(std::filesystem::path(testing::TempDir()) /
                ("perp_no_memory_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string at(const char* name) const { return (path_ / name).string(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            found.push_back(entry.path().filename().string());
        return found;
    }

private:
    std::filesystem::path path_;
};

// Of a file, or of all files of a folder with their names; empty where there is none.
inline std::string bytes_of(const std::string& path) {
    std::string bytes;
    if (std::filesystem::is_directory(path)) {
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            files.push_back(entry.path().string());
        std::sort(files.begin(), files.end());
        for (const std::string& file : files) bytes += file + "\n" + bytes_of(file);
        return bytes;
    }
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A struct for output, each byte of it known.
template <class T>
T untouched() {
    T t;
    std::memset(&t, 0x5a, sizeof t);
    t.struct_size = sizeof t;
    return t;
}
template <class T>
bool is_untouched(const T& t) {
    const T fresh = untouched<T>();
    return std::memcmp(&t, &fresh, sizeof t) == 0;
}

class NoMemory : public testing::TestWithParam<Named> {
protected:
    const Scene scene_ = GetParam().make();
};

inline std::string name_of(const testing::TestParamInfo<Named>& p) { return p.param.what; }

}  // namespace perp_test
