#include "sparse/lu_factor.hpp"

#include <SuiteSparse_config.h>
#if PERP_WITH_GPL
#include <umfpack.h>
#else
#include <klu.h>
#endif

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "base/error.hpp"

namespace perp {
namespace {

// SuiteSparse 6 renamed its 64-bit integer; before, it was `long` behind SuiteSparse_long.
#if SUITESPARSE_MAIN_VERSION >= 6
using Long = std::int64_t;
#else
using Long = SuiteSparse_long;
#endif
static_assert(std::is_same_v<Long, std::int64_t>);

// A test system solved worse than this asks for a stricter pivot tolerance.
constexpr double acceptable_error = 1e-10;
// Terms so much larger than the right-hand side come from a matrix that may be singular, and
// with strict pivoting the matrix is singular where a pivot, too, is that small.
constexpr double suspicious_growth = 1e12;
constexpr double vanishing_pivot = 1e-13;

// What does not depend on the package.
struct Factorized {
    SparseColumns a;
    std::int64_t nonzeros = 0;
    double operations = 0.0, condition = 0.0;
    int level = 0;
    bool analyzed = false;
    std::vector<double> test, answer;
};

}  // namespace

#if PERP_WITH_GPL

struct LuFactor::Package : Factorized {
    static constexpr double tolerance[levels] = {1e-8, 1e-3, 0.1};

    Package() {
        umfpack_dl_defaults(control);
        control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
        control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;  // the caller's matrix is scaled
        control[UMFPACK_IRSTEP] = 0;
    }
    ~Package() { clear(); }
    Package(const Package&) = delete;
    Package& operator=(const Package&) = delete;

    void clear_numeric() { umfpack_dl_free_numeric(&numeric); }
    void clear() {
        clear_numeric();
        umfpack_dl_free_symbolic(&symbolic);
    }
    static void check(Long status) {
        if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
        if (status < UMFPACK_OK)
            fail(Status::internal, "UMFPACK failed with status %d", static_cast<int>(status));
    }
    bool analyze() {
        integers.resize(a.rows);
        reals.resize(5 * a.rows);
        check(umfpack_dl_symbolic(a.rows, a.rows, a.start.data(), a.index.data(), a.value.data(),
                                  &symbolic, control, info));
        return true;
    }
    bool factorize(int at) {
        control[UMFPACK_PIVOT_TOLERANCE] = tolerance[at];
        control[UMFPACK_SYM_PIVOT_TOLERANCE] = tolerance[at];
        const Long status = umfpack_dl_numeric(a.start.data(), a.index.data(), a.value.data(),
                                               symbolic, &numeric, control, info);
        check(status);
        nonzeros = static_cast<std::int64_t>(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]);
        operations = info[UMFPACK_FLOPS];
        condition = info[UMFPACK_RCOND];
        return status == UMFPACK_OK;
    }
    void solve(bool transposed, std::span<const double> b, std::span<double> x) {
        check(umfpack_dl_wsolve(transposed ? UMFPACK_At : UMFPACK_A, a.start.data(), a.index.data(),
                                a.value.data(), x.data(), b.data(), numeric, control, info,
                                integers.data(), reals.data()));
    }

    std::vector<std::int64_t> integers;  // scratch of the solves
    std::vector<double> reals;
    void* symbolic = nullptr;
    void* numeric = nullptr;
    double control[UMFPACK_CONTROL] = {}, info[UMFPACK_INFO] = {};
};

#else

struct LuFactor::Package : Factorized {
    static constexpr double tolerance[levels] = {1e-3, 0.1, 0.5};

    Package() {
        klu_l_defaults(&common);
        common.ordering = 1;  // COLAMD: KKT matrices fill less than with AMD, KLU's default
    }
    ~Package() { clear(); }
    Package(const Package&) = delete;
    Package& operator=(const Package&) = delete;

