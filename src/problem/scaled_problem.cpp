#include "problem/scaled_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/residual.hpp"

namespace perp {
namespace {

double safe(double d) { return d > 0.0 ? d : 1.0; }

// Where the caller's row of an assembled problem lives: matrix and row within it.
struct JacobianRow {
    const Csr* jacobian;
    std::int64_t row;
};

JacobianRow locate(const System& system, std::int64_t row) {
    for (const SystemMatrix which : jacobian_order) {
        const Csr& jacobian = system.matrix(which);
        if (row < jacobian.rows) return {&jacobian, row};
        row -= jacobian.rows;
    }
    fail(Status::internal, "a row lies beyond the last Jacobian");
}

// Appends blocks of rows to BlockRows, transforming each row by a half of the mass matrix.
class BlockBuilder {
public:
    BlockBuilder(const System& system, BlockRows& out)
        : system_(system), out_(out), place_(system.velocities(), -1) {
        out.start.assign(1, 0);
    }

    void append(const std::int32_t* user_row, const double* scale) {
        const int k = out_.rows_per_block;
        columns_.clear();
        for (const bool is_left : {true, false}) {
            if (!is_left && system_.mass().symmetric()) break;
            for (int j = 0; j < k; ++j) {
                Row& row = is_left ? left_[j] : right_[j];
                const JacobianRow given = locate(system_, user_row[j]);
                system_.mass().half_row(is_left ? MassMatrix::Half::left : MassMatrix::Half::right,
                                        given.jacobian->row_index(given.row),
                                        given.jacobian->row_value(given.row), row.index, row.value,
                                        scratch_);
                for (const std::int32_t c : row.index) {
                    if (place_[c] >= 0) continue;
                    place_[c] = 0;
                    columns_.push_back(c);
                }
            }
        }
        std::sort(columns_.begin(), columns_.end());
        for (std::size_t c = 0; c < columns_.size(); ++c)
            place_[columns_[c]] = static_cast<std::int64_t>(c);
        out_.column.insert(out_.column.end(), columns_.begin(), columns_.end());
        store(left_, scale, out_.left);
        if (!system_.mass().symmetric()) store(right_, scale, out_.right);
        for (const std::int32_t c : columns_) place_[c] = -1;
        out_.start.push_back(static_cast<std::int64_t>(out_.column.size()));
    }

private:
    struct Row {
        std::vector<std::int32_t> index;
        std::vector<double> value;
    };

    void store(const Row* rows, const double* scale, std::vector<double>& values) const {
        const int k = out_.rows_per_block;
        const auto first = static_cast<std::int64_t>(values.size());
        values.resize(first + columns_.size() * k, 0.0);
        for (int j = 0; j < k; ++j)
            for (std::size_t c = 0; c < rows[j].index.size(); ++c)
                values[first + place_[rows[j].index[c]] * k + j] = scale[j] * rows[j].value[c];
    }

