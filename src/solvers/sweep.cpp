#include "solvers/sweep.hpp"

#include <algorithm>
#include <cmath>

#include "base/inline.hpp"
#include "cones/jacobi_rotation.hpp"
#include "problem/block_loops.hpp"

namespace perp {
namespace {

// Annihilates a_pq of a symmetric k x k matrix by a Jacobi rotation.
void rotate(int k, double* a, int p, int q) {
    const JacobiRotation r(a[p * k + p], a[p * k + q], a[q * k + q]);
    if (r.t == 0.0) return;
    const auto turn = [&r](double& x, double& y) {
        const double old = x;
        x = r.c * old - r.s * y;
        y = r.s * old + r.c * y;
    };
    for (int i = 0; i < k; ++i) turn(a[i * k + p], a[i * k + q]);
    for (int i = 0; i < k; ++i) turn(a[p * k + i], a[q * k + i]);
}

// Largest eigenvalue of the symmetric part of a k x k matrix, k <= 6, by cyclic Jacobi sweeps.
double largest_eigenvalue(int k, double* a) {
    for (int i = 0; i < k; ++i)
        for (int j = 0; j < i; ++j)
            a[i * k + j] = a[j * k + i] = 0.5 * (a[i * k + j] + a[j * k + i]);
    for (int sweep = 0; sweep < 12; ++sweep) {
        double off = 0.0;
        double diagonal = 0.0;
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j) (i == j ? diagonal : off) += a[i * k + j] * a[i * k + j];
        if (off <= 1e-28 * diagonal) break;
        for (int p = 0; p < k; ++p)
            for (int q = p + 1; q < k; ++q) rotate(k, a, p, q);
    }
    double largest = a[0];
    for (int i = 1; i < k; ++i) largest = std::max(largest, a[i * k + i]);
    return largest;
}

double trace(int k, const double* a) {
    double sum = 0.0;
    for (int i = 0; i < k; ++i) sum += a[i * k + i];
    return sum;
}

// A block without curvature has a constant velocity: any step leads to the right bound.
double step_of(double curvature) { return curvature > 0.0 ? 1.0 / curvature : 1.0; }

// z_i+ = P_i(z_i - omega g_i u_i) for one block, and v^ with it; under the exact law, the solution
// of the contact.
template <bool Exact>
struct Relax {
    const ScaledProblem& problem;
    const double* step;
    const double* block;  // S_ii of contacts, under the exact law
    const CoulombContacts* laws;
    const std::uint8_t* group;  // so many contacts from this one on share no body, at most 4
    double relaxation;
    double* z;
    double* v;

    // A processor finishes one contact's chain of roots and divisions while it works on others, if
    // their instructions are near enough: so contacts that share no body go in groups.
    template <int T, int S, int R, int W>
    void contacts(std::int64_t begin, std::int64_t end) const {
        for (std::int64_t i = begin; i < end;) {
            if (W > 0 && i + 3 < end && group[i] >= 4) {
                several<4, T, S, R, W>(i);
                i += 4;
            } else if (W > 0 && i + 1 < end && group[i] >= 2) {
                several<2, T, S, R, W>(i);
                i += 2;
            } else {
                several<1, T, S, R, W>(i);
                i += 1;
            }
        }
    }
    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        several<1, T, S, R, W>(i);
    }

    template <int Count, int T, int S, int R, int W>
    PERP_INLINE void several(std::int64_t i) const {
        constexpr int k = 1 + T + S + R;
        double u[Count][k], x[Count][k];
        for (int c = 0; c < Count; ++c)
            velocity<k, W>(problem.contact_rows(), i + c, (i + c) * k, u[c]);
        for (int c = 0; c < Count; ++c) {
            if constexpr (Exact) {
                solve_contact<T, S, R>(i + c, u[c], x[c]);
            } else {
                const double t = relaxation * step[i + c];
                for (int j = 0; j < k; ++j) x[c][j] = z[(i + c) * k + j] - t * u[c][j];
                project_contact<T, S, R>(problem.coefficients(i + c), x[c]);
            }
        }
        for (int c = 0; c < Count; ++c) {
            for (int j = 0; j < k; ++j) {
                double& zj = z[(i + c) * k + j];
                u[c][j] = x[c][j] - zj;
                zj = x[c][j];
            }
            scatter_block<k, W>(problem.contact_rows(), i + c, u[c], v);
        }
    }

