#include "solvers/choice.hpp"

#include <algorithm>
#include <cmath>

#include "problem/mixed_form.hpp"

namespace perp {
namespace {

// Iterations of apgd that take the time of a step with a factorization, measured on piles, walls
// and chains of 500 to 29 000 rows: some for what a step does beside, and one for so many
// multiplications of the factorization per entry of the matrices.
constexpr double iterations_beside = 18.0;
constexpr double multiplications_per_entry = 4.5;
// What Newton and the interior point take, about, in factorizations, their analysis included.
constexpr double factorizations_left = 20.0;
// Iterations that cost no more than so many need not be fast; from a guess they are so more often.
constexpr double cold_patience = 4.0;
constexpr double warm_patience = 10.0;
// Under the exact law, what follows sweeps is so many relaxed problems, about. Accelerated sweeps
// are slow first and fast later.
constexpr double relaxed_problems = 5.0;
constexpr double sweep_patience = 3.0;
// Iterations never cost more than so many.
constexpr double most_factorizations = 100.0;

std::int64_t nonzeros(const Problem& problem) {
    if (const MatrixForm* form = problem.matrix(); form != nullptr)
        return (form->delassus ? form->combined : form->main.csr()).nonzeros();
    const System& system = *problem.assembled()->system;
    std::int64_t sum = system.matrix(SystemMatrix::M).nonzeros();
    for (const SystemMatrix which : jacobian_order) sum += 2 * system.matrix(which).nonzeros();
    return sum;
}

}  // namespace

Method first_method(const Problem& problem, const Settings& settings) {
    if (MixedForm::reason(problem).empty()) return Method::pivoting;
    if (!unsupported_reason(problem, Method::accurate).empty()) return Method::pgs;
    const bool products = settings.method == Method::automatic || settings.warm_start;
    return products ? Method::apgd : Method::accurate;
}

double iterations_per_factorization(const Problem& problem, double factor_cost) {
    const auto entries = static_cast<double>(std::max<std::int64_t>(nonzeros(problem), 1));
    return iterations_beside + factor_cost / (multiplications_per_entry * entries);
}

ProductBudget::ProductBudget(const Settings& settings)
    : iterations_per_factorization_(iterations_beside),
      patience_(settings.warm_start ? warm_patience : cold_patience),
      tolerance_(settings.tolerance) {
    marks_.reserve(1024);
}

ProductBudget ProductBudget::of_sweeps(const Settings& settings) {
    ProductBudget budget(settings);
    budget.iterations_per_factorization_ *= relaxed_problems;
    budget.patience_ = sweep_patience;
    return budget;
}

// At the rate of the second half, would the rest cost less than factorizations?
bool ProductBudget::worth(std::int64_t iteration, double eta) {
    if (marks_.size() < marks_.capacity()) marks_.push_back({iteration, eta});
    const double spent = static_cast<double>(iteration) / iterations_per_factorization_;
    if (spent < patience_ || eta <= tolerance_) return true;
    if (spent > most_factorizations) return false;
    const auto half =
        std::upper_bound(marks_.begin(), marks_.end(), iteration / 2,
                         [](std::int64_t at, const Mark& mark) { return at < mark.iteration; });
    const Mark& from = half == marks_.begin() ? marks_.front() : *(half - 1);
    const double gained = std::log(from.eta / eta);
    if (!(gained > 0.0)) return false;
    const double left =
        static_cast<double>(iteration - from.iteration) * std::log(eta / tolerance_) / gained;
    return left <= factorizations_left * iterations_per_factorization_;
}

}  // namespace perp
