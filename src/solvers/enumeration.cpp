#include "solvers/enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "solvers/block_search.hpp"
#include "sparse/dense_factor.hpp"

namespace perp {
namespace {

constexpr std::int64_t most_velocities = 720;  // of a block: as many as its rows can reach

// Connected components of rows (0 ... p - 1) and velocities (p ... p + n - 1).
class Components {
public:
    explicit Components(const MixedForm& form) : parent_(form.p + form.n) {
        std::iota(parent_.begin(), parent_.end(), std::int64_t{0});
        for (std::int64_t i = 0; i < form.n; ++i)
            for (const std::int32_t j : form.M.row_index(i)) join(form.p + i, form.p + j);
        for (std::int64_t i = 0; i < form.p; ++i) {
            if (form.is_fixed(i)) continue;  // a constant, which couples nothing
            for (const std::int32_t j : form.J.row_index(i)) join(i, form.p + j);
            for (const std::int32_t j : form.C.row_index(i))
                if (!form.is_fixed(j)) join(i, j);
        }
    }
    std::int64_t find(std::int64_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

private:
    void join(std::int64_t i, std::int64_t j) { parent_[find(i)] = find(j); }
    std::vector<std::int64_t> parent_;
};

struct Members {
    std::vector<std::int64_t> rows, velocities;
};

// By component: rows that are not fixed, and velocities. Components without rows are left out.
std::vector<Members> split(const MixedForm& form) {
    Components components(form);
    std::vector<std::int64_t> block(form.p + form.n, -1);
    std::vector<Members> blocks;
    for (std::int64_t i = 0; i < form.p; ++i) {
        if (form.is_fixed(i)) continue;
        std::int64_t& at = block[components.find(i)];
        if (at < 0) {
            at = static_cast<std::int64_t>(blocks.size());
            blocks.emplace_back();
        }
        blocks[at].rows.push_back(i);
    }
    for (std::int64_t i = 0; i < form.n; ++i)
        if (const std::int64_t at = block[components.find(form.p + i)]; at >= 0)
            blocks[at].velocities.push_back(i);
    return blocks;
}

bool is_small(const MixedForm& form, const Members& members) {
    const auto bounded = std::count_if(members.rows.begin(), members.rows.end(),
                                       [&form](std::int64_t i) { return !form.is_free(i); });
    return bounded <= DenseBlock::most_bounded &&
           static_cast<std::int64_t>(members.rows.size()) <= DenseBlock::most_rows &&
           static_cast<std::int64_t>(members.velocities.size()) <= most_velocities;
}

class Enumeration {
public:
    Enumeration(const MixedForm& form, std::vector<double>& z, PivotMonitor& monitor);
    bool run();

private:
    bool fill(const Members& members);
    bool velocities(const Members& members);
    double residual_of(const Members& members);