    // x <- the contact's solution for the velocity u that it has at z. What W_ii lacks of S_ii,
    // where S is not symmetric, stays as it is at z.
    template <int T, int S, int R>
    void solve_contact(std::int64_t i, const double* u, double* x) const {
        constexpr int k = 1 + T + S + R;
        const double* const w = block + i * k * k;
        const double* const at = z + i * k;
        const ConeCoefficients c = problem.coefficients(i);
        bool solved = false;
        if constexpr (S + R == 0) {
            double q[k];
            for (int j = 0; j < k; ++j) {
                q[j] = u[j];
                for (int l = 0; l < k; ++l) q[j] -= w[j * k + l] * at[l];
            }
            double length = 0.0, along = 0.0;
            for (int j = 1; j < k; ++j) {
                length += at[j] * at[j];
                along -= at[j] * u[j];
            }
            solved = laws->of<T>()[i].solve(c.sliding, q, along > 0.0 ? along / length : 0.0, x);
        }
        if (!solved) project_often<T, S, R>(i, u, x);
        if (relaxation == 1.0) return;
        for (int j = 0; j < k; ++j) x[j] = at[j] + relaxation * (x[j] - at[j]);
        project_contact<T, S, R>(c, x);
    }

    // Contacts that roll: projected steps of the contact alone.
    template <int T, int S, int R>
    void project_often(std::int64_t i, const double* u, double* x) const {
        constexpr int k = 1 + T + S + R;
        constexpr int steps = 10;
        const double* const w = block + i * k * k;
        const ConeCoefficients c = problem.coefficients(i);
        double velocity[k], next[k];
        for (int j = 0; j < k; ++j) {
            x[j] = z[i * k + j];
            velocity[j] = u[j];
        }
        for (int n = 0; n < steps; ++n) {
            for (int j = 0; j < k; ++j) next[j] = x[j] - step[i] * velocity[j];
            next[0] -= step[i] * de_saxce_shift(problem.shape(), c, velocity);
            project_contact<T, S, R>(c, next);
            for (int j = 0; j < k; ++j)
                for (int l = 0; l < k; ++l) velocity[j] += w[j * k + l] * (next[l] - x[l]);
            std::copy(next, next + k, x);
        }
    }

    template <int W>
    void scalar(std::int64_t s) const {
        const std::int64_t row = problem.scalar_row(s);
        double u = 0.0;
        velocity<1, W>(problem.scalar_rows(), s, row, &u);
        const double t = relaxation * step[problem.contacts() + s];
        const double x = std::min(std::max(z[row] - t * u, problem.lo()[s]), problem.hi()[s]);
        const double change = x - z[row];
        z[row] = x;
        if (change != 0.0) scatter_block<1, W>(problem.scalar_rows(), s, &change, v);
    }

    // (S z + r) of a block: from v^, or from z in matrix form.
    template <int K, int W>
    PERP_INLINE void velocity(const BlockRows& rows, std::int64_t block, std::int64_t row,
                              double* u) const {
        for (int j = 0; j < K; ++j) u[j] = problem.free_velocity()[row + j];
        if constexpr (W > 0) {
            for (int j = 0; j < K; ++j) u[j] += problem.compliance(row + j) * z[row + j];
            gather<K, W>(rows, block, v, u);
        } else {
            gather_entries<K>(rows, block, z, u);
        }
    }
};

template <bool Exact>
void sweep_list(const ScaledProblem& problem, const std::vector<std::int32_t>& order, bool backward,
                const Relax<Exact>& relax) {
    const auto blocks = static_cast<std::int64_t>(order.size());
    with_layout(problem, [&]<int T, int S, int R, int W>() {
        for (std::int64_t place = 0; place < blocks; ++place) {
            const std::int64_t b = order[backward ? blocks - 1 - place : place];
            if (b < problem.contacts())
                relax.template contact<T, S, R, W>(b);
            else
                relax.template scalar<W>(b - problem.contacts());
        }
    });
}

}  // namespace

std::vector<std::int32_t> given_order(const ScaledProblem& problem) {
    const auto contacts = static_cast<std::int32_t>(problem.contacts());
    std::vector<std::int32_t> contact(contacts), scalar(problem.scalars());
    for (std::int32_t i = 0; i < contacts; ++i) contact[problem.order().contact[i]] = i;
    for (std::int32_t s = 0; s < problem.scalars(); ++s)
        scalar[problem.order().scalar[s]] = contacts + s;
    const std::int64_t eliminated = problem.eliminated();
    std::vector<std::int32_t> order;
    order.reserve(contacts + problem.active_scalars());
    for (std::int64_t s = eliminated; s < problem.scalars_first(); ++s) order.push_back(scalar[s]);
    order.insert(order.end(), contact.begin(), contact.end());
    for (std::int64_t s = std::max(eliminated, problem.scalars_first()); s < problem.scalars(); ++s)
        order.push_back(scalar[s]);
    return order;
}

