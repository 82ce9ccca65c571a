// The perp layout: M, A, N, D, S, B as compressed columns with the step's vectors, or a general
// BLCP. Version 1 has spatial contacts (2 sliding rows each) with no or 3 angular rows; version 2
// has every shape of a System, b_S and compliance_S, and box rows beside the contacts; version 3
// has bounds that are tied to normal impulses: an empty /box, or ties of a BLCP; version 4 the
// exact Coulomb law: an empty /coulomb.
#include <cinttypes>
#include <cmath>

#include "io/layouts.hpp"
#include "io/stored_matrix.hpp"

namespace perp {
namespace {

using hdf5::fail_at;
using hdf5::Group;

std::int64_t size(const std::vector<double>& v) { return static_cast<std::int64_t>(v.size()); }

// ---------------------------------------------------------------------------
// Reading

// The text of `format` is not looked at: it lies in HDF5's global heap, which has no checksum, and
// HDF5 1.10 can crash on a damaged one. Version and groups tell enough.
std::int64_t read_version(const Group& root) {
    const std::int64_t version = root.integer_attribute("version");
    if (version < 1 || version > 4)
        fail_at(Status::file_format, root.origin().file,
                format("perp-instance version %" PRId64 " is unknown; versions 1 to 4 can be read",
                       version));
    return version;
}

Problem read_blcp(const Group& root, std::int64_t version, std::optional<Law> law) {
    if (law == Law::cone || law == Law::coulomb)
        fail_at(Status::file_format, root.origin().file,
                "holds a general BLCP (/blcp), which has bounds and no cones; the cone law needs "
                "/dynamics");
    const Group group = root.group("blcp");
    std::vector<double> q = group.reals("q");
    const TripletList H = read_compressed_columns(group, "H", size(q), size(q));
    std::vector<double> lo = group.reals("lo", size(q));
    std::vector<double> hi = group.reals("hi", size(q));
    std::vector<std::int64_t> row, normal;
    std::vector<double> coefficient;
    if (version >= 3 && group.has("ties")) {
        const Group ties = group.group("ties");
        coefficient = ties.reals("coefficient");
        row = ties.integers("row", size(coefficient));
        normal = ties.integers("normal", size(coefficient));
    }
    return built_from(root.origin().file, [&] {
        Problem problem =
            Problem::general_blcp(H.view(), std::move(q), std::move(lo), std::move(hi));
        if (!row.empty()) problem.set_ties(row, normal, coefficient);
        return problem;
    });
}

// What a file holds of a System and its vectors, before either is made.
struct Parts {
    TripletList M, A, N, D, S, B;
    ContactRows rows;
};

void read_dynamics(const Group& root, Parts& to) {
    const Group group = root.group("dynamics");
    to.rows.f = group.reals("f");
    to.M = read_compressed_columns(group, "M", size(to.rows.f), size(to.rows.f));
}

void read_bilateral(const Group& root, Parts& to) {
    if (!root.has("bilateral")) return;
    const Group group = root.group("bilateral");
    to.rows.u = group.reals("u");
    to.A = read_compressed_columns(group, "A", size(to.rows.u), to.M.rows);
    to.rows.compliance_A = group.optional_reals("compliance", to.A.rows);
}

// D or S: the number of rows is the file's choice among what r contacts may have.
TripletList read_friction_rows(const Group& contacts, const char* name, std::int64_t version,
                               std::int64_t r, std::int64_t largest, std::int64_t n) {
    const std::int64_t rows = contacts.group(name).integer_attribute("rows");
    const bool legal = version == 1 ? rows == largest * r
                       : r == 0     ? rows == 0
                                    : rows >= 0 && rows % r == 0 && rows / r <= largest;
    if (!legal)
        fail_at(Status::file_format, contacts.where(name),
                format("has %" PRId64 " rows; %" PRId64 " contacts need %s%" PRId64
                       " of them in version %" PRId64,
                       rows, r, version == 1 ? "" : "a multiple up to ", largest * r, version));
    return read_compressed_columns(contacts, name, rows, n);
}

void read_contacts(const Group& root, std::int64_t version, Parts& to) {
    if (!root.has("contacts")) return;
    const Group group = root.group("contacts");
    ContactRows& rows = to.rows;
    const std::int64_t n = to.M.rows;
    rows.b_N = group.reals("b_N");
    const std::int64_t r = size(rows.b_N);
    to.N = read_compressed_columns(group, "N", r, n);
    if (group.has("D") || (version == 1 && r > 0))
        to.D = read_friction_rows(group, "D", version, r, 2, n);
    if (group.has("S")) to.S = read_friction_rows(group, "S", version, r, 3, n);
    rows.b_T = group.optional_reals("b_T", to.D.rows);
    rows.b_S = group.optional_reals("b_S", to.S.rows);
    rows.compliance_N = group.optional_reals("compliance_N", r);
    rows.compliance_T = group.optional_reals("compliance_T", to.D.rows);
    rows.compliance_S = group.optional_reals("compliance_S", to.S.rows);
    rows.mu = group.optional_reals("mu", r);
    rows.rho = group.optional_reals("rho", r);
    rows.sigma = group.optional_reals("sigma", r);
}

void read_box_rows(const Group& root, Parts& to) {
    if (!root.has("box_rows")) return;
    const Group group = root.group("box_rows");
    to.rows.lo_B = group.reals("lo");
    const std::int64_t k = size(to.rows.lo_B);
    to.rows.hi_B = group.reals("hi", k);
    to.B = read_compressed_columns(group, "B", k, to.M.rows);
    to.rows.b_B = group.optional_reals("b", k);
    to.rows.compliance_B = group.optional_reals("compliance", k);
}

// Of friction. One of them alone is damage, and read as such.
bool has_bounds(const Group& root) {
    if (!root.has("box")) return false;
    const Group box = root.group("box");
    return box.has("lo") || box.has("hi");
}

Law law_of(const Group& root, std::int64_t version) {
    if (has_bounds(root) || (version >= 3 && root.has("box"))) return Law::box;
    return version >= 4 && root.has("coulomb") ? Law::coulomb : Law::cone;
}

// What the law asked for needs beside the Jacobians.
void read_law(const Group& root, Law law, Parts& to) {
    const std::string& file = root.origin().file;
    if (law != Law::box) {
        if (to.D.rows > 0 && to.rows.mu.empty())
            fail_at(Status::file_format, file, "the cone law needs /contacts/mu, which is missing");
        return;
    }
    if (to.S.rows > 0)
        fail_at(Status::file_format, file,
                "holds angular rows (/contacts/S), which the box law does not have");
    if (!has_bounds(root)) {  // then they are tied to the normal impulses
        if (to.D.rows > 0 && to.rows.mu.empty())
            fail_at(Status::file_format, file,
                    "the box law needs /box/lo and /box/hi, or /contacts/mu; all are missing");
        return;
    }
    const Group box = root.group("box");
    to.rows.lo_T = box.reals("lo", to.D.rows);
    to.rows.hi_T = box.reals("hi", to.D.rows);
}

Problem build(const Group& root, Parts& parts, Law law) {
    return built_from(root.origin().file, [&] {
        SystemTriplets given;
        given.M = parts.M.view();
        given.A = parts.A.view();
        given.N = parts.N.view();
        given.D = parts.D.view();
        given.S = parts.S.view();
        given.B = parts.B.view();
        given.symmetry_tolerance =
            0.5;  // exports deviate by up to 0.22; M is used as given, the deviation reported
        return Problem::assemble(std::make_shared<const System>(given), std::move(parts.rows), law);
    });
}

}  // namespace

bool holds_perp_instance(const Group& root) { return root.has("dynamics") || root.has("blcp"); }

Problem read_perp(const Group& root, std::optional<Law> law) {
    const std::int64_t version = read_version(root);
    if (!root.has("dynamics")) return read_blcp(root, version, law);
    Parts parts;
    read_dynamics(root, parts);
    read_bilateral(root, parts);
    read_contacts(root, version, parts);
    if (version >= 2) read_box_rows(root, parts);
    if (!law) law = law_of(root, version);
    read_law(root, *law, parts);
    return build(root, parts, *law);
}

// ---------------------------------------------------------------------------
// Writing

namespace {

// Zeros are the default of every optional vector. Negative zeros are not: bits come back.
bool all_zero(const std::vector<double>& v) {
    for (const double x : v)
        if (x != 0.0 || std::signbit(x)) return false;
    return true;
}

void write_unless_zero(Group& group, const char* name, const std::vector<double>& v) {
    if (!all_zero(v)) group.write(name, v);
}

// The lowest version that can say everything, for readers that know only the first.
std::int64_t version_of(const AssembledForm& form) {
    const System& system = *form.system;
    if (form.law == Law::coulomb) return 4;
    if (form.tied) return 3;
    if (system.boxes() > 0) return 2;
    if (system.contacts() == 0) return 1;
    const bool spatial = system.shape().tangential == 2 &&
                         (system.shape().angular() == 0 || system.shape().angular() == 3);
    return spatial && all_zero(form.rows.b_S) && all_zero(form.rows.compliance_S) ? 1 : 2;
}

void write_contacts(Group& root, const AssembledForm& form) {
    const System& system = *form.system;
    const ContactRows& rows = form.rows;
    Group group = root.create_group("contacts");
    write_compressed_columns(group, "N", system.matrix(SystemMatrix::N));
    if (system.matrix(SystemMatrix::D).rows > 0)
        write_compressed_columns(group, "D", system.matrix(SystemMatrix::D));
    if (system.matrix(SystemMatrix::S).rows > 0)
        write_compressed_columns(group, "S", system.matrix(SystemMatrix::S));
    group.write("b_N", rows.b_N);
    if (form.law != Law::box || form.tied) {
        group.write("mu", rows.mu);
    } else {
        write_unless_zero(group, "mu", rows.mu);
    }
    write_unless_zero(group, "b_T", rows.b_T);
    write_unless_zero(group, "b_S", rows.b_S);
    write_unless_zero(group, "compliance_N", rows.compliance_N);
    write_unless_zero(group, "compliance_T", rows.compliance_T);
    write_unless_zero(group, "compliance_S", rows.compliance_S);
    write_unless_zero(group, "rho", rows.rho);
    write_unless_zero(group, "sigma", rows.sigma);
}

void write_box_rows(Group& root, const AssembledForm& form) {
    Group group = root.create_group("box_rows");
    write_compressed_columns(group, "B", form.system->matrix(SystemMatrix::B));
    group.write("lo", form.rows.lo_B);
    group.write("hi", form.rows.hi_B);
    group.write("b", form.rows.b_B);
    write_unless_zero(group, "compliance", form.rows.compliance_B);
}

void write_assembled(Group& root, const AssembledForm& form) {
    const System& system = *form.system;
    Group dynamics = root.create_group("dynamics");
    write_compressed_columns(dynamics, "M", system.matrix(SystemMatrix::M));
    dynamics.write("f", form.rows.f);
    if (system.bilateral() > 0) {
        Group group = root.create_group("bilateral");
        write_compressed_columns(group, "A", system.matrix(SystemMatrix::A));
        group.write("u", form.rows.u);
        write_unless_zero(group, "compliance", form.rows.compliance_A);
    }
    if (system.contacts() > 0) write_contacts(root, form);
    if (form.law == Law::box) {  // also where it is empty: it says which law holds
        Group group = root.create_group("box");
        if (!form.tied) {
            group.write("lo", form.rows.lo_T);
            group.write("hi", form.rows.hi_T);
        }
    }
    if (form.law == Law::coulomb) root.create_group("coulomb");
    if (system.boxes() > 0) write_box_rows(root, form);
}

void write_blcp(Group& root, const Problem& problem) {
    Group group = root.create_group("blcp");
    write_compressed_columns(group, "H", problem.matrix()->main.csr());
    group.write("q", problem.matrix()->q);
    const Bounds bounds = bounds_of(problem.set());
    group.write("lo", bounds.lo);
    group.write("hi", bounds.hi);
    const ConstraintSet& set = problem.set();
    if (!set.tied()) return;
    std::vector<std::int64_t> row, normal;
    std::vector<double> coefficient;
    for (std::int64_t s = 0; s < set.scalars(); ++s) {
        if (!set.tied(s)) continue;
        row.push_back(set.scalar_row[s]);
        normal.push_back(set.tie[s].normal);
        coefficient.push_back(set.tie[s].coefficient);
    }
    Group ties = group.create_group("ties");
    ties.write("row", row);
    ties.write("normal", normal);
    ties.write("coefficient", coefficient);
}

}  // namespace

void write_perp(Group& root, const Problem& problem, const Caption& caption) {
    const AssembledForm* form = problem.assembled();
    if (form == nullptr && problem.matrix()->delassus)
        fail_at(Status::unsupported, root.origin().file,
                "the perp layout does not hold Delassus forms; write the FCLIB layout");
    root.write_python_str("format", "perp-instance");
    const std::int64_t blcp_version = problem.set().tied() ? 3 : 1;
    root.write_attribute("version", form != nullptr ? version_of(*form) : blcp_version);
    root.write_python_str("title", caption.title);
    root.write_python_str("source", caption.source);
    if (form != nullptr) {
        write_assembled(root, *form);
    } else {
        write_blcp(root, problem);
    }
}

}  // namespace perp
