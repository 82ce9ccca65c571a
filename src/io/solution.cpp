// The /solution group: impulses by kind (lambda_A, lambda_N, lambda_T, lambda_S, lambda_B), or z
// of a general BLCP. lambda_S always has spin, roll, roll per contact, as the checker expects;
// missing rows are 0 and the one of planar rolling is the last. FCLIB's own r and l can be read.
#include <cinttypes>
#include <numeric>

#include "io/instance.hpp"
#include "io/layouts.hpp"
#include "io/replace_file.hpp"

namespace perp {
namespace {

using hdf5::fail_at;
using hdf5::Group;

constexpr std::int64_t angular_slots = 3;

// Rows of z by kind, in the order of the file's vectors.
struct RowsByKind {
    std::vector<std::int64_t> A, N, T, S, B;
    std::int64_t angular = 0;  // rows of S per contact

    // Place of the s-th of S in lambda_S.
    [[nodiscard]] std::size_t slot(std::size_t s) const {
        const auto a = static_cast<std::size_t>(angular);
        return s / a * angular_slots + (angular_slots - a) + s % a;
    }
};

RowsByKind rows_of(const AssembledForm& form) {
    const System& system = *form.system;
    RowsByKind rows;
    std::int64_t next = 0;
    const auto take = [&next](std::vector<std::int64_t>& kind, std::int64_t count) {
        kind.resize(static_cast<std::size_t>(count));
        std::iota(kind.begin(), kind.end(), next);
        next += count;
    };
    take(rows.A, system.bilateral());
    take(rows.N, system.contacts());
    take(rows.T, system.matrix(SystemMatrix::D).rows);
    take(rows.S, system.matrix(SystemMatrix::S).rows);
    take(rows.B, system.boxes());
    rows.angular = system.shape().angular();
    return rows;
}

RowsByKind rows_of(const ConstraintSet& set) {
    RowsByKind rows;
    const int k = set.shape.rows();
    for (std::int64_t i = 0; i < set.contacts * k; ++i) {
        const std::int64_t slot = i % k;
        (slot == 0                      ? rows.N
         : slot <= set.shape.tangential ? rows.T
                                        : rows.S)
            .push_back(set.contact_row[i]);
    }
    rows.A.assign(set.scalar_row.begin(), set.scalar_row.end());
    rows.angular = set.shape.angular();
    return rows;
}

RowsByKind rows_of(const Problem& problem) {
    return problem.assembled() != nullptr ? rows_of(*problem.assembled()) : rows_of(problem.set());
}

bool is_blcp(const Problem& problem) {
    return problem.matrix() != nullptr && !problem.matrix()->delassus;
}

const char* law_name(const Problem& problem) {
    if (is_blcp(problem)) return "blcp";
    if (problem.law() == Law::coulomb) return "coulomb";
    return problem.law() == Law::box ? "box" : "cone";
}

// ---------------------------------------------------------------------------
// Reading

void read_part(const Group& group, const char* name, const std::vector<std::int64_t>& rows,
               std::vector<double>& z) {
    if (rows.empty()) return;
    const std::vector<double> part = group.reals(name, static_cast<std::int64_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) z[rows[i]] = part[i];
}

void read_angular(const Group& group, const RowsByKind& rows, std::vector<double>& z) {
    if (rows.S.empty() || !group.has("lambda_S")) return;  // absent: 0
    const std::vector<double> part =
        group.reals("lambda_S", angular_slots * static_cast<std::int64_t>(rows.N.size()));
    for (std::size_t s = 0; s < rows.S.size(); ++s) z[rows.S[s]] = part[rows.slot(s)];
}

// FCLIB: r has the rows of a contact together, l belongs to the equalities.
void read_fclib_solution(const Group& group, const RowsByKind& rows, std::vector<double>& z) {
    std::vector<std::int64_t> together;
    const std::size_t contacts = rows.N.size();
    for (std::size_t i = 0; i < contacts; ++i) {
        together.push_back(rows.N[i]);
        for (const auto* kind : {&rows.T, &rows.S}) {
            const auto each = static_cast<std::ptrdiff_t>(kind->size() / contacts);
            const auto first = kind->begin() + static_cast<std::ptrdiff_t>(i) * each;
            together.insert(together.end(), first, first + each);
        }
    }
    read_part(group, "r", together, z);
    read_part(group, "l", rows.A, z);
}

}  // namespace

std::vector<double> read_solution(const Problem& problem, const std::string& path) {
    if (is_folder(path)) return read_market_solution(path, problem.rows());
    const hdf5::File file(path);
    const Group root = file.root();
    const Group group = root.group("solution");
    if (is_blcp(problem)) return group.reals("z", problem.rows());
    std::vector<double> z(static_cast<std::size_t>(problem.rows()));
    const RowsByKind rows = rows_of(problem);
    if (!group.has("lambda_N") && group.has("r") && rows.B.empty()) {
        read_fclib_solution(group, rows, z);
        return z;
    }
    read_part(group, "lambda_A", rows.A, z);
    read_part(group, "lambda_N", rows.N, z);
    read_part(group, "lambda_T", rows.T, z);
    read_angular(group, rows, z);
    read_part(group, "lambda_B", rows.B, z);
    return z;
}

// ---------------------------------------------------------------------------
// Writing

namespace {

void write_part(Group& group, const char* name, const std::vector<std::int64_t>& rows,
                std::span<const double> z) {
    if (rows.empty()) return;
    std::vector<double> part;
    part.reserve(rows.size());
    for (const std::int64_t row : rows) part.push_back(z[static_cast<std::size_t>(row)]);
    group.write(name, part);
}

void write_angular(Group& group, const RowsByKind& rows, std::span<const double> z) {
    if (rows.S.empty()) return;
    std::vector<double> part(angular_slots * rows.N.size());
    for (std::size_t s = 0; s < rows.S.size(); ++s)
        part[rows.slot(s)] = z[static_cast<std::size_t>(rows.S[s])];
    group.write("lambda_S", part);
}

void write_velocity(Group& group, const Problem& problem, std::span<const double> z) {
    std::vector<double> u(z.size());
    ProductWorkspace work = problem.make_workspace();
    problem.constraint_velocity(z, u, work);
    group.write("v", work.velocity);
}

// A file of the user's that has nothing to do with us is left alone.
void check_ours(const Group& root) {
    if (holds_perp_instance(root) || holds_fclib_instance(root) || root.has("solution")) return;
    fail_at(Status::file_write, root.origin().file,
            "exists and holds neither an instance nor a solution; it is not changed");
}

void fill_solution(Group& group, const Problem& problem, std::span<const double> z) {
    if (is_blcp(problem)) return group.write("z", z);
    const RowsByKind rows = rows_of(problem);
    write_part(group, "lambda_A", rows.A, z);
    write_part(group, "lambda_N", rows.N, z);
    write_part(group, "lambda_T", rows.T, z);
    write_angular(group, rows, z);
    write_part(group, "lambda_B", rows.B, z);
    if (problem.assembled() != nullptr) write_velocity(group, problem, z);
}

}  // namespace

void write_solution(const Problem& problem, const std::string& path, std::span<const double> z,
                    const std::string& solver, double eta) {
    if (static_cast<std::int64_t>(z.size()) != problem.rows())
        fail(Status::bad_size, "z has %zu values, the problem %" PRId64 " rows", z.size(),
             problem.rows());
    if (is_folder(path)) return write_market_solution(path, z, solver, eta);
    const std::vector<std::byte> old = read_whole_file(path);
    const auto change = [&](Group& root) {
        if (!old.empty()) check_ours(root);
        if (root.has("solution")) root.remove("solution");
        Group group = root.create_group("solution");
        group.write_attribute("solver", solver);
        group.write_attribute("residual", eta);
        group.write_attribute("law", std::string(law_name(problem)));
        fill_solution(group, problem, z);
    };
    replace_file(path, hdf5::make_image(path, old, change));
}

}  // namespace perp