// How many contacts from each one on, up to 4, share no body; of matrix form nobody asks.
std::vector<std::uint8_t> independent_groups(const ScaledProblem& problem) {
    if (problem.matrix_form()) return {};
    const BlockRows& rows = problem.contact_rows();
    const auto share = [&rows](std::int64_t a, std::int64_t b) {
        for (std::int64_t s = rows.start[a]; s < rows.start[a + 1]; ++s)
            for (std::int64_t t = rows.start[b]; t < rows.start[b + 1]; ++t)
                if (rows.first[s] == rows.first[t]) return true;
        return false;
    };
    std::vector<std::uint8_t> group(rows.blocks(), 1);
    for (std::int64_t i = 0; i < rows.blocks(); ++i) {
        const std::int64_t end = std::min(i + 4, rows.blocks());
        for (std::int64_t next = i + 1; next < end; ++next) {
            for (std::int64_t before = i; before < next; ++before)
                if (share(before, next)) next = before = end;
            if (next < end) ++group[i];
        }
    }
    return group;
}

Sweeper::Sweeper(const ScaledProblem& problem, const Settings& settings)
    : step_(problem.contacts() + problem.active_scalars()),
      group_(independent_groups(problem)),
      elimination_work_(problem.elimination_work()) {
    const int k = problem.shape().rows();
    const bool exactly_solved = problem.exact() && problem.shape().angular() == 0;
    double block[ContactShape::most_rows * ContactShape::most_rows];
    if (problem.exact()) {
        block_.reserve(problem.contacts() * k * k);
        laws_.reserve(problem.shape(), problem.contacts());
    }
    for (std::int64_t i = 0; i < problem.contacts(); ++i) {
        problem.contact_block(i, block);
        if (problem.exact()) {
            for (int j = 0; j < k * k; ++j)
                block_.push_back(0.5 * (block[j] + block[j % k * k + j / k]));
            laws_.append(problem.shape(), block_.data() + i * k * k);
        }
        // Of those that are solved exactly few ever take a step.
        step_[i] = step_of(exactly_solved ? trace(k, block) : largest_eigenvalue(k, block));
    }
    for (std::int64_t s = 0; s < problem.active_scalars(); ++s)
        step_[problem.contacts() + s] = step_of(problem.scalar_diagonal(s));
    if (settings.sweep_order == SweepOrder::bfs)
        order_ = breadth_first_order(problem);
    else if (settings.sweep_order != SweepOrder::coloured)
        order_ = given_order(problem);
}

void Sweeper::start(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
                    std::vector<double>& velocity) {
    random_ = SplitMix(settings.seed);
    if (settings.sweep_order == SweepOrder::random) std::sort(order_.begin(), order_.end());
    renew(problem, z, velocity);
}

void Sweeper::renew(const ScaledProblem& problem, std::vector<double>& z,
                    std::vector<double>& velocity) {
    if (problem.matrix_form()) return;
    problem.scatter_all(z, velocity);
    problem.eliminate(z, velocity, elimination_work_);
}

void Sweeper::shuffle() {
    for (std::size_t i = order_.size(); i > 1; --i)
        std::swap(order_[i - 1], order_[random_.next() % i]);
}

template <bool Exact>
void Sweeper::relax(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
                    std::vector<double>& velocity) {
    const Relax<Exact> relax{problem,       step_.data(),        block_.data(), &laws_,
                             group_.data(), settings.relaxation, z.data(),      velocity.data()};
    for (int pass = 0; pass < (settings.symmetric_sweep ? 2 : 1); ++pass) {
        if (settings.sweep_order == SweepOrder::coloured)
            visit_tasks(problem, pass == 1, [&] { return relax; });
        else
            sweep_list(problem, order_, pass == 1, relax);
    }
}

void Sweeper::sweep(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
                    std::vector<double>& velocity) {
    if (settings.sweep_order == SweepOrder::random) shuffle();
    if (problem.exact())
        relax<true>(problem, settings, z, velocity);
    else
        relax<false>(problem, settings, z, velocity);
    problem.eliminate(z, velocity, elimination_work_);
}

}  // namespace perp