    const System& system_;
    BlockRows& out_;
    std::vector<std::int64_t> place_;
    std::vector<std::int32_t> columns_;
    Row left_[6], right_[6];
    MassMatrix::Scratch scratch_;
};

}  // namespace

ScaledProblem::ScaledProblem(const Problem& problem)
    : rows_(problem.rows()),
      contacts_(problem.set().contacts),
      scalars_first_(problem.set().scalars_first),
      shape_(problem.set().shape),
      matrix_form_(problem.matrix() != nullptr),
      user_row_(problem.set().contact_row),
      free_norm_(problem.free_norm()) {
    user_row_.insert(user_row_.end(), problem.set().scalar_row.begin(),
                     problem.set().scalar_row.end());
    scale_rows(problem);
    free_.resize(rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
        free_[i] = scale_[i] * problem.free_velocity()[user_row_[i]];
    if (matrix_form_)
        build_matrix(problem);
    else
        build_jacobian(problem);
}

void ScaledProblem::scale_rows(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    const int k = shape_.rows();
    const int t = shape_.tangential;
    scale_.resize(rows_);
    coefficients_.resize(contacts_);
    norm_weights_.resize(contacts_);
    for (std::int64_t i = 0; i < contacts_; ++i) {
        const std::int32_t* row = user_row_.data() + i * k;
        double* e = scale_.data() + i * k;
        double sliding = 0.0;
        for (int j = 1; j <= t; ++j) sliding += problem.diagonal()[row[j]];
        const double root = std::sqrt(problem.weights().contact[i]);
        const double normal = 1.0 / std::sqrt(safe(problem.diagonal()[row[0]]));
        const double tangential = t > 0 ? std::sqrt(t / safe(sliding)) : normal;
        const double angular =
            shape_.angular() > 0 ? std::sqrt(problem.weights().angular[i]) : normal;
        e[0] = normal;
        for (int j = 1; j < k; ++j) e[j] = j <= t ? tangential : angular;
        const ConeCoefficients c = set.coefficients(i);
        coefficients_[i] = {c.sliding * normal / tangential, c.spin * normal / angular,
                            c.roll * normal / angular};
        norm_weights_[i] = {normal / root, tangential / root};
    }
    lo_.resize(set.scalars());
    hi_.resize(set.scalars());
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        const double e = std::sqrt(problem.weights().scalar[s]);
        scale_[contacts_ * k + s] = e;
        lo_[s] = set.lo[s] / e;
        hi_[s] = set.hi[s] / e;
    }
}

void ScaledProblem::build_jacobian(const Problem& problem) {
    const AssembledForm& form = *problem.assembled();
    velocities_ = form.system->velocities();
    compliance_.resize(rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
        compliance_[i] = form.compliance[user_row_[i]] * scale_[i] * scale_[i];
    const int k = shape_.rows();
    contact_rows_.rows_per_block = k;
    BlockBuilder contact_builder(*form.system, contact_rows_);
    for (std::int64_t i = 0; i < contacts_; ++i)
        contact_builder.append(user_row_.data() + i * k, scale_.data() + i * k);
    scalar_rows_.rows_per_block = 1;
    BlockBuilder scalar_builder(*form.system, scalar_rows_);
    for (std::int64_t i = contacts_ * k; i < rows_; ++i)
        scalar_builder.append(user_row_.data() + i, scale_.data() + i);
}

void ScaledProblem::build_matrix(const Problem& problem) {
    const MatrixForm& form = *problem.matrix();
    const Csr& given = form.delassus ? form.combined : form.main.csr();
    std::vector<std::int32_t> scaled_row(rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
        scaled_row[user_row_[i]] = static_cast<std::int32_t>(i);
    matrix_.rows = matrix_.cols = rows_;
    std::vector<std::pair<std::int32_t, double>> entries;
    for (std::int64_t i = 0; i < rows_; ++i) {
        entries.clear();
        const std::int64_t row = user_row_[i];
        for (std::int64_t q = given.start[row]; q < given.start[row + 1]; ++q) {
            const std::int32_t j = scaled_row[given.index[q]];
            if (given.value[q] != 0.0)
                entries.emplace_back(j, given.value[q] * scale_[i] * scale_[j]);
        }
        std::sort(entries.begin(), entries.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [j, value] : entries) {
            matrix_.index.push_back(j);
            matrix_.value.push_back(value);
        }
        matrix_.start.push_back(static_cast<std::int64_t>(matrix_.index.size()));
    }
}

void ScaledProblem::from_user(std::span<const double> z, std::span<double> scaled) const {
    for (std::int64_t i = 0; i < rows_; ++i) scaled[i] = z[user_row_[i]] / scale_[i];
}

void ScaledProblem::to_user(std::span<const double> scaled, std::span<double> z) const {
    for (std::int64_t i = 0; i < rows_; ++i) z[user_row_[i]] = scaled[i] * scale_[i];
}

void ScaledProblem::scatter_all(std::span<const double> scaled, std::span<double> v) const {
    std::fill(v.begin(), v.end(), 0.0);
    with_block_size(shape_.rows(), [&]<int K>() {
        for (std::int64_t b = 0; b < contacts_; ++b)
            scatter<K>(contact_rows_, b, scaled.data() + b * K, v.data());
    });
    const double* z = scaled.data() + contacts_ * shape_.rows();
    for (std::int64_t s = 0; s < scalars(); ++s) scatter<1>(scalar_rows_, s, z + s, v.data());
}

void ScaledProblem::gather_all(std::span<const double> scaled, std::span<const double> v,
                               std::span<double> out) const {
    for (std::int64_t i = 0; i < rows_; ++i) out[i] = compliance_[i] * scaled[i];
    with_block_size(shape_.rows(), [&]<int K>() {
        for (std::int64_t b = 0; b < contacts_; ++b)
            gather<K>(contact_rows_, b, v.data(), out.data() + b * K);
    });
    double* u = out.data() + contacts_ * shape_.rows();
    for (std::int64_t s = 0; s < scalars(); ++s) gather<1>(scalar_rows_, s, v.data(), u + s);
}

void ScaledProblem::product(std::span<const double> scaled, std::span<double> out,
                            std::span<double> v) const {
    if (matrix_form_) {
        std::fill(out.begin(), out.end(), 0.0);
        multiply_add(matrix_, scaled, out);
        return;
    }
    scatter_all(scaled, v);
    gather_all(scaled, v, out);
}

void ScaledProblem::project(std::span<double> scaled) const {
    with_shape(shape_, [&]<int T, int S, int R>() {
        constexpr int k = 1 + T + S + R;
        for (std::int64_t i = 0; i < contacts_; ++i)
            project_contact<T, S, R>(coefficients_[i], scaled.data() + i * k);
    });
    double* z = scaled.data() + contacts_ * shape_.rows();
    for (std::int64_t s = 0; s < scalars(); ++s) z[s] = std::min(std::max(z[s], lo_[s]), hi_[s]);
}

double ScaledProblem::eta(std::span<const double> scaled, std::span<const double> product) const {
    double square = 0.0;
    with_shape(shape_, [&]<int T, int S, int R>() {
        constexpr int k = 1 + T + S + R;
        for (std::int64_t i = 0; i < contacts_; ++i) {
            const NormWeights w = norm_weights_[i];
            const ConeCoefficients& c = coefficients_[i];
            const double ratio = w.tangential / w.normal;
            double y[k], x[k];
            for (int j = 0; j < k; ++j) {
                const double weight = j == 0 ? w.normal : (j <= T ? w.tangential : 1.0);
                const std::int64_t row = i * k + j;
                y[j] = scaled[row] * weight;
                x[j] = y[j] - (product[row] + free_[row]) / weight;
            }
            project_contact<T, S, R>({c.sliding * ratio, c.spin / w.normal, c.roll / w.normal}, x);
            for (int j = 0; j < k; ++j) square += (y[j] - x[j]) * (y[j] - x[j]);
        }
    });
    const std::int64_t first = contacts_ * shape_.rows();
    for (std::int64_t s = 0; s < scalars(); ++s) {
        const double z = scaled[first + s];
        const double map =
            z - std::min(std::max(z - product[first + s] - free_[first + s], lo_[s]), hi_[s]);
        square += map * map;
    }
    return energy_ratio(square, free_norm_);
}

void ScaledProblem::contact_block(std::int64_t contact, double* block) const {
    const std::int64_t k = shape_.rows();
    std::fill(block, block + k * k, 0.0);
    if (matrix_form_) {
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                block[i * k + j] = matrix_.at(contact * k + i, contact * k + j);
        return;
    }
    const std::vector<double>& right = contact_rows_.scattering();
    for (std::int64_t c = contact_rows_.start[contact]; c < contact_rows_.start[contact + 1]; ++c)
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k; ++j)
                block[i * k + j] += contact_rows_.left[c * k + i] * right[c * k + j];
    for (int i = 0; i < k; ++i) block[i * k + i] += compliance_[contact * k + i];
}

double ScaledProblem::scalar_diagonal(std::int64_t scalar) const {
    const std::int64_t row = contacts_ * shape_.rows() + scalar;
    if (matrix_form_) return matrix_.at(row, row);
    double sum = compliance_[row];
    const std::vector<double>& right = scalar_rows_.scattering();
    for (std::int64_t c = scalar_rows_.start[scalar]; c < scalar_rows_.start[scalar + 1]; ++c)
        sum += scalar_rows_.left[c] * right[c];
    return sum;
}

}  // namespace perp