    void clear_numeric() { klu_l_free_numeric(&numeric, &common); }
    void clear() {
        clear_numeric();
        klu_l_free_symbolic(&symbolic, &common);
    }
    void check(bool worked) const {
        if (worked || common.status == KLU_SINGULAR) return;
        if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
        fail(Status::internal, "KLU failed with status %d", static_cast<int>(common.status));
    }
    // False: singular for every choice of values.
    bool analyze() {
        symbolic = klu_l_analyze(a.rows, a.start.data(), a.index.data(), &common);
        check(symbolic != nullptr);
        return symbolic != nullptr && symbolic->structural_rank == a.rows;
    }
    bool factorize(int at) {
        common.tol = tolerance[at];
        numeric = klu_l_factor(a.start.data(), a.index.data(), a.value.data(), symbolic, &common);
        check(numeric != nullptr);
        if (numeric == nullptr) return false;
        klu_l_flops(symbolic, numeric, &common);
        klu_l_rcond(symbolic, numeric, &common);
        nonzeros = numeric->lnz + numeric->unz + numeric->nzoff;
        operations = common.flops;
        condition = common.rcond;
        return common.status == KLU_OK;
    }
    void solve(bool transposed, std::span<const double> b, std::span<double> x) {
        std::copy(b.begin(), b.end(), x.begin());
        const auto worked = transposed
                                ? klu_l_tsolve(symbolic, numeric, a.rows, 1, x.data(), &common)
                                : klu_l_solve(symbolic, numeric, a.rows, 1, x.data(), &common);
        check(worked != 0);
    }

    klu_l_symbolic* symbolic = nullptr;
    klu_l_numeric* numeric = nullptr;
    klu_l_common common = {};
};

#endif

namespace {

// |A x - b| over |A| |x| + |b|, both at their largest.
double backward_error(const SparseColumns& a, std::span<const double> x, std::span<double> residual,
                      std::span<double> size) {
    for (std::int64_t j = 0; j < a.rows; ++j)
        for (std::int64_t k = a.start[j]; k < a.start[j + 1]; ++k) {
            residual[a.index[k]] -= a.value[k] * x[j];
            size[a.index[k]] += std::abs(a.value[k] * x[j]);
        }
    double error = 0.0, scale = 0.0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
        if (!std::isfinite(residual[i])) return std::numeric_limits<double>::infinity();
        error = std::max(error, std::abs(residual[i]));
        scale = std::max(scale, size[i]);
    }
    return error / scale;
}

}  // namespace

LuFactor::LuFactor() : package_(std::make_unique<Package>()) {}
LuFactor::~LuFactor() = default;
LuFactor::LuFactor(LuFactor&&) noexcept = default;
LuFactor& LuFactor::operator=(LuFactor&&) noexcept = default;

bool LuFactor::factor(const SparseColumns& a, int level) {
    Package& p = *package_;
    if (a.rows != a.cols())
        fail(Status::bad_size, "LU of a matrix of %" PRId64 " rows and %" PRId64 " columns", a.rows,
             a.cols());
    const bool same = p.analyzed && a.start == p.a.start && a.index == p.a.index;
    p.a = a;
    if (!same) {
        p.clear();
        p.analyzed = false;
        p.test.resize(a.rows);
        p.answer.resize(2 * a.rows);
        if (a.rows > 0 && !p.analyze()) return false;
        p.analyzed = true;
    }
    if (a.rows == 0) return true;
    for (p.level = level; p.level < levels; ++p.level) {
        p.clear_numeric();
        if (!p.factorize(p.level)) continue;
        for (std::int64_t i = 0; i < a.rows; ++i) p.test[i] = i % 3 == 1 ? -1.0 : 1.0;
        const std::span<double> x(p.answer.data(), a.rows), size(p.answer.data() + a.rows, a.rows);
        p.solve(false, p.test, x);
        std::fill(size.begin(), size.end(), 1.0);
        const bool accurate = backward_error(a, x, p.test, size) <= acceptable_error;
        const double growth = *std::max_element(size.begin(), size.end());
        const bool regular =
            growth < suspicious_growth || (p.level == levels - 1 && p.condition > vanishing_pivot);
        if (accurate && regular) return true;
    }
    p.level = levels - 1;
    p.clear_numeric();
    return false;
}

void LuFactor::solve(std::span<const double> b, std::span<double> x) {
    if (package_->a.rows > 0) package_->solve(false, b, x);
}

void LuFactor::solve_transposed(std::span<const double> b, std::span<double> x) {
    if (package_->a.rows > 0) package_->solve(true, b, x);
}

std::int64_t LuFactor::size() const { return package_->a.rows; }
int LuFactor::level() const { return package_->level; }
std::int64_t LuFactor::nonzeros() const { return package_->nonzeros; }
double LuFactor::operations() const { return package_->operations; }
double LuFactor::reciprocal_condition() const { return package_->condition; }

}  // namespace perp
