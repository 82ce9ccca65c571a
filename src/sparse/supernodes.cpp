#include "sparse/supernodes.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "sparse/amd_order.hpp"

namespace perp {
namespace {

// The pattern of P K P' by rows, columns ascending.
struct Permuted {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> index;

    Permuted(const Csr& k, const Supernodes& s) {
        start.reserve(k.rows + 1);
        index.reserve(k.nonzeros());
        for (std::int64_t i = 0; i < k.rows; ++i) {
            for (const std::int32_t j : k.row_index(s.permutation[i]))
                if (s.inverse[j] != i) index.push_back(static_cast<std::int32_t>(s.inverse[j]));
            std::sort(index.begin() + start.back(), index.end());
            start.push_back(static_cast<std::int64_t>(index.size()));
        }
    }
    [[nodiscard]] std::span<const std::int32_t> row(std::int64_t i) const {
        return {index.data() + start[i], index.data() + start[i + 1]};
    }
    [[nodiscard]] bool is_leaf(std::int64_t j) const {
        return start[j] == start[j + 1] || index[start[j]] > j;
    }
};

// Elimination tree and column counts (rows below the diagonal of L): row k reaches the columns on
// the paths from its entries to k.
struct Tree {
    std::vector<std::int64_t> parent, count;

    explicit Tree(const Permuted& pattern) {
        const auto n = static_cast<std::int64_t>(pattern.start.size()) - 1;
        parent.assign(n, -1);
        count.assign(n, 0);
        std::vector<std::int64_t> mark(n, -1);
        for (std::int64_t k = 0; k < n; ++k) {
            mark[k] = k;
            for (std::int64_t q = pattern.start[k]; q < pattern.start[k + 1]; ++q) {
                if (pattern.index[q] > k) break;
                for (std::int64_t i = pattern.index[q]; mark[i] != k; i = parent[i]) {
                    if (parent[i] < 0) parent[i] = k;
                    mark[i] = k;
                    ++count[i];
                }
            }
        }
    }
};

// Children before parents; leaves come first and of other children the tallest last, next to the
// parent it may be joined with.
std::vector<std::int64_t> postorder(const Permuted& pattern, const Tree& tree) {
    const auto n = static_cast<std::int64_t>(tree.parent.size());
    std::vector<std::int64_t> start(n + 2, 0), child(n), order;
    for (const std::int64_t p : tree.parent) ++start[(p < 0 ? n : p) + 1];
    for (std::int64_t j = 0; j <= n; ++j) start[j + 1] += start[j];
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for (std::int64_t j = 0; j < n; ++j) child[next[tree.parent[j] < 0 ? n : tree.parent[j]]++] = j;
    for (std::int64_t j = 0; j < n; ++j)
        std::sort(child.begin() + start[j], child.begin() + start[j + 1],
                  [&](std::int64_t a, std::int64_t b) {
                      const bool leaf = pattern.is_leaf(a);
                      if (leaf != pattern.is_leaf(b)) return leaf;
                      return tree.count[a] != tree.count[b] ? tree.count[a] < tree.count[b] : a < b;
                  });
    order.reserve(n);
    std::copy(start.begin(), start.end() - 1, next.begin());
    std::vector<std::int64_t> path{n};
    while (!path.empty()) {
        const std::int64_t j = path.back();
        if (next[j] < start[j + 1]) {
            path.push_back(child[next[j]++]);
        } else {
            path.pop_back();
            if (j < n) order.push_back(j);
        }
    }
    return order;
}

void invert(Supernodes& s) {
    s.inverse.resize(s.permutation.size());
    for (std::size_t k = 0; k < s.permutation.size(); ++k)
        s.inverse[s.permutation[k]] = static_cast<std::int64_t>(k);
}

// About the cycles that a block costs in a factorization and the solves that follow it: to touch
// it, its products, adding what is left to its parent's block, and its entries.
double cost(double width, double height, bool twins) {
    const double below = width * height;
    const double own = twins ? 0.0 : width * width / 2.0;
    return 60.0 + (own * (width / 3.0 + height) + below * height / 2.0) / 4.0 +
           1.5 * height * height + 8.0 * (own + below);
}

struct Run {
    std::int64_t first, last, height;
    [[nodiscard]] double width() const { return static_cast<double>(last - first + 1); }
    [[nodiscard]] double cost() const {
        return perp::cost(width(), static_cast<double>(height), false);
    }
};

// Columns other than leaves: those of equal pattern together, then joined with the parent's where
// these follow and the sum costs less.
std::vector<Run> find_runs(const Permuted& pattern, const Tree& tree,
                           std::vector<std::int64_t>& of) {
    const auto n = static_cast<std::int64_t>(tree.parent.size());
    std::vector<Run> runs;
    of.assign(n, -1);
    for (std::int64_t j = 0; j < n; ++j) {
        if (pattern.is_leaf(j)) continue;
        const bool chained = !runs.empty() && runs.back().last == j - 1 &&
                             tree.parent[j - 1] == j && runs.back().height == tree.count[j] + 1;
        if (chained) {
            runs.back().last = j;
            runs.back().height = tree.count[j];
        } else {
            runs.push_back({j, j, tree.count[j]});
        }
        of[j] = static_cast<std::int64_t>(runs.size()) - 1;
    }
    std::vector<std::int64_t> joined(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        joined[r] = static_cast<std::int64_t>(r);
        const std::int64_t up = tree.parent[runs[r].last];
        if (up != runs[r].last + 1) continue;
        Run& parent = runs[of[up]];
        const Run both{runs[r].first, parent.last, parent.height};
        if (both.cost() > runs[r].cost() + parent.cost()) continue;
        parent = both;
        joined[r] = of[up];
    }
    for (auto r = static_cast<std::int64_t>(runs.size()) - 1; r >= 0; --r)
        joined[r] = joined[joined[r]];
    for (std::int64_t& r : of)
        if (r >= 0) r = joined[r];
    return runs;
}

// Leaves below the same run may share their rows, all of which it has: their union costs no fill.
struct Leaves {
    std::vector<std::int64_t> columns;
    std::vector<std::int32_t> rows;
    [[nodiscard]] double cost() const { return cost(columns.size(), rows.size()); }
    static double cost(std::size_t width, std::size_t height) {
        return perp::cost(static_cast<double>(width), static_cast<double>(height), true);
    }
};

// Groups the leaves; each is compared with the last few groups only.
std::vector<Leaves> group_leaves(const Permuted& pattern, std::vector<std::int64_t>& leaves) {
    constexpr std::size_t candidates = 6;
    std::sort(leaves.begin(), leaves.end(), [&](std::int64_t a, std::int64_t b) {
        const auto x = pattern.row(a), y = pattern.row(b);
        const std::int32_t last_x = x.empty() ? -1 : x.back(), last_y = y.empty() ? -1 : y.back();
        if (last_x != last_y) return last_x < last_y;
        return x.size() != y.size() ? x.size() > y.size() : a < b;
    });
    std::vector<Leaves> groups;
    std::vector<std::int32_t> both;
    for (const std::int64_t j : leaves) {
        const auto rows = pattern.row(j);
        const double alone = Leaves::cost(1, rows.size());
        double best = 0.0;
        Leaves* chosen = nullptr;
        std::vector<std::int32_t> chosen_rows;
        for (std::size_t g = groups.size(); g > 0 && groups.size() - g < candidates; --g) {
            Leaves& group = groups[g - 1];
            both.clear();
            std::set_union(rows.begin(), rows.end(), group.rows.begin(), group.rows.end(),
                           std::back_inserter(both));
            const double gain =
                alone + group.cost() - Leaves::cost(group.columns.size() + 1, both.size());
            if (gain <= best) continue;
            best = gain;
            chosen = &group;
            chosen_rows = both;
        }
        if (chosen == nullptr) {
            groups.push_back({{j}, {rows.begin(), rows.end()}});
        } else {
            chosen->columns.push_back(j);
            chosen->rows = chosen_rows;
        }
    }
    return groups;
}

// Does a group of leaves cost less as columns of a block than as one of its own?
bool belongs(const Leaves& group, double width, double height) {
    return cost(width + static_cast<double>(group.columns.size()), height, false) <
           cost(width, height, false) + group.cost();
}

// The supernodes and the order of their columns: before each run the groups of its leaves, of which
// small ones become columns of the run. Last, leaves that are alone in the matrix.
std::vector<std::int64_t> place_columns(Supernodes& s, const Permuted& pattern, const Tree& tree) {
    std::vector<std::int64_t> of, order;
    const std::vector<Run> runs = find_runs(pattern, tree, of);
    const std::size_t count = runs.size();
    std::vector<std::vector<std::int64_t>> leaves(count + 1);
    const auto n = static_cast<std::int64_t>(tree.parent.size());
    for (std::int64_t j = 0; j < n; ++j)
        if (of[j] < 0) leaves[tree.parent[j] < 0 ? count : of[tree.parent[j]]].push_back(j);
    const auto begin = [&](bool twins) {
        s.first.push_back(static_cast<std::int32_t>(order.size()));
        s.twins.push_back(twins ? 1 : 0);
    };
    const auto place = [&](const std::vector<std::int64_t>& columns) {
        order.insert(order.end(), columns.begin(), columns.end());
    };
    for (std::size_t r = 0; r <= count; ++r) {
        const bool joined = r < count && of[runs[r].last] != static_cast<std::int64_t>(r);
        if (joined) continue;
        std::vector<std::int64_t> own;
        for (const Leaves& group : group_leaves(pattern, leaves[r])) {
            if (r < count && belongs(group, runs[r].width() + static_cast<double>(own.size()),
                                     static_cast<double>(runs[r].height))) {
                own.insert(own.end(), group.columns.begin(), group.columns.end());
                continue;
            }
            begin(group.columns.size() > 1);
            place(group.columns);
        }
        if (r == count) break;
        begin(false);
        place(own);
        for (std::int64_t j = runs[r].first; j <= runs[r].last; ++j) order.push_back(j);
    }
    s.first.push_back(static_cast<std::int32_t>(order.size()));
    return order;
}

// The union of the rows of the matrix and of the children.
void find_rows(Supernodes& s, const Permuted& pattern) {
    const auto count = static_cast<std::int64_t>(s.twins.size());
    s.of.resize(s.permutation.size());
    for (std::int64_t t = 0; t < count; ++t)
        std::fill(s.of.begin() + s.first[t], s.of.begin() + s.first[t + 1],
                  static_cast<std::int32_t>(t));
    s.parent.assign(count, -1);
    std::vector<std::int32_t> mark(s.permutation.size(), -1), last_child(count, -1),
        elder(count, -1);
    for (std::int32_t t = 0; t < count; ++t) {
        const auto begin = static_cast<std::ptrdiff_t>(s.row.size());
        const auto add = [&](std::int32_t i) {
            if (i < s.first[t + 1] || mark[i] == t) return;
            mark[i] = t;
            s.row.push_back(i);
        };
        for (std::int64_t j = s.first[t]; j < s.first[t + 1]; ++j)
            for (std::int64_t q = pattern.start[j]; q < pattern.start[j + 1]; ++q)
                add(pattern.index[q]);
        for (std::int32_t c = last_child[t]; c >= 0; c = elder[c])
            for (std::int64_t q = s.row_start[c]; q < s.row_start[c + 1]; ++q) add(s.row[q]);
        std::sort(s.row.begin() + begin, s.row.end());
        s.row_start.push_back(static_cast<std::int64_t>(s.row.size()));
        if (s.height(t) == 0) continue;
        s.parent[t] = s.of[s.row[begin]];
        elder[t] = std::exchange(last_child[s.parent[t]], t);
    }
}

Supernodes with_order(const Csr& k, std::vector<std::int64_t> order) {
    Supernodes s;
    const auto reorder = [&s](std::vector<std::int64_t> next) {
        if (!s.permutation.empty())
            for (std::int64_t& j : next) j = s.permutation[j];
        s.permutation.swap(next);
        invert(s);
    };
    reorder(std::move(order));
    {
        const Permuted pattern(k, s);
        reorder(postorder(pattern, Tree(pattern)));
    }
    {
        const Permuted pattern(k, s);
        reorder(place_columns(s, pattern, Tree(pattern)));
    }
    find_rows(s, Permuted(k, s));
    return s;
}

// The rows from `positive` on that are not connected with each other come first: contacts, whose
// elimination leaves a matrix of the bodies. Empty where that matrix would be large.
std::vector<std::int64_t> constraints_first(const Csr& k, std::int64_t positive) {
    const std::int64_t n = k.rows;
    std::vector<std::int64_t> order, rest, place(n, -1);
    double most = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto row = k.row_index(i);
        const bool alone = i >= positive && std::all_of(row.begin(), row.end(), [&](auto j) {
                               return j == i || j < positive;
                           });
        if (alone) {
            order.push_back(i);
            most += static_cast<double>(row.size()) * static_cast<double>(row.size());
        } else {
            place[i] = static_cast<std::int64_t>(rest.size());
            rest.push_back(i);
        }
    }
    if (order.empty() || most > 16.0 * static_cast<double>(k.nonzeros())) return {};
    Csr graph;
    graph.rows = graph.cols = static_cast<std::int64_t>(rest.size());
    std::vector<std::int64_t> mark(rest.size(), -1);
    for (std::int64_t i = 0; i < graph.rows; ++i) {
        const auto add = [&](std::int32_t j) {
            if (place[j] < 0 || mark[place[j]] == i) return;
            mark[place[j]] = i;
            graph.index.push_back(static_cast<std::int32_t>(place[j]));
        };
        for (const std::int32_t j : k.row_index(rest[i])) {
            add(j);
            if (place[j] < 0)
                for (const std::int32_t l : k.row_index(j)) add(l);
        }
        std::sort(graph.index.begin() + graph.start.back(), graph.index.end());
        graph.start.push_back(static_cast<std::int64_t>(graph.index.size()));
    }
    for (const std::int64_t j : amd_order(graph)) order.push_back(rest[j]);
    return order;
}

double total_cost(const Supernodes& s) {
    double sum = 0.0;
    for (std::int64_t t = 0; t < s.count(); ++t)
        sum += cost(static_cast<double>(s.width(t)), static_cast<double>(s.height(t)),
                    s.twins[t] != 0);
    return sum;
}

}  // namespace

Supernodes find_supernodes(const Csr& k, std::int64_t positive) {
    Supernodes any = with_order(k, amd_order(k));
    std::vector<std::int64_t> order = constraints_first(k, positive);
    if (order.empty()) return any;
    Supernodes structured = with_order(k, std::move(order));
    return total_cost(structured) < total_cost(any) ? structured : any;
}

}  // namespace perp
