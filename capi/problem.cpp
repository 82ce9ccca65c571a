#include "problem/problem.hpp"

#include <cinttypes>

#include "handles.hpp"
#include "problem/residual.hpp"

using namespace perp;
using namespace perp::capi;

namespace perp::capi {

ContactRows copy_rows(const perp_rows* given, const System& system) {
    const perp_rows c = read_struct(given, perp_rows{}, "rows");
    const std::int64_t n = system.velocities();
    const std::int64_t m = system.bilateral();
    const std::int64_t r = system.contacts();
    const std::int64_t t = r * system.shape().tangential;
    const std::int64_t a = r * system.shape().angular();
    const std::int64_t k = system.boxes();
    ContactRows rows;
    rows.f = copy_vector(c.f, n);
    rows.u = copy_vector(c.u, m);
    rows.b_N = copy_vector(c.b_N, r);
    rows.b_T = copy_vector(c.b_T, t);
    rows.b_S = copy_vector(c.b_S, a);
    rows.compliance_A = copy_vector(c.compliance_A, m);
    rows.compliance_N = copy_vector(c.compliance_N, r);
    rows.compliance_T = copy_vector(c.compliance_T, t);
    rows.compliance_S = copy_vector(c.compliance_S, a);
    rows.mu = copy_vector(c.mu, r);
    rows.rho = copy_vector(c.rho, r);
    rows.sigma = copy_vector(c.sigma, r);
    rows.lo_T = copy_vector(c.lo_T, t);
    rows.hi_T = copy_vector(c.hi_T, t);
    rows.b_B = copy_vector(c.b_B, k);
    rows.compliance_B = copy_vector(c.compliance_B, k);
    rows.lo_B = copy_vector(c.lo_B, k);
    rows.hi_B = copy_vector(c.hi_B, k);
    return rows;
}

}  // namespace perp::capi

namespace {

void store(Problem problem, perp_problem** out) {
    auto handle = std::make_unique<perp_problem>();
    handle->problem = std::make_shared<Problem>(std::move(problem));
    *out = handle.release();
}

int32_t assemble(const perp_system* system, const perp_rows* rows, Law law, perp_problem** out) {
    return guarded([&] {
        required(out, "out");
        const std::shared_ptr<System>& shared = required(system, "system").system;
        store(Problem::assemble(shared, copy_rows(rows, *shared), law), out);
    });
}

std::int64_t nonzeros(const Problem& problem) {
    if (const MatrixForm* form = problem.matrix())
        return form->main.csr().nonzeros() + form->V.csr().nonzeros() + form->R.csr().nonzeros();
    std::int64_t sum = 0;
    for (const SystemMatrix which :
         {SystemMatrix::A, SystemMatrix::N, SystemMatrix::D, SystemMatrix::S, SystemMatrix::B})
        sum += problem.assembled()->system->matrix(which).nonzeros();
    return sum;
}

// Solvers, and the caller's vectors, have the problem's sizes.
void check_same_sizes(const System& given, const System& now) {
    const auto check = [](const char* what, std::int64_t count, std::int64_t expected) {
        if (count != expected)
            fail(Status::bad_size, "system: %" PRId64 " %s, but the problem has %" PRId64, count,
                 what, expected);
    };
    check("velocities", given.velocities(), now.velocities());
    check("rows of A", given.bilateral(), now.bilateral());
    check("contacts", given.contacts(), now.contacts());
    check("sliding rows per contact", given.shape().tangential, now.shape().tangential);
    check("angular rows per contact", given.shape().angular(), now.shape().angular());
    check("rows of B", given.boxes(), now.boxes());
}

// A fresh copy is changed and put in place only when all of it was accepted.
template <class Change>
int32_t change(perp_problem* handle, Change&& apply) {
    return guarded([&] {
        Problem changed = *required(handle, "problem").problem;
        apply(changed);
        *handle->problem = std::move(changed);
    });
}

}  // namespace

int32_t perp_rows_init(perp_rows* rows, int64_t struct_size) {
    return guarded([&] { init_struct(perp_rows{}, rows, struct_size, "rows"); });
}

int32_t perp_cone_assemble(const perp_system* system, const perp_rows* rows, perp_problem** out) {
    return assemble(system, rows, Law::cone, out);
}

int32_t perp_blcp_assemble(const perp_system* system, const perp_rows* rows, perp_problem** out) {
    return assemble(system, rows, Law::box, out);
}

