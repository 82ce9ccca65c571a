#include "problem/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "problem/block_loops.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

struct Scatter {
    const ScaledProblem& problem;
    const double* z;
    double* v;

    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        constexpr int k = 1 + T + S + R;
        scatter_block<k, W>(problem.contact_rows(), i, z + i * k, v);
    }
    template <int W>
    void scalar(std::int64_t s) const {
        scatter_block<1, W>(problem.scalar_rows(), s, z + problem.scalar_row(s), v);
    }
};

struct Gather {
    const ScaledProblem& problem;
    const double* z;
    const double* v;
    double* out;

    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        constexpr int k = 1 + T + S + R;
        for (std::int64_t row = i * k; row < i * k + k; ++row)
            out[row] = problem.compliance(row) * z[row];
        gather_block<k, W>(problem.contact_rows(), i, v, out + i * k);
    }
    template <int W>
    void scalar(std::int64_t s) const {
        const std::int64_t row = problem.scalar_row(s);
        out[row] = problem.compliance(row) * z[row];
        gather_block<1, W>(problem.scalar_rows(), s, v, out + row);
    }
};

// Of matrix form.
struct Multiply {
    const ScaledProblem& problem;
    const double* z;
    double* out;

    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        constexpr int k = 1 + T + S + R;
        std::fill_n(out + i * k, k, 0.0);
        gather_entries<k>(problem.contact_rows(), i, z, out + i * k);
    }
    template <int W>
    void scalar(std::int64_t s) const {
        const std::int64_t row = problem.scalar_row(s);
        out[row] = 0.0;
        gather_entries<1>(problem.scalar_rows(), s, z, out + row);
    }
};

struct Project {
    const ScaledProblem& problem;
    double* z;

    template <int T, int S, int R, int W>
    void contact(std::int64_t i) const {
        project_contact<T, S, R>(problem.coefficients(i), z + i * (1 + T + S + R));
    }
    template <int W>
    void scalar(std::int64_t s) const {
        double& x = z[problem.scalar_row(s)];
        x = std::min(std::max(x, problem.lo()[s]), problem.hi()[s]);
    }
};

// Squares of the energy-scaled natural map.
struct NaturalMap {
    const ScaledProblem& problem;
    const double* z;
    const double* product;
    Sums sums;

    template <int T, int S, int R, int W>
    void contact(std::int64_t i) {
        constexpr int k = 1 + T + S + R;
        const auto [normal, tangential] = problem.norm_weights(i);
        const ConeCoefficients c = problem.coefficients(i);
        const double ratio = tangential / normal;
        double y[k], x[k];
        const ConeCoefficients scaled{c.sliding * ratio, c.spin / normal, c.roll / normal};
        for (int j = 0; j < k; ++j) {
            const double weight = j == 0 ? normal : (j <= T ? tangential : 1.0);
            const std::int64_t row = i * k + j;
            y[j] = z[row] * weight;
            x[j] = (product[row] + problem.free_velocity()[row]) / weight;
        }
        if (problem.exact()) x[0] += de_saxce_shift(problem.shape(), scaled, x);
        for (int j = 0; j < k; ++j) x[j] = y[j] - x[j];
        project_contact<T, S, R>(scaled, x);
        for (int j = 0; j < k; ++j) sums.value[0] += (y[j] - x[j]) * (y[j] - x[j]);
    }
    template <int W>
    void scalar(std::int64_t s) {
        const std::int64_t row = problem.scalar_row(s);
        const double moved = z[row] - product[row] - problem.free_velocity()[row];
        const double map = z[row] - std::min(std::max(moved, problem.lo()[s]), problem.hi()[s]);
        sums.value[0] += map * map;
    }
};

// The values of a block in a column of the matrix; NULL: none are stored.
const double* find_entry(const BlockRows& rows, std::int64_t block, std::int64_t column) {
    const auto begin = rows.first.begin() + rows.start[block];
    const auto end = rows.first.begin() + rows.start[block + 1];
    const auto at = std::lower_bound(begin, end, column);
    if (at == end || *at != column) return nullptr;
    return rows.left.data() + (at - rows.first.begin()) * rows.rows_per_block;
}

}  // namespace

void ScaledProblem::from_user(std::span<const double> z, std::span<double> scaled) const {
    for (std::int64_t i = 0; i < rows_; ++i) scaled[i] = z[user_row_[i]] / scale_[i];
}

void ScaledProblem::to_user(std::span<const double> scaled, std::span<double> z) const {
    for (std::int64_t i = 0; i < rows_; ++i) z[user_row_[i]] = scaled[i] * scale_[i];
}

