// Construction of the scaled problem: scaling, the transformed Jacobian in tiles, the block order.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "problem/assembly.hpp"
#include "problem/matrix_builder.hpp"
#include "problem/scaled_problem.hpp"

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

// Blocks of rows, each row transformed by a half of the mass matrix, packed in tiles.
class BlockBuilder {
public:
    BlockBuilder(const System& system, BlockRows& out)
        : system_(system), out_(out), place_(system.velocities(), -1) {}

    // Tiles of width w that `blocks` blocks take, from a sample of them.
    std::int64_t estimate(const std::int32_t* user_row, std::int64_t blocks, int w) {
        constexpr std::int64_t sample = 64;
        const std::int64_t step = blocks / sample + 1;
        std::int64_t tiles = 0;
        for (std::int64_t b = 0; b < blocks; b += step) {
            transform(user_row + b * out_.rows_per_block);
            tiles += step * static_cast<std::int64_t>(find_tiles(w).size());
        }
        return tiles;
    }

    void reserve(const std::int32_t* user_row, std::int64_t blocks) {
        const std::int64_t tiles = estimate(user_row, blocks, out_.tile);
        const std::int64_t values = tiles * out_.rows_per_block * out_.tile;
        out_.start.reserve(blocks + 1);
        out_.first.reserve(tiles);
        out_.left.reserve(values);
        if (!system_.mass().symmetric()) out_.right.reserve(values);
    }

    void append(const std::int32_t* user_row, const double* scale) {
        transform(user_row);
        const std::vector<std::int32_t>& tiles = find_tiles(out_.tile);
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            place_[tiles[t]] = static_cast<std::int32_t>(t);
            out_.first.push_back(tiles[t] * out_.tile);
        }
        store(left_, scale, out_.left);
        if (!system_.mass().symmetric()) store(right_, scale, out_.right);
        for (const std::int32_t t : tiles) place_[t] = -1;
        if (out_.first.size() > std::numeric_limits<std::int32_t>::max())
            fail(Status::bad_size, "the Jacobians touch more than 2^31 bodies' velocities");
        out_.start.push_back(static_cast<std::int32_t>(out_.first.size()));
    }

private:
    struct Row {
        std::vector<std::int32_t> index;
        std::vector<double> value;
    };

    void transform(const std::int32_t* user_row) {
        for (int j = 0; j < out_.rows_per_block; ++j) {
            const JacobianRow given = locate(system_, user_row[j]);
            const auto half = [&](MassMatrix::Half which, Row& row) {
                system_.mass().half_row(which, given.jacobian->row_index(given.row),
                                        given.jacobian->row_value(given.row), row.index, row.value,
                                        scratch_);
            };
            half(MassMatrix::Half::left, left_[j]);
            if (!system_.mass().symmetric()) half(MassMatrix::Half::right, right_[j]);
        }
    }

    // The tiles that the transformed rows touch, ascending.
    const std::vector<std::int32_t>& find_tiles(int w) {
        tiles_.clear();
        const auto add = [&](const Row& row) {
            for (const std::int32_t c : row.index) {
                const std::int32_t t = c / w;
                if (place_[t] >= 0) continue;
                place_[t] = 0;
                tiles_.push_back(t);
            }
        };
        for (int j = 0; j < out_.rows_per_block; ++j) {
            add(left_[j]);
            if (!system_.mass().symmetric()) add(right_[j]);
        }
        std::sort(tiles_.begin(), tiles_.end());
        for (const std::int32_t t : tiles_) place_[t] = -1;
        return tiles_;
    }

    void store(const std::array<Row, 6>& rows, const double* scale,
               std::vector<double>& values) const {
        const std::int64_t k = out_.rows_per_block;
        const std::int64_t w = out_.tile;
        const auto first = static_cast<std::int64_t>(values.size());
        values.resize(first + static_cast<std::int64_t>(tiles_.size()) * k * w, 0.0);
        for (int j = 0; j < k; ++j)
            for (std::size_t q = 0; q < rows[j].index.size(); ++q) {
                const std::int32_t c = rows[j].index[q];
                values[first + (place_[c / w] * k + j) * w + c % w] = scale[j] * rows[j].value[q];
            }
    }

    const System& system_;
    BlockRows& out_;
    std::vector<std::int32_t> place_, tiles_;
    std::array<Row, 6> left_, right_;
    MassMatrix::Scratch scratch_;
};