int32_t perp_blcp_create(const perp_triplets* H, const double* q, const double* lo,
                         const double* hi, perp_problem** out) {
    return guarded([&] {
        required(out, "out");
        required(H, "H");
        checked_size(H->rows, "H.rows");
        if (H->rows > 0) required(q, "q");
        if (H->rows != H->cols)
            fail(Status::bad_size, "H: %" PRId64 " x %" PRId64 " is not square", H->rows, H->cols);
        store(Problem::general_blcp(triplets(H), copy_vector(q, H->rows), copy_vector(lo, H->rows),
                                    copy_vector(hi, H->rows)),
              out);
    });
}

int32_t perp_delassus_def_init(perp_delassus_def* def, int64_t struct_size) {
    return guarded([&] {
        perp_delassus_def defaults{};
        defaults.tangential_rows = 2;
        init_struct(defaults, def, struct_size, "def");
    });
}

int32_t perp_delassus_create(const perp_delassus_def* def, perp_problem** out) {
    return guarded([&] {
        required(out, "out");
        perp_delassus_def defaults{};
        defaults.tangential_rows = 2;
        const perp_delassus_def c = read_struct(def, defaults, "def");
        required(c.W, "W");
        if (c.tangential_rows < 0 || c.tangential_rows > 2)
            fail(Status::bad_size, "tangential_rows = %" PRId64 " is not 0, 1 or 2",
                 c.tangential_rows);
        if (c.angular_rows < 0 || c.angular_rows > 3)
            fail(Status::bad_size, "angular_rows = %" PRId64 " is not 0, 1, 2 or 3",
                 c.angular_rows);
        DelassusForm form;
        form.W = triplets(c.W);
        form.shape.tangential = static_cast<int>(c.tangential_rows);
        form.shape.spin = c.angular_rows == 3 ? 1 : 0;
        form.shape.roll = static_cast<int>(c.angular_rows) - form.shape.spin;
        checked_size(form.W.rows, "W.rows");
        if (form.W.rows > 0) required(c.q, "q");
        const std::int64_t contacts = form.W.rows / form.shape.rows();
        form.q = copy_vector(c.q, form.W.rows);
        form.mu = copy_vector(c.mu, contacts);
        form.rho = copy_vector(c.rho, contacts);
        form.sigma = copy_vector(c.sigma, contacts);
        form.V = triplets(c.V);
        form.R = triplets(c.R);
        checked_size(form.V.cols, "V.cols");
        form.s = copy_vector(c.s, form.V.cols);
        store(Problem::delassus(form), out);
    });
}

int32_t perp_problem_set_rows(perp_problem* problem, const perp_system* system,
                              const perp_rows* rows) {
    return guarded([&] {
        Problem& changed = *required(problem, "problem").problem;
        if (changed.assembled() == nullptr)
            fail(Status::unsupported,
                 "rows: this problem has a matrix form; use perp_problem_set_vectors");
        const std::shared_ptr<const System>& now = changed.assembled()->system;
        if (system != nullptr) check_same_sizes(*system->system, *now);
        const std::shared_ptr<const System> from = system == nullptr ? now : system->system;
        changed.take(Problem::assemble(from, copy_rows(rows, *from), changed.law()));
    });
}

int32_t perp_problem_set_vectors(perp_problem* problem, const double* q, const double* lo,
                                 const double* hi) {
    return change(problem, [&](Problem& changed) {
        const auto optional = [&](const double* v, std::int64_t size) {
            return v == nullptr ? std::nullopt : std::optional(std::vector<double>(v, v + size));
        };
        const MatrixForm* form = changed.matrix();
        const std::int64_t rows = form != nullptr ? form->main.rows() : 0;
        changed.set_vectors(optional(q, rows), optional(lo, rows), optional(hi, rows));
    });
}

int32_t perp_problem_set_ties(perp_problem* problem, int64_t count, const int64_t* row,
                              const int64_t* normal, const double* coefficient) {
    return change(problem, [&](Problem& changed) {
        if (count < 0) fail(Status::bad_size, "count = %" PRId64 " is negative", count);
        if (count > 0) {
            required(row, "row");
            required(normal, "normal");
            required(coefficient, "coefficient");
        }
        const auto size = static_cast<std::size_t>(count);
        changed.set_ties({row, size}, {normal, size}, {coefficient, size});
    });
}

