// Block projected Gauss-Seidel, matrix-free (algorithms.md 4). Blocks are contacts and intervals;
// v^ = Jh' zh is carried along, so a sweep streams every block's Jacobian once.
//
//   u_i = (S z + r)_i from v^;  z_i+ = P_i(z_i - omega g_i u_i);  v^ += Jh_i' (z_i+ - z_i)
//
// g_i = 1 / lambda_max(S_ii): with omega <= 1 the objective falls monotonically for every K
// (Tasora and Anitescu 2011 with a safe step; 3 / trace may exceed the bound). Intervals: exact.
// Sublinear on singular S: for accuracies of 1e-2 to 1e-3, as a smoother, or a few sweeps a frame.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "solvers/methods.hpp"

namespace perp {
namespace {

// Annihilates a_pq of a symmetric k x k matrix by a Jacobi rotation.
void rotate(int k, double* a, int p, int q) {
    if (a[p * k + q] == 0.0) return;
    const double phi = 0.5 * (a[q * k + q] - a[p * k + p]) / a[p * k + q];
    const double t = (phi >= 0.0 ? 1.0 : -1.0) / (std::abs(phi) + std::sqrt(phi * phi + 1.0));
    const double c = 1.0 / std::sqrt(t * t + 1.0);
    const double s = t * c;
    const auto turn = [c, s](double& x, double& y) {
        const double old = x;
        x = c * old - s * y;
        y = s * old + c * y;
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

// A block without curvature has a constant velocity: any step leads to the right bound.
double step_of(double curvature) { return curvature > 0.0 ? 1.0 / curvature : 1.0; }

// Velocities of one block from v^ (Jacobian form).
struct FromVelocities {
    const ScaledProblem& problem;
    double* v;

    template <int K>
    void velocity(const BlockRows& rows, std::int64_t block, std::int64_t row, const double* z,
                  double* u) const {
        for (int j = 0; j < K; ++j)
            u[j] = problem.free_velocity()[row + j] + problem.compliance()[row + j] * z[row + j];
        gather<K>(rows, block, v, u);
    }
    template <int K>
    void apply(const BlockRows& rows, std::int64_t block, const double* change) const {
        scatter<K>(rows, block, change, v);
    }
};

// Velocities of one block from z (matrix form).
struct FromMatrix {
    const ScaledProblem& problem;

    template <int K>
    void velocity(const BlockRows&, std::int64_t, std::int64_t row, const double* z,
                  double* u) const {
        const Csr& s = problem.matrix();
        for (int j = 0; j < K; ++j) {
            double sum = problem.free_velocity()[row + j];
            for (std::int64_t q = s.start[row + j]; q < s.start[row + j + 1]; ++q)
                sum += s.value[q] * z[s.index[q]];
            u[j] = sum;
        }
    }
    template <int K>
    void apply(const BlockRows&, std::int64_t, const double*) const {}
};

template <int T, int S, int R, class Access>
void relax_contact(const ScaledProblem& problem, const Access& access, std::int64_t i, double step,
                   double* z) {
    constexpr int k = 1 + T + S + R;
    const std::int64_t row = i * k;
    double u[k], x[k];
    access.template velocity<k>(problem.contact_rows(), i, row, z, u);
    for (int j = 0; j < k; ++j) x[j] = z[row + j] - step * u[j];
    project_contact<T, S, R>(problem.coefficients()[i], x);
    double change = 0.0;
    for (int j = 0; j < k; ++j) {
        u[j] = x[j] - z[row + j];
        change += std::abs(u[j]);
        z[row + j] = x[j];
    }
    if (change != 0.0) access.template apply<k>(problem.contact_rows(), i, u);
}

template <class Access>
void relax_scalar(const ScaledProblem& problem, const Access& access, std::int64_t s, double step,
                  double* z) {
    const std::int64_t row = problem.contacts() * problem.shape().rows() + s;
    double u = 0.0;
    access.template velocity<1>(problem.scalar_rows(), s, row, z, &u);
    const double x = std::min(std::max(z[row] - step * u, problem.lo()[s]), problem.hi()[s]);
    const double change = x - z[row];
    z[row] = x;
    if (change != 0.0) access.template apply<1>(problem.scalar_rows(), s, &change);
}

template <class Access>
void sweep(const ScaledProblem& problem, const Access& access, double relaxation,
           const PgsWorkspace& work, bool backward, double* z) {
    const auto blocks = static_cast<std::int64_t>(work.order.size());
    with_shape(problem.shape(), [&]<int T, int S, int R>() {
        for (std::int64_t place = 0; place < blocks; ++place) {
            const std::int64_t b = work.order[backward ? blocks - 1 - place : place];
            const double step = relaxation * work.step[b];
            if (b < problem.contacts())
                relax_contact<T, S, R>(problem, access, b, step, z);
            else
                relax_scalar(problem, access, b - problem.contacts(), step, z);
        }
    });
}

class SplitMix {  // Steele, Lea, Flood 2014: the same permutations on every machine
public:
    explicit SplitMix(std::int64_t seed) : state_(static_cast<std::uint64_t>(seed)) {}
    std::uint64_t next() {
        std::uint64_t x = (state_ += 0x9e3779b97f4a7c15ULL);
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t state_;
};

void shuffle(SplitMix& random, std::vector<std::int32_t>& order) {
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.next() % i]);
}

std::vector<std::int32_t> given_order(const ScaledProblem& problem) {
    std::vector<std::int32_t> order;
    order.reserve(problem.contacts() + problem.scalars());
    const auto contacts = static_cast<std::int32_t>(problem.contacts());
    for (std::int32_t s = 0; s < problem.scalars_first(); ++s) order.push_back(contacts + s);
    for (std::int32_t i = 0; i < contacts; ++i) order.push_back(i);
    for (auto s = static_cast<std::int32_t>(problem.scalars_first()); s < problem.scalars(); ++s)
        order.push_back(contacts + s);
    return order;
}

}  // namespace

PgsWorkspace::PgsWorkspace(const ScaledProblem& problem, const Settings& settings)
    : product(problem.rows()),
      velocity(problem.velocities()),
      step(problem.contacts() + problem.scalars()) {
    double block[36];
    for (std::int64_t i = 0; i < problem.contacts(); ++i) {
        problem.contact_block(i, block);
        step[i] = step_of(largest_eigenvalue(problem.shape().rows(), block));
    }
    for (std::int64_t s = 0; s < problem.scalars(); ++s)
        step[problem.contacts() + s] = step_of(problem.scalar_diagonal(s));
    order = settings.sweep_order == SweepOrder::bfs ? breadth_first_order(problem)
                                                    : given_order(problem);
}

void run_pgs(const ScaledProblem& problem, const Settings& settings, std::vector<double>& z,
             PgsWorkspace& work, Monitor& monitor) {
    SplitMix random(settings.seed);
    if (settings.sweep_order == SweepOrder::random)
        std::sort(work.order.begin(), work.order.end());  // forget an earlier run
    for (std::int64_t iteration = 0;; ++iteration) {
        if (iteration % settings.check_interval == 0 || monitor.last(iteration)) {
            problem.product(z, work.product, work.velocity);  // renews v^ as well
            monitor.count_product();
            if (monitor.stop(iteration, z, work.product)) return;
        }
        if (settings.sweep_order == SweepOrder::random) shuffle(random, work.order);
        for (int pass = 0; pass < (settings.symmetric_sweep ? 2 : 1); ++pass) {
            if (problem.matrix_form())
                sweep(problem, FromMatrix{problem}, settings.relaxation, work, pass == 1, z.data());
            else
                sweep(problem, FromVelocities{problem, work.velocity.data()}, settings.relaxation,
                      work, pass == 1, z.data());
        }
    }
}

}  // namespace perp