    const MixedForm& form_;
    std::vector<double>& z_;
    PivotMonitor& monitor_;
    DenseBlock block_;
    BlockSearch search_;
    std::vector<double> w_, fixed_z_, fixed_force_, mass_, response_;
    std::vector<std::int64_t> place_;  // of rows and velocities in the block at hand
    DenseFactor mass_factor_{0};
};

Enumeration::Enumeration(const MixedForm& form, std::vector<double>& z, PivotMonitor& monitor)
    : form_(form),
      z_(z),
      monitor_(monitor),
      w_(form.p),
      fixed_z_(form.p, 0.0),
      fixed_force_(form.n, 0.0),
      place_(form.p + form.n, -1) {
    for (std::int64_t i = 0; i < form.p; ++i)
        if (form.is_fixed(i)) fixed_z_[i] = form.lo[i];
    multiply_add(form.Jt, fixed_z_, fixed_force_);
}

// response_ = M^-1 [J_block' fixed_force], by columns. False: M is singular.
bool Enumeration::velocities(const Members& members) {
    const auto n = static_cast<std::int64_t>(members.velocities.size());
    const auto m = static_cast<std::int64_t>(members.rows.size());
    response_.assign(n * (m + 1), 0.0);
    if (n == 0) return true;
    mass_.assign(n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t row = members.velocities[i];
        for (std::int64_t k = form_.M.start[row]; k < form_.M.start[row + 1]; ++k)
            mass_[place_[form_.p + form_.M.index[k]] * n + i] = form_.M.value[k];
        response_[m * n + i] = fixed_force_[row];
    }
    for (std::int64_t j = 0; j < m; ++j) {
        const std::int64_t row = members.rows[j];
        for (std::int64_t k = form_.J.start[row]; k < form_.J.start[row + 1]; ++k)
            response_[j * n + place_[form_.p + form_.J.index[k]]] = form_.J.value[k];
    }
    if (!(mass_factor_.factor(mass_, n) > 0.0)) return false;
    mass_factor_.solve(response_);
    return true;
}

// The block's S and q, the impulses of fixed rows in q. False: it has none.
bool Enumeration::fill(const Members& members) {
    const auto m = static_cast<std::int64_t>(members.rows.size());
    const auto n = static_cast<std::int64_t>(members.velocities.size());
    for (std::int64_t i = 0; i < m; ++i) place_[members.rows[i]] = i;
    for (std::int64_t i = 0; i < n; ++i) place_[form_.p + members.velocities[i]] = i;
    if (!velocities(members)) return false;
    block_.rows = m;
    block_.S.assign(m * m, 0.0);
    for (auto* const x : {&block_.q, &block_.lo, &block_.hi}) x->resize(m);
    for (std::int64_t i = 0; i < m; ++i) {
        const std::int64_t row = members.rows[i];
        block_.q[i] = form_.r[row];
        block_.lo[i] = form_.lo[row];
        block_.hi[i] = form_.hi[row];
        for (std::int64_t k = form_.J.start[row]; k < form_.J.start[row + 1]; ++k) {
            const std::int64_t at = place_[form_.p + form_.J.index[k]];
            for (std::int64_t j = 0; j < m; ++j)
                block_.S[j * m + i] += form_.J.value[k] * response_[j * n + at];
            block_.q[i] += form_.J.value[k] * response_[m * n + at];
        }
        for (std::int64_t k = form_.C.start[row]; k < form_.C.start[row + 1]; ++k) {
            const std::int64_t j = form_.C.index[k];
            if (form_.is_fixed(j))
                block_.q[i] += form_.C.value[k] * fixed_z_[j];
            else
                block_.S[place_[j] * m + i] += form_.C.value[k];
        }
    }
    return true;
}

double Enumeration::residual_of(const Members& members) {
    double square = 0.0;
    for (const std::int64_t i : members.rows) {
        const double part =
            block_residual({&z_[i], 1}, {&w_[i], 1}, {&form_.lo[i], 1}, {&form_.hi[i], 1});
        square += part * part;
    }
    return std::sqrt(square);
}

bool Enumeration::run() {
    for (std::int64_t i = 0; i < form_.p; ++i)
        z_[i] = std::min(std::max(z_[i], form_.lo[i]), form_.hi[i]);
    monitor_.eta(z_);
    monitor_.velocity(w_);
    const std::vector<Members> blocks = split(form_);
    // Blocks within this are a solution together.
    const double accepted = monitor_.settings().tolerance * form_.free_norm /
                            std::sqrt(static_cast<double>(std::max<std::size_t>(blocks.size(), 1)));
    for (const Members& members : blocks) {
        if (!is_small(form_, members) || residual_of(members) <= accepted) continue;
        if (!fill(members)) continue;
        monitor_.info().fallbacks |= fallback::enumeration;
        const auto result = search_.run(block_, form_.free_norm, accepted, monitor_);
        if (result == BlockSearch::Result::stopped) return false;
        if (result == BlockSearch::Result::none) {
            monitor_.finish(Outcome::no_solution);
            return true;
        }
        if (result != BlockSearch::Result::found) continue;
        for (std::size_t i = 0; i < members.rows.size(); ++i) z_[members.rows[i]] = search_.z()[i];
    }
    if (!monitor_.solved(z_)) return false;
    monitor_.finish(Outcome::solved);
    return true;
}

}  // namespace

bool run_enumeration(const MixedForm& form, std::vector<double>& z, PivotMonitor& monitor) {
    return Enumeration(form, z, monitor).run();
}

}  // namespace perp