int32_t perp_problem_set_law(perp_problem* problem, int64_t law) {
    return change(problem, [&](Problem& changed) {
        if (law < PERP_LAW_CONE || law > PERP_LAW_COULOMB)
            fail(Status::bad_value, "law = %" PRId64 " is not one of PERP_LAW_CONE, _BOX, _COULOMB",
                 law);
        changed.set_law(static_cast<Law>(law));
    });
}

int32_t perp_problem_update(perp_problem* problem, int64_t count, const double* values) {
    return change(problem, [&](Problem& changed) {
        if (count < 0) fail(Status::bad_size, "count = %" PRId64 " is negative", count);
        if (count > 0) required(values, "values");
        changed.update_matrix({values, static_cast<std::size_t>(count)});
    });
}

void perp_problem_destroy(perp_problem* problem) { delete problem; }

int32_t perp_problem_get_info(const perp_problem* problem, perp_problem_info* info) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        const AssembledForm* form = p.assembled();
        perp_problem_info c{};
        c.rows = p.rows();
        c.velocities = p.velocities();
        c.contacts = form != nullptr ? form->system->contacts() : p.set().contacts;
        c.tangential_rows = p.set().shape.tangential;
        c.angular_rows = p.set().shape.angular();
        const bool general = p.matrix() != nullptr && !p.matrix()->delassus;
        c.bilateral =
            form != nullptr ? form->system->bilateral() : (general ? 0 : p.set().scalars());
        c.boxes = form != nullptr ? form->system->boxes() : (general ? p.rows() : 0);
        if (general) c.tangential_rows = c.angular_rows = 0;
        c.law = static_cast<std::int64_t>(p.law());
        c.matrix_form = form != nullptr ? 0 : (general ? 1 : 2);
        c.nonzeros = nonzeros(p);
        c.largest_mass_block = form != nullptr ? form->system->mass().largest_block() : 0;
        c.asymmetry = p.asymmetry();
        c.free_velocity_norm = p.free_norm();
        c.tied = p.set().count_tied();
        write_struct(c, info, "info");
    });
}

int32_t perp_constraint_velocity(const perp_problem* problem, const double* z, double* u,
                                 double* v) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        if (p.rows() > 0) required(z, "z");
        if (v != nullptr && p.assembled() == nullptr)
            fail(Status::unsupported, "v: a problem in matrix form has no body velocities");
        ProductWorkspace work = p.make_workspace();
        std::vector<double> velocity(p.rows());
        p.constraint_velocity({z, static_cast<std::size_t>(p.rows())}, velocity, work);
        if (u != nullptr) std::copy(velocity.begin(), velocity.end(), u);
        if (v != nullptr) std::copy(work.velocity.begin(), work.velocity.end(), v);
    });
}

int32_t perp_form_matrix(const perp_problem* problem, int64_t* count, int64_t* row, int64_t* col,
                         double* value) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        required(count, "count");
        const Csr w = p.form_matrix();
        if (row == nullptr) {
            *count = w.nonzeros();
            return;
        }
        required(col, "col");
        required(value, "value");
        if (*count < w.nonzeros())
            fail(Status::bad_size, "count = %" PRId64 ", but the matrix has %" PRId64 " entries",
                 *count, w.nonzeros());
        for (std::int64_t i = 0; i < w.rows; ++i) {
            for (std::int64_t k = w.start[i]; k < w.start[i + 1]; ++k) {
                row[k] = i;
                col[k] = w.index[k];
                value[k] = w.value[k];
            }
        }
        *count = w.nonzeros();
    });
}

int32_t perp_residual(const perp_problem* problem, const double* z, perp_residual_info* info) {
    return guarded([&] {
        const Problem& p = *required(problem, "problem").problem;
        if (p.rows() > 0) required(z, "z");
        ResidualWorkspace work = make_residual_workspace(p);
        const Residual r = residual(p, {z, static_cast<std::size_t>(p.rows())}, work);
        perp_residual_info c{};
        c.eta = r.eta;
        c.eta_bilateral = r.part[static_cast<int>(RowKind::bilateral)];
        c.eta_normal = r.part[static_cast<int>(RowKind::normal)];
        c.eta_friction = r.part[static_cast<int>(RowKind::friction)];
        c.eta_box = r.part[static_cast<int>(RowKind::box)];
        c.worst_row = r.worst_row;
        c.eta_coulomb = r.eta_coulomb;
        c.penetration_velocity = r.penetration_velocity;
        c.cone_violation = r.cone_violation;
        c.complementarity = r.complementarity;
        c.bilateral_velocity = r.bilateral_velocity;
        write_struct(c, info, "info");
    });
}