// The tile width that stores contacts (k rows each) and intervals in the fewest bytes.
int choose_tile(BlockBuilder& contacts, std::int64_t contact_count, BlockBuilder& scalars,
                std::int64_t scalar_count, const std::int32_t* user_row, std::int64_t k) {
    int best = 1;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const int w : {6, 3, 2, 1}) {
        const std::int64_t bytes =
            contacts.estimate(user_row, contact_count, w) * (8 * k * w + 4) +
            scalars.estimate(user_row + contact_count * k, scalar_count, w) * (8 * w + 4);
        if (bytes >= fewest) continue;
        fewest = bytes;
        best = w;
    }
    return best;
}

// Groups of `group` entries in a new order.
template <class T>
void permute(const std::vector<std::int32_t>& order, std::int64_t first, int group,
             std::vector<T>& values) {
    if (values.empty()) return;
    const std::vector<T> given(
        values.begin() + first,
        values.begin() + first + static_cast<std::int64_t>(order.size()) * group);
    for (std::size_t i = 0; i < order.size(); ++i)
        std::copy_n(given.begin() + std::int64_t{order[i]} * group, group,
                    values.begin() + first + static_cast<std::int64_t>(i) * group);
}

BlockRows reordered(const BlockRows& given, const std::vector<std::int32_t>& order,
                    const std::vector<std::int32_t>& tile) {
    BlockRows out;
    out.rows_per_block = given.rows_per_block;
    out.tile = given.tile;
    const std::int64_t size = std::int64_t{given.rows_per_block} * given.tile;
    out.start.reserve(given.start.size());
    out.first.reserve(given.first.size());
    out.left.reserve(given.left.size());
    out.right.reserve(given.right.size());
    for (const std::int32_t b : order) {
        for (std::int32_t t = given.start[b]; t < given.start[b + 1]; ++t)
            out.first.push_back(tile[given.first[t] / given.tile] * given.tile);
        const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
            if (from.empty()) return;
            to.insert(to.end(), from.begin() + given.start[b] * size,
                      from.begin() + given.start[b + 1] * size);
        };
        copy(given.left, out.left);
        copy(given.right, out.right);
        out.start.push_back(static_cast<std::int32_t>(out.first.size()));
    }
    return out;
}

}  // namespace

ScaledProblem::ScaledProblem(const Problem& problem, bool eliminate)
    : rows_(problem.rows()),
      contacts_(problem.set().contacts),
      scalars_first_(problem.set().scalars_first),
      shape_(problem.set().shape),
      matrix_form_(problem.matrix() != nullptr),
      exact_(problem.set().exact_friction()),
      user_row_(problem.set().contact_row),
      free_norm_(problem.free_norm()) {
    user_row_.insert(user_row_.end(), problem.set().scalar_row.begin(),
                     problem.set().scalar_row.end());
    scale_rows(problem);
    free_.resize(rows_);
    for (std::int64_t i = 0; i < rows_; ++i)
        free_[i] = scale_[i] * problem.free_velocity()[user_row_[i]];
    if (matrix_form_) {
        build_matrix(problem);
        order_ = given_block_order(contacts_, scalars(), scalars_first_, 0);
    } else {
        build_jacobian(problem, eliminate);
    }
    lo_.resize(scalars());
    hi_.resize(scalars());
    take_vectors(problem);
    cut_parts();
}

void ScaledProblem::scale_rows(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    const int k = shape_.rows();
    const int t = shape_.tangential;
    scale_.resize(rows_);
    if (shape_.tangential > 0) sliding_.resize(contacts_);
    if (shape_.spin > 0) spin_.resize(contacts_);
    if (shape_.roll > 0) roll_.resize(contacts_);
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
        if (!sliding_.empty()) sliding_[i] = c.sliding * normal / tangential;
        if (!spin_.empty()) spin_[i] = c.spin * normal / angular;
        if (!roll_.empty()) roll_[i] = c.roll * normal / angular;
        norm_weights_[i] = {normal / root, tangential / root};
    }
    for (std::int64_t s = 0; s < set.scalars(); ++s)
        scale_[contacts_ * k + s] = std::sqrt(problem.weights().scalar[s]);
}

void ScaledProblem::take_vectors(const Problem& problem) {
    const ConstraintSet& set = problem.set();
    for (std::int64_t i = 0; i < rows_; ++i)
        free_[i] = scale_[i] * problem.free_velocity()[user_row_[i]];
    if (elimination_) elimination_->take_free_velocity(std::span(free_).subspan(active_rows()));
    for (std::int64_t s = 0; s < scalars(); ++s) {
        const double e = scale_[scalar_row(s)];
        lo_[s] = set.lo[order_.scalar[s]] / e;
        hi_[s] = set.hi[order_.scalar[s]] / e;
    }
}

