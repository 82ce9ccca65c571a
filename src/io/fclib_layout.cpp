// FCLIB's layout: local problems (Delassus form W, q, mu with V, R, s) and global ones (M, H, G
// with f, w, b), each with or without rolling friction. H' is the contact Jacobian with its rows
// interleaved per contact (n, t1, t2, r1, r2), u = H' v + w; G' v + b = 0 are bilateral rows.
// fclib_local_rolling is our extension of FCLIB in the same manner.
#include <cinttypes>

#include "io/layouts.hpp"
#include "io/stored_matrix.hpp"

namespace perp {
namespace {

using hdf5::fail_at;
using hdf5::Group;

constexpr const char* problem_groups[] = {"fclib_local", "fclib_local_rolling", "fclib_global",
                                          "fclib_global_rolling"};

std::int64_t size(const std::vector<double>& v) { return static_cast<std::int64_t>(v.size()); }

std::string find_problem(const Group& root) {
    for (const char* name : problem_groups)
        if (root.has(name)) return name;
    return "";
}

// ---------------------------------------------------------------------------
// Reading

// spacedim is the number of rows per contact.
ContactShape read_shape(const Group& problem, bool rolling) {
    const std::int64_t dimension = problem.integer("spacedim");
    if (rolling && dimension == 5) return {2, 0, 2};
    if (!rolling && dimension == 3) return {2, 0, 0};
    if (!rolling && dimension == 2) return {1, 0, 0};
    fail_at(Status::file_format, problem.where("spacedim"),
            format("is %" PRId64 ", expected %s", dimension, rolling ? "5" : "2 or 3"));
}

Problem read_local(const Group& root, const Group& problem, bool rolling) {
    const Group vectors = problem.group("vectors");
    DelassusForm form;
    form.shape = read_shape(problem, rolling);
    form.mu = vectors.reals("mu");
    const std::int64_t p = size(form.mu) * form.shape.rows();
    form.q = vectors.reals("q", p);
    if (rolling) form.rho = vectors.reals("mu_r", size(form.mu));
    const TripletList W = read_fclib_matrix(problem, "W", p, p);
    TripletList V, R;
    if (problem.has("V")) {
        form.s = vectors.reals("s");
        V = read_fclib_matrix(problem, "V", p, size(form.s));
        R.rows = R.cols = size(form.s);
        if (problem.has("R")) R = read_fclib_matrix(problem, "R", R.rows, R.cols);
    }
    form.W = W.view();
    form.V = V.view();
    form.R = R.view();
    return built_from(root.origin().file, [&] { return Problem::delassus(form); });
}

// One interleaved vector or matrix apart into the rows of N, D and S.
struct ContactParts {
    TripletList N, D, S;
};

ContactParts split_contacts(const TripletList& H, const ContactShape& shape,
                            std::int64_t contacts) {
    ContactParts parts;
    parts.N.rows = contacts;
    parts.D.rows = contacts * shape.tangential;
    parts.S.rows = contacts * shape.angular();
    parts.N.cols = parts.D.cols = parts.S.cols = H.rows;
    for (std::size_t k = 0; k < H.value.size(); ++k) {
        const std::int64_t contact = H.col[k] / shape.rows();
        const std::int64_t slot = H.col[k] % shape.rows();
        if (slot == 0) {
            parts.N.add(contact, H.row[k], H.value[k]);
        } else if (slot <= shape.tangential) {
            parts.D.add(contact * shape.tangential + slot - 1, H.row[k], H.value[k]);
        } else {
            parts.S.add(contact * shape.angular() + slot - 1 - shape.tangential, H.row[k],
                        H.value[k]);
        }
    }
    return parts;
}

void split_contacts(const std::vector<double>& w, const ContactShape& shape, ContactRows& rows) {
    for (std::size_t k = 0; k < w.size(); ++k) {
        const auto slot = static_cast<int>(k % static_cast<std::size_t>(shape.rows()));
        (slot == 0 ? rows.b_N : slot <= shape.tangential ? rows.b_T : rows.b_S).push_back(w[k]);
    }
}

Problem read_global(const Group& root, const Group& problem, bool rolling) {
    const Group vectors = problem.group("vectors");
    const ContactShape shape = read_shape(problem, rolling);
    ContactRows rows;
    rows.f = vectors.reals("f");
    rows.mu = vectors.reals("mu");
    if (rolling) rows.rho = vectors.reals("mu_r", size(rows.mu));
    const std::int64_t n = size(rows.f);
    const std::int64_t p = size(rows.mu) * shape.rows();
    split_contacts(vectors.optional_reals("w", p), shape, rows);
    const TripletList M = read_fclib_matrix(problem, "M", n, n);
    const ContactParts contacts =
        split_contacts(read_fclib_matrix(problem, "H", n, p), shape, size(rows.mu));
    TripletList A;
    if (problem.has("G")) {
        const std::vector<double> b = vectors.reals("b");
        A = read_fclib_matrix(problem, "G", n, size(b));
        std::swap(A.rows, A.cols);
        std::swap(A.row, A.col);
        for (const double x : b) rows.u.push_back(-x);
    }
    return built_from(root.origin().file, [&] {
        SystemTriplets given;
        given.M = M.view();
        given.A = A.view();
        given.N = contacts.N.view();
        given.D = contacts.D.view();
        given.S = contacts.S.view();
        given.symmetry_tolerance =
            0.5;  // exports deviate by up to 0.22; M is used as given, the deviation reported
        return Problem::assemble(std::make_shared<const System>(given), std::move(rows), Law::cone);
    });
}

}  // namespace

bool holds_fclib_instance(const Group& root) { return !find_problem(root).empty(); }

Problem read_fclib(const Group& root, std::optional<Law> law) {
    const std::string name = find_problem(root);
    if (law == Law::box)
        fail_at(Status::file_format, root.origin().file,
                "is an FCLIB file (/" + name +
                    "), which has cones; the box law needs /box/lo and /box/hi");
    const Group problem = root.group(name);
    const bool rolling = name.ends_with("_rolling");
    Problem read = name.starts_with("fclib_local") ? read_local(root, problem, rolling)
                                                   : read_global(root, problem, rolling);
    if (law == Law::coulomb) read.set_law(Law::coulomb);
    return read;
}

// ---------------------------------------------------------------------------
// Writing

namespace {

[[noreturn]] void refuse(const Group& root, const std::string& why) {
    fail_at(Status::unsupported, root.origin().file, "FCLIB's layout does not hold " + why);
}

bool any_nonzero(const std::vector<double>& v) {
    for (const double x : v)
        if (x != 0.0) return true;
    return false;
}

// What every problem in this layout must be: a product of cones (n, t), (n, t1, t2) or
// (n, t1, t2, r1, r2).
void check_cones(const Group& root, const ContactShape& shape, const std::vector<double>& rho,
                 const std::vector<double>& sigma) {
    const bool planar = shape == ContactShape{1, 0, 0};
    const bool rolling = shape == ContactShape{2, 0, 2};
    if (!planar && !rolling && shape != ContactShape{2, 0, 0})
        refuse(root, format("contacts with %d sliding, %d spinning and %d rolling rows (only 1, 0, "
                            "0; 2, 0, 0 and 2, 0, 2)",
                            shape.tangential, shape.spin, shape.roll));
    if (any_nonzero(sigma)) refuse(root, "spinning friction (sigma)");
    if (!rolling && any_nonzero(rho))
        refuse(root, "rolling lengths (rho) of contacts without rolling rows");
}

void check_global(const Group& root, const AssembledForm& form) {
    if (form.law == Law::box) refuse(root, "the box law");
    if (form.system->boxes() > 0) refuse(root, "box rows (B)");
    if (any_nonzero(form.compliance)) refuse(root, "compliance");
    check_cones(root, form.system->shape(), form.rows.rho, form.rows.sigma);
}

Group write_header(Group& root, const char* kind, const ContactShape& shape,
                   const Caption& caption) {
    Group problem = root.create_group(std::string(kind) + (shape.roll > 0 ? "_rolling" : ""));
    problem.write_int32("spacedim", std::vector<std::int64_t>{shape.rows()});
    Group info = problem.create_group("info");
    info.write_text("title", caption.title);
    info.write_text("description", caption.source);
    info.write_text("math_info", "");
    return problem;
}

void write_local(Group& root, const Problem& given, const Caption& caption) {
    const ConstraintSet& set = given.set();
    const MatrixForm& form = *given.matrix();
    check_cones(root, set.shape, set.rho, set.sigma);
    Group problem = write_header(root, "fclib_local", set.shape, caption);
    Group vectors = problem.create_group("vectors");
    const auto contact_rows = static_cast<std::ptrdiff_t>(form.main.rows());
    write_fclib_rows(problem, "W", form.main.csr());
    vectors.write("q", std::vector<double>(form.q.begin(), form.q.begin() + contact_rows));
    vectors.write("mu", set.mu);
    if (set.shape.roll > 0) vectors.write("mu_r", set.rho);
    if (form.V.cols() == 0) return;
    write_fclib_rows(problem, "V", form.V.csr());
    write_fclib_rows(problem, "R", form.R.csr());
    vectors.write("s", std::vector<double>(form.q.begin() + contact_rows, form.q.end()));
}

TripletList to_triplets(const Csr& a) {
    TripletList t;
    t.rows = a.rows;
    t.cols = a.cols;
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t k = a.start[i]; k < a.start[i + 1]; ++k) t.add(i, a.index[k], a.value[k]);
    return t;
}

// The inverse of split_contacts: row i of N, D or S becomes a column of H.
void interleave(const Csr& jacobian, int per_contact, int first_slot, const ContactShape& shape,
                TripletList& H) {
    for (std::int64_t i = 0; i < jacobian.rows; ++i) {
        const std::int64_t column = i / per_contact * shape.rows() + first_slot + i % per_contact;
        for (std::int64_t k = jacobian.start[i]; k < jacobian.start[i + 1]; ++k)
            H.add(jacobian.index[k], column, jacobian.value[k]);
    }
}

void interleave(const std::vector<double>& part, int per_contact, int first_slot,
                const ContactShape& shape, std::vector<double>& w) {
    for (std::size_t i = 0; i < part.size(); ++i) {
        const auto k = static_cast<std::size_t>(per_contact);
        w[i / k * static_cast<std::size_t>(shape.rows()) + static_cast<std::size_t>(first_slot) +
          i % k] = part[i];
    }
}

void write_global(Group& root, const AssembledForm& form, const Caption& caption) {
    check_global(root, form);
    const System& system = *form.system;
    const ContactShape shape = system.shape();
    const ContactRows& rows = form.rows;
    Group problem = write_header(root, "fclib_global", shape, caption);
    Group vectors = problem.create_group("vectors");
    TripletList H;
    H.rows = system.velocities();
    H.cols = system.contacts() * shape.rows();
    std::vector<double> w(static_cast<std::size_t>(H.cols));
    const int first_angular = 1 + shape.tangential;
    interleave(system.matrix(SystemMatrix::N), 1, 0, shape, H);
    interleave(system.matrix(SystemMatrix::D), shape.tangential, 1, shape, H);
    interleave(rows.b_N, 1, 0, shape, w);
    interleave(rows.b_T, shape.tangential, 1, shape, w);
    if (shape.roll > 0) {
        interleave(system.matrix(SystemMatrix::S), shape.angular(), first_angular, shape, H);
        interleave(rows.b_S, shape.angular(), first_angular, shape, w);
    }
    write_fclib_triplets(problem, "M", to_triplets(system.matrix(SystemMatrix::M)));
    write_fclib_triplets(problem, "H", H);
    vectors.write("f", rows.f);
    vectors.write("w", w);
    vectors.write("mu", rows.mu);
    if (shape.roll > 0) vectors.write("mu_r", rows.rho);
    if (system.bilateral() == 0) return;
    TripletList G = to_triplets(system.matrix(SystemMatrix::A));
    std::swap(G.rows, G.cols);
    std::swap(G.row, G.col);
    write_fclib_triplets(problem, "G", G);
    std::vector<double> b;
    for (const double x : rows.u) b.push_back(-x);
    vectors.write("b", b);
}

}  // namespace

void write_fclib(Group& root, const Problem& problem, const Caption& caption) {
    if (const AssembledForm* form = problem.assembled()) return write_global(root, *form, caption);
    if (!problem.matrix()->delassus) refuse(root, "general BLCPs");
    write_local(root, problem, caption);
}

}  // namespace perp
