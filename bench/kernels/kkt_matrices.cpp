#include "kkt_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "problem/mixed_form.hpp"
#include "random.hpp"

namespace perp::kernels {
namespace {

constexpr double bilateral = 1e-6;       // D of a bilateral row
constexpr double smallest_power = -3.0;  // of ten, of the eigenvalues of D
constexpr double largest_power = 3.0;

struct Entries {
    std::vector<std::int64_t> row, col;
    std::vector<double> value;

    void add(std::int64_t i, std::int64_t j, double x) {
        row.push_back(i);
        col.push_back(j);
        value.push_back(x);
    }
    // Duplicates summed.
    [[nodiscard]] Csr csr(std::int64_t size, const char* name) const {
        const auto count = static_cast<std::int64_t>(row.size());
        return SparseMatrix({size, size, count, row.data(), col.data(), value.data(), 0}, name)
            .csr();
    }
};

// Rows that share a block of D: a contact's, or a single one. J by rows with the columns of any.
struct Group {
    std::vector<std::int32_t> row, col;
    std::vector<double> J, D, inverse;

    Group(const MixedForm& form, std::vector<std::int32_t> rows) : row(std::move(rows)) {
        for (const std::int32_t i : row)
            col.insert(col.end(), form.J.row_index(i).begin(), form.J.row_index(i).end());
        std::sort(col.begin(), col.end());
        col.erase(std::unique(col.begin(), col.end()), col.end());
        for (const std::int32_t i : row)
            for (const std::int32_t j : col) J.push_back(form.J.at(i, j));
    }
    [[nodiscard]] std::size_t size() const { return row.size(); }

    // D = Q diag(d) Q with a reflection Q.
    void draw(scenes::Random& random) {
        std::vector<double> u(size()), d(size());
        double square = 0.0;
        for (std::size_t k = 0; k < size(); ++k) {
            u[k] = random.between(-1.0, 1.0);
            square += u[k] * u[k];
            d[k] = std::pow(10.0, random.between(smallest_power, largest_power));
        }
        const auto reflection = [&](std::size_t i, std::size_t k) {
            return (i == k ? 1.0 : 0.0) - 2.0 * u[i] * u[k] / square;
        };
        D.assign(size() * size(), 0.0);
        inverse = D;
        for (std::size_t i = 0; i < size(); ++i)
            for (std::size_t j = 0; j < size(); ++j)
                for (std::size_t k = 0; k < size(); ++k) {
                    const double q = reflection(i, k) * reflection(j, k);
                    D[i * size() + j] += q * d[k];
                    inverse[i * size() + j] += q / d[k];
                }
    }
    void take(double d) {
        D.assign(1, d);
        inverse.assign(1, 1.0 / d);
    }
};

std::vector<Group> groups_of(const MixedForm& form, const ConstraintSet& set) {
    scenes::Random random(1, 1);
    std::vector<Group> groups;
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts; ++i) {
        const auto first = set.contact_row.begin() + i * k;
        groups.emplace_back(form, std::vector<std::int32_t>(first, first + k)).draw(random);
    }
    for (const std::int32_t row : set.scalar_row) {
        Group& group = groups.emplace_back(form, std::vector<std::int32_t>{row});
        if (form.is_free(row))
            group.take(bilateral);
        else
            group.draw(random);
    }
    return groups;
}

void add_kkt(const Group& group, std::int64_t n, Entries& out) {
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t c = 0; c < group.col.size(); ++c) {
            const double x = group.J[i * group.col.size() + c];
            out.add(n + group.row[i], group.col[c], x);
            out.add(group.col[c], n + group.row[i], x);
        }
        for (std::size_t j = 0; j < group.size(); ++j)
            out.add(n + group.row[i], n + group.row[j], -group.D[i * group.size() + j]);
    }
}

void add_condensed(const Group& group, Entries& out) {
    const std::size_t columns = group.col.size();
    std::vector<double> product(group.size() * columns, 0.0);  // D^-1 J
    for (std::size_t i = 0; i < group.size(); ++i)
        for (std::size_t j = 0; j < group.size(); ++j)
            for (std::size_t c = 0; c < columns; ++c)
                product[i * columns + c] +=
                    group.inverse[i * group.size() + j] * group.J[j * columns + c];
    for (std::size_t a = 0; a < columns; ++a)
        for (std::size_t b = 0; b < columns; ++b) {
            double sum = 0.0;
            for (std::size_t i = 0; i < group.size(); ++i)
                sum += group.J[i * columns + a] * product[i * columns + b];
            out.add(group.col[a], group.col[b], sum);
        }
}

}  // namespace

KktMatrices::KktMatrices(const Problem& problem)
    : velocities(problem.velocities()), contacts(problem.set().contacts) {
    const MixedForm form(problem, cone_scale(problem));
    Entries full, short_form;
    for (std::int64_t i = 0; i < form.n; ++i)
        for (std::int64_t k = form.M.start[i]; k < form.M.start[i + 1]; ++k) {
            full.add(i, form.M.index[k], form.M.value[k]);
            short_form.add(i, form.M.index[k], form.M.value[k]);
        }
    for (const Group& group : groups_of(form, problem.set())) {
        add_kkt(group, form.n, full);
        add_condensed(group, short_form);
    }
    kkt = full.csr(form.n + form.p, "kkt");
    condensed = short_form.csr(form.n, "condensed");
}

}  // namespace perp::kernels