void ScaledProblem::scatter_all(std::span<const double> scaled, std::span<double> v) const {
    std::fill(v.begin(), v.end(), 0.0);
    const Scatter scatter{*this, scaled.data(), v.data()};
    visit_tasks(*this, false, [&] { return scatter; });
    with_tile(tile(), [&]<int W>() {
        for (std::int64_t s = active_scalars(); s < scalars(); ++s) scatter.scalar<W>(s);
    });
}

void ScaledProblem::gather_all(std::span<const double> scaled, std::span<const double> v,
                               std::span<double> out) const {
    const Gather gather{*this, scaled.data(), v.data(), out.data()};
    visit_parts(*this, [&](std::int64_t) { return gather; });
    gather_eliminated(scaled, v, out);
}

void ScaledProblem::gather_eliminated(std::span<const double> scaled, std::span<const double> v,
                                      std::span<double> out) const {
    const Gather gather{*this, scaled.data(), v.data(), out.data()};
    with_tile(tile(), [&]<int W>() {
        for (std::int64_t s = active_scalars(); s < scalars(); ++s) gather.scalar<W>(s);
    });
}

void ScaledProblem::product(std::span<const double> scaled, std::span<double> out,
                            std::span<double> v) const {
    if (matrix_form_) {
        const Multiply multiply{*this, scaled.data(), out.data()};
        visit_parts(*this, [&](std::int64_t) { return multiply; });
        return;
    }
    scatter_all(scaled, v);
    gather_all(scaled, v, out);
}

void ScaledProblem::eliminate(std::span<double> scaled, std::span<double> v,
                              std::span<double> work) const {
    if (!elimination_) return;
    elimination_->solve(scalar_rows_, active_scalars(), scaled.subspan(active_rows()), v, work);
}

void ScaledProblem::eliminate_from_zero(std::span<double> scaled, std::span<double> v,
                                        std::span<double> work) const {
    std::fill(scaled.begin() + active_rows(), scaled.end(), 0.0);
    eliminate(scaled, v, work);
}

void ScaledProblem::project(std::span<double> scaled) const {
    const Project project{*this, scaled.data()};
    visit_parts(*this, [&](std::int64_t) { return project; });
}

double ScaledProblem::eta(std::span<const double> scaled, std::span<const double> product) const {
    double square = sum_parts(*this, [&](std::int64_t) {
                        return NaturalMap{*this, scaled.data(), product.data(), {}};
                    }).value[0];
    for (std::int64_t i = active_rows(); i < rows_; ++i) {  // free rows: the velocity itself
        const double u = product[i] + free_[i];
        square += u * u;
    }
    return energy_ratio(square, free_norm_);
}

void ScaledProblem::contact_block(std::int64_t contact, double* block) const {
    const std::int64_t k = shape_.rows();
    std::fill(block, block + k * k, 0.0);
    if (matrix_form_) {
        for (std::int64_t j = 0; j < k; ++j)
            if (const double* column = find_entry(contact_rows_, contact, contact * k + j))
                for (std::int64_t i = 0; i < k; ++i) block[i * k + j] = column[i];
        return;
    }
    const std::int64_t w = contact_rows_.tile;
    for (std::int64_t t = contact_rows_.start[contact]; t < contact_rows_.start[contact + 1]; ++t) {
        const double* left = contact_rows_.left.data() + t * k * w;
        const double* right = contact_rows_.scattering().data() + t * k * w;
        for (std::int64_t i = 0; i < k; ++i)
            for (std::int64_t j = 0; j < k; ++j)
                for (std::int64_t c = 0; c < w; ++c)
                    block[i * k + j] += left[i * w + c] * right[j * w + c];
    }
    for (std::int64_t i = 0; i < k; ++i) block[i * k + i] += compliance(contact * k + i);
}

double ScaledProblem::scalar_diagonal(std::int64_t scalar) const {
    const std::int64_t row = scalar_row(scalar);
    if (matrix_form_) {
        const double* entry = find_entry(scalar_rows_, scalar, row);
        return entry == nullptr ? 0.0 : *entry;
    }
    const std::int64_t w = scalar_rows_.tile;
    double sum = compliance(row);
    for (std::int64_t q = scalar_rows_.start[scalar] * w; q < scalar_rows_.start[scalar + 1] * w;
         ++q)
        sum += scalar_rows_.left[q] * scalar_rows_.scattering()[q];
    return sum;
}

}  // namespace perp