void ScaledProblem::build_jacobian(const Problem& problem, bool eliminate) {
    const AssembledForm& form = *problem.assembled();
    if (std::any_of(form.compliance.begin(), form.compliance.end(),
                    [](double c) { return c != 0.0; })) {
        compliance_.resize(rows_);
        for (std::int64_t i = 0; i < rows_; ++i)
            compliance_[i] = form.compliance[user_row_[i]] * scale_[i] * scale_[i];
    }
    const int k = shape_.rows();
    const std::int32_t* const row = user_row_.data();
    contact_rows_.rows_per_block = k;
    scalar_rows_.rows_per_block = 1;
    BlockBuilder contact_builder(*form.system, contact_rows_);
    BlockBuilder scalar_builder(*form.system, scalar_rows_);
    contact_rows_.tile = scalar_rows_.tile =
        choose_tile(contact_builder, contacts_, scalar_builder, scalars(), row, k);
    contact_builder.reserve(row, contacts_);
    scalar_builder.reserve(row + contacts_ * k, scalars());
    for (std::int64_t i = 0; i < contacts_; ++i)
        contact_builder.append(row + i * k, scale_.data() + i * k);
    for (std::int64_t i = contacts_ * k; i < rows_; ++i)
        scalar_builder.append(row + i, scale_.data() + i);
    if (eliminate) find_elimination(form.system->bilateral());
    const int w = scalar_rows_.tile;
    const std::int64_t tiles = (form.system->velocities() + w - 1) / w;
    order_ = order_blocks(contact_rows_, scalar_rows_, tiles, scalars_first_, eliminated());
    apply_order();
}

// The bilateral rows are the first intervals.
void ScaledProblem::find_elimination(std::int64_t bilateral) {
    if (bilateral == 0 || !scalar_rows_.right.empty()) return;
    const std::int64_t first = contacts_ * shape_.rows();
    const auto part = [&](const std::vector<double>& rows) {
        return rows.empty() ? std::span<const double>()
                            : std::span<const double>(rows).subspan(first, bilateral);
    };
    try {
        elimination_.emplace(scalar_rows_, bilateral, part(compliance_), part(free_));
    } catch (const Error& error) {
        if (error.status() != Status::internal) throw;  // rows stay in the sweeps: see eliminated()
    }
}

void ScaledProblem::apply_order() {
    const int k = shape_.rows();
    const std::int64_t first = contacts_ * k;
    velocities_ = order_.tiles * scalar_rows_.tile;
    for (std::vector<double>* rows : {&scale_, &free_, &compliance_}) {
        permute(order_.contact, 0, k, *rows);
        permute(order_.scalar, first, 1, *rows);
    }
    permute(order_.contact, 0, k, user_row_);
    permute(order_.scalar, first, 1, user_row_);
    for (std::vector<double>* values : {&sliding_, &spin_, &roll_})
        permute(order_.contact, 0, 1, *values);
    permute(order_.contact, 0, 1, norm_weights_);
    contact_rows_ = reordered(contact_rows_, order_.contact, order_.tile);
    scalar_rows_ = reordered(scalar_rows_, order_.scalar, order_.tile);
}

// Parts of equal numbers of blocks, the same whatever the number of threads.
void ScaledProblem::cut_parts() {
    constexpr std::int64_t blocks = 1024;
    const auto cut = [](std::int64_t begin, std::int64_t end) {
        return std::pair{static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)};
    };
    for (std::int64_t i = 0; i < contacts_; i += blocks) {
        const auto [begin, end] = cut(i, std::min(i + blocks, contacts_));
        parts_.push_back({begin, end, 0, 0, 0});
    }
    for (std::int64_t s = 0; s < active_scalars(); s += blocks) {
        const auto [begin, end] = cut(s, std::min(s + blocks, active_scalars()));
        parts_.push_back({0, 0, begin, begin, end});
    }
    part_sums_.resize(parts_.size());
}

void ScaledProblem::build_matrix(const Problem& problem) {
    const MatrixForm& form = *problem.matrix();
    MatrixBuilder builder(form.delassus ? form.combined : form.main.csr(), user_row_, scale_);
    builder.fill(shape_.rows(), 0, contacts_, contact_rows_);
    builder.fill(1, contacts_ * shape_.rows(), scalars(), scalar_rows_);
}

}  // namespace perp
